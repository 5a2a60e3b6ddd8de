package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// UserScope is a user within a company: the scope of what belongs to that user alone. At another company, the
// same user has no access to what they left at this one.
type UserScope struct{ UserID, Company string }

// UserScopeOf returns the user's current scope.
func UserScopeOf(who access.Actor) UserScope {
	return UserScope{UserID: who.UserID, Company: access.CompanyOf(who.BrokerID, who.Organization)}
}

// Draft is an inquiry that a user is typing: sealed, and never with an SSN.
type Draft struct {
	ID            string      `db:"id"`
	OwnerID       string      `db:"owner_id"`
	Company       string      `db:"company"`
	Sealed        []byte      `db:"sealed"`         // the form values
	StartSnapshot []byte      `db:"start_snapshot"` // what the lead will need, sealed when the start is sent
	Version       int64       `db:"version"`
	CreatedAt     int64       `db:"created_at"`
	UpdatedAt     int64       `db:"updated_at"`
	OpID          string      `db:"op_id"`   // the start that was sent from it
	App           heloc.AppID `db:"app"`     // the lead that was created from it
	Restart       heloc.AppID `db:"restart"` // the lead that it corrects

	PreparedBy    string `db:"prepared_by"` // who first typed it, once another user owns it
	TransferredAt int64  `db:"transferred_at"`
	Transfers     []byte `db:"transfers"`  // what it contained at that time, sealed
	ChangedBy     string `db:"changed_by"` // who saved it last

	RecordIndex  string `db:"record_index"`  // blind index of the CRM record that it was begun for; "" for none
	RecordClient string `db:"record_client"` // the CRM of that record
	RecordType   string `db:"record_type"`   // and the record's type; "" when unknown
	RecordKeyID  int64  `db:"record_key_id"` // the key that made the index; 0 the first key
}

const draftColumns = `id, owner_id, company, sealed, start_snapshot, version, created_at, updated_at, op_id, app, ` +
	`restart, prepared_by, transferred_at, transfers, changed_by, record_index, record_client, record_type, record_key_id`

// Draft opens a draft of its owner.
func (q Queries) Draft(ctx context.Context, owner UserScope, id string) (Draft, error) {
	return get[Draft](ctx, q, `SELECT `+draftColumns+` FROM drafts WHERE id = ? AND owner_id = ? AND company = ?`,
		id, owner.UserID, owner.Company)
}

// DraftOfOperation finds the draft that a start was sent from, for the system itself.
func (q Queries) DraftOfOperation(ctx context.Context, draftID string) (Draft, error) {
	return get[Draft](ctx, q, `SELECT `+draftColumns+` FROM drafts WHERE id = ?`, draftID)
}

// unsentDraftsOfSQL finds a user's drafts that have not become a lead, without corrections of leads that the
// user can no longer access.
func unsentDraftsOfSQL(owner UserScope, scope access.Scope) (string, []any) {
	where := inScope(scope)
	return ` FROM drafts WHERE owner_id = ? AND company = ? AND app = ''
		AND (restart = '' OR prepared_by <> '' OR EXISTS (SELECT 1 FROM leads WHERE app = drafts.restart AND ` +
			where.String() + `))`,
		append([]any{owner.UserID, owner.Company}, where.args...)
}

// UnsentDrafts lists those drafts, newest first.
func (q Queries) UnsentDrafts(ctx context.Context, owner UserScope, scope access.Scope) ([]Draft, error) {
	from, args := unsentDraftsOfSQL(owner, scope)
	return list[Draft](ctx, q, `SELECT `+draftColumns+from+` ORDER BY updated_at DESC LIMIT 100`, args...)
}

// CountUnsentDrafts counts those drafts.
func (q Queries) CountUnsentDrafts(ctx context.Context, owner UserScope, scope access.Scope) (int, error) {
	from, args := unsentDraftsOfSQL(owner, scope)
	return get[int](ctx, q, `SELECT count(*)`+from, args...)
}

const transferableDraftsSQL = `SELECT ` + draftColumns + ` FROM drafts WHERE owner_id = ? AND company = ? AND app = ''
	AND id > ? ORDER BY id LIMIT ?`

// TransferableDrafts lists a page, after an id, of a user's drafts that have not become a lead, regardless of
// which leads the user can access.
func (q Queries) TransferableDrafts(ctx context.Context, owner UserScope, after string, limit int) ([]Draft, error) {
	return list[Draft](ctx, q, transferableDraftsSQL,
		owner.UserID, owner.Company, after, limit)
}

// CountTransferableDrafts counts all transferable drafts.
func (q Queries) CountTransferableDrafts(ctx context.Context, owner UserScope) (int, error) {
	return get[int](ctx, q, `SELECT count(*) FROM drafts WHERE owner_id = ? AND company = ? AND app = ''`,
		owner.UserID, owner.Company)
}

// RestartOf finds the owner's unsent draft that corrects a lead.
func (q Queries) RestartOf(ctx context.Context, owner UserScope, app heloc.AppID) (Draft, error) {
	return get[Draft](ctx, q, `SELECT `+draftColumns+` FROM drafts WHERE owner_id = ? AND company = ? AND restart = ?
		AND restart <> '' AND app = ''
		ORDER BY updated_at DESC LIMIT 1`, owner.UserID, owner.Company, app)
}

// DraftOfRecord finds the owner's latest draft that was begun for a CRM record and has not become a lead;
// fault.NotFound when there is none.
func (q Queries) DraftOfRecord(ctx context.Context, ownerID string, indexes []string) (Draft, error) {
	return get[Draft](ctx, q, `SELECT `+draftColumns+` FROM drafts WHERE record_index IN `+placeholders(len(indexes))+`
		AND record_index <> '' AND owner_id = ? AND app = ''
		ORDER BY updated_at DESC LIMIT 1`, append(toAny(indexes), ownerID)...)
}

// HasOthersDraft reports whether another user has begun a draft for a record.
func (q Queries) HasOthersDraft(ctx context.Context, ownerID string, indexes []string) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM drafts WHERE record_index IN `+placeholders(len(indexes))+`
		AND record_index <> '' AND owner_id <> ? AND app = ''`, append(toAny(indexes), ownerID)...)
}

// StaleDrafts lists a page, after an id, of drafts whose record index was made with other keys.
func (q Queries) StaleDrafts(ctx context.Context, k Keys, after string, limit int) ([]Draft, error) {
	return list[Draft](ctx, q, `SELECT `+draftColumns+` FROM drafts WHERE id > ? AND record_index <> ''
		AND record_key_id NOT IN `+placeholders(len(k.Digests))+` ORDER BY id LIMIT ?`,
		append(append([]any{after}, toAny(k.Digests)...), limit)...)
}

// UpdateDraftRecordIndex writes the index of the record that a draft was begun for.
func (tx *Tx) UpdateDraftRecordIndex(ctx context.Context, id string, r RecordIndex) error {
	return tx.exec(ctx, `UPDATE drafts SET record_index = ?, record_key_id = ? WHERE id = ?`, r.BlindIndex, r.KeyID, id)
}

// SaveDraft inserts or replaces a draft of its owner; fault.NotFound, without a change, when the id belongs
// to another user's draft.
func (tx *Tx) SaveDraft(ctx context.Context, d Draft) error {
	n, err := tx.execNamedRows(ctx, insertSQL("drafts", draftColumns)+`
		ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, start_snapshot = excluded.start_snapshot,
		version = drafts.version + 1, updated_at = excluded.updated_at,
		op_id = excluded.op_id, app = excluded.app, changed_by = excluded.changed_by WHERE drafts.owner_id = excluded.owner_id
		AND drafts.company = excluded.company`, d)
	if err == nil && n == 0 {
		return fault.New(fault.NotFound, "This draft doesn’t exist.")
	}
	return err
}

// TransferDraft transfers a draft from its owner to another user; fault.Conflict once it has been sent, or
// may have been.
func (tx *Tx) TransferDraft(ctx context.Context, d Draft, to string) error {
	if err := tx.checkDraftSettled(ctx, d.OwnerID, d.ID); err != nil {
		return err
	}
	return tx.mustChange(ctx, fault.New(fault.Conflict, "This draft is already a lead."),
		`UPDATE drafts SET owner_id = ?, prepared_by = ?,
		transferred_at = ?, transfers = ?, version = version + 1 WHERE id = ? AND owner_id = ? AND company = ? AND app = ''`,
		to, d.PreparedBy, d.TransferredAt, d.Transfers, d.ID, d.OwnerID, d.Company)
}

// LinkDraft records the lead that was created from a draft.
func (tx *Tx) LinkDraft(ctx context.Context, id string, app heloc.AppID) error {
	return tx.exec(ctx, `UPDATE drafts SET app = ? WHERE id = ?`, app, id)
}

// DraftOfLead finds the draft that a lead was created from, for the system itself.
func (q Queries) DraftOfLead(ctx context.Context, app heloc.AppID) (Draft, error) {
	return get[Draft](ctx, q, `SELECT `+draftColumns+` FROM drafts WHERE app = ? AND app <> '' ORDER BY updated_at DESC
		LIMIT 1`, app)
}

// endedDraft is the condition on a lead l, with the same instant twice, whose draft is no longer stored: the inquiry
// ended or was completed before it. The time of the step decides; where something else ended the inquiry, the time of
// the last change does. Inquiries that were set aside have not ended.
const endedDraft = `l.legal_hold_at = 0 AND (l.step IN ('INQUIRY_COMPLETE', 'INQUIRY_CLOSED', 'INQUIRY_WITHDRAWN')
	AND l.step_since < ?
	OR (l.converted = 1 OR l.funded = 1 OR l.declined_date <> '' OR l.canceled_date <> '') AND l.changed_at < ?)`

// endedDraftsSQL reads all drafts and looks up the lead of each.
const endedDraftsSQL = `SELECT d.app FROM drafts d JOIN leads l ON l.app = d.app WHERE d.app > ? AND ` + endedDraft + `
	ORDER BY d.app LIMIT ?`

// EndedDrafts lists leads whose inquiry ended or was completed before an instant and that still have a draft, in the
// order of their ids after one, up to a limit.
func (q Queries) EndedDrafts(ctx context.Context, before time.Time, after heloc.AppID,
	limit int) ([]heloc.AppID, error) {
	return list[heloc.AppID](ctx, q, endedDraftsSQL, after, Millis(before), Millis(before), limit)
}

// DropDrafts deletes the drafts of these leads, as far as they are still ones that EndedDrafts lists.
func (tx *Tx) DropDrafts(ctx context.Context, before time.Time, apps []heloc.AppID) error {
	in := placeholders(len(apps))
	return tx.exec(ctx, `DELETE FROM drafts WHERE app IN `+in+` AND app IN (SELECT l.app FROM leads l WHERE l.app IN `+in+`
		AND `+endedDraft+`)`,
		append(slices.Concat(toAny(apps), toAny(apps)), Millis(before), Millis(before))...)
}

// DeleteDraft deletes an unsent draft of its owner; fault.NotFound for any other. It returns fault.Conflict
// for a draft that was sent, because it belongs to its lead; while the outcome of a start from it is unknown,
// because a lead that is found later takes its name from the draft; and while the lead that it corrects is
// under a legal hold.
func (tx *Tx) DeleteDraft(ctx context.Context, owner UserScope, id string) error {
	d, err := tx.Draft(ctx, owner, id)
	if err != nil {
		return err
	}
	if d.App != "" {
		return fault.New(fault.Conflict, "This draft was sent and is stored with its lead.")
	}
	if err := tx.checkDraftSettled(ctx, owner.UserID, id); err != nil {
		return err
	}
	held := fault.New(fault.Conflict,
		"The lead that this draft corrects is under a legal hold. Neither can be deleted until the hold is lifted.")
	return tx.mustChange(ctx, held, `DELETE FROM drafts WHERE id = ? AND owner_id = ? AND company = ? AND app = ''
		AND restart NOT IN (`+legalHoldLeads+`)`,
		id, owner.UserID, owner.Company)
}

// legalHoldLeads selects the leads under a legal hold.
const legalHoldLeads = `SELECT app FROM leads WHERE legal_hold_at > 0`

// checkDraftSettled returns an error while the outcome of a start from the draft is unknown.
func (tx *Tx) checkDraftSettled(ctx context.Context, ownerID, id string) error {
	pending, err := tx.has(ctx, `SELECT count(*) FROM operations WHERE actor_id = ? AND draft_id = ? AND kind = 'start'
		AND state IN ('sent', 'unknown')`, ownerID, id)
	if err == nil && pending {
		return fault.New(fault.Conflict,
			"We don’t know yet whether the lender received the inquiry sent from this draft. Wait for the result.")
	}
	return err
}

// UnsentDraftRetention is how long a draft that has not become a lead is stored after it was last saved or
// transferred.
const UnsentDraftRetention = 60 * 24 * time.Hour

// Corrections of a lead under a legal hold remain with it. A draft whose start has an unknown outcome also
// remains, because a lead that is found later takes its name from the draft.
const unsentSQL = `SELECT id, company FROM drafts WHERE app = '' AND updated_at < ? AND transferred_at < ?
	AND restart NOT IN (` + legalHoldLeads + `)
	AND id NOT IN (SELECT draft_id FROM operations WHERE kind = 'start' AND state IN ('sent', 'unknown'))
	ORDER BY updated_at LIMIT ?`

// DropUnsentDrafts deletes drafts that have not become a lead and that nobody has changed since an instant,
// at most limit of them, and audits the deletion.
func (tx *Tx) DropUnsentDrafts(ctx context.Context, before time.Time, limit int) error {
	unsent, err := list[Draft](ctx, tx.Queries, unsentSQL, Millis(before), Millis(before), limit)
	if err != nil {
		return err
	}
	for _, d := range unsent {
		if err := cmp.Or(tx.exec(ctx, `DELETE FROM drafts WHERE id = ?`, d.ID),
			tx.Audit(ctx, AuditEntry{ActorID: "system", Company: d.Company, Action: ActionDraftDelete,
				Object: "draft:" + d.ID, Outcome: "done"})); err != nil {
			return err
		}
	}
	return nil
}
