package intake

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/crm"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// PageRequest says what the page of an inquiry shows: a draft, the record of a CRM, or a form that is shown again.
type PageRequest struct {
	// DraftID is the draft to show, or the one that the form belongs to. Empty for a new inquiry.
	DraftID string
	// Typed is what the form contains; nil to read it from the draft or from the CRM's record.
	Typed lead.FormValues
	// OperationID is the form's; empty if it needs a new one.
	OperationID string
	// Sample overrides the values from the CRM's record, except the record's reference; for the demo.
	Sample lead.FormValues
	// Launch is the CRM's record from which the user came; nil outside of embeds.
	Launch *crm.Launch
	// Format returns a CRM's value in the format of its control.
	Format func(control, value string) string
	// Inquiry reads an inquiry from what was typed, complete or not; nil if nothing depends on it.
	Inquiry func(lead.FormValues) heloc.Inquiry
}

// Page is what the page of an inquiry shows.
type Page struct {
	DraftID     string
	Typed       lead.FormValues
	Stored      Draft  // the draft as it is stored; without an id if it was never saved, or sent since
	OperationID string // empty for users who may not start inquiries
	MayStart    bool
	LiveDialect bool // the lender speaks the live dialect
	Consent     core.ConsentText
	Duplicates  []Duplicate       // what the draft would duplicate, if a start from it may have arrived
	Restart     *Restart          // the inquiry that the draft corrects; nil if none, or if the user has lost access to it
	License     *StateLicense     // the user's license in the property's state; nil if they may not start or chose none
	Senders     []lead.Candidate  // to whom the user can transfer the draft
	Record      *crm.RecordIntake // nil outside of embeds
	Unit        UnitReason        // why the address may need a unit
	// controls of the originator's own references; also the reserved one while it has a value
	References []string
}

// Page composes the page of an inquiry. See checkEditable for the error of a draft that was sent.
func (d *Drafts) Page(ctx context.Context, req PageRequest) (Page, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return Page{}, err
	}
	p := Page{
		DraftID: req.DraftID, Typed: req.Typed, MayStart: d.d.May(access.StartInquiry) == nil, LiveDialect: d.d.LiveDialect(),
		Consent: d.d.Consent,
	}
	if p.Typed == nil {
		if err := d.readIntake(ctx, req, &p); err != nil {
			return p, err
		}
	}
	if p.DraftID == "" {
		p.DraftID = d.New()
	}
	if p.References = d.d.FreeReferences(); p.Typed.Value(d.d.ReservedReference()) != "" {
		p.References = append(p.References, d.d.ReservedReference())
	}
	if p.MayStart {
		if err := addStart(ctx, d.d, req, &p); err != nil {
			return p, err
		}
	}
	if err := d.addHistory(ctx, &p); err != nil {
		return p, err
	}
	var err error
	if len(p.Typed) > 0 && req.Inquiry != nil {
		if p.Unit, err = d.UnitReason(ctx, req.Inquiry(p.Typed).Property.Address); err != nil {
			return p, err
		}
	}
	if p.Senders, err = d.Senders(ctx, stateOf(p.Typed)); err != nil || req.Launch == nil {
		return p, err
	}
	p.Record, err = req.Launch.RecordIntake(ctx, p.DraftID, p.Typed)
	return p, err
}

// readIntake fills the page from the draft, or from the CRM's record.
func (d *Drafts) readIntake(ctx context.Context, req PageRequest, p *Page) error {
	if req.DraftID != "" {
		draft, err := d.Find(ctx, req.DraftID)
		if err != nil {
			return err
		}
		p.DraftID, p.Typed = draft.ID, draft.Typed
		if draft.LastStart != nil && p.MayStart {
			p.Duplicates, err = (&Intake{d.d}).Duplicates(ctx, req.Inquiry(draft.Typed))
		}
		return err
	}
	if req.Launch == nil {
		p.Typed = req.Sample
		return nil
	}
	prefilled, err := req.Launch.PrefilledIntake(ctx)
	if err != nil {
		return err
	}
	p.DraftID, p.Typed = prefilled.DraftID, prefilled.Typed
	for name, values := range p.Typed {
		if len(values) == 1 {
			p.Typed[name] = []string{req.Format(name, values[0])} // a CRM sends 1979-05-14
		}
	}
	for name, values := range req.Sample {
		if !strings.HasPrefix(name, "partnerDataRequest.") {
			p.Typed[name] = values
		}
	}
	return nil
}

// addStart adds what a user who may start inquiries needs.
func addStart(ctx context.Context, d core.Desk, req PageRequest, p *Page) error {
	starts := &Intake{d}
	if p.OperationID = req.OperationID; p.OperationID == "" {
		p.OperationID = starts.NewOperationID()
	}
	state := p.Typed.Value("property.address.state")
	if len(state) != 2 {
		return nil
	}
	license, err := starts.License(ctx, state)
	p.License = &license
	return err
}

// addHistory adds the inquiry that the draft corrects, and who had the draft before. A form that was submitted after
// its draft was sent or deleted has no history.
func (d *Drafts) addHistory(ctx context.Context, p *Page) error {
	old, err := d.Restart(ctx, p.DraftID)
	switch {
	case err == nil:
		p.Restart = &old
	case !fault.Is(err, fault.NotFound):
		return err
	}
	draft, err := d.Find(ctx, p.DraftID)
	if _, sent := errors.AsType[*DraftSentError](err); sent || fault.Is(err, fault.NotFound) {
		return nil
	}
	p.Stored = draft
	return err
}

// StartResult is what became of a submitted inquiry.
type StartResult struct {
	Operation lead.Operation
	// Duplicates is why the inquiry was not sent, with the error at confirm.duplicate.
	Duplicates []Duplicate
	// Cancellation cancels the inquiry that the draft corrects. Its id is empty if it was not requested, or if nothing
	// was sent because of NotCanceled.
	Cancellation lead.Operation
	// NotCanceled is the corrected inquiry if it remains although its cancellation was requested.
	NotCanceled heloc.AppID
}

// Submit sends a new inquiry as Start does, and then cancels the one that it corrects if the form requests that. The
// new inquiry remains if the cancellation fails.
func (in *Intake) Submit(ctx context.Context, f StartForm) (StartResult, error) {
	op, err := in.Start(ctx, f)
	result := StartResult{Operation: op}
	if slices.ContainsFunc(fault.FieldsOf(err), func(f fault.Field) bool { return f.Name == "confirm.duplicate" }) {
		found, findErr := in.Duplicates(ctx, f.Inquiry)
		if findErr != nil {
			return result, findErr
		}
		result.Duplicates = found
	}
	if err != nil || op.State != lead.OpSucceeded || !f.CancelsReplaced {
		return result, err
	}
	result.Cancellation, err = in.CancelReplaced(ctx, f.DraftID, f.CancelOperationID)
	if err == nil || result.Cancellation.ID != "" {
		return result, nil
	}
	if old, restartErr := (&Drafts{in.d}).Restart(ctx, f.DraftID); restartErr == nil {
		result.NotCanceled = old.Lead.App()
	}
	return result, nil
}

// UnitReason is why an address without a unit may need one; empty if nothing suggests it.
type UnitReason string

// The reasons. Nothing in the interface says how many units a building has, so these are all that can be known.
const (
	UnitNumberRange UnitReason = "range"  // the address has several street numbers
	UnitNoNumber    UnitReason = "number" // the address has a word for units without a number
	UnitOtherLead   UnitReason = "other"  // another inquiry of the company at the same street number has a unit
	UnitMatched     UnitReason = "match"  // the lender found several properties there for an inquiry of the company
)

// MsgNoUnit is the message beside the confirmation that there is no unit.
const MsgNoUnit = "Enter the unit, or check this box if there is none."

// maxUnitCandidates limits how many leads with the same street number are decrypted.
const maxUnitCandidates = 50

// UnitReason returns why an address without a unit may need one. It reveals nothing else about the inquiries of
// colleagues.
func (d *Drafts) UnitReason(ctx context.Context, address heloc.Address) (UnitReason, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return "", err
	}
	return unitReason(ctx, d.d, d.d.Store.Queries, address)
}

func unitReason(ctx context.Context, d core.Desk, from store.Queries, address heloc.Address) (UnitReason, error) {
	building, number := address.Building(), address.StreetNumber()
	switch {
	case address.HasUnit():
		return "", nil
	case address.HasNumberRange():
		return UnitNumberRange, nil
	case address.HasUnitWithoutNumber():
		return UnitNoNumber, nil
	case building == "" || number == "":
		return "", nil
	}
	found, err := from.Candidates(ctx, d.Actor.CompanyScope(), d.Company(),
		d.Vault.SearchTokens(d.Company(), heloc.QueryTerms(number)), maxUnitCandidates)
	if err != nil {
		return "", err
	}
	for _, row := range found {
		if row.State != address.State {
			continue
		}
		parts, err := from.Parts(ctx, row.App)
		if err != nil {
			return "", err
		}
		if reason, err := unitReasonOf(d, row.App, parts, building); err != nil || reason != "" {
			return reason, err
		}
	}
	return "", nil
}

// unitReasonOf returns what one lead tells about the units of a building.
func unitReasonOf(d core.Desk, app heloc.AppID, parts map[lead.Part]store.SealedPart,
	building string) (UnitReason, error) {
	p, ok := core.CurrentPart(parts, lead.PartDetails)
	if !ok {
		return "", nil
	}
	details, err := vault.UnsealJSON[heloc.Details](d.Vault, vault.PartAAD(app, lead.PartDetails), p.Sealed)
	if err != nil || details.App.PropertyAddress.Building() != building {
		return "", err
	}
	if p, ok = core.CurrentPart(parts, lead.PartProperties); ok {
		matched, err := vault.UnsealJSON[heloc.MatchedProperties](d.Vault, vault.PartAAD(app, lead.PartProperties), p.Sealed)
		if err != nil || len(matched.Properties) > 1 {
			return UnitMatched, err
		}
	}
	if details.App.PropertyAddress.HasUnit() {
		return UnitOtherLead, nil
	}
	return "", nil
}

// checkUnit refuses an address that may need a unit, unless the user said that there is none.
func (in *Intake) checkUnit(ctx context.Context, from store.Queries, f StartForm) error {
	if f.NoUnit {
		return nil
	}
	reason, err := unitReason(ctx, in.d, from, f.Inquiry.Property.Address)
	if err == nil && reason != "" {
		err = fault.InvalidField("confirm.noUnit", MsgNoUnit)
	}
	return err
}

// stateOf returns the state of the property, as far as it was typed.
func stateOf(typed lead.FormValues) string {
	state, _ := heloc.StateOf(typed.Value("property.address.state"))
	return state
}
