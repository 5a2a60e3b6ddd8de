package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// How many reveals one user may make in an hour: far more than a working day needs, and far too few to copy a
// pipeline. CompanyLimits limit all users of a company together.
const (
	maxReveals   = 60
	revealWindow = time.Hour
)

// RevealReasons lists the preset reasons, by key.
func RevealReasons() []string {
	return []string{"callback", "identity", "correct", "documents", "lender"}
}

// The reasons that are not chosen from the list.
const (
	reasonTyped   = "typed"
	reasonContact = "contact"
	reasonRestart = "restart"
	reasonPrefill = "prefill"
)

// maxRevealReason is the maximum length of a typed reason.
const maxRevealReason = 200

// RevealReason is why a user reveals borrower details: one of RevealReasons, or a typed reason.
type RevealReason struct{ Preset, Typed string }

func (r RevealReason) check() error {
	typed := strings.TrimSpace(r.Typed)
	switch {
	case r.Preset == "" && typed == "":
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Choose a reason. The lead’s originator and their manager can see it"})
	case len(typed) > maxRevealReason:
		return fault.InvalidFields(fault.Field{Name: "reason.typed", Message: "Use at most 200 characters"})
	case r.Preset != "" && !slices.Contains(RevealReasons(), r.Preset):
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Choose a reason from the list, or describe another"})
	}
	return nil
}

// revealRequest is one reveal of borrower details, before it happens.
type revealRequest struct {
	action store.AuditAction
	fields []string
	reason string
	typed  string
}

// Reveal fetches the borrowers of the lead for one response only; they are not stored. Who reveals what, and why, is
// logged and committed before Reveal returns them, so that every reveal is logged.
func (l *Lead) Reveal(ctx context.Context, why RevealReason) (pii.Secret[heloc.Signers], error) {
	none := pii.Secret[heloc.Signers]{}
	if err := l.d.may(access.RevealBorrower); err != nil {
		return none, err
	}
	if err := why.check(); err != nil {
		return none, err
	}
	as := revealRequest{action: store.ActionReveal, fields: []string{"phone", "email", "birth date", "home"}, reason: why.Preset, typed: strings.TrimSpace(why.Typed)}
	if as.reason == "" {
		as.reason = reasonTyped
	}
	var got heloc.Signers
	err := l.revealAfter(ctx, as, func() error {
		answer, err := l.d.lender.Signers(ctx, l.row.App)
		got = answer.Value
		return err
	})
	if err != nil {
		return none, err
	}
	return pii.Wrap(got), nil
}

// revealAfter fetches what is revealed and then logs the reveal. If either fails, the caller must not show anything, and
// the lead's log stays as it is; after a failed fetch the audit says that nothing was shown.
func (l *Lead) revealAfter(ctx context.Context, as revealRequest, fetch func() error) error {
	err := l.d.store.Write(ctx, func(tx *store.Tx) error {
		if err := l.reauthorize(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return l.checkRevealLimit(ctx, tx)
	})
	if err != nil {
		return l.d.recordLimit(ctx, err)
	}
	if err := fetch(); err != nil {
		return errors.Join(err, l.auditNotShown(ctx, as.action, as.auditDetail()))
	}
	return l.logReveal(ctx, as)
}

// auditNotShown records that the user asked for something of the borrower's, which could not be shown.
func (l *Lead) auditNotShown(ctx context.Context, action store.AuditAction, detail string) error {
	ctx = context.WithoutCancel(ctx)
	return l.d.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: l.d.Actor.UserID, Company: l.row.Company, Action: action, Object: "lead:" + string(l.row.App), Outcome: "failed", Detail: detail,
		})
	})
}

func (as revealRequest) auditDetail() string {
	return "reason:" + as.reason + " fields:" + strings.Join(as.fields, ", ")
}

// checkRevealLimit returns an error when the user, or the users of their company together, have made too many reveals.
func (l *Lead) checkRevealLimit(ctx context.Context, tx *store.Tx) error {
	last, err := tx.RevealBefore(ctx, l.d.Actor.UserID, maxReveals-1)
	if err != nil {
		return err
	}
	if wait := store.Instant(last).Add(revealWindow).Sub(l.d.now()); last != 0 && wait > 0 {
		of := useLimit{Usage: store.Usage{Subject: "user:" + l.d.Actor.UserID, Kind: useReveals}, limit: maxReveals}
		reached := &limitReached{of, min(wait, revealWindow)}
		return fault.Wrap(fault.Unavailable, reached.public(), reached)
	}
	return l.d.checkUse(ctx, tx, useReveals)
}

// logReveal logs a reveal, unless the user has made too many.
func (l *Lead) logReveal(ctx context.Context, as revealRequest) error {
	// A user who closes the browser early counts as having seen the details.
	ctx = context.WithoutCancel(ctx)
	return l.d.recordLimit(ctx, l.d.store.Write(ctx, func(tx *store.Tx) error {
		if err := l.reauthorize(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return l.logRevealTx(ctx, tx, as)
	}))
}

// logRevealTx does the work of logReveal in a transaction that has already checked the permission.
func (l *Lead) logRevealTx(ctx context.Context, tx *store.Tx, as revealRequest) error {
	now := l.d.now()
	id := ulid.MustNew(uint64(store.Millis(now)), ulid.DefaultEntropy()).String()
	r := lead.Reveal{
		ID: id, App: l.row.App, UserID: l.d.Actor.UserID, UserName: l.d.Actor.Name,
		Fields: strings.Join(as.fields, ", "), Reason: as.reason, At: store.Millis(now),
	}
	if as.typed != "" {
		var err error
		if r.SealedReason, err = l.d.vault.Seal(vault.RevealReasonAAD(id), []byte(as.typed)); err != nil {
			return err
		}
	}
	if err := l.checkRevealLimit(ctx, tx); err != nil {
		return err
	}
	if err := l.d.countUse(ctx, tx, useReveals); err != nil {
		return err
	}
	if err := tx.AddReveal(ctx, r); err != nil {
		return err
	}
	if err := tx.Audit(ctx, store.AuditEntry{
		At: r.At, ActorID: r.UserID, Company: l.row.Company, Action: as.action, Object: "lead:" + string(r.App), Outcome: "opened",
		Detail: as.auditDetail(),
	}); err != nil {
		return err
	}
	return tx.AddEvent(ctx, l.newEvent(lead.EventRevealed, r.Fields))
}

// newEvent returns an event that this user causes now.
func (l *Lead) newEvent(kind lead.EventKind, detail string) lead.Event {
	return lead.Event{
		App: l.row.App, Originator: l.row.Originator, At: store.Millis(l.d.now()), Kind: kind,
		ActorID: l.d.Actor.UserID, ActorName: l.d.Actor.Name, Detail: detail,
	}
}

// Access is one reveal of borrower details as the team sees it. Its Reason is a key of RevealReasons or another
// preset; ReasonText is the typed reason, if there is one.
type Access struct {
	lead.Reveal
	ReasonText string
}

// AccessLog lists who opened this lead's page, who revealed its borrower details, and who exported anything from it,
// newest first.
type AccessLog struct {
	Pages   []lead.Viewer
	Reveals []Access
	Exports []lead.Export
}

// AccessLog reads the access log, for the lead's originator and their manager.
func (l *Lead) AccessLog(ctx context.Context) (AccessLog, error) {
	if err := l.d.may(access.SeeAccessLog); err != nil {
		return AccessLog{}, err
	}
	pages, err := l.d.store.LeadViewers(ctx, l.row.App)
	if err != nil {
		return AccessLog{}, err
	}
	rows, err := l.d.store.Reveals(ctx, l.row.App, maxEvents)
	if err != nil {
		return AccessLog{}, err
	}
	all := AccessLog{Pages: pages}
	if all.Exports, err = l.d.store.Exports(ctx, l.row.App, maxEvents); err != nil {
		return AccessLog{}, err
	}
	for _, r := range rows {
		o := Access{Reveal: r}
		if len(r.SealedReason) > 0 {
			typed, err := l.d.vault.Unseal(vault.RevealReasonAAD(r.ID), r.SealedReason)
			if err != nil {
				return AccessLog{}, err
			}
			o.ReasonText = string(typed)
		}
		all.Reveals = append(all.Reveals, o)
	}
	return all, nil
}
