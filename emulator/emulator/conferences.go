package emulator

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
)

// According to the documents, conferences are generated asynchronously. The library's response to a write contains a pending
// conference. The emulator generates the conference as soon as the write is stored, so every later request sees the conference.

// The status codes of a conference's createRequest.
const (
	conferencePending = "pending"
	conferenceSuccess = "success"
	conferenceFailure = "failure"
)

// videoMeet is the type of conference whose address becomes the videoLink of the event.
const videoMeet = "videoMeet"

// finishConference generates the pending conference, if any, after an accepted write. If the conference cannot be stored, it
// remains pending.
func (s *Server) finishConference(c *call) {
	if !isPending(c.Result.Stored) {
		return
	}
	code := s.faults.conference(c.http)
	if code == conferencePending {
		return
	}
	_ = s.change(func(tx *state.Tx) error { // ignored: the write itself was accepted
		cal, err := s.open(tx.View, c, eventWriter)
		if err != nil {
			return nil // the calendar is gone
		}
		entry := tx.Calendar(cal.id).Get(c.Result.Stored.ID)
		if entry == nil || !isPending(entry.Event) {
			return nil // another write came first
		}
		next := entry.Event.Clone()
		next.ConferenceData.CreateRequest.Status = &conference.Status{Code: code}
		if code == conferenceSuccess {
			generate(next.ConferenceData, cal.id+" "+next.ID)
		}
		next.VideoLink = videoLink(next.ConferenceData)
		s.spread(tx, c, cal.id, edit{entry.Event, s.put(tx, c, cal.id, entry, entry.Event, next)})
		return nil
	})
}

// isPending reports whether an event has a pending conference.
func isPending(e *event.Event) bool {
	if e == nil || e.Status == cancelled || e.ConferenceData == nil || e.ConferenceData.CreateRequest == nil {
		return false
	}
	status := e.ConferenceData.CreateRequest.Status
	return status != nil && status.Code == conferencePending
}

// generate adds the conference requested by d.CreateRequest to d. The generated conference depends only on the request and the
// event.
func generate(d *conference.Data, of string) {
	key := conference.Key{Type: videoMeet}
	if d.CreateRequest.SolutionKey != nil && d.CreateRequest.SolutionKey.Type != "" {
		key.Type = d.CreateRequest.SolutionKey.Type
	}
	sum := sha256.Sum256([]byte(of + " " + d.CreateRequest.RequestID))
	d.ID = meetingCode(sum[:])
	d.Signature = base64.RawStdEncoding.EncodeToString(sum[16:])
	host, name := "conference.example", "Conference"
	if key.Type == videoMeet {
		host, name = "meet.google.com", "Google Meet"
	}
	d.Solution = &conference.Solution{Key: &key, Name: name, IconURI: "https://" + host + "/icon.png"}
	d.EntryPoints = []conference.EntryPoint{{Type: "video", URI: "https://" + host + "/" + d.ID, Label: host + "/" + d.ID}}
}

// meetingCode returns ten letters in three groups, such as abc-defg-hij.
func meetingCode(sum []byte) string {
	code := make([]byte, 0, 12)
	for i, b := range sum[:10] {
		if i == 3 || i == 7 {
			code = append(code, '-')
		}
		code = append(code, 'a'+b%26)
	}
	return string(code)
}

// videoLink returns the address of a conference of type videoMeet, and "" for other types.
func videoLink(d *conference.Data) string {
	if d == nil || d.Solution == nil || d.Solution.Key == nil || d.Solution.Key.Type != videoMeet {
		return ""
	}
	i := slices.IndexFunc(d.EntryPoints, func(p conference.EntryPoint) bool { return p.Type == "video" })
	if i < 0 {
		return ""
	}
	return d.EntryPoints[i].URI
}

// setVideoLink updates the videoLink of an event if a write changes its conference.
func setVideoLink(r *event.Result, stored *event.Event) {
	var was *conference.Data
	if stored != nil {
		was = stored.ConferenceData
	}
	is := r.Stored.ConferenceData
	if was == is || was != nil && is != nil && was.Equal(*is) {
		return
	}
	for _, e := range []*event.Event{r.Stored, r.Answer} {
		if e != nil {
			e.VideoLink = videoLink(is)
		}
	}
}
