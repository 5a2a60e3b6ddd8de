package partner

import (
	"context"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

// Start is a new inquiry.
type Start struct {
	// Originator is the acting originator; from the directory, never from a form.
	Originator heloc.OriginatorID
	// Reference is the operation id that the lender should echo in the details
	// (Client.Reference reads it). It replaces the value of Inquiry.PartnerData in the
	// same field; an empty one is not sent.
	Reference string
	Inquiry   heloc.Inquiry
}

// startPayload replaces the applicant with one that also marshals the SSN.
type startPayload struct {
	Request   requestBlock   `json:"request"`
	Applicant startApplicant `json:"applicant"`
	heloc.Inquiry
}

type startApplicant struct {
	heloc.Applicant
	SSN string `json:"ssn,omitempty"`
}

// Start submits an inquiry, encrypted. The result's AppUUID is never empty: a 2xx without
// one is a Failure, which is Refused if it contains an error-level message.
//
// heloc: POST /products/heloc/v1/inquiry/start (4.1)
func (c *Client) Start(ctx context.Context, s Start) (WriteResult, error) {
	call := callTo(string(heloc.OpStart))
	block, invalid := c.requestBlock(s.Originator, heloc.OpStart)
	if invalid != nil {
		return WriteResult{}, call.notSent(invalid)
	}
	ssn := s.Inquiry.Applicant.SSN
	s.Inquiry.PartnerData = c.partnerData(s.Inquiry.PartnerData, s.Reference)
	payload := startPayload{
		Request:   block,
		Applicant: startApplicant{Applicant: s.Inquiry.Applicant, SSN: ssnPlaceholderFor(ssn)},
		Inquiry:   s.Inquiry,
	}
	var err error
	if call.body, err = c.encryptedBody(ctx, call, payload, ssn); err != nil {
		return WriteResult{}, err
	}
	got, err := c.do(ctx, call)
	if err != nil {
		return WriteResult{}, err
	}
	answer := got.writeResult()
	answer.AppUUID, err = heloc.ParseAppID(textOf(unwrapData(got.tree)["appUuid"]))
	switch {
	case err == nil:
		answer.Effect = heloc.EffectStated
		return answer, nil
	case heloc.HasErrorMessage(got.messages):
		return WriteResult{}, call.rejectedBy(got)
	default:
		return WriteResult{}, call.withoutEffect(got, "the answer has no appUuid")
	}
}

// prequalifyPayload adds the members that Prequalification does not marshal.
type prequalifyPayload struct {
	heloc.Prequalification
	SSN string `json:"ssn,omitempty"`
}

// Prequalify requests estimated offers, encrypted and without the API key: the affiliate's id
// identifies us instead. It creates a record at the lender, so it is a write.
//
// heloc: POST /products/heloc/pre-qualify/v2 (4.20)
func (c *Client) Prequalify(ctx context.Context, ask heloc.Prequalification) (Result[heloc.Estimate], error) {
	call := callTo("pre-qualify")
	payload := prequalifyPayload{Prequalification: ask, SSN: ssnPlaceholderFor(ask.SSN)}
	var err error
	if call.body, err = c.encryptedBody(ctx, call, payload, ask.SSN); err != nil {
		return Result[heloc.Estimate]{}, err
	}
	return c.doPrequalify(ctx, call)
}

// PrequalifyPlain calls the deprecated first version, which is not encrypted; therefore it
// omits the SSN.
//
// heloc: POST /a/external/products/heloc/pre-qualify/v1 (4.20)
func (c *Client) PrequalifyPlain(ctx context.Context, ask heloc.Prequalification) (Result[heloc.Estimate], error) {
	ask.SSN = pii.Secret[string]{}
	return c.doPrequalify(ctx, callTo("pre-qualify-v1").with(prequalifyPayload{Prequalification: ask}))
}

func (c *Client) doPrequalify(ctx context.Context, call call) (Result[heloc.Estimate], error) {
	return ask(ctx, c, call, func(got *reply) (heloc.Estimate, error) {
		made := decode[heloc.Estimate](unwrapData(got.tree))
		if made.Status == "" && heloc.HasErrorMessage(got.messages) {
			return made, call.rejectedBy(got)
		}
		if made.Status == "" && len(made.Offers) == 0 {
			return made, call.withoutEffect(got, "the answer has no status and no offers")
		}
		made.Status = strings.ToUpper(made.Status) // compared without regard to case (interface-live.md section 3)
		return made, nil
	})
}

// Cancel closes an inquiry. After conversion to an application the lender rejects it.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/cancel (4.5)
func (c *Client) Cancel(ctx context.Context, app heloc.AppID, by heloc.OriginatorID) (WriteResult, error) {
	return c.sendChange(ctx, change{heloc.OpCancel, app, by, nil})
}

// SetAttributions patches where a lead came from: unchanged fields are absent, and fields to
// unset are null. CustomerID is not in the contract; only the live dialect sends it.
//
// heloc: PATCH /products/heloc/v1/inquiry/{appUuid}/attributions (4.6)
func (c *Client) SetAttributions(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	a heloc.Attributions) (WriteResult, error) {
	utm := attributionPatch(map[string]heloc.Attribution{
		"source": a.Source, "medium": a.Medium, "campaign": a.Campaign, "term": a.Term, "content": a.Content,
	})
	ids := map[string]heloc.Attribution{"externalApplicationId": a.ApplicationID, "externalReferenceId": a.ReferenceID}
	if c.cfg.Dialect == Live {
		ids["externalCustomerId"] = a.CustomerID
	}
	attributions := payload{}
	if len(utm) > 0 {
		attributions["utmParameters"] = utm
	}
	if references := attributionPatch(ids); len(references) > 0 {
		attributions["externalReferenceData"] = references
	}
	return c.sendChange(ctx, change{heloc.OpSetAttributions, app, by, payload{"attributions": attributions}})
}

// attributionPatch contains only what changes; a nil value unsets a field.
func attributionPatch(fields map[string]heloc.Attribution) map[string]*string {
	made := map[string]*string{}
	for name, field := range fields {
		switch {
		case !field.Change:
		case field.Value == "":
			made[name] = nil
		default:
			made[name] = &field.Value
		}
	}
	return made
}

// Reassign moves a lead to another originator of the same organization and broker
// company.
//
// heloc: PATCH /products/heloc/v1/lead/{appUuid}/reassign (4.7)
func (c *Client) Reassign(ctx context.Context, app heloc.AppID, to heloc.OriginatorID) (WriteResult, error) {
	call := callTo(string(heloc.OpReassign)).of(app)
	originator, err := heloc.ParseOriginatorID(string(to))
	if err != nil {
		call.invalid = fault.InvalidFields(fault.Field{Name: "newLoanOriginatorUuid", Message: "Choose who takes this lead."})
	}
	return c.sendWrite(ctx, call.with(map[string]heloc.OriginatorID{"newLoanOriginatorUuid": originator}))
}
