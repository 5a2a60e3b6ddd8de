package store

import (
	"context"
	"errors"
	"fmt"

	"hearthline/internal/store/internal/dbcopy"
	"hearthline/internal/store/internal/sqldb"
)

// CopyOptions configure CopyTo.
type CopyOptions = dbcopy.Options

// Copied is what CopyTo has copied.
type Copied struct {
	Tables []dbcopy.Table // in the order of copying
	Audit  int            // verified rows of the audit
}

// Why a database is not copied.
var (
	ErrUnfinishedCopy = dbcopy.ErrUnfinished
	ErrTargetNotEmpty = dbcopy.ErrTargetNotEmpty
	ErrSourceChanged  = dbcopy.ErrSourceChanged
	ErrSourceInUse    = dbcopy.ErrSourceInUse
	ErrAuditBroken    = errors.New("the audit log does not verify: see portal audit verify")
)

// CopyTo copies everything into an empty database of either kind, and checks that both are the same then. Meanwhile
// nobody writes to this store; nobody should afterwards, because those changes are not in the copy. After a failure at
// any moment the next call continues; until then Open returns ErrUnfinishedCopy for the target.
func (s *Store) CopyTo(ctx context.Context, address string, options CopyOptions) (copied Copied, err error) {
	if copied.Audit, err = s.verifyAudit(ctx); err != nil {
		return Copied{}, err
	}
	target, err := sqldb.Connect(ctx, address)
	if err != nil {
		return Copied{}, fmt.Errorf("the new database %s cannot be opened: %w", AddressForDisplay(address), err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	copied.Tables, err = dbcopy.Copy(ctx, s.database, target, options, func(ctx context.Context) error {
		_, err := newStore(target, s.Options).verifyAudit(ctx)
		return err
	})
	return copied, err
}

// verifyAudit returns the number of rows of an intact audit.
func (s *Store) verifyAudit(ctx context.Context) (int, error) {
	_, rows, ok, err := s.BrokenAudit(ctx)
	if err == nil && !ok {
		err = ErrAuditBroken
	}
	return rows, err
}
