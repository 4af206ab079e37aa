// Package operation knows the 38 operations of the calendar service: resource, name,
// method, path, parameters and scopes, and the rules about what a request says outside its
// body.
//
// Most callers want one of four things:
//
//   - [Resolve] finds the operation and the path parameters of a method and a path;
//   - [Lookup] finds an operation by its id, and [All] lists them all;
//   - [Check] puts the rules about parameters, scopes and calendars to a request;
//   - [Params.Flags] decodes the query parameters of a request about events.
//
// The package reads no body: what a body may hold is for package event to say. What the
// documents do not show of an operation is left empty here, and never guessed.
//
// Sources are sections of the document "Calendar Service Interface".
package operation
