package lendersync

import (
	"context"
	"time"

	"hearthline/internal/store"
)

// auditRetentionYears is how long the audit is stored. It is not a setting: readers of the audit must know how far
// back it goes without having to know the configuration.
const auditRetentionYears = 6

// Rows that are deleted together block the writer briefly, so one cleaning deletes a limited number.
const (
	auditBatch      = 1000
	maxAuditBatches = 20
)

// trimAudit deletes audit rows after six years, a day at a time.
func (s *Service) trimAudit(ctx context.Context, now time.Time) error {
	before := now.UTC().AddDate(-auditRetentionYears, 0, 0).Truncate(24 * time.Hour)
	for range maxAuditBatches {
		var dropped int64
		err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
			dropped, err = tx.TrimAudit(ctx, before, auditBatch)
			return err
		})
		if err != nil || dropped == 0 {
			return err
		}
	}
	return nil
}

// logAuditHead logs the end of the audit's chain when it has changed: logs are shipped elsewhere, and a chain alone
// cannot show that its end was cut off.
func (s *Service) logAuditHead(ctx context.Context) error {
	head, err := s.Store.AuditHead(ctx)
	if err != nil || head.Seq == s.loggedAuditSeq {
		return err
	}
	s.loggedAuditSeq = head.Seq
	s.Log.Info("audit head", "row", head.Seq, "mark", head.MAC)
	return nil
}
