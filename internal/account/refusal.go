package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/store"
)

// refusalWindow is how long refusals of the same are one row of the audit, beside the first.
const refusalWindow = 10 * time.Minute

// mostStrangers bounds the subjects that are counted apart in that time: beyond it, those
// at addresses without an account are counted together, from wherever they come.
const mostStrangers = 200

// refusal is a log-in that was refused.
type refusal struct {
	store.Audited
	known bool // the person is known; else it is told from which network
}

// noteRefusal writes a refusal into the audit. The first of a person, or of a network where
// nobody is known, stands there at once; those that follow within ten minutes are counted,
// and stand there as one row with their number: the audit holds each, and nobody fills it
// from outside.
func (s *Service) noteRefusal(ctx context.Context, r refusal, from From) error {
	return s.write(ctx, func(tx *store.Tx) error {
		subject := string(r.Action) + " " + r.Object + " " + r.Detail
		if !r.known {
			subject = string(r.Action) + " network:" + from.Network
			r.Detail = join(r.Detail, "network:"+from.Network)
			n, err := tx.RefusedSubjects(ctx)
			if err != nil {
				return err
			}
			if _, counted, err := tx.Refused(ctx, subject); err != nil {
				return err
			} else if n >= mostStrangers && !counted {
				subject = string(r.Action) + " elsewhere"
			}
		}
		now := store.Millis(s.Now())
		before, counted, err := tx.Refused(ctx, subject)
		switch {
		case err != nil:
			return err
		case counted && now-before.Since < refusalWindow.Milliseconds():
			before.Count++
			if !r.known {
				before.Object = "address:several"
			}
			return tx.SaveRefused(ctx, before)
		case counted:
			if err := s.sum(ctx, tx, before); err != nil {
				return err
			}
		}
		if err := tx.Audit(ctx, r.Audited); err != nil {
			return err
		}
		return tx.SaveRefused(ctx, store.Refused{Subject: subject, Action: r.Action, Object: r.Object, Detail: r.Detail, Since: now})
	})
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// sum writes those that followed as one row.
func (s *Service) sum(ctx context.Context, tx *store.Tx, r store.Refused) error {
	first, err := tx.DropRefused(ctx, r.Subject)
	if err != nil || !first || r.Count == 0 {
		return err
	}
	return tx.Audit(ctx, store.Audited{
		ActorID: "nobody", Action: r.Action, Object: r.Object, Outcome: "refused",
		Detail: join(fmt.Sprintf("more within ten minutes: %d", r.Count), r.Detail),
	})
}

// sumUp writes one count whose time is over, and says whether there was one.
func (s *Service) sumUp(ctx context.Context) (bool, error) {
	r, ok, err := s.store.RefusedBefore(ctx, s.Now().Add(-refusalWindow))
	if err != nil || !ok {
		return false, err
	}
	return true, s.write(ctx, func(tx *store.Tx) error { return s.sum(ctx, tx, r) })
}
