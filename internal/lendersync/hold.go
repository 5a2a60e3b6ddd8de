package lendersync

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Every field of the lender's resources may be null, so a null can be correct, or it can come from a deployment that
// lost part of its response for a moment. One response alone does not show which. So a known value that comes as null
// is kept once, and removed when the next reading is also null. An empty list and an object of nulls count as null.
//
// What we do with each part, and why:
//
//	nextInquiryStep     kept: a null would move the lead to "In progress" and remove its form.
//	                    UNKNOWN is a value: claim.go.
//	status, history     kept: a history that shrinks and grows again looks like an answer.
//	isInquiry           kept; besides, null never reverses a conversion (merge.go).
//	keyDates            kept, each date separately: a single date ends or reopens a lead.
//	notary              kept, each field separately: its appointment decides the closing phase.
//	underwriting        kept, each field separately: offers, selected offer, amounts, credit.
//	                    A selected offer is kept as a whole: parts of two would be an offer that nobody made.
//	liens, costs, ddp,  kept, each list or object separately: forms are filled from them.
//	values, property
//	addresses           kept as a whole: parts of two addresses would be a third one.
//	originator          kept for display only. The lender's current response decides who has the
//	                    lead, and a null moves nothing (originator_change.go).
//	utm, integrations   not kept: we clear attributions with null (section 4.6).
//	conditions, funding kept, if they were requested. Besides, a missing report never reverses a
//	                    known funding (merge.go).
//	documents,          kept, with their age, if the list was requested. When the lender rejects
//	properties          the properties request, that counts as an empty list: no candidates.
const (
	heldDocuments  = "documents"
	heldProperties = "properties"
	heldConditions = "conditions"
	heldFunding    = "funding"
)

// hold replaces each value that this reading misses for the first time with the known one. k.said still has what the
// lender sent.
func (p *partWriter) hold() {
	p.said = p.details
	p.stepHeld = p.details.App.NextInquiryStep == ""
	h := holder{before: p.last, at: p.at}
	if known, readable := storedPart[heloc.Details](p, lead.PartDetails); readable {
		h.details(&known, &p.details)
		p.known = known
	}
	p.detailsHeld = len(h.missing) > 0
	if p.closing {
		if known, readable := storedPart[[]heloc.Condition](p, lead.PartConditions); readable {
			p.conditionsHeld = h.value(heldConditions, reflect.ValueOf(known), reflect.ValueOf(&p.details.App.Conditions).Elem())
		}
		if known, readable := storedPart[*heloc.FundingReport](p, lead.PartFunding); readable {
			p.fundingHeld = h.value(heldFunding, reflect.ValueOf(known), reflect.ValueOf(&p.details.App.Funding).Elem())
		}
	} else {
		h.unread(heldConditions, heldFunding)
	}
	if p.reading.documents == nil {
		h.unread(heldDocuments)
	} else if known, readable := storedPart[[]lead.KnownDocument](p, lead.PartDocuments); readable {
		p.documented = len(known)
		if h.misses(heldDocuments, len(known) > 0 && len(p.reading.documents) == 0) {
			p.reading.documents = nil
		}
	}
	if p.properties == nil {
		if p.details.App.NextInquiryStep == heloc.StepSelectProperty { // else nobody asks for them again
			h.unread(heldProperties)
		}
	} else if known, readable := storedPart[heloc.MatchedProperties](p, lead.PartProperties); readable &&
		h.misses(heldProperties, len(known.Properties) > 0 && len(p.properties.Properties) == 0) {
		p.properties = nil
	}
	p.missing, p.missedNow = journal.LastReading{Missing: h.missing, Since: h.since}, h.missedNow
}

// holder compares a reading with the known values.
type holder struct {
	before    journal.LastReading // what the reading before missed
	at        time.Time
	missing   []string // what this one misses, and keeps
	since     map[string]int64
	missedNow bool // this reading itself missed something
}

// misses reports whether a value that is gone is kept, and notes it. It is kept until a reading
// that is at least secondLook younger than the first one misses it too.
func (h *holder) misses(name string, gone bool) bool {
	if !gone {
		return false
	}
	first := store.Millis(h.at)
	if slices.Contains(h.before.Missing, name) {
		first = h.before.Since[name]
		if store.Millis(h.at)-first >= secondLook.Milliseconds() {
			return false
		}
	}
	h.missedNow = true
	h.keep(name, first)
	return true
}

func (h *holder) keep(name string, first int64) {
	if h.since == nil {
		h.since = map[string]int64{}
	}
	h.missing = append(h.missing, name)
	h.since[name] = first
}

// unread keeps what was missed before and was not requested now: nobody has said it twice.
func (h *holder) unread(names ...string) {
	for _, name := range names {
		if slices.Contains(h.before.Missing, name) {
			h.keep(name, h.before.Since[name])
		}
	}
}

// value keeps one value as a whole.
func (h *holder) value(name string, known, now reflect.Value) bool {
	if !h.misses(name, !empty(known) && empty(now)) {
		return false
	}
	now.Set(known)
	return true
}

func (h *holder) details(known, now *heloc.Details) {
	h.value("organization", reflect.ValueOf(known.Organization), reflect.ValueOf(&now.Organization).Elem())
	h.value("appShortId", reflect.ValueOf(known.AppShortID), reflect.ValueOf(&now.AppShortID).Elem())
	h.value("borrowerAppLink", reflect.ValueOf(known.BorrowerAppLink), reflect.ValueOf(&now.BorrowerAppLink).Elem())
	h.value("loanOriginatorData", reflect.ValueOf(known.Originator), reflect.ValueOf(&now.Originator).Elem())
	h.fields("appData", reflect.ValueOf(known.App), reflect.ValueOf(&now.App).Elem())
}

// fields compares the fields of an object, and recursively of its nested objects, except those that are kept as a
// whole.
func (h *holder) fields(path string, known, now reflect.Value) {
	for i := range known.NumField() {
		field := known.Type().Field(i)
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		name := path
		if tag != "" {
			name += "." + tag
		}
		switch known.Field(i).Interface().(type) {
		case heloc.Integrations, heloc.UTM:
			continue // null clears these
		case heloc.Address:
			h.value(name, known.Field(i), now.Field(i))
			continue
		}
		switch {
		case field.Type == reflect.TypeFor[[]heloc.Condition]() || field.Type == reflect.TypeFor[*heloc.FundingReport]():
			// These are separate parts.
		case field.Type.Kind() == reflect.Struct:
			h.fields(name, known.Field(i), now.Field(i))
		default:
			h.value(name, known.Field(i), now.Field(i))
		}
	}
}

// empty reports whether a value contains nothing: null, an empty list, or an object of empty values. False and zero
// that were sent are behind a pointer, so they are not empty.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil() || v.Elem().Kind() == reflect.Struct && empty(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !empty(v.Field(i)) {
				return false
			}
		}
		return true
	default:
		return v.IsZero()
	}
}

// lastReading decrypts what was stored about the last reading.
func (s *Service) lastReading(app heloc.AppID, parts map[lead.Part]store.SealedPart) journal.LastReading {
	p, ok := parts[lead.PartReading]
	if !ok || p.Version != journal.PartVersion {
		return journal.LastReading{}
	}
	// empty if it cannot be read
	last, _ := vault.UnsealJSON[journal.LastReading](s.Vault, vault.PartAAD(app, lead.PartReading), p.Sealed)
	return last
}

// claimOf returns what a reading would change against a lead: its step, its originator, or its open status. A lender
// with an outage can report such changes for many leads at once and retract them a moment later. So nothing in such a
// reading is stored until another reading, at least secondLook later, agrees, unless our own write requested the
// change.
//
// A null makes no claim (see above), and neither does a step forward, unless the lead is set aside or has a planned
// re-pull. moves reports whether the lead would move to the originator that the reading names.
func (s *Service) claimOf(ctx context.Context, tx *store.Tx, row *lead.Row, r *partWriter,
	op *lead.Operation, moves bool) (lead.Claim, error) {
	claim := claimAgainst(*row, r.details, r.closing, op)
	if moves {
		claim.Originator = r.said.Originator.UUID
	}
	if !claim.Made() {
		return claim, nil
	}
	ops, err := tx.Operations(ctx, row.App, 10)
	for _, sent := range ops {
		switch {
		case !mayHaveHadEffect(sent):
		case sent.Kind == heloc.OpReassign && sent.Target == r.said.Originator.UUID:
			claim.Originator = ""
		case sent.Kind == heloc.OpCancel:
			claim.Ended = false
			if claim.Step.Ended() {
				claim.Step = ""
			}
		}
	}
	return claim, err
}

func mayHaveHadEffect(op lead.Operation) bool {
	return slices.Contains([]lead.OpState{lead.OpSent, lead.OpSucceeded, lead.OpUnknown, lead.OpConfirmed}, op.State)
}

// claimAgainst returns the claim that the details of a reading make. It has no side effects. op is the pending
// operation, or nil.
func claimAgainst(row lead.Row, d heloc.Details, closing bool, op *lead.Operation) (c lead.Claim) {
	step, known := d.App.NextInquiryStep, row.Step
	switch {
	case step == known || known == "":
	case !step.Known(), step.Ended(), step.Before(known):
		c.Step = step
	case op == nil && (row.SetAsideAt != 0 || row.RepullAt != 0): // another step ends what a user has decided or planned
		c.Step = step
	case op == nil && !known.InProgress() && (step.InProgress() || step.Beside(known)):
		// a change that an operation can cause
		c.Step = step
	}
	dates := d.App.KeyDates
	c.Ended = dates.Canceled != "" && row.CanceledDate == "" || dates.Declined != "" && row.DeclinedDate == ""
	c.Reversed = row.Converted && d.App.IsInquiry != nil && *d.App.IsInquiry ||
		row.Funded && closing && d.App.Funding != nil && !heloc.IsFunded(d.App.Funding)
	entries := len(d.App.StatusHistory)
	c.Shorter = 0 < entries && entries < row.HistoryLength
	return c
}

// saveUnchanged saves a lead that a reading did not change, and announces it if its page has a new notice.
func (s *Service) saveUnchanged(ctx context.Context, tx *store.Tx, row *lead.Row, announce bool) error {
	if err := tx.SaveLead(ctx, row, s.Now(), false); err != nil || !announce {
		return err
	}
	return tx.RaiseRevision(ctx, row.App)
}

// saveClaim stores only the claim of a reading, and schedules another reading soon.
func (s *Service) saveClaim(ctx context.Context, tx *store.Tx, row *lead.Row, k readingToSave,
	last journal.LastReading, claim lead.Claim) error {
	fresh := !last.Claim.Same(claim)
	if claim.Since = store.Millis(k.at); !fresh {
		claim.Since = last.Claim.Since
	}
	last.Claim, last.FailedAt, last.Said = claim, 0, ""
	plain, err := json.Marshal(last)
	if err != nil {
		return err
	}
	if err := s.savePart(ctx, tx, store.SealedPart{App: row.App, Part: lead.PartReading, Sealed: plain,
		FetchedAt: store.Millis(k.at)}); err != nil {
		return err
	}
	s.schedule(row, k, soon{doubtful: true})
	return s.saveUnchanged(ctx, tx, row, fresh)
}
