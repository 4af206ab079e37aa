package command

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// picture is the picture of a run at the top of the README.
const picture = "../docs/check.svg"

// pictured is the file of the run.
const pictured = `{
  "summary": "Sprint review",
  "start": {"dateTime": "2026-03-10T10:00:00-0400"},
  "end": {"dateTime": "2026-03-10T09:00:00-04:00", "timeZone": "Eastern Standard Time"},
  "reminders": {"useDefault": false, "overrides": [{"method": "sms", "minutes": 10}]}
}
`

// TestPicture checks that the picture shows what the command writes. With -update, it draws the picture.
func TestPicture(t *testing.T) {
	name, err := filepath.Abs(picture)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("event.json", []byte(pictured), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if status := Run([]string{"check", "--dialect", "google", "--color", "always", "event.json"}, nil, &out, &out); status != exitFound {
		t.Fatalf("status %d, want %d", status, exitFound)
	}
	got := drawTerminal("$ calrules check --dialect google event.json\n" + out.String())
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the picture (-want +got; -update draws it again):\n%s", diff)
	}
}

// The terminal of a picture, in characters and pixels.
const (
	columns    = 100
	charWidth  = 8
	lineHeight = 20
	padding    = 16
)

// drawTerminal returns an SVG picture of a terminal with a text.
func drawTerminal(text string) []byte {
	lines := breakLines(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	width, height := columns*charWidth+2*padding, len(lines)*lineHeight+2*padding
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="A run of calrules check">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="8" fill="#1c2128"/>`+"\n")
	fmt.Fprintf(&out, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#d5dbe3">`+"\n")
	for i, line := range lines {
		if plain := colors.ReplaceAllString(line, ""); plain != "" {
			fmt.Fprintf(&out, `<text x="%d" y="%d" textLength="%d">%s</text>`+"\n", padding, padding+i*lineHeight+14, len([]rune(plain))*charWidth, paintLine(line))
		}
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

// colors matches the escape sequences that begin and end a color.
var colors = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// ofColor are the colors of findings in a picture, by the parameters of their escape sequences.
var ofColor = map[string]string{"1;31": "#ff7b72", "1;33": "#e3b341", "1;36": "#76e3ea", "1;35": "#d2a8ff"}

// escapedColors matches the same after xml.EscapeText, which replaces the character ESC.
var escapedColors = regexp.MustCompile("\uFFFD\\[([0-9;]*)m")

// paintLine returns a line as SVG, with its colors.
func paintLine(line string) string {
	var escaped bytes.Buffer
	xml.EscapeText(&escaped, []byte(strings.ReplaceAll(line, " ", "\u00a0"))) // SVG drops repeated spaces; a buffer returns no errors
	return escapedColors.ReplaceAllStringFunc(escaped.String(), func(sequence string) string {
		color := escapedColors.FindStringSubmatch(sequence)[1]
		if color == "0" {
			return "</tspan>"
		}
		return fmt.Sprintf(`<tspan font-weight="bold" fill="%s">`, ofColor[color])
	})
}

// breakLines breaks lines that are longer than the terminal, between words.
func breakLines(lines []string) (broken []string) {
	for _, line := range lines {
		for len([]rune(colors.ReplaceAllString(line, ""))) > columns {
			at := strings.LastIndexByte(line[:columns], ' ')
			broken, line = append(broken, line[:at]), line[at+1:]
		}
		broken = append(broken, line)
	}
	return broken
}
