package operation_test

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestList tests the rules about the queries of lists. The findings of operation.unspecified, which
// accompany most of these parameters, are left out.
func TestList(t *testing.T) {
	const list, instances = "events.list", "events.instances"
	tests := []struct {
		name, line string
		want       []string
	}{
		{"none", `{"op":"events.list"}`, nil},
		{"order/updated", one(list, "orderBy", "updated"), nil},
		{"order/start of instances", with(list, `{"orderBy":"startTime","singleEvents":"true"}`), nil},
		{"order/start of series", with(list, `{"orderBy":"startTime","singleEvents":"false"}`), []string{"list.order-by ?orderBy"}},
		{"order/start", one(list, "orderBy", "startTime"), []string{"list.order-by ?orderBy"}},
		{"order/case", one(list, "orderBy", "starttime"), []string{"list.order-by ?orderBy"}},
		{"order/empty", one(list, "orderBy", ""), []string{"list.order-by ?orderBy"}},
		{"order/other", with(list, `{"orderBy":"endTime","singleEvents":"true"}`), []string{"list.order-by ?orderBy"}},
		{"order/twice", with(list, `{"orderBy":["startTime","updated"]}`), []string{"param.repeated ?orderBy"}},
		{"order/single events twice", with(list, `{"orderBy":"startTime","singleEvents":["true","false"]}`), []string{"param.repeated ?singleEvents"}},
		{"order/of instances", one(instances, "orderBy", "x"), []string{"param.unknown ?orderBy"}},
		{"order/of another list", one("acl.list", "orderBy", "x"), []string{"param.unknown ?orderBy"}},

		{"time/UTC", with(list, `{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T10:00:00.5z","updatedMin":"2026-03-10T09:00:00+00:00"}`), nil},
		{"time/offset", one(instances, "timeMin", "2026-03-10T09:00:00-04:00"), nil},
		{"time/no offset", one(list, "timeMax", "2026-03-10T09:00:00"), []string{"list.time-param ?timeMax"}},
		{"time/date", one(instances, "timeMin", "2026-03-10"), []string{"list.time-param ?timeMin"}},
		{"time/no such date", one(list, "updatedMin", "2026-02-30T09:00:00Z"), []string{"list.time-param ?updatedMin"}},
		{"time/empty", one(list, "timeMin", ""), []string{"list.time-param ?timeMin"}},
		{"time/plus decoded", one(list, "timeMin", "2026-03-10T09:00:00 01:00"), []string{"list.time-param ?timeMin"}},
		{"time/all", with(list, `{"timeMin":"1","timeMax":"2","updatedMin":"3"}`),
			[]string{"list.time-param ?timeMin", "list.time-param ?timeMax", "list.time-param ?updatedMin"}},
		{"time/twice", with(list, `{"timeMin":["1","2"]}`), []string{"param.repeated ?timeMin"}},
		{"time/not of instances", one(instances, "updatedMin", "x"), []string{"param.unknown ?updatedMin"}},
		{"time/not of get", one("events.get", "timeMin", "x"), []string{"param.unknown ?timeMin"}},

		{"range/just not empty", with(list, `{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T09:00:01Z"}`), nil},
		{"range/empty", with(list, `{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T09:00:00Z"}`), []string{"list.time-range ?timeMax"}},
		{"range/empty by offset", with(instances, `{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T10:00:00+01:00"}`), []string{"list.time-range ?timeMax"}},
		{"range/backwards", with(instances, `{"timeMin":"2026-03-11T00:00:00Z","timeMax":"2026-03-10T00:00:00Z"}`), []string{"list.time-range ?timeMax"}},
		{"range/later by offset", with(list, `{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T08:00:00-02:00"}`), nil},
		{"range/half open", one(list, "timeMax", "2026-03-10T09:00:00Z"), nil},
		{"range/one malformed", with(list, `{"timeMin":"2026-03-11","timeMax":"2026-03-10T00:00:00Z"}`), []string{"list.time-param ?timeMin"}},

		{"range/one without offset", with(list, `{"timeMin":"2026-03-11T00:00:00","timeMax":"2026-03-10T00:00:00Z"}`), []string{"list.time-param ?timeMin"}},

		{"token/alone", one(list, "syncToken", "t"), nil},
		{"token/others", with(list, `{"syncToken":"t","singleEvents":"true","showDeleted":"true","maxResults":"10","pageToken":"p","timeZone":"UTC","eventTypes":"default"}`), nil},
		{"token/empty q", with(list, `{"syncToken":"t","q":""}`), nil},
		{"token/empty", with(list, `{"syncToken":"","q":"x"}`), nil},
		{"token/q", with(list, `{"syncToken":"t","q":"x"}`), []string{"list.sync-token.alone ?syncToken"}},
		{"token/iCalUID", with(list, `{"syncToken":"t","iCalUID":"x"}`), []string{"list.sync-token.alone ?syncToken"}},
		{"token/orderBy", with(list, `{"syncToken":"t","orderBy":"updated"}`), []string{"list.sync-token.alone ?syncToken"}},
		{"token/properties", with(list, `{"syncToken":"t","privateExtendedProperty":"a=b","sharedExtendedProperty":["a=b","c=d"]}`), []string{"list.sync-token.alone ?syncToken"}},
		{"token/times", with(list, `{"syncToken":"t","timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-11T09:00:00Z","updatedMin":"2026-03-10T09:00:00Z"}`),
			[]string{"list.sync-token.alone ?syncToken"}},

		{"age/recent", one(list, "updatedMin", "2026-01-01T00:00:00Z"), nil},
		{"age/old", one(list, "updatedMin", "2025-12-31T23:59:59Z"), []string{"list.updated-min.age ?updatedMin"}},
		{"age/recent by offset", one(list, "updatedMin", "2025-12-31T23:59:59-01:00"), nil},
		{"age/malformed", one(list, "updatedMin", "1999"), []string{"list.time-param ?updatedMin"}},

		{"results/least", one(list, "maxResults", "1"), nil},
		{"results/most", one(instances, "maxResults", "2500"), nil},
		{"results/none", one(list, "maxResults", "0"), []string{"list.max-results ?maxResults"}},
		{"results/negative", one(instances, "maxResults", "-1"), []string{"list.max-results ?maxResults"}},
		{"results/too many", one(list, "maxResults", "2501"), []string{"list.max-results ?maxResults"}},
		{"results/far too many", one(list, "maxResults", strings.Repeat("9", 30)), []string{"list.max-results ?maxResults"}},
		{"results/far too few", one(list, "maxResults", "-"+strings.Repeat("9", 30)), []string{"list.max-results ?maxResults"}},
		{"results/no number", one(list, "maxResults", "many"), []string{"list.max-results ?maxResults"}},
		{"results/empty", one(list, "maxResults", ""), []string{"list.max-results ?maxResults"}},
		{"results/of calendars", one("calendarList.list", "maxResults", "5000"), nil},

		{"property/one", one(list, "privateExtendedProperty", "a=b"), nil},
		{"property/empty value", one(list, "sharedExtendedProperty", "a="), nil},
		{"property/value with sign", one(list, "sharedExtendedProperty", "a=b=c"), nil},
		{"property/no sign", one(list, "sharedExtendedProperty", "a"), []string{"list.extended-property-param ?sharedExtendedProperty"}},
		{"property/no name", one(list, "privateExtendedProperty", "=b"), []string{"list.extended-property-param ?privateExtendedProperty"}},
		{"property/empty", one(list, "privateExtendedProperty", ""), []string{"list.extended-property-param ?privateExtendedProperty"}},
		{"property/second", with(list, `{"privateExtendedProperty":["a=b","c","d"]}`), []string{"list.extended-property-param ?privateExtendedProperty"}},
		{"property/both", with(list, `{"privateExtendedProperty":"a","sharedExtendedProperty":"b"}`),
			[]string{"list.extended-property-param ?privateExtendedProperty", "list.extended-property-param ?sharedExtendedProperty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range found(parse(t, tt.line).check(t)) {
				if !strings.HasPrefix(f, "operation.unspecified") {
					got = append(got, f)
				}
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.line, diff)
			}
		})
	}
}
