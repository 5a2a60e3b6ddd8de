package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/store"
)

// rejectionWindow is how long further rejections of the same kind are summed up in one audit row after the
// first.
const rejectionWindow = 10 * time.Minute

// maxRejectedSubjects limits the subjects that are counted separately in that time. Beyond it, rejections for
// email addresses without an account are counted together, from any network.
const maxRejectedSubjects = 200

// rejection is a rejected sign-in.
type rejection struct {
	store.AuditEntry
	known bool // the account is known; otherwise the entry names the network
}

// auditRejection audits a rejection. The first one of a user, or of a network where the user is unknown, is
// written at once. Those that follow within ten minutes are counted and written as one row with their number:
// the audit accounts for all of them, and nobody can flood it from outside.
func (s *Service) auditRejection(ctx context.Context, r rejection, from ClientInfo) error {
	return s.write(ctx, func(tx *store.Tx) error {
		subject := string(r.Action) + " " + r.Object + " " + r.Detail
		if !r.known {
			subject = string(r.Action) + " network:" + from.Network
			r.Detail = join(r.Detail, "network:"+from.Network)
			n, err := tx.CountRejectedSubjects(ctx)
			if err != nil {
				return err
			}
			if _, counted, err := tx.RejectedSignIns(ctx, subject); err != nil {
				return err
			} else if n >= maxRejectedSubjects && !counted {
				subject = string(r.Action) + " elsewhere"
			}
		}
		now := store.Millis(s.Now())
		before, counted, err := tx.RejectedSignIns(ctx, subject)
		switch {
		case err != nil:
			return err
		case counted && now-before.Since < rejectionWindow.Milliseconds():
			before.Count++
			if !r.known {
				before.Object = "address:several"
			}
			return tx.SaveRejectedSignIns(ctx, before)
		case counted:
			if err := s.auditRejectionSum(ctx, tx, before); err != nil {
				return err
			}
		}
		if err := tx.Audit(ctx, r.AuditEntry); err != nil {
			return err
		}
		return tx.SaveRejectedSignIns(ctx, store.RejectedSignIns{Subject: subject, Action: r.Action, Object: r.Object, Detail: r.Detail, Since: now})
	})
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// auditRejectionSum writes the counted rejections as one row.
func (s *Service) auditRejectionSum(ctx context.Context, tx *store.Tx, r store.RejectedSignIns) error {
	first, err := tx.DropRejectedSignIns(ctx, r.Subject)
	if err != nil || !first || r.Count == 0 {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: "nobody", Action: r.Action, Object: r.Object, Outcome: "refused",
		Detail: join(fmt.Sprintf("more within ten minutes: %d", r.Count), r.Detail),
	})
}

// sumUpRejections writes one count whose window has ended, and reports whether there was one.
func (s *Service) sumUpRejections(ctx context.Context) (bool, error) {
	r, ok, err := s.store.RejectedSignInsBefore(ctx, s.Now().Add(-rejectionWindow))
	if err != nil || !ok {
		return false, err
	}
	return true, s.write(ctx, func(tx *store.Tx) error { return s.auditRejectionSum(ctx, tx, r) })
}
