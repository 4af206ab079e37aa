package oauth

import (
	"net/http"
	"strings"
)

const (
	metadata = "/computeMetadata/"
	flavor   = "Metadata-Flavor" // a header field of all requests and responses, with the value vendor
	vendor   = "Google"
	projects = "emulator"
)

// calendarScope is the scope of the service account of the metadata server.
const calendarScope = "https://www.googleapis.com/auth/calendar"

// metadata acts as the metadata server of a virtual machine. The user is the default service account.
func (h *handler) metadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(flavor, vendor)
	if r.Header.Get(flavor) != vendor {
		http.Error(w, "The field "+flavor+": "+vendor+" is missing.", http.StatusForbidden)
		return
	}
	path := strings.Trim(strings.TrimPrefix(r.URL.Path, metadata+"v1"), "/")
	for _, name := range []string{"default", h.User} {
		if rest, ok := strings.CutPrefix(path, "instance/service-accounts/"+name); ok {
			h.account(w, r, strings.Trim(rest, "/"))
			return
		}
	}
	switch path {
	case "", "computeMetadata", "instance":
		text(w, "")
	case "instance/service-accounts":
		text(w, "default/\n"+h.User+"/\n")
	case "project/project-id":
		text(w, projects)
	case "project/numeric-project-id":
		text(w, "1")
	case "instance/zone":
		text(w, "projects/1/zones/emulator")
	case "instance/id":
		text(w, "1")
	case "universe/universe-domain", "universe/universe_domain":
		text(w, "googleapis.com")
	default:
		http.Error(w, "The emulator has no metadata "+path+".", http.StatusNotFound)
	}
}

// account handles requests for information about the service account.
func (h *handler) account(w http.ResponseWriter, r *http.Request, path string) {
	switch path {
	case "":
		if !strings.EqualFold(r.URL.Query().Get("recursive"), "true") {
			text(w, "aliases\nemail\nscopes\ntoken\n")
			return
		}
		answer(w, http.StatusOK, map[string]any{"aliases": []string{"default"}, "email": h.User, "scopes": []string{calendarScope}})
	case "email":
		text(w, h.User)
	case "aliases":
		text(w, "default\n")
	case "scopes":
		text(w, calendarScope+"\n")
	case "token":
		token, ok := h.TokenOf(h.User)
		if !ok {
			http.Error(w, "The emulator has no token for "+h.User+".", http.StatusNotFound)
			return
		}
		answer(w, http.StatusOK, granted{AccessToken: token, ExpiresIn: lifetime, TokenType: "Bearer"})
	default:
		http.Error(w, "The emulator has no metadata "+path+" of a service account.", http.StatusNotFound)
	}
}

// text writes a plain-text response.
func text(w http.ResponseWriter, what string) {
	w.Header().Set("Content-Type", "application/text")
	w.Write([]byte(what)) // fails only if the client has disconnected
}
