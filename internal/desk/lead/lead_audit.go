package lead

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// AuditQuery selects rows of a lead's audit. A zero field does not filter.
type AuditQuery struct {
	From   time.Time
	To     time.Time // exclusive
	Before int64     // the Next of the previous page
	Limit  int       // rows of a page
}

// AuditRow is what somebody did with the lead. Actor is empty for the portal itself, and for users of a company to
// which the lead belonged before: their names are not this company's to see.
type AuditRow struct {
	store.AuditEntry
	Actor    string
	Previous bool // done while the lead belonged to another company
}

// Audit lists what the audit has about this lead, newest first, for the managers of its company: who opened it,
// viewed the borrower's details, downloaded, exported or changed anything. next is the key of the next page, 0 on the
// last one. Reading it is audited too.
func (l *Lead) Audit(ctx context.Context, ask AuditQuery) (rows []AuditRow, next int64, err error) {
	if err := l.d.May(access.SeeLeadAudit); err != nil {
		return nil, 0, err
	}
	object := "lead:" + string(l.d.Row.App)
	if err := l.d.AuditDaily(ctx, access.SeeLeadAudit, store.ActionAuditRead, object); err != nil {
		return nil, 0, err
	}
	entries, err := l.d.Store.Audits(ctx, store.AuditQuery{Object: object, From: ask.From, To: ask.To,
		Before: ask.Before, Limit: ask.Limit + 1})
	if err != nil {
		return nil, 0, err
	}
	if len(entries) > ask.Limit {
		entries = entries[:ask.Limit]
		next = entries[ask.Limit-1].Seq
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ActorID)
	}
	names, err := l.d.Store.UserNames(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	for _, e := range entries {
		row := AuditRow{AuditEntry: e, Previous: e.Company != l.d.Row.Company}
		if !row.Previous {
			row.Actor = names[e.ActorID]
		}
		rows = append(rows, row)
	}
	return rows, next, nil
}

// ListExports lists who exported lists with this lead in them, latest first, for the managers of its company. The audit
// has one entry for a whole list, not one for each lead.
func (l *Lead) ListExports(ctx context.Context) ([]lead.Export, error) {
	if err := l.d.May(access.SeeLeadAudit); err != nil {
		return nil, err
	}
	all, err := l.d.Store.Exports(ctx, l.d.Row.App, AccessLogLimit)
	return slices.DeleteFunc(all, func(e lead.Export) bool { return e.Kind != lead.ExportList }), err
}
