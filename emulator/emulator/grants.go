package emulator

import (
	"maps"
	"net/http"
	"slices"

	"github.com/calrules/calrules/emulator/internal/oauth"
	"github.com/calrules/calrules/limits"
)

// granting returns the options for the OAuth handler. Without a table of tokens, every string is a valid token of the
// default user.
func (s *Server) granting() oauth.Options {
	names := slices.Sorted(maps.Keys(s.tokens))
	tokenOf := func(email string) (string, bool) {
		if s.tokens == nil {
			return oauth.NewToken(), true
		}
		i := slices.IndexFunc(names, func(name string) bool { return limits.SameAddress(s.tokens[name].Email, email) })
		if i < 0 {
			return "", false
		}
		return names[i], true
	}
	user := s.user
	if _, ok := tokenOf(user); !ok && len(names) > 0 {
		user = s.tokens[names[0]].Email
	}
	return oauth.Options{User: user, TokenOf: tokenOf, UserOf: func(r *http.Request) (string, bool) {
		system, _ := splitQuery(r.URL.RawQuery)
		token, err := s.authenticate(r, system)
		return token.Email, err == nil
	}}
}
