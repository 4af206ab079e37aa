package rtdb

import (
	"crypto/rand"
	"slices"
	"time"
)

// keys generates names for added children. The names sort in order of generation.
type keys struct {
	last   int64
	suffix [12]byte
}

// alphabet contains the characters of names, in byte order.
const alphabet = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

// next returns a new name. The name consists of eight characters for the time and twelve random characters. Within a
// millisecond, the last twelve characters are incremented instead.
func (k *keys) next(now time.Time) string {
	at := now.UnixMilli()
	if at > k.last {
		k.last = at
		rand.Read(k.suffix[:]) // never fails
		for i := range k.suffix {
			k.suffix[i] %= 64
		}
	} else {
		k.increment()
	}
	var name []byte
	for i, t := 0, k.last; i < 8; i, t = i+1, t/64 {
		name = append(name, alphabet[t%64])
	}
	slices.Reverse(name)
	for _, c := range k.suffix {
		name = append(name, alphabet[c])
	}
	return string(name)
}

func (k *keys) increment() {
	for i := len(k.suffix) - 1; i >= 0; i-- {
		if k.suffix[i]++; k.suffix[i] < 64 {
			return
		}
		k.suffix[i] = 0
	}
}
