package between

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/engine"
)

// Texts take room until they are released, and leave what checks need.
func TestRoom(t *testing.T) {
	w, err := New(Options{MaxBytes: 10_000, MaxChecking: 320_000})
	if err != nil {
		t.Fatal(err)
	}
	read := func(n int) *Body {
		b, err := w.Read(strings.NewReader(strings.Repeat(" ", n)), -1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var all []*Body
	for range 50 {
		all = append(all, read(9000))
	}
	x := w.Request(Message{Method: "GET", URL: diag.Google.BaseURL() + "/colors"})
	for range 50 {
		b, err := x.Read(strings.NewReader(strings.Repeat(" ", 9000)), -1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	held, full := 0, 0
	for _, b := range all {
		held += cap(b.Text)
		if b.Unread == "" {
			full++
		}
	}
	if full != 6 || held > 80_000 || w.room.left != 320_000-held || all[99].Unread != noRoom {
		t.Errorf("%d texts are read, of %d bytes; %d bytes are left; the last is unread because %q", full, held, w.room.left, all[99].Unread)
	}
	if b, err := w.Read(strings.NewReader("abc"), 9000); err != nil || b.Text != nil || b.Unread != noRoom {
		t.Errorf("without room for a text of 9,000 bytes, %q is read, %v", b.Text, err)
	}
	w.Request(Message{Method: "POST", URL: diag.Google.BaseURL() + "/calendars/primary/events", Body: read(9000).Text}).Fail()
	x.Unchecked = noRoom
	if b, err := x.Read(strings.NewReader("abc"), 3); err != nil || b.Text != nil || b.Unread != noRoom {
		t.Errorf("of an answer to a request without room, %q is read, %v", b.Text, err)
	}
	for _, b := range all {
		b.Release()
		b.Release()
	}
	if w.room.left != 320_000 {
		t.Errorf("%d bytes are left when all are released", w.room.left)
	}
	if b := read(10_001); b.Unread != w.tooLong() || len(b.Text) != 10_001 {
		t.Errorf("of a text that is too long, %d bytes are read; it is unread because %q", len(b.Text), b.Unread)
	}
}

// Checks wait for each other if they need more than there is.
func TestChecksWait(t *testing.T) {
	r := newRoom(1000, 600)
	const length = 12 // needs all that is reserved
	done := r.work(length)
	if r.hold(401, r.reserve) || r.left != 400 {
		t.Errorf("texts take what is reserved; %d bytes are left", r.left)
	}
	if !r.hold(400, 0) || r.left != 0 {
		t.Errorf("a text does not take all that is left, and %d bytes are left", r.left)
	}
	r.give(400)
	second := make(chan struct{})
	go func() {
		r.work(length)()
		close(second)
	}()
	select {
	case <-second:
		t.Error("two checks take more than there is")
	default:
	}
	done()
	<-second
	if r.left != 1000 {
		t.Errorf("%d bytes are left", r.left)
	}
}

// A text has a finding for each two of its bytes, at most.
func TestCost(t *testing.T) {
	for length, want := range map[int]int{0: 0, 1: 100, 10: 1000 + 5*700, 3 * engine.Most: 300*engine.Most + 700*engine.Most} {
		if got := cost(length); got != want {
			t.Errorf("the check of %d bytes costs %d, want %d", length, got, want)
		}
	}
}

// What an event takes of the heap when it is read is what a check counts, whatever the text.
func TestRoomIsCounted(t *testing.T) {
	const reserve = reserved * event.DefaultMaxBytes
	shapes := map[string][3]string{
		"attendees": {`{"attendees":[`, `{}`, `]}`}, "numbers": {`{"attendees":[`, `1`, `]}`}, "unknown members": {`{`, `"u#":0`, `}`},
		"lines": {`{"recurrence":[`, `""`, `]}`}, "properties": {`{"extendedProperties":{"private":{`, `"#":""`, `}}}`}, "entry points": {`{"conferenceData":{"entryPoints":[`, `{}`, `]}}`},
		"reminders": {`{"reminders":{"overrides":[`, `{}`, `]}}`}, "attachments": {`{"attachments":[`, `{}`, `]}`}, "unknown elements": {`{"x":[`, `[[]]`, `]}`},
	}
	for name, shape := range shapes {
		for _, size := range []int{1000, 10_000, 700_000} { // with more elements than those of the latter, a text is not read to its end
			var b strings.Builder
			b.WriteString(shape[0])
			for i := 0; b.Len() < size-50; i++ {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strings.ReplaceAll(shape[1], "#", fmt.Sprint(i)))
			}
			text := []byte(b.String() + shape[2])
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			e, found := event.Decode(text, diag.Google)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if took, counted := int(after.HeapAlloc)-int(before.HeapAlloc), min(cost(len(text)), reserve); took > counted {
				t.Errorf("%s in %d bytes: %d bytes are counted, %d are taken", name, len(text), counted, took)
			} else {
				t.Logf("%s in %d bytes: %d bytes are counted, %d are taken", name, len(text), counted, took)
			}
			runtime.KeepAlive(e)
			runtime.KeepAlive(found)
		}
	}
}

// A reader that fails is not hidden, and what it has read is released.
func TestReadFails(t *testing.T) {
	w, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := w.room.left
	b, err := w.Read(io.MultiReader(strings.NewReader("x"), failing{}), -1)
	if err != io.ErrNoProgress || string(b.Text) != "x" {
		t.Errorf("%q, %v", b.Text, err)
	}
	if b.Release(); w.room.left != before {
		t.Errorf("%d bytes are left, of %d", w.room.left, before)
	}
}

// A body of just MaxBytes is read, and what the sender states of its length is what it takes.
func TestReadLengths(t *testing.T) {
	w, err := New(Options{MaxBytes: 1000, MaxChecking: 48_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []int{0, 1, 999, 1000, 1001} {
		b, err := w.Read(strings.NewReader(strings.Repeat(" ", length)), int64(length))
		if err != nil || (b.Unread == "") != (length <= 1000) || b.Unread == "" && len(b.Text) != length || cap(b.Text) > length+100 {
			t.Errorf("of %d bytes, %d are read, in %d: %q, %v", length, len(b.Text), cap(b.Text), b.Unread, err)
		}
		b.Release()
	}
}

// A check waits only if there is too little room, and counts the remembered event too.
func TestWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(600, 600)
		r.work(12)() // takes all that there is
		w := &Watcher{room: newRoom(1_000_000, 1_000_000)}
		x := &Exchange{watcher: w, existing: make([]byte, 10)}
		defer x.work(make([]byte, 5))()
		if got := 1_000_000 - w.room.left; got != cost(15) {
			t.Errorf("the check of 5 bytes beside 10 takes %d, want %d", got, cost(15))
		}
	})
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrNoProgress }

// What an exchange keeps of its watcher is given back when the garbage collector finds that nobody ended it.
func TestAbandoned(t *testing.T) {
	w, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	address := diag.Google.BaseURL() + "/calendars/primary/events/abcde"
	w.Request(Message{Method: "GET", URL: address}).Answer(200, nil, []byte(`{"id":"abcde","status":"confirmed"}`), "")
	left := w.room.left
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, `{"summary":"Review"}`)
	z.Close()
	patch := Message{Method: "PATCH", URL: address, Header: Header{"Content-Encoding": {"gzip"}}, Body: zipped.Bytes()}
	if x := w.Request(patch); x.Unchecked != "" || x.Stored != Known || w.room.left >= left {
		t.Fatalf("the event is %s, unchecked because %q; %d bytes of %d are left", x.Stored, x.Unchecked, w.room.left, left)
	}
	state := Changing
	for range 1000 {
		runtime.GC()
		time.Sleep(time.Millisecond) // cleanups run in a goroutine of their own
		x := w.Request(Message{Method: "GET", URL: address})
		state = x.Stored
		x.Fail()
		if state != Changing {
			break
		}
	}
	w.room.mutex.Lock()
	defer w.room.mutex.Unlock()
	if state != Outdated || w.room.left != left {
		t.Errorf("the event is %s; %d bytes of %d are left", state, w.room.left, left)
	}
}
