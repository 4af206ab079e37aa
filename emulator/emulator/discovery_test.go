package emulator_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// discovery is what matters of a discovery document.
type discovery struct {
	ServicePath, BatchPath string
	Parameters             map[string]discoveryParameter
	Resources              map[string]struct {
		Methods map[string]discoveryMethod
	}
	Schemas map[string]discoverySchema
}

type discoveryMethod struct {
	ID, Path, HTTPMethod string
	ParameterOrder       []string
	Parameters           map[string]discoveryParameter
	Request, Response    discoverySchema
}

type discoveryParameter struct {
	Type, Location     string
	Required, Repeated bool
}

type discoverySchema struct {
	Type       string
	Ref        string `json:"$ref"`
	Properties map[string]discoverySchema
	Items      *discoverySchema
	Additional *discoverySchema `json:"additionalProperties"`
}

// The discovery document describes the operations as that of the public service does, which is part of the official Go client.
func TestDiscovery(t *testing.T) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "google.golang.org/api/calendar/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "calendar-api.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got discovery
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	if err := json.Unmarshal([]byte(c.send("GET", "/discovery/v1/apis/calendar/v3/rest", "").Text), &got); err != nil {
		t.Fatal(err)
	}
	delete(got.Resources["events"].Methods["import"].Parameters, "maxAttendees") // the library cuts that answer like others
	if diff := cmp.Diff(want.Resources, got.Resources, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{want.ServicePath, want.BatchPath}, []string{got.ServicePath, got.BatchPath}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, p := range want.Parameters {
		if diff := cmp.Diff(p, got.Parameters[name]); diff != "" {
			t.Errorf("the parameter %s (-want +got):\n%s", name, diff)
		}
	}
	for name, schema := range got.Schemas {
		hasMembers(t, want, name, want.Schemas[name], schema)
	}
	c.do(405, "POST", "/discovery/v1/apis/calendar/v3/rest", "{}")
}

// hasMembers checks that a schema has the members of the official one, of the same types.
func hasMembers(t *testing.T, in discovery, at string, want, got discoverySchema) {
	t.Helper()
	if want.Ref != "" {
		want = in.Schemas[want.Ref]
	}
	if got.Type != want.Type {
		t.Errorf("%s is %q, want %q", at, got.Type, want.Type)
	}
	for name, member := range want.Properties {
		if _, ok := got.Properties[name]; !ok {
			t.Errorf("%s/%s is missing", at, name)
		} else {
			hasMembers(t, in, at+"/"+name, member, got.Properties[name])
		}
	}
	if want.Items != nil && got.Items != nil {
		hasMembers(t, in, at+"/*", *want.Items, *got.Items)
	}
	if want.Additional != nil && got.Additional != nil {
		hasMembers(t, in, at+"/*", *want.Additional, *got.Additional)
	}
}
