package pipeline

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// CalendarFeedSince returns when the user's calendar feed got its current URL; the zero time without a feed. The URL
// itself is shown once, when it is created: only a hash of its token is stored.
func (p *Pipeline) CalendarFeedSince(ctx context.Context) (time.Time, error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return time.Time{}, err
	}
	at, err := p.d.Store.CalendarFeedCreated(ctx, p.d.Actor.UserID)
	if err != nil || at == 0 {
		return time.Time{}, err
	}
	return store.Instant(at), nil
}

// RenewCalendarFeed creates the token of the user's calendar feed. A previous token ends.
func (p *Pipeline) RenewCalendarFeed(ctx context.Context) (token string, err error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return "", err
	}
	token = rand.Text() + rand.Text()
	return token, p.d.Store.Write(ctx, func(tx *store.Tx) error {
		user, err := p.d.Reauthorize(ctx, tx, access.SeePipeline)
		if err != nil {
			return err
		}
		if err := tx.SaveCalendarFeed(ctx, user.UserID, calendarTokenHash(token)); err != nil {
			return err
		}
		return p.auditFeed(ctx, tx, "created")
	})
}

// EndCalendarFeed ends the user's calendar feed.
func (p *Pipeline) EndCalendarFeed(ctx context.Context) error {
	if err := p.d.May(access.SeePipeline); err != nil {
		return err
	}
	return p.d.Store.Write(ctx, func(tx *store.Tx) error {
		ended, err := tx.EndCalendarFeed(ctx, p.d.Actor.UserID)
		if err != nil || !ended {
			return err
		}
		return p.auditFeed(ctx, tx, "ended")
	})
}

func (p *Pipeline) auditFeed(ctx context.Context, tx *store.Tx, outcome string) error {
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: p.d.Actor.UserID, Company: p.d.Company(), Action: store.ActionCalendarFeed,
		Object: "user:" + p.d.Actor.UserID, Outcome: outcome,
	})
}

// CalendarByToken lists the dates of the user to whom a feed's token belongs, as far as the user may see them now.
// fault.NotFound when the token is not valid, the account is disabled, or its role has no leads.
func CalendarByToken(ctx context.Context, s core.Services, token string) ([]CalendarEntry, error) {
	user, err := s.Store.UserByCalendarFeed(ctx, calendarTokenHash(token))
	if err != nil {
		return nil, err
	}
	p, err := Open(s.For(user.Actor))
	if fault.Is(err, fault.Denied, fault.StepUpRequired) {
		return nil, fault.New(fault.NotFound, "Page not found.")
	}
	if err != nil {
		return nil, err
	}
	entries, err := p.Calendar(ctx)
	if err != nil {
		return nil, err
	}
	return entries, s.AuditDaily(ctx, store.AuditEntry{ActorID: "nobody", Company: p.d.Company(),
		Action: store.ActionCalendarFetch, Object: "user:" + user.UserID, Outcome: "opened"})
}

// calendarTokenHash needs no key: a token is random and cannot be guessed.
func calendarTokenHash(token string) string {
	sum := sha256.Sum256([]byte("calendar feed/" + token))
	return hex.EncodeToString(sum[:])
}
