package core

import (
	"context"
	"strings"
	"sync"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// auditedToday remembers which of a day's entries this process knows to be recorded, so that reopening a page
// reads and writes nothing for them. The zero value is ready to use.
type auditedToday struct {
	mu   sync.Mutex
	day  int64
	rows map[[3]string]bool
}

// has reports whether an entry is known to be in the audit log for a day.
func (a *auditedToday) has(day int64, e store.AuditEntry) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.day == day && a.rows[[3]string{e.ActorID, string(e.Action), e.Object}]
}

func (a *auditedToday) add(day int64, e store.AuditEntry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.rows == nil || a.day != day {
		a.day, a.rows = day, map[[3]string]bool{}
	}
	a.rows[[3]string{e.ActorID, string(e.Action), e.Object}] = true
}

// AuditDaily audits a read, once for each actor, action, object and day (UTC).
func (s Services) AuditDaily(ctx context.Context, e store.AuditEntry) error {
	return s.auditDaily(ctx, e, func(f func(*store.Tx) error) error { return s.Store.Write(ctx, f) })
}

func (s Services) auditDaily(ctx context.Context, e store.AuditEntry, write func(func(*store.Tx) error) error) error {
	e.At = store.Millis(s.Now())
	day := store.DayOf(s.Now())
	if s.audited.has(day, e) {
		return nil
	}
	if err := write(func(tx *store.Tx) error { return tx.AuditDaily(ctx, e) }); err != nil {
		return err
	}
	s.audited.add(day, e)
	return nil
}

// AuditDaily audits what the user reads under a permission; see Services.AuditDaily.
func (d Desk) AuditDaily(ctx context.Context, p access.Permission, action store.AuditAction, object string) error {
	e := store.AuditEntry{ActorID: d.Actor.UserID, Company: d.Company(), Action: action, Object: object, Outcome: "opened"}
	return d.auditDaily(ctx, e, func(f func(*store.Tx) error) error { return d.WriteBy(ctx, p, f) })
}

// searchLetters is how many letters of a search the audit log distinguishes: letters that a user types after them, each
// of which is a search, add no row.
const searchLetters = 3

// auditSearch audits a search for a borrower. The object is a keyed digest of its first letters. While the database
// accepts no writes, the search proceeds without an entry.
func (d Desk) auditSearch(ctx context.Context, typed string) error {
	letters := []rune(strings.ReplaceAll(heloc.FoldForSearch(typed), " ", ""))
	object := "search:" + d.Vault.Digest(vault.IndexSearch, string(letters[:min(searchLetters, len(letters))]))
	if err := d.AuditDaily(ctx, access.SeePipeline, store.ActionSearch, object); !fault.Is(err, fault.Unavailable) {
		return err
	}
	return nil
}
