package lead

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
)

// AttributionNames lists the controls of the attributions by the interface's own paths, in display order.
func AttributionNames() []string {
	const utm, external = "attributions.utmParameters.", "attributions.externalReferenceData."
	return []string{
		utm + "source", utm + "medium", utm + "campaign", utm + "term", utm + "content",
		external + "externalApplicationId", external + "externalReferenceId", external + "externalCustomerId",
	}
}

// AttributionFields returns pointers to the fields of a patch, in the order of AttributionNames.
func AttributionFields(a *heloc.Attributions) []*heloc.Attribution {
	return []*heloc.Attribution{&a.Source, &a.Medium, &a.Campaign, &a.Term, &a.Content, &a.ApplicationID, &a.ReferenceID,
		&a.CustomerID}
}

// AttributionValues returns the lender's current values, in the order of AttributionNames.
func AttributionValues(a heloc.AppData) []string {
	return []string{
		a.UTM.Source, a.UTM.Medium, a.UTM.Campaign, a.UTM.Term, a.UTM.Content,
		a.Integrations.ApplicationID, a.Integrations.ReferenceID, a.Integrations.CustomerID,
	}
}

// OwnReference names the control of the id that holds this portal's application number. Lost starts are found by that
// number, so nobody may change it.
func (l *Lead) OwnReference() string {
	names := AttributionNames()
	switch l.d.Lender.ReferenceField() {
	case partner.ReferenceID:
		return names[6]
	case partner.ReferenceCustomer:
		return names[7]
	default:
		return names[5]
	}
}

// AcceptsAttribution reports whether the lender accepts a field from this portal.
func (l *Lead) AcceptsAttribution(name string) bool {
	return name != l.OwnReference() && (name != AttributionNames()[7] || l.d.LiveDialect())
}

// SetAttributions patches where the lead came from (section 4.6). It does not send unchanged fields, and it sends
// cleared fields as null.
func (l *Lead) SetAttributions(ctx context.Context, operationID string, a heloc.Attributions) (lead.Operation, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	names, changes := AttributionNames(), 0
	var content []string
	for i, field := range AttributionFields(&a) {
		if !field.Change {
			continue
		}
		changes++
		if !l.AcceptsAttribution(names[i]) {
			// No form has a control for this field, so the error is for the whole form.
			why := "This lender doesn’t accept a customer number. Nothing was sent."
			if names[i] == l.OwnReference() {
				why = "Hearthline’s reference can’t be changed. Nothing was sent."
			}
			return lead.Operation{}, fault.New(fault.Invalid, why)
		}
		content = append(content, names[i], field.Value)
	}
	if changes == 0 {
		return lead.Operation{}, fault.InvalidField(names[0], "Change at least one field")
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpSetAttributions, Permission: access.ActOnLead, OperationID: operationID, DigestContent: content,
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.SetAttributions(ctx, l.d.Row.App, by, a)
		},
	})
}
