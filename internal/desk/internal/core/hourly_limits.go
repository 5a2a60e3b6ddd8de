package core

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// CompanyLimits limit what the users of one company do together within an hour, over all processes; zero means no
// limit. One company's use never counts for another.
type CompanyLimits struct {
	Exports int // lists of leads; one user may use half of it
	Reveals int // views of borrower details, besides the limit of each user
}

// The kinds of use that are limited.
const (
	UseExports   = "exports"
	UseReveals   = "reveals"
	UseDownloads = "downloads" // of documents
	UseChanges   = "changes"   // notes, contacts and anything else a user adds to a lead
	UseDrafts    = "drafts"    // new ones
	UseAbsences  = "absences"  // entered or changed: each can email a deputy
)

// ownLimit is how often one user may do something within an hour: far more than a working day needs, and far too little
// to copy a pipeline or fill a disk. Exports and reveals are limited by company, and one user's reveals by
// CheckReveals.
func ownLimit(kind string) int {
	switch kind {
	case UseDownloads, UseDrafts:
		return 120
	case UseChanges:
		return 600
	case UseAbsences:
		return 60
	default:
		return 0
	}
}

// useLimit is a limit on one kind of use.
type useLimit struct {
	store.Usage
	limit     int
	ofCompany bool
}

// useLimits lists the limits on a use by this user, the company's first.
func (d Desk) useLimits(kind string) []useLimit {
	company := useLimit{Usage: store.Usage{Subject: d.Company(), Kind: kind}, ofCompany: true}
	user := useLimit{Usage: store.Usage{Subject: "user:" + d.Actor.UserID, Kind: kind}, limit: ownLimit(kind)}
	switch kind {
	case UseExports:
		company.limit = d.CompanyLimits.Exports
		user.limit = (company.limit + 1) / 2
	case UseReveals:
		company.limit = d.CompanyLimits.Reveals
	}
	return slices.DeleteFunc([]useLimit{company, user}, func(l useLimit) bool { return l.limit == 0 })
}

// limitReached is the cause of an error when a limit is used up.
type limitReached struct {
	useLimit
	wait time.Duration
}

// Error is for the log.
func (l *limitReached) Error() string {
	return l.Kind + ": the hourly limit of " + strconv.Itoa(l.limit) + " is used up"
}

// RetryAfter returns how long to wait.
func (l *limitReached) RetryAfter() time.Duration { return l.wait }

// Public is what the user reads.
func (l *limitReached) public() string {
	who, done, again := "You", "exported lists of leads", "Nothing was exported. You can export again in "
	if l.ofCompany {
		who = "Your company’s users together"
	}
	switch l.Kind {
	case UseReveals:
		done, again = "viewed borrower details", "Nothing was shown. You can view details again in "
	case UseDownloads:
		done, again = "requested documents", "Nothing was opened. You can open documents again in "
	case UseChanges:
		done, again = "changed leads", "Nothing was saved. You can save again in "
	case UseDrafts:
		done, again = "started drafts", "Nothing was saved. You can start another draft in "
	case UseAbsences:
		done, again = "changed absences", "Nothing was saved. You can change absences again in "
	}
	return who + " " + done + " " + timesText(l.limit) + " within an hour, the most allowed. " + again +
		minutesText(l.wait) + ". If you need more, ask an administrator."
}

// timesText is how often something was done: "once" or "60 times".
func timesText(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// minutesText rounds a duration up to minutes.
func minutesText(d time.Duration) string {
	if n := int((d + time.Minute - 1) / time.Minute); n > 1 {
		return strconv.Itoa(n) + " minutes"
	}
	return "a minute"
}

// CheckUse returns an error when a limit on the use is reached.
func (d Desk) CheckUse(ctx context.Context, tx *store.Tx, kind string) error {
	now := d.Now()
	for _, l := range d.useLimits(kind) {
		until, err := tx.UsedUpUntil(ctx, l.Usage, l.limit, now)
		if err != nil {
			return err
		}
		if wait := until.Sub(now); wait > 0 {
			return limitError(l, wait)
		}
	}
	return nil
}

// CountUse checks the limits on a use and counts it.
func (d Desk) CountUse(ctx context.Context, tx *store.Tx, kind string) error {
	if err := d.CheckUse(ctx, tx, kind); err != nil {
		return err
	}
	for _, l := range d.useLimits(kind) {
		if err := tx.AddUse(ctx, l.Usage, d.Now()); err != nil {
			return err
		}
	}
	return nil
}

// RecordLimit audits that a limit was reached, at most once in five minutes, and notifies the managers if it was the
// limit of their company. It returns the error that it was given.
func (d Desk) RecordLimit(ctx context.Context, cause error) error {
	reached, ok := errors.AsType[*limitReached](cause)
	if !ok {
		return cause
	}
	now := d.Now()
	// Most requests that are refused only read, so that a client that keeps trying does not occupy the one writer.
	if recorded, err := d.Store.RefusedUse(ctx, reached.Usage, now); recorded || err != nil {
		return errors.Join(cause, err)
	}
	err := d.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		first, err := tx.SaveRefusedUse(ctx, reached.Usage, now)
		if err != nil || !first {
			return err
		}
		by := "user"
		if reached.ofCompany {
			by = "company"
		}
		if err := d.AuditAction(ctx, tx, store.ActionLimit, "user:"+d.Actor.UserID, "refused",
			"limit:"+reached.Kind+" "+by+" "+strconv.Itoa(reached.limit)); err != nil || !reached.ofCompany {
			return err
		}
		return d.notifyLimit(ctx, tx, reached)
	})
	return errors.Join(cause, err)
}

// notifyLimit notifies the company's managers at most once an hour. Administrators can see the audit log.
func (d Desk) notifyLimit(ctx context.Context, tx *store.Tx, reached *limitReached) error {
	now := d.Now()
	keys := d.Vault.NoticeDedupKeys("limit", reached.Subject, reached.Kind, now.UTC().Format("2006-01-02T15"))
	return NotifyManagers(ctx, tx, lead.Notice{
		Company: reached.Subject, Kind: lead.NoticeLimit, About: reached.Kind, N: reached.limit, DedupKey: keys[0],
		OldDedupKeys: keys[1:], At: store.Millis(now),
	})
}

// The exact number of reveals one user may make in an hour. CompanyLimits apply to all users of a company together.
const (
	maxReveals   = 60
	revealWindow = time.Hour
)

// CheckReveals returns an error when the user, or the users of their company together, have made too many reveals.
func (d Desk) CheckReveals(ctx context.Context, tx *store.Tx) error {
	last, err := tx.RevealBefore(ctx, d.Actor.UserID, maxReveals-1)
	if err != nil {
		return err
	}
	if wait := store.Instant(last).Add(revealWindow).Sub(d.Now()); last != 0 && wait > 0 &&
		wait <= revealWindow { // a longer wait was computed before the clock was set back
		of := useLimit{Usage: store.Usage{Subject: "user:" + d.Actor.UserID, Kind: UseReveals}, limit: maxReveals}
		return limitError(of, wait)
	}
	return d.CheckUse(ctx, tx, UseReveals)
}

// limitError returns the error of a limit that is used up.
func limitError(l useLimit, wait time.Duration) error {
	reached := &limitReached{l, wait}
	return fault.Wrap(fault.Unavailable, reached.public(), reached)
}
