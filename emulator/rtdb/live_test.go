package rtdb_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
)

const told = `{"t":"c","d":{"t":"s","d":"This emulator has the REST interface of the realtime database, and not the protocol of this client. ` +
	`Send HTTP requests to addresses that end in .json, or use an Admin client that speaks REST, such as the ones for Go and Python."}}`

// A client that speaks WebSocket is told to shut down, whatever its origin and its database, before it says anything.
func TestSocket(t *testing.T) {
	server := httptest.NewServer(newDatabase(t))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, strings.Replace(server.URL, "http", "ws", 1)+"/.ws?v=5&ns=test", &websocket.DialOptions{
		HTTPHeader: map[string][]string{"Origin": {"https://page.example"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	kind, text, err := conn.Read(ctx)
	if err != nil || kind != websocket.MessageText {
		t.Fatalf("the message is of type %v: %v", kind, err)
	}
	if diff := cmp.Diff(told, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := conn.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}
}

// What is no WebSocket is refused.
func TestNoSocket(t *testing.T) {
	if status, _ := send(newDatabase(t), "GET", "/.ws?v=5&ns=test", ""); status != 426 {
		t.Errorf("the status is %d", status)
	}
}

// A client that polls is told the same.
func TestPoll(t *testing.T) {
	d := newDatabase(t)
	for target, want := range map[string]string{
		"/.lp?start=t&ser=1&cb=7&v=5&ns=test": `parent.window["pLPCommand7"]("start","1","1");` + "\n" + `parent.window["pRTLPCB7"](0,[` + told + "]);\n",
		"/.lp?id=1&pw=1&ser=2&ns=test":        "",
		"/.lp?start=t&ser=1&cb=alert(1)":      "",
	} {
		status, got := send(d, "GET", target, "")
		if diff := cmp.Diff(want, got); status != 200 || diff != "" {
			t.Errorf("%s: %d (-want +got):\n%s", target, status, diff)
		}
	}
}

// Rules are kept and given back as they were sent, by database, to service accounts.
func TestRuleTexts(t *testing.T) {
	d := newDatabase(t)
	const text = `{ "rules": {".read": "auth != null"} }`
	for _, step := range []struct {
		method, target, body string
		status               int
		want                 string
	}{
		{"GET", "/.settings/rules.json?access_token=robot", "", 200, `{"rules":{".read":false,".write":false}}`},
		{"PUT", "/.settings/rules.json?access_token=robot", text, 200, `{"status":"ok"}`},
		{"GET", "/.settings/rules.json?access_token=robot", "", 200, text},
		{"GET", "/.settings/rules.json?access_token=robot&ns=other", "", 200, `{"rules":{".read":false,".write":false}}`},
		{"PUT", "/.settings/rules.json?access_token=robot", `{"rule":{}}`, 400, ""},
		{"PUT", "/.settings/rules.json?access_token=robot", `{"rules":`, 400, ""},
		{"PUT", "/.settings/rules.json?access_token=robot", `{"rules":{"a":"` + strings.Repeat("x", 1<<10) + `"}}`, 413, ""},
		{"PATCH", "/.settings/rules.json?access_token=robot", text, 405, ""},
		{"GET", "/.settings/rules.json?auth=ada", "", 401, ""},
		{"PUT", "/.settings/rules.json", text, 401, ""},
		{"GET", "/.settings/rules.json?access_token=robot&auth_variable_override=null", "", 401, ""},
		{"GET", "/.settings/rules.json?access_token=robot", "", 200, text},
		{"GET", "/a.json?auth=ada", "", 401, ""}, // they are not carried out
	} {
		status, got := send(d, step.method, step.target, step.body)
		if status != step.status || status == 200 && got != step.want {
			t.Errorf("%s %s: %d %s, want %d %s", step.method, step.target, status, got, step.status, step.want)
		}
	}
}
