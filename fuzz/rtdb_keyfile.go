package fuzz

import (
	"encoding/base64"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/internal/draw"
)

// KeyFile draws key files of service accounts as [rtdbauth.ParseKeyFile] takes them. The key in
// them is none: whether it is sound is for the token library to say.
func KeyFile() *rapid.Generator[JSON] {
	return rapid.Custom(func(t *rapid.T) JSON { return JSON(draw.EncodeJSON(keyFile(t))) })
}

// ruleKeyFile is the one rule that is about no request.
const ruleKeyFile = "rtdb.key-file"

// brokenKeyFile draws what is no key file.
func brokenKeyFile() *rapid.Generator[Payload] {
	return rapid.Custom(func(t *rapid.T) Payload {
		way := keyFileWays()[rapid.IntRange(0, len(keyFileWays())-1).Draw(t, "way")]
		text, path := way.draw(t)
		return Payload{
			Verdict: Verdict{Rule: ruleKeyFile, Kind: diag.Reject, Path: path, Way: way.name},
			KeyFile: JSON(text),
		}
	})
}

// keyFile draws the members of a key file.
func keyFile(t *rapid.T) map[string]any {
	file := map[string]any{
		"client_email": Address().Draw(t, "client_email"),
		"private_key":  pemBlock(t, rapid.SampledFrom([]string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"}).Draw(t, "PEM label")),
	}
	if draw.Maybe(t, "other members") {
		file["type"], file["project_id"], file["client_id"] = "service_account", draw.Name().Draw(t, "project"), nil
	}
	return file
}

// pemBlock draws a PEM block (RFC 7468).
func pemBlock(t *rapid.T, label string) string {
	body := base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 12).Draw(t, "key"))
	return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n"
}

// keyFileWay is one way in which a text is no key file.
type keyFileWay struct {
	name string
	draw func(t *rapid.T) (text []byte, path diag.Pointer)
}

func keyFileWays() []keyFileWay {
	return slices.Concat(memberWays(), privateKeyWays(), malformedKeyFiles())
}

// memberWays lists the ways in which a member is missing, or is no text.
func memberWays() []keyFileWay {
	var ways []keyFileWay
	for _, member := range []string{"client_email", "private_key"} {
		ways = append(ways,
			withMembers("without "+member, func(_ *rapid.T, file map[string]any) diag.Pointer {
				delete(file, member)
				return diag.Pointer("").Member(member)
			}),
			withMembers(member+" is no text, or empty", func(t *rapid.T, file map[string]any) diag.Pointer {
				file[member] = rapid.SampledFrom([]any{nil, "", 7, true, []any{"a"}, map[string]any{}}).Draw(t, member)
				return diag.Pointer("").Member(member)
			}),
			withMembers(member+" in another case", func(_ *rapid.T, file map[string]any) diag.Pointer {
				file[strings.ToUpper(member)] = file[member]
				delete(file, member)
				return diag.Pointer("").Member(member)
			}))
	}
	return ways
}

// privateKeyWays lists the ways in which the key is not one PEM block of a private key.
func privateKeyWays() []keyFileWay {
	var ways []keyFileWay
	for _, w := range []struct {
		name string
		key  func(t *rapid.T) string
	}{
		{"no PEM", func(t *rapid.T) string { return plainToken().Draw(t, "key") }},
		{"a public key", func(t *rapid.T) string { return pemBlock(t, "PUBLIC KEY") }},
		{"a certificate", func(t *rapid.T) string { return pemBlock(t, "CERTIFICATE") }},
		{"two keys", func(t *rapid.T) string { return pemBlock(t, "PRIVATE KEY") + pemBlock(t, "PRIVATE KEY") }},
		{"text before the key", func(t *rapid.T) string { return "Bag Attributes\n" + pemBlock(t, "PRIVATE KEY") }},
		{"text after the key", func(t *rapid.T) string { return pemBlock(t, "PRIVATE KEY") + "more" }},
		{"a key cut off", func(t *rapid.T) string { return strings.TrimSuffix(pemBlock(t, "PRIVATE KEY"), "-----\n") }},
		{"a key without content", func(*rapid.T) string { return "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n" }},
	} {
		ways = append(ways, withMembers(w.name, func(t *rapid.T, file map[string]any) diag.Pointer {
			file["private_key"] = w.key(t)
			return "/private_key"
		}))
	}
	return ways
}

// withMembers makes a way of a function that breaks the members of a valid key file.
func withMembers(name string, violate func(t *rapid.T, file map[string]any) diag.Pointer) keyFileWay {
	return keyFileWay{name, func(t *rapid.T) ([]byte, diag.Pointer) {
		file := keyFile(t)
		path := violate(t, file)
		return draw.EncodeJSON(file), path
	}}
}

// malformedKeyFiles lists what is not one JSON object.
func malformedKeyFiles() []keyFileWay {
	var ways []keyFileWay
	for _, w := range []struct {
		name   string
		around func(text string) string
	}{
		{"cut off", func(text string) string { return text[:len(text)-1] }},
		{"followed by more", func(text string) string { return text + text }},
		{"in an array", func(text string) string { return "[" + text + "]" }},
		{"in a string", func(text string) string { return string(draw.EncodeJSON(text)) }},
		{"with a member twice", func(text string) string { return `{"private_key":"",` + text[1:] }},
		{"empty", func(string) string { return "" }},
		{"the key file's name", func(string) string { return "key.json" }},
		{"with a comma too many", func(text string) string { return text[:len(text)-1] + ",}" }},
		{"the key alone", func(string) string { return "-----BEGIN PRIVATE KEY-----" }},
	} {
		ways = append(ways, keyFileWay{w.name, func(t *rapid.T) ([]byte, diag.Pointer) {
			return []byte(w.around(string(draw.EncodeJSON(keyFile(t))))), ""
		}})
	}
	return ways
}
