package desk

import (
	"context"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// TransferredDraft is the history of a draft's transfers, up to its current owner.
type TransferredDraft struct {
	Transfers []DraftTransfer // oldest first; never empty
}

// DraftTransfer is one transfer of a draft: by whom, when, and what the draft contained then.
type DraftTransfer struct {
	ByID  string // user id
	By    string // that user's name
	At    time.Time
	Typed FormValues
}

// maxTransfers is how many transfers are stored. Of a longer history, the first, by the user who prepared the draft,
// and the last ones are stored.
const maxTransfers = 12

// storedTransfer is the stored form of a transfer.
type storedTransfer struct {
	By    string     `json:"by"`
	At    int64      `json:"at"`
	Typed FormValues `json:"typed"`
}

// decryptTransfers decrypts the transfers of a draft.
func (b *backend) decryptTransfers(row store.Draft) ([]storedTransfer, error) {
	if len(row.Transfers) == 0 {
		return nil, nil
	}
	transfers, err := vault.UnsealJSON[[]storedTransfer](b.vault, vault.DraftTransfersAAD(row.ID), row.Transfers)
	if err == nil {
		return transfers, nil
	}
	// Older versions stored only what the draft contained at its last transfer.
	typed, err := vault.UnsealJSON[FormValues](b.vault, vault.DraftTransfersAAD(row.ID), row.Transfers)
	return []storedTransfer{{By: row.PreparedBy, At: row.TransferredAt, Typed: typed}}, err
}

func (ds *Drafts) transferred(ctx context.Context, row store.Draft) (*TransferredDraft, error) {
	transfers, err := ds.d.decryptTransfers(row)
	if err != nil {
		return nil, err
	}
	h := &TransferredDraft{}
	for _, one := range transfers {
		by, err := ds.d.store.User(ctx, one.By)
		if err != nil {
			return nil, err
		}
		h.Transfers = append(h.Transfers, DraftTransfer{ByID: one.By, By: by.Name, At: store.Instant(one.At), Typed: one.Typed})
	}
	return h, nil
}

// transferDraft transfers a draft of its owner within a transaction. It also stores what the draft contains now, so
// that users who have seen it before can see what others changed since. It notifies the new owner once.
func (b *backend) transferDraft(ctx context.Context, tx *store.Tx, row store.Draft, g draftTransferParties) (fresh bool, err error) {
	typed, _, err := b.unsealDraft(row)
	if err != nil {
		return false, err
	}
	transfers, err := b.decryptTransfers(row)
	if err != nil {
		return false, err
	}
	row.TransferredAt = store.Millis(b.now())
	if transfers = append(transfers, storedTransfer{By: row.OwnerID, At: row.TransferredAt, Typed: typed}); len(transfers) > maxTransfers {
		transfers = append(transfers[:1], transfers[2:]...)
	}
	if row.Transfers, err = vault.SealJSON(b.vault, vault.DraftTransfersAAD(row.ID), transfers); err != nil {
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
	dedupKeys := b.vault.NoticeDedupKeys("draft", row.ID, strconv.FormatInt(row.TransferredAt, 10))
	return tx.Notify(ctx, lead.Notice{
		UserID: g.to, Company: row.Company, Draft: row.ID, Kind: lead.NoticeDraftReceived, ByName: g.by.Name, At: row.TransferredAt,
		DedupKey: dedupKeys[0], OldDedupKeys: dedupKeys[1:],
	})
}

// transferBatchSize is how many drafts are read at once when all drafts of a user are transferred.
const transferBatchSize = 100

// transferAllDrafts transfers every unsent draft of a user. It skips a draft whose start may have reached the lender:
// if that lead is found, it takes its name from the draft.
func (b *backend) transferAllDrafts(ctx context.Context, tx *store.Tx, from store.UserScope, g draftTransferParties) error {
	for after := ""; ; {
		drafts, err := tx.TransferableDrafts(ctx, from, after, transferBatchSize)
		if err != nil {
			return err
		}
		for _, row := range drafts {
			if _, err := b.transferDraft(ctx, tx, row, g); err != nil && !fault.Is(err, fault.Conflict) {
				return err
			}
			after = row.ID
		}
		if len(drafts) < transferBatchSize {
			return nil
		}
	}
}

// draftTransferParties is who transfers a draft and the user id of who receives it.
type draftTransferParties struct {
	by access.Actor
	to string
}

// Senders lists the colleagues who can receive a draft: those with an account who may start an inquiry, except this
// user.
func (ds *Drafts) Senders(ctx context.Context) ([]access.User, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	users, err := ds.d.store.Users(ctx)
	if err != nil {
		return nil, err
	}
	var senders []access.User
	for _, u := range users {
		if !u.Disabled && u.UserID != ds.d.Actor.UserID && u.Can(access.StartInquiry) && access.CompanyOf(u.BrokerID, u.Organization) == ds.d.company() {
			senders = append(senders, u)
		}
	}
	return senders, nil
}

// Transfer transfers a draft to a colleague who may send it, by their originator. The colleague must take the
// borrower's consent.
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
		return fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "Choose a colleague who can send it"})
	}
	fresh := false
	err = ds.d.store.Write(ctx, func(tx *store.Tx) error {
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
		ds.d.hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(to))
	}
	return err
}

// checkAssigneeLicensed refuses a colleague who, according to the license table, may not act in the draft's state:
// they could not send the draft, and would see borrower data for no reason.
func (b *backend) checkAssigneeLicensed(ctx context.Context, tx *store.Tx, row store.Draft, originator string) error {
	typed, err := vault.UnsealJSON[FormValues](b.vault, vault.DraftAAD(row.ID), row.Sealed)
	if err != nil {
		return err
	}
	may, err := checkMayActIn(ctx, tx, heloc.OriginatorID(originator), typed.Value("property.address.state"))
	if err == nil && !may {
		err = fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "This colleague isn’t licensed in the property’s state. Choose someone who is"})
	}
	return err
}

// DraftAuthors names who prepared and who changed an inquiry before it was sent. It is empty when one user did both.
type DraftAuthors struct{ PreparedBy, ChangedBy string }

// draftAuthors reads the authors from the draft that the lead came from, while that draft is stored.
func (l *Lead) draftAuthors(ctx context.Context) (DraftAuthors, error) {
	row, err := l.d.store.DraftOfLead(ctx, l.row.App)
	if fault.Is(err, fault.NotFound) || err == nil && row.PreparedBy == "" {
		return DraftAuthors{}, nil
	}
	if err != nil {
		return DraftAuthors{}, err
	}
	by, err := l.d.store.User(ctx, row.PreparedBy)
	if err != nil {
		return DraftAuthors{}, err
	}
	changed, err := l.d.store.User(ctx, row.ChangedBy)
	return DraftAuthors{PreparedBy: by.Name, ChangedBy: changed.Name}, err
}
