package public_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/calrules/calrules/operation/internal/public"
)

// resources are the resources of a discovery document, by name.
type resources map[string]struct {
	Methods map[string]struct {
		ID         string
		Parameters map[string]parameter
		Scopes     []string
	}
	Resources resources
}

type parameter struct {
	Type, Format, Location, Minimum, Maximum, Description string
	Enum                                                  []string
	Repeated                                              bool
}

// TestDiscovery compares the tables with the discovery document in the file that CALRULES_DISCOVERY names. The script
// .ci/discovery names the one in the newest release of the official Go client.
func TestDiscovery(t *testing.T) {
	name := os.Getenv("CALRULES_DISCOVERY")
	if name == "" {
		t.Skip("CALRULES_DISCOVERY names no discovery document")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	byName := cmpopts.SortSlices(func(a, b public.Param) bool { return a.Name < b.Name })
	if diff := cmp.Diff(published(t, text), slices.Collect(public.All()), byName, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(public.Param{}, "Default")); diff != "" {
		t.Errorf("the tables differ from the discovery document (-document +tables):\n%s", diff)
	}
}

// The comparison of two documents must be able to fail.
func TestPublished(t *testing.T) {
	const text = `{"resources": {"events": {"methods": {"list": {
		"id": "calendar.events.list",
		"scopes": ["https://www.googleapis.com/auth/calendar.readonly", "https://www.googleapis.com/auth/calendar"],
		"parameters": {
			"calendarId": {"type": "string", "location": "path", "required": true},
			"maxResults": {"type": "integer", "format": "int32", "minimum": "1", "location": "query"},
			"orderBy": {"type": "string", "enum": ["startTime", "updated"], "location": "query"},
			"timeMin": {"type": "string", "format": "date-time", "location": "query"},
			"iCalUIDs": {"type": "string", "repeated": true, "description": "Deprecated and ignored.", "location": "query"}
		}}}}}}`
	want := []*public.Method{{
		ID: "events.list",
		Params: []public.Param{
			{Name: "iCalUIDs", Type: public.String, Repeated: true, Deprecated: true},
			{Name: "maxResults", Type: public.Integer, Min: new(int64(1))},
			{Name: "orderBy", Type: public.String, Values: []string{"startTime", "updated"}},
			{Name: "timeMin", Type: public.Time},
		},
		Scopes: []string{"auth/calendar", "auth/calendar.readonly"},
	}}
	byName := cmpopts.SortSlices(func(a, b public.Param) bool { return a.Name < b.Name })
	if diff := cmp.Diff(want, published(t, []byte(text)), byName, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// published returns the methods of a discovery document, without the defaults of parameters, which some descriptions
// give in words.
func published(t *testing.T, text []byte) []*public.Method {
	t.Helper()
	var document struct{ Resources resources }
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	all := methods(t, document.Resources)
	slices.SortFunc(all, func(a, b *public.Method) int { return strings.Compare(a.ID, b.ID) })
	return all
}

func methods(t *testing.T, in resources) (all []*public.Method) {
	for _, resource := range in {
		for _, m := range resource.Methods {
			made := &public.Method{ID: strings.TrimPrefix(m.ID, "calendar.")}
			for name, p := range m.Parameters {
				if p.Location == "query" {
					made.Params = append(made.Params, p.param(t, name))
				}
			}
			for _, scope := range m.Scopes {
				made.Scopes = append(made.Scopes, strings.TrimPrefix(scope, "https://www.googleapis.com/"))
			}
			slices.Sort(made.Scopes)
			all = append(all, made)
		}
		all = append(all, methods(t, resource.Resources)...)
	}
	return all
}

func (p parameter) param(t *testing.T, name string) public.Param {
	made := public.Param{Name: name, Type: public.Type(p.Type), Values: p.Enum, Repeated: p.Repeated, Deprecated: strings.HasPrefix(p.Description, "Deprecated")}
	if p.Format == "date-time" {
		made.Type = public.Time
	}
	made.Min, made.Max = limit(t, p.Minimum), limit(t, p.Maximum)
	return made
}

func limit(t *testing.T, text string) *int64 {
	if text == "" {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return &n
}
