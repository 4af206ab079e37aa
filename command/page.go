package command

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/jsonscan"
)

// The kind and the member from which pageOf recognizes an answer to events.list.
const (
	pageKind  = "calendar#events"
	pageItems = "items"
)

// span is a range of bytes.
type span struct{ start, end int }

// pageOf returns the events in a page, which is an answer to events.list, or false if text is not a page or is malformed. A
// page is an object with an array of items, no start, and the kind calendar#events or none.
func pageOf(text []byte) (items []span, ok bool) {
	var d jsonscan.Decoder
	d.Reset(text, constraint.JSONMaxDepth)
	if d.Kind() != '{' || !d.Enter() {
		return nil, false
	}
	for {
		quoted, _, more := d.Member("")
		if !more {
			break
		}
		switch name := string(quoted); d.Kind() {
		case '[':
			if name == pageItems {
				items, ok = elements(&d), true
				continue
			}
			d.Skip()
		default:
			start := d.Next()
			d.Skip()
			if name == "start" || name == "kind" && string(text[start:d.Offset()]) != `"`+pageKind+`"` {
				return nil, false
			}
		}
		if d.Err() != nil {
			return nil, false
		}
	}
	d.End()
	return items, ok && d.Err() == nil
}

// elements returns the elements of an array.
func elements(d *jsonscan.Decoder) (items []span) {
	d.Enter()
	for d.More() {
		start := d.Next()
		d.Skip()
		items = append(items, span{start, d.Offset()})
	}
	return items
}

// arrayOf returns the items of a page as an array.
func arrayOf(text []byte, items []span) []byte {
	if len(items) == 0 {
		return []byte("[]")
	}
	return slices.Concat([]byte("["), text[items[0].start:items[len(items)-1].end], []byte("]"))
}

// itemPath converts a path in item i to a path in its page.
func itemPath(i int, path diag.Pointer) diag.Pointer {
	if !path.InBody() {
		return path
	}
	return diag.Pointer("").Member(pageItems).Index(i) + path
}

// inItem converts a finding about item i to a finding about its page.
func inItem(i int, f diag.Finding) diag.Finding {
	f.Path = itemPath(i, f.Path)
	if f.Fix == nil {
		return f
	}
	fix := diag.Fix{Patch: slices.Clone(f.Fix.Patch), Safe: f.Fix.Safe}
	for k := range fix.Patch {
		op := &fix.Patch[k]
		op.Path, op.From = inBodyOf(i, op.Path), inBodyOf(i, op.From)
	}
	f.Fix = &fix
	return f
}

// inBodyOf converts a path under /body, in a fix of item i, to a path in the page.
func inBodyOf(i int, path diag.Pointer) diag.Pointer {
	if within, ok := strings.CutPrefix(string(path), body); ok {
		return body + itemPath(i, diag.Pointer(within))
	}
	return path
}
