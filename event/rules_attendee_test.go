package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// attendees returns the member with the entries.
func attendees(entries ...string) string { return `"attendees":[` + strings.Join(entries, ",") + `]` }

// invited returns an attendee with an address and further members.
func invited(email string, members ...string) string {
	return object(append([]string{`"email":` + quoted(email)}, members...)...)
}

func TestAttendeeEmailRequired(t *testing.T) {
	checkRule(t, "attendee.email.required", diag.Reject, []ruleCase{
		{name: "accept/given", members: attendees(invited("ada@example.com"))},
		{name: "accept/no-attendees", members: attendees()},
		{name: "reject/missing", members: attendees(`{"displayName":"Ada"}`), want: []string{"/attendees/0/email"}},
		{name: "reject/empty-object", members: attendees(`{}`), want: []string{"/attendees/0/email"}},
		{name: "reject/null", members: attendees(`{"email":null,"id":"1"}`), want: []string{"/attendees/0/email"}},
		{name: "reject/second-and-third", members: attendees(invited("a@example.com"), `{}`, `{"id":"1"}`), want: []string{"/attendees/1/email", "/attendees/2/email"}},
		{name: "reject/resource", members: attendees(`{"resource":true}`), want: []string{"/attendees/0/email"}},
		{name: "accept/response", op: operation.Response, members: attendees(`{"displayName":"Ada"}`)},
	})
}

func TestAttendeeEmailAddress(t *testing.T) {
	var cases []ruleCase
	for _, email := range []string{
		"ada@example.com", "ada.lovelace+cal@example.com", "a@b", "!#$%&'*+-/=?^_`{|}~@example.com", `"ada lovelace"@example.com`, "ada@[192.0.2.1]",
		"c_188abc@resource.calendar.example.com",
	} {
		cases = append(cases, ruleCase{name: "accept/" + email, members: attendees(invited(email))})
	}
	for _, email := range []string{
		"", "ada", "@example.com", "ada@", "ada@@example.com", "a@b@example.com", "ada @example.com", " ada@example.com", "ada@example.com ", "Ada <ada@example.com>", "<ada@example.com>",
		"ada.@example.com", ".ada@example.com", "a..da@example.com", "ada@example..com", "ada@.example.com", "ada@example.com.", "mailto:ada@example.com",
		"ada@example.com,bob@example.com", "ada(home)@example.com", "ada@exa\nmple.com", "ada@example.com\x00", "team: ada@example.com;",
	} {
		cases = append(cases, ruleCase{name: "reject/" + quoted(email), members: attendees(invited(email)), want: []string{"/attendees/0/email"}})
	}
	checkRule(t, "attendee.email.address", diag.Reject, append(cases,
		// An empty address is a value, as an empty id is: it is not missing too.
		ruleCase{name: "accept/null", members: attendees(`{"email":null}`), want: []string{"attendee.email.required /attendees/0/email"}},
		ruleCase{name: "reject/third", members: attendees(invited("a@example.com"), invited("b@example.com"), invited("c")), want: []string{"/attendees/2/email"}},
		ruleCase{name: "accept/response", op: operation.Response, members: attendees(invited("ada"))},
	))
}

func TestAttendeeDuplicate(t *testing.T) {
	// many returns a list of n attendees in which the last repeats the first.
	many := func(n int) ruleCase {
		entries := make([]string, n)
		for i := range entries {
			entries[i] = invited(fmt.Sprintf("guest%d@abcxyz.example.com", i))
		}
		entries[n-1] = invited("guest0@ABCXYZ.example.com")
		return ruleCase{
			name: fmt.Sprintf("advise/last-of-%d", n), members: attendees(entries...),
			want: []string{fmt.Sprintf("/attendees/%d/email", n-1)},
		}
	}
	// nameless returns the same list after an attendee without an address.
	nameless := func(n int) ruleCase {
		c := many(n)
		c.name = fmt.Sprintf("advise/last-of-%d-after-one-without", n)
		c.members = strings.Replace(c.members, "[", "[{},", 1)
		c.want = []string{"attendee.email.required /attendees/0/email", fmt.Sprintf("/attendees/%d/email", n)}
		return c
	}
	checkRule(t, "attendee.duplicate", diag.Advise, []ruleCase{
		{name: "accept/one", members: attendees(invited("ada@example.com"))},
		{name: "accept/two", members: attendees(invited("ada@example.com"), invited("bob@example.com"))},
		{name: "accept/other-domain", members: attendees(invited("ada@example.com"), invited("ada@example.org"))},
		{name: "accept/other-case-before-the-at", members: attendees(invited("ada@example.com"), invited("Ada@example.com"))},
		{name: "accept/two-without", members: attendees(`{}`, `{}`), want: []string{"attendee.email.required /attendees/0/email", "attendee.email.required /attendees/1/email"}},
		{name: "advise/same", members: attendees(invited("ada@example.com"), invited("ada@example.com")), want: []string{"/attendees/1/email"}},
		{name: "advise/case-of-domain", members: attendees(invited("ada@Example.COM"), invited("ada@example.com")), want: []string{"/attendees/1/email"}},
		{name: "advise/at-in-quotes", members: attendees(invited(`"a@B"@example.com`), invited(`"a@B"@EXAMPLE.com`)), want: []string{"/attendees/1/email"}},
		{name: "accept/case-in-quotes", members: attendees(invited(`"a@B"@example.com`), invited(`"a@b"@example.com`))},
		{name: "advise/third", members: attendees(invited("ada@example.com"), invited("bob@example.com"), invited("ada@example.com")), want: []string{"/attendees/2/email"}},
		{name: "advise/each-again", members: attendees(invited("ada@example.com"), invited("ada@example.com"), invited("ada@example.com")), want: []string{"/attendees/1/email", "/attendees/2/email"}},
		many(2), many(255), many(256), many(257), many(3000), nameless(2), nameless(300),
		{name: "accept/response", op: operation.Response, members: attendees(invited("ada@example.com"), invited("ada@example.com"))},
	})
}

func TestAttendeeResponseEnum(t *testing.T) {
	const member = `"attendees":[{"email":"ada@example.com","responseStatus":?}]`
	values := []string{"needsAction", "declined", "tentative", "accepted"}
	template := ruleCase{ignored: []string{"attendee.response.new"}}
	cases := withNull(enumCases(template, member, "/attendees/0/responseStatus", values...), template, member)
	checkRule(t, "attendee.response.enum", diag.Reject, append(cases,
		ruleCase{name: "reject/icalendar", members: attendees(invited("a@example.com"), invited("b@example.com", `"responseStatus":"NEEDS-ACTION"`)), want: []string{"/attendees/1/responseStatus"}}))
	t.Run("response", func(t *testing.T) {
		checkRule(t, "attendee.response.enum", diag.Reject, enumCases(response, member, "/attendees/0/responseStatus", values...))
	})
}

func TestAttendeeResponseNew(t *testing.T) {
	answered := func(status string) string {
		return attendees(invited("ada@example.com", `"responseStatus":`+quoted(status)))
	}
	checkRule(t, "attendee.response.new", diag.Advise, []ruleCase{
		{name: "accept/needs-action", members: answered("needsAction")},
		{name: "accept/absent", members: attendees(invited("ada@example.com"))},
		{name: "advise/accepted", members: answered("accepted"), want: []string{"/attendees/0/responseStatus"}},
		{name: "advise/declined", members: answered("declined"), want: []string{"/attendees/0/responseStatus"}},
		{name: "advise/tentative", members: answered("tentative"), want: []string{"/attendees/0/responseStatus"}},
		{name: "accept/no-value-at-all", members: answered("maybe"), want: []string{"attendee.response.enum /attendees/0/responseStatus"}},
		{name: "accept/response", op: operation.Response, members: answered("accepted")},
	})
}

func TestAttendeeGuests(t *testing.T) {
	guests := func(n string) string { return attendees(invited("ada@example.com", `"additionalGuests":`+n)) }
	checkRule(t, "attendee.guests", diag.Reject, []ruleCase{
		{name: "accept/0", members: guests("0")},
		{name: "accept/2.0", members: guests("2.0")},
		{name: "accept/null", members: guests("null")},
		{name: "reject/minus-1", members: guests("-1"), want: []string{"/attendees/0/additionalGuests"}},
		{name: "reject/minus-1e3", members: guests("-1e3"), want: []string{"/attendees/0/additionalGuests"}},
		{name: "reject/second", members: attendees(invited("a@example.com"), invited("b@example.com", `"additionalGuests":-1`)), want: []string{"/attendees/1/additionalGuests"}},
		{name: "accept/response", op: operation.Response, members: guests("-1")},
	})
}

func TestAttendeeAsyncOperation(t *testing.T) {
	const member = `"attendees":[{"email":"all@example.com","asyncOperation":?}]`
	cases := enumCases(response, member, "/attendees/0/asyncOperation", "inProgress")
	checkRule(t, "attendee.async-operation", diag.Reject, append(cases,
		ruleCase{name: "accept/absent", op: operation.Response, members: attendees(invited("all@example.com"))},
		ruleCase{name: "reject/second", op: operation.Response, members: attendees(invited("a@example.com"), invited("b@example.com", `"asyncOperation":"done"`)),
			want: []string{"/attendees/1/asyncOperation"}},
		// What a client sends has no effect, valid or not.
		ruleCase{name: "accept/insert", members: strings.ReplaceAll(member, "?", `"done"`), want: []string{"event.read-only /attendees/0/asyncOperation"}},
	))
}

func TestAttendeeServiceAccount(t *testing.T) {
	robot := &operation.Caller{ServiceAccount: yes()}
	checkRule(t, "attendee.service-account", diag.Reject, []ruleCase{
		{name: "accept/caller-unknown", members: attendees(invited("ada@example.com"))},
		{name: "accept/kind-of-caller-unknown", members: attendees(invited("ada@example.com")), caller: &operation.Caller{Email: "bob@example.com"}},
		{name: "accept/person", members: attendees(invited("ada@example.com")), caller: &operation.Caller{ServiceAccount: new(bool)}},
		{name: "accept/delegation", members: attendees(invited("ada@example.com")), caller: &operation.Caller{ServiceAccount: yes(), DomainWideDelegation: true}},
		{name: "accept/no-attendees", caller: robot},
		{name: "accept/empty-list", members: attendees(), caller: robot},
		{name: "accept/null", members: `"attendees":null`, caller: robot},
		{name: "reject/one", members: attendees(invited("ada@example.com")), caller: robot, want: []string{"/attendees"}},
		{name: "reject/two", members: attendees(invited("ada@example.com"), invited("bob@example.com")), caller: robot, want: []string{"/attendees"}},
		{name: "accept/response", op: operation.Response, members: attendees(invited("ada@example.com")), caller: robot},
	})
}
