package jsonmerge

import (
	"fmt"

	"github.com/calrules/calrules/internal/jsonscan"
)

// appendSimple implements [Append] using several passes over the target and the patch.
func appendSimple(dst, target, patch []byte) ([]byte, error) {
	var old jsonscan.Value
	var targetIndex, patchIndex jsonscan.Index
	if len(target) > 0 {
		var err error
		if old, err = targetIndex.Check(target); err != nil {
			return dst, fmt.Errorf("the stored value cannot be read: %w", err)
		}
	}
	change, err := patchIndex.Check(patch)
	if err != nil {
		return dst, fmt.Errorf("the patch cannot be read: %w", err)
	}
	return simpleMerge(dst, old, change), nil
}

// appendSimpleValid implements [AppendValid] without the fast merge.
func appendSimpleValid(dst, target, patch []byte) []byte {
	var targetIndex, patchIndex jsonscan.Index
	return simpleMerge(dst, targetIndex.Of(target), patchIndex.Of(patch))
}

// simpleMerge implements MergePatch from RFC 7396 section 2.
func simpleMerge(dst []byte, target, patch jsonscan.Value) []byte {
	if !patch.IsObject() {
		return append(dst, patch.Text...)
	}
	changes := map[string]jsonscan.Value{}
	for name, value := range patch.Members() {
		changes[name.String()] = value
	}
	old := map[string]bool{}
	dst = append(dst, '{')
	start := len(dst)
	for name, value := range target.Members() {
		old[name.String()] = true
		change, isChanged := changes[name.String()]
		if !isChanged {
			dst = append(appendName(dst, start, name), value.Text...)
		} else if !change.IsNull() {
			dst = simpleMerge(appendName(dst, start, name), value, change)
		}
	}
	for name, value := range patch.Members() {
		if !old[name.String()] && !value.IsNull() {
			dst = simpleMerge(appendName(dst, start, name), jsonscan.Value{}, value)
		}
	}
	return append(dst, '}')
}
