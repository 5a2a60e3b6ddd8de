package pipeline

import (
	"context"
	"errors"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

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
		// The borrowers' names stay encrypted, and an export does not show what is new to the user.
		rows := make([]lead.PipelineRow, len(leads))
		for i := range leads {
			p.list.FillRow(&rows[i], &leads[i], names)
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
