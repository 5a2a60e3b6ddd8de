package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

// CRMRecord is a record of a CRM whose lead this one is.
type CRMRecord struct {
	BlindIndex string // by which UnlinkRecord knows it
	CRM        string // the CRM's name
	Type       string // of the record, as "contact"; "" where none is known
	Number     string // the record's id, where the lender keeps it with the lead; "" where it does not
	// Customer says that the lender keeps it as the customer's number, else as a reference.
	Customer bool
}

// crmRecordsPanel finds them. What is kept of a record is its mark alone: its number is known where
// one of the ids that the lender gives back makes that mark.
func (l *Lead) crmRecords(ctx context.Context, details heloc.Details) ([]CRMRecord, error) {
	marks, err := l.d.Store.ReferencesOf(ctx, l.row.App)
	if err != nil {
		return nil, err
	}
	var all []CRMRecord
	for _, m := range marks {
		if m.Client == "" {
			continue
		}
		client, err := l.d.Store.EmbedClient(ctx, m.Client)
		if err != nil {
			return nil, err
		}
		is := func(id string) bool {
			return id != "" && slices.Contains(journal.CRMRecord{Client: client.Key, Type: m.Type, ID: id}.BlindIndexes(l.d.Vault, store.CompanyOf(client.BrokerID, "")), m.BlindIndex)
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

// UnlinkRecord takes the lead off a record, by its mark, for whoever may put it on: it is not the
// record's lead any more, and stays as it is. What the lender was sent stays there. beside
// says that the person came from that very record. fault.Conflict where the lead does not
// belong to it.
func (l *Lead) UnlinkRecord(ctx context.Context, mark string) (beside bool, err error) {
	if err := l.d.may(access.AnnotateLead); err != nil {
		return false, err
	}
	err = l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.reauthorize(ctx, tx, access.AnnotateLead); err != nil {
			return err
		}
		client, err := tx.UnlinkRecord(ctx, l.row.App, mark)
		if fault.KindOf(err) == fault.NotFound {
			return fault.New(fault.Conflict, "This lead does not belong to that record any more. Look at it again.")
		}
		if err != nil {
			return err
		}
		if err := tx.RaiseRevision(ctx, l.row.App); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: l.d.Actor.UserID, Company: l.row.Company, Action: store.ActionEmbedUnlinkRecord, Object: "lead:" + string(l.row.App), Outcome: "done", Detail: client,
		})
	})
	if err == nil {
		l.d.publish(ctx, l.row.App)
	}
	return slices.Contains(l.d.recordIndexes, mark), err
}
