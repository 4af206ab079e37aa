// Package store stores the records of the emulator. The emulator reads all records at startup, and serves requests from memory.
// A store makes every change durable before the change is acknowledged.
package store

import "sync"

// Record is a JSON value with its key.
type Record struct {
	Kind  string // the kind of the value, such as "event"
	Owner string // the calendar or user to which the record belongs; may be empty
	ID    string // unique among records with the same kind and owner
	Value []byte // nil in a change that deletes the record
}

// Store stores records. The methods of a Store may be called concurrently.
type Store interface {
	// Load calls f for each record, in any order. Load stops at the first error, which it returns.
	Load(f func(Record) error) error

	// Commit writes records, and deletes records with a nil value. If Commit returns an error, no record has changed. If Commit
	// returns nil, the change survives the end of the process.
	Commit(records []Record) error

	// Close releases the store.
	Close() error
}

// Memory is a store in memory, for tests that open the same store twice. The zero value is empty.
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
