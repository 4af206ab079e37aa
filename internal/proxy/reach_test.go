package proxy

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// reaches lists blocks of addresses. Each line says whether the block is globally reachable, and contains the first and the last
// address and the RFCs that say so. The blocks without an RFC have no special purpose.
const reaches = `
no	0.0.0.0 0.255.255.255	RFC 791
yes	1.0.0.0 9.255.255.255
no	10.0.0.0 10.255.255.255	RFC 1918
yes	11.0.0.0 100.63.255.255
no	100.64.0.0 100.127.255.255	RFC 6598
yes	100.128.0.0 126.255.255.255
no	127.0.0.0 127.255.255.255	RFC 1122
yes	128.0.0.0 169.253.255.255
no	169.254.0.0 169.254.255.255	RFC 3927
yes	169.255.0.0 172.15.255.255
no	172.16.0.0 172.31.255.255	RFC 1918
yes	172.32.0.0 191.255.255.255
no	192.0.0.0 192.0.0.8	RFC 6890
yes	192.0.0.9 192.0.0.10	RFCs 7723 and 8155
no	192.0.0.11 192.0.0.255	RFC 6890
yes	192.0.1.0 192.0.1.255
no	192.0.2.0 192.0.2.255	RFC 5737
yes	192.0.3.0 192.31.195.255
yes	192.31.196.0 192.31.196.255	RFC 7535
yes	192.52.193.0 192.52.193.255	RFC 7450
yes	192.52.194.0 192.88.98.255
no	192.88.99.0 192.88.99.255	RFC 7526
yes	192.88.100.0 192.167.255.255
no	192.168.0.0 192.168.255.255	RFC 1918
yes	192.169.0.0 192.175.47.255
yes	192.175.48.0 192.175.48.255	RFC 7534
yes	192.175.49.0 198.17.255.255
no	198.18.0.0 198.19.255.255	RFC 2544
yes	198.20.0.0 198.51.99.255
no	198.51.100.0 198.51.100.255	RFC 5737
yes	198.51.101.0 203.0.112.255
no	203.0.113.0 203.0.113.255	RFC 5737
yes	203.0.114.0 223.255.255.255
no	224.0.0.0 239.255.255.255	RFC 5771
no	240.0.0.0 255.255.255.255	RFC 1112
no	:: ::ffff:ffff	RFC 4291
yes	::1:0:0 ::fffe:ffff:ffff
no	::ffff:10.0.0.0 ::ffff:10.255.255.255	RFCs 4291 and 1918
yes	::ffff:11.0.0.0 ::ffff:100.63.255.255	RFC 4291
no	::ffff:240.0.0.0 ::ffff:255.255.255.255	RFCs 4291 and 1112
yes	::1:0:0:0 64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff
no	64:ff9b:: 64:ff9b::0.255.255.255	RFCs 6052 and 791
yes	64:ff9b::1.0.0.0 64:ff9b::9.255.255.255	RFC 6052
no	64:ff9b::240.0.0.0 64:ff9b::255.255.255.255	RFCs 6052 and 1112
yes	64:ff9b::1:0:0 64:ff9b:0:ffff:ffff:ffff:ffff:ffff
no	64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff	RFC 8215
yes	64:ff9b:2:: ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	100:: 100::ffff:ffff:ffff:ffff	RFC 6666
no	100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff	RFC 9780
yes	100:0:0:2:: 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff	RFC 4380
no	2001:1:: 2001:1::	RFC 2928
yes	2001:1::1 2001:1::3	RFCs 7723, 8155 and 9665
no	2001:1::4 2001:1:ffff:ffff:ffff:ffff:ffff:ffff	RFC 2928
no	2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff	RFC 5180
no	2001:2:1:: 2001:2:ffff:ffff:ffff:ffff:ffff:ffff	RFC 2928
yes	2001:3:: 2001:3:ffff:ffff:ffff:ffff:ffff:ffff	RFC 7450
no	2001:4:: 2001:4:111:ffff:ffff:ffff:ffff:ffff	RFC 2928
yes	2001:4:112:: 2001:4:112:ffff:ffff:ffff:ffff:ffff	RFC 7535
no	2001:4:113:: 2001:f:ffff:ffff:ffff:ffff:ffff:ffff	RFC 2928
no	2001:10:: 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff	RFC 4843
yes	2001:20:: 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff	RFC 7343
yes	2001:30:: 2001:3f:ffff:ffff:ffff:ffff:ffff:ffff	RFC 9374
no	2001:40:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 2928
yes	2001:200:: 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff
no	2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff	RFC 3849
yes	2001:db9:: 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 3056
yes	2003:: 2620:4f:7fff:ffff:ffff:ffff:ffff:ffff
yes	2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff	RFC 7534
yes	2620:4f:8001:: 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 9637
yes	3fff:1000:: 5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 9602
yes	5f01:: fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 4193
yes	fe00:: fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff
no	fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 4291
no	fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 3879
no	ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff	RFC 4291`

func TestIsReachable(t *testing.T) {
	if len(blocks()) != 48 {
		t.Errorf("%d blocks", len(blocks()))
	}
	for line := range strings.Lines(strings.TrimSpace(reaches)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		for ip := range strings.FieldsSeq(columns[1]) {
			if isReachable(netip.MustParseAddr(ip)) != (columns[0] == "yes") {
				t.Errorf("%s is globally reachable: %t, in the line %s", ip, columns[0] != "yes", line)
			}
		}
	}
}

func TestIsReachableInside(t *testing.T) {
	for address, want := range map[string]bool{
		"142.250.1.1": true, "2a00:1450::1": true, "192.0.0.9": true, "192.0.0.8": false, "100.127.255.255": false, "169.254.169.254": false,
		"::ffff:142.250.1.1": true, "::ffff:127.0.0.1": false, "::ffff:100.64.0.1": false,
		"64:ff9b::8efa:101": true, "64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b:1::8efa:101": false,
		"::142.250.1.1": false, "2002:8efa:101::1": false, "fe80::1%eth0": false, "ff02::1%eth0": false, "fec0::1": false,
	} {
		if got := isReachable(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is globally reachable: %t", address, got)
		}
	}
}

// A proxy for other machines connects to what is globally reachable, and to nothing else.
func TestOnlyReachable(t *testing.T) {
	for address, want := range map[string]error{
		"142.250.1.1:443": nil, "[2a00:1450::1]:443": nil,
		"10.0.0.1:443": errNotReachable, "[::1]:443": errNotReachable, "142.250.1.1": errNotReachable, "": errNotReachable,
	} {
		if got := onlyReachable("tcp", address, nil); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// A tunnel to an address of the proxy's own machine, even a global one, would arrive like a connection from that machine, which
// may read the page.
func TestIsOfThisMachine(t *testing.T) {
	own, err := net.InterfaceAddrs()
	if err != nil || len(own) == 0 {
		t.Skip("the addresses of this machine are unknown:", err)
	}
	for _, a := range own {
		ip := netip.MustParsePrefix(a.String()).Addr()
		if !isOfThisMachine(ip) || !isOfThisMachine(netip.AddrFrom16(ip.As16())) || ip.Is6() && !isOfThisMachine(ip.WithZone("eth0")) {
			t.Errorf("%s is not of this machine", a)
		}
	}
	for _, other := range []string{"192.0.2.1", "2001:db8::1", "2001:db8::1%eth0"} {
		if isOfThisMachine(netip.MustParseAddr(other)) {
			t.Errorf("%s is of this machine", other)
		}
	}
}

// An address of this machine is refused even if it is globally reachable. If the addresses of this machine are unknown, every
// address is refused.
func TestOnlyOtherMachines(t *testing.T) {
	defer func(before func() ([]net.Addr, error)) { ownAddresses = before }(ownAddresses)
	own := []net.Addr{&net.IPNet{IP: net.IPv4(142, 250, 1, 1), Mask: net.CIDRMask(24, 32)}}
	for _, unknown := range []error{nil, net.ErrClosed} {
		ownAddresses = func() ([]net.Addr, error) { return own, unknown }
		for address, isOwn := range map[string]bool{"142.250.1.1:443": true, "[::ffff:142.250.1.1]:443": true, "142.250.1.2:443": false} {
			if got := onlyReachable("tcp", address, nil); (got == nil) != (!isOwn && unknown == nil) {
				t.Errorf("%s: %v, while the addresses of the machine are known: %t", address, got, unknown == nil)
			}
		}
	}
}

// An exposed proxy opens tunnels to its upstreams, even on its own machine, but not to other ports of the machine.
func TestExposedReachesUpstreams(t *testing.T) {
	service, database, other := serve(t, nil), serve(t, nil), serve(t, nil)
	o := connecting(t, service)
	o.Exposed, o.Database = true, parse(t, database)
	p := New(o)
	defer p.Close()
	for address, want := range map[string]error{service: nil, database: nil, other: errNotReachable} {
		far, err := p.dial(parse(t, address).Host)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", address, err)
		}
		if far != nil {
			far.Close()
		}
	}
}

func TestIsUpstream(t *testing.T) {
	p := &Proxy{o: Options{Service: &url.URL{Scheme: "http", Host: "127.0.0.1:8085"}, Database: &url.URL{Scheme: "https", Host: "[::1]"}}}
	for address, want := range map[string]bool{"127.0.0.1:8085": true, "127.0.0.1:80": false, "[::1]:443": true, "[::1]:80": false, "localhost:8085": false} {
		if got := p.isUpstream(address); got != want {
			t.Errorf("%s is the upstream: %t", address, got)
		}
	}
}

// The page of a proxy for other machines is for its own machine, whatever the Host of a request.
func TestPageFromElsewhere(t *testing.T) {
	for from, want := range map[string]int{
		"127.0.0.1:5": 200, "[::1]:5": 200, "[::ffff:127.0.0.1]:5": 200, "192.0.2.1:5": 200,
		"192.0.2.2:5": 403, "[2001:db8::1]:5": 403, "@": 403, "": 403,
	} {
		r := httptest.NewRequest("GET", "http://localhost"+PagePath, nil)
		r.RemoteAddr = from
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080}))
		w := httptest.NewRecorder()
		new(page).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("from %q: %d", from, w.Code)
		}
	}
}

// The page answers to the names of its own machine: the address to which a request came is one, and no other is.
func TestPageAtOwnAddress(t *testing.T) {
	for host, want := range map[string]int{
		"192.0.2.1:8080": 200, "192.0.2.1": 200, "127.0.0.1:8080": 200, "[::ffff:127.0.0.1]:8080": 200, "192.0.2.2:8080": 403, "example.com": 403, "": 403,
	} {
		r := httptest.NewRequest("GET", "http://localhost"+PagePath, nil)
		r.RemoteAddr, r.Host = "127.0.0.1:5", host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080}))
		w := httptest.NewRecorder()
		new(page).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("with the Host %q: %d, want %d", host, w.Code, want)
		}
	}
}
