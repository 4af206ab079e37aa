// Package store keeps the records of the emulator. The emulator reads all of them when it starts, and
// answers from memory; a store makes every change durable before it is acknowledged.
package store

import "sync"

// Record is a value with its key. The value is JSON.
type Record struct {
	Kind  string // the kind of the value, such as "event"
	Owner string // the calendar or the user that it belongs to; may be empty
	ID    string // unique among the records of a kind and an owner
	Value []byte // nil in a change that deletes the record
}

// Store keeps records. Its methods may be called concurrently.
type Store interface {
	// Load calls f for each record, in any order, and returns the first error.
	Load(f func(Record) error) error

	// Commit writes records, and deletes records with a nil value. If it returns an error, it has changed none of them.
	// If it returns nil, the change survives the end of the process.
	Commit(records []Record) error

	// Close releases the store.
	Close() error
}

// Memory is a store that lives only as long as the process, for tests that open the same store twice. The
// zero value is empty.
type Memory struct {
	mu      sync.Mutex
	records map[[3]string][]byte
}

// Load implements [Store].
func (m *Memory) Load(f func(Record) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, value := range m.records {
		if err := f(Record{Kind: key[0], Owner: key[1], ID: key[2], Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// Commit implements [Store].
func (m *Memory) Commit(records []Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records == nil {
		m.records = map[[3]string][]byte{}
	}
	for _, r := range records {
		key := [3]string{r.Kind, r.Owner, r.ID}
		if r.Value == nil {
			delete(m.records, key)
		} else {
			m.records[key] = r.Value
		}
	}
	return nil
}

// Close implements [Store].
func (m *Memory) Close() error { return nil }
