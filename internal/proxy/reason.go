package proxy

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"syscall"
)

// unreachable returns the reason why a server cannot be reached, or false if the error has a different cause. Only the type of
// the error is considered, since the message may quote the server.
func unreachable(err error) (reason string, ok bool) {
	var late net.Error
	for _, known := range []struct {
		is     bool
		reason string
	}{
		{errors.Is(err, syscall.ECONNREFUSED), "it refuses the connection"},
		{isType[*net.DNSError](err), "its name does not resolve to an address"},
		{errors.Is(err, errNotReachable), "a proxy that serves other machines opens tunnels only to globally reachable addresses of other machines"},
		{isType[*tls.CertificateVerificationError](err), "its certificate is not trusted"},
		{isType[tls.RecordHeaderError](err), "it does not speak TLS"},
		{isType[*net.OpError](err) && errors.As(err, &late) && late.Timeout(), "it takes too long"},
		{isType[*net.OpError](err), "the connection fails"},
	} {
		if known.is {
			return known.reason, true
		}
	}
	return "", false
}

// errorLines is a log writer that rewords each line, since the original line may quote a client or the upstream.
type errorLines func(string)

func (e errorLines) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	if _, after, ok := strings.Cut(text, "TLS handshake error from "); ok {
		_, reason, _ := strings.Cut(after, ": ")
		if !strings.HasPrefix(reason, "authority: ") { // the messages of package authority are safe
			reason = "(does the client trust the authority or the certificate?)"
		}
		e("TLS handshake error " + reason)
		return len(line), nil
	}
	for _, known := range [...][2]string{
		{"Accept error", "a connection cannot be accepted"},
		{"ReverseProxy read error", "a response from the upstream ended early"},
		{"panic serving", "a request caused a panic, which is a bug in the proxy"},
		{"", "a connection failed"},
	} {
		if strings.Contains(text, known[0]) {
			e(known[1])
			break
		}
	}
	return len(line), nil
}
