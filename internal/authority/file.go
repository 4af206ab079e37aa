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

// patience is the maximum time that Open waits while another program has locked the same file, which normally takes milliseconds.
const patience = 10 * time.Second

// Open returns the authority that is stored in a file and valid for the given hosts. Programs can trust the authority in a
// file across server restarts. If the file does not exist or is empty, or if its authority expires within an hour or is for other
// hosts, Open creates an authority and writes it to the file, which only the owner can read (mode 0600). Programs that
// concurrently open the same file get the same authority. Open returns an error if other users can read the file, or if the file
// does not contain an authority created by this package.
func Open(file string, hosts []string, now time.Time) (*Authority, error) {
	hosts, err := normal(hosts)
	if err != nil {
		return nil, err
	}
	f, err := lock(file)
	if err != nil {
		return nil, err
	}
	a, err := keep(f, hosts, now)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return a, nil
}

// keep returns the authority in a locked file. If it cannot be used, keep replaces it.
func keep(f *os.File, hosts []string, now time.Time) (*Authority, error) {
	a, err := load(f)
	if err != nil || a != nil && a.isUsable(hosts, now) {
		return a, err
	}
	if a, err = New(hosts, now); err != nil {
		return nil, err
	}
	return a, a.write(f)
}

func (a *Authority) isUsable(hosts []string, now time.Time) bool {
	return slices.Equal(a.hosts, hosts) && !now.Before(a.certificate.NotBefore) && now.Add(remaining).Before(a.Expires())
}

// errLocked means that another program has locked a file.
var errLocked = errors.New("another program has locked it")

// lock opens a file and locks it until it is closed, and creates the file if it does not exist. The system unlocks the file of a
// program that is killed.
func lock(file string) (*os.File, error) {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		f, err := openLocked(file)
		switch {
		case !errors.Is(err, errLocked):
			return f, err
		case time.Now().After(end):
			return nil, fmt.Errorf("authority: %s cannot be read: %w", file, err)
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

// load returns the authority in a file, or nil if the file is empty, as it is if it has just been created, or if a full disk has
// stopped an earlier write.
func load(f *os.File) (*Authority, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("authority: %s is not a regular file", f.Name())
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("authority: %s has the mode %04o, so other users can read the key; remove it, or change its mode to 0600", f.Name(), info.Mode().Perm())
	case info.Size() == 0:
		return nil, nil
	}
	text, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if err != nil {
		return nil, err
	}
	a, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("authority: %s is not an authority file made by calrules, and is left unchanged: %w", f.Name(), err)
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

// write replaces the contents of a file. If write fails, the file is empty.
func (a *Authority) write(f *os.File) error {
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	if _, err := f.WriteAt(append(a.PEM(), pem.EncodeToMemory(&pem.Block{Type: keyBlock, Bytes: key})...), 0); err != nil {
		return errors.Join(err, f.Truncate(0))
	}
	return nil
}
