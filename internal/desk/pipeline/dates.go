package pipeline

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// How far ahead the dates reach, and the age at which pricing and credit are old. The lender gives no limit for
// either; after three weeks an originator would ask about it.
const (
	datesPast          = 24 * time.Hour
	datesAhead         = 14 * 24 * time.Hour
	calendarAhead      = 92 * 24 * time.Hour
	staleAfter         = 21 * 24 * time.Hour
	maxDates           = 12
	maxNextDates       = 4
	maxCalendarEntries = 500
)

// ComingDates lists the dates of the next two weeks, and the oldest pricing and credit, with the borrowers' names.
func (p *Pipeline) ComingDates(ctx context.Context) ([]lead.Date, error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return nil, err
	}
	today := p.today()
	return p.dates(ctx, p.list.Scope, store.DateQuery{
		From: heloc.DateOf(today.Add(-datesPast)), To: heloc.DateOf(today.Add(datesAhead)),
		StaleBefore: heloc.DateOf(today.Add(-staleAfter)), Limit: maxDates,
	})
}

// nextDates lists the next dates of the leads of a list, with the borrowers' names. The caller has checked the
// permission.
func (p *Pipeline) nextDates(ctx context.Context, q lead.Query) ([]lead.Date, error) {
	if q.Originator != "" && p.list.ListScope(q).OriginatorUUID == "" {
		return nil, nil // the dates are those of the company
	}
	today := p.today()
	return p.dates(ctx, p.list.ListScope(q), store.DateQuery{From: heloc.DateOf(today),
		To: heloc.DateOf(today.Add(datesAhead)), Limit: maxNextDates})
}

func (p *Pipeline) dates(ctx context.Context, scope access.Scope, dq store.DateQuery) ([]lead.Date, error) {
	dates, err := p.d.Store.Dates(ctx, scope, dq)
	if err != nil {
		return nil, err
	}
	for i, d := range dates {
		if dates[i].Name, err = p.d.BorrowerName(d.App, d.Borrower); err != nil {
			return nil, err
		}
	}
	return dates, nil
}

// CalendarEntry is a date or a follow-up for a calendar that others may read. It contains a short id and a kind, and
// no borrower data. At is set for a follow-up, On for a day.
type CalendarEntry struct {
	Key     string // stable: the same entry has the same key in every reading
	ShortID string
	Kind    string // a kind of date, or "follow-up"
	On      heloc.Date
	At      time.Time
}

// KindFollowUp is the kind of an entry that a user set.
const KindFollowUp = "follow-up"

// Calendar lists the dates of three months and the next follow-up of each lead.
func (p *Pipeline) Calendar(ctx context.Context) ([]CalendarEntry, error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return nil, err
	}
	today := p.today()
	dates, err := p.d.Store.Dates(ctx, p.list.Scope, store.DateQuery{
		From: heloc.DateOf(today.Add(-datesPast)), To: heloc.DateOf(today.Add(calendarAhead)), Limit: maxCalendarEntries,
	})
	if err != nil {
		return nil, err
	}
	due, err := p.d.Store.FollowUpsAhead(ctx, p.list.Scope, maxCalendarEntries)
	if err != nil {
		return nil, err
	}
	all := make([]CalendarEntry, 0, len(dates)+len(due))
	for _, d := range dates {
		all = append(all, CalendarEntry{Key: entryKey(d.App, string(d.Kind)), ShortID: d.ShortID,
			Kind: string(d.Kind), On: d.Day})
	}
	for _, l := range due {
		all = append(all, CalendarEntry{Key: entryKey(l.App, KindFollowUp), ShortID: l.ShortID, Kind: KindFollowUp,
			At: store.Instant(l.FollowUpAt)})
	}
	return all, nil
}

// entryKey identifies an entry without revealing the application. The hash needs no key, because an application id is
// random and cannot be guessed. So the key of an entry never changes.
func entryKey(app heloc.AppID, kind string) string {
	sum := sha256.Sum256([]byte("calendar/" + string(app) + "/" + kind))
	return hex.EncodeToString(sum[:16])
}

// today returns the current time in the user's time zone.
func (p *Pipeline) today() time.Time {
	return p.d.Now().In(p.d.Actor.Zone())
}

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
	token = rand.Text() + rand.Text()
	return token, p.d.WriteBy(ctx, access.SeePipeline, func(tx *store.Tx) error {
		if err := tx.SaveCalendarFeed(ctx, p.d.Actor.UserID, calendarTokenHash(token)); err != nil {
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
	return p.d.AuditAction(ctx, tx, store.ActionCalendarFeed, "user:"+p.d.Actor.UserID, outcome, "")
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

// exportPageSize is how many leads are read, logged and exported at once. It bounds memory, and how long one read or
// write occupies the database.
const exportPageSize = 500

// Export passes every lead of a list to take, in list order and a page at a time, without the borrowers' names.
// Before each page it logs the export on each of its leads and checks the user again: a user who has lost the
// permission or changed companies gets no further page. The list is read while it changes: a lead whose position
// changes meanwhile can appear twice or not at all. The audit records the start and, at the end, how many leads were
// exported and whether the export was complete.
func (p *Pipeline) Export(ctx context.Context, q lead.Query, typed string, take func([]lead.PipelineRow) error) error {
	if err := p.d.May(access.ExportPipeline); err != nil {
		return err
	}
	if err := p.beginExport(ctx); err != nil {
		return p.d.RecordLimit(ctx, err)
	}
	n, err := p.export(ctx, q, typed, take)
	outcome := "done"
	if err != nil {
		outcome = "broken off"
	}
	ctx = context.WithoutCancel(ctx) // a user who closes the browser has still received what was sent
	return errors.Join(err, p.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, p.exportEntry(outcome, "rows:"+strconv.Itoa(n)))
	}))
}

func (p *Pipeline) export(ctx context.Context, q lead.Query, typed string,
	take func([]lead.PipelineRow) error) (n int, err error) {
	q.After, q.Limit = "", exportPageSize
	names, err := p.list.Originators(ctx)
	if err != nil {
		return 0, err
	}
	for {
		leads, next, err := p.list.Leads(ctx, q, typed)
		if err != nil {
			return n, err
		}
		if err := p.logExport(ctx, leads); err != nil {
			return n, err
		}
		unknown, err := p.d.Store.UnknownAmong(ctx, lead.Apps(leads))
		if err != nil {
			return n, err
		}
		// The borrowers' names stay encrypted, and an export does not show what is new to the user.
		rows := make([]lead.PipelineRow, len(leads))
		for i := range leads {
			p.list.FillRow(&rows[i], &leads[i], names)
			rows[i].Unknown = slices.Contains(unknown, leads[i].App)
		}
		if err := take(rows); err != nil {
			return n, err
		}
		n += len(leads)
		if q.After = next; next == "" {
			return n, nil
		}
	}
}

// logExport checks the user's permission and company again and logs on each lead that its row is exported.
func (p *Pipeline) logExport(ctx context.Context, leads []lead.Row) error {
	return p.d.Store.Write(ctx, func(tx *store.Tx) error {
		user, err := p.d.Reauthorize(ctx, tx, access.ExportPipeline)
		if err == nil && user.Scope() != p.d.Actor.Scope() {
			err = fault.New(fault.Denied, "Which leads you may see changed after this list was requested. Request it again.")
		}
		if err != nil {
			return err
		}
		return tx.AddExports(ctx, lead.Export{UserID: user.UserID, Kind: lead.ExportList}, p.d.Now(), lead.Apps(leads)...)
	})
}

// beginExport counts an export, and records its start in the audit.
func (p *Pipeline) beginExport(ctx context.Context) error {
	return p.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := p.d.CountUse(ctx, tx, core.UseExports); err != nil {
			return err
		}
		return tx.Audit(ctx, p.exportEntry("begun", ""))
	})
}

func (p *Pipeline) exportEntry(outcome, detail string) store.AuditEntry {
	return store.AuditEntry{
		ActorID: p.d.Actor.UserID, Company: p.d.Company(), Action: store.ActionExport, Object: "user:" + p.d.Actor.UserID,
		Outcome: outcome, Detail: detail,
	}
}
