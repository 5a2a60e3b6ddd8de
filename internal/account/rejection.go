package account

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/access"
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

// rejectedSignIn is a rejected sign-in of a user, or of somebody unknown when userID is empty. Proof is what they
// tried.
func rejectedSignIn(userID string, proof access.Proof) rejection {
	return rejection{known: userID != "", AuditEntry: store.AuditEntry{
		ActorID: "nobody", Action: store.ActionSignIn, Object: "user:" + cmp.Or(userID, "unknown"), Outcome: "refused",
		Detail: string(proof),
	}}
}

// auditRejection audits a rejection. The first one of a user, or of a network where the user is unknown, is
// written at once. Those that follow within ten minutes are counted and written as one row with their number:
// the audit accounts for all of them, and nobody can flood it from outside.
func (s *Service) auditRejection(ctx context.Context, r rejection, from ClientInfo) error {
	subject, elsewhere := string(r.Action)+" "+r.Object+" "+r.Detail, string(r.Action)+" elsewhere"
	if !r.known {
		subject = string(r.Action) + " network:" + from.Network
		r.Detail = join(r.Detail, "network:"+from.Network)
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		rows, err := tx.SignInAttempts(ctx, subject, elsewhere)
		if err != nil {
			return err
		}
		counted, ok := rows[subject]
		if !ok && !r.known {
			n, err := tx.CountRejectedSubjects(ctx)
			if err != nil {
				return err
			}
			if n >= maxRejectedSubjects {
				subject = elsewhere
				counted, ok = rows[elsewhere]
			}
		}
		now := store.Millis(s.Now())
		if ok && now-counted.At < rejectionWindow.Milliseconds() {
			counted.Count++
			if !r.known {
				counted.Object = "address:several"
			}
			return tx.SaveSignInAttempts(ctx, counted)
		}
		if ok {
			if err := s.auditRejectionSum(ctx, tx, counted); err != nil {
				return err
			}
		}
		return cmp.Or(tx.Audit(ctx, r.AuditEntry), tx.SaveSignInAttempts(ctx, store.SignInAttempts{
			Key: subject, At: now, Action: r.Action, Object: r.Object, Detail: r.Detail}))
	})
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// auditRejectionSum writes the counted rejections as one row.
func (s *Service) auditRejectionSum(ctx context.Context, tx *store.Tx, r store.SignInAttempts) error {
	n, err := tx.DropSignInAttempts(ctx, r.Key)
	if err != nil || n == 0 || r.Count == 0 {
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
	return true, s.store.Write(ctx, func(tx *store.Tx) error { return s.auditRejectionSum(ctx, tx, r) })
}
