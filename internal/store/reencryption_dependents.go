package store

import (
	"context"
	"slices"
	"time"
)

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
func (q queries) OldKeyDependents(ctx context.Context, k Keys, now time.Time) (OldKeyDependents, error) {
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
	for _, statement := range []string{
		`DELETE FROM lead_references WHERE key_id`,
		`DELETE FROM embed_links WHERE key_id`,
		`UPDATE drafts SET record_index = '', record_client = '' WHERE record_index <> '' AND record_key_id`,
		`UPDATE operations SET duplicate_key = '' WHERE duplicate_key <> '' AND duplicate_key_id`,
	} {
		if err := tx.exec(ctx, statement+digest, toAny(k.Digests)...); err != nil {
			return err
		}
	}
	return nil
}
