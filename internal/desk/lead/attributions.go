package lead

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
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
	at := map[partner.ReferenceField]int{partner.ReferenceApp: 5, partner.ReferenceID: 6, partner.ReferenceCustomer: 7}
	return AttributionNames()[at[l.d.Lender.ReferenceField()]]
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

// CRMRecord is a CRM record that this lead is linked to.
type CRMRecord struct {
	BlindIndex string // by which UnlinkRecord finds it
	CRM        string // the CRM's name
	Type       string // the type of the record, such as "contact"; "" when unknown
	Number     string // the record's id if the lender stores it with the lead, otherwise ""
	URL        string // of the record in the CRM; "" if it is not known
	// Customer reports whether the lender stores the id as the customer number; otherwise it is a reference.
	Customer bool
}

// crmRecords finds the CRM records. We store only the blind index of a record: its number is known only when one of
// the ids that the lender returns has that blind index.
func (l *Lead) crmRecords(ctx context.Context, details heloc.Details) ([]CRMRecord, error) {
	blindIndexes, err := l.d.Store.ReferencesOf(ctx, l.d.Row.App)
	if err != nil {
		return nil, err
	}
	var all []CRMRecord
	for _, m := range blindIndexes {
		if m.Client == "" {
			continue
		}
		client, err := l.d.Embeds.AnyClient(ctx, m.Client)
		if err != nil {
			return nil, err
		}
		is := func(id string) bool {
			return id != "" && slices.Contains(l.d.Vault.RecordIndexes(access.CompanyOf(client.BrokerID, ""),
				vault.CRMRecord{Client: client.Key, Type: m.Type, ID: id}), m.BlindIndex)
		}
		r := CRMRecord{BlindIndex: m.BlindIndex, CRM: client.Name, Type: m.Type}
		switch sent := details.App.Integrations; {
		case is(sent.CustomerID):
			r.Number, r.Customer = sent.CustomerID, true
		case is(sent.ReferenceID):
			r.Number = sent.ReferenceID
		}
		r.URL = client.RecordURL(l.d.Row.BrokerID(), r.Type, r.Number)
		all = append(all, r)
	}
	return all, nil
}

// UnlinkRecord unlinks the lead from a record, by the record's blind index; every user who may link it may also
// unlink it. The lead itself does not change, and the lender keeps what it was sent. beside reports whether the user
// came from that record. fault.Conflict when the lead is not linked to the record.
func (l *Lead) UnlinkRecord(ctx context.Context, blindIndex string) (beside bool, err error) {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return false, err
	}
	err = l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, access.AnnotateLead); err != nil {
			return err
		}
		client, err := tx.UnlinkRecord(ctx, l.d.Row.App, blindIndex)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.Conflict, "This lead is no longer linked to that record. Reload the page.")
		}
		if err != nil {
			return err
		}
		if err := tx.RaiseRevision(ctx, l.d.Row.App); err != nil {
			return err
		}
		return l.d.Audit(ctx, tx, store.ActionEmbedUnlinkRecord, "done", client)
	})
	return slices.Contains(l.d.RecordIndexes, blindIndex), err
}
