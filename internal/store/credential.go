package store

import (
	"cmp"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// CredentialKind is a kind of credential.
type CredentialKind string

// The kinds of credential.
const (
	CredentialTOTP    CredentialKind = "totp"
	CredentialPasskey CredentialKind = "passkey"
)

// Credential is a means of authentication in addition to the password.
type Credential struct {
	ID        string         `db:"id"`
	UserID    string         `db:"user_id"`
	Kind      CredentialKind `db:"kind"`
	Handle    string         `db:"handle"` // unique; a passkey is found by it
	Name      string         `db:"name"`   // the user's name for it
	Sealed    []byte         `db:"sealed"`
	LastStep  int64          `db:"last_step"` // the last TOTP time step that was accepted
	CreatedAt int64          `db:"created_at"`
	UsedAt    int64          `db:"used_at"`
}

const credentialColumns = `id, user_id, kind, handle, name, sealed, last_step, created_at, used_at`

// Credentials lists the user's credentials, oldest first.
func (q Queries) Credentials(ctx context.Context, userID string) ([]Credential, error) {
	return list[Credential](ctx, q, `SELECT `+credentialColumns+` FROM credentials WHERE user_id = ?
		ORDER BY created_at, id`, userID)
}

// CredentialByHandle finds a credential before the user is known.
func (q Queries) CredentialByHandle(ctx context.Context, handle string) (Credential, error) {
	return get[Credential](ctx, q, `SELECT `+credentialColumns+` FROM credentials WHERE handle = ?`, handle)
}

// AddCredential stores a new credential, or replaces the one with the same handle: a user has at most one
// authenticator app.
func (tx *Tx) AddCredential(ctx context.Context, c Credential) error {
	return cmp.Or(tx.exec(ctx, `DELETE FROM credentials WHERE handle = ? AND user_id = ?`, c.Handle, c.UserID),
		tx.insert(ctx, "credentials", credentialColumns, c))
}

// UseCredential stores what a use has changed; false when the credential was removed.
func (tx *Tx) UseCredential(ctx context.Context, c Credential) (bool, error) {
	return tx.changed(ctx, `UPDATE credentials SET sealed = ?, used_at = ? WHERE id = ?`, c.Sealed, c.UsedAt, c.ID)
}

// AcceptTOTPStep accepts a time step once: false when it or a later one was accepted before.
func (tx *Tx) AcceptTOTPStep(ctx context.Context, id string, step, at int64) (bool, error) {
	return tx.changed(ctx, `UPDATE credentials SET last_step = ?, used_at = ? WHERE id = ? AND last_step < ?`,
		step, at, id, step)
}

// RenameCredential changes the user's name for a credential; false when the user has no such credential.
func (tx *Tx) RenameCredential(ctx context.Context, userID, id, name string) (bool, error) {
	return tx.changed(ctx, `UPDATE credentials SET name = ? WHERE id = ? AND user_id = ?`, name, id, userID)
}

// RemoveCredential deletes one of the user's credentials; false when the user has no such credential.
func (tx *Tx) RemoveCredential(ctx context.Context, userID, id string) (bool, error) {
	return tx.changed(ctx, `DELETE FROM credentials WHERE id = ? AND user_id = ?`, id, userID)
}

// RemoveCredentials deletes all of the user's credentials, including recovery codes.
func (tx *Tx) RemoveCredentials(ctx context.Context, userID string) error {
	return cmp.Or(tx.exec(ctx, `DELETE FROM credentials WHERE user_id = ?`, userID),
		tx.ReplaceRecoveryCodes(ctx, userID, nil))
}

// ReplaceRecoveryCodes deletes the user's recovery codes and stores the hashes of new ones.
func (tx *Tx) ReplaceRecoveryCodes(ctx context.Context, userID string, hashes []string) error {
	if err := tx.exec(ctx, `DELETE FROM recovery_codes WHERE user_id = ?`, userID); err != nil {
		return err
	}
	for n, hash := range hashes {
		if err := tx.exec(ctx, `INSERT INTO recovery_codes (user_id, n, hash) VALUES (?, ?, ?)`,
			userID, n, hash); err != nil {
			return err
		}
	}
	return nil
}

// RecoveryHash reads the hash of an unused code; empty when there is none.
func (q Queries) RecoveryHash(ctx context.Context, userID string, n int) (string, error) {
	return findOrZero[string](ctx, q, `SELECT hash FROM recovery_codes WHERE user_id = ? AND n = ? AND used_at = 0`,
		userID, n)
}

// ConsumeRecoveryCode uses up the code with a hash; false when it was already used or replaced.
func (tx *Tx) ConsumeRecoveryCode(ctx context.Context, userID, hash string, at int64) (bool, error) {
	return tx.changed(ctx, `UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND hash = ? AND used_at = 0`,
		at, userID, hash)
}

// CountRecoveryCodes counts the unused codes.
func (q Queries) CountRecoveryCodes(ctx context.Context, userID string) (int, error) {
	return get[int](ctx, q, `SELECT count(*) FROM recovery_codes WHERE user_id = ? AND used_at = 0`, userID)
}

// UserByIdentity finds the user who is linked to a provider's subject; fault.NotFound when there is none.
func (q Queries) UserByIdentity(ctx context.Context, issuer, subject string) (access.User, error) {
	return get[access.User](ctx, q, userSelect+` JOIN identities i ON i.user_id = u.id
		WHERE i.issuer = ? AND i.subject = ?`, issuer, subject)
}

// AddIdentity links a user to a provider's subject. A subject belongs to one user, and a user has one subject
// per provider: fault.Conflict for another.
func (tx *Tx) AddIdentity(ctx context.Context, issuer, subject, userID string) error {
	linked, err := tx.has(ctx, `SELECT count(*) FROM identities WHERE user_id = ? AND issuer = ?`, userID, issuer)
	if err != nil || linked {
		return cmp.Or(err, error(fault.New(fault.Conflict, "This account is linked to a different single sign-on user.")))
	}
	err = tx.exec(ctx, `INSERT INTO identities (issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?)`,
		issuer, subject, userID, Millis(tx.now()))
	return tx.unlessTaken(err, "This single sign-on user is linked to a different account.")
}

// HasIdentity reports whether a user is linked to any provider.
func (q Queries) HasIdentity(ctx context.Context, userID string) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM identities WHERE user_id = ?`, userID)
}

// MarkIdentityStrong records that the provider has vouched for a subject with two factors.
func (tx *Tx) MarkIdentityStrong(ctx context.Context, issuer, subject string) error {
	return tx.exec(ctx, `UPDATE identities SET strong_at = ? WHERE issuer = ? AND subject = ? AND strong_at = 0`,
		Millis(tx.now()), issuer, subject)
}

// RemoveIdentities unlinks a user from every provider.
func (tx *Tx) RemoveIdentities(ctx context.Context, userID string) (int64, error) {
	return tx.execRows(ctx, `DELETE FROM identities WHERE user_id = ?`, userID)
}
