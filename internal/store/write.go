package store

import (
	"context"
	"io"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store/internal/sqldb"
)

// Tx is a transaction on the writer.
type Tx struct {
	queries
	db  *sqldb.DB
	ids io.Reader
	// Unassigned are the leads that lost their originator in this transaction, as they were before.
	Unassigned []lead.Row
	// CoversEnded are the absences whose deputy no longer covers, because the absent user's account closed or moved in
	// this transaction.
	CoversEnded []lead.Absence
}

// Write runs f in one transaction: all of it is committed when Write returns nil, and none of it after an error or a
// panic. The context ends the wait for the writer and, between the statements of f, the write; a commit that has
// begun is not canceled, because its outcome would be unknown. f must not call Write. After the commit, Write
// announces to open pages the leads and the inboxes that have changed.
func (s *Store) Write(ctx context.Context, f func(tx *Tx) error) error {
	announce, err := s.WriteUnannounced(ctx, f)
	announce()
	return err
}

// WriteUnannounced is Write for a caller that announces the changes later. After an error, announce does nothing.
func (s *Store) WriteUnannounced(ctx context.Context, f func(tx *Tx) error) (announce func(), err error) {
	changes := &changes{read: map[heloc.AppID]lead.Row{}}
	err = sqldb.Write(ctx, s.database, func(c sqldb.Conn) error {
		tx := &Tx{queries: queries{conn: c, Options: s.Options, changes: changes}, db: s.database, ids: s.ids}
		if err := f(tx); err != nil {
			return err
		}
		return tx.publishChanges(ctx)
	})
	if err != nil || s.Hub == nil {
		return func() {}, err
	}
	return func() { changes.announce(s.Hub) }, nil
}
