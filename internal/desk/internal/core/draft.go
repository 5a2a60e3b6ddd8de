package core

import (
	"context"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// UnsealDraft decrypts the values of a draft.
func (s Services) UnsealDraft(row store.Draft) (lead.FormValues, error) {
	return vault.UnsealJSON[lead.FormValues](s.Vault, vault.DraftAAD(row.ID), row.Sealed)
}

// maxTransfers is how many transfers are stored. Of a longer history, the first, by the user who prepared the draft,
// and the last ones are stored.
const maxTransfers = 12

// StoredTransfer is the stored form of a transfer.
type StoredTransfer struct {
	By    string          `json:"by"`
	At    int64           `json:"at"`
	Typed lead.FormValues `json:"typed"`
}

// DecryptTransfers decrypts the transfers of a draft.
func (s Services) DecryptTransfers(row store.Draft) ([]StoredTransfer, error) {
	if len(row.Transfers) == 0 {
		return nil, nil
	}
	return vault.UnsealJSON[[]StoredTransfer](s.Vault, vault.DraftTransfersAAD(row.ID), row.Transfers)
}

// TransferDraft transfers a draft of its owner within a transaction. It also stores what the draft contains now, so
// that users who have seen it before can see what others changed since. It notifies the new owner once.
func (d Desk) TransferDraft(ctx context.Context, tx *store.Tx, row store.Draft, to string) error {
	typed, err := d.UnsealDraft(row)
	if err != nil {
		return err
	}
	transfers, err := d.DecryptTransfers(row)
	if err != nil {
		return err
	}
	row.TransferredAt = store.Millis(d.Now())
	if transfers = append(transfers, StoredTransfer{By: row.OwnerID, At: row.TransferredAt,
		Typed: typed}); len(transfers) > maxTransfers {
		transfers = append(transfers[:1], transfers[2:]...)
	}
	if row.Transfers, err = vault.SealJSON(d.Vault, vault.DraftTransfersAAD(row.ID), transfers); err != nil {
		return err
	}
	if row.PreparedBy == "" {
		row.PreparedBy = row.OwnerID
	}
	if err := tx.TransferDraft(ctx, row, to); err != nil {
		return err
	}
	if err := tx.Audit(ctx, store.AuditEntry{
		ActorID: d.Actor.UserID, Company: row.Company, Action: store.ActionDraftTransfer, Object: "draft:" + row.ID,
		Outcome: "done", Detail: "to:" + to,
	}); err != nil {
		return err
	}
	dedupKeys := d.Vault.NoticeDedupKeys("draft", row.ID, strconv.FormatInt(row.TransferredAt, 10))
	_, err = tx.Notify(ctx, lead.Notice{
		UserID: to, Company: row.Company, Draft: row.ID, Kind: lead.NoticeDraftReceived, ByName: d.Actor.Name,
		At: row.TransferredAt, DedupKey: dedupKeys[0], OldDedupKeys: dedupKeys[1:],
	})
	return err
}

// transferBatchSize is how many drafts are read at once when all drafts of a user are transferred.
const transferBatchSize = 100

// TransferAllDrafts transfers every unsent draft of a user. It skips a draft whose start may have reached the
// lender, because a lead that is found later gets its name from the draft.
func (d Desk) TransferAllDrafts(ctx context.Context, tx *store.Tx, from store.UserScope, to string) error {
	for after := ""; ; {
		drafts, err := tx.TransferableDrafts(ctx, from, after, transferBatchSize)
		if err != nil {
			return err
		}
		for _, row := range drafts {
			if err := d.TransferDraft(ctx, tx, row, to); err != nil && !fault.Is(err, fault.Conflict) {
				return err
			}
			after = row.ID
		}
		if len(drafts) < transferBatchSize {
			return nil
		}
	}
}

// StartName returns the borrower's name from the form with which a start was sent, for a user who may open its receipt.
// It is empty once the form has been deleted or transferred.
func (d Desk) StartName(ctx context.Context, op lead.Operation) (heloc.Name, error) {
	draft, err := d.Store.DraftOfOperation(ctx, op.DraftID)
	if err != nil || draft.OwnerID != op.ActorID || len(draft.StartSnapshot) == 0 {
		return heloc.Name{}, fault.Ignore(err, fault.NotFound)
	}
	snapshots, err := journal.DecryptStartSnapshots(d.Vault, draft)
	return snapshots[op.ID].Name, err
}

// CoversStart reports whether the user covers for the originator in whose name a start without a lead was sent. Nobody
// else could settle it while its sender is away.
func (d Desk) CoversStart(op lead.Operation) bool {
	return op.Kind == heloc.OpStart && op.App == "" && op.Company == d.Company() &&
		d.Actor.Scope().AsDeputy(access.Owner{OriginatorUUID: string(op.Originator)})
}

// StartsReported reports whether a notification from the lender can show that it received a start whose response was
// lost. The portal must accept notifications, and the lender must not be known to omit our reference.
func (d Desk) StartsReported(ctx context.Context) (bool, error) {
	if !d.Webhooks {
		return false, nil
	}
	echo, err := d.Store.Setting(ctx, store.LenderEcho)
	return echo != "no", err
}

// Adopt parses an application id that the user typed and adopts it in the user's name. A typed text that is no id, and
// an id that the lender does not list for the user, are fault.Invalid at appUuid.
func (d Desk) Adopt(typed string, adopt func(heloc.AppID, store.Adopter) error) (heloc.AppID, error) {
	app, err := heloc.ParseAppID(strings.TrimSpace(typed))
	if err != nil {
		return "", fault.InvalidField("appUuid", "Enter the application ID: 36 characters with hyphens")
	}
	err = adopt(app, store.Adopter{UserID: d.Actor.UserID, Name: d.Actor.Name, Scope: d.Actor.Scope()})
	if fault.Is(err, fault.NotFound) {
		return "", fault.InvalidField("appUuid", "The lender has no application with this ID that you can access")
	}
	return app, err
}
