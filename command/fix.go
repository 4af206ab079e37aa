package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	linediff "github.com/rogpeppe/go-internal/diff"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/filter"
)

// The values of --fix.
const (
	noFix     = "none"
	safeFixes = "safe"
	allFixes  = "all"
)

// fix corrects the event in a file, or all events on a page, and returns the new content. With --diff, it shows the changes
// and does not write the file.
func (f *fileCheck) fix(doc document) ([]byte, error) {
	before := f.tally.fixed
	text := f.fixed(doc.text)
	switch {
	case bytes.Equal(text, doc.text):
		return text, nil
	case f.flags.diff:
		f.changes++
		_, err := f.out.Write(linediff.Diff(doc.name, doc.text, doc.name, text))
		return text, err
	}
	err := replaceFile(doc, text)
	if err != nil {
		f.tally.fixed = before // the file still has the findings
	}
	return text, err
}

// fixed returns the content of a file with its events corrected.
func (f *fileCheck) fixed(text []byte) []byte {
	items, isPage := pageOf(text)
	if !isPage {
		return f.fixedEvent(text)
	}
	for _, item := range slices.Backward(items) { // last to first, so that the remaining offsets stay valid
		text = slices.Concat(text[:item.start], f.fixedEvent(text[item.start:item.end]), text[item.end:])
	}
	return text
}

// fixedEvent returns an event after applying all fixes that the flags allow.
func (f *fileCheck) fixedEvent(text []byte) []byte {
	req := f.request
	req.Body = text
	fixed, made, err := filter.Checker(f.checker, text).Fix(&req, f.allows)
	if err != nil {
		return text
	}
	f.tally.fixed += len(made)
	return fixed.Body
}

// allows reports whether the flags allow the fix of a finding. A fix outside the file is never allowed.
func (f *fileCheck) allows(finding diag.Finding) bool {
	return (finding.HasSafeFix() || f.flags.fix.value == allFixes) && isInBody(finding.Fix.Patch)
}

// body is the prefix of a fix's paths in the request body.
const body = "/body"

// isInBody reports whether a patch changes only the body.
func isInBody(patch []diag.PatchOperation) bool {
	return !slices.ContainsFunc(patch, func(op diag.PatchOperation) bool { return !strings.HasPrefix(string(op.Path), body) })
}

// replaceFile replaces the content of a file, unless the file is read-only or has changed since it was read. A new file with
// the same mode is renamed to the old name, which is atomic. If renaming would lose a hard link or the owner, the file is
// overwritten instead. Symbolic links are followed.
func replaceFile(doc document, text []byte) error {
	name, err := filepath.EvalSymlinks(doc.name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o222 == 0 { // the mode does not prevent a rename
		return fmt.Errorf("%s: the file is read-only, and is left unchanged", doc.name)
	}
	defer holdSignals()()
	temporary, err := os.CreateTemp(filepath.Dir(name), ".calrules-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails after the rename
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(info.Mode().Perm()), temporary.Sync(), temporary.Close())
	if err != nil {
		return err
	}
	other, err := os.Stat(temporary.Name())
	if err != nil {
		return err
	}
	if !canReplace(info, other, name) {
		return overwrite(name, doc, text)
	}
	if err := isUnchanged(name, doc); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}

// overwrite writes text to a file, and restores the old content if writing fails.
func overwrite(name string, doc document, text []byte) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := isUnchanged(name, doc); err != nil {
		return err
	}
	if err := writeWhole(file, text); err != nil {
		return errors.Join(err, writeWhole(file, doc.text))
	}
	return file.Close()
}

// writeWhole replaces the whole content of a file.
func writeWhole(file *os.File, text []byte) error {
	if _, err := file.WriteAt(text, 0); err != nil {
		return err
	}
	if err := file.Truncate(int64(len(text))); err != nil {
		return err
	}
	return file.Sync()
}

// isUnchanged returns an error if a file has changed since it was read.
func isUnchanged(name string, doc document) error {
	now, err := os.ReadFile(name)
	if err == nil && !bytes.Equal(now, doc.text) {
		return fmt.Errorf("%s: the file changed while it was checked, and is left unchanged", doc.name)
	}
	return err
}
