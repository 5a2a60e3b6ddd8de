package intake

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// DraftTransfer is one transfer of a draft: by whom, when, and what the draft contained then.
type DraftTransfer struct {
	ByID  string // user id
	By    string // that user's name
	At    time.Time
	Typed lead.FormValues
}

// transfers reads the transfers of a draft up to its current owner, oldest first.
func (d *Drafts) transfers(ctx context.Context, row store.Draft) ([]DraftTransfer, error) {
	stored, err := d.d.DecryptTransfers(row)
	if err != nil {
		return nil, err
	}
	var all []DraftTransfer
	for _, one := range stored {
		by, err := d.d.Store.User(ctx, one.By)
		if err != nil {
			return nil, err
		}
		all = append(all, DraftTransfer{ByID: one.By, By: by.Name, At: store.Instant(one.At), Typed: one.Typed})
	}
	return all, nil
}

// Senders lists the colleagues who can receive a draft for a property in a state: those with an account who may
// start an inquiry, except this user. An assistant gives drafts only to those for whom they work. An empty state
// compares no licenses.
func (d *Drafts) Senders(ctx context.Context, state string) ([]lead.Candidate, error) {
	senders, err := d.senders(ctx)
	if err != nil {
		return nil, err
	}
	return d.d.CandidatesAmong(ctx, senders, state)
}

func (d *Drafts) senders(ctx context.Context) ([]access.User, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return nil, err
	}
	users, err := d.d.Store.Users(ctx)
	if err != nil {
		return nil, err
	}
	var senders []access.User
	for _, u := range users {
		if u.UserID != d.d.Actor.UserID && u.StartsInquiriesAt(d.d.Company()) &&
			d.d.WorksFor(u.OriginatorUUID, u.BrokerID, u.Organization) {
			senders = append(senders, u)
		}
	}
	return senders, nil
}

// Transfer transfers a draft to a colleague who may send it, by their originator. The colleague must take the
// borrower's consent.
func (d *Drafts) Transfer(ctx context.Context, id, originator string) error {
	senders, err := d.senders(ctx)
	if err != nil {
		return err
	}
	to := ""
	for _, u := range senders {
		if u.OriginatorUUID == originator && originator != "" {
			to = u.UserID
		}
	}
	if to == "" {
		return fault.InvalidField("draft.originator", "Choose a colleague who can send it")
	}
	return d.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := d.editable(ctx, tx.Queries, id)
		if err == nil {
			err = d.checkAssigneeLicensed(ctx, tx, row, originator)
		}
		if err == nil {
			err = d.d.TransferDraft(ctx, tx, row, to)
		}
		return err
	})
}

// checkAssigneeLicensed refuses a colleague who, according to the license table, may not act in the draft's state:
// they could not send the draft, and would see borrower data for no reason.
func (d *Drafts) checkAssigneeLicensed(ctx context.Context, tx *store.Tx, row store.Draft, originator string) error {
	typed, err := vault.UnsealJSON[lead.FormValues](d.d.Vault, vault.DraftAAD(row.ID), row.Sealed)
	if err != nil {
		return err
	}
	may, err := core.CheckMayActIn(ctx, tx.Queries, heloc.OriginatorID(originator),
		typed.Value("property.address.state"))
	if err == nil && !may {
		err = fault.InvalidField("draft.originator",
			"This colleague isn’t licensed in the property’s state. Choose someone who is")
	}
	return err
}
