import type { Answers, Bodies, Event, EventOperation, EventTime, GoogleEvent, Intent, OtherOperation, RuleId, RulePrefix, Verb } from "./generated.js";

export type * from "./generated.js";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The names in events: the documents' or the public service's. */
export type Dialect = "documents" | "google";

/** An event with the names of a dialect. */
export type EventIn<D extends Dialect> = D extends "google" ? GoogleEvent : Event;

/**
 * What a caller passes for a value: any member may be absent or null, and a string may have a value that is not listed,
 * because to find out is what checks are for. Editors offer the listed values.
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

/** An operation of the service, such as `events.insert`, or `response` for what a server returned. */
export type Operation = EventOperation | OtherOperation;

/**
 * The body of an operation. Bodies that are not events are of {@link Bodies} with the names of the public service, and any objects
 * with those of the documents, which do not show their members.
 */
export type Body<Op extends Operation, D extends Dialect> = Op extends EventOperation
  ? EventInput<D>
  : Op extends keyof Bodies
    ? D extends "google"
      ? NonNullable<Input<Bodies[Op]>>
      : object
    : object;

/**
 * What a finding means: the request is refused; the value has no effect; the request is accepted, with advice; the
 * documents do not say.
 */
export type Kind = "reject" | "ignore" | "advise" | "unspecified";

/** Where a rule comes from. */
export type Basis = "stated" | "rfc" | "inferred" | "observed";

/** A result of a check. */
export interface Finding {
  rule: RuleId;
  kind: Kind;
  basis: Basis;
  /** A JSON Pointer (RFC 6901) into the body; `?name` for a parameter, empty for the whole request. */
  path: string;
  /** A sentence for people. Its wording is not stable. */
  message: string;
  /** A JSON Patch (RFC 6902) on an object with the members body and params, after which the finding is gone. */
  fix?: PatchOperation[];
  /** `safe` if nothing else can have been meant, and `choice` if a person confirms the fix. */
  fixIs?: "safe" | "choice";
}

/** An operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  op: "add" | "remove" | "replace" | "move";
  from?: string;
  path: string;
  value?: unknown;
}

/** A finding with its place in the text that was checked. */
export interface TextFinding extends Finding {
  /** Absent if the finding is not about the text. */
  place?: Place;
}

/** A place in a text. */
export interface Place {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** From 0, an index of the JavaScript string. */
  offset: number;
}

/** What is known about the caller of a request. */
export interface Caller {
  serviceAccount?: boolean;
  domainWideDelegation?: boolean;
  email?: string;
  creator?: boolean;
  scopes?: string[];
}

/** What is known about the calendar. A list that is absent is not checked. */
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

/** The kinds to give findings, by rule id, by a prefix of ids that ends in a dot, or by `basis:NAME`. */
export type Grade = { [Selector in RuleId | RulePrefix | `basis:${Basis}`]?: "reject" | "advise" | "off" };

/** The context of the body of a request. */
export interface CheckOptions<D extends Dialect = Dialect> {
  /** Any value; the answer repeats it. */
  id?: Json;
  /** Query parameters, as they are sent. */
  params?: { [name: string]: string | string[] };
  /** The stored event, for the operations that have one. Null means that there is none; absent, that it is not known. */
  existing?: EventInput<D> | null;
  /** The series of an instance. */
  series?: EventInput<D>;
  ifMatch?: string;
  /** The HTTP status of the answer of the service, if it is known. */
  status?: number;
  /** The body of the answer of the service, such as one of {@link Answers}. */
  answer?: Json | Input<Answers[keyof Answers]>;
  caller?: Caller;
  calendar?: KnownCalendar;
  grade?: Grade;
  /** The names in the body and in the answer; by default the documents'. */
  dialect?: D;
}

/** A request to check. */
export interface CheckRequest<Op extends Operation = Operation, D extends Dialect = Dialect> extends CheckOptions<D> {
  op: Op;
  body?: Body<Op, D> | null;
  /** The body as text, which is checked as it is. */
  bodyText?: string;
}

/** The answer to a request. */
export interface CheckAnswer<F extends Finding = Finding, D extends Dialect = Dialect> {
  /** The id of the request, if it has one. */
  id?: Json;
  accepted: boolean;
  /** First the findings about the query, then those about the body, in its order. */
  findings: F[];
  /** Whether there are more findings. */
  truncated?: boolean;
  /** The findings about the answer of the service, with paths into it, if the request has it. */
  answerFindings?: F[];
  /** What the service would return, if it accepts the request. */
  event?: EventIn<D>;
  /** What the service would store, if it differs from `event`. */
  stored?: EventIn<D>;
  /** The cancelled event that a move leaves behind. */
  remainder?: EventIn<D>;
}

/**
 * The fixes to make: those that are safe, all, all and then the best attempts to have nothing refused, such as to leave a value out, or
 * the one of a finding.
 */
export type Fixes = "safe" | "all" | "best" | Finding;

/** A request after some fixes. */
export interface Mended<R> {
  request: R;
  /** The findings that are gone, if they were not named. */
  made: Finding[];
}

/** How a change is merged. */
export interface MergeOptions<D extends Dialect = Dialect> extends Omit<CheckOptions<D>, "existing"> {
  /** A patch changes the members that it names; an update replaces the event. The default is `patch`. */
  op?: "patch" | "update";
}

/** A place where two events differ. */
export interface Difference {
  /** A JSON Pointer. */
  path: string;
  /** Absent if the member or the element is. */
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
  /** The window: dates, or times with offsets. `from` is in it, `to` is not. */
  from?: string;
  to?: string;
  /** `overlap` for the instances that are under way in the window. */
  window?: "overlap";
  /** What to do with an instance at a local time that does not exist. */
  gap?: "omit" | "shift";
  limit?: number;
  /** A question in place of a list. `at` is a date or a time. */
  ask?: "next" | "before" | "contains" | "count";
  at?: string;
  /** The original start of an instance at which to divide the series. It does not go with a window, a limit or a question. */
  split?: string;
  /** A verb in place of a question, with its arguments. */
  verb?: Verb;
  with?: VerbArguments;
  options?: ExpandOptions;
  /** The dialect of the members of the exceptions, and of what is refused. */
  dialect?: D;
}

/** The ways to expand a recurrence. */
export interface ExpandOptions {
  /** Whether COUNT counts a start that the rule misses. */
  countStart?: boolean;
  /** Whether the start is an instance only if the rule matches it. */
  onlyMatches?: boolean;
  /** Whether instances end at the time of the clock at which the first one does. */
  wallClock?: boolean;
  /** The months of BYMONTHDAY in a yearly rule without BYMONTH: that of the start, which is the default, or all. */
  months?: "start" | "all";
  /** The weekdays of BYWEEKNO in a yearly rule without BYDAY: that of the start, which is the default, or all. */
  weekdays?: "start" | "all";
  gap?: "omit" | "shift";
}

/** One of the two series of a split, which is a request for its instances. */
export interface Half<D extends Dialect = Dialect> {
  start: EventTime;
  end: EventTime;
  recurrence: string[];
  exceptions: EventIn<D>[];
}

/** The instances of a series, its two halves, or the answer to a question. */
export interface ExpandAnswer<D extends Dialect = Dialect> {
  /** The id of the request, if it has one. */
  id?: Json;
  /** Absent if there are findings, and for `count`. */
  instances?: { start: EventTime; end: EventTime }[];
  contains?: boolean;
  count?: number;
  /** The halves of a split. `before` is absent if the split is at the first instance. */
  before?: Half<D>;
  after?: Half<D>;
  /** What another verb than split makes of the series. */
  series?: Half<D>;
  /** Whether there are more instances than the limit. */
  truncated?: boolean;
  /** Why the start, the end, the recurrence or an exception is refused. */
  findings?: Finding[];
  /** About exceptions that stand for an instance, though their originalStartTime is not in the form of the start. */
  advice?: Finding[];
  /** Why a search ended early; `next` is the `from` that continues it. */
  error?: string;
  next?: string;
}

/** A verb of `make`. */
export interface VerbDescription {
  name: Verb | Intent;
  /** What it answers or does. */
  sentence: string;
  /** Whether it answers requests to the service. */
  isIntent: boolean;
  /** Whether it is about no event. */
  alone: boolean;
  arguments: ArgumentDescription[];
}

/** An argument of a verb. */
export interface ArgumentDescription {
  /** Its member of `with`. */
  name: string;
  /** How it is written: `time` is a date or a time, `clock` a time of day, `word` one of the words, `json` an object. */
  kind: "time" | "zone" | "clock" | "number" | "word" | "text" | "json";
  words?: string[];
  /** A phrase for help, in which a part is in backquotes. */
  usage: string;
  required: boolean;
  /** Whether it may be an array. */
  many: boolean;
}

/** The arguments of a verb. A time is a date, an RFC 3339 time, or a local time in the zone of the series. */
export interface VerbArguments {
  /** The original start of an instance, or a time; for `exclude` and `add` also several. */
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
  /** An address; for `add-guest` and `remove-guest` also several. */
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

/** A verb and the series that it is about. */
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

/** An intent, and the event or the series that it is about. */
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

/** A request to send. Its parameters have the `eventId` of the path. */
export interface RequestToSend {
  op: string;
  params: Record<string, string | string[]>;
  body?: Json;
  ifMatch?: string;
}

/** A series with its exceptions. */
export interface Series<D extends Dialect = Dialect> {
  event: EventIn<D>;
  /** The lines of its recurrence, in canonical spelling. */
  set: string[];
  exceptions: EventIn<D>[];
}

/** What a verb answers: what was asked, or one series or, for a split, two. */
export interface MakeAnswer<D extends Dialect = Dialect> extends Partial<Series<D>> {
  id?: Json;
  /** Of `singles`, whole events. */
  instances?: (EventIn<D> | { start: EventTime; end: EventTime })[];
  contains?: boolean;
  count?: number;
  /** Absent if the split is at the first instance. */
  before?: Series<D>;
  after?: Series<D>;
  /** Of an intent, in the order in which to send them. */
  requests?: RequestToSend[];
  truncated?: boolean;
  findings?: Finding[];
  advice?: Finding[];
  error?: string;
  next?: string;
}

/** What a verifier knows about a token. A fact that is absent is unknown. */
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

/** The caller's decisions where the documents are silent. The defaults are strict. */
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
  /** Facts by the decoded text of the token. `_now` is the time in seconds; `_request` has `tls`. */
  known?: { [token: string]: Facts | number | { tls?: boolean } };
  policy?: Policy;
  dialect?: Dialect;
}

/** Who a request acts as. */
export interface Decision {
  /** The id of the request, if it has one. */
  id?: Json;
  principal: "none" | "service_account" | "user" | "legacy" | "rejected" | "unspecified";
  /** The uid of a user, or of `auth_variable_override`. */
  subject?: string;
  rules: "apply" | "bypass" | "n/a";
  read: "full" | "rules" | "public" | "none";
  write: "full" | "rules" | "public" | "none";
  findings: Finding[];
}

/** An example of a rule: a request, and what the answer contains. */
export interface Example {
  request?: Json;
  answer?: Json;
  via?: string;
}

/** A rule. */
export interface Rule {
  id: RuleId;
  /** The address of its page. */
  url: string;
  kind: Kind | "default" | "effect" | "decide";
  /** The operations that it applies to. */
  when: string;
  basis: Basis;
  /** What it is about: the event, the change to it, or the request as a whole. */
  scope: string;
  /** The members that it depends on. */
  reads?: string[];
  summary: string;
  section: string;
  /** The HTTP status and the reason of a refusal. */
  status?: number;
  reason?: string;
  /** What was seen in the public service, and where that was reported. */
  seen?: string;
  reported?: string[];
  why?: string;
  /** What a finding of the rule can say. A name in braces is a place that the finding fills. */
  sentences?: { key: string; text: string }[];
  good: Example;
  bad: Example;
  /** What is found in the bad example. */
  findings?: Finding[];
}
