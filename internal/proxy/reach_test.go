package proxy

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
)

// Both ends of each block, and the addresses beside them where no other block begins.
func TestIsReachable(t *testing.T) {
	if len(blocks()) != 48 {
		t.Errorf("%d blocks", len(blocks()))
	}
	for _, b := range blocks() {
		if b.reach == "inside" {
			continue
		}
		for _, ip := range []netip.Addr{b.Masked().Addr(), last(b.Prefix)} {
			if of := smallest(ip); of != b {
				continue // a smaller block has this end
			}
			if got := isReachable(ip); got != (b.reach == "yes") {
				t.Errorf("%s of %s, %q: %t", ip, b.Prefix, b.reach, got)
			}
		}
		for _, ip := range []netip.Addr{b.Masked().Addr().Prev(), last(b.Prefix).Next()} {
			if ip.IsValid() && smallest(ip) == (block{}) && !isReachable(ip) {
				t.Errorf("%s beside %s: not reachable", ip, b.Prefix)
			}
		}
	}
}

// smallest returns the smallest block with an address, or none. It compares texts of bits.
func smallest(ip netip.Addr) (of block) {
	for _, b := range blocks() {
		if b.Addr().BitLen() == ip.BitLen() && bits(ip)[:b.Bits()] == bits(b.Addr())[:b.Bits()] && (of == (block{}) || b.Bits() > of.Bits()) {
			of = b
		}
	}
	return of
}

func bits(ip netip.Addr) string {
	var text []byte
	for _, b := range ip.AsSlice() {
		for i := 7; i >= 0; i-- {
			text = append(text, '0'+b>>i&1)
		}
	}
	return string(text)
}

// last returns the last address of a block.
func last(p netip.Prefix) netip.Addr {
	text := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(text)*8; i++ {
		text[i/8] |= 1 << (7 - i%8)
	}
	ip, _ := netip.AddrFromSlice(text)
	return ip
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
