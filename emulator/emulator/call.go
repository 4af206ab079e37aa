package emulator

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/operation"
)

// call is a request to the service, and its context.
type call struct {
	*eventhttp.Call
	http    *http.Request
	dialect diag.Dialect
	system  url.Values // the parameters that every operation has
	fields  selection  // the selected members of the response
	token   Token      // the user that the request acts as
	role    role       // the caller's role in the calendar of the path
	now     time.Time
}

// systemParams lists the parameters of every operation in the public service that are not part of the request that the library
// checks.
var systemParams = func() (names []string) {
	op, _ := operation.Lookup("colors.get") // any operation would do
	for _, p := range op.ParamsIn(diag.Google) {
		if p.Standard {
			names = append(names, p.Name)
		}
	}
	return names
}()

// read reads, authenticates and parses a request.
func (s *Server) read(w http.ResponseWriter, r *http.Request) (*call, error) {
	c := &call{http: r, now: s.now()}
	base := "/v3"
	for b := range bases {
		if strings.HasPrefix(r.URL.Path, b+"/") {
			base = b
		}
	}
	c.dialect = bases[base]
	r = r.Clone(r.Context())
	c.system, r.URL.RawQuery = splitQuery(r.URL.RawQuery)
	if err := c.checkSystem(); err != nil {
		return nil, err
	}
	if err := unzip(w, r, s.maxBytes); err != nil {
		return nil, err
	}
	var err error
	if c.Call, err = eventhttp.Read(r, base, s.maxBytes); err != nil {
		return nil, err
	}
	c.Request.Dialect = c.dialect
	if err := c.checkFields(); err != nil {
		return nil, err
	}
	if c.token, err = s.authenticate(r, c.system); err != nil {
		return nil, err
	}
	c.Request.Caller = c.caller(s.tokens != nil)
	return c, nil
}

// override returns the request that a POST with an X-HTTP-Method-Override field represents. Clients use the field for a GET
// whose URL would be too long, and send the query as the body.
func override(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	const field = "X-HTTP-Method-Override"
	method := strings.ToUpper(r.Header.Get(field))
	if r.Method != http.MethodPost || method == "" {
		return r, nil
	}
	r = r.Clone(r.Context())
	r.Method = method
	r.Header.Del(field)
	if method != http.MethodGet || r.Body == nil {
		return r, nil
	}
	query, err := io.ReadAll(http.MaxBytesReader(w, r.Body, event.DefaultMaxBytes))
	if err != nil {
		return r, refused(http.StatusRequestEntityTooLarge, "uploadTooLarge", "The query in the body is too large or incomplete.")
	}
	r.URL.RawQuery = strings.Trim(r.URL.RawQuery+"&"+string(query), "&")
	r.Body = http.NoBody
	r.Header.Del("Content-Type")
	return r, nil
}

// splitQuery separates the system parameters from the rest of a query. System parameters with several values and invalid
// booleans remain in the query, for the library to refuse.
func splitQuery(raw string) (system url.Values, rest string) {
	system = url.Values{}
	var kept []string
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, errName := url.QueryUnescape(name)
		value, errValue := url.QueryUnescape(value)
		isSystem := errName == nil && errValue == nil && slices.Contains(systemParams, name)
		switch isNoBoolean := name == "prettyPrint" && value != "true" && value != "false"; {
		case isSystem && system.Has(name) && system.Get(name) != value:
			kept = append(kept, url.Values{name: {system.Get(name), value}}.Encode())
		case isSystem && isNoBoolean:
			kept = append(kept, pair)
		}
		if isSystem {
			system.Add(name, value)
		} else if pair != "" {
			kept = append(kept, pair)
		}
	}
	return system, strings.Join(kept, "&")
}

// checkSystem reads the system parameters and refuses representations that the emulator does not support.
func (c *call) checkSystem() error {
	if alt := c.system.Get("alt"); alt != "" && alt != "json" {
		return refused(http.StatusBadRequest, "invalidParameter", "The parameter alt is %q; it must be json.", alt)
	}
	if c.system.Has("callback") {
		return refused(http.StatusNotImplemented, "notImplemented", "The emulator does not answer with a call of a function.")
	}
	fields := c.system.Get("fields")
	if fields == "" {
		return nil
	}
	var err error
	c.fields, err = parseFields(fields)
	return err
}

// checkFields refuses a selection of members that never occur in responses to the operation.
func (c *call) checkFields() error {
	answer := schemas[c.dialect][answerOf(c.Operation)]
	if answer == nil {
		return nil
	}
	if unknown := c.fields.unknown(answer); unknown != "" {
		return refused(http.StatusBadRequest, "invalidParameter", "The parameter fields selects %q, but the answer has no such member.", unknown)
	}
	return nil
}

// unzip decompresses a compressed body.
func unzip(w http.ResponseWriter, r *http.Request, most int) error {
	if !strings.EqualFold(r.Header.Get("Content-Encoding"), "gzip") {
		return nil
	}
	if most <= 0 {
		most = event.DefaultMaxBytes
	}
	plain, err := gzip.NewReader(http.MaxBytesReader(w, r.Body, int64(most)))
	if err != nil {
		return refused(http.StatusBadRequest, "badRequest", "The body is not compressed with gzip.")
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{plain, r.Body}
	r.Header.Del("Content-Encoding")
	return nil
}

// authenticate returns the token in a request.
func (s *Server) authenticate(r *http.Request, system url.Values) (Token, error) {
	if s.tokens == nil {
		return Token{Email: s.user}, nil
	}
	presented := slices.Concat(system["access_token"], system["oauth_token"])
	for _, value := range r.Header.Values("Authorization") {
		scheme, token, _ := strings.Cut(value, " ")
		if strings.EqualFold(scheme, "Bearer") {
			presented = append(presented, strings.TrimSpace(token))
		}
	}
	if len(presented) == 0 {
		return Token{}, refused(http.StatusUnauthorized, "required", "The request has no bearer token.")
	}
	token, ok := s.tokens[presented[0]]
	if !ok || len(presented) > 1 {
		return Token{}, refused(http.StatusUnauthorized, "authError", "The bearer token is not valid.")
	}
	return token, nil
}

// caller returns the facts about the caller that the library needs.
func (c *call) caller(known bool) *operation.Caller {
	caller := &operation.Caller{Email: c.token.Email}
	if known {
		account := c.token.ServiceAccount
		caller.ServiceAccount, caller.DomainWideDelegation, caller.Scopes = &account, c.token.Delegation, c.token.Scopes
	}
	return caller
}

// answer responds to a request, or returns the refusal.
func (s *Server) answer(c *call) (reply, error) {
	handle, ok := handlers[c.Operation.ID]
	if !ok {
		return reply{}, refused(http.StatusNotImplemented, "notImplemented", "The emulator does not have %s.", c.Operation.ID)
	}
	if err := s.ensureUser(c.token.Email); err != nil {
		return reply{}, err
	}
	answer, err := handle(s, c)
	if err == nil && c.isGet() && answer.etag != "" {
		err = c.ifMatchTag(answer.etag)
	}
	if errors.Is(err, state.ErrStore) {
		err = refused(http.StatusInternalServerError, "backendError", "The change could not be stored: nothing of it has effect.")
	}
	return answer, err
}

// isGet reports whether the request is a GET or a HEAD, which is a GET without a response body.
func (c *call) isGet() bool { return c.Operation.Method == http.MethodGet }

// query returns the first value of a query parameter.
func (c *call) query(name string) string {
	value, _ := c.Request.Params.Value(name)
	return value
}

// handlers maps each operation to its handler.
var handlers = map[operation.ID]func(*Server, *call) (reply, error){
	operation.EventsInsert: (*Server).writeEvent, operation.EventsImport: (*Server).writeEvent, operation.EventsPatch: (*Server).writeEvent,
	operation.EventsUpdate: (*Server).writeEvent, operation.EventsDelete: (*Server).writeEvent, operation.EventsMove: (*Server).writeEvent,
	operation.EventsGet: (*Server).getEvent, operation.EventsList: (*Server).listEvents, operation.EventsInstances: (*Server).listInstances,
	operation.EventsQuickAdd: (*Server).quickAdd, "freebusy.query": (*Server).freeBusy, "colors.get": (*Server).getColors,
	operation.EventsWatch: (*Server).watch, "acl.watch": (*Server).watch, "calendarList.watch": (*Server).watch,
	"settings.watch": (*Server).watch, "channels.stop": (*Server).stopChannel,
	"settings.get": (*Server).getSetting, "settings.list": (*Server).listSettings,
	"calendars.get": (*Server).getCalendar, "calendars.insert": (*Server).insertCalendar, "calendars.patch": (*Server).changeCalendar,
	"calendars.update": (*Server).changeCalendar, "calendars.delete": (*Server).deleteCalendar, "calendars.clear": (*Server).clearCalendar,
	"calendars.transferOwnership": (*Server).transferOwnership,
	"calendarList.get":            (*Server).getListed, "calendarList.list": (*Server).listCalendars, "calendarList.insert": (*Server).insertListed,
	"calendarList.patch": (*Server).changeListed, "calendarList.update": (*Server).changeListed, "calendarList.delete": (*Server).deleteListed,
	"acl.get": (*Server).getRule, "acl.list": (*Server).listRules, "acl.insert": (*Server).insertRule,
	"acl.patch": (*Server).changeRule, "acl.update": (*Server).changeRule, "acl.delete": (*Server).deleteRule,
}
