package rtdb

import (
	"encoding/json"
	"io"
	"net/http"
)

// rulesPath is the path of a database's rules, without .json.
const rulesPath = "/.settings/rules"

// noRules is the response for a database whose rules have never been set.
const noRules = `{"rules":{".read":false,".write":false}}`

// rules handles a request to read or write the rules. Only clients that bypass the rules may read or write them. Stored rules
// have no effect, because access depends only on [Options.Rules].
func (d *Database) rules(w http.ResponseWriter, in *request) error {
	if !in.decision.Bypass {
		return denied
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := in.decision.Database
	switch in.Method {
	case http.MethodGet, http.MethodHead:
		text, ok := d.ruleTexts[name]
		if !ok {
			text = []byte(noRules)
		}
		write(w, in, http.StatusOK, text)
		return nil
	case http.MethodPut:
		text, err := io.ReadAll(http.MaxBytesReader(w, in.Body, int64(d.options.MaxBytes)))
		if err != nil {
			return failure{http.StatusRequestEntityTooLarge, "The rules are too large or incomplete"}
		}
		var sent struct{ Rules map[string]any }
		if err := json.Unmarshal(text, &sent); err != nil || sent.Rules == nil {
			return bad("The rules must be an object with the member rules, in JSON without comments")
		}
		if _, exists := d.ruleTexts[name]; !exists && len(d.ruleTexts) >= maxTrees {
			return bad("There are rules of %d databases; more cannot be kept", maxTrees)
		}
		d.ruleTexts[name] = text
		write(w, in, http.StatusOK, []byte(`{"status":"ok"}`))
		return nil
	default:
		w.Header().Set("Allow", "GET, HEAD, PUT")
		return failure{http.StatusMethodNotAllowed, "Rules are read and written as a whole"}
	}
}
