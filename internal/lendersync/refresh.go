package lendersync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// documentsMaxAge is the maximum age of the list of documents, and of matched properties, before a refresh of the
// lead reads it too.
const documentsMaxAge = 10 * time.Minute

// Refresh reads a lead again and waits for it. Concurrent calls for the same lead share one reading.
func (s *Service) Refresh(ctx context.Context, app heloc.AppID, parts ...lead.Part) error {
	return s.refresh(ctx, refreshRequest{app: app, parts: extrasOf(parts)})
}

// refresh shares a reading of the lead that is already running if it fetches all requested parts. Otherwise it waits
// for it to end and reads once more. A lead is never read twice at the same time, so an older answer cannot overwrite
// a newer one.
func (s *Service) refresh(ctx context.Context, one refreshRequest) error {
	for {
		ours := false
		read, err, _ := s.flights.Do(string(one.app), func() (any, error) {
			ours = true
			return one.parts, s.readLead(ctx, one)
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !ours && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			continue // the caller who was reading has stopped, so we read now
		}
		if err != nil || read.(extraParts).covers(one.parts) {
			return err
		}
	}
}

// readLead fetches what the lead's step needs and stores it in one transaction.
func (s *Service) readLead(ctx context.Context, one refreshRequest) error {
	row, err := s.Store.AnyLead(ctx, one.app)
	if err != nil {
		return err
	}
	r, err := s.fetch(ctx, row, one.parts)
	if err != nil {
		return s.postpone(ctx, row, err)
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := tx.AnyLead(ctx, one.app)
		if err != nil || superseded(now, r.at) {
			return err
		}
		return s.saveReading(ctx, tx, &now, readingToSave{r, row.RefreshAt})
	})
	if err != nil {
		return s.postpone(ctx, row, err)
	}
	return nil
}

// superseded reports whether another process has stored a later reading since. A lead that seems to have been read
// far in the future was read before the clock was set back.
func superseded(l lead.Row, at time.Time) bool {
	ahead := store.Instant(l.RefreshedAt).Sub(at)
	return ahead > 0 && ahead < time.Minute
}

// fetch reads from the lender. It reads the details first, because the step decides what else is needed.
func (s *Service) fetch(ctx context.Context, row lead.Row, parts extraParts) (reading, error) {
	known, err := s.Store.Parts(ctx, row.App)
	if err != nil {
		return reading{}, err
	}
	for _, name := range s.lastReading(row.App, known).Missing {
		switch name { // what was missing is read again, regardless of its age
		case heldDocuments:
			parts |= extraDocuments
		case heldProperties:
			parts |= extraProperties
		case heldConditions, heldFunding:
			parts |= extraClosing
		}
	}
	r := reading{at: s.Now()}
	r.closing = parts.covers(extraClosing) || row.Converted || row.Step == heloc.StepComplete
	got, err := s.fetchDetails(ctx, row.App, r.closing)
	if err != nil {
		return r, err
	}
	step := got.Value.App.NextInquiryStep
	converted := got.Value.App.IsInquiry != nil && !*got.Value.App.IsInquiry
	if (converted || step == heloc.StepComplete) && !r.closing {
		r.closing = true
		if got, err = s.fetchDetails(ctx, row.App, true); err != nil {
			return r, err
		}
		step = got.Value.App.NextInquiryStep
	}
	r.details = got.Value
	if r.mismatch, err = s.mismatch(ctx, row, got); err != nil {
		return r, err
	}
	old := func(p lead.Part) bool { return r.at.Sub(store.Instant(known[p].FetchedAt)).Abs() > documentsMaxAge }
	if step == heloc.StepSelectProperty &&
		(row.Step != step || row.PendingOp != "" || parts.covers(extraProperties) || old(lead.PartProperties)) {
		r.properties = s.fetchProperties(ctx, row.App)
	}
	if parts.covers(extraDocuments) || hasDocuments(step) && row.Step != step ||
		(hasDocuments(step) || row.Converted) && old(lead.PartDocuments) {
		// Without the list, the lead is still correct; only its documents are not updated.
		if docs, err := s.Lender.Documents(ctx, row.App); err == nil {
			r.documents = append([]heloc.Document{}, docs.Value...)
		}
	}
	return r, nil
}

func (s *Service) fetchDetails(ctx context.Context, app heloc.AppID,
	closing bool) (partner.Result[heloc.Details], error) {
	var include []partner.Section
	if closing {
		include = []partner.Section{partner.Conditions, partner.FundingReport}
	}
	got, err := s.Lender.Details(ctx, app, include...)
	s.logMalformed(app, got.Malformed)
	return got, err
}

// fetchProperties requests the candidates for an ambiguous address. A rejection by the lender is an answer too: the
// address is too vague, and the lender's message explains it. A rejection of our key, or a response without a list,
// says nothing about the address and does not count as a reading.
func (s *Service) fetchProperties(ctx context.Context, app heloc.AppID) *heloc.MatchedProperties {
	got, err := s.Lender.Properties(ctx, app)
	if failure, ok := errors.AsType[*partner.Failure](err); ok && failure.Refused {
		switch kind := fault.KindOf(err); {
		case failure.Status == http.StatusUnauthorized || failure.Status == http.StatusForbidden:
		case kind == fault.Upstream || kind == fault.NotFound:
			message := []heloc.Message{{Level: "ERROR", Message: fault.Public(err)}}
			return &heloc.MatchedProperties{Messages: message}
		}
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

// hasDocuments reports whether an inquiry can have documents at a step.
func hasDocuments(s heloc.Step) bool {
	return slices.Contains([]heloc.Step{heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning,
		heloc.StepComplete}, s)
}

// postpone records a reading that failed or could not be stored: each failure delays the next attempt further. It
// does not delay a refresh that was requested in the meantime. What the lender responded instead of the lead is
// stored for the page; that the lender is down is shown once for all leads.
func (s *Service) postpone(ctx context.Context, seen lead.Row, cause error) error {
	if ctx.Err() != nil {
		return cause // we are shutting down, which says nothing about the lender
	}
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.AnyLead(ctx, seen.App)
		if err != nil {
			return err
		}
		fresh, err := s.complain(ctx, tx, seen.App, cause)
		if err != nil {
			return err
		}
		row.RefreshFailures++
		if row.RefreshAt == seen.RefreshAt {
			row.RefreshAt = store.Millis(s.Now().Add(afterFailure(row.RefreshFailures, cause)))
		}
		return s.saveUnchanged(ctx, tx, &row, fresh)
	})
	if err != nil {
		return fmt.Errorf("%w; and it could not be postponed: %w", cause, err)
	}
	return cause
}

// complain stores what the lender responded instead of the lead, and reports whether that is new for the page.
func (s *Service) complain(ctx context.Context, tx *store.Tx, app heloc.AppID, cause error) (fresh bool, err error) {
	failure, ok := errors.AsType[*partner.Failure](cause)
	if !ok || failure.Status == 0 || fault.Is(cause, fault.Unavailable) {
		return false, nil
	}
	parts, err := tx.Parts(ctx, app)
	if err != nil {
		return false, err
	}
	last := s.lastReading(app, parts)
	message := ""
	if failure.Status < 300 { // the body of an error response may come from anywhere, such as a gateway
		message = journal.MessageText(failure.Messages)
	}
	fresh = last.FailedAt == 0 || last.Said != message
	last.FailedAt, last.Said = store.Millis(s.Now()), message
	plain, err := json.Marshal(last)
	if err != nil {
		return false, err
	}
	return fresh, s.savePart(ctx, tx, store.SealedPart{App: app, Part: lead.PartReading, Sealed: plain,
		FetchedAt: last.FailedAt})
}

// refreshRequest requests that a lead be read again, including some parts regardless of their age.
type refreshRequest struct {
	app     heloc.AppID
	parts   extraParts
	company string
	asked   bool // by a user, rather than because the lead is due
}

// turn is whose turn it is to be read: a company has one for what its users ask for and one for what is due, so a user
// does not wait for the due leads of any company.
func (r refreshRequest) turn() string {
	if r.asked {
		return "asked " + r.company
	}
	return "due " + r.company
}

// caller says who asked for the lead to be read.
func (r refreshRequest) caller() partner.Caller {
	return partner.Caller{Company: r.company, Background: !r.asked}
}

// refreshQueue holds the leads that wait to be read, by company. A lead is in it at most once, with all requested
// parts, and is not added again while it is being read: if the lender hangs on one lead, only one worker is blocked.
type refreshQueue struct {
	wake chan struct{} // something was added

	mu      sync.Mutex
	turns   partner.Turns[heloc.AppID]
	waiting map[heloc.AppID]refreshRequest
	reading map[heloc.AppID]extraParts
}

// maxPerTurn is how many leads of a company wait of each kind. More than a few seconds of work is not needed: what is
// due is found again.
const maxPerTurn = 256

func newRefreshQueue() *refreshQueue {
	return &refreshQueue{wake: make(chan struct{}, 1), waiting: make(map[heloc.AppID]refreshRequest),
		reading: make(map[heloc.AppID]extraParts)}
}

// add adds a lead to the queue without waiting. If the queue of the company is full, the request is dropped and the
// sweep picks the lead up.
func (r *refreshQueue) add(one refreshRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before, ok := r.waiting[one.app]; ok {
		one.parts |= before.parts
		if before.asked || !one.asked {
			before.parts = one.parts
			r.waiting[one.app] = before
			return
		}
		r.turns.Remove(before.turn(), one.app) // now a user asks
		delete(r.waiting, one.app)
	} else if parts, ok := r.reading[one.app]; ok && parts.covers(one.parts) {
		return
	}
	if r.turns.LenOf(one.turn()) >= maxPerTurn {
		return
	}
	r.turns.Add(one.turn(), one.app)
	r.waiting[one.app] = one
	wakeUp(r.wake)
}

// length returns how many leads wait to be read.
func (r *refreshQueue) length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting)
}

// next returns the lead whose turn it is and marks it as being read; ok is false when none waits.
func (r *refreshQueue) next() (one refreshRequest, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	app, ok := r.turns.Next()
	if !ok {
		return one, false
	}
	one = r.waiting[app]
	delete(r.waiting, app)
	r.reading[app] |= one.parts
	if r.turns.Len() > 0 {
		wakeUp(r.wake) // another worker
	}
	return one, true
}

// done ends the reading of a lead.
func (r *refreshQueue) done(app heloc.AppID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.reading, app)
}
