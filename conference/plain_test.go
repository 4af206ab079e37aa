package conference

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
)

// comparePlain fails if a rule reports something about a change that counts as plain. It returns whether the change does.
func comparePlain(t *testing.T, text string) bool {
	d := new(Data)
	_ = d.UnmarshalJSON([]byte(text)) // wrong types are wanted
	isPlain := false
	for _, on := range []diag.When{occasion.Insert, occasion.Import, occasion.Update, occasion.Patch, diag.Response} {
		for _, c := range []Change{{New: d, Sent: true, Version: 1}, {New: d, Unknown: true, Version: 1}, {New: d, Sent: true}, {Old: d, New: new(Data), Version: 1}} {
			if !c.isPlain(on) {
				continue
			}
			isPlain = true
			var report diag.Report
			if c.check(on, &report, ""); len(report.Findings) > 0 {
				t.Errorf("%s is plain, but: %v", text, report.Findings)
			}
		}
	}
	return isPlain
}

// plainSeeds are conferences that are plain, and some that are nearly so.
func plainSeeds() (seeds []string) {
	long := strings.Repeat("1", 129)
	for _, rest := range []string{``, `,"conferenceId":"acme-1"`, `,"conferenceId":"abc-mnop-xyz","notes":"n"`, `,"notes":"` + strings.Repeat("n", 2049) + `"`, `,"createRequest":{}`} {
		for _, typ := range []string{`"addOn"`, `"videoMeet"`, `"eventVideo"`, `"x"`, `""`} {
			seeds = append(seeds, `{"conferenceSolution":{"key":{"type":`+typ+`}},"entryPoints":[{"entryPointType":"video","uri":"https://a.example/"}]`+rest+`}`)
		}
	}
	for _, typ := range []string{"video", "phone", "sip", "more", "fax", ""} {
		for _, uri := range []string{"https://a.example/", "http://", "tel:+1", "tel:", "sip:a@b.example", "", "https://a.example/" + strings.Repeat("a", 1300)} {
			entry := fmt.Sprintf(`{"entryPointType":%q,"uri":%q}`, typ, uri)
			for _, entries := range []string{``, entry, entry + `,` + entry, entry + `,{"entryPointType":"phone","uri":"tel:1"}`, entry + `,7`} {
				seeds = append(seeds, `{"conferenceSolution":{"key":{"type":"addOn"}},"entryPoints":[`+entries+`]}`)
			}
		}
	}
	for _, doubled := range []string{"video", "sip", "more"} { // and enough others
		entries := ""
		for _, typ := range []string{"video", "phone", "phone", "phone", "sip", "more", doubled} {
			uri := map[string]string{"phone": "tel:1", "sip": "sip:a@b.example"}[typ]
			entries += fmt.Sprintf(`,{"entryPointType":%q,"uri":%q}`, typ, cmp.Or(uri, "https://a.example/"))
		}
		seeds = append(seeds, `{"conferenceSolution":{"key":{"type":"addOn"}},"entryPoints":[`+entries[1:]+`]}`)
	}
	for _, member := range []string{`"label":"l"`, `"label":"` + strings.Repeat("l", 513) + `"`, `"label":7`, `"pin":"` + long + `"`, `"accessCode":"` + long + `"`, `"meetingCode":"` + long + `"`, `"passcode":"` + long + `"`, `"password":"` + long + `"`, `"unlisted":1`} {
		for _, typ := range []string{"video", "more"} {
			entry := `{"entryPointType":"` + typ + `","uri":"https://a.example/",` + member + `}`
			seeds = append(seeds, `{"conferenceSolution":{"key":{"type":"addOn"}},"entryPoints":[`+entry+`,{"entryPointType":"phone","uri":"tel:1"}]}`)
		}
	}
	return seeds
}

func TestPlainChangesHaveNoFindings(t *testing.T) {
	plain := 0
	for _, seed := range plainSeeds() {
		if comparePlain(t, seed) {
			plain++
		}
	}
	if plain < 10 {
		t.Errorf("%d of the changes are plain", plain)
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range plainSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { comparePlain(t, text) })
}
