package embed

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Attest records who approved, in writing, that the CRM's sign-in is a second factor. The
// error is fault.Invalid if the name is not a readable line of text.
func (s *Service) Attest(ctx context.Context, by access.By, key, approver string) error {
	return s.changeClient(ctx, by, key, store.ActionEmbedAttest, func(c clientChange) error {
		if problem := lineProblem(approver, maxApprover,
			"Enter the name of the person who approved it in writing"); problem != "" {
			return fault.InvalidField("approver", problem)
		}
		c.AttestedBy, c.AttestedAt = oneLine(approver), store.Millis(s.Now())
		return nil
	})
}

const maxApprover = 120 // characters

// RevokeAttestation withdraws the approval.
func (s *Service) RevokeAttestation(ctx context.Context, by access.By, key string) error {
	return s.changeClient(ctx, by, key, store.ActionEmbedRevokeAttestation, func(c clientChange) error {
		c.AttestedBy, c.AttestedAt = "", 0
		return nil
	})
}

// Disable disables a client and signs out everybody who came from it; Enable enables it again.
func (s *Service) Disable(ctx context.Context, by access.By, key string) error {
	return s.changeClient(ctx, by, key, store.ActionEmbedDisable, func(c clientChange) error {
		c.DisabledAt = store.Millis(s.Now())
		return nil
	})
}

// Enable enables a disabled client.
func (s *Service) Enable(ctx context.Context, by access.By, key string) error {
	return s.changeClient(ctx, by, key, store.ActionEmbedEnable, func(c clientChange) error {
		c.DisabledAt = 0
		return nil
	})
}

// RetireSecret invalidates the current secret; the next secret replaces it.
func (s *Service) RetireSecret(ctx context.Context, by access.By, key string) error {
	return s.changeClient(ctx, by, key, store.ActionEmbedRotate, func(c clientChange) error {
		was := c.keys
		if len(was.SecretNext) == 0 {
			return fault.New(fault.Conflict, "There is no new secret. Enter one first.")
		}
		ended := was.Secret
		was.Secret, was.SecretNext, was.RetiredSecrets = was.SecretNext, nil,
			append(was.RetiredSecrets, s.secretIndex(key, ended))
		var err error
		if c.Sealed, err = vault.SealJSON(s.vault, vault.SigningKeysAAD(key), was); err != nil {
			return err
		}
		return s.dropConsumedUnder(ctx, c.tx, key, ended)
	})
}

// clientChange is a client in the transaction that changes it.
type clientChange struct {
	tx *store.Tx
	*store.EmbedClient
	keys signingKeys
}

// changeClient changes an existing client, based on its state in the same transaction, so that
// two administrators never undo each other's change.
func (s *Service) changeClient(ctx context.Context, by access.By, key string, act store.AuditAction,
	change func(c clientChange) error) error {
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		row, was, err := s.readForChange(ctx, tx, key)
		if err != nil {
			return err
		}
		if row.Key == "" {
			return errNoCRM()
		}
		if err := change(clientChange{tx, &row, was}); err != nil {
			return err
		}
		return s.saveAndSignOut(ctx, tx, by, act, row)
	})
}

func errNoCRM() error { return fault.New(fault.NotFound, "This CRM doesn’t exist.") }

// saveAndSignOut stores a client, signs out everybody who came from it, because its previous
// state admitted them, ends all its launches and their codes, and audits the change.
func (s *Service) saveAndSignOut(ctx context.Context, tx *store.Tx, by access.By, act store.AuditAction,
	row store.EmbedClient) error {
	if err := tx.EndSessionsOfClient(ctx, row.Key); err != nil {
		return err
	}
	if err := tx.EndLaunchesOfClient(ctx, row.Key); err != nil {
		return err
	}
	return s.saveClient(ctx, tx, by, act, row)
}

// saveClient stores a client and audits the change.
func (s *Service) saveClient(ctx context.Context, tx *store.Tx, by access.By, act store.AuditAction,
	row store.EmbedClient) error {
	row.ChangedAt = store.Millis(s.Now())
	if err := tx.ChangeEmbedClient(ctx, row); err != nil {
		return err
	}
	return auditClient(ctx, tx, by, act, row)
}

func auditClient(ctx context.Context, tx *store.Tx, by access.By, act store.AuditAction, row store.EmbedClient) error {
	return tx.Audit(ctx, store.AuditEntry{ActorID: by.UserID, Company: row.BrokerID, Action: act,
		Object: "embed:" + row.Key, Outcome: "done"})
}
