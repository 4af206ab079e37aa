package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/rtdbauth"
)

// databaseFile is what --database reads:
//
//	{"tokens": {"secret": {"uid": "ada"}, "robot": {"serviceAccount": true}}, "rules": {".read": true, ".write": false}}
type databaseFile struct {
	Tokens map[string]databaseToken `json:"tokens"`

	// Rules say whether requests to which the rules of the database apply may read and write. They apply to the
	// whole database; a program that uses package rtdb can have other rules.
	Rules struct {
		Read  bool `json:".read"`
		Write bool `json:".write"`
	} `json:"rules"`
}

// databaseToken describes a token of a user, or an OAuth 2.0 access token of a service account.
type databaseToken struct {
	UID            string `json:"uid"`
	ServiceAccount bool   `json:"serviceAccount"`
}

// databasePolicy has the names of the public service.
var databasePolicy = rtdbauth.Policy{Dialect: diag.Google}

// openDatabase returns an empty database with the tokens and rules of a file.
func openDatabase(file string) (*rtdb.Database, error) {
	var f databaseFile
	if err := readFile(file, &f); err != nil {
		return nil, err
	}
	return rtdb.New(rtdb.Options{
		Verifier: f, Policy: databasePolicy,
		Rules: func(a rtdb.Access) bool { return a.Write && f.Rules.Write || !a.Write && f.Rules.Read },
	})
}

// VerifyToken implements [rtdbauth.Verifier].
func (f databaseFile) VerifyToken(_ context.Context, _ rtdbauth.Place, sent rtdbauth.Token) (rtdbauth.Facts, error) {
	token, ok := f.Tokens[sent.Reveal()]
	if !ok {
		return rtdbauth.Facts{Verified: new(false)}, nil
	}
	facts := rtdbauth.Facts{Verified: new(true), Expired: new(false), Revoked: new(false), Audience: new(true), Database: new(true)}
	if token.ServiceAccount {
		scopes, _ := databasePolicy.RequiredScopes() // known, since the dialect is
		facts.Kind, facts.ServiceAccount, facts.DBPermission, facts.Scopes = rtdbauth.KindOAuthAccess, new(true), new(true), scopes[:]
	} else {
		facts.Kind, facts.UID = rtdbauth.KindIDToken, &token.UID
	}
	return facts, nil
}

// withDatabase returns a handler that serves a database below /database, and calls another handler for the rest.
func withDatabase(other, database http.Handler) http.Handler {
	const at = "/database"
	below := http.StripPrefix(at, database)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, at+"/") {
			below.ServeHTTP(w, r)
			return
		}
		other.ServeHTTP(w, r)
	})
}
