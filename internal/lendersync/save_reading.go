package lendersync

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

// readingToSave is a reading, and what the lead's schedule was before it.
type readingToSave struct {
	reading
	refreshAtBefore int64
}

// saveReading writes a reading: the row, the sealed parts, the events, the operations that it
// settles, and what people are told of it. It gives the ids of those who were told.
func (w *Service) saveReading(ctx context.Context, tx *store.Tx, lead *store.Lead, k readingToSave) (told []string, err error) {
	op, err := pendingOperation(ctx, tx, lead)
	if err != nil {
		return nil, err
	}
	at := store.Millis(k.at)
	if op != nil && at < op.AnsweredAt {
		return nil, nil // read before the operation was accepted: the lead is due already, and read anew
	}
	before := *lead
	parts, err := w.newPartWriter(ctx, tx, lead.App, k.reading)
	if err != nil {
		return nil, err
	}
	r := parts.reading
	// Whose lead it is, and what became of a write, is for this very answer to say: what is
	// kept from before is no evidence of it.
	moved, err := w.applyOriginator(ctx, tx, lead, parts.said.Originator.UUID)
	if err != nil {
		return nil, err
	}
	if err := w.noteMismatch(ctx, tx, lead, r); err != nil {
		return nil, err
	}
	m := merge(lead, r, op)
	if moved != nil {
		moved.At = at
		m.events = append(m.events, *moved)
	}
	if err := w.saveLicenses(ctx, tx, r); err != nil {
		return nil, err
	}
	if err := w.noteEcho(ctx, tx, before, parts.said); err != nil {
		return nil, err
	}
	news := closingUpdatesOf(parts, lead)
	if err := parts.save(ctx); err != nil {
		return nil, err
	}
	unknown, settled, err := w.settleUnknown(ctx, tx, lead, reading{at: r.at, details: parts.said})
	if err != nil {
		return nil, err
	}
	if op != nil && m.moved {
		if err := tx.SaveOperation(ctx, *op); err != nil {
			return nil, err
		}
	}
	w.schedule(lead, k, m.moved, soon{unknown: unknown, missing: len(parts.missing) > 0})
	echoed := r.details.App.Integrations
	if err := tx.AddReferences(ctx, lead.App, journal.References(w.Vault, lead.Company, echoed.ReferenceID, echoed.CustomerID)); err != nil {
		return nil, err
	}
	if err := tx.SaveLead(ctx, lead, w.Now(), m.changed || moved != nil || parts.changed || settled); err != nil {
		return nil, err
	}
	for i := range m.events {
		if slices.Contains(statusEvents(), m.events[i].Kind) {
			m.events[i].StatusKey = lead.StatusKey
		}
		if err := tx.AddEvent(ctx, m.events[i]); err != nil {
			return nil, err
		}
	}
	return w.notify(ctx, tx, savedChange{before: before, after: *lead, at: at, events: m.events, early: m.early, updates: news})
}

// statusEvents lists the events after which a lead stands somewhere, for the news.
func statusEvents() []store.EventKind {
	return []store.EventKind{store.EventStep, store.EventAskedAgain, store.EventConverted, store.EventFunded, store.EventReassigned}
}

// soon are the reasons to look again soon.
type soon struct {
	unknown bool // the outcome of a write
	missing bool // something that was known came as null
}

// secondLook is when a reading that missed something is followed by the one that decides
// about it: soon for whoever looks at the page, and not in the same moment of a lender that
// is in trouble.
const secondLook = 10 * time.Second

// schedule says when the lead is read next. Whoever asked for it while the lender was
// being asked is not put off: the answer may have been older than what they know of.
func (w *Service) schedule(lead *store.Lead, k readingToSave, moved bool, why soon) {
	now := w.Now()
	if moved {
		lead.RefreshTries = 0
	}
	found := *lead
	s := heloc.StatusAt(lead.Facts(), now)
	found.Lane, found.StatusKey = s.Lane, s.Key // as the save will find it
	pause := nextRefresh(&found, now)
	if why.unknown {
		pause = min(pause, maxPollInterval) // a person waits to hear what became of it
	}
	if why.missing {
		pause = min(pause, secondLook)
	}
	next := store.Millis(now.Add(pause))
	if lead.RefreshAt != k.refreshAtBefore {
		next = min(next, lead.RefreshAt)
	}
	lead.RefreshAt, lead.RefreshedAt = next, store.Millis(k.at)
	lead.RefreshTries++
	lead.RefreshFailures = 0
}

func pendingOperation(ctx context.Context, tx *store.Tx, lead *store.Lead) (*store.Operation, error) {
	if lead.PendingOp == "" {
		return nil, nil
	}
	op, err := tx.Operation(ctx, lead.PendingOp)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	return &op, err
}

// applyOriginator gives the lead to the originator whom the lender names: the lender's answer
// decides whose lead it is, within its company. A lead never crosses that wall by itself:
// for somebody who has left the company it waits unassigned for its manager. For somebody
// whom the lender's directory does not list it stays. The event is nil when it stays.
func (w *Service) applyOriginator(ctx context.Context, tx *store.Tx, lead *store.Lead, named heloc.OriginatorID) (*store.Event, error) {
	if named == "" || named == lead.Originator {
		return nil, nil
	}
	to := named
	owner, err := tx.Originator(ctx, named)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	case store.CompanyOf(owner.BrokerID, owner.Organization) != lead.Company:
		to = ""
	case owner.RemovedAt != 0:
		to = ""
		if lead.Originator != "" || lead.FormerOriginator == "" {
			lead.FormerOriginator = named // theirs again when the directory lists them again
		}
	}
	from := lead.Originator
	if to == from {
		return nil, nil
	}
	lead.Originator = to
	if err := w.moveRepullPlan(ctx, tx, *lead); err != nil {
		return nil, err
	}
	return &store.Event{
		App: lead.App, Originator: to, Kind: store.EventReassigned, Detail: "from " + string(from) + " to " + string(to),
	}, nil
}

// moveRepullPlan gives a credit re-pull that waits for its time to whom the lead has come. For
// an originator without an account it stays where it is, and is told to who planned it as
// not asked for.
func (w *Service) moveRepullPlan(ctx context.Context, tx *store.Tx, lead store.Lead) error {
	if lead.Originator == "" {
		return nil
	}
	who, err := tx.UserByOriginator(ctx, string(lead.Originator))
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	carried, err := tx.ReassignRepull(ctx, lead.App, who.UserID, lead.Originator)
	if err != nil || !carried {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: "system", Company: lead.Company, Action: store.ActionRepullReassign, Object: "lead:" + string(lead.App), Outcome: "done", Detail: "to:" + who.UserID,
	})
}
