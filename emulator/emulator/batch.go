package emulator

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"

	"github.com/calrules/calrules/event"
)

// maxParts is the maximum number of requests in a batch, as in the public service.
const maxParts = 50

// maxRequestLine is the maximum length of a part's request line, in bytes.
const maxRequestLine = 8 << 10

// serveBatch responds to a batch, which is a multipart/mixed body with a request in each part, by handling the requests in
// order as if each had been sent separately.
func (s *Server) serveBatch(w http.ResponseWriter, r *http.Request) {
	parts, err := readBatch(w, r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	var body bytes.Buffer
	out := multipart.NewWriter(&body)
	for _, p := range parts {
		if err := s.answerPart(out, r, p); err != nil {
			s.refuse(w, r, err)
			return
		}
	}
	if err := out.Close(); err != nil {
		s.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "multipart/mixed; boundary="+out.Boundary())
	writeBody(w, r, body.Bytes())
}

// part is a request in a batch.
type part struct {
	id      string // its Content-ID
	request *http.Request
}

func readBatch(w http.ResponseWriter, r *http.Request) ([]part, error) {
	bad := func(format string, args ...any) error {
		return refused(http.StatusBadRequest, "badRequest", format, args...)
	}
	if r.Method != http.MethodPost {
		return nil, refused(http.StatusMethodNotAllowed, "httpMethodNotAllowed", "The method is %s; a batch has POST.", r.Method)
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/mixed" || params["boundary"] == "" {
		return nil, bad("The Content-Type must be multipart/mixed with a boundary.")
	}
	if err := unzip(w, r, maxParts*event.DefaultMaxBytes); err != nil {
		return nil, err
	}
	in := multipart.NewReader(http.MaxBytesReader(w, r.Body, maxParts*event.DefaultMaxBytes), params["boundary"])
	var parts []part
	for {
		p, err := in.NextRawPart()
		if err == io.EOF {
			return parts, nil
		}
		if err != nil {
			return nil, bad("The parts of the batch cannot be read: %v.", err)
		}
		if len(parts) == maxParts {
			return nil, bad("The batch has more than %d requests.", maxParts)
		}
		request, err := readPart(p)
		if err != nil {
			return nil, bad("Part %d is not a request: %v.", len(parts)+1, err)
		}
		parts = append(parts, part{p.Header.Get("Content-ID"), request})
	}
}

// readPart reads a request in a batch, which does not name a host. A body without a length extends to the end of the part.
func readPart(in io.Reader) (*http.Request, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	head := textproto.NewReader(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(text, "\r\n"))))
	line, err := head.ReadLine()
	if err != nil {
		return nil, err
	}
	if len(line) > maxRequestLine {
		return nil, fmt.Errorf("its first line has %d bytes; the most is %d", len(line), maxRequestLine)
	}
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return nil, fmt.Errorf("its first line is %q", line)
	}
	header, err := head.ReadMIMEHeader()
	if err != nil && err != io.EOF {
		return nil, err
	}
	body, err := io.ReadAll(head.R)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(fields[0], fields[1], bytes.NewReader(bytes.TrimSpace(body)))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header(header)
	return r, nil
}

// answerPart responds to a request in a batch.
func (s *Server) answerPart(out *multipart.Writer, outer *http.Request, p part) error {
	r := p.request.WithContext(outer.Context())
	r.Host, r.TLS = outer.Host, outer.TLS
	if r.Header.Get("Authorization") == "" && outer.Header.Get("Authorization") != "" {
		r.Header.Set("Authorization", outer.Header.Get("Authorization"))
	}
	r.Header.Del("Accept-Encoding")
	header := textproto.MIMEHeader{"Content-Type": {"application/http"}}
	if p.id != "" {
		id := strings.TrimSuffix(strings.TrimPrefix(p.id, "<"), ">")
		header.Set("Content-ID", "<response-"+id+">")
	}
	w, err := out.CreatePart(header)
	if err != nil {
		return err
	}
	var answer recorder
	if strings.HasPrefix(r.URL.Path, "/batch") {
		s.refuse(&answer, r, refused(http.StatusBadRequest, "badRequest", "A batch is not part of a batch."))
	} else {
		s.serve(&answer, r)
	}
	if r.Method == http.MethodHead {
		answer.body.Reset()
	}
	return answer.writeTo(w)
}

// recorder is an [http.ResponseWriter] that records a response.
type recorder struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

// writeTo writes the response as HTTP.
func (r *recorder) writeTo(w io.Writer) error {
	r.WriteHeader(http.StatusOK)
	r.Header().Set("Content-Length", fmt.Sprint(r.body.Len()))
	if _, err := fmt.Fprintf(w, "HTTP/1.1 %d %s\r\n", r.status, http.StatusText(r.status)); err != nil {
		return err
	}
	if err := r.header.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\r\n%s", r.body.Bytes())
	return err
}
