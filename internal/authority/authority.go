// Package authority implements a certificate authority that is valid for one day and for a few hosts. Trusting the authority
// for a test is safe: its certificates are not valid for any other host, or after that day.
package authority

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Authority is a certificate authority that issues a certificate for its hosts. Authority is safe for concurrent use.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	hosts       []string // in lower case, sorted
	leaf        func() (*tls.Certificate, error)
	now         func() time.Time
}

// name is the common name of an authority.
const name = "calrules authority for tests"

// An authority is valid for one day, which begins an hour before the authority is created, because clocks differ.
const (
	lifetime = 24 * time.Hour
	early    = time.Hour
)

// New creates an authority with a new key for hosts, which are names or IP addresses. Clients would also accept the authority's
// certificates for subdomains of a name, but the certificate used by [Authority.TLSConfig] does not include subdomains.
func New(hosts []string, now time.Time) (*Authority, error) {
	hosts, err := normal(hosts)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	begin := now.Add(-early).Truncate(time.Second).UTC()
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: begin, NotAfter: begin.Add(lifetime),
		BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	constrain(template, hosts)
	certificate, err := sign(template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return newAuthority(certificate, key, hosts), nil
}

// newAuthority returns an authority that issues the certificate for its hosts when the first client requests it.
func newAuthority(certificate *x509.Certificate, key *ecdsa.PrivateKey, hosts []string) *Authority {
	a := &Authority{certificate: certificate, key: key, hosts: hosts, now: time.Now}
	a.leaf = sync.OnceValues(a.makeLeaf)
	return a
}

// normal returns the hosts as written in certificates, sorted and without duplicates.
func normal(hosts []string) ([]string, error) {
	if len(hosts) == 0 {
		return nil, errors.New("authority: there are no hosts")
	}
	var list []string
	for _, host := range hosts {
		h := strings.ToLower(host)
		if ip, err := netip.ParseAddr(h); err == nil && ip.Zone() == "" {
			h = ip.Unmap().String()
		} else if !isName(h) {
			return nil, fmt.Errorf("authority: the host is %q; it must be an IP address or a name of ASCII letters, digits, hyphens and dots", host)
		}
		list = append(list, h)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func isName(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return len(host) <= 253
}

// constrain limits the names for which an authority can issue certificates. Without constraints, all names of a kind would be
// allowed, so constrain excludes all names of a kind if there is no host of that kind.
func constrain(c *x509.Certificate, hosts []string) {
	names, addresses := split(hosts)
	c.PermittedDNSDomainsCritical = true
	if c.PermittedDNSDomains = names; names == nil {
		c.ExcludedDNSDomains = []string{""} // exclude all names
	}
	for _, ip := range addresses {
		c.PermittedIPRanges = append(c.PermittedIPRanges, &net.IPNet{IP: ip, Mask: net.CIDRMask(8*len(ip), 8*len(ip))})
	}
	if addresses == nil {
		c.ExcludedIPRanges = []*net.IPNet{{IP: net.IPv4zero.To4(), Mask: make(net.IPMask, 4)}, {IP: net.IPv6zero, Mask: make(net.IPMask, 16)}}
	}
}

// split returns the hosts that are names, and the hosts that are IP addresses.
func split(hosts []string) (names []string, addresses []net.IP) {
	for _, host := range hosts {
		if ip, err := netip.ParseAddr(host); err == nil {
			addresses = append(addresses, ip.AsSlice())
		} else {
			names = append(names, host)
		}
	}
	return names, addresses
}

// sign returns a signed certificate with a random serial number.
func sign(template, parent *x509.Certificate, public crypto.PublicKey, key *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// makeLeaf creates the certificate for the hosts, with a new key.
func (a *Authority) makeLeaf() (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{Organization: []string{"calrules"}}, NotBefore: a.certificate.NotBefore, NotAfter: a.certificate.NotAfter,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	template.DNSNames, template.IPAddresses = split(a.hosts)
	leaf, err := sign(template, a.certificate, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

// PEM returns the certificate of the authority, without its key, for programs to trust.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: a.certificate.Raw})
}

// Expires returns the time at which the authority and its certificates expire.
func (a *Authority) Expires() time.Time { return a.certificate.NotAfter }

// Notice returns the sentence that a proxy prints at its start, without a full stop: programs that use the proxy at the given URL
// must trust the published certificate file.
func (a *Authority) Notice(proxy, file string) string {
	return fmt.Sprintf("programs with HTTPS_PROXY=%s must trust %s, which is valid until %s", proxy, file, a.Expires().Format(time.RFC3339))
}

// TLSConfig returns a TLS configuration for a server that serves all of the authority's hosts. The server refuses a client
// that requests a different host. A client that does not name a host, because it connects to an IP address, also gets the
// certificate. After the authority has expired, the server refuses all clients and states the reason, since clients would not
// accept the certificate.
func (a *Authority) TLSConfig() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return a.leaf() },
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) { // unlike GetCertificate, also called to resume a session
			if host := cmp.Or(strings.ToLower(hello.ServerName), a.hosts[0]); !slices.Contains(a.hosts, host) {
				return nil, fmt.Errorf("authority: a client requested a different host; the certificate is for %s", strings.Join(a.hosts, ", "))
			}
			if a.now().After(a.Expires()) {
				return nil, fmt.Errorf("authority: the certificates expired at %s; restart, and let programs trust the new authority", a.Expires().Format(time.RFC3339))
			}
			return nil, nil // this configuration
		},
	}
}
