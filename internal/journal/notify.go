package journal

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// notifySender notifies the sender of an operation that the lender has not confirmed it, and marks that as read when
// the outcome is known.
func (j *Journal) notifySender(ctx context.Context, tx *store.Tx, op lead.Operation) error {
	keys := j.vault.NoticeDedupKeys(op.ID, string(lead.NoticeUnconfirmed))
	at := j.now()
	if op.State != lead.OpUnknown {
		if op.SettledAt == 0 {
			return nil
		}
		_, err := tx.MarkNoticesRead(ctx, store.UserScope{UserID: op.ActorID, Company: op.Company},
			store.NoticeSelection{At: at, DedupKeys: keys})
		return err
	}
	if user, err := tx.User(ctx, op.ActorID); fault.Is(err, fault.NotFound) || err == nil && user.Disabled {
		return nil
	} else if err != nil {
		return err
	}
	n := lead.Notice{UserID: op.ActorID, Company: op.Company, App: op.App, Kind: lead.NoticeUnconfirmed,
		About: string(op.Kind), At: store.Millis(at), DedupKey: keys[0], OldDedupKeys: keys[1:]}
	if op.App != "" {
		row, err := tx.AnyLead(ctx, op.App)
		if err != nil {
			return err
		}
		n.ShortID = row.ShortID
	}
	_, err := tx.Notify(ctx, n)
	return err
}
