package desk

import (
	"context"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// TransferredDraft is the way of a draft from one to the next, up to who has it now.
type TransferredDraft struct {
	Transfers []DraftTransfer // the oldest first; never none
}

// DraftTransfer is one hand-over of a draft: by whom, when, and what stood in it then.
type DraftTransfer struct {
	ByID  string // user id
	By    string // their name
	At    time.Time
	Typed FormValues
}

// maxTransfers are kept; of a longer way the first, by who prepared it, and the last.
const maxTransfers = 12

// storedTransfer is how one is kept.
type storedTransfer struct {
	By    string     `json:"by"`
	At    int64      `json:"at"`
	Typed FormValues `json:"typed"`
}

// transfersAAD is where they lie, sealed.
func transfersAAD(id string) vault.AAD {
	return vault.AAD{Table: "drafts", Row: id, Column: "handed"}
}

// decryptTransfers opens them.
func (r *Service) decryptTransfers(row store.Draft) ([]storedTransfer, error) {
	if len(row.Transfers) == 0 {
		return nil, nil
	}
	way, err := vault.UnsealJSON[[]storedTransfer](r.Vault, transfersAAD(row.ID), row.Transfers)
	if err == nil {
		return way, nil
	}
	// Before, only what stood in it at the last one was kept.
	typed, err := vault.UnsealJSON[FormValues](r.Vault, transfersAAD(row.ID), row.Transfers)
	return []storedTransfer{{By: row.PreparedBy, At: row.TransferredAt, Typed: typed}}, err
}

func (ds *Drafts) transferred(ctx context.Context, row store.Draft) (*TransferredDraft, error) {
	way, err := ds.d.decryptTransfers(row)
	if err != nil {
		return nil, err
	}
	h := &TransferredDraft{}
	for _, one := range way {
		by, err := ds.d.Store.User(ctx, one.By)
		if err != nil {
			return nil, err
		}
		h.Transfers = append(h.Transfers, DraftTransfer{ByID: one.By, By: by.Name, At: store.Instant(one.At), Typed: one.Typed})
	}
	return h, nil
}

// transferDraft hands a draft of its owner on, in a transaction: what stands in it now is kept beside,
// so that whoever has seen it before reads what others changed since. The taker is told once.
func (r *Service) transferDraft(ctx context.Context, tx *store.Tx, row store.Draft, g draftTransferParties) (fresh bool, err error) {
	typed, err := vault.UnsealJSON[FormValues](r.Vault, journal.DraftAAD(row.ID), row.Sealed)
	if err != nil {
		return false, err
	}
	way, err := r.decryptTransfers(row)
	if err != nil {
		return false, err
	}
	row.TransferredAt = store.Millis(r.Now())
	if way = append(way, storedTransfer{By: row.OwnerID, At: row.TransferredAt, Typed: typed}); len(way) > maxTransfers {
		way = append(way[:1], way[2:]...)
	}
	if row.Transfers, err = vault.SealJSON(r.Vault, transfersAAD(row.ID), way); err != nil {
		return false, err
	}
	if row.PreparedBy == "" {
		row.PreparedBy = row.OwnerID
	}
	if err := tx.TransferDraft(ctx, row, g.to); err != nil {
		return false, err
	}
	if err := tx.Audit(ctx, store.AuditEntry{
		ActorID: g.by.UserID, Company: row.Company, Action: store.ActionDraftTransfer, Object: "draft:" + row.ID, Outcome: "done", Detail: "to:" + g.to,
	}); err != nil {
		return false, err
	}
	facts := journal.NoticeDedupKeys(r.Vault, "draft", row.ID, strconv.FormatInt(row.TransferredAt, 10))
	return tx.Notify(ctx, store.Notification{
		UserID: g.to, Company: row.Company, Draft: row.ID, Kind: store.NoticeDraftReceived, ByName: g.by.Name, At: row.TransferredAt,
		DedupKey: facts[0], OldDedupKeys: facts[1:],
	})
}

// transferBatchSize are read together while all drafts of somebody are given.
const transferBatchSize = 100

// transferAllDrafts gives every draft of somebody that was not sent. One whose start may have arrived
// stays where it is: the lead that is found takes its name from it.
func (r *Service) transferAllDrafts(ctx context.Context, tx *store.Tx, from store.UserScope, g draftTransferParties) error {
	for after := ""; ; {
		drafts, err := tx.TransferableDrafts(ctx, from, after, transferBatchSize)
		if err != nil {
			return err
		}
		for _, row := range drafts {
			if _, err := r.transferDraft(ctx, tx, row, g); err != nil && fault.KindOf(err) != fault.Conflict {
				return err
			}
			after = row.ID
		}
		if len(drafts) < transferBatchSize {
			return nil
		}
	}
}

// draftTransferParties is who gives a draft to whom, by user id.
type draftTransferParties struct {
	by access.Actor
	to string
}

// Senders are the colleagues to whom a draft can be handed: those with an account who may
// start an inquiry, without this person.
func (ds *Drafts) Senders(ctx context.Context) ([]access.User, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	users, err := ds.d.Store.Users(ctx)
	if err != nil {
		return nil, err
	}
	var kept []access.User
	for _, u := range users {
		if !u.Disabled && u.UserID != ds.d.Actor.UserID && u.Can(access.StartInquiry) && store.CompanyOf(u.BrokerID, u.Organization) == ds.d.company() {
			kept = append(kept, u)
		}
	}
	return kept, nil
}

// Transfer gives a draft to a colleague who may send it, by their originator. The consent is
// theirs to take.
func (ds *Drafts) Transfer(ctx context.Context, id, originator string) error {
	senders, err := ds.Senders(ctx)
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
		return fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "Choose a colleague who may send it"})
	}
	fresh := false
	err = ds.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := ds.editable(ctx, tx, id)
		if err == nil {
			err = ds.d.checkAssigneeLicensed(ctx, tx, row, originator)
		}
		if err == nil {
			fresh, err = ds.d.transferDraft(ctx, tx, row, draftTransferParties{ds.d.Actor, to})
		}
		return err
	})
	if err == nil && fresh {
		ds.d.Hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(to))
	}
	return err
}

// checkAssigneeLicensed refuses a colleague of whom somebody wrote down that they may not act in the
// state of a draft: they could not send it, and would read a borrower for nothing.
func (r *Service) checkAssigneeLicensed(ctx context.Context, tx *store.Tx, row store.Draft, originator string) error {
	typed, err := vault.UnsealJSON[FormValues](r.Vault, journal.DraftAAD(row.ID), row.Sealed)
	if err != nil {
		return err
	}
	may, err := checkMayActIn(ctx, tx, heloc.OriginatorID(originator), typed.Value("property.address.state"))
	if err == nil && !may {
		err = fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "They are not licensed in the state of this home. Choose a colleague who is"})
	}
	return err
}

// DraftAuthors is who typed an inquiry before it was sent, where that was not one person:
// names, empty without one.
type DraftAuthors struct{ PreparedBy, ChangedBy string }

// draftAuthors reads it from the draft that a lead came of, while that is kept.
func (l *Lead) draftAuthors(ctx context.Context) (DraftAuthors, error) {
	row, err := l.d.Store.DraftOfLead(ctx, l.row.App)
	if fault.KindOf(err) == fault.NotFound || err == nil && row.PreparedBy == "" {
		return DraftAuthors{}, nil
	}
	if err != nil {
		return DraftAuthors{}, err
	}
	by, err := l.d.Store.User(ctx, row.PreparedBy)
	if err != nil {
		return DraftAuthors{}, err
	}
	changed, err := l.d.Store.User(ctx, row.ChangedBy)
	return DraftAuthors{PreparedBy: by.Name, ChangedBy: changed.Name}, err
}
