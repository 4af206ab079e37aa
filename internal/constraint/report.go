package constraint

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// Says returns the sentences for a rule that enforces c, in a slice that must not change. See [Constraint.Report].
func (c *Constraint) Says() diag.Sentences {
	if c.faults == nil {
		return c.says
	}
	return slices.Concat(c.says, slices.Concat(c.faults...), diag.Sentences{send})
}

// required lists the sentences of a rule that requires a member with any value.
var required = diag.Sentences{{Key: "missing", Text: "{The member} is required."}, {Key: "empty", Text: "{The member} is required but empty."}}

// SaysRequired returns the sentences for a rule that requires a member. The constraint on the value may be nil. See
// [ReportMissing].
func SaysRequired(c *Constraint) diag.Sentences {
	must := ""
	switch {
	case c == nil:
		return required
	case c.values != nil:
		must = "; it must be {limit}"
	default:
		must = "; it must be " + c.Want(diag.Documents)
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
	case c.Subject == Count, c.key() == tooLong:
		return diag.Number(place, c.high)
	case c.Unit == aForm:
		return wording.Text(place, c.limit)
	default:
		return wording.Text(place, c.String())
	}
}

// Report reports a string that c does not allow as the value of a member or parameter. The string is written in the dialect
// of the report, or comes from a Go value.
func (c *Constraint) Report(r engine.Reporter, at diag.Pointer, member, sent string) {
	key := c.key()
	if c.fault != nil && c.Unit != alphabet { // in an alphabet there is only one fault
		key = c.fault(sent).Key
	}
	var source wording.Source = c
	if r.IsGo() && r.Dialect() == diag.Google && c.isPublicName(sent) {
		source = (*publicName)(c)
	}
	r.Report(at, key, wording.About(member, sent, 0, source))
}

// ReportInt is like [Constraint.Report], but for an integer or an element count.
func (c *Constraint) ReportInt(r engine.Reporter, at diag.Pointer, member string, n int64) {
	r.Report(at, c.key(), wording.About(member, "", n, c))
}

// Args implements [wording.Source]. It returns the arguments about a value that c does not allow.
func (c *Constraint) Args(value diag.Arg, in wording.Dialect) []diag.Arg {
	args, sent, n := []diag.Arg{diag.Name("member", value.Name), c.Limit("limit")}, value.Text, value.N
	switch c.Subject {
	case Count:
		return append(args, diag.Number("value", n), diag.Number("rest", n-c.high))
	case Int:
		return append(args, diag.Plain("value", strconv.FormatInt(n, 10)), diag.Number("low", c.low), diag.Number("high", c.high))
	}
	args = append(args, diag.Value("value", sent))
	switch {
	case c.fault != nil:
		args = c.Explain(args, sent)
	case c.values != nil || c.hint != nil:
		args = c.suggest(args, diag.Dialect(in), sent)
	case c.Unit == characters:
		args = append(args, diag.Number("n", utf8.RuneCountInString(sent)))
	}
	return args
}

// publicName is the source of the arguments about a Go value with the public service's name for an allowed value.
type publicName Constraint

func (c *publicName) Args(value diag.Arg, _ wording.Dialect) []diag.Arg {
	args := []diag.Arg{diag.Name("member", value.Name), diag.Value("value", value.Text), (*Constraint)(c).Limit("limit")}
	return append(args, wording.Also("go-name"), diag.Value("suggestion", diag.Google.Name(value.Text)))
}

// Explain appends the arguments about the fault in a string, with a replacement for the string if the intended value is clear.
// Explain appends nothing if c is not a constraint on the form of a string.
func (c *Constraint) Explain(args []diag.Arg, sent string) []diag.Arg {
	if c.fault == nil {
		return args
	}
	fault := c.fault(sent)
	if fault.Seen != "" {
		args = append(args, diag.Value("seen", fault.Seen))
	}
	if c.Unit == alphabet {
		at := max(form.EventIDAlphabet(sent), 0)
		bad, _ := utf8.DecodeRuneInString(sent[at:])
		args = append(args, wording.Character("character", bad), diag.Number("at", at+1))
	}
	return append(args, c.advice(fault.Want)...)
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

// suggest appends the arguments that suggest a different value for a string that c does not allow.
func (c *Constraint) suggest(args []diag.Arg, in diag.Dialect, sent string) []diag.Arg {
	if c.values == nil {
		sentence, suggestion := c.hint(sent)
		if args = append(args, sentence); suggestion != "" {
			args = append(args, diag.Name("suggestion", suggestion))
		}
		return args
	}
	if name := diag.Google.Name(sent); name != sent && c.refuses(in.Name(name)) {
		args = append(args, wording.Also("refused"), diag.Name("refused", in.Name(name)), otherThan(in))
	}
	return Suggest(args, in, sent, c.known(in), "")
}

// refuses reports whether a string is a value of the enumeration that clients cannot create.
func (c *Constraint) refuses(value string) bool {
	return slices.Contains(c.all, value) && !slices.Contains(c.values, value)
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
	return name != text && (slices.Contains(c.values, name) || c.refuses(name))
}

// Suggest appends the arguments that suggest replacing an unknown word with a known word of the dialect. If the word is known
// in the other dialect, Suggest offers its counterpart; otherwise, Suggest offers a known word with a similar spelling. If there
// is none, Suggest adds the sentence with the key otherwise, unless otherwise is "".
func Suggest(args []diag.Arg, in diag.Dialect, word string, known *form.Words, otherwise string) []diag.Arg {
	if name := diag.Google.Name(word); name != word && slices.Contains(known.List, name) {
		return OfOtherDialect(args, in, word)
	}
	if near, ok := meant(word, known); ok {
		return append(args, wording.Also("did-you-mean"), diag.Name("suggestion", in.Name(near)))
	}
	if otherwise != "" {
		args = append(args, wording.Also(otherwise))
	}
	return args
}

// meant returns the known word that is most similar to a word, with or without the ending Id.
func meant(word string, known *form.Words) (near string, ok bool) {
	if near, ok = known.Nearest(word); ok {
		return near, true
	}
	near, ok = known.Nearest(word + "Id") // colour and desk probably mean colorId and deskId
	return near, ok && strings.HasSuffix(near, "Id")
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
