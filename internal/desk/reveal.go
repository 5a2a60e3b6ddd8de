package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// How many looks at borrowers one person has in an hour: far above a working day's pace,
// far below what carries a pipeline away.
const (
	maxReveals   = 60
	revealWindow = time.Hour
)

// RevealReasons are the reasons on offer, by key.
func RevealReasons() []string {
	return []string{"callback", "identity", "correct", "documents", "lender"}
}

// The reasons that are not chosen from the list.
const (
	reasonTyped   = "typed"
	reasonContact = "contact"
	reasonRestart = "restart"
)

// maxRevealReason is how long a reason in own words may be.
const maxRevealReason = 200

// RevealReason is why a person looks: one of RevealReasons, or own words.
type RevealReason struct{ Preset, Typed string }

func (r RevealReason) check() error {
	typed := strings.TrimSpace(r.Typed)
	switch {
	case r.Preset == "" && typed == "":
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Say why; the lead’s originator and their manager can see it"})
	case len(typed) > maxRevealReason:
		return fault.InvalidFields(fault.Field{Name: "reason.typed", Message: "Say it in 200 characters"})
	case r.Preset != "" && !slices.Contains(RevealReasons(), r.Preset):
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Choose one of the list, or say it in your own words"})
	}
	return nil
}

// revealRequest is one look at a borrower, before it is taken.
type revealRequest struct {
	action store.AuditAction
	fields []string
	reason string
	typed  string
}

// Reveal fetches the borrowers of the lead at this moment, for one answer alone: they are
// kept nowhere. Who looks at what, and why, is written down and committed before the
// lender is asked, so that no look goes without its trace.
func (l *Lead) Reveal(ctx context.Context, why RevealReason) (pii.Secret[heloc.Signers], error) {
	none := pii.Secret[heloc.Signers]{}
	if err := l.d.may(access.RevealBorrower); err != nil {
		return none, err
	}
	if err := why.check(); err != nil {
		return none, err
	}
	as := revealRequest{action: store.ActionReveal, fields: []string{"phone", "e-mail", "birth date", "home"}, reason: why.Preset, typed: strings.TrimSpace(why.Typed)}
	if as.reason == "" {
		as.reason = reasonTyped
	}
	if err := l.logReveal(ctx, as); err != nil {
		return none, err
	}
	got, err := l.d.Lender.Signers(ctx, l.row.App)
	return pii.Wrap(got.Value), err
}

// logReveal writes a look down, unless the person has had too many.
func (l *Lead) logReveal(ctx context.Context, as revealRequest) error {
	// Who closes the browser early has looked all the same.
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.reauthorize(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return l.logRevealTx(ctx, tx, as)
	})
}

// logRevealTx is trace in a transaction that has asked whether the person may look.
func (l *Lead) logRevealTx(ctx context.Context, tx *store.Tx, as revealRequest) error {
	now := l.d.Now()
	id := ulid.MustNew(uint64(store.Millis(now)), ulid.DefaultEntropy()).String()
	r := store.Reveal{
		ID: id, App: l.row.App, UserID: l.d.Actor.UserID, UserName: l.d.Actor.Name,
		Fields: strings.Join(as.fields, ", "), Reason: as.reason, At: store.Millis(now),
	}
	if as.typed != "" {
		var err error
		if r.SealedReason, err = l.d.Vault.Seal(revealReasonAAD(id), []byte(as.typed)); err != nil {
			return err
		}
	}
	n, err := tx.RevealsBy(ctx, r.UserID, now.Add(-revealWindow))
	if err != nil {
		return err
	}
	if n >= maxReveals {
		return fault.Wrap(fault.Unavailable, "You have opened the details of many borrowers within an hour. Wait a while; your manager can help meanwhile.",
			&account.TooSoon{Wait: revealWindow / 4})
	}
	if err := tx.AddReveal(ctx, r); err != nil {
		return err
	}
	if err := tx.Audit(ctx, store.AuditEntry{
		At: r.At, ActorID: r.UserID, Company: l.row.Company, Action: as.action, Object: "lead:" + string(r.App), Outcome: "opened",
		Detail: "reason:" + r.Reason + " fields:" + r.Fields,
	}); err != nil {
		return err
	}
	return tx.AddEvent(ctx, l.newEvent(store.EventRevealed, r.Fields))
}

// newEvent is one that this person makes happen now.
func (l *Lead) newEvent(kind store.EventKind, detail string) store.Event {
	return store.Event{
		App: l.row.App, Originator: l.row.Originator, At: store.Millis(l.d.Now()), Kind: kind,
		ActorID: l.d.Actor.UserID, ActorName: l.d.Actor.Name, Detail: detail,
	}
}

// Access is one look at a borrower as the team sees it. Reason is a key of
// RevealReasons or "contact"; Typed are the own words of who gave some.
type Access struct {
	store.Reveal
	ReasonText string
}

// AccessLog are who opened this lead's page, who looked at its borrower, and who took what of
// it, newest first.
type AccessLog struct {
	Pages   []store.LeadViewer
	Reveals []Access
	Exports []store.Export
}

// AccessLog reads them, for the lead's originator and the manager who answers for them.
func (l *Lead) AccessLog(ctx context.Context) (AccessLog, error) {
	if err := l.d.may(access.SeeAccessLog); err != nil {
		return AccessLog{}, err
	}
	pages, err := l.d.Store.LeadViewers(ctx, l.row.App)
	if err != nil {
		return AccessLog{}, err
	}
	rows, err := l.d.Store.Reveals(ctx, l.row.App, maxEvents)
	if err != nil {
		return AccessLog{}, err
	}
	all := AccessLog{Pages: pages}
	if all.Exports, err = l.d.Store.Exports(ctx, l.row.App, maxEvents); err != nil {
		return AccessLog{}, err
	}
	for _, r := range rows {
		o := Access{Reveal: r}
		if len(r.SealedReason) > 0 {
			typed, err := l.d.Vault.Unseal(revealReasonAAD(r.ID), r.SealedReason)
			if err != nil {
				return AccessLog{}, err
			}
			o.ReasonText = string(typed)
		}
		all.Reveals = append(all.Reveals, o)
	}
	return all, nil
}

func revealReasonAAD(id string) vault.AAD {
	return vault.AAD{Table: "reveals", Row: id, Column: "typed"}
}
