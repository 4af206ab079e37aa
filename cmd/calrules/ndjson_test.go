package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// TestBodyIsKept shows that a body reaches the rules byte for byte.
func TestBodyIsKept(t *testing.T) {
	for _, body := range []string{
		`{}`, `null`, `[ 1 , 2 ]`, `"text"`, `-0.10e+5`, `true`,
		`{"a":1,"a":2}`, `{ "a" : "\u0041\/" }`, "{\"a\":\"\xff\"}", `{"a":"}","b":"\\"}`, `{"n":12345678901234567890.0}`,
	} {
		for _, line := range []string{
			`{"body":` + body + `}`,
			` { "op" : "response" , "body" : ` + body + ` , "id" : 1 } `,
		} {
			var req event.Request
			if err := readRequest([]byte(line), &req); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if string(req.Body) != body {
				t.Errorf("%s: body is %s", line, req.Body)
			}
		}
	}
}

// TestReadRequest shows that every member arrives, as encoding/json would bring it.
func TestReadRequest(t *testing.T) {
	line := []byte(`{"id":{"a":[1]},"op":"events.update","params":{"a":"1","b":["2","3"]},"existing":{"summary":"old"},
		"body":{"summary":"new"},"bodyText":"{\"\\ud83d\\ude00\":\"\ud83d\ude00\"}","ifMatch":"\"1\"","caller":{"email":"a@example.com","scopes":[]},
		"calendar":{"primary":false,"ids":["a"]},"series":{"id":"s"},"grade":{"json.null":"off"},"later":{}}`)
	var got, want event.Request
	if err := readRequest(line, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, &want); err != nil {
		t.Fatal(err)
	}
	gotText, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	wantText, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(gotText, wantText) {
		t.Errorf("request is\n%s, want\n%s", gotText, wantText)
	}
}

func TestLoneSurrogates(t *testing.T) {
	for text, lone := range map[string]bool{
		`"plain"`: false, `"\ud83d\ude00"`: false, `"\\ud83d"`: false, `"\u00e9"`: false, `"\uFFFD"`: false,
		`"\ud83d"`: true, `"\ude00"`: true, `"\uD83Dx"`: true, `"\ud83d\n"`: true, `"\ud83d\ud83d\ude00"`: true, `"\ude00\ud83d"`: true,
	} {
		if got := hasLoneSurrogate([]byte(text)); got != lone {
			t.Errorf("hasLoneSurrogate(%s) is %t", text, got)
		}
	}
}

// FuzzAnswerLine holds that every line, whatever its bytes, is answered by one JSON object on
// one line, which says whether the request is accepted and echoes its id.
func FuzzAnswerLine(f *testing.F) {
	f.Add([]byte(`{"id":1,"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}`))
	f.Add([]byte(`{"id":[1,{}],"op":"response","bodyText":"{\"a\":[1,\n2]}"}`))
	f.Add([]byte(`{"op":"events.insert","params":{"a":["b"]},"grade":{"basis:rfc":"off"},"existing":{},"id":"x"`))
	f.Add([]byte(`{"i\u0064":1e5,"id":2,"parms":{}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		answer := answerLine(line, nil, diag.Grading{})
		var got struct {
			ID       json.RawMessage
			Accepted *bool
		}
		if err := json.Unmarshal(answer, &got); err != nil || bytes.IndexByte(answer, '\n') >= 0 {
			t.Fatalf("the answer to %q is %q: %v", line, answer, err)
		}
		if got.Accepted == nil {
			t.Errorf("the answer to %q does not say whether it is accepted: %q", line, answer)
		}
		var sent struct{ ID json.RawMessage }
		if json.Unmarshal(line, &sent) == nil && *got.Accepted && !bytes.Equal(orNull(sent.ID), got.ID) {
			t.Errorf("the id of %q is answered as %q", line, got.ID)
		}
	})
}

func orNull(id json.RawMessage) json.RawMessage {
	if id == nil {
		return json.RawMessage("null")
	}
	return id
}
