package authority

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"
)

const (
	certificateBlock = "CERTIFICATE"
	keyBlock         = "PRIVATE KEY"
)

// remaining is the minimum remaining validity of an authority that is reused from a file.
const remaining = time.Hour

// patience is the maximum time that Open waits while another program writes the same file, which normally takes milliseconds.
var patience = 10 * time.Second

// Open returns the authority that is stored in a file and valid for the given hosts. Programs can trust the authority in a
// file across server restarts. If the file does not exist, or if its authority expires within an hour or is for other hosts,
// Open creates an authority and writes it to a file that only the owner can read (mode 0600). Programs that concurrently open
// the same file get the same authority. Open returns an error if other users can read the file, or if the file does not
// contain an authority created by this package.
func Open(file string, hosts []string, now time.Time) (*Authority, error) {
	hosts, err := normal(hosts)
	if err != nil {
		return nil, err
	}
	if a, err := kept(file, hosts, now); a != nil || err != nil {
		return a, err
	}
	next, err := claim(file + ".new")
	if err != nil {
		return nil, err
	}
	a, err := kept(file, hosts, now) // another program may have written the file in the meantime
	isNew := a == nil && err == nil
	if isNew {
		if a, err = New(hosts, now); err == nil {
			err = a.write(next)
		}
	}
	err = errors.Join(err, next.Close())
	if isNew && err == nil {
		err = os.Rename(next.Name(), file)
	}
	if !isNew || err != nil {
		os.Remove(next.Name())
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// kept returns the authority in a file, or nil if the file does not exist or its authority can no longer be used.
func kept(file string, hosts []string, now time.Time) (*Authority, error) {
	a, err := load(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !slices.Equal(a.hosts, hosts) || now.Before(a.certificate.NotBefore) || !now.Add(remaining).Before(a.Expires()):
		return nil, nil
	}
	return a, nil
}

// claim creates a file that serves as a lock, and waits while another program holds the lock.
func claim(file string) (*os.File, error) {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case !errors.Is(err, fs.ErrExist):
			return f, err
		case time.Now().After(end):
			return nil, fmt.Errorf("authority: another program is writing %s; if none is running, remove the file", file)
		}
	}
}

// Publish writes the certificate to a file, for programs to trust. Publish only replaces a certificate that calrules wrote, or
// an empty file, so a mistyped name cannot destroy another file.
func (a *Authority) Publish(file string) error {
	old, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) == 0: // a full disk may have stopped an earlier write
	default:
		block, rest := pem.Decode(old)
		if block == nil || len(rest) > 0 || !isAuthority(block) {
			return fmt.Errorf("authority: %s is not a certificate made by calrules, and is left unchanged", file)
		}
	}
	return os.WriteFile(file, a.PEM(), 0o644)
}

func isAuthority(block *pem.Block) bool {
	certificate, err := x509.ParseCertificate(block.Bytes)
	return err == nil && certificate.Subject.CommonName == name
}

// mostBytes is the maximum size in bytes of a file to read.
const mostBytes = 64 << 10

func load(file string) (*Authority, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("authority: %s is not a regular file", file)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("authority: %s has the mode %04o, so other users can read the key; remove it, or change its mode to 0600", file, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if err != nil {
		return nil, err
	}
	a, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("authority: %s is not an authority file made by calrules, and is left unchanged: %w", file, err)
	}
	return a, nil
}

func parse(text []byte) (*Authority, error) {
	first, rest := pem.Decode(text)
	second, _ := pem.Decode(rest)
	if first == nil || second == nil || first.Type != certificateBlock || second.Type != keyBlock {
		return nil, errors.New("it does not contain a certificate and a key")
	}
	certificate, err := x509.ParseCertificate(first.Bytes)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(second.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	switch {
	case !ok || !key.PublicKey.Equal(certificate.PublicKey):
		return nil, errors.New("the key does not belong to the certificate")
	case certificate.Subject.CommonName != name:
		return nil, fmt.Errorf("its subject is %q", certificate.Subject.CommonName)
	case certificate.NotAfter.Sub(certificate.NotBefore) > lifetime:
		return nil, errors.New("it is valid for more than a day")
	}
	hosts := slices.Clone(certificate.PermittedDNSDomains)
	for _, ip := range certificate.PermittedIPRanges {
		hosts = append(hosts, ip.IP.String())
	}
	if hosts, err = normal(hosts); err != nil {
		return nil, err
	}
	return newAuthority(certificate, key, hosts), nil
}

func (a *Authority) write(w io.Writer) error {
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return err
	}
	_, err = w.Write(append(a.PEM(), pem.EncodeToMemory(&pem.Block{Type: keyBlock, Bytes: key})...))
	return err
}
