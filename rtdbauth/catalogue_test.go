package rtdbauth_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/rtdbauth"
)

// statements are the rules of the specification.
const statements = `
rtdb.path reject request stated
rtdb.method unspecified request stated
rtdb.none decide request stated
rtdb.service-account decide request stated
rtdb.service-account.scopes reject token stated
rtdb.service-account.empty reject token stated
rtdb.key-file reject key stated
rtdb.id-token decide request stated
rtdb.id-token.expired reject token stated
rtdb.legacy decide request stated
rtdb.legacy.presentation unspecified request stated
rtdb.legacy.revoked decide token stated
rtdb.bearer reject request rfc
rtdb.one-credential reject request rfc
rtdb.errors unspecified request stated
rtdb.ok effect request stated
rtdb.secret-handling effect all inferred
rtdb.override decide request observed`

func TestCatalogueMatchesSpecification(t *testing.T) {
	var got []string
	for r := range rtdbauth.Catalogue().All() {
		got = append(got, strings.Join([]string{r.ID, r.Does(), r.When.String(), string(r.Basis)}, " "))
		if r.Summary == "" || r.Section == "" || r.Good.Example().Request == "" || r.Bad.Example().Request == "" {
			t.Errorf("%s has no summary, no section or no example", r.ID)
		}
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(statements), "\n"), got); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
}
