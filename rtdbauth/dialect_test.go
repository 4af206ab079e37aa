package rtdbauth_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

func TestRequiredScopes(t *testing.T) {
	for name, c := range map[string]struct {
		policy rtdbauth.Policy
		want   [2]string
		ok     bool
	}{
		"documents":      {rtdbauth.Policy{ScopeBase: scopeBase}, [2]string{scopeBase + "/auth/userinfo.email", scopeBase + "/auth/platform.database"}, true},
		"slash":          {rtdbauth.Policy{ScopeBase: scopeBase + "/"}, [2]string{scopeBase + "/auth/userinfo.email", scopeBase + "/auth/platform.database"}, true},
		"without a base": {rtdbauth.Policy{}, [2]string{"/auth/userinfo.email", "/auth/platform.database"}, false},
		"google":         {rtdbauth.Policy{Dialect: diag.Google}, [2]string{"https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/firebase.database"}, true},
		"google, a base": {rtdbauth.Policy{Dialect: diag.Google, ScopeBase: scopeBase}, [2]string{scopeBase + "/auth/userinfo.email", scopeBase + "/auth/firebase.database"}, true},
	} {
		if got, ok := c.policy.RequiredScopes(); got != c.want || ok != c.ok {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
}
