package lead

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// CRMRecord is a CRM record that this lead is linked to.
type CRMRecord struct {
	BlindIndex string // by which UnlinkRecord finds it
	CRM        string // the CRM's name
	Type       string // the type of the record, such as "contact"; "" when unknown
	Number     string // the record's id if the lender stores it with the lead, otherwise ""
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
		client, err := l.d.Store.EmbedClient(ctx, m.Client)
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
