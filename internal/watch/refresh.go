package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// documentsAge is how old the list of documents, or that of matched properties, may grow
// before a refresh of the lead reads it too.
const documentsAge = 10 * time.Minute

// Refresh reads a lead anew and waits for it. Those who ask for the same lead at the
// same time share one reading.
func (w *Watch) Refresh(ctx context.Context, app heloc.AppID, parts ...store.Part) error {
	return w.refresh(ctx, wish{app, extrasOf(parts)})
}

// refresh shares the reading of a lead that is under way, if it fetches all that is
// wished for; else it waits for its end and reads once more. A lead is never read twice
// at once, so no older answer can overwrite a newer one.
func (w *Watch) refresh(ctx context.Context, one wish) error {
	for {
		ours := false
		read, err, _ := w.flights.Do(string(one.app), func() (any, error) {
			ours = true
			return one.parts, w.read(ctx, one)
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !ours && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			continue // the one who was reading has left; it is ours to read now
		}
		if err != nil || read.(extra).covers(one.parts) {
			return err
		}
	}
}

// read fetches what the lead's step needs, keeps it in one transaction and announces it.
func (w *Watch) read(ctx context.Context, one wish) error {
	lead, err := w.Store.AnyLead(ctx, one.app)
	if err != nil {
		return err
	}
	r, err := w.fetch(ctx, lead, one.parts)
	if err != nil {
		return w.postpone(ctx, lead, err)
	}
	var after store.Lead
	var told []string
	err = w.Store.Write(ctx, func(tx *store.Tx) error {
		if after, err = tx.AnyLead(ctx, one.app); err != nil {
			return err
		}
		if overtaken(after, r.at) {
			return nil
		}
		told, err = w.keep(ctx, tx, &after, knowing{r, lead.RefreshAt})
		return err
	})
	if err != nil {
		return w.postpone(ctx, lead, err)
	}
	if after.Revision != lead.Revision {
		w.announce(after, lead)
	}
	w.ringFor(told)
	return nil
}

// overtaken reports whether another process has kept a later reading meanwhile. A lead
// that seems to have been read far in the future was read before the clock was set back.
func overtaken(l store.Lead, at time.Time) bool {
	ahead := store.Instant(l.RefreshedAt).Sub(at)
	return ahead > 0 && ahead < time.Minute
}

// fetch asks the lender. The details come first, because the step says what else is needed.
func (w *Watch) fetch(ctx context.Context, lead store.Lead, parts extra) (reading, error) {
	known, err := w.Store.Parts(ctx, lead.App)
	if err != nil {
		return reading{}, err
	}
	r := reading{at: w.Now()}
	r.closing = parts.covers(extraClosing) || lead.Converted || lead.Step == heloc.StepComplete
	got, err := w.details(ctx, lead.App, r.closing)
	if err != nil {
		return r, err
	}
	step := got.Value.App.NextInquiryStep
	converted := got.Value.App.IsInquiry != nil && !*got.Value.App.IsInquiry
	if (converted || step == heloc.StepComplete) && !r.closing {
		r.closing = true
		if got, err = w.details(ctx, lead.App, true); err != nil {
			return r, err
		}
		step = got.Value.App.NextInquiryStep
	}
	r.details = got.Value
	if r.mismatch, err = w.mismatch(ctx, lead, got); err != nil {
		return r, err
	}
	old := func(p store.Part) bool { return r.at.Sub(store.Instant(known[p].FetchedAt)) > documentsAge }
	if step == heloc.StepSelectProperty &&
		(lead.Step != step || lead.UnderWayOp != "" || parts.covers(extraProperties) || old(store.PartProperties)) {
		r.properties = w.properties(ctx, lead.App)
	}
	if parts.covers(extraDocuments) || documented(step) && lead.Step != step || (documented(step) || lead.Converted) && old(store.PartDocuments) {
		// Without the list the lead is still true, only its documents are as old as they were.
		if docs, err := w.Lender.Documents(ctx, lead.App); err == nil {
			r.documents = append([]heloc.Document{}, docs.Value...)
		}
	}
	return r, nil
}

func (w *Watch) details(ctx context.Context, app heloc.AppID, closing bool) (partner.Result[heloc.Details], error) {
	var include []partner.Section
	if closing {
		include = []partner.Section{partner.Conditions, partner.FundingReport}
	}
	got, err := w.Lender.Details(ctx, app, include...)
	w.logMalformed(app, got.Malformed)
	return got, err
}

// properties asks for the candidates of an ambiguous address. A refusal is an answer
// too: the address is too vague, and the lender's words say so.
func (w *Watch) properties(ctx context.Context, app heloc.AppID) *heloc.MatchedProperties {
	got, err := w.Lender.Properties(ctx, app)
	switch fault.KindOf(err) {
	case fault.Upstream, fault.NotFound:
		said := []heloc.Message{{Level: "ERROR", Message: fault.Public(err)}}
		return &heloc.MatchedProperties{Messages: said}
	}
	if err != nil {
		return nil
	}
	found := got.Value
	if len(found.Messages) == 0 {
		found.Messages = got.Messages
	}
	return &found
}

// documented reports whether an inquiry can have documents at a step.
func documented(s heloc.Step) bool {
	switch s {
	case heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning, heloc.StepComplete:
		return true
	default:
		return false
	}
}

// postpone notes a reading that failed, or that could not be kept: the next look comes
// later with every failure. Somebody who asked for the lead meanwhile is not put off.
func (w *Watch) postpone(ctx context.Context, seen store.Lead, cause error) error {
	if ctx.Err() != nil {
		return cause // we are ending, which says nothing of the lender
	}
	err := w.Store.Write(ctx, func(tx *store.Tx) error {
		lead, err := tx.AnyLead(ctx, seen.App)
		if err != nil {
			return err
		}
		lead.Failures++
		if lead.RefreshAt == seen.RefreshAt {
			lead.RefreshAt = store.Millis(w.Now().Add(afterFailure(lead.Failures, cause)))
		}
		return tx.SaveLead(ctx, &lead, w.Now(), false)
	})
	if err != nil {
		return fmt.Errorf("%w; and it could not be postponed: %w", cause, err)
	}
	return cause
}

// announce tells the pages of everybody who may see the lead, before and after.
func (w *Watch) announce(after, before store.Lead) {
	topics := []string{hub.Originator(string(after.Originator)), hub.Company(after.Company)}
	if before.Originator != after.Originator {
		topics = append(topics, hub.Originator(string(before.Originator)), hub.Company(before.Company))
	}
	w.Hub.Publish(hub.Event{App: string(after.App), Revision: after.Revision}, topics...)
}
