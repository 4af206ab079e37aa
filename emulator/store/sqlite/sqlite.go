// Package sqlite stores the records of the emulator in a SQLite file.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"modernc.org/sqlite" // a driver that needs no C compiler
	codes "modernc.org/sqlite/lib"

	"github.com/calrules/calrules/emulator/store"
)

// ErrInUse is returned by [Open] if the file is already open, in another process or in this one.
var ErrInUse = errors.New("another emulator has the file open")

// errNewer is returned by [Open] if the file was created by a newer version.
var errNewer = errors.New("a newer version of the emulator has made the file")

// version is the version of the record format, which is stored as the user_version of a file. A file without
// user_version has version 0, and can also be read.
const version = 1

// Store is a store in a file, which is opened exclusively. The records survive the end of the process, even a crash. After a
// power failure, the last changes may be missing, but a change is never partly stored.
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

// patience is the time, in milliseconds, that Open waits for another process to close the file.
const patience = 500

// Open opens a file, or creates the file if it does not exist. If the file is already open, the error is [ErrInUse]. Open also
// returns an error if the file was created by a newer version, or if changes would be lost because the file or its log is
// damaged.
func Open(file string) (*Store, error) {
	if file == "" || strings.Contains(file, "\x00") {
		return nil, fmt.Errorf("sqlite: %q is not the name of a file", file) // SQLite would open another file
	}
	if err := check(file); err != nil {
		return nil, err
	}
	// The exclusive lock must come first, because a locked file needs no shared-memory file, which could not be created on a full
	// disk. The driver sorts pragmas, so the first two pragmas are combined.
	first := fmt.Sprintf("busy_timeout(%d); PRAGMA locking_mode(EXCLUSIVE)", patience)
	pragmas := url.Values{"_pragma": {first, "journal_mode(WAL)", "synchronous(NORMAL)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+pragmas.Encode())
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	db.SetMaxOpenConns(1) // a single connection, which holds the lock
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
	if _, err = s.db.Exec("BEGIN IMMEDIATE"); err != nil { // only a write acquires the lock
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
