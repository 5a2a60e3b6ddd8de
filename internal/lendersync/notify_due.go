package lendersync

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// missedFollowUps is how long ago a follow-up may have come due for a portal that was not running then.
const missedFollowUps = 24 * time.Hour

// notifyFollowUps notifies of the follow-ups that have come due since it last did.
func (s *Service) notifyFollowUps(ctx context.Context) error {
	now := s.Now()
	from := s.followUpsTo
	if from.IsZero() || from.After(now) {
		from = now.Add(-missedFollowUps)
	}
	due, err := s.Store.FollowUpsDueBetween(ctx, from, now)
	if err != nil {
		return err
	}
	for _, f := range due {
		if err := s.notifyDue(ctx, f.App, notice{kind: lead.NoticeFollowUpDue,
			dedupParts: []string{f.ID, strconv.FormatInt(f.DueAt, 10)}}); err != nil {
			return err
		}
	}
	s.followUpsTo = now
	return nil
}

// notifyExpiring notifies of what ends within three days, once for each.
func (s *Service) notifyExpiring(ctx context.Context) error {
	now := s.Now()
	all, err := s.Store.Expiring(ctx, now, now.Add(lead.ExpiringWithin))
	failed := []error{err}
	for _, one := range all {
		failed = append(failed, s.notifyDue(ctx, one.App,
			notice{kind: lead.NoticeExpiring, about: one.About, dedupParts: []string{one.Fact}}))
	}
	return errors.Join(failed...)
}

// notifyDue notifies the originator of a lead, and who covers for them, of a time that has come.
func (s *Service) notifyDue(ctx context.Context, app heloc.AppID, one notice) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.AnyLead(ctx, app)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil || row.Originator == "" {
			return err
		}
		people, err := tx.PeopleOf(ctx, row.Originator, row.Company)
		if err != nil {
			return err
		}
		deputies, err := tx.DeputiesOf(ctx, row.Originator)
		if err != nil {
			return err
		}
		n := &notifier{w: s, tx: tx, savedChange: savedChange{after: row, at: store.Millis(s.Now())}}
		n.send(ctx, slices.Concat(people, deputies), one)
		return n.err
	})
}
