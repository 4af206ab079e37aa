// Package oauth serves programs that request an access token before they call the service. The package provides the token
// endpoint, the page that asks a user for consent, and the metadata server of a virtual machine. The package checks only
// the form of a request, and does not verify signatures, secrets or codes.
package oauth

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/calrules/calrules/event"
)

// Options contains the functions through which a handler finds users and tokens. All fields are required.
type Options struct {
	// User is the user who consents if a request does not name a user.
	User string

	// TokenOf returns an access token for the user or service account with the given email address, or false if there is none.
	TokenOf func(email string) (token string, ok bool)

	// UserOf returns the email address of the user whose access token is in a request, or false if there is no valid token.
	UserOf func(*http.Request) (email string, ok bool)
}

// lifetime is the stated lifetime of an access token, in seconds, as in the public service.
const lifetime = 3599

// handler is the handler returned by New.
type handler struct {
	Options
	*http.ServeMux
}

// New returns a handler, and a function that reports whether a request is intended for the handler.
func New(o Options) (_ http.Handler, isFor func(*http.Request) bool) {
	h := &handler{Options: o, ServeMux: http.NewServeMux()}
	for _, path := range []string{"/token", "/oauth2/v3/token", "/oauth2/v4/token", "/o/oauth2/token", "/v1/token"} {
		h.HandleFunc("POST "+path, h.token)
	}
	for _, path := range []string{"/o/oauth2/auth", "/o/oauth2/v2/auth"} {
		h.HandleFunc("GET "+path, h.consent)
	}
	h.HandleFunc("POST /revoke", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, struct{}{}) })
	for _, path := range []string{"/oauth2/v1/userinfo", "/oauth2/v2/userinfo", "/oauth2/v3/userinfo", "/v1/userinfo"} {
		h.HandleFunc("GET "+path, h.userinfo)
	}
	h.HandleFunc("GET "+metadata, h.metadata)
	return h, func(r *http.Request) bool {
		if _, pattern := h.Handler(r); pattern != "" {
			return true
		}
		return r.URL.Path == "/" && r.Header.Get(flavor) != "" // a program looking for a metadata server
	}
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		h.metadata(w, r)
		return
	}
	h.ServeMux.ServeHTTP(w, r)
}

// granted is a successful response from the token endpoint (RFC 6749 section 5.1).
type granted struct {
	AccessToken  string `json:"access_token"`
	ExpiresIn    int    `json:"expires_in"`
	TokenType    string `json:"token_type"`
	RefreshToken string `json:"refresh_token,omitempty"`
	Scope        string `json:"scope,omitempty"`
	IssuedType   string `json:"issued_token_type,omitempty"` // for a token exchange (RFC 8693)
}

// refusal is an error from the token endpoint (RFC 6749 section 5.2).
type refusal struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// accessToken is the type of token that a token exchange issues.
const accessToken = "urn:ietf:params:oauth:token-type:access_token"

// consented is encoded in codes and refresh tokens, because the emulator keeps no record of issued codes and tokens.
type consented struct {
	Email string `json:"e"`
	Scope string `json:"s,omitempty"`
}

func (c consented) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // cannot happen: strings can always be encoded
	}
	return prefix + base64.RawURLEncoding.EncodeToString(text)
}

// prefix is the prefix of codes and refresh tokens, as in the public service.
const prefix = "1//"

// consented decodes a code or a refresh token. For a token that the emulator did not issue, consented returns the default user.
func (h *handler) consented(text string) consented {
	c := consented{Email: h.User}
	if own, ok := strings.CutPrefix(text, prefix); ok {
		if plain, err := base64.RawURLEncoding.DecodeString(own); err == nil {
			if json.Unmarshal(plain, &c) != nil || c.Email == "" {
				c = consented{Email: h.User}
			}
		}
	}
	return c
}

// token handles the token endpoint.
func (h *handler) token(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, event.DefaultMaxBytes)
	form, err := readForm(r)
	if err != nil {
		answer(w, http.StatusBadRequest, refusal{"invalid_request", "The body is neither a form nor a JSON object of texts."})
		return
	}
	missing := func(name string) bool {
		if form.Get(name) != "" {
			return false
		}
		answer(w, http.StatusBadRequest, refusal{"invalid_request", "The parameter " + name + " is missing."})
		return true
	}
	switch grant := form.Get("grant_type"); grant {
	case "authorization_code":
		if missing("code") {
			return
		}
		c := h.consented(form.Get("code"))
		h.grant(w, c.Email, granted{RefreshToken: c.String(), Scope: c.Scope})
	case "refresh_token":
		if missing("refresh_token") {
			return
		}
		c := h.consented(form.Get("refresh_token"))
		h.grant(w, c.Email, granted{Scope: c.Scope})
	case "urn:ietf:params:oauth:grant-type:jwt-bearer":
		if missing("assertion") {
			return
		}
		email, fault := asserted(form.Get("assertion"))
		if fault != "" {
			answer(w, http.StatusBadRequest, refusal{"invalid_grant", "The assertion " + fault + "."})
			return
		}
		h.grant(w, email, granted{})
	case "urn:ietf:params:oauth:grant-type:token-exchange":
		if missing("subject_token") {
			return
		}
		h.grant(w, h.User, granted{IssuedType: accessToken})
	case "":
		missing("grant_type")
	default:
		answer(w, http.StatusBadRequest, refusal{"unsupported_grant_type", "The grant_type " + grant + " is not one that the emulator has."})
	}
}

// readForm reads the parameters of a token request, which some clients send as JSON.
func readForm(r *http.Request) (url.Values, error) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		err := r.ParseForm()
		return r.PostForm, err
	}
	var texts map[string]string
	if err := json.NewDecoder(r.Body).Decode(&texts); err != nil {
		return nil, err
	}
	form := url.Values{}
	for name, value := range texts {
		form.Set(name, value)
	}
	return form, nil
}

// unpadded converts base64 text to the unpadded URL alphabet of a JWT. The public service accepts the padded assertions from
// google-oauth-jwt, which are in the standard alphabet.
var unpadded = strings.NewReplacer("+", "-", "/", "_", "=", "")

// asserted returns the subject of an assertion (RFC 7523): the service account or the user that it impersonates. The returned
// fault is empty if the assertion is a JWT.
func asserted(assertion string) (email, fault string) {
	parts := strings.Split(assertion, ".")
	if len(parts) != 3 {
		return "", "is not a JWT: it must have three parts"
	}
	claims, err := base64.RawURLEncoding.DecodeString(unpadded.Replace(parts[1]))
	var about struct{ Iss, Sub string }
	if err != nil || json.Unmarshal(claims, &about) != nil {
		return "", "is not a JWT: its claims cannot be read"
	}
	if about.Iss == "" {
		return "", "has no iss, which says who asks"
	}
	if about.Sub != "" {
		return about.Sub, ""
	}
	return about.Iss, ""
}

// grant responds with an access token for the given user.
func (h *handler) grant(w http.ResponseWriter, email string, g granted) {
	token, ok := h.TokenOf(email)
	if !ok {
		answer(w, http.StatusBadRequest, refusal{"invalid_grant", "The emulator has no token for " + email + "; --tokens lists those that it accepts."})
		return
	}
	g.AccessToken, g.ExpiresIn, g.TokenType = token, lifetime, "Bearer"
	answer(w, http.StatusOK, g)
}

// NewToken returns a unique token in the public service's form.
func NewToken() string { return "ya29." + rand.Text() }

// consent handles a request for the consent page as if the user had agreed. The login_hint parameter can name the user.
func (h *handler) consent(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	to, err := url.Parse(query.Get("redirect_uri"))
	switch {
	case query.Get("client_id") == "":
		answer(w, http.StatusBadRequest, refusal{"invalid_request", "The parameter client_id is missing."})
		return
	case query.Get("response_type") != "code":
		answer(w, http.StatusBadRequest, refusal{"unsupported_response_type", "The parameter response_type must be code."})
		return
	case err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || to.Fragment != "":
		answer(w, http.StatusBadRequest, refusal{"invalid_request", "The parameter redirect_uri must be an http or https URL without a fragment."})
		return
	}
	c := consented{Email: h.User, Scope: query.Get("scope")}
	if hint := query.Get("login_hint"); hint != "" {
		c.Email = hint
	}
	back := to.Query()
	back.Set("code", c.String())
	for _, name := range []string{"state", "scope"} {
		if value := query.Get(name); value != "" {
			back.Set(name, value)
		}
	}
	to.RawQuery = back.Encode()
	http.Redirect(w, r, to.String(), http.StatusFound)
}

// userinfo responds with the user to whom an access token belongs.
func (h *handler) userinfo(w http.ResponseWriter, r *http.Request) {
	email, ok := h.UserOf(r)
	if !ok {
		w.Header().Set("WWW-Authenticate", "Bearer")
		answer(w, http.StatusUnauthorized, refusal{"invalid_request", "The request has no access token that the emulator accepts."})
		return
	}
	answer(w, http.StatusOK, map[string]any{"id": email, "sub": email, "email": email, "email_verified": true, "verified_email": true})
}

// answer responds with JSON that must not be cached.
func answer(w http.ResponseWriter, status int, what any) {
	text, err := json.Marshal(what)
	if err != nil {
		panic(err) // cannot happen: the values are strings and numbers
	}
	w.Header().Set("Content-Type", "application/json") // without parameters, as some metadata clients require
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text) // fails only if the client has disconnected
}
