package rtdbpayload

import (
	"encoding/base64"
	"math"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/payload"
)

// KeyFile draws key files of service accounts that [rtdbauth.ParseKeyFile] accepts. The key in
// them is random: whether it is a real one is for the token library to say.
var KeyFile = draw.Custom(func(t *draw.T) string { return string(draw.EncodeJSON(keyFile(t))) })

// brokenKeyFile draws texts that are not key files.
func brokenKeyFile() draw.Generator[Payload] {
	variants := draw.SampledFrom(keyFileVariants())
	return func(t *draw.T) Payload {
		v := variants.Draw(t, "variant")
		text, path := v.draw(t)
		return Payload{
			Verdict: payload.Verdict{Rule: ruleid.RTDBKeyFile, Kind: diag.Reject, Path: path, Variant: v.name},
			KeyFile: &text,
		}
	}
}

// keyFile draws the members of a key file.
func keyFile(t *draw.T) map[string]any {
	file := map[string]any{
		"client_email": draw.Address.Draw(t, "client_email"),
		"private_key":  pemBlock(t, draw.One(t, "PEM label", "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY")),
	}
	if draw.Maybe(t, "other members") {
		file["type"], file["project_id"], file["client_id"] = "service_account", draw.Name.Draw(t, "project"), nil
	}
	return file
}

var keyBytes = draw.SliceOfN(draw.Map(draw.IntRange(0, math.MaxUint8), func(n int) byte { return byte(n) }), 1, 12)

// pemBlock draws a PEM block (RFC 7468).
func pemBlock(t *draw.T, label string) string {
	body := base64.StdEncoding.EncodeToString(keyBytes.Draw(t, "key"))
	return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n"
}

// keyFileVariant is one way in which a text is not a key file.
type keyFileVariant struct {
	name string
	draw func(t *draw.T) (text string, path diag.Pointer)
}

func keyFileVariants() []keyFileVariant {
	var list []keyFileVariant
	member := func(name, at string, mutate func(t *draw.T, file map[string]any)) {
		list = append(list, keyFileVariant{name, func(t *draw.T) (string, diag.Pointer) {
			file := keyFile(t)
			mutate(t, file)
			return string(draw.EncodeJSON(file)), diag.Pointer("").Member(at)
		}})
	}
	for _, name := range []string{"client_email", "private_key"} {
		member("without "+name, name, func(_ *draw.T, file map[string]any) { delete(file, name) })
		member(name+" is no text, or empty", name, func(t *draw.T, file map[string]any) {
			file[name] = draw.One(t, name, []any{nil, "", 7, true, []any{"a"}, map[string]any{}}...)
		})
		member(name+" in another case", name, func(_ *draw.T, file map[string]any) {
			file[strings.ToUpper(name)] = file[name]
			delete(file, name)
		})
	}
	key := func(name string, text func(t *draw.T) string) {
		member(name, "private_key", func(t *draw.T, file map[string]any) { file["private_key"] = text(t) })
	}
	private := func(t *draw.T) string { return pemBlock(t, "PRIVATE KEY") }
	key("no PEM", func(t *draw.T) string { return plainToken.Draw(t, "key") })
	key("a public key", func(t *draw.T) string { return pemBlock(t, "PUBLIC KEY") })
	key("a certificate", func(t *draw.T) string { return pemBlock(t, "CERTIFICATE") })
	key("two keys", func(t *draw.T) string { return private(t) + private(t) })
	key("text before the key", func(t *draw.T) string { return "Bag Attributes\n" + private(t) })
	key("text after the key", func(t *draw.T) string { return private(t) + "more" })
	key("a key cut off", func(t *draw.T) string { return strings.TrimSuffix(private(t), "-----\n") })
	key("a key without content", func(*draw.T) string { return "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n" })

	whole := func(name string, rewrite func(text string) string) {
		list = append(list, keyFileVariant{name, func(t *draw.T) (string, diag.Pointer) {
			return rewrite(KeyFile.Draw(t, "key file")), ""
		}})
	}
	whole("cut off", func(text string) string { return text[:len(text)-1] })
	whole("followed by more", func(text string) string { return text + text })
	whole("in an array", func(text string) string { return "[" + text + "]" })
	whole("in a string", func(text string) string { return string(draw.EncodeJSON(text)) })
	whole("with a member twice", func(text string) string { return `{"private_key":"",` + text[1:] })
	whole("empty", func(string) string { return "" })
	whole("the key file's name", func(string) string { return "key.json" })
	whole("with a comma too many", func(text string) string { return text[:len(text)-1] + ",}" })
	whole("the key alone", func(string) string { return "-----BEGIN PRIVATE KEY-----" })
	return list
}
