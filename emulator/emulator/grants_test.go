package emulator_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http/httptest"
	"net/url"
	"testing"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"github.com/calrules/calrules/emulator/emulator"
)

// The official client gets its tokens from the emulator, with the key of a service account, and acts as this account.
func TestOfficialClientGetsTokens(t *testing.T) {
	server := httptest.NewServer(emulator.New(emulator.WithClock(clock), emulator.WithOAuth(), emulator.WithTokens(map[string]emulator.Token{
		"1": {Email: "ada@example.com"}, "2": {Email: "robot@example.com", ServiceAccount: true},
	})))
	defer server.Close()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	account := object{
		"type": "service_account", "client_email": "robot@example.com", "private_key_id": "1", "project_id": "emulator", "token_uri": server.URL + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
	}
	c, err := calendar.NewService(t.Context(), option.WithEndpoint(server.URL+"/calendar/v3/"), option.WithScopes(calendar.CalendarScope),
		option.WithAuthCredentialsJSON(option.ServiceAccount, encodeObject(t, account)))
	if err != nil {
		t.Fatal(err)
	}
	if cal, err := c.Calendars.Get("primary").Do(); err != nil || cal.Id != "robot@example.com" {
		t.Errorf("%+v, %v", cal, err)
	}
}

// Without the option there are no tokens to have. With it, a user without a token has none.
func TestGrants(t *testing.T) {
	ask := func(c *client, email string) (status int, token string) {
		t.Helper()
		claims := base64.RawURLEncoding.EncodeToString(encodeObject(t, object{"iss": email}))
		resp, err := c.http.PostForm(c.url+"/token", url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {"e30." + claims + ".c2ln"}})
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var o object
		if err := json.NewDecoder(resp.Body).Decode(&o); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, o.text("access_token")
	}
	tokens := emulator.WithTokens(map[string]emulator.Token{"b": {Email: "ada@example.com"}, "a": {Email: "ada@example.com"}})
	if status, _ := ask(newClient(t, tokens), "ada@example.com"); status != 404 {
		t.Errorf("without the option: %d", status)
	}
	c := newClient(t, tokens, emulator.WithOAuth())
	if status, token := ask(c, "ada@example.com"); status != 200 || token != "a" {
		t.Errorf("%d %q", status, token)
	}
	if status, token := ask(c, "eve@example.com"); status != 400 || token != "" {
		t.Errorf("%d %q", status, token)
	}
	c.do(204, "POST", "/emulator/faults", `{"path":"/token","status":503,"times":1}`, "Authorization: Bearer a")
	if status, _ := ask(c, "ada@example.com"); status != 503 {
		t.Errorf("with a fault: %d", status)
	}
	c = newClient(t, emulator.WithOAuth())
	_, first := ask(c, "eve@example.com")
	if _, second := ask(c, "eve@example.com"); first == "" || first == second {
		t.Errorf("the tokens are %q and %q", first, second)
	}
	if text := c.page(200, "/"); text == "" { // the page is still there
		t.Error("there is no page")
	}
}
