//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// way is a way from a program to the emulator.
type way struct {
	name   string
	needs  string // a line for sh that fails if a program cannot go this way
	open   func(t *testing.T, emulator http.Handler) *route
	checks bool // the way has findings
}

var ways = []way{
	{"emulator", "true", openEmulator, false},
	{"proxy", "true", openProxy, true},
	{"hosts", "grep -q www.googleapis.com /etc/hosts", openHosts, true},
}

// route is an open way.
type route struct {
	addr        string // where the emulator is, or what is before it
	root        string // the address of the service for programs that take one
	certificate string // the file with what programs must trust
	isProxy     bool   // programs find the public hosts at addr, and not by their names
	end         func() // ends the way; then the findings are complete
	findings    bytes.Buffer
}

// sentence matches a finding: the request, the kind and the member, a sentence, and the rule.
var sentence = regexp.MustCompile(`(?m)^(.*?: (?:part \d+, \S+ \S+: )?(?:answer )?[a-z]+(?: [/?]\S*?)?):? .* (\[\S+\])$`)

// found returns the findings without their sentences, and the totals, as sorted lines: some programs send several requests at
// a time.
func (r *route) found() []string {
	lines := strings.Split(sentence.ReplaceAllString(strings.TrimSpace(r.findings.String()), "$1 $2"), "\n")
	slices.Sort(lines)
	return lines
}

// environment returns the variables with which programs go this way, as the recipes of the README set them. Beside these,
// ADDR is where the emulator is. ROOT is the address of the service, for programs that take one, and BASE for programs that
// take one and do not use the proxy of their environment.
func (r *route) environment(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return strings.HasSuffix(name, "_PROXY") || name == "GOOGLE_APPLICATION_CREDENTIALS"
	})
	env = append(env, "HOME="+home, "TZ=UTC", "ADDR="+r.addr, "ROOT="+r.root, "BASE="+publicRoot, "GCE_METADATA_HOST="+r.addr,
		"CERTIFICATE="+r.certificate, "SSL_CERT_FILE="+r.certificate, "NODE_EXTRA_CA_CERTS="+r.certificate,
		"HTTPLIB2_CA_CERTS="+r.certificate, "REQUESTS_CA_BUNDLE="+r.certificate)
	if r.isProxy {
		env = append(env, "HTTPS_PROXY=http://"+r.addr, "BASE=http://"+r.addr+"/")
	}
	return env
}

// openEmulator serves as emulator --tls does.
func openEmulator(t *testing.T, emulator http.Handler) *route {
	r := &route{isProxy: true}
	r.serveTLS(t, emulator, "127.0.0.1:0")
	r.root = "http://" + r.addr + "/"
	return r
}

// openHosts serves as emulator --watch --tls does, at the address to which lines of /etc/hosts lead.
func openHosts(t *testing.T, emulator http.Handler) *route {
	r := &route{root: publicRoot}
	watched := watch{on: true}.newWatched(emulator, &r.findings)
	r.serveTLS(t, watched, "127.0.0.1:443")
	r.end = watched.end
	return r
}

// serveTLS serves a handler as the public hosts.
func (r *route) serveTLS(t *testing.T, handler http.Handler, addr string) {
	t.Helper()
	hosts := public{certificate: filepath.Join(t.TempDir(), "calrules.pem")}
	authority, err := hosts.open("")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(handler)
	ended := make(chan error, 1)
	go func() { ended <- serveAs(authority, server, listener) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	r.addr, r.certificate = listener.Addr().String(), hosts.certificate
}

// openProxy serves the emulator without TLS, and starts calrules proxy before it.
func openProxy(t *testing.T, emulator http.Handler) *route {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(emulator)
	go server.Serve(listener) // until it is closed
	t.Cleanup(func() { server.Close() })
	r := &route{root: publicRoot, isProxy: true, certificate: filepath.Join(t.TempDir(), "calrules.pem")}
	proxy := exec.Command(self(t), "proxy", "--no-config", "--connect", "--authority", r.certificate, "--listen", "127.0.0.1:0",
		"--upstream", "http://"+listener.Addr().String())
	proxy.Stdout = &r.findings
	lines := launchAs(t, "calrules", proxy, proxy.StderrPipe)
	line, _ := lines.ReadString('\n') // what was read is checked
	if _, err := fmt.Sscanf(line, "calrules: http://%s forwards to", &r.addr); err != nil {
		t.Fatalf("the proxy writes %q: %v", line, err)
	}
	complaints := make(chan string)
	go func() {
		rest, _ := io.ReadAll(lines) // fails only if the proxy is killed
		complaints <- string(rest)
	}()
	r.end = func() {
		proxy.Process.Signal(os.Interrupt)
		if rest := <-complaints; strings.Count(rest, "\n") != 2 { // the page, and what programs must trust
			t.Errorf("the proxy complains: %s", rest)
		}
		proxy.Wait() // 1 if a finding rejects
	}
	return r
}
