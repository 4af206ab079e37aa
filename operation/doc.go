// Package operation describes the 38 operations of the calendar service: resource, name,
// method, path, parameters and scopes. It also contains the rules about a request that do not
// depend on its body.
//
// The main functions are:
//
//   - [Resolve] finds the operation and the path parameters for a method and a path;
//   - [Lookup] finds an operation by its id, and [All] yields all operations;
//   - [Request.Check] checks the parameters, scopes and calendar of a request;
//   - [Params.Options] decodes the query parameters of a request about events.
//
// The package does not look at bodies: package event does. Fields that the documents do not show are empty; the package
// does not guess.
//
// Sources are sections of the document "Calendar Service Interface".
package operation
