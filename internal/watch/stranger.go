package watch

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

const (
	// stillRunning is how long to wait before a stranger is looked at again whose start
	// may be answered any moment.
	stillRunning = 2 * time.Second
	// strangerRetry doubles with every look that failed; a stranger is forgotten by age.
	strangerRetry = 20 * time.Second
	strangerMost  = 30 * time.Minute
)

// strangerLoop looks at strangers apart from the sweep, which must not wait for the
// lender.
func (w *Watch) strangerLoop(ctx context.Context) {
	for w.rest(ctx, sweepEvery, w.met) {
		if err := w.meetStrangers(ctx); err != nil && ctx.Err() == nil {
			w.Log.Error("the strangers could not be met", "cause", err.Error())
		}
	}
}

// meetStrangers looks at applications that a webhook named and no lead stands for.
func (w *Watch) meetStrangers(ctx context.Context) error {
	due, err := w.Store.StrangersDue(ctx, w.Now(), 10)
	if err != nil {
		return err
	}
	for _, one := range due {
		err := w.meet(ctx, one.App)
		if err == nil || ctx.Err() != nil {
			continue
		}
		w.Log.Warn("an unknown application could not be read", "lead", one.App, "cause", err.Error())
		pause := min(strangerRetry<<min(one.Tries, 10), strangerMost)
		if err := w.Store.Write(ctx, func(tx *store.Tx) error { return tx.RetryStranger(ctx, one.App, w.Now().Add(pause)) }); err != nil {
			return err
		}
	}
	return nil
}

// meet reads the details of an unknown application. An echo of one of our operation ids
// makes it the lead of that lost start; anything else is not ours and is forgotten.
func (w *Watch) meet(ctx context.Context, app heloc.AppID) error {
	if _, err := w.Store.AnyLead(ctx, app); err == nil {
		return w.Store.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.HintLead(ctx, app, w.Now(), true); err != nil {
				return err
			}
			return tx.DropStranger(ctx, app)
		})
	}
	got, err := w.details(ctx, app, false)
	if fault.KindOf(err) == fault.NotFound {
		return w.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropStranger(ctx, app) })
	}
	if err != nil {
		return err
	}
	found := false
	err = w.Store.Write(ctx, func(tx *store.Tx) error {
		op, err := w.startBehind(ctx, tx, got.Value)
		if fault.KindOf(err) == fault.NotFound {
			return tx.DropStranger(ctx, app)
		}
		if err != nil {
			return err
		}
		if op.State == store.OpSent || op.State == store.OpPrepared {
			return tx.PostponeStranger(ctx, app, w.Now().Add(stillRunning))
		}
		if found, err = w.Journal.Found(ctx, tx, op, app); err != nil {
			return err
		}
		return tx.DropStranger(ctx, app)
	})
	if found && err == nil {
		w.appeared(ctx, app)
	}
	return err
}

// startBehind finds the start whose id an application echoes; fault.NotFound when it
// echoes none of ours.
func (w *Watch) startBehind(ctx context.Context, tx *store.Tx, d heloc.Details) (store.Operation, error) {
	id, ours := journal.ReferenceOf(w.Lender.Reference(d.App.Integrations))
	if !ours {
		return store.Operation{}, fault.New(fault.NotFound, "The application names none of our operations.")
	}
	return tx.Operation(ctx, id)
}

// appeared announces a lead that has come into the lists, and asks for it to be read.
func (w *Watch) appeared(ctx context.Context, app heloc.AppID) {
	if lead, err := w.Store.AnyLead(ctx, app); err == nil {
		w.announce(lead, lead)
	}
	w.line.join(wish{app: app})
}
