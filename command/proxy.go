package command

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/authority"
	"github.com/calrules/calrules/internal/proxy"
	"github.com/calrules/calrules/internal/traffic"
)

// proxyFlags are the flags of the proxy command.
type proxyFlags struct {
	listen, upstream, database string
	expose                     bool

	certificate, key        string
	connect                 bool
	authority, authorityKey string
	block                   bool
	timeout                 time.Duration
	profile                 *choice
	format                  *format
	quiet, exitsClean       bool
	statistics              bool
	trafficFlags
	selection
	changed func(name string) bool
}

const proxyLong = `Forward requests to the calendar service, and report the mistakes in each request and
response, for programs in any language. Method, path, query and body pass unchanged.
Findings are written as they occur, one per line:

  METHOD path: kind path: message [rule]

A program calls the proxy instead of the service, at http://127.0.0.1:8080 instead of
https://www.googleapis.com, with the same paths. Or, with --connect, set
HTTPS_PROXY=http://127.0.0.1:8080 in the program's environment, and let the program
trust the certificate that --authority writes. The certificate is valid for one day,
and only for the service's hosts; tunnels to other hosts are not inspected.

--upstream is the address of a server to use instead of the service, such as an
emulator. The operations are below its path, by default /calendar/v3. The server uses
Google's names, or the names of --dialect. Without --upstream, and with --connect, the
names are Google's. With both flags, requests for tokens go to this server too.

With --block, the proxy does not send a request that the service is sure to refuse, and
responds as the service would. With --rtdb, the upstream is a Realtime Database, and each
line shows how a request authenticates, as far as can be determined without asking the
database. --connect and --rtdb together also intercept tunnels to the database's host.

The proxy's page /_calrules shows the latest requests. No output contains header fields,
tokens or query values.

On an interrupt, the proxy completes the requests in progress and stops. The exit status
is then 1 if a finding rejects, and otherwise 0.`

func newProxy(c *console) *cobra.Command {
	flags := &proxyFlags{profile: newProfile(), format: newFormat(proxyFormats)}
	command := &cobra.Command{
		Use:   "proxy",
		Short: "Forward requests to the service, and check requests and responses",
		Long:  proxyLong,
		Example: `  calrules proxy
  calrules proxy --upstream http://127.0.0.1:8085 --dialect google --block
  calrules proxy --connect --authority calrules.pem
  calrules proxy --rtdb https://example-default-rtdb.firebaseio.com
  calrules proxy --format sarif >calrules.sarif`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return runProxy(c, flags) },
	}
	flags.add(command, c)
	return command
}

func (f *proxyFlags) add(command *cobra.Command, c *console) {
	set := command.Flags()
	set.SortFlags = false
	f.changed = set.Changed
	set.StringVar(&f.listen, "listen", "127.0.0.1:8080", "`address` to listen on; port 0 means any free port")
	set.BoolVar(&f.expose, "expose", false, "allow --listen to be an address that other machines can reach")
	set.StringVar(&f.upstream, "upstream", "", "`URL` of the service (default that of the Google Calendar API)")
	set.StringVar(&f.database, "rtdb", "", "`URL` of a Realtime Database to forward to")
	set.BoolVar(&f.block, "block", false, "do not send requests that the service is sure to refuse")
	set.BoolVar(&f.connect, "connect", false, "answer CONNECT, for programs that use a proxy")
	set.StringVar(&f.authority, "authority", "", "`file` for the certificate, which these programs must trust")
	set.StringVar(&f.authorityKey, "authority-key", "", "`file` that keeps the authority and its key between runs; without it, each run creates a new authority")
	set.StringVar(&f.certificate, "tls-cert", "", "`file` with the proxy's certificate, to serve TLS (PEM)")
	set.StringVar(&f.key, "tls-key", "", "`file` with the key of this certificate (PEM)")
	set.DurationVar(&f.timeout, "timeout", time.Minute, "maximum `duration` of the wait for the service's response, and of a pause within it")
	f.profile.add(command, "profile", profileUsage)
	f.selection.add(command, c.completeRules)
	f.format.add(command, "format of the findings; sarif writes them at the end, and until then text to standard error")
	f.trafficFlags.add(command)
	set.BoolVar(&f.statistics, "statistics", false, "write the number of exchanges of each kind at the end, instead of the exchanges")
	exclude(command, "statistics", "values")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "write findings, but no addresses and no summary")
	set.BoolVar(&f.exitsClean, "exit-zero", false, "exit with status 0 even if a finding rejects")
}

// validate returns an error if flags have invalid values or cannot be combined.
func (f *proxyFlags) validate(c *console) error {
	switch {
	case f.timeout <= 0:
		return fmt.Errorf("--timeout is %s; it must be positive", f.timeout)
	case f.upstream == "" && f.changed("upstream"), f.database == "" && f.changed("rtdb"):
		return errors.New("--upstream and --rtdb cannot be empty") // as from an unset variable
	case (f.certificate == "") != (f.key == ""):
		return errors.New("--tls-cert and --tls-key must be used together")
	case f.connect && f.authority == "":
		return errors.New("--connect requires --authority FILE, for the certificate that your programs trust")
	case !f.connect && f.changed("authority"):
		return errors.New("--authority cannot be used without --connect")
	case !f.connect && f.changed("authority-key"):
		return errors.New("--authority-key cannot be used without --connect")
	case f.database != "" && f.upstream != "" && !f.connect:
		return errors.New("--rtdb and --upstream cannot be used together without --connect; start two proxies")
	case f.statistics && f.format.value == formatSARIF:
		return errors.New("--statistics cannot be written in the format sarif; use text or ndjson")
	case f.authorityKey != "" && f.authorityKey == f.authority:
		return errors.New("--authority and --authority-key must be different files: others may read the certificate, but not the key")
	}
	return cmp.Or(f.validateListen(), f.trafficFlags.validate(), f.selection.validate(c.checker.Catalogue()))
}

// validateListen returns an error if other machines can reach the address and --expose is not set.
func (f *proxyFlags) validateListen() error {
	host, port, err := net.SplitHostPort(f.listen)
	if err != nil || port == "" {
		return fmt.Errorf("--listen is %q; it must be an address with a port, such as 127.0.0.1:8080", f.listen)
	}
	if !isLoopback(host) && !f.expose {
		return fmt.Errorf("--listen is %q, which other machines can reach: they could send requests through the proxy, and read yours. Use 127.0.0.1, or add --expose", f.listen)
	}
	return nil
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// silenceLog discards the log of net/http until restore is called. The log of net/http quotes unsolicited responses, which may
// contain credentials.
func silenceLog() (restore func()) {
	before := log.Writer()
	log.SetOutput(io.Discard)
	return func() { log.SetOutput(before) }
}

// readURL parses the URL of a server.
func readURL(flag, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s is not the URL of a server, such as http://127.0.0.1:8085; it may contain a path, but no user, query or fragment", flag)
	}
	return u, nil
}

// options returns the options of the proxy.
func (f *proxyFlags) options(c *console) (o proxy.Options, err error) {
	o = proxy.Options{Block: f.block, Exposed: f.expose, Timeout: f.timeout, Print: traffic.Options{Values: f.values}, Dialect: c.between()}
	if f.database != "" {
		if o.Database, err = readURL("--rtdb", f.database); err != nil {
			return o, err
		}
		if strings.Trim(o.Database.Path, "/") != "" {
			return o, errors.New("--rtdb has a path, which would not be used: the path of each request begins at the root of the database")
		}
	}
	if f.database != "" && !f.connect {
		return o, nil
	}
	base := diag.Google.BaseURL()
	if f.upstream != "" {
		base = f.upstream
	}
	if o.Service, err = readURL("--upstream", base); err != nil {
		return o, err
	}
	if f.connect || slices.Contains(proxy.ServiceHosts, o.Service.Hostname()) {
		o.Dialect = diag.Google
	}
	if strings.Trim(o.Service.Path, "/") == "" {
		o.Service.Path = "/calendar/v3"
	}
	o.Hosts, o.ByHost = proxy.ServiceHosts, f.upstream == ""
	if f.upstream != "" { // a service other than the public service must also issue tokens
		o.Hosts = slices.Concat(proxy.ServiceHosts, proxy.TokenHosts)
	}
	watcher, err := between.New(between.Options{Checker: c.checkerWith(f.changed, f.profile.value, f.selection), Base: o.Service.String(), Documents: o.Dialect == diag.Documents})
	o.Watchers = []*between.Watcher{watcher}
	return o, err
}

// open creates the certificate authority and writes its certificate to a file, for programs to trust.
func (f *proxyFlags) open(o *proxy.Options) (err error) {
	hosts := slices.Clone(o.Hosts)
	if o.Database != nil {
		hosts = append(hosts, o.Database.Hostname())
	}
	if f.authorityKey == "" {
		o.Authority, err = authority.New(hosts, time.Now())
	} else {
		o.Authority, err = authority.Open(f.authorityKey, hosts, time.Now())
	}
	if err != nil {
		return err
	}
	return o.Authority.Publish(f.authority)
}

// runProxy prepares and runs the proxy.
func runProxy(c *console, flags *proxyFlags) error {
	if err := flags.validate(c); err != nil {
		return err
	}
	defer proxy.LimitMemory()()
	o, err := flags.options(c)
	if err != nil {
		return err
	}
	certificate, err := flags.loadCertificate()
	if err == nil && flags.connect {
		err = flags.open(&o)
	}
	if err != nil {
		return failure{err}
	}
	listener, err := net.Listen("tcp", flags.listen)
	if err != nil {
		return failure{err}
	}
	for _, u := range []*url.URL{o.Service, o.Database} {
		if u != nil && isSelf(u, listener.Addr()) {
			listener.Close()
			return fmt.Errorf("the upstream %s is the proxy itself", u.Host)
		}
	}
	return serveProxy(c, flags, o, listener, certificate)
}

// loadCertificate returns the --tls-cert certificate, or nil if the flag is not set.
func (f *proxyFlags) loadCertificate() (*tls.Certificate, error) {
	if f.certificate == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(f.certificate, f.key)
	return &pair, err
}

// isSelf reports whether a URL is the address of the proxy's own listener, in which case requests would loop.
func isSelf(u *url.URL, at net.Addr) bool {
	host, port, _ := net.SplitHostPort(at.String())
	defaults := map[string]string{"http": "80", "https": "443"}
	return cmp.Or(u.Port(), defaults[u.Scheme]) == port && (u.Hostname() == "localhost" || reached(u.Hostname()) == reached(host))
}

// reached returns the address that a connection to an address reaches: this machine, if the address is unspecified.
func reached(host string) netip.Addr {
	ip, _ := netip.ParseAddr(host) // the zero address for a name
	if ip.IsUnspecified() {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return ip.Unmap()
}

// serveProxy runs the proxy until a signal ends it.
func serveProxy(c *console, flags *proxyFlags, o proxy.Options, listener net.Listener, certificate *tls.Certificate) error {
	ctx, stop := untilSignal()
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	defer silenceLog()()
	out := newProxyLog(c, flags)
	o.Report, o.Errors = out.exchange, out.complain
	if !flags.quiet {
		out.announce(listener.Addr().String(), certificate != nil, &o, flags.authority)
	}
	if err := proxy.New(o).Serve(ctx, listener, certificate); err != nil {
		out.complain(err.Error())
	}
	return out.end()
}
