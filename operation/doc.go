// Package operation describes the 38 operations of the calendar service, each with its resource, name, method, path, parameters
// and scopes. Package operation also defines the rules that do not depend on the request body.
//
// The main functions are:
//
//   - [Resolve] finds the operation and the path parameters for a method and a path;
//   - [Lookup] finds an operation by its id, and [All] yields all operations;
//   - [Request.Check] checks the parameters, scopes and calendar of a request;
//   - [Params.Options] decodes the query parameters of a request about events.
//
// Package operation does not check request bodies; package event does. If the documentation does not show the value of a
// field, the field is empty.
//
// Sources cited in comments are sections of the document "Calendar Service Interface".
package operation
