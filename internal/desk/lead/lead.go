// Package lead has the handles of one lead, and of one operation that was sent for it. The handles of other areas may
// use it.
//
//	lead.go          opening, refreshing, what was viewed, canceling and setting aside
//	snapshot.go      everything that is known about the lead
//	activity.go      everything that happened on it, page by page
//	resolve.go, repull.go  what is sent to the lender at each step
//	attributions.go  campaigns and references, and the CRM records that the lead is linked to
//	sent_choice.go   what a user sent with a selection, liens or a payoff, which the lender's answer does not show
//	contact.go, note.go  work on the lead that the lender does not see
//	loan_file.go     everything known about the lead as a file for an LOS
//	reveal.go        borrower details and documents that the user views, and the log of both
//	receipt.go       one operation: what became of it
package lead

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Lead is one lead opened by one user. Opening it checked that the user may see it.
type Lead struct {
	d    core.Lead
	Name heloc.Name
}

// Of returns the handle of a lead that was opened.
func Of(d core.Lead) *Lead { return &Lead{d, d.Name} }

// ConfirmRepeat records that the user agreed to resend an operation although an earlier one, which was not
// found at the lender, may have arrived.
func (l *Lead) ConfirmRepeat() { l.d.RepeatConfirmed = true }

// Row is the lead's row of the pipeline.
func (l *Lead) Row() lead.Row { return l.d.Row }

// App is the lead's id.
func (l *Lead) App() heloc.AppID { return l.d.Row.App }

// NewOperationID makes the operation id of a form for this lead at its current step.
func (l *Lead) NewOperationID(kind heloc.Operation) string { return l.d.NewOperationID(kind) }

// AsDeputy reports whether the user has access to the lead only because they cover for its originator.
func (l *Lead) AsDeputy() bool { return l.d.AsDeputy() }

// Can reports whether the user may do something to this lead, so that a page can offer it.
func (l *Lead) Can(p access.Permission) bool {
	return l.d.Actor.Can(p) && !(p.OwnerOnly() && l.AsDeputy())
}

// Refresh requests that the lead and its documents be read from the lender again.
func (l *Lead) Refresh(context.Context) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	l.d.Refresher.RequestRefresh(l.d.Row.App, l.d.Row.Company, lead.PartDocuments)
	return nil
}

// AuditOpening records in the audit log, once a day, that the user opened the lead.
func (l *Lead) AuditOpening(ctx context.Context) error {
	if err := l.d.May(access.SeeLead); err != nil {
		return err
	}
	return l.d.Services.AuditDaily(ctx, store.AuditEntry{ActorID: l.d.Actor.UserID, Company: l.d.Row.Company,
		Action: store.ActionLeadOpen, Object: "lead:" + string(l.App()), Outcome: "opened"})
}

// SaveLastView records that the user has viewed the lead as it was when it was opened, and its documents if documents
// is true: what came later has not been displayed and must not count as seen.
func (l *Lead) SaveLastView(ctx context.Context, documents bool) error {
	if err := l.d.May(access.SeeLead); err != nil {
		return err
	}
	if err := l.d.MarkNoticesRead(ctx, store.NoticeSelection{App: l.d.Row.App, Until: l.d.ReadAt}); err != nil {
		return err
	}
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.SaveLastView(ctx, l.d.Actor.UserID, l.d.Row.App, l.d.ReadAt, documents)
	})
}

// SaveDisplayed records that an open page has shown the lead to the user, who is then not emailed about it. The bell
// still shows the notifications: the user may be away.
func (l *Lead) SaveDisplayed(ctx context.Context) error {
	if err := l.d.May(access.SeeLead); err != nil {
		return err
	}
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.SaveDisplayed(ctx, l.d.Actor.UserID, l.d.Row.App, l.d.ReadAt)
	})
}

// Accessible reports whether this user can still access the lead.
func (l *Lead) Accessible(ctx context.Context) (bool, error) {
	if err := l.d.May(access.SeeLead); err != nil {
		return false, err
	}
	err := l.d.CheckAccessible(ctx)
	return err == nil, fault.Ignore(err, fault.NotFound)
}

// Cancel closes the inquiry permanently (section 4.5).
func (l *Lead) Cancel(ctx context.Context, operationID string) (lead.Operation, error) {
	if err := l.d.May(access.CancelInquiry); err != nil {
		return lead.Operation{}, err
	}
	if l.d.Row.Converted {
		return lead.Operation{}, fault.New(fault.Conflict,
			"Applications can’t be canceled here. The borrower must contact the lender.")
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpCancel, Permission: access.CancelInquiry, OperationID: operationID,
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.Cancel(ctx, l.d.Row.App, by)
		},
	})
}

// SetAside treats a blocked inquiry, or one without offers, as ended, or undoes that. Only the portal knows it: the
// lender is not notified (rule of section 3).
func (l *Lead) SetAside(ctx context.Context, aside bool) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.d.Row.App)
		if err != nil {
			return err
		}
		if aside && !row.Step.CanSetAside() {
			return fault.New(fault.Conflict, "The lead changed and can’t be closed at its current step.")
		}
		if aside == (row.SetAsideAt != 0) {
			return nil // already in that state
		}
		now := l.d.Now()
		row.SetAsideAt = 0
		detail := "taken back"
		if aside {
			row.SetAsideAt, detail = store.Millis(now), "set aside"
		}
		if err := tx.SaveLead(ctx, &row, now, true); err != nil {
			return err
		}
		return l.d.AuditEvent(ctx, tx, l.d.NewEvent(lead.EventSetAside, detail), store.ActionSetAside, "done", detail)
	})
	if err == nil {
		l.d.RequestRefresh(l.d.Row.App)
	}
	return err
}
