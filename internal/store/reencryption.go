package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Reencryption is the progress of re-encrypting old rows with a new key. It proceeds from stage to stage, and
// within a stage by key. Each batch begins where this row ends, in the transaction that advances it.
type Reencryption struct {
	KeyName      string `db:"key_name"` // the vault's name of the key that values are sealed with
	BegunAt      int64  `db:"begun_at"` // when a portal first used the key
	Stage        string `db:"stage"`
	AfterRow     string `db:"after_row"`
	AfterAAD     string `db:"after_aad"`
	Leads        int    `db:"leads"`         // leads, and other rows with blind indexes: how many were updated
	SealedValues int    `db:"sealed_values"` // values that were sealed again
	// leads that keep something under an older key, because the plaintext is no longer available
	Remaining     int   `db:"remaining"`
	Undecryptable int   `db:"undecryptable"` // values that no key decrypts, and that stay as they are
	DoneAt        int64 `db:"done_at"`
}

// The stages before those of the sealed columns, which have the names of the columns.
const (
	StageLeads  = "leads"  // tokens, references and the duplicate keys of their starts, lead by lead
	StageStarts = "starts" // duplicate keys of starts whose outcome is unknown
	StageDrafts = "drafts" // CRM records that drafts were begun for
	StageLinks  = "links"  // CRM logins
)

// ReencryptionStages lists the stages in order.
func ReencryptionStages() []string {
	stages := []string{StageLeads, StageStarts, StageDrafts, StageLinks}
	for _, c := range SealedColumns() {
		stages = append(stages, c.Name())
	}
	return stages
}

// Name returns the name of a column's stage.
func (c SealedColumn) Name() string { return c.Table + "." + c.Column }

const reencryptionColumns = `key_name, begun_at, stage, after_row, after_aad, leads, sealed_values, remaining, ` +
	`undecryptable, done_at`

// Reencryption reads the progress; fault.NotFound for a key that no portal has used.
func (q Queries) Reencryption(ctx context.Context, key string) (Reencryption, error) {
	return get[Reencryption](ctx, q, `SELECT `+reencryptionColumns+` FROM reencryption_runs WHERE key_name = ?`, key)
}

// BeginReencryption records that a key is in use from now on, unless that is already stored.
func (tx *Tx) BeginReencryption(ctx context.Context, key string, now time.Time) error {
	return tx.exec(ctx, `INSERT INTO reencryption_runs (key_name, begun_at, stage) VALUES (?, ?, ?) ON CONFLICT (key_name)
		DO NOTHING`, key, Millis(now), StageLeads)
}

// SaveReencryption writes the progress.
func (tx *Tx) SaveReencryption(ctx context.Context, r Reencryption) error {
	return tx.update(ctx, "reencryption_runs", "key_name",
		`stage, after_row, after_aad, leads, sealed_values, remaining, undecryptable, done_at`, r)
}

// DropOtherReencryptions deletes the progress of other keys.
func (tx *Tx) DropOtherReencryptions(ctx context.Context, but string) error {
	return tx.exec(ctx, `DELETE FROM reencryption_runs WHERE key_name <> ?`, but)
}

// ReencryptionProgress is the progress of a re-encryption, and what it has not processed yet.
type ReencryptionProgress struct {
	Reencryption
	Pending PendingCounts
}

// PendingCounts counts leads and values, each up to CountLimit.
type PendingCounts struct{ Leads, Values int }

// ReencryptionProgress returns the progress, or its initial state when no portal has used the key yet.
func (q Queries) ReencryptionProgress(ctx context.Context, key string) (s ReencryptionProgress, err error) {
	s.Reencryption, err = q.Reencryption(ctx, key)
	if err != nil {
		if !fault.Is(err, fault.NotFound) {
			return s, err
		}
		s.Reencryption = Reencryption{KeyName: key, Stage: StageLeads}
	}
	if s.DoneAt == 0 {
		s.Pending, err = q.pendingCounts(ctx, s.Reencryption)
	}
	return s, err
}

func (q Queries) pendingCounts(ctx context.Context, r Reencryption) (PendingCounts, error) {
	var left PendingCounts
	if r.Stage == StageLeads {
		var err error
		if left.Leads, err = get[int](ctx, q, `SELECT count(*) FROM (SELECT 1 FROM leads WHERE app > ? LIMIT ?) x`,
			r.AfterRow, lead.CountLimit); err != nil {
			return left, err
		}
	}
	at := slices.Index(ReencryptionStages(), r.Stage)
	for _, c := range SealedColumns() {
		after := Sealed{}
		switch stage := slices.Index(ReencryptionStages(), c.Name()); {
		case stage < at:
			continue
		case stage == at:
			after = Sealed{Row: r.AfterRow, AADName: r.AfterAAD}
		}
		n, err := get[int](ctx, q, fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM %s WHERE %s LIMIT ?) x`,
			c.Table, c.afterCondition()), after.Row, after.AADName, lead.CountLimit)
		if err != nil {
			return left, err
		}
		left.Values = min(left.Values+n, lead.CountLimit)
	}
	return left, nil
}

// LeadsAfter lists a page of lead ids in order.
func (q Queries) LeadsAfter(ctx context.Context, after heloc.AppID, limit int) ([]heloc.AppID, error) {
	return list[heloc.AppID](ctx, q, `SELECT app FROM leads WHERE app > ? ORDER BY app LIMIT ?`, after, limit)
}

// UpdateStartDuplicateKey writes the duplicate key of a start.
func (tx *Tx) UpdateStartDuplicateKey(ctx context.Context, id, blindIndex string, under int64) error {
	return tx.exec(ctx, `UPDATE operations SET duplicate_key = ?, duplicate_key_id = ? WHERE id = ?`,
		blindIndex, under, id)
}

// StaleStarts lists the starts that may have arrived without a lead and whose duplicate mark is by
// another key.
func (q Queries) StaleStarts(ctx context.Context, k Keys) ([]lead.Operation, error) {
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations
		WHERE `+mayHaveArrivedSQL+` AND kind = 'start'
		AND duplicate_key <> '' AND duplicate_key_id NOT IN `+placeholders(len(k.Digests)), toAny(k.Digests)...)
}

// Keys are the names of the vault's current token and digest keys, and since when a portal has used them.
type Keys struct {
	Tokens, Digests []int64
	Since           int64
}

// OldKeyDependents counts what can only be compared with an older key.
type OldKeyDependents struct {
	// These are permanent: the plaintext is gone, or only somebody else has it.
	Search     int // leads that are found with it by phone, email or street number
	References int // leads and drafts that are found with it from a CRM record
	Duplicates int // open leads and starts that are recognized with it as duplicates
	Links      int // CRM logins that are recognized with it

	// These expire within days.
	SignInFailures int // counters of failed sign-ins
	MailedLinks    int // emailed links that can still be used
	Forms          int // forms that were submitted within a day, and may be submitted again
	Launches       int // CRM frames

	// These are harmless: the same fact would only be notified, or read, once more.
	Notices  int
	Webhooks int
}

// Permanent counts what would be lost for good.
func (o OldKeyDependents) Permanent() int { return o.Search + o.References + o.Duplicates + o.Links }

// Temporary counts what would be lost, but expires within days.
func (o OldKeyDependents) Temporary() int {
	return o.SignInFailures + o.MailedLinks + o.Forms + o.Launches
}

// OldKeyDependents counts the dependents. It reads whole tables, so no page calls it.
func (q Queries) OldKeyDependents(ctx context.Context, k Keys, now time.Time) (OldKeyDependents, error) {
	var b OldKeyDependents
	token, digest := ` NOT IN `+placeholders(len(k.Tokens)), ` NOT IN `+placeholders(len(k.Digests))
	tokens, digests := toAny(k.Tokens), toAny(k.Digests)
	for _, c := range []struct {
		into *int
		from string
		args []any
	}{
		{&b.Search, `SELECT DISTINCT app FROM lead_tokens WHERE key_id` + token, tokens},
		{&b.References, `SELECT DISTINCT app FROM lead_references WHERE key_id` + digest + ` UNION ALL SELECT id FROM drafts
			WHERE app = '' AND record_index <> '' AND record_key_id` + digest,
			append(slices.Clone(digests), digests...)},
		{&b.Duplicates, `SELECT id FROM operations WHERE kind = 'start' AND duplicate_key <> ''
			AND duplicate_key_id` + digest + `
			AND (` + mayHaveArrivedSQL + ` OR app IN (SELECT app FROM leads WHERE lane <> 'ended'))`, digests},
		{&b.Links, `SELECT subject FROM embed_links WHERE key_id` + digest, digests},
		{&b.SignInFailures, `SELECT key FROM sign_in_attempts WHERE count > 0 AND action = '' AND at < ?`, []any{k.Since}},
		{&b.MailedLinks, `SELECT id FROM invitations WHERE created_at < ? AND used_at = 0 AND expires_at > ?`,
			[]any{k.Since, Millis(now)}},
		{&b.Forms, `SELECT id FROM operations WHERE created_at < ? AND created_at > ?`,
			[]any{k.Since, Millis(now.AddDate(0, 0, -1))}},
		{&b.Launches, `SELECT id FROM launches WHERE expires_at > ? AND key_id` + digest,
			append([]any{Millis(now)}, digests...)},
		{&b.Notices, `SELECT id FROM notifications WHERE at < ?`, []any{k.Since}},
		{&b.Webhooks, `SELECT digest FROM webhook_inbox WHERE received_at < ?`, []any{k.Since}},
	} {
		n, err := get[int](ctx, q, `SELECT count(*) FROM (`+c.from+`) x`, c.args...)
		if err != nil {
			return b, err
		}
		*c.into = n
	}
	return b, nil
}

// DropOldKeyIndexes deletes tokens and blind indexes that other keys made: they are useless without those
// keys.
func (tx *Tx) DropOldKeyIndexes(ctx context.Context, k Keys) error {
	token, digest := ` NOT IN `+placeholders(len(k.Tokens)), ` NOT IN `+placeholders(len(k.Digests))
	if err := tx.exec(ctx, `DELETE FROM lead_tokens WHERE key_id`+token, toAny(k.Tokens)...); err != nil {
		return err
	}
	return tx.execEach(ctx, toAny(k.Digests),
		`DELETE FROM lead_references WHERE key_id`+digest,
		`DELETE FROM embed_links WHERE key_id`+digest,
		`UPDATE drafts SET record_index = '', record_client = '' WHERE record_index <> '' AND record_key_id`+digest,
		`UPDATE operations SET duplicate_key = '' WHERE duplicate_key <> '' AND duplicate_key_id`+digest)
}
