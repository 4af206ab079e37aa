package conference_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

// anything draws a value of any type, valid or not.
func anything(t *rapid.T, label string, of ...any) any {
	of = append(of, "", nil, 7.0, []any{}, map[string]any{}, map[string]any{"unlisted": "x"})
	return rapid.SampledFrom(of).Draw(t, label)
}

// object draws some of the members, each with its function, and sometimes an unknown one.
func object(t *rapid.T, members map[string]func(*rapid.T) any) map[string]any {
	object := map[string]any{}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(keys(members)), rapid.ID[string]).Draw(t, "members") {
		object[name] = members[name](t)
	}
	if rapid.IntRange(0, 4).Draw(t, "unlisted") == 0 {
		object["unlisted"] = anything(t, "unlisted value", "x", true)
	}
	return object
}

func keys(members map[string]func(*rapid.T) any) []string {
	var names []string
	for _, name := range allNames {
		if members[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

// allNames fixes the order in which members are drawn, so that failures can be replayed.
var allNames = []string{
	"createRequest", "requestId", "conferenceSolutionKey", "status", "statusCode",
	"conferenceSolution", "key", "type", "name", "iconUri",
	"entryPoints", "entryPointType", "uri", "label", "pin", "accessCode", "meetingCode", "passcode", "password",
	"conferenceId", "signature", "notes",
}

func textOf(values ...any) func(*rapid.T) any {
	return func(t *rapid.T) any { return anything(t, "value", append(values, values...)...) }
}

func drawKey(t *rapid.T) any {
	return object(t, map[string]func(*rapid.T) any{
		"type": textOf("eventVideo", "eventNamedVideo", "videoMeet", "addOn", "holoDeck"),
	})
}

func drawRequest(t *rapid.T) any {
	return object(t, map[string]func(*rapid.T) any{
		"requestId":             textOf("r-1", "r-2"),
		"conferenceSolutionKey": drawKey,
		"status": func(t *rapid.T) any {
			return object(t, map[string]func(*rapid.T) any{"statusCode": textOf("pending", "success", "failure", "done")})
		},
	})
}

func drawEntries(t *rapid.T) any {
	list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any {
		if rapid.IntRange(0, 9).Draw(t, "no object") == 0 {
			return "x"
		}
		return object(t, map[string]func(*rapid.T) any{
			"entryPointType": textOf("video", "phone", "sip", "more", "fax"),
			"uri":            textOf("https://meet.example.com/abc", "tel:+15550100", "sip:a@example.com"),
			"label":          textOf("A label"),
			"pin":            textOf("1"), "accessCode": textOf("2"), "meetingCode": textOf("3"),
			"passcode": textOf("4"), "password": textOf("5"),
		})
	}), 0, 4).Draw(t, "entries")
	return list
}

// drawText draws conference data as JSON text.
func drawText(t *rapid.T) string {
	members := object(t, map[string]func(*rapid.T) any{
		"createRequest": drawRequest,
		"entryPoints":   drawEntries,
		"conferenceSolution": func(t *rapid.T) any {
			return object(t, map[string]func(*rapid.T) any{
				"key": drawKey, "name": textOf("Example Meet"), "iconUri": textOf("https://example.com/i.png"),
			})
		},
		"conferenceId": textOf("abc-defg-hij", "acme-1"),
		"signature":    textOf("s"),
		"notes":        textOf("n", "m"),
	})
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// drawData draws conference data or nil.
func drawData(t *rapid.T, label string) *conference.Data {
	if rapid.IntRange(0, 7).Draw(t, label+" absent") == 0 {
		return nil
	}
	d := new(conference.Data)
	_ = d.UnmarshalJSON([]byte(rapid.Custom(drawText).Draw(t, label))) // wrong types are wanted
	return d
}

func drawChange(t *rapid.T, version int) conference.Change {
	return conference.Change{
		Stored: drawData(t, "stored"), Next: drawData(t, "next"), Sent: drawData(t, "sent"),
		Present: rapid.Bool().Draw(t, "present"), Version: version,
	}
}

func jsonOf(d *conference.Data) string {
	if d == nil {
		return ""
	}
	text, _ := d.MarshalJSON() // it has no error
	return string(text)
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		d := new(conference.Data)
		_ = d.UnmarshalJSON([]byte(text)) // what is of a wrong type is kept all the same
		var want, got any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(jsonOf(d)), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-read +written):\n%s", diff)
		}
		if again := d.Clone(); !again.Equal(*d) || jsonOf(again) != jsonOf(d) {
			t.Fatalf("Clone of %s returns %s", jsonOf(d), jsonOf(again))
		}
	})
}

// TestApplyDoesNotWrite checks that Apply does not change what it is given.
func TestApplyDoesNotWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChange(t, rapid.IntRange(0, 1).Draw(t, "version"))
		stored, next := jsonOf(c.Stored), jsonOf(c.Next)
		c.Apply()
		if jsonOf(c.Stored) != stored || jsonOf(c.Next) != next {
			t.Fatal("Apply wrote to what it was given")
		}
	})
}

// TestCloneDoesNotAlias writes to everything in a clone and checks that the original is unchanged.
func TestCloneDoesNotAlias(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawChange(t, 1).Next
		before := jsonOf(d)
		if clone := d.Clone(); clone != nil {
			overwrite(reflect.ValueOf(clone).Elem())
			if err := clone.UnmarshalJSON([]byte(`{"createRequest":{"unlisted":1},"unlisted":2}`)); err != nil {
				t.Fatal(err)
			}
		}
		if jsonOf(d) != before {
			t.Fatal("writing to the clone changed the original")
		}
	})
}

// overwrite changes every string in v.
func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("overwritten")
	case reflect.Pointer:
		if !v.IsNil() {
			overwrite(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				overwrite(v.Field(i))
			}
		}
	}
}

func TestApplyAtVersionZeroKeepsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChange(t, 0)
		if got := c.Apply(); jsonOf(got) != jsonOf(c.Stored) {
			t.Fatalf("stored is %s, want %s", jsonOf(got), jsonOf(c.Stored))
		}
	})
}

// TestApplyIsStable checks that storing the stored data again does not change it.
func TestApplyIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := drawChange(t, 1).Apply()
		again := conference.Change{Stored: stored, Next: stored.Clone(), Present: true, Version: 1}.Apply()
		if jsonOf(again) != jsonOf(stored) {
			t.Fatalf("stored is %s, and then %s", jsonOf(stored), jsonOf(again))
		}
	})
}

func TestCheckOfUnchangedDataFindsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := drawData(t, "stored")
		on := rapid.SampledFrom([]diag.When{diag.Insert, diag.Import, diag.Update, diag.Patch}).Draw(t, "on")
		version := rapid.IntRange(0, 1).Draw(t, "version")
		for _, f := range (conference.Change{On: on, Stored: stored, Next: stored.Clone(), Present: true, Version: version}).Check() {
			t.Error(f)
		}
	})
}

// TestIgnoredDataIsOneFinding checks that at version 0 the only finding says that the data sent is
// ignored, and only if it differs from the stored data.
func TestIgnoredDataIsOneFinding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChange(t, 0)
		c.On = diag.Update
		found := c.Check()
		for _, f := range found {
			if f.Rule.ID != "conference.version" || f.Path != "" {
				t.Error(f)
			}
		}
		if found.Rejected() || len(found) > 1 || !c.Present && len(found) > 0 {
			t.Errorf("findings: %v", found)
		}
	})
}
