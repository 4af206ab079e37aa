package rtdb

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"
)

// The addresses of the protocol that the clients for browsers and phones speak, and the Admin clients for Node and Java.
const (
	socketPath = "/.ws" // over a WebSocket
	pollPath   = "/.lp" // over scripts that the server answers late
)

// noLiveProtocol is the message to the program of such a client.
const noLiveProtocol = "This emulator has the REST interface of the realtime database, and not the protocol of this client. " +
	"Send HTTP requests to addresses that end in .json, or use an Admin client that speaks REST, such as the ones for Go and Python."

// shutdown is the message that ends a connection of the protocol. The client writes the text to its log and does not connect
// again, which no HTTP status achieves.
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

// serveLive refuses a client of the protocol, and reports whether the request is one of such a client.
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

// closing is how long a client has to close its connection.
const closing = 5 * time.Second

// refuseSocket accepts a WebSocket, and sends the shutdown.
func refuseSocket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // pages of every origin, as elsewhere
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow() // a client that is told closes first
	ctx := conn.CloseRead(r.Context())
	if conn.Write(ctx, websocket.MessageText, shutdown) != nil {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(closing):
	}
}

// refusePoll answers the script that begins a long polling. The script runs in a frame, and calls the functions that the page
// has for the number cb: the first learns the session, the second gets the messages of the first packet.
func refusePoll(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	n, err := strconv.ParseUint(r.URL.Query().Get("cb"), 10, 32)
	if err != nil || r.URL.Query().Get("start") == "" {
		return // a client that has been told polls no more
	}
	fmt.Fprintf(w, "parent.window[\"pLPCommand%d\"](\"start\",\"1\",\"1\");\nparent.window[\"pRTLPCB%[1]d\"](0,[%s]);\n", n, shutdown)
}
