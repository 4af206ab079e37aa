package emulator

import (
	"crypto/rand"
	"net/http"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
)

// Option is an option for [New] and [Open].
type Option func(*options)

type options struct {
	user      string
	zone      string
	tokens    map[string]Token
	checker   event.Checker
	now       func() time.Time
	maxBytes  int
	documents bool
	problems  bool
	oauth     bool
	syncLife  time.Duration
	horizon   time.Duration
	seed      uint64
	notify    *http.Client
}

func defaults() options {
	return options{
		user:     "user@example.com",
		zone:     "UTC",
		now:      time.Now,
		syncLife: 28 * 24 * time.Hour,
		horizon:  2 * 366 * 24 * time.Hour,
		notify:   &http.Client{Timeout: 5 * time.Second},
	}
}

// Token describes the user and the permissions of a bearer token.
type Token struct {
	Email          string   `json:"email"`                    // address of the user or service account
	Scopes         []string `json:"scopes,omitempty"`         // as full URLs; nil means all scopes that any request needs
	ServiceAccount bool     `json:"serviceAccount,omitempty"` // acts without a user
	Delegation     bool     `json:"delegation,omitempty"`     // the service account has domain-wide delegation
}

// WithUser sets the email address of the user on whose behalf all requests are made. The address is also the id of the
// user's primary calendar. The default is user@example.com.
func WithUser(email string) Option { return func(o *options) { o.user = email } }

// WithTimeZone sets the time zone of users, and of new calendars that do not specify a time zone, such as Europe/Berlin. The
// default is UTC, which is also used for an unknown name.
func WithTimeZone(name string) Option {
	return func(o *options) {
		if limits.IsZone(name) {
			o.zone = name
		}
	}
}

// WithTokens sets the bearer tokens that the emulator accepts. Requests without an accepted token are refused with status 401.
// By default, all requests act as the same user, and tokens are ignored.
func WithTokens(tokens map[string]Token) Option { return func(o *options) { o.tokens = tokens } }

// WithChecker sets the checker that decides on requests. Use WithChecker for custom gradings, limits and rules, or for ids that
// are not random.
func WithChecker(c event.Checker) Option { return func(o *options) { o.checker = c } }

// WithClock sets the clock. The default is [time.Now].
func WithClock(now func() time.Time) Option {
	return func(o *options) {
		if now != nil {
			o.now = now
		}
	}
}

// WithMaxBytes sets the maximum length of a request body, in bytes. The default is [event.DefaultMaxBytes].
func WithMaxBytes(n int) Option { return func(o *options) { o.maxBytes = n } }

// WithProblems makes the emulator send refusals as problem details (RFC 9457) even if a request does not accept problem
// details.
func WithProblems() Option { return func(o *options) { o.problems = true } }

// WithDocuments makes full lists at /calendar/v3 omit cancelled instances, as the documents require. The public service
// includes cancelled instances.
func WithDocuments() Option { return func(o *options) { o.documents = true } }

// WithOAuth serves programs that request an access token before they call the service. WithOAuth provides the token
// endpoint, the consent page and the metadata server, with the same paths as the public service. Every well-formed request gets
// a token. With [WithTokens], the token is one of the accepted tokens, which then no longer protect anything.
func WithOAuth() Option { return func(o *options) { o.oauth = true } }

// WithSyncTokenLife sets the lifetime of a sync token, after which its use is refused with status 410. The default is 28 days.
func WithSyncTokenLife(d time.Duration) Option { return func(o *options) { o.syncLife = d } }

// WithHorizon sets the period into the future for which lists without timeMax expand endless series. The default is two years.
func WithHorizon(d time.Duration) Option { return func(o *options) { o.horizon = d } }

// WithSeed sets the seed for random faults. The default is 0.
func WithSeed(seed uint64) Option { return func(o *options) { o.seed = seed } }

// WithNotifier sets the client that sends notifications to the addresses of channels. The default waits at most five seconds.
func WithNotifier(c *http.Client) Option {
	return func(o *options) {
		if c != nil {
			o.notify = c
		}
	}
}

// newUUID returns a random UUID (RFC 4122, version 4).
func newUUID() (uuid [16]byte) {
	rand.Read(uuid[:]) // never fails
	uuid[6], uuid[8] = uuid[6]&0x0f|0x40, uuid[8]&0x3f|0x80
	return uuid
}
