package lead

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// RevealReasons lists the preset reasons, by key.
func RevealReasons() []string {
	return []string{"callback", "identity", "correct", "documents", "lender"}
}

// The reasons that are not chosen from the list.
const (
	reasonTyped   = "typed"
	reasonContact = "contact"
	ReasonRestart = "restart"
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
		return fault.InvalidField("reason", "Choose a reason. The lead’s originator and their manager can see it")
	case len(typed) > maxRevealReason:
		return fault.InvalidField("reason.typed", "Use at most 200 characters")
	case r.Preset != "" && !slices.Contains(RevealReasons(), r.Preset):
		return fault.InvalidField("reason", "Choose a reason from the list, or describe another")
	}
	return nil
}

// RevealRequest is one reveal of borrower details, before it happens.
type RevealRequest struct {
	Action store.AuditAction
	Fields []string
	Reason string
	typed  string
}

// Reveal fetches the borrowers of the lead for one response only; they are not stored. Who reveals what, and why, is
// logged and committed before Reveal returns them, so that every reveal is logged.
func (l *Lead) Reveal(ctx context.Context, why RevealReason) (pii.Secret[heloc.Signers], error) {
	none := pii.Secret[heloc.Signers]{}
	if err := l.d.May(access.RevealBorrower); err != nil {
		return none, err
	}
	if err := why.check(); err != nil {
		return none, err
	}
	as := RevealRequest{Action: store.ActionReveal, Fields: []string{"phone", "email", "birth date", "home"},
		Reason: why.Preset, typed: strings.TrimSpace(why.Typed)}
	if as.Reason == "" {
		as.Reason = reasonTyped
	}
	var got heloc.Signers
	err := l.revealAfter(ctx, as, func() error {
		answer, err := l.d.Lender.Signers(ctx, l.d.Row.App)
		got = answer.Value
		return err
	})
	if err != nil {
		return none, err
	}
	return pii.Wrap(got), nil
}

// revealAfter fetches what is revealed and then logs the reveal. If either fails, the caller must not show anything,
// and the lead's log stays as it is; after a failed fetch the audit says that nothing was shown.
func (l *Lead) revealAfter(ctx context.Context, as RevealRequest, fetch func() error) error {
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return l.d.CheckReveals(ctx, tx)
	})
	if err != nil {
		return l.d.RecordLimit(ctx, err)
	}
	if err := fetch(); err != nil {
		return errors.Join(err, l.auditNotShown(ctx, as.Action, as.auditDetail()))
	}
	return l.logReveal(ctx, as)
}

// auditNotShown records that the user asked for something of the borrower's, which could not be shown.
func (l *Lead) auditNotShown(ctx context.Context, action store.AuditAction, detail string) error {
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error { return l.d.Audit(ctx, tx, action, "failed", detail) })
}

func (r RevealRequest) auditDetail() string {
	return "reason:" + r.Reason + " fields:" + strings.Join(r.Fields, ", ")
}

// logReveal logs a reveal, unless the user has made too many.
func (l *Lead) logReveal(ctx context.Context, as RevealRequest) error {
	// A user who closes the browser early counts as having seen the details.
	ctx = context.WithoutCancel(ctx)
	return l.d.RecordLimit(ctx, l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return LogRevealTx(ctx, tx, l.d, as)
	}))
}

// LogRevealTx logs a reveal like logReveal, in a transaction that has already checked the permission.
func LogRevealTx(ctx context.Context, tx *store.Tx, l core.Lead, as RevealRequest) error {
	now := l.Now()
	id := l.NewID()
	r := lead.Reveal{
		ID: id, App: l.Row.App, UserID: l.Actor.UserID, UserName: l.Actor.Name,
		Fields: strings.Join(as.Fields, ", "), Reason: as.Reason, At: store.Millis(now),
	}
	if as.typed != "" {
		var err error
		if r.SealedReason, err = l.Vault.Seal(vault.RevealReasonAAD(id), []byte(as.typed)); err != nil {
			return err
		}
	}
	if err := l.CheckReveals(ctx, tx); err != nil {
		return err
	}
	if err := l.CountUse(ctx, tx, core.UseReveals); err != nil {
		return err
	}
	if err := tx.AddReveal(ctx, r); err != nil {
		return err
	}
	return l.AuditEvent(ctx, tx, l.NewEvent(lead.EventRevealed, r.Fields), as.Action, "opened", as.auditDetail())
}

// AccessLog lists who opened this lead's page, who revealed its borrower details, and who exported anything from it,
// newest first.
type AccessLog struct {
	Pages   []lead.Viewer
	Reveals []lead.Reveal
	Exports []lead.Export
}

// AccessLogLimit is the maximum number of reveals, and of exports, in an AccessLog: the latest ones.
const AccessLogLimit = 200

// AccessLog reads the access log, for the lead's originator and their manager.
func (l *Lead) AccessLog(ctx context.Context) (log AccessLog, err error) {
	if err := l.d.May(access.SeeAccessLog); err != nil {
		return log, err
	}
	if log.Pages, err = l.d.Store.LeadViewers(ctx, l.d.Row.App); err != nil {
		return log, err
	}
	if log.Exports, err = l.d.Store.Exports(ctx, l.d.Row.App, AccessLogLimit); err != nil {
		return log, err
	}
	if log.Reveals, err = l.d.Store.Reveals(ctx, l.d.Row.App, AccessLogLimit); err != nil {
		return log, err
	}
	for i, r := range log.Reveals {
		if log.Reveals[i].ReasonText, err = l.unsealText(vault.RevealReasonAAD(r.ID), r.SealedReason); err != nil {
			return log, err
		}
	}
	return log, nil
}
