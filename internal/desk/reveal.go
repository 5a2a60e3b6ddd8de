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
	looksAtMost = 60
	looksWithin = time.Hour
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

// mostReason is how long a reason in own words may be.
const mostReason = 200

// Reason is why a person looks: one of RevealReasons, or own words.
type Reason struct{ Preset, Typed string }

func (r Reason) check() error {
	typed := strings.TrimSpace(r.Typed)
	switch {
	case r.Preset == "" && typed == "":
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Say why; the lead’s originator and their manager can see it"})
	case len(typed) > mostReason:
		return fault.InvalidFields(fault.Field{Name: "reason.typed", Message: "Say it in 200 characters"})
	case r.Preset != "" && !slices.Contains(RevealReasons(), r.Preset):
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Choose one of the list, or say it in your own words"})
	}
	return nil
}

// look is one look at a borrower, before it is taken.
type look struct {
	act    store.Act
	fields []string
	reason string
	typed  string
}

// Reveal fetches the borrowers of the lead at this moment, for one answer alone: they are
// kept nowhere. Who looks at what, and why, is written down and committed before the
// lender is asked, so that no look goes without its trace.
func (l *Lead) Reveal(ctx context.Context, why Reason) (pii.Secret[heloc.Signers], error) {
	none := pii.Secret[heloc.Signers]{}
	if err := l.d.may(access.RevealBorrower); err != nil {
		return none, err
	}
	if err := why.check(); err != nil {
		return none, err
	}
	as := look{act: store.ActReveal, fields: []string{"phone", "e-mail", "birth date", "home"}, reason: why.Preset, typed: strings.TrimSpace(why.Typed)}
	if as.reason == "" {
		as.reason = reasonTyped
	}
	if err := l.trace(ctx, as); err != nil {
		return none, err
	}
	got, err := l.d.Lender.Signers(ctx, l.row.App)
	return pii.Keep(got.Value), err
}

// trace writes a look down, unless the person has had too many.
func (l *Lead) trace(ctx context.Context, as look) error {
	// Who closes the browser early has looked all the same.
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.present(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return l.traceIn(ctx, tx, as)
	})
}

// traceIn is trace in a transaction that has asked whether the person may look.
func (l *Lead) traceIn(ctx context.Context, tx *store.Tx, as look) error {
	now := l.d.Now()
	id := ulid.MustNew(uint64(store.Millis(now)), ulid.DefaultEntropy()).String()
	r := store.Reveal{
		ID: id, App: l.row.App, UserID: l.d.Actor.UserID, UserName: l.d.Actor.Name,
		Fields: strings.Join(as.fields, ", "), Reason: as.reason, At: store.Millis(now),
	}
	if as.typed != "" {
		var err error
		if r.Typed, err = l.d.Vault.Seal(placeOfReason(id), []byte(as.typed)); err != nil {
			return err
		}
	}
	n, err := tx.RevealsBy(ctx, r.UserID, now.Add(-looksWithin))
	if err != nil {
		return err
	}
	if n >= looksAtMost {
		return fault.Wrap(fault.Unavailable, "You have opened the details of many borrowers within an hour. Wait a while; your manager can help meanwhile.",
			&account.TooSoon{Wait: looksWithin / 4})
	}
	if err := tx.AddReveal(ctx, r); err != nil {
		return err
	}
	if err := tx.Audit(ctx, store.Audited{
		At: r.At, ActorID: r.UserID, Company: l.row.Company, Action: as.act, Object: "lead:" + string(r.App), Outcome: "opened",
		Detail: "reason:" + r.Reason + " fields:" + r.Fields,
	}); err != nil {
		return err
	}
	return tx.AddEvent(ctx, l.event(store.EventRevealed, r.Fields))
}

// event is one that this person makes happen now.
func (l *Lead) event(kind store.EventKind, detail string) store.Event {
	return store.Event{
		App: l.row.App, Originator: l.row.Originator, At: store.Millis(l.d.Now()), Kind: kind,
		ActorID: l.d.Actor.UserID, ActorName: l.d.Actor.Name, Detail: detail,
	}
}

// Opening is one look at a borrower as the team sees it. Reason is a key of
// RevealReasons or "contact"; Typed are the own words of who gave some.
type Opening struct {
	store.Reveal
	Words string
}

// Openings are who opened this lead's page, who looked at its borrower, and who took what of
// it, newest first.
type Openings struct {
	Pages   []store.Opener
	Reveals []Opening
	Takes   []store.Take
}

// Openings reads them, for the lead's originator and the manager who answers for them.
func (l *Lead) Openings(ctx context.Context) (Openings, error) {
	if err := l.d.may(access.SeeOpenings); err != nil {
		return Openings{}, err
	}
	pages, err := l.d.Store.Openers(ctx, l.row.App)
	if err != nil {
		return Openings{}, err
	}
	rows, err := l.d.Store.Reveals(ctx, l.row.App, eventLimit)
	if err != nil {
		return Openings{}, err
	}
	all := Openings{Pages: pages}
	if all.Takes, err = l.d.Store.Takes(ctx, l.row.App, eventLimit); err != nil {
		return Openings{}, err
	}
	for _, r := range rows {
		o := Opening{Reveal: r}
		if len(r.Typed) > 0 {
			typed, err := l.d.Vault.Unseal(placeOfReason(r.ID), r.Typed)
			if err != nil {
				return Openings{}, err
			}
			o.Words = string(typed)
		}
		all.Reveals = append(all.Reveals, o)
	}
	return all, nil
}

func placeOfReason(id string) vault.Place {
	return vault.Place{Table: "reveals", Row: id, Column: "typed"}
}
