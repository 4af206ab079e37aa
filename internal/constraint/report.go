package constraint

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// Says returns the sentences for a rule that enforces c. See [Constraint.Report].
func (c *Constraint) Says() diag.Sentences { return append(diag.Sentences{c.says}, c.hints...) }

// SaysRequired returns the sentences for a rule that requires a member. The constraint on the value may be nil. See
// [ReportMissing].
func SaysRequired(c *Constraint) diag.Sentences {
	must := ""
	switch {
	case c == nil:
	case c.values != nil:
		must = "; it must be {limit}"
	default:
		must = "; it must be " + c.want
	}
	says := diag.Sentences{
		{Key: "missing", Text: "{The member} is required" + must + "."},
		{Key: "empty", Text: "{The member} is required but empty" + must + "."},
	}
	if c.allowsZero() {
		says = append(says, diag.Sentence{Key: "dropped-zero", Text: "A generated Go client omits a 0 unless ForceSendFields lists the field."})
	}
	return says
}

// allowsZero reports whether c allows the number 0, which some serializers omit.
func (c *Constraint) allowsZero() bool { return c != nil && c.Subject == Int && c.HasInt(0) }

// ReportMissing reports a required member that is missing or, if isEmpty is set, present but empty. The constraint on the
// member's value may be nil.
func ReportMissing(r engine.Reporter, at diag.Pointer, member string, isEmpty bool, c *Constraint) {
	key := "missing"
	if isEmpty {
		key = "empty"
	}
	if c == nil {
		r.Report(at, key, diag.Name("member", member))
		return
	}
	args := []diag.Arg{diag.Name("member", member), c.Limit("limit")}
	if c.allowsZero() {
		args = append(args, wording.Also("dropped-zero"))
	}
	r.Report(at, key, args...)
}

// Limit returns an argument that replaces the given placeholder with the limit of c.
func (c *Constraint) Limit(place string) diag.Arg {
	switch {
	case c.values != nil:
		return wording.Names(place, c.known(diag.Documents))
	case c.Subject == Count, c.says.Key == tooLong:
		return diag.Number(place, c.high)
	default:
		return wording.Text(place, c.limit)
	}
}

// Report reports a string that c does not allow as the value of a member or parameter. The string is written in the dialect
// of the report, or comes from a Go value.
func (c *Constraint) Report(r engine.Reporter, at diag.Pointer, member, sent string) {
	args := make([]diag.Arg, 3, 8)
	args[0], args[1], args[2] = diag.Name("member", member), diag.Value("value", sent), c.Limit("limit")
	if c.fault != nil {
		key, args := c.explain(args, sent)
		r.Report(at, key, args...)
		return
	}
	switch {
	case r.IsGo() && r.Dialect() == diag.Google && c.isPublicName(sent):
		args = append(args, wording.Also("go-name"), diag.Value("suggestion", diag.Google.Name(sent)))
	case c.values != nil || c.hint != nil:
		args = c.suggest(args, r.Dialect(), sent)
	case c.Unit == characters:
		args = append(args, diag.Number("n", utf8.RuneCountInString(sent)))
	}
	r.Report(at, c.says.Key, args...)
}

// explain returns the key of the message about the fault in a string, and appends the arguments for the message to args.
func (c *Constraint) explain(args []diag.Arg, sent string) (key string, explained []diag.Arg) {
	fault := c.fault(sent)
	if fault.Seen != "" {
		args = append(args, diag.Value("seen", fault.Seen))
	}
	if c.Unit == alphabet {
		at := max(form.EventIDAlphabet(sent), 0)
		bad, _ := utf8.DecodeRuneInString(sent[at:])
		args = append(args, wording.Character("character", bad), diag.Number("at", at+1))
	}
	return fault.Key, append(args, c.advice(fault.Want)...)
}

// Advice returns the arguments for the sentence "send", which suggests a replacement for the string sent, if c does not allow
// the string. Advice returns nil if the intended value is unclear.
func (c *Constraint) Advice(sent string) []diag.Arg {
	if c.fault == nil {
		return nil
	}
	return c.advice(c.fault(sent).Want)
}

func (c *Constraint) advice(want string) []diag.Arg {
	switch {
	case want == "":
		return nil
	case len(want) > longestAdvice:
		return []diag.Arg{diag.Value("suggestion", want)}
	case c == EventDateTime && !form.IsDateTime(want):
		return []diag.Arg{diag.Value("suggestion", want), wording.Also("send-local")}
	default:
		return []diag.Arg{diag.Value("suggestion", want), wording.Also("send")}
	}
}

// longestAdvice is the maximum length in bytes of a suggested string. Longer strings are shortened in messages, so users could
// not copy them.
const longestAdvice = 40

// ReportInt is like [Constraint.Report], but for an integer or an element count.
func (c *Constraint) ReportInt(r engine.Reporter, at diag.Pointer, member string, n int64) {
	args := append(make([]diag.Arg, 0, 5), diag.Name("member", member), c.Limit("limit"))
	if c.Subject == Count {
		args = append(args, diag.Number("value", n), diag.Number("rest", n-c.high))
	} else {
		args = append(args, diag.Plain("value", strconv.FormatInt(n, 10)), diag.Number("low", c.low), diag.Number("high", c.high))
	}
	r.Report(at, c.says.Key, args...)
}

// suggest appends the arguments that suggest a different value for a string that c does not allow.
func (c *Constraint) suggest(args []diag.Arg, in diag.Dialect, sent string) []diag.Arg {
	if c.values == nil {
		sentence, suggestion := c.hint(sent)
		if args = append(args, sentence); suggestion != "" {
			args = append(args, diag.Name("suggestion", suggestion))
		}
		return args
	}
	if name := diag.Google.Name(sent); name != sent && slices.Contains(c.refused, in.Name(name)) {
		args = append(args, wording.Also("refused"), diag.Name("refused", in.Name(name)), otherThan(in))
	}
	return Suggest(args, in, sent, c.known(in))
}

// AsSent returns a value in memory as written by the user: in the dialect of the report or, for a Go value, with its public
// name.
func (c *Constraint) AsSent(r engine.Reporter, value string) string {
	if r.IsGo() && c.isPublicName(value) {
		return value
	}
	return r.Dialect().Name(value)
}

// isPublicName reports whether a string is the [diag.Google] name of a value that c allows.
func (c *Constraint) isPublicName(text string) bool {
	name := diag.Google.Name(text)
	return name != text && (slices.Contains(c.values, name) || slices.Contains(c.refused, name))
}

// Suggest appends the arguments that suggest replacing an unknown word with a known word of the dialect. If the word is known
// in the other dialect, Suggest offers its counterpart; otherwise, Suggest offers a known word with a similar spelling.
func Suggest(args []diag.Arg, in diag.Dialect, word string, known *form.Words) []diag.Arg {
	if name := diag.Google.Name(word); known != nil && name != word && slices.Contains(known.List, name) {
		return OfOtherDialect(args, in, word)
	}
	if known == nil {
		return args
	}
	return append(args, wording.Near("value", known, ""))
}

// OfOtherDialect appends the arguments that suggest the name in this dialect for a word of the other dialect.
func OfOtherDialect(args []diag.Arg, in diag.Dialect, word string) []diag.Arg {
	return append(args, wording.Also("other-dialect"), diag.Name("suggestion", in.Name(diag.Google.Name(word))), otherThan(in))
}

func otherThan(in diag.Dialect) diag.Arg {
	other := diag.Google
	if in == other {
		other = diag.Documents
	}
	return wording.Text("other", other.String())
}
