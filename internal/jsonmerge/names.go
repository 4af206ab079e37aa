package jsonmerge

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// name is the name of a member as written, with its quotes and without escapes. Equal names have equal digests.
type name struct {
	quoted []byte
	digest uint64
}

func nameOf(quoted []byte) name { return name{quoted, digest(quoted)} }

func (n name) equal(other name) bool {
	return n.digest == other.digest && bytes.Equal(n.quoted, other.quoted)
}

// digest returns a digest of a name's first and last bytes, which usually distinguish the names in an object.
func digest(quoted []byte) uint64 {
	const mix = 0x9E3779B97F4A7C15 // an odd number with well-mixed bits
	switch n := len(quoted); {
	case n >= 8:
		return binary.LittleEndian.Uint64(quoted)*mix ^ binary.LittleEndian.Uint64(quoted[n-8:]) ^ uint64(n)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(quoted))<<32 | uint64(binary.LittleEndian.Uint32(quoted[n-4:])) ^ uint64(n)
	default:
		return uint64(quoted[n/2])
	}
}

// few is the maximum number of names in an object that are compared one by one. The names in a larger object are also stored in
// a table.
const few = 24

// names contains the names in the objects that are being read, to find repetitions, and all names in large objects.
type names struct {
	list  []named
	table table
}

type named struct {
	name
	index int
}

// object is an object whose members are being read.
type object struct {
	at, first, count int // the offset in the input, the index in names.list, and the number of names
}

func (n *names) open(at int) object { return object{at: at, first: len(n.list)} }

// close discards the names of the object, but not the names in the table.
func (n *names) close(o object) { n.list = n.list[:o.first] }

// add adds a name to the object that was opened last, or returns false if the object already contains the name.
func (n *names) add(o *object, added name, index int) bool {
	if o.count++; o.count > few {
		if o.count == few+1 {
			for _, one := range n.list[o.first:] {
				n.table.add(o.at, one)
			}
		}
		return n.table.add(o.at, named{added, index})
	}
	list := n.list[o.first:]
	for i := range list {
		if list[i].digest == added.digest && bytes.Equal(list[i].quoted, added.quoted) {
			return false
		}
	}
	n.list = append(n.list, named{added, index})
	return true
}

// release drops all references to the input, and unusually large buffers.
func (n *names) release() {
	const usual = 256
	if cap(n.list) > usual {
		n.list = nil
	}
	clear(n.list[:cap(n.list)])
	n.list = n.list[:0]
	if len(n.table.slots) > 4*usual {
		n.table = table{}
	}
	n.table.reset()
}

// table is a hash table of names, with a random seed to prevent inputs that are crafted to be slow.
type table struct {
	seed    maphash.Seed
	slots   []int32 // the indexes of entries, plus one, by hash; 0 is free
	entries []entry
}

type entry struct {
	hash   uint64
	object int
	named
}

func (t *table) hash(object int, quoted []byte) uint64 {
	return maphash.Bytes(t.seed, quoted) + uint64(object)*0x9E3779B97F4A7C15
}

// find returns the slot of a name in an object, or the free slot to use for the name.
func (t *table) find(hash uint64, object int, quoted []byte) (slot int) {
	for slot = int(hash % uint64(len(t.slots))); t.slots[slot] != 0; slot = (slot + 1) % len(t.slots) {
		if e := &t.entries[t.slots[slot]-1]; e.object == object && bytes.Equal(e.quoted, quoted) {
			return slot
		}
	}
	return slot
}

// add adds the name of a member to an object, or returns false if the object already contains the name.
func (t *table) add(object int, n named) bool {
	if 2*len(t.entries) >= len(t.slots) {
		t.grow()
	}
	hash := t.hash(object, n.quoted)
	slot := t.find(hash, object, n.quoted)
	if t.slots[slot] != 0 {
		return false
	}
	t.entries = append(t.entries, entry{hash, object, n})
	t.slots[slot] = int32(len(t.entries))
	return true
}

// grow doubles the number of slots.
func (t *table) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]int32, max(4*few, 2*len(t.slots)))
	for i, e := range t.entries {
		t.slots[t.find(e.hash, e.object, e.quoted)] = int32(i + 1)
	}
}

// absent is returned as the index of a missing name.
const absent = -1

// index returns the index of a name in a large object, or absent.
func (t *table) index(object int, n name) int {
	if slot := t.slots[t.find(t.hash(object, n.quoted), object, n.quoted)]; slot != 0 {
		return t.entries[slot-1].index
	}
	return absent
}

func (t *table) reset() {
	if len(t.entries) != 0 {
		clear(t.slots)
		clear(t.entries)
		t.entries = t.entries[:0]
	}
}
