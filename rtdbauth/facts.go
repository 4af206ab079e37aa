package rtdbauth

import (
	"context"
	"encoding/json"
	"math"
	"time"
)

// Verifier knows what tokens are worth. It is the embedder's: it checks signatures, asks a
// token service, or looks secrets up.
type Verifier interface {
	// VerifyToken returns what is known of the token. A token that is known to be bad is
	// no error but a fact; an error says that no answer could be had, and leaves the
	// request [Unspecified]. The error is not shown to anyone, since it may hold the token.
	VerifyToken(ctx context.Context, c Credential) (Facts, error)
}

// Kind is what a token is, by the word of its verifier and not by its looks.
type Kind uint8

// The kinds of token. The zero value is a token of which the verifier does not say what it
// is; KindOther is one of which it does, and which is no credential of this service.
const (
	KindUnknown Kind = iota
	KindOAuthAccess
	KindIDToken
	KindLegacySecret
	KindLegacyToken
	KindOther
)

var kindWords = []string{"unknown", "oauth_access", "id_token", "legacy_secret", "legacy_token", "other"}

// String returns the kind's word in the batch form, such as "id_token", or "unknown" or "other".
func (k Kind) String() string { return word(kindWords, k) }

// kindOf reads a kind's word.
func kindOf(text string) Kind {
	switch k := value[Kind](kindWords, text); {
	case k != KindUnknown:
		return k
	case text == "":
		return KindUnknown
	default:
		return KindOther
	}
}

// Facts are what a verifier knows of one token. What is absent is unknown, which is not the
// same as false: the zero value knows nothing, and grants nothing. What a token claims about
// its bearer beyond this has no effect, since the rules apply whatever it says.
type Facts struct {
	Kind     Kind
	Verified Fact // the token is genuine: its signature, or its issuer, vouches for it
	Expired  Fact // beside Expires; where either says that it has expired, it has
	Revoked  Fact

	// The times of the token (RFC 7519 section 4.1). The zero time is unknown. They are
	// judged by the clock that [Decide] is given; without one they settle nothing.
	Expires, NotBefore, IssuedAt time.Time

	// Audience and Database say whether the token was issued for the project, or the
	// database, that is being addressed.
	Audience, Database Fact

	// Of an OAuth 2.0 access token.
	ServiceAccount Fact     // it was issued to a service account
	DBPermission   Fact     // its service account has suitable permissions for the database
	Scopes         []string // nil is unknown, empty is none

	// Of an identity token: the single user that it identifies. Nil is unknown, empty is
	// nobody.
	UID *string
}

// UnmarshalJSON reads the facts about one token in the batch form. A value of the wrong JSON
// type leaves all of them unknown, as does an entry that is no object: a fact that was given
// and cannot be read may be the one that counts against the token. An object that repeats a
// member is an error.
func (f *Facts) UnmarshalJSON(data []byte) error {
	var err error
	if *f, err = readFacts(data); err == errDuplicate {
		return err
	}
	return nil
}

// errVerifier stands for what the batch form says under verifier_error, which is not repeated:
// it may hold the token.
const errVerifier formError = "the verifier failed, as its verifier_error says; ask it again"

// readFacts reads the facts about one token in the batch form, or says why they are no answer.
func readFacts(data []byte) (Facts, error) {
	var kind, issuedTo, db, audience, uid optional[string]
	var exp, nbf, iat optional[float64]
	var scopes optional[[]string]
	var verified, expired, revoked, dbPermission optional[bool]
	var failed json.RawMessage
	err := readObject(data, members{
		"kind": &kind, "issued_to": &issuedTo, "db": &db, "audience": &audience, "uid": &uid,
		"exp": &exp, "nbf": &nbf, "iat": &iat, "scopes": &scopes, "verifier_error": &failed,
		"verified": &verified, "expired": &expired, "revoked": &revoked, "db_permission": &dbPermission,
	})
	switch {
	case failed != nil && err != errDuplicate:
		return Facts{}, errVerifier // nothing else that it says counts then
	case err != nil:
		return Facts{}, err
	}
	isTrue := func(b bool) bool { return b }
	f := Facts{
		Kind: kindOf(kind.value), Verified: verified.is(isTrue), Expired: expired.is(isTrue), Revoked: revoked.is(isTrue),
		Expires: unix(exp), NotBefore: unix(nbf), IssuedAt: unix(iat),
		Audience: audience.is(addressed), Database: db.is(addressed),
		ServiceAccount: issuedTo.is(func(s string) bool { return s == "service_account" }),
		DBPermission:   dbPermission.is(isTrue),
		Scopes:         scopes.value,
	}
	if uid.known {
		f.UID = &uid.value
	}
	return f, nil
}

// factsOnly drops the error about what is no object: that holds no facts, and is unknown.
func factsOnly(err error) error {
	if err == errNoObject {
		return nil
	}
	return err
}

// optional is a JSON value that stays unknown where it is null or of another type.
type optional[T any] struct {
	value T
	known bool
}

// UnmarshalJSON fails where the value is of another type.
func (o *optional[T]) UnmarshalJSON(data []byte) error {
	var v *T
	err := json.Unmarshal(data, &v)
	if err == nil && v != nil {
		o.value, o.known = *v, true
	}
	return err
}

// is returns whether a known value passes the test.
func (o optional[T]) is(test func(T) bool) Fact {
	if !o.known {
		return Unknown
	}
	return FactOf(test(o.value))
}

// addressed reports whether a word names the project or the database that the request goes
// to: the batch form calls them this_project and this_database, or this_db. Any other word
// names another.
func addressed(word string) bool {
	return word == "this_project" || word == "this_database" || word == "this_db"
}

// yearOne stands for the beginning of the year 1, which a number of seconds may name: the time
// that it is, the zero [time.Time], is unknown.
var yearOne = time.Time{}.Add(-time.Nanosecond)

// unix returns the time of a number of seconds, which is unknown only where they are. A
// fraction counts: RFC 7519 section 2 admits them. Seconds that no [time.Time] holds are cut
// to the nearest that one does.
func unix(seconds optional[float64]) time.Time {
	if !seconds.known {
		return time.Time{}
	}
	const most = 1 << 60 // seconds; time.Time counts from the year 1 and has room to add to it
	whole, fraction := math.Modf(min(max(seconds.value, -most), most))
	at := time.Unix(int64(whole), int64(fraction*float64(time.Second)))
	if at.IsZero() {
		return yearOne
	}
	return at
}
