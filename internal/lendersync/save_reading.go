package lendersync

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// readingToSave is a reading with the lead's schedule before it.
type readingToSave struct {
	reading
	refreshAtBefore int64
}

// saveReading stores a reading: the row, the encrypted parts, the events, the operations that it settles, and the
// notifications.
func (s *Service) saveReading(ctx context.Context, tx *store.Tx, row *lead.Row, k readingToSave) error {
	op, err := pendingOperation(ctx, tx, row)
	if err != nil {
		return err
	}
	k.savedAt = s.Now()
	if op != nil && store.Millis(k.at) < op.AnsweredAt {
		return nil // read before the operation was accepted: the lead is already due to be read again
	}
	before := *row
	parts, err := s.newPartWriter(ctx, tx, row.App, k.reading)
	if err != nil {
		return err
	}
	// Only the current response decides who has the lead and how a write ended: values kept from before are no
	// evidence.
	owned := *row
	moves, err := s.resolveOriginator(ctx, tx, &owned, parts.said.Originator.UUID)
	if err != nil {
		return err
	}
	claim, err := s.claimOf(ctx, tx, row, parts, op, moves)
	if err != nil {
		return err
	}
	if before := parts.last.Claim; claim.Made() &&
		!(before.Same(claim) && store.Millis(k.at)-before.Since >= s.secondLook().Milliseconds()) {
		return s.saveClaim(ctx, tx, row, k, parts.last, claim)
	}
	r := parts.reading
	row.Originator, row.FormerOriginator = owned.Originator, owned.FormerOriginator
	if err := s.noteMismatch(ctx, tx, row, r); err != nil {
		return err
	}
	if r.otherSelected, err = s.otherSelected(ctx, tx, op, parts.said); err != nil {
		return err
	}
	m := merge(row, r, op)
	if moves {
		if err := s.moveRepullPlan(ctx, tx, *row); err != nil {
			return err
		}
		m.events = append(m.events, reassignedEvent(before, *row))
	}
	at := store.Millis(k.savedAt)
	for i := range m.events {
		m.events[i].At = at
	}
	if err := s.saveLicenses(ctx, tx, r); err != nil {
		return err
	}
	if err := s.recordEcho(ctx, tx, before, parts.said); err != nil {
		return err
	}
	updates := closingUpdatesOf(parts, row)
	if err := parts.save(ctx); err != nil {
		return err
	}
	unknown, settled, err := s.settleUnknown(ctx, tx, row, reading{at: r.at, details: parts.said})
	if err != nil {
		return err
	}
	if op != nil && m.moved {
		if err := tx.SaveOperation(ctx, *op); err != nil {
			return err
		}
	}
	differs, err := s.checkFigures(ctx, tx, row, reading{at: r.at, details: parts.said})
	if err != nil {
		return err
	}
	s.schedule(row, k, soon{unknown: unknown, doubtful: parts.missedNow || differs})
	echoed := r.details.App.Integrations
	if err := tx.AddReferences(ctx, row.App,
		journal.References(s.Vault, row.Company, otherReferences(echoed)...)); err != nil {
		return err
	}
	changed := m.changed || moves || parts.changed || settled
	if !changed && parts.last.Noticed() { // the page no longer shows it
		err = s.saveUnchanged(ctx, tx, row, true)
	} else {
		err = tx.SaveLead(ctx, row, s.Now(), changed)
	}
	if err != nil {
		return err
	}
	for i := range m.events {
		if slices.Contains(statusEvents(), m.events[i].Kind) {
			m.events[i].StatusKey = row.StatusKey
		}
		if err := tx.AddEvent(ctx, m.events[i]); err != nil {
			return err
		}
	}
	if len(tx.Unassigned) > 0 { // SaveLead has recorded it: the lead is open again, and nobody can work on it
		m.events = append(m.events, lead.Event{Kind: lead.EventReassigned})
	}
	return s.notify(ctx, tx, savedChange{before: before, after: *row, at: at, events: m.events, early: m.early,
		updates: updates})
}

// statusEvents lists the events that record the lead's status, for the list of updates.
func statusEvents() []lead.EventKind {
	return []lead.EventKind{lead.EventStep, lead.EventAskedAgain, lead.EventConverted, lead.EventFunded,
		lead.EventReassigned}
}

// soon holds the reasons to read the lead again soon.
type soon struct {
	unknown  bool // the outcome of a write is unknown
	doubtful bool // a known value came as null, or other figures were booked than shown
}

// secondLook is the pause after a doubtful reading, before the reading that decides about it: short for a user who is
// looking at the page, but long enough to give a lender in trouble some time.
const secondLook = 10 * time.Second

func (s *Service) secondLook() time.Duration { return cmp.Or(s.SecondLook, secondLook) }

// schedule sets when the lead is read next. If a refresh was requested during this reading, schedule does not delay
// it: the answer may be older than the change behind the request.
func (s *Service) schedule(row *lead.Row, k readingToSave, why soon) {
	now := s.Now()
	found := *row
	status := heloc.StatusAt(row.Facts(), now)
	found.Lane, found.StatusKey = status.Lane, status.Key // as SaveLead will compute them
	pause := nextRefresh(&found, now)
	if why.unknown {
		pause = min(pause, maxPollInterval) // a user is waiting for the outcome
	}
	if why.doubtful {
		pause = min(pause, s.secondLook())
	}
	next := store.Millis(now.Add(pause))
	if row.RefreshAt != k.refreshAtBefore {
		next = min(next, row.RefreshAt)
	}
	row.RefreshAt, row.RefreshedAt = next, store.Millis(k.at)
	row.RefreshFailures = 0
}

func pendingOperation(ctx context.Context, tx *store.Tx, row *lead.Row) (*lead.Operation, error) {
	if row.PendingOp == "" {
		return nil, nil
	}
	op, err := tx.Operation(ctx, row.PendingOp)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &op, err
}

// otherReferences returns the ids of other systems that the lender echoes, without this portal's own number.
func otherReferences(echoed heloc.Integrations) []string {
	return slices.DeleteFunc([]string{echoed.ApplicationID, echoed.ReferenceID, echoed.CustomerID}, func(id string) bool {
		_, ours := journal.ParseReference(id)
		return ours
	})
}

// saveLicenses stores the licenses that the lender returns with a lead: the holder and the state.
func (s *Service) saveLicenses(ctx context.Context, tx *store.Tx, r reading) error {
	o := r.details.Originator
	var reported []lead.License
	for _, one := range []struct {
		party   lead.Party
		holder  string
		license *heloc.License
	}{{lead.PartyOriginator, string(o.UUID), o.Licenses.LoanOriginator},
		{lead.PartyBroker, o.BrokerUUID, o.Licenses.Broker}} {
		if one.license == nil || one.holder == "" || len(one.license.State.State) != 2 {
			continue
		}
		if len(reported) > 0 && reported[0].Holder == one.holder {
			continue // one statement cannot write a row twice
		}
		reported = append(reported, lead.License{
			Holder: one.holder, Party: one.party, State: one.license.State.State, Number: one.license.State.Number,
			At: store.Millis(r.at),
		})
	}
	return tx.SaveLenderLicenses(ctx, reported...)
}

// recordEcho records in store.LenderEcho whether the lender echoes, from the first readings of a lead that was started
// here. A lead that is still being processed may not have its echo yet.
func (s *Service) recordEcho(ctx context.Context, tx *store.Tx, before lead.Row, d heloc.Details) error {
	if before.RefreshedAt != 0 && !before.Step.InProgress() {
		return nil
	}
	start, err := tx.StartOf(ctx, before.App)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	answer := "yes"
	if s.Lender.Reference(d.App.Integrations) != start.ID {
		if d.App.NextInquiryStep.InProgress() {
			return nil
		}
		answer = "no"
	}
	known, err := tx.Setting(ctx, store.LenderEcho)
	if err != nil || known == answer {
		return err
	}
	return tx.SaveSetting(ctx, store.LenderEcho, answer)
}
