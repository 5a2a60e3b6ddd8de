package partner

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

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
