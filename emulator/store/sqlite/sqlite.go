// Package sqlite stores the records of the emulator in a SQLite file.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"modernc.org/sqlite" // the driver, which needs no C compiler
	codes "modernc.org/sqlite/lib"

	"github.com/calrules/calrules/emulator/store"
)

// ErrInUse is the error of [Open] if another process, or another store of this one, has the file open.
var ErrInUse = errors.New("another emulator has the file open")

// errNewer is the error of [Open] if a later version has made the file.
var errNewer = errors.New("a newer version of the emulator has made the file")

// version is the version of the records, which is the user_version of a file. A file without one has version 0, whose records
// can be read.
const version = 1

// Store is a store in a file, which nothing else can open at the same time. Its records survive the end of the
// process, even a crash. After a power failure, the last changes may be missing, but never a part of a change.
type Store struct {
	db            *sql.DB
	write, remove *sql.Stmt
}

var _ store.Store = (*Store)(nil)

const schema = `
CREATE TABLE IF NOT EXISTS records (
	kind  TEXT NOT NULL,
	owner TEXT NOT NULL,
	id    TEXT NOT NULL,
	value BLOB NOT NULL,
	PRIMARY KEY (kind, owner, id)
) WITHOUT ROWID`

// patience is the time that Open waits for a process that has the file open to end, in milliseconds.
const patience = 500

// Open opens a file, and creates it if it does not exist. The error is [ErrInUse] if it is already open. Open also returns
// an error if changes in the file would be lost, because it or its log is damaged, or if a later version has made it.
func Open(file string) (*Store, error) {
	if file == "" || strings.Contains(file, "\x00") {
		return nil, fmt.Errorf("sqlite: %q is not the name of a file", file) // SQLite would take another file
	}
	if err := check(file); err != nil {
		return nil, err
	}
	// The lock comes first: a file that is locked needs no shared memory, for which a full disk has no room, so that it can
	// be opened. The driver would sort the pragmas if they were not one.
	first := fmt.Sprintf("busy_timeout(%d); PRAGMA locking_mode(EXCLUSIVE)", patience)
	pragmas := url.Values{"_pragma": {first, "journal_mode(WAL)", "synchronous(NORMAL)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+pragmas.Encode())
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	db.SetMaxOpenConns(1) // the only writer is also the only reader; its connection has the lock
	s := &Store{db: db}
	if err := s.prepare(); err != nil {
		if code, ok := errors.AsType[*sqlite.Error](err); ok && code.Code()&0xff == codes.SQLITE_BUSY {
			err = ErrInUse
		}
		return nil, errors.Join(fmt.Errorf("sqlite: %s: %w", file, err), db.Close())
	}
	return s, nil
}

func (s *Store) prepare() (err error) {
	if _, err = s.db.Exec("BEGIN IMMEDIATE"); err != nil { // the lock begins with a write
		return err
	}
	var has int
	if err = s.db.QueryRow("PRAGMA user_version").Scan(&has); err != nil {
		return err
	}
	statements := []string{schema, "COMMIT"}
	switch {
	case has > version:
		return errNewer
	case has < version:
		statements = []string{schema, fmt.Sprintf("PRAGMA user_version = %d", version), "COMMIT"}
	}
	for _, statement := range statements {
		if _, err = s.db.Exec(statement); err != nil {
			return err
		}
	}
	if s.write, err = s.db.Prepare(`INSERT OR REPLACE INTO records (kind, owner, id, value) VALUES (?, ?, ?, ?)`); err != nil {
		return err
	}
	s.remove, err = s.db.Prepare(`DELETE FROM records WHERE kind = ? AND owner = ? AND id = ?`)
	return err
}

// Load implements [store.Store].
func (s *Store) Load(f func(store.Record) error) error {
	rows, err := s.db.Query(`SELECT kind, owner, id, value FROM records`)
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r store.Record
		if err := rows.Scan(&r.Kind, &r.Owner, &r.ID, &r.Value); err != nil {
			return fmt.Errorf("sqlite: %w", err)
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Commit implements [store.Store].
func (s *Store) Commit(records []store.Record) error {
	tx, err := s.db.Begin()
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	for _, r := range records {
		if err := s.put(tx, r); err != nil {
			return errors.Join(fmt.Errorf("sqlite: %w", err), tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return errors.Join(fmt.Errorf("sqlite: %w", err), ignoreDone(tx.Rollback()))
	}
	return nil
}

func (s *Store) put(tx *sql.Tx, r store.Record) error {
	if r.Value == nil {
		_, err := tx.Stmt(s.remove).Exec(r.Kind, r.Owner, r.ID)
		return err
	}
	_, err := tx.Stmt(s.write).Exec(r.Kind, r.Owner, r.ID, r.Value)
	return err
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// Close implements [store.Store].
func (s *Store) Close() error { return s.db.Close() }
