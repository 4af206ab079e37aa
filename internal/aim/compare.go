package aim

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/operation"
)

// rejection returns the first finding that refuses the request, or nil.
func (x *sent) rejection() *between.Finding {
	for i := range x.exchange.Findings {
		if f := &x.exchange.Findings[i]; f.Certain == diag.Reject {
			return f
		}
	}
	return nil
}

// refusal returns the finding about the given rule if that finding refuses the request, or else the first finding that refuses
// the request, or nil.
func (x *sent) refusal(rule string) *between.Finding {
	for i := range x.exchange.Findings {
		if f := &x.exchange.Findings[i]; f.Certain == diag.Reject && f.Is(rule) {
			return f
		}
	}
	return x.rejection()
}

// says describes the server's response: the status and, for a refusal, its message.
func (x *sent) says() string {
	if x.problem != "" {
		return x.problem
	}
	var text struct {
		Error  struct{ Message string }
		Detail string
	}
	_ = json.Unmarshal(x.answer, &text)                                            // an answer in another form has no message
	message := x.secrets.hide(strings.TrimSpace(text.Error.Message + text.Detail)) // hide secrets before shortening
	if runes := []rune(message); len(runes) > 200 {
		message = string(runes[:200]) + "..."
	}
	status := strings.TrimSpace(strconv.Itoa(x.status) + " " + http.StatusText(x.status))
	if message == "" {
		return status
	}
	return status + ": " + message
}

// compare compares the server's response to the story's main request with the rules. If there is no reason why the request
// proves nothing, the status shows whether the server accepts the request.
func (o *outcome) compare(x *sent, existing *event.Event) {
	o.status, o.rule, o.server = x.status, o.story.rule, x.says()
	for _, f := range x.exchange.Findings {
		if f.Certain == diag.Reject {
			o.rejections++
		}
	}
	if o.notTried, o.unclear = o.provesNothing(x, existing); o.notTried != "" || o.unclear != "" {
		return
	}
	switch refuses := x.refusal(o.story.rule); {
	case x.status >= 500:
		o.differ(Failed, x.verdict())
	case refuses != nil && x.succeeded():
		o.rule = refuses.Rule.ID
		o.differ(Missed, refuses.Message())
	case refuses == nil && x.status >= 400:
		o.differ(Refused, x.verdict())
	case refuses == nil:
		o.compareAnswer(x, existing)
	default:
		o.compareRefusal(x)
	}
}

// compareRefusal compares the form of a refusal with the form that the public service uses.
func (o *outcome) compareRefusal(x *sent) {
	if x.dialect == diag.Google && o.rejections > 0 && decoded(x.answer)["error"] == nil {
		o.rule = ruleid.AnswerResource
		o.differ(Answer, "The response to the refused request contains no error object.")
	}
}

// provesNothing returns the reason why a request does not test the rule of the story, or why the response is not a verdict. The
// order of the tests matters: a server that lacks the operation may answer like a server that lacks the event.
func (o *outcome) provesNothing(x *sent, existing *event.Event) (notTried, unclear string) {
	isValid := x.refusal(o.story.rule) == nil
	switch {
	case x.problem != "":
		return "", x.problem
	case x.exchange.Unchecked != "":
		return "the request was not checked: " + string(x.exchange.Unchecked), ""
	case o.story.rule != "" && !x.finds(o.story.rule):
		return "no request can create the stored event that the rule needs", ""
	case isValid && x.isAboutConference() && existing != nil && isPending(existing):
		return "the service may have created the conference since the event was read", ""
	case isValid && x.isUnspecified():
		return "the rules do not specify the server's behavior", ""
	case x.status == http.StatusNotImplemented || x.status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("the server does not implement %s", o.story.op), ""
	case isNoVerdict(x.status):
		return "", "a response neither accepts nor refuses the request: " + x.says()
	case isValid && isAbsent(x.status) && o.story.isAboutOthers():
		return "the server does not have the resource", ""
	}
	return "", ""
}

// isAboutOthers reports whether a story needs resources that it does not create, other than the calendar.
func (s *story) isAboutOthers() bool {
	return s.was == nil && s.op != operation.EventsInsert || s.op == operation.EventsMove
}

// isAbsent reports whether a status means that the resource does not exist.
func isAbsent(status int) bool { return status == http.StatusNotFound || status == http.StatusGone }

// differ records a disagreement, without the message if a response contains a secret, since the message may quote an
// unrecognizable part of the secret.
func (o *outcome) differ(fault Fault, message string) {
	o.fault, o.message = fault, message
	if slices.ContainsFunc(o.requests, func(x *sent) bool { return x.secrets.in(x.answer) }) {
		o.message = "The response repeats a header field from --header, so the message is not shown."
	}
}

// isNoVerdict reports whether a status is unrelated to the content of the request, such as a redirect or a refusal because of
// credentials or rate limits.
func isNoVerdict(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return status < 200 || 300 <= status && status < 400
}

// verdict returns the message of the rule that refuses a request, or a message stating that no rule refuses the request.
func (x *sent) verdict() string {
	if f := x.rejection(); f != nil {
		return f.Message()
	}
	return "No rule rejects the request."
}

func (x *sent) finds(rule string) bool {
	return slices.ContainsFunc(x.exchange.Findings, func(f between.Finding) bool { return f.Is(rule) })
}

func (x *sent) isUnspecified() bool {
	return slices.ContainsFunc(x.exchange.Findings, func(f between.Finding) bool { return f.Certain == diag.Unspecified })
}

// compareAnswer checks the response to an accepted request against the rules about representations and about values without
// effect.
func (o *outcome) compareAnswer(x *sent, existing *event.Event) {
	if x.unchecked != "" && x.params("fields") == "" {
		o.rule = ""
		o.differ(Answer, "The response cannot be checked: "+string(x.unchecked)+".")
		return
	}
	if f := rejecting(x.found); f != nil {
		o.rule = f.Rule.ID
		o.differ(Answer, f.Message())
		return
	}
	if media, _, _ := mime.ParseMediaType(x.media); len(x.answer) > 0 && media != "" && media != "application/json" {
		o.rule = ruleid.AnswerResource
		o.differ(Answer, fmt.Sprintf("The Content-Type of the response is %q; it must be application/json.", x.media))
		return
	}
	for _, f := range x.exchange.Findings {
		if f.Certain == diag.Ignore && x.keeps(f.Path, existing) {
			o.rule = f.Rule.ID
			o.differ(Missed, f.Message()+" The response contains the value.")
			return
		}
	}
}

func (x *sent) isAboutConference() bool { return decoded(x.body)["conferenceData"] != nil }

// keeps reports whether the response contains the value at path from the request, which should have had no effect, and the
// stored event did not contain that value.
func (x *sent) keeps(path diag.Pointer, existing *event.Event) bool {
	if path == "/organizer" || path == "/creator" {
		path += "/email"
	}
	isBeingMade := strings.HasPrefix(string(path), "/conferenceData") && existing != nil && isPending(existing) // unknown stored event
	if !isTelling(path) || isBeingMade {
		return false
	}
	was, wants, is := gen.At(treeOf(existing, x.dialect), path), gen.At(decoded(x.body), path), gen.At(decoded(x.answer), path)
	return wants != nil && wants != "" && reflect.DeepEqual(wants, is) && !reflect.DeepEqual(wants, was)
}

// isTelling reports whether the value at a path is free text. A server that returns the same text must have copied it from the
// request.
func isTelling(path diag.Pointer) bool {
	if !path.InBody() {
		return false
	}
	for _, f := range event.Fields() {
		if f.Path != namesOf(path) {
			continue
		}
		return f.Type == "string" && !slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool { return c.Values != nil })
	}
	return false
}

// namesOf returns a path in the notation of [event.Field].
func namesOf(path diag.Pointer) string {
	var name strings.Builder
	for token := range path.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			name.WriteString("[]")
			continue
		}
		if name.Len() > 0 {
			name.WriteByte('.')
		}
		name.WriteString(token)
	}
	return name.String()
}

func (x *sent) params(name string) string {
	u, _ := url.Parse(x.url) // the URL was parsed before
	return u.Query().Get(name)
}
