package intake

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Clone creates a draft from what was sent for this lead, except the SSN and the consent, and returns its id. If the
// user has already begun such a draft, Clone returns that one. The interface has no correction: a wrong name or
// address requires a new inquiry.
//
// The draft shows borrower details, possibly to this user for the first time. So Clone counts as a reveal by the user
// who requests it: it needs the same permission and step-up, counts toward the same limit, and is logged on the lead
// with a preset reason.
func Clone(ctx context.Context, l core.Lead) (string, error) {
	if err := l.May(access.PrepareDraft); err != nil {
		return "", err
	}
	if err := l.May(access.RevealBorrower); err != nil {
		return "", err
	}
	typed, err := sentValues(ctx, l)
	if err != nil {
		return "", err
	}
	id := (&Drafts{l.Desk}).New()
	sealed, err := vault.SealJSON(l.Vault, vault.DraftAAD(id), typed)
	if err != nil {
		return "", err
	}
	now := store.Millis(l.Now())
	err = l.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.ReauthorizeLead(ctx, tx, access.RevealBorrower); err != nil {
			return err
		}
		begun, err := tx.RestartOf(ctx, l.UserScope(), l.Row.App)
		if err == nil {
			id = begun.ID
			return nil
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		if fields := revealedFields(typed); len(fields) > 0 {
			if err := desklead.LogRevealTx(ctx, tx, l, desklead.RevealRequest{Action: store.ActionReveal, Fields: fields,
				Reason: desklead.ReasonRestart}); err != nil {
				return err
			}
		}
		if err := tx.SaveDraft(ctx, store.Draft{
			ID: id, OwnerID: l.Actor.UserID, Company: l.Company(), Sealed: sealed, CreatedAt: now, UpdatedAt: now,
			Restart: l.Row.App,
		}); err != nil {
			return err
		}
		return l.AuditAction(ctx, tx, store.ActionClone, "lead:"+string(l.Row.App), "done", "draft:"+id)
	})
	return id, l.RecordLimit(ctx, err)
}

// revealedFields names the borrower details that a draft shows beyond those on the pages of a lead.
func revealedFields(t lead.FormValues) []string {
	var fields []string
	for _, one := range []struct{ control, name string }{
		{"applicant.phone", "phone"}, {"applicant.email", "email"}, {"applicant.dob", "birth date"},
		{"applicant.homeAddress.street1", "home"},
		{"applicant.income.grossAnnualIncome", "income"},
	} {
		if strings.TrimSpace(t.Value(one.control)) != "" {
			fields = append(fields, one.name)
		}
	}
	return fields
}

// sentValues returns what the inquiry was started with: the draft that it came from or, when nothing was typed or
// stored, the lender's details.
func sentValues(ctx context.Context, l core.Lead) (lead.FormValues, error) {
	row, err := l.Store.DraftOfLead(ctx, l.Row.App)
	if err == nil {
		typed, err := vault.UnsealJSON[lead.FormValues](l.Vault, vault.DraftAAD(row.ID), row.Sealed)
		if err != nil || len(typed) > 0 {
			return clonedValues(typed), err
		}
	} else if !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	parts, err := l.Store.Parts(ctx, l.Row.App)
	if err != nil {
		return nil, err
	}
	details, _, err := core.DecryptPart[heloc.Details](l, parts, lead.PartDetails)
	return clonedValues(valuesFromDetails(details, l.Name, l.Row.RequestedAmount)), err
}

// clonedValues returns the values that go into a new inquiry. They include the originator's own references, but never
// the number that this portal gave to the old inquiry.
func clonedValues(t lead.FormValues) lead.FormValues {
	values := maps.Clone(t.Storable())
	for _, name := range []string{"externalAppId", "externalReferenceId", "externalCustomerId"} {
		if _, ours := journal.ParseReference(values.Value("partnerDataRequest." + name)); ours {
			delete(values, "partnerDataRequest."+name)
		}
	}
	return values
}

// valuesFromDetails converts details into values of the intake's controls. Fields that the lender does not return,
// such as birth date, phone and income, stay empty.
func valuesFromDetails(d heloc.Details, name heloc.Name, requested heloc.Money) lead.FormValues {
	t := lead.FormValues{}
	set := func(control, value string) {
		if value != "" {
			t[control] = []string{value}
		}
	}
	money := func(control string, m *heloc.Money) {
		if m != nil {
			set(control, m.String())
		}
	}
	a := d.App
	set("applicant.name.firstName", name.First)
	set("applicant.name.middleName", name.Middle)
	set("applicant.name.lastName", name.Last)
	set("applicant.name.suffix", string(name.Suffix))
	set("applicant.name.prefix", name.Prefix)
	set("property.address.street1", a.PropertyAddress.Street1)
	set("property.address.street2", a.PropertyAddress.Street2)
	set("property.address.city", a.PropertyAddress.City)
	set("property.address.state", a.PropertyAddress.State)
	set("property.address.zip", a.PropertyAddress.ZIP)
	if p := a.Property.PropertyType; p != heloc.PropertyUnknown {
		set("property.propertyType", string(p))
	}
	if o := a.OwnershipType; o != heloc.OwnershipUnknown {
		set("property.ownershipType", string(o))
	}
	if e := a.Underwriting.EmploymentType; e != heloc.EmploymentUnknown {
		set("applicant.income.employmentType", string(e))
	}
	money("property.borrowerEstimatedValue", a.Value.BorrowerEstimated)
	if requested > 0 {
		money("amountWanted", &requested)
	}
	for i, l := range a.Liens {
		at := "property.liens." + strconv.Itoa(i) + "."
		set(at+"lenderName", l.LenderName)
		if opened, ok := l.OriginationDate.Time(); ok {
			set(at+"originationDate", opened.Format("01/02/2006"))
		}
		money(at+"originalBalance", l.OriginalBalance)
		money(at+"currentBalance", l.CurrentBalance)
		money(at+"monthlyPayment", l.MonthlyPayment)
	}
	set("partnerDataRequest.externalAppId", a.Integrations.ApplicationID)
	set("partnerDataRequest.externalReferenceId", a.Integrations.ReferenceID)
	set("partnerDataRequest.externalCustomerId", a.Integrations.CustomerID)
	t.CheckHomeByDefault()
	for control, value := range map[string]string{
		"source": a.UTM.Source, "medium": a.UTM.Medium, "campaign": a.UTM.Campaign, "term": a.UTM.Term,
		"content": a.UTM.Content,
	} {
		set("partnerDataRequest.utmParameters."+control, value)
	}
	return t
}

// Restart is the inquiry that a draft corrects, for the page of the draft.
type Restart struct {
	Lead       *desklead.Lead
	SentValues lead.FormValues // what that inquiry was started with
	CanCancel  bool            // it is open, and this user may cancel it
}

// Restart finds the inquiry that a draft of this user corrects; fault.NotFound when the draft corrects none, or when
// the user can no longer access the lead.
func (d *Drafts) Restart(ctx context.Context, id string) (Restart, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return Restart{}, err
	}
	row, err := d.d.Store.Draft(ctx, d.d.UserScope(), id)
	if err != nil {
		return Restart{}, err
	}
	if row.Restart == "" {
		return Restart{}, fault.New(fault.NotFound, "This draft doesn’t correct an inquiry.")
	}
	old, err := d.d.OpenLead(ctx, string(row.Restart))
	if err != nil {
		return Restart{}, err
	}
	sent, err := sentValues(ctx, old)
	return Restart{Lead: desklead.Of(old), SentValues: sent,
		CanCancel: old.Row.CanCancel() && d.d.Actor.Can(access.CancelInquiry)}, err
}

// CancelReplaced cancels the inquiry that a draft of this user corrected (section 4.5), once the new one exists. It
// has a separate operation id, so that a form sent twice cancels only once.
func (in *Intake) CancelReplaced(ctx context.Context, draftID, operationID string) (lead.Operation, error) {
	if err := in.d.May(access.CancelInquiry); err != nil {
		return lead.Operation{}, err
	}
	row, err := in.d.Store.Draft(ctx, in.d.UserScope(), draftID)
	if err != nil {
		return lead.Operation{}, err
	}
	if row.App == "" || row.Restart == "" {
		return lead.Operation{}, fault.New(fault.Conflict, "The new inquiry hasn’t started, so the old one was not changed.")
	}
	old, err := in.d.OpenLead(ctx, string(row.Restart))
	if err != nil {
		return lead.Operation{}, err
	}
	return desklead.Of(old).Cancel(ctx, operationID)
}

// withoutReplaced removes the inquiry that is about to be canceled from the duplicates: the user has seen it and
// decided what happens to it.
func withoutReplaced(found []Duplicate, old heloc.AppID) []Duplicate {
	return slices.DeleteFunc(found, func(d Duplicate) bool { return d.Lead != nil && old != "" && d.Lead.App == old })
}
