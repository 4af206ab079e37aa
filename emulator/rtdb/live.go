package rtdb

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"
)

// The addresses of the protocol of the clients for browsers and phones, and of the Admin clients for Node and Java.
const (
	socketPath = "/.ws" // over a WebSocket
	pollPath   = "/.lp" // with scripts that the server answers late
)

// noLiveProtocol is the message to programs that use such a client.
const noLiveProtocol = "This emulator has the REST interface of the realtime database, and not the protocol of this client. " +
	"Send HTTP requests to addresses that end in .json, or use an Admin client that speaks REST, such as the ones for Go and Python."

// shutdown is the message that ends a connection of the protocol. The client logs the text and does not reconnect, which no
// HTTP status achieves.
var shutdown = func() []byte {
	type message struct {
		Type string `json:"t"`
		Data any    `json:"d"`
	}
	text, err := json.Marshal(message{"c", message{"s", noLiveProtocol}}) // a control message: shut down
	if err != nil {
		panic(err)
	}
	return text
}()

// serveLive refuses clients of the protocol, and reports whether the request is from one.
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

// closing is the time that a client has to close its connection.
const closing = 5 * time.Second

// refuseSocket accepts a WebSocket, and sends the shutdown.
func refuseSocket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // pages of every origin, as elsewhere
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow() // an informed client closes first
	ctx := conn.CloseRead(r.Context())
	if conn.Write(ctx, websocket.MessageText, shutdown) != nil {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(closing):
	}
}

// refusePoll answers with the script that starts long polling. The script runs in a frame, and calls the functions of the
// page for the number cb: the first with the session, the second with the messages of the first packet.
func refusePoll(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	n, err := strconv.ParseUint(r.URL.Query().Get("cb"), 10, 32)
	if err != nil || r.URL.Query().Get("start") == "" {
		return // an informed client polls no more
	}
	fmt.Fprintf(w, "parent.window[\"pLPCommand%d\"](\"start\",\"1\",\"1\");\nparent.window[\"pRTLPCB%[1]d\"](0,[%s]);\n", n, shutdown)
}
