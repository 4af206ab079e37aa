package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault replaces or delays responses from the service, to test clients. To set a fault, send it as JSON with POST
// /emulator/faults. To set a fault for a single request, use the X-Emulator-Fault header field:
//
//	X-Emulator-Fault: status=403; reason=rateLimitExceeded
//	X-Emulator-Fault: latency=200ms
//	X-Emulator-Fault: status=503; retryAfter=2
//	X-Emulator-Fault: drop
//	X-Emulator-Fault: conference=failure
type Fault struct {
	// Method and Path select the requests to which the fault applies. Path is a pattern as in [path.Match]. An empty field
	// matches all requests.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`

	// Share is the fraction of the selected requests to which the fault applies, from 0 to 1; 0 means 1. Requests are chosen at
	// random, but the same seed and sequence of requests produce the same faults. Times is the number of requests after which the
	// fault ends; 0 means that the fault never ends.
	Share float64 `json:"share,omitempty"`
	Times int     `json:"times,omitempty"`

	Latency string `json:"latency,omitempty"`    // the delay before the response, such as "200ms"
	Status  int    `json:"status,omitempty"`     // the status of the response; 0 means that the service responds as usual
	Reason  string `json:"reason,omitempty"`     // the reason in the response; by default, the usual reason for the status
	Retry   int    `json:"retryAfter,omitempty"` // the Retry-After field of the response, in seconds; 0 means no field
	Drop    bool   `json:"drop,omitempty"`       // closes the connection without a response
	Sync    bool   `json:"sync,omitempty"`       // responds with 410, but only to requests with a syncToken

	// Conference, if set, is the outcome of conference requests instead of success: pending or failure. A fault with Conference
	// set applies only to writes that request a conference, and must not set other fields except those that select requests.
	Conference string `json:"conference,omitempty"`
}

// faultReasons maps a status to the public service's reason.
var faultReasons = map[int]string{
	401: "authError", 403: "rateLimitExceeded", 404: "notFound", 409: "conflict", 410: "fullSyncRequired", 412: "conditionNotMet",
	429: "rateLimitExceeded",
}

// faults contains the active faults.
type faults struct {
	mu     sync.Mutex
	list   []*Fault
	seed   uint64
	random *rand.Rand
}

func (f *faults) reseed(seed uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seed, f.random = seed, rand.New(rand.NewPCG(seed, seed))
}

func (f *faults) clear() {
	f.mu.Lock()
	f.list = nil
	seed := f.seed
	f.mu.Unlock()
	f.reseed(seed)
}

func (f *faults) add(fault *Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, fault)
}

// MarshalJSON encodes the list of active faults.
func (f *faults) MarshalJSON() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.list == nil {
		return []byte("[]"), nil
	}
	return json.Marshal(f.list)
}

// meet applies the fault for a request, if any, and returns the refusal, or nil if the service should respond. To drop the
// connection, meet panics with [http.ErrAbortHandler].
func (f *faults) meet(w http.ResponseWriter, r *http.Request) error {
	fault, err := f.of(r, false)
	if fault == nil || err != nil {
		return err
	}
	if d, _ := time.ParseDuration(fault.Latency); d > 0 {
		delay(w, r, d)
	}
	if fault.Drop {
		panic(http.ErrAbortHandler)
	}
	if fault.Sync {
		return tooOld()
	}
	if fault.Status == 0 {
		return nil
	}
	if fault.Retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(fault.Retry))
	}
	return refused(fault.Status, fault.reason(), "This is a fault that you asked for: %s.", fault.reason())
}

// conference returns the outcome of a conference request, which is success unless a fault applies.
func (f *faults) conference(r *http.Request) string {
	if fault, _ := f.of(r, true); fault != nil { // meet already refused an invalid field
		return fault.Conference
	}
	return conferenceSuccess
}

// reason returns the reason in the error response.
func (f *Fault) reason() string {
	switch usual, ok := faultReasons[f.Status]; {
	case f.Reason != "":
		return f.Reason
	case ok:
		return usual
	case f.Status >= http.StatusInternalServerError:
		return "backendError"
	default:
		return "badRequest"
	}
}

// delay waits for d, or until the client disconnects, and extends the write deadline, which is intended for slow clients.
func delay(w http.ResponseWriter, r *http.Request, d time.Duration) {
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		// Setting the deadline fails in a batch, so the deadline of the connection, which the requests share, remains unchanged.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(d + server.WriteTimeout))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// of returns the fault for a request: the fault in the header or, if the header contains no fault, the first active fault that
// applies. Either only conference faults or only other faults are considered.
func (f *faults) of(r *http.Request, ofConference bool) (*Fault, error) {
	if text := r.Header.Get("X-Emulator-Fault"); text != "" {
		fault, err := parseFault(text)
		if err != nil || (fault.Conference != "") == ofConference {
			return fault, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.list {
		if !fault.isFor(r) || (fault.Conference != "") != ofConference || fault.Share > 0 && f.random.Float64() >= fault.Share {
			continue
		}
		met := *fault
		if fault.Times > 0 {
			if fault.Times--; fault.Times == 0 {
				f.list = append(f.list[:i:i], f.list[i+1:]...)
			}
		}
		return &met, nil
	}
	return nil, nil
}

func (f *Fault) isFor(r *http.Request) bool {
	matched := f.Path == ""
	if !matched {
		matched, _ = path.Match(f.Path, r.URL.Path)
	}
	return matched && (f.Method == "" || f.Method == r.Method) && (!f.Sync || r.URL.Query().Get("syncToken") != "")
}

// check returns an error if the fault is invalid.
func (f *Fault) check() error {
	_, errPath := path.Match(f.Path, "")
	d, errLatency := time.ParseDuration(f.Latency)
	switch {
	case errPath != nil:
		return fmt.Errorf("the path %q is not a pattern", f.Path)
	case f.Latency != "" && (errLatency != nil || d < 0):
		return fmt.Errorf("the latency %q is not a duration", f.Latency)
	case f.Share < 0 || f.Share > 1:
		return fmt.Errorf("the share %g is not from 0 to 1", f.Share)
	case f.Status != 0 && (f.Status < 400 || f.Status > 599):
		return fmt.Errorf("the status %d is not an error", f.Status)
	case f.Retry < 0 || f.Retry > 0 && f.Status == 0:
		return fmt.Errorf("retryAfter is %d; it must be a positive number of seconds beside a status", f.Retry)
	case f.Times < 0:
		return fmt.Errorf("times is %d", f.Times)
	case f.Conference != "" && f.Conference != conferencePending && f.Conference != conferenceFailure:
		return fmt.Errorf("the conference is %q; it must be %s or %s", f.Conference, conferencePending, conferenceFailure)
	case f.Conference != "" && (f.Latency != "" || f.Status != 0 || f.Reason != "" || f.Drop || f.Sync):
		return errors.New("a fault of a conference has nothing else beside the requests that it selects")
	}
	return nil
}

// parseFault parses the value of the X-Emulator-Fault field.
func parseFault(text string) (*Fault, error) {
	f := new(Fault)
	for part := range strings.SplitSeq(text, ";") {
		name, value, hasValue := strings.Cut(strings.TrimSpace(part), "=")
		var err error
		switch name {
		case "status":
			f.Status, err = strconv.Atoi(value)
		case "reason":
			f.Reason = value
		case "latency":
			f.Latency = value
		case "drop":
			if f.Drop = !hasValue; hasValue {
				f.Drop, err = strconv.ParseBool(value)
			}
		case "conference":
			f.Conference = value
		case "retryAfter":
			f.Retry, err = strconv.Atoi(value)
		default:
			err = fmt.Errorf("there is no %q", name)
		}
		if err != nil {
			return nil, refused(http.StatusBadRequest, "badRequest", "The field X-Emulator-Fault is %q: %v.", text, err)
		}
	}
	if err := f.check(); err != nil {
		return nil, refused(http.StatusBadRequest, "badRequest", "The field X-Emulator-Fault is %q: %v.", text, err)
	}
	return f, nil
}
