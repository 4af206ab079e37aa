import type { Answers, Bodies, Event, EventOperation, EventTime, GoogleEvent, Intent, OtherOperation, RuleId, RulePrefix, Verb } from "./generated.js";

export type * from "./generated.js";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The names in events: the names in the documents, or the names of the public service. */
export type Dialect = "documents" | "google";

/** An event with the names of a dialect. */
export type EventIn<D extends Dialect> = D extends "google" ? GoogleEvent : Event;

/**
 * A value that a caller passes: any member may be absent or null, and a string may have an unlisted value, because checks are
 * meant to find such values. Editors offer the listed values.
 */
export type Input<T> = T extends string
  ? string extends T
    ? string | null
    : T | (string & {}) | null
  : T extends readonly (infer E)[]
    ? readonly Input<E>[] | null
    : T extends object
      ? { readonly [Name in keyof T]?: Input<T[Name]> | undefined } | null
      : T | null;

/** An event that a caller passes. */
export type EventInput<D extends Dialect = Dialect> = NonNullable<Input<EventIn<D>>>;

/** A merge patch (RFC 7396): null removes a member, and an array is replaced as a whole. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]?: Patch<NonNullable<T[Name]>> | null }
    : T;

/** An operation of the service, such as `events.insert`, or `response` for an event that a server has returned. */
export type Operation = EventOperation | OtherOperation;

/**
 * The body of an operation. With the names of the public service, a body that is not an event is one of {@link Bodies}; with
 * the names of the documents, which do not describe such bodies, it may be any object.
 */
export type Body<Op extends Operation, D extends Dialect> = Op extends EventOperation
  ? EventInput<D>
  : Op extends keyof Bodies
    ? D extends "google"
      ? NonNullable<Input<Bodies[Op]>>
      : object
    : object;

/**
 * The meaning of a finding: the request is refused, the value has no effect, the request is accepted with advice, or the
 * documents do not specify the outcome.
 */
export type Kind = "reject" | "ignore" | "advise" | "unspecified";

/** The origin of a rule. */
export type Basis = "stated" | "rfc" | "inferred" | "observed";

/** A finding of a check. */
export interface Finding {
  rule: RuleId;
  kind: Kind;
  basis: Basis;
  /** A JSON Pointer (RFC 6901) into the body, `?name` for a parameter, or an empty string for the whole request. */
  path: string;
  /** A sentence for people. Its wording is not stable. */
  message: string;
  /** A JSON Patch (RFC 6902), for an object with the members body and params, that resolves the finding. */
  fix?: PatchOperation[];
  /** `safe` if the intended value is certain, and `choice` if a person should confirm the fix. */
  fixIs?: "safe" | "choice";
}

/** An operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  op: "add" | "remove" | "replace" | "move";
  from?: string;
  path: string;
  value?: unknown;
}

/** A finding with its place in the checked text. */
export interface TextFinding extends Finding {
  /** Absent if the finding is not about the text. */
  place?: Place;
}

/** A place in a text. */
export interface Place {
  /** The line number, starting at 1. */
  line: number;
  /** The column in characters, starting at 1. */
  column: number;
  /** The index in the JavaScript string, starting at 0. */
  offset: number;
}

/** The known facts about the caller of a request. */
export interface Caller {
  serviceAccount?: boolean;
  domainWideDelegation?: boolean;
  email?: string;
  creator?: boolean;
  scopes?: string[];
}

/** The known facts about the calendar. An absent list is not checked. */
export interface KnownCalendar {
  primary?: boolean;
  status?: "active" | "disabled" | "deleted";
  /** The name of its time zone in the IANA Time Zone Database. */
  timeZone?: string;
  colors?: string[];
  labels?: string[];
  buildings?: string[];
  ids?: string[];
}

/** The kinds to assign to findings, by rule id, by a prefix of ids that ends in a dot, or by `basis:NAME`. */
export type Grade = { [Selector in RuleId | RulePrefix | `basis:${Basis}`]?: "reject" | "advise" | "off" };

/** The context of a request body. */
export interface CheckOptions<D extends Dialect = Dialect> {
  /** Any value, which the answer repeats. */
  id?: Json;
  /** Query parameters, as sent. */
  params?: { [name: string]: string | string[] };
  /**
   * The stored event, for operations on a stored event. Null means that there is no stored event; absence means that the
   * event is unknown.
   */
  existing?: EventInput<D> | null;
  /** The series of an instance. */
  series?: EventInput<D>;
  ifMatch?: string;
  /** The HTTP status of the service's answer, if known. */
  status?: number;
  /** The body of the service's answer, such as one of {@link Answers}. */
  answer?: Json | Input<Answers[keyof Answers]>;
  caller?: Caller;
  calendar?: KnownCalendar;
  grade?: Grade;
  /** The dialect of the names in the body and in the answer. The default is `documents`. */
  dialect?: D;
}

/** A request to check. */
export interface CheckRequest<Op extends Operation = Operation, D extends Dialect = Dialect> extends CheckOptions<D> {
  op: Op;
  body?: Body<Op, D> | null;
  /** The body as text, which is checked unchanged. */
  bodyText?: string;
}

/** The answer to a request. */
export interface CheckAnswer<F extends Finding = Finding, D extends Dialect = Dialect> {
  /** The id of the request, if it has one. */
  id?: Json;
  accepted: boolean;
  /** The findings about the query, followed by the findings about the body in document order. */
  findings: F[];
  /** Whether there are more findings. */
  truncated?: boolean;
  /** The findings about the service's answer, with paths into that answer, if the request contains an answer. */
  answerFindings?: F[];
  /** The event that the service would return, if the request is accepted. */
  event?: EventIn<D>;
  /** The event that the service would store, if different from `event`. */
  stored?: EventIn<D>;
  /** The cancelled event that a move leaves behind. */
  remainder?: EventIn<D>;
}

/**
 * The fixes to apply: the safe fixes; all fixes; all fixes and then the best attempts to avoid a refusal, such as leaving out
 * a value; or the fix of one finding.
 */
export type Fixes = "safe" | "all" | "best" | Finding;

/** A fixed request. */
export interface Fixed<R> {
  request: R;
  /** The resolved findings, unless the fix of one finding was requested. */
  made: Finding[];
}

/** The options for merging a change. */
export interface MergeOptions<D extends Dialect = Dialect> extends Omit<CheckOptions<D>, "existing"> {
  /** A patch changes the members that it names; an update replaces the event. The default is `patch`. */
  op?: "patch" | "update";
}

/** A place at which two events differ. */
export interface Difference {
  /** A JSON Pointer. */
  path: string;
  /** The old value, absent if the member or element was absent. */
  old?: Json;
  new?: Json;
}

/** A request for the instances of a series. */
export interface ExpandRequest<D extends Dialect = Dialect> {
  id?: Json;
  start: NonNullable<Input<EventTime>>;
  end: NonNullable<Input<EventTime>>;
  recurrence: readonly string[];
  /** Changed, moved and cancelled instances. */
  exceptions?: readonly EventInput<D>[];
  /** The window, which includes `from` but not `to`. Both are dates, or times with offsets. */
  from?: string;
  to?: string;
  /** `overlap` selects the instances that are in progress at some time in the window. */
  window?: "overlap";
  /** Whether to omit or to shift an instance at a local time that does not exist. */
  gap?: "omit" | "shift";
  limit?: number;
  /** A question to answer instead of listing the instances. `at` is a date or a time. */
  ask?: "next" | "before" | "contains" | "count";
  at?: string;
  /**
   * The original start of the instance at which to split the series. `split` cannot be combined with a window, a limit or a
   * question.
   */
  split?: string;
  /** A verb to use instead of a question. `with` contains its arguments. */
  verb?: Verb;
  with?: VerbArguments;
  options?: ExpandOptions;
  /** The dialect of the exceptions and of the findings. */
  dialect?: D;
}

/** The ways to expand a recurrence. */
export interface ExpandOptions {
  /** Whether COUNT includes a start that the rule does not match. */
  countStart?: boolean;
  /** Whether the start is an instance only if the rule matches it. */
  onlyMatches?: boolean;
  /** Whether all instances end at the same local time as the first instance. */
  wallClock?: boolean;
  /**
   * The months to which BYMONTHDAY applies in a yearly rule without BYMONTH: the month of the start, which is the default, or
   * all months.
   */
  months?: "start" | "all";
  /**
   * The weekdays to which BYWEEKNO applies in a yearly rule without BYDAY: the weekday of the start, which is the default, or
   * all weekdays.
   */
  weekdays?: "start" | "all";
  gap?: "omit" | "shift";
}

/** One half of a split series, in the form of a request for its instances. */
export interface Half<D extends Dialect = Dialect> {
  start: EventTime;
  end: EventTime;
  recurrence: string[];
  exceptions: EventIn<D>[];
}

/** The instances of a series, the two halves of a series, or the answer to a question. */
export interface ExpandAnswer<D extends Dialect = Dialect> {
  /** The id of the request, if it has one. */
  id?: Json;
  /** The instances, absent if there are findings and for the question `count`. */
  instances?: { start: EventTime; end: EventTime }[];
  contains?: boolean;
  count?: number;
  /** The halves of a split. `before` is absent if the split is at the first instance. */
  before?: Half<D>;
  after?: Half<D>;
  /** The result of a verb other than `split` that changes the series. */
  series?: Half<D>;
  /** Whether there are more instances than the limit. */
  truncated?: boolean;
  /** The findings that reject the start, the end, the recurrence or an exception. */
  findings?: Finding[];
  /**
   * Findings about exceptions that replace an instance although their originalStartTime has a different form from the start.
   */
  advice?: Finding[];
  /** The reason why the search ended early. `next` is the value of `from` that continues the search. */
  error?: string;
  next?: string;
}

/** A verb of `make`. */
export interface VerbDescription {
  name: Verb | Intent;
  /** A description of the verb. */
  sentence: string;
  /** Whether the answer to the verb consists of requests to the service. */
  isIntent: boolean;
  /** Whether the verb does not apply to an event. */
  alone: boolean;
  arguments: ArgumentDescription[];
}

/** An argument of a verb. */
export interface ArgumentDescription {
  /** The name of the argument's member in `with`. */
  name: string;
  /**
   * The kind of value: for example, `time` is a date or a time, `clock` is a time of day, `word` is one of the words, and
   * `json` is an object.
   */
  kind: "time" | "zone" | "clock" | "number" | "word" | "text" | "json";
  words?: string[];
  /** A description for help texts, with the placeholder for the value in backquotes. */
  usage: string;
  required: boolean;
  /** Whether the value may be an array. */
  many: boolean;
}

/** The arguments of a verb. A time is a date, an RFC 3339 time, or a local time in the zone of the series. */
export interface VerbArguments {
  /** The original start of an instance, or a time. `exclude` and `add` accept several. */
  at?: string | EventTime | (string | EventTime)[];
  from?: string | EventTime;
  /** The end of the window, or the new start. */
  to?: string | EventTime;
  zone?: string;
  /** A time of day, such as `09:00`. */
  clock?: string;
  /** A duration, such as `PT1H30M`. */
  length?: string;
  window?: "overlap";
  limit?: number;
}

/** The arguments of an intent. */
export interface IntentArguments<D extends Dialect = Dialect> extends VerbArguments {
  /** An email address. `add-guest` and `remove-guest` accept several. */
  email?: string | string[];
  /** The responseStatus of `respond`. */
  status?: string;
  comment?: string;
  /** The type of the conference. */
  type?: string;
  /** The private extended property. */
  key?: string;
  value?: string;
  /** The name of a color, such as `tomato`. */
  color?: string;
  /** The ids of calendars, for `free-busy`. */
  calendar?: string | string[];
  /** The patch of `change-following`. */
  change?: Patch<EventIn<D>>;
  /** The event whose conference `copy-conference` copies. */
  other?: EventInput<D>;
}

/** A verb and the series to which it applies. */
export interface MakeRequest<D extends Dialect = Dialect> {
  id?: Json;
  verb: Verb;
  with?: VerbArguments;
  series: EventInput<D>;
  exceptions?: readonly EventInput<D>[];
  calendar?: { timeZone?: string };
  options?: ExpandOptions;
  dialect?: D;
}

/** An intent, and the event or the series to which it applies. */
export interface IntentRequest<D extends Dialect = Dialect> {
  id?: Json;
  verb: Intent;
  with?: IntentArguments<D>;
  existing?: EventInput<D>;
  series?: EventInput<D>;
  exceptions?: readonly EventInput<D>[];
  caller?: { email?: string };
  calendar?: { timeZone?: string };
  dialect?: D;
}

/** A request to send. The parameters include the `eventId` in the path. */
export interface RequestToSend {
  op: string;
  params: Record<string, string | string[]>;
  body?: Json;
  ifMatch?: string;
}

/** A series with its exceptions. */
export interface Series<D extends Dialect = Dialect> {
  event: EventIn<D>;
  /** The recurrence lines, in canonical spelling. */
  set: string[];
  exceptions: EventIn<D>[];
}

/** The answer to a verb: the requested information, a series, or the two halves of a split series. */
export interface MakeAnswer<D extends Dialect = Dialect> extends Partial<Series<D>> {
  id?: Json;
  /** The instances. For the verb `singles`, the instances are whole events. */
  instances?: (EventIn<D> | { start: EventTime; end: EventTime })[];
  contains?: boolean;
  count?: number;
  /** Absent if the split is at the first instance. */
  before?: Series<D>;
  after?: Series<D>;
  /** The requests for an intent, in the order in which to send them. */
  requests?: RequestToSend[];
  truncated?: boolean;
  findings?: Finding[];
  advice?: Finding[];
  error?: string;
  next?: string;
}

/** The facts that a verifier knows about a token. An absent fact is unknown. */
export interface Facts {
  kind?: string;
  verified?: boolean;
  expired?: boolean;
  revoked?: boolean;
  exp?: number;
  nbf?: number;
  iat?: number;
  issued_to?: string;
  scopes?: string[];
  db_permission?: boolean;
  db?: string;
  audience?: string;
  uid?: string;
  claims?: { [name: string]: Json };
  verifier_error?: string;
}

/** The caller's decisions in cases that the documents do not specify. The defaults are strict. */
export interface Policy {
  legacy?: "refuse";
  legacy_in?: ("auth" | "access_token" | "header")[];
  legacy_rules?: "apply" | "bypass";
  empty_credential?: "ignore";
  unsupported_scheme?: "ignore" | "reject";
  on_conflict?: "least_privilege";
  ambiguous_path?: "reject";
  leeway_seconds?: number;
  require_tls?: boolean;
  scope_base?: string;
}

/** A request to the realtime database. */
export interface DecideRequest {
  id?: Json;
  method: string;
  /** The raw path and query, relative to the database. */
  url: string;
  headers?: [name: string, value: string][];
  /** Facts about tokens, by decoded token. `_now` is the time in seconds, and `_request` contains `tls`. */
  known?: { [token: string]: Facts | number | { tls?: boolean } };
  policy?: Policy;
  dialect?: Dialect;
}

/** The decision about the principal of a request. */
export interface Decision {
  /** The id of the request, if it has one. */
  id?: Json;
  principal: "none" | "service_account" | "user" | "legacy" | "rejected" | "unspecified";
  /** The uid of a user, or the uid in `auth_variable_override`. */
  subject?: string;
  rules: "apply" | "bypass" | "n/a";
  read: "full" | "rules" | "public" | "none";
  write: "full" | "rules" | "public" | "none";
  findings: Finding[];
}

/** An example for a rule: a request, and the expected parts of the answer. */
export interface Example {
  request?: Json;
  answer?: Json;
  via?: string;
}

/** A rule. */
export interface Rule {
  id: RuleId;
  /** The address of the rule's page. */
  url: string;
  kind: Kind | "default" | "effect" | "decide";
  /** The operations to which the rule applies. */
  when: string;
  basis: Basis;
  /** The subject of the rule: the event, a change to the event, or the whole request. */
  scope: string;
  /** The members on which the rule depends. */
  reads?: string[];
  summary: string;
  section: string;
  /** The HTTP status for a refusal. `reason` is the reason for the refusal. */
  status?: number;
  reason?: string;
  /** The observed behavior of the public service, and the reports about it. */
  seen?: string;
  reported?: string[];
  why?: string;
  /** The sentences that a finding of the rule can contain. A name in braces is a placeholder. */
  sentences?: { key: string; text: string }[];
  good: Example;
  bad: Example;
  /** The findings about the bad example. */
  findings?: Finding[];
}
