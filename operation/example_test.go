package operation_test

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/calrules/calrules/operation"
)

// A server finds the operation of a request and checks its query parameters.
func Example() {
	const target = "/calendars/primary/events?sendUpdates=everyone&maxAttendees=10"
	u, _ := url.Parse(target)
	m, ok := operation.Resolve(http.MethodPost, u.EscapedPath())
	if !ok {
		fmt.Println("no such operation")
		return
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, found := operation.Request{Operation: m.Operation, Params: operation.Params(query)}.Check()
	fmt.Println(m.Operation.ID)
	fmt.Println(found.Err())
	// Output:
	// events.insert
	// ?sendUpdates: The parameter sendUpdates is "everyone"; it must be all, externalOnly or none. [insert.param.send-updates]
}

func ExampleResolve() {
	m, ok := operation.Resolve("GET", "/calendars/team%40example.org/events/weekly1/instances")
	fmt.Println(m.Operation.ID, ok)
	fmt.Println("calendarId is", m.Params["calendarId"])
	fmt.Println("eventId is", m.Params["eventId"])
	// Output:
	// events.instances true
	// calendarId is team@example.org
	// eventId is weekly1
}

func ExampleRequest_Check() {
	op, _ := operation.Lookup(operation.EventsInsert)
	params := operation.Params{"sendupdates": {"all"}, "conferenceDataVersion": {"2"}}
	caller := &operation.Caller{Scopes: []string{"https://scope.example/auth/calendar.readonly"}}

	_, found := operation.Request{Operation: op, Params: params, Caller: caller}.Check()
	for _, f := range found {
		fmt.Println(f.Kind, f.Rule.ID, f.Path)
	}
	// Output:
	// reject insert.param.range ?conferenceDataVersion
	// advise param.unknown ?sendupdates
	// reject scope.insert
}

func ExampleOperation_Expand() {
	op, _ := operation.Lookup(operation.EventsGet)
	path, err := op.Expand(map[string]string{"calendarId": "a/b@example.org", "eventId": "weekly1"})
	fmt.Println(path, err)
	// Output: /calendars/a%2Fb@example.org/events/weekly1 <nil>
}

func ExampleParams_Options() {
	params := operation.Params{"conferenceDataVersion": {"1"}, "maxAttendees": {"10"}, "supportsAttachments": {"yes"}}
	options := params.Options()
	fmt.Println(options.ConferenceDataVersion, options.MaxAttendees, options.SupportsAttachments)
	// Output: 1 10 false
}
