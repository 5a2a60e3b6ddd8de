package desk

import (
	"context"
	"errors"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// exportPageSize is how many leads are read, noted and handed on at once: memory does not grow
// with the list, and the database is held for no longer than that.
const exportPageSize = 500

// Export hands on every lead of a list, in its order and a page at a time, to be taken away.
// Before a page goes out each of its leads notes who takes it, and the person is asked for
// anew: who has lost the right, or changed the company, takes no further page. The list is
// read while it lives: a lead that moves in its order meanwhile can come twice or not at all.
// The audit has the beginning, and at the end how many leads went out, whole or broken off.
func (p *Pipeline) Export(ctx context.Context, q store.LeadQuery, typed string, take func([]PipelineRow) error) error {
	if err := p.d.may(access.ExportPipeline); err != nil {
		return err
	}
	if err := p.auditExport(ctx, "begun", ""); err != nil {
		return err
	}
	n, err := p.export(ctx, q, typed, take)
	outcome := "done"
	if err != nil {
		outcome = "broken off"
	}
	// Who closes the browser has taken what went out all the same.
	return errors.Join(err, p.auditExport(context.WithoutCancel(ctx), outcome, "rows:"+strconv.Itoa(n)))
}

func (p *Pipeline) export(ctx context.Context, q store.LeadQuery, typed string, take func([]PipelineRow) error) (n int, err error) {
	q.After, q.Limit = "", exportPageSize
	for {
		leads, next, err := p.leads(ctx, q, typed)
		if err != nil {
			return n, err
		}
		if err := p.logExport(ctx, leads); err != nil {
			return n, err
		}
		rows, err := p.rows(ctx, leads)
		if err != nil {
			return n, err
		}
		if err := take(rows); err != nil {
			return n, err
		}
		n += len(rows)
		if q.After = next; next == "" {
			return n, nil
		}
	}
}

// logExport asks who the person is now, and notes at each lead that its row is taken away.
func (p *Pipeline) logExport(ctx context.Context, leads []store.Lead) error {
	apps := make([]heloc.AppID, len(leads))
	for i, l := range leads {
		apps[i] = l.App
	}
	return p.d.Store.Write(ctx, func(tx *store.Tx) error {
		user, err := p.d.reauthorize(ctx, tx, access.ExportPipeline)
		if err == nil && user.Scope() != p.scope {
			err = fault.New(fault.Denied, "Your company has changed since this list was asked for. Sign in again.")
		}
		if err != nil {
			return err
		}
		return tx.AddExports(ctx, store.Export{UserID: user.UserID, Kind: store.ExportList}, p.d.Now(), apps...)
	})
}

func (p *Pipeline) auditExport(ctx context.Context, outcome, detail string) error {
	return p.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: p.d.Actor.UserID, Company: p.d.company(), Action: store.ActionExport, Object: "user:" + p.d.Actor.UserID, Outcome: outcome, Detail: detail,
		})
	})
}
