// Command emulator is an offline calendar service for tests.
//
//	go run . --addr 127.0.0.1:8085 [--data FILE]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/rtdb"
	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/emulator/store/sqlite"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/proxy"
	"github.com/calrules/calrules/internal/visible"
	"github.com/calrules/calrules/limits"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "emulator:", visible.Text(err.Error()))
		os.Exit(2)
	}
}

// release is the version of a release build, set by the linker.
var release = "(unknown)"

// run runs the emulator until ctx is done, and writes the base URL to out as soon as it accepts connections.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("emulator", flag.ContinueOnError)
	version := flags.Bool("version", false, "write the version and exit")
	addr := flags.String("addr", "127.0.0.1:8085", "the `address` to listen on")
	data := flags.String("data", "", "the SQLite `file` that stores the calendars; without it, they are in memory")
	tokens := flags.String("tokens", "", "a `file` with the accepted bearer tokens, as JSON; without it, every request is accepted")
	user := flags.String("user", "user@example.com", "the email `address` of the user who makes all requests without --tokens")
	zone := flags.String("time-zone", "UTC", "the time `zone` of users, and of new calendars without a time zone, such as Europe/Berlin")
	problems := flags.Bool("problems", false, "send refusals as problem details (RFC 9457)")
	documents := flags.Bool("documents", false, "let full lists omit cancelled instances of series, as in the documents but not in the public service")
	seed := flags.Uint64("seed", 0, "the `seed` of random faults")
	databaseTokens := flags.String("database-tokens", "", "a `file` with the tokens for the realtime database, as JSON, in addition to the token owner")
	rules := flags.String("rules", "", "a `file` with the rules of the realtime database, as JSON; without it, only service accounts have access")
	var hosts public
	flags.StringVar(&hosts.certificate, "tls", "", "also serve the hosts of the public service, with TLS and through CONNECT, and write the certificate that clients must trust to a `file`, or to standard output for -")
	flags.StringVar(&hosts.key, "tls-key", "", "a `file` that keeps the authority of --tls and its key between runs; without it, each run creates a new authority")
	var watch watch
	flags.BoolVar(&watch.on, "watch", false, "check each request and response, and write the findings like calrules proxy")
	flags.BoolVar(&watch.values, "values", false, "show the paths of requests and the values of bodies in the findings: they may be addresses")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected arguments %q; only flags are allowed", flags.Args())
	}
	if *version {
		_, err := fmt.Fprintln(out, "calrules-emulator version", release)
		return err
	}
	if watch.values && !watch.on {
		return errors.New("--values cannot be used without --watch")
	}
	if *user == "" {
		return errors.New("--user is empty; it must be the email address of a user")
	}
	if !limits.IsZone(*zone) {
		return fmt.Errorf("--time-zone %q is not a name of the IANA database, such as Europe/Berlin", *zone)
	}
	opts := []emulator.Option{emulator.WithUser(*user), emulator.WithTimeZone(*zone), emulator.WithSeed(*seed), emulator.WithOAuth()}
	if *problems {
		opts = append(opts, emulator.WithProblems())
	}
	if *documents {
		opts = append(opts, emulator.WithDocuments())
	}
	if *tokens != "" {
		table, err := readTokens(*tokens)
		if err != nil {
			return err
		}
		opts = append(opts, emulator.WithTokens(table))
	}
	database, err := openDatabase(*databaseTokens, *rules)
	if err != nil {
		return err
	}
	return serve(ctx, *addr, *data, opts, hosts, database, watch, out)
}

// tokenObject is the table for a token in the --tokens file.
var tokenObject = ndjson.NewObject("a token",
	ndjson.Of("email", func(t *emulator.Token) *string { return &t.Email }, ndjson.Text[string]),
	ndjson.Of("scopes", func(t *emulator.Token) *[]string { return &t.Scopes }, ndjson.List(ndjson.Text[string])),
	ndjson.Of("serviceAccount", func(t *emulator.Token) *bool { return &t.ServiceAccount }, ndjson.Bool),
	ndjson.Of("delegation", func(t *emulator.Token) *bool { return &t.Delegation }, ndjson.Bool),
).Closed()

// readTokens reads a table of tokens, such as {"token": {"email": "ada@example.com", "scopes": ["..."]}}.
func readTokens(file string) (map[string]emulator.Token, error) {
	return readTable(file, tokenObject, func(t emulator.Token) error {
		if t.Email == "" {
			return errors.New("a token has no email")
		}
		return nil
	})
}

// readTable reads a JSON file that contains an object for each token. The function check returns an error about a token's object.
func readTable[T any](file string, object *ndjson.Object[T], check func(T) error) (map[string]T, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	table := map[string]T{}
	err = ndjson.Each(text, func(token string, value []byte) error {
		if token == "" {
			return errors.New("a token is empty")
		}
		about, err := object.Value(value)
		if err != nil {
			return ndjson.OfOne(err)
		}
		table[token] = about
		return check(about)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return table, nil
}

// maxFile is the maximum size in bytes of a file with tokens or rules.
const maxFile = 16 << 20

// readFile returns the contents of a file with tokens or rules.
func readFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is longer than %d MiB", file, maxFile>>20)
	}
	return text, err
}

// newServer returns a server with timeouts, which keep slow clients from holding connections forever.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
	}
}

// serve serves the emulator and a realtime database.
func serve(ctx context.Context, addr, data string, opts []emulator.Option, hosts public, database *rtdb.Database, watch watch, out io.Writer) (err error) {
	vouches, err := hosts.open(addr)
	if err != nil {
		return err
	}
	var in store.Store
	if data != "" {
		if in, err = sqlite.Open(data); err != nil {
			return err
		}
	}
	handler, err := emulator.Open(in, opts...)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return errors.Join(err, handler.Close())
	}
	server := newServer(withDatabase(handler, database))
	server.RegisterOnShutdown(database.Close)
	fmt.Fprintf(out, "http://%s/calendar/v3/\n", listener.Addr())
	if watch.on {
		watched := watch.newWatched(server.Handler, out)
		defer watched.end()
		server.Handler = watched
		fmt.Fprintf(out, "http://%s%s shows the latest requests\n", listener.Addr(), proxy.PagePath)
	}
	if err := hosts.print(vouches, listener.Addr(), out); err != nil {
		return errors.Join(err, listener.Close(), handler.Close())
	}
	ended := make(chan error, 1)
	go func() {
		if vouches == nil {
			ended <- server.Serve(listener)
		} else {
			ended <- serveAs(vouches, server, listener)
		}
	}()
	select {
	case err = <-ended:
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err = server.Shutdown(grace)
	}
	return errors.Join(err, handler.Close())
}
