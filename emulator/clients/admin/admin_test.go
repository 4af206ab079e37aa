package admin_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/db"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/rtdbauth"
)

var policy = rtdbauth.Policy{Dialect: diag.Google}

// newClient returns a client that finds the database by an environment variable. The client takes a host that begins with
// a digit for no address.
func newClient(t *testing.T, rules string, auth map[string]any) *db.Client {
	t.Helper()
	options := rtdb.Options{Verifier: policy.EmulatorOwner(nil), Policy: policy}
	if rules != "" {
		var err error
		if options.Rules, err = rtdb.ParseRules([]byte(rules)); err != nil {
			t.Fatal(err)
		}
	}
	database, err := rtdb.New(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(database)
	t.Cleanup(server.Close)
	t.Setenv("FIREBASE_DATABASE_EMULATOR_HOST", "localhost:"+server.URL[strings.LastIndexByte(server.URL, ':')+1:]+"?ns=test")
	config := &firebase.Config{DatabaseURL: "https://test.firebaseio.com", ProjectID: "test", AuthOverride: &auth}
	app, err := firebase.NewApp(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := app.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

type user struct {
	Name string `json:"name"`
	Age  int    `json:"age"`
}

func TestAdminClient(t *testing.T) {
	ctx := t.Context()
	users := newClient(t, "", map[string]any{}).NewRef("users")
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(users.Set(ctx, map[string]user{"ada": {"Ada", 36}, "bob": {"Bob", 40}}))
	ok(users.Child("bob").Update(ctx, map[string]any{"age": 41, "address/city": "Berlin"}))
	pushed, err := users.Push(ctx, user{"Cid", 30})
	ok(err)
	var cid user
	ok(pushed.Get(ctx, &cid))
	ok(pushed.Delete(ctx))
	ok(users.Child("ada/age").Transaction(ctx, func(node db.TransactionNode) (any, error) {
		var age int
		err := node.Unmarshal(&age)
		return age + 1, err
	}))
	var all map[string]any
	ok(users.Get(ctx, &all))
	want := map[string]any{
		"ada": map[string]any{"name": "Ada", "age": 37.0},
		"bob": map[string]any{"name": "Bob", "age": 41.0, "address": map[string]any{"city": "Berlin"}},
	}
	if diff := cmp.Diff(want, all); diff != "" || cid != (user{"Cid", 30}) {
		t.Errorf("Cid is %v, and the users are (-want +got):\n%s", cid, diff)
	}

	var shallow map[string]any
	ok(users.GetShallow(ctx, &shallow))
	if diff := cmp.Diff(map[string]any{"ada": true, "bob": true}, shallow); diff != "" {
		t.Errorf("shallow (-want +got):\n%s", diff)
	}
	for _, query := range []struct {
		name  string
		query *db.Query
		want  []string
	}{
		{"by age", users.OrderByChild("age"), []string{"ada", "bob"}},
		{"oldest", users.OrderByChild("age").LimitToLast(1), []string{"bob"}},
		{"up to 40", users.OrderByChild("age").EndAt(40), []string{"ada"}},
		{"from b", users.OrderByKey().StartAt("b"), []string{"bob"}},
		{"equal", users.OrderByChild("name").EqualTo("Ada"), []string{"ada"}},
		{"none", users.OrderByChild("name").EqualTo("Eve"), nil},
	} {
		nodes, err := query.query.GetOrdered(ctx)
		ok(err)
		var got []string
		for _, node := range nodes {
			got = append(got, node.Key())
		}
		if diff := cmp.Diff(query.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query.name, diff)
		}
	}

	tag, err := users.GetWithETag(ctx, &all)
	ok(err)
	if changed, _, err := users.GetIfChanged(ctx, tag, &all); err != nil || changed {
		t.Errorf("the users have changed: %v %v", changed, err)
	}
	if set, err := users.SetIfUnchanged(ctx, "another", nil); err != nil || set {
		t.Errorf("the users were set in spite of another tag: %v %v", set, err)
	}
	if set, err := users.SetIfUnchanged(ctx, tag, nil); err != nil || !set {
		t.Errorf("the users were not set: %v %v", set, err)
	}
}

// Two programs that change one number at the same time lose no change.
func TestTransactions(t *testing.T) {
	counter := newClient(t, "", map[string]any{}).NewRef("counter")
	const n = 10
	errs := make(chan error)
	for range n {
		go func() {
			errs <- counter.Transaction(t.Context(), func(node db.TransactionNode) (any, error) {
				var count int
				err := node.Unmarshal(&count)
				return count + 1, err
			})
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	var count int
	if err := counter.Get(t.Context(), &count); err != nil || count != n {
		t.Errorf("the counter is %d, %v, want %d", count, err, n)
	}
}

// A client can act as a user, whom the rules bind.
func TestOverride(t *testing.T) {
	const rules = `{"rules":{"public":{".read":true},"private":{".read":"auth != null"}}}`
	for _, test := range []struct {
		auth map[string]any
		want map[string]string // errors
	}{
		{map[string]any{"uid": "ada"}, map[string]string{"public": "", "private": "", "other": "Permission denied"}},
		{nil, map[string]string{"public": "", "private": "Permission denied", "other": "Permission denied"}},
	} {
		client := newClient(t, rules, test.auth)
		for path, want := range test.want {
			var data any
			err := client.NewRef(path).Get(t.Context(), &data)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("as %v, /%s: %v, want %q", test.auth, path, err, want)
			}
		}
	}
}
