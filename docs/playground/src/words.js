// Plain words for the properties of rules.

/** What a rule does, by its kind. */
export const kinds = {
  reject: "the service refuses the request",
  ignore: "the value has no effect",
  advise: "the request is accepted, with advice",
  unspecified: "the documents do not say",
  silent: "nothing is reported with the names of Google Calendar",
  effect: "what the service does",
  default: "a default value",
  decide: "how the principal is found",
};

/** Where a rule comes from, by its basis. */
export const bases = {
  stated: "stated in the documents of the service",
  rfc: "stated in an RFC that the documents name",
  inferred: "inferred from the documents",
  observed: "observed in the public service",
};

/** What a rule looks at, by its scope. */
export const scopes = {
  event: "the event alone",
  change: "the stored event and its change",
  request: "the request around the event: its operation, parameters and caller",
};

/** The requests and answers to which a rule applies. Operations that are not here have names of their own. */
const occasions = {
  all: "every request",
  write: "inserting, importing, updating or patching an event",
  create: "inserting or importing an event",
  modify: "updating or patching an event",
  insert: "inserting an event",
  import: "importing an event",
  update: "updating an event",
  patch: "patching an event",
  move: "moving an event to another calendar",
  quickAdd: "adding an event from a text",
  delete: "deleting an event",
  get: "reading an event",
  list: "listing events",
  instances: "listing the instances of a series",
  response: "an answer of the service",
  path: "the method and path of any request",
  token: "a credential in a request to the database",
  key: "the key file of a service account",
  request: "a request to the database",
};

/** Returns the occasions of a rule, such as "write,response", as a list of texts. */
export const occasionsOf = (when) => when.split(",").map((name) => occasions[name] ?? name);
