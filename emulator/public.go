package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/calrules/calrules/emulator/internal/door"
	"github.com/calrules/calrules/internal/authority"
	"github.com/calrules/calrules/internal/proxy"
)

// publicHosts are the hosts of the public service and of its token endpoints.
var publicHosts = slices.Concat(proxy.ServiceHosts, proxy.TokenHosts)

// localHosts lists the names by which a machine refers to itself.
var localHosts = []string{"localhost", "127.0.0.1", "::1"}

// metadataAddresses are the addresses of a virtual machine's metadata server.
var metadataAddresses = []string{"metadata.google.internal:80", "metadata:80", "169.254.169.254:80"}

// certificatePath is the path at which the emulator serves its CA certificate.
const certificatePath = "/emulator/authority.pem"

// standard is the file name for standard output.
const standard = "-"

// public configures the emulator to serve as the public hosts. With the zero value, the emulator does not serve as the public
// hosts.
type public struct {
	certificate string // the file to which the CA certificate is written, or standard
	key         string // the file with the CA key, or empty
}

// open creates or loads the certificate authority, and writes its certificate to a file.
func (p public) open(addr string) (*authority.Authority, error) {
	if p.certificate == "" {
		if p.key != "" {
			return nil, errors.New("--tls-key cannot be used without --tls")
		}
		return nil, nil
	}
	if p.key == p.certificate {
		return nil, errors.New("--tls and --tls-key must be different files: others may read the certificate, but not the key")
	}
	hosts := slices.Concat(publicHosts, localHosts)
	if host, _, err := net.SplitHostPort(addr); err == nil && host != "" && !net.ParseIP(host).IsUnspecified() {
		hosts = append(hosts, host)
	}
	var a *authority.Authority
	var err error
	if p.key == "" {
		a, err = authority.New(hosts, time.Now())
	} else {
		a, err = authority.Open(p.key, hosts, time.Now())
	}
	if err != nil {
		return nil, err
	}
	if p.certificate != standard {
		return a, a.Publish(p.certificate)
	}
	return a, nil
}

// print writes to out either instructions for programs that use the public hosts or, if the certificate is meant for standard
// output, the certificate itself.
func (p public) print(a *authority.Authority, at net.Addr, out io.Writer) (err error) {
	switch {
	case a == nil:
	case p.certificate == standard:
		_, err = out.Write(a.PEM())
	default:
		_, err = fmt.Fprintln(out, a.Notice("http://"+at.String(), p.certificate))
	}
	return err
}

// serveAs serves as the public hosts until the server is closed.
func serveAs(a *authority.Authority, server *http.Server, listener net.Listener) error {
	next := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == certificatePath && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			w.Header().Set("Content-Type", "application/x-pem-file")
			w.Write(a.PEM()) // fails only if the client has disconnected
			return
		}
		next.ServeHTTP(w, r)
	})
	addresses := slices.Clone(metadataAddresses)
	for _, host := range publicHosts {
		addresses = append(addresses, host+":443")
	}
	if _, port, err := net.SplitHostPort(listener.Addr().String()); err == nil {
		for _, host := range localHosts { // a container listens on all addresses, so the listener's address does not suffice
			addresses = append(addresses, net.JoinHostPort(host, port))
		}
	}
	return door.New(listener, addresses).Serve(server, a.TLSConfig())
}
