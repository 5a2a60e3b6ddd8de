// Package store keeps the portal's data in SQLite or PostgreSQL, through sqlx. A file is named for the rows that
// it reads and writes; besides those:
//
//	store.go                     opening
//	write.go                     writes, permission checks in their transactions, changes that others are told about
//	statements.go, query.go      the functions through which all others send their statements; conditions
//	lead_list.go, lead_search.go the pipeline: pages by key, counts, search tokens
//	audit_list.go, audit_trim.go reading the audit and its heads, deleting its old rows
//	sealed.go, reencryption.go   sealed columns, the keys that belong to the database, re-encrypting with new keys
//	lease.go                     leases and duties of processes; times from before the clock was set back
//	release.go                   which releases can use the database, and which processes do
//	backup.go                    copies of the database, and putting one in its place
//	backlog.go                   counts for operators
//	internal/sqldb               connections, transactions, statements; what differs between the databases
//
// Every query for leads takes an access.Scope and lists its columns. The same code runs on the
// database and inside a transaction. The caller seals and unseals: sealed values are bytes here. Rows that
// other layers name are declared in internal/lead; rows that only this package and its callers below desk
// use are declared here.
//
// One transaction often writes rows of several kinds, so all queries are methods of one type, with a file for each
// kind of row.
package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store/internal/dbcopy"
	"hearthline/internal/store/internal/sqldb"
)

// Store is an open database. Create it with Open.
type Store struct {
	Queries // reads outside transactions
	*database
	ids io.Reader // of events: increasing within a millisecond, and used only by the one writer

	probing sync.Mutex
	probed  time.Time // when Ready last wrote
}

// database is embedded under a name that others cannot use, so that they can only call its methods.
type database = sqldb.DB

// Queries are the statements that run on the database as well as in a transaction.
type Queries struct {
	conn sqldb.Conn
	Options
	changes *changes // of the transaction; nil outside one
}

// Options configure a store. The zero value uses real time and an audit without MACs.
type Options struct {
	MAC       MACFunc       // chains the audit; the vault provides it
	VerifyMAC VerifyMACFunc // accepts MACs of older keys too; without it a MAC is computed again and compared
	Now       Clock
	// LeaseClock replaces the clock of LeaseNow in tests that change the time. Otherwise it is nil.
	LeaseClock Clock
	Hub        *pubsub.Hub // announces changes to open pages; may be nil
	// Tell reports whether users are told about notifications in a channel; nil for none.
	Tell func(lead.TellChannel) bool
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func (o Options) mac(parts ...string) string {
	if o.MAC == nil {
		return ""
	}
	return o.MAC(parts...)
}

func (o Options) verifyMAC(code string, parts ...string) bool {
	if o.VerifyMAC != nil {
		return o.VerifyMAC(code, parts...)
	}
	return code == o.mac(parts...)
}

// Open opens the database at an address, the path of an SQLite file or a URL of PostgreSQL, and migrates it to the
// newest schema. It creates a file that is absent. It returns ErrUnfinishedCopy for a database into which CopyTo has
// not copied everything, and ErrReleaseTooOld for one of a release that is too new.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	db, err := sqldb.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	s := newStore(db, options)
	if err := s.Update(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenUnchanged opens an existing database as it is: it is neither created nor migrated. It returns ErrNoDatabase if
// there is none, an *OlderSchemaError together with the open store for a database that Open would migrate, and the
// errors of Open.
func OpenUnchanged(ctx context.Context, address string, options Options) (*Store, error) {
	db, err := connectExisting(ctx, address)
	if err != nil {
		return nil, err
	}
	s := newStore(db, options)
	if err := s.checkUnchanged(ctx); err != nil {
		if _, older := errors.AsType[*OlderSchemaError](err); older {
			return s, err
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connectExisting connects a database that has data, and returns ErrNoDatabase for any other.
func connectExisting(ctx context.Context, address string) (*sqldb.DB, error) {
	if filled, err := HasData(ctx, address); err != nil || !filled {
		return nil, cmp.Or(err, ErrNoDatabase)
	}
	return sqldb.Connect(ctx, address)
}

func newStore(db *sqldb.DB, options Options) *Store {
	return &Store{Queries: Queries{conn: sqldb.Readers(db), Options: options}, database: db,
		ids: ulid.Monotonic(rand.Reader, 0)}
}

// Update migrates the database if it is complete and no other process depends on its current schema.
func (s *Store) Update(ctx context.Context) error {
	if err := s.checkComplete(ctx); err != nil {
		return err
	}
	if err := s.checkRelease(ctx); err != nil {
		return err
	}
	if err := sqldb.Migrate(ctx, s.database); err != nil {
		return err
	}
	return s.raiseOldest(ctx)
}

// probeInterval is the shortest interval between Ready's test writes, because monitors may call it every second.
const probeInterval = 5 * time.Second

const probeSetting = "ready.probe"

// Ready returns nil if the database can be read now, and was writable a moment ago.
func (s *Store) Ready(ctx context.Context) error {
	s.probing.Lock()
	defer s.probing.Unlock()
	now := s.now()
	if since := now.Sub(s.probed); since >= 0 && since < probeInterval {
		_, err := s.Setting(ctx, probeSetting)
		return err
	}
	if err := s.Write(ctx, func(tx *Tx) error {
		return tx.SaveSetting(ctx, probeSetting, now.UTC().Format(time.RFC3339))
	}); err != nil {
		return err
	}
	s.probed = now
	return nil
}

// checkComplete returns ErrUnfinishedCopy for a database into which something is still being copied.
func (s *Store) checkComplete(ctx context.Context) error {
	copied, err := dbcopy.Unfinished(ctx, s.conn)
	if err == nil && copied != "" {
		err = ErrUnfinishedCopy
	}
	return err
}

// Millis returns an instant as it is stored, like lead.Millis.
func Millis(t time.Time) int64 { return lead.Millis(t) }

// Instant converts a stored instant, like lead.Instant.
func Instant(ms int64) time.Time { return lead.Instant(ms) }

// ErrOwnBackup is returned by Backup for a database that is backed up with its own tools.
var ErrOwnBackup = sqldb.ErrOwnBackup

// IsPostgres reports whether an address of a database is a URL of PostgreSQL and not the path of a file.
func IsPostgres(address string) bool { return sqldb.IsPostgres(address) }

// AddressForDisplay returns an address without its password.
func AddressForDisplay(address string) string { return sqldb.AddressForDisplay(address) }

// HasData reports whether the address has a database with a schema. It creates nothing.
func HasData(ctx context.Context, address string) (bool, error) { return sqldb.HasData(ctx, address) }

// InUse reports whether a portal, of this process or another, has the database at an address open.
func InUse(ctx context.Context, address string) (bool, error) { return sqldb.InUse(ctx, address) }
