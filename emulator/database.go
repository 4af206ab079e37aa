package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/rtdbauth"
)

// databaseTokens is the content of the --database-tokens file: {"secret": {"uid": "ada"}, "robot": {"serviceAccount": true}}.
type databaseTokens map[string]databaseToken

// databaseToken describes a user's token, or a service account's OAuth 2.0 access token.
type databaseToken struct {
	UID            string
	ServiceAccount bool
}

var databaseTokenObject = ndjson.NewObject("a token",
	ndjson.Of("uid", func(t *databaseToken) *string { return &t.UID }, ndjson.Text[string]),
	ndjson.Of("serviceAccount", func(t *databaseToken) *bool { return &t.ServiceAccount }, ndjson.Bool),
).Closed()

func (t databaseToken) check() error {
	if t.ServiceAccount == (t.UID != "") {
		return errors.New("a token is for a user, with a uid, or for a service account")
	}
	return nil
}

// databasePolicy uses the names of the public service.
var databasePolicy = rtdbauth.Policy{Dialect: diag.Google}

// openDatabase returns an empty database with tokens and rules from two files. Without a tokens file, only the owner's token is
// known. Without a rules file, the rules deny all access.
func openDatabase(tokensFile, rulesFile string) (_ *rtdb.Database, err error) {
	var tokens databaseTokens
	if tokensFile != "" {
		if tokens, err = readTable(tokensFile, databaseTokenObject, databaseToken.check); err != nil {
			return nil, err
		}
	}
	options := rtdb.Options{Verifier: databasePolicy.EmulatorOwner(tokens), Policy: databasePolicy}
	if rulesFile != "" {
		text, err := readFile(rulesFile)
		if err != nil {
			return nil, err
		}
		if options.Rules, err = rtdb.ParseRules(text); err != nil {
			return nil, fmt.Errorf("%s: %w", rulesFile, err)
		}
	}
	return rtdb.New(options)
}

// VerifyToken implements [rtdbauth.Verifier].
func (t databaseTokens) VerifyToken(_ context.Context, _ rtdbauth.Place, sent rtdbauth.Token) (rtdbauth.Facts, error) {
	token, ok := t[sent.Reveal()]
	if !ok {
		return rtdbauth.Facts{Verified: new(false)}, nil
	}
	facts := rtdbauth.Facts{Verified: new(true), Expired: new(false), Revoked: new(false), Audience: new(true), Database: new(true)}
	if token.ServiceAccount {
		scopes, _ := databasePolicy.RequiredScopes() // always known for the google dialect
		facts.Kind, facts.ServiceAccount, facts.DBPermission, facts.Scopes = rtdbauth.KindOAuthAccess, new(true), new(true), scopes[:]
	} else {
		facts.Kind, facts.UID = rtdbauth.KindIDToken, &token.UID
	}
	return facts, nil
}

// withDatabase returns a handler that serves a database and a calendar service. Database paths end with .json. Clients that
// use the WebSocket or long-polling protocol request /.ws and /.lp.
func withDatabase(calendars, database http.Handler) http.Handler {
	ofCalendars := []string{"/calendar/", "/v3/", "/batch/", "/discovery/", "/emulator/"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, prefix := range ofCalendars {
			if strings.HasPrefix(r.URL.Path, prefix) {
				calendars.ServeHTTP(w, r)
				return
			}
		}
		if strings.HasSuffix(r.URL.Path, ".json") || strings.HasPrefix(r.URL.Path, "/.") {
			database.ServeHTTP(w, r)
			return
		}
		calendars.ServeHTTP(w, r)
	})
}
