package rtdb

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"
)

// The paths of the live protocol, which is used by the clients for browsers and phones and the Admin clients for Node and Java.
const (
	socketPath = "/.ws" // over a WebSocket
	pollPath   = "/.lp" // with long polling
)

// noLiveProtocol is the message to programs that use the live protocol.
const noLiveProtocol = "This emulator has the REST interface of the realtime database, and not the protocol of this client. " +
	"Send HTTP requests to addresses that end in .json, or use an Admin client that speaks REST, such as the ones for Go and Python."

// shutdown is the protocol message that ends a connection. The message makes the client log noLiveProtocol and stop
// reconnecting, which no HTTP status does.
var shutdown = func() []byte {
	type message struct {
		Type string `json:"t"`
		Data any    `json:"d"`
	}
	text, err := json.Marshal(message{"c", message{"s", noLiveProtocol}}) // the control message to shut down
	if err != nil {
		panic(err)
	}
	return text
}()

// serveLive refuses clients that use the live protocol, and reports whether the request is from such a client.
func (d *Database) serveLive(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case socketPath:
		refuseSocket(w, r)
	case pollPath:
		refusePoll(w, r)
	default:
		return false
	}
	return true
}

// closing is the maximum time that a client may take to close its connection.
const closing = 5 * time.Second

// refuseSocket accepts a WebSocket connection and sends the shutdown message.
func refuseSocket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // allow any origin, as for other requests
	if err != nil {
		return // Accept already answered
	}
	defer conn.CloseNow() // a client that gets the message closes first
	ctx := conn.CloseRead(r.Context())
	if conn.Write(ctx, websocket.MessageText, shutdown) != nil {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(closing):
	}
}

// refusePoll responds with the script that starts long polling. The script runs in a frame and calls two functions in the page,
// whose names contain the number cb: the first with the session, the second with the shutdown message.
func refusePoll(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	n, err := strconv.ParseUint(r.URL.Query().Get("cb"), 10, 32)
	if err != nil || r.URL.Query().Get("start") == "" {
		return // a client that got the message stops polling
	}
	fmt.Fprintf(w, "parent.window[\"pLPCommand%d\"](\"start\",\"1\",\"1\");\nparent.window[\"pRTLPCB%[1]d\"](0,[%s]);\n", n, shutdown)
}
