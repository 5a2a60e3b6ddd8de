package embed

import (
	"bytes"
	"context"
	"crypto"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Save adds or changes a client on behalf of an administrator. fault.Invalid names the fields.
// If the client now represents a different system, or anybody but the operator added a key, a
// URL of keys or a secret, its approval and links end, and its users and the administrators are told: anyone with
// a key can sign in as any linked user. Its records lose their leads if the system is a different
// one, unless the administrator says that the records are the same and the company is. Otherwise,
// users who came from the client stay signed in unless something that their launch may have
// depended on was removed: a key, a secret or a framing origin. Another origin only lets its pages
// frame a launch that a key signed.
// If two administrators add the same key at the same time, the database accepts only the first.
func (s *Service) Save(ctx context.Context, by access.By, e Setup) error {
	e = e.trimmed()
	published := s.publishedKeys(ctx, e)
	err := s.store.WriteBy(ctx, by, func(tx *store.Tx) error { return s.saveSetup(ctx, tx, by, e, published) })
	if fault.Is(err, fault.Conflict) {
		return fault.InvalidField("key", keyTakenMessage)
	}
	return err
}

func (s *Service) saveSetup(ctx context.Context, tx *store.Tx, by access.By, e Setup,
	published publishedKeys) error {
	row, was, err := s.readForChange(ctx, tx, e.Key)
	if err != nil {
		return err
	}
	brokers, err := tx.Brokers(ctx)
	if err != nil {
		return err
	}
	errs := e.fieldErrors(setupContext{exists: row.Key != "", brokerID: row.BrokerID, signingKeys: was,
		keysURLProblem: published.problemFor(was), secretRetired: s.wasRetired(was, e), local: s.isLocal(), brokers: brokers})
	if e.SameRecords && row.BrokerID != e.BrokerID {
		errs = append(errs, fault.Field{Name: "same.records",
			Message: "Leads can’t stay linked when the company changes. Uncheck this box"})
	}
	if len(errs) > 0 {
		return fault.InvalidFields(errs...)
	}
	another := row.Key != "" && (row.Kind != string(e.Kind) || row.BrokerID != e.BrokerID || was.Issuer != e.Issuer ||
		was.Organization != e.Organization)
	now, ended := was.withSetup(e, published)
	if another && !e.SameRecords { // its events would reach the other system
		now.Events, row.EventsAt = eventsSetup{}, 0
	}
	if len(ended) > 0 {
		now.RetiredSecrets = append(now.RetiredSecrets, s.secretIndex(e.Key, ended))
		if err := s.dropConsumedUnder(ctx, tx, e.Key, ended); err != nil {
			return err
		}
	}
	if row.Sealed, err = vault.SealJSON(s.vault, vault.SigningKeysAAD(e.Key), now); err != nil {
		return err
	}
	reset := another || row.Key != "" && !by.IsOperator() && (keyAdded(was, now) || secretAdded(was, now))
	removed := reset || len(ended) > 0 || keyAdded(now, was)
	framers := parseOrigins(e.Origins, s.isLocal())
	for _, origin := range strings.Fields(row.Origins) {
		removed = removed || !slices.Contains(framers, origin)
	}
	row.Name, row.BrokerID, row.Kind, row.Origins = oneLine(e.Name), e.BrokerID, string(e.Kind), strings.Join(framers, " ")
	if row.Key == "" {
		row.Key, row.CreatedAt, row.ChangedAt = e.Key, store.Millis(s.Now()), store.Millis(s.Now())
		if err := tx.AddEmbedClient(ctx, row); err != nil {
			return err
		}
		return auditClient(ctx, tx, by, store.ActionEmbedAdd, row)
	}
	if reset {
		row.AttestedAt, row.AttestedBy = 0, "" // the approval was for the other system
		if err := s.announceReset(ctx, tx, by, row); err != nil {
			return err
		}
		if err := tx.DropClientLinks(ctx, e.Key); err != nil { // CRM user 17 may be a different user now
			return err
		}
	}
	if another && !e.SameRecords {
		if err := tx.UnlinkClientRecords(ctx, e.Key); err != nil { // and record 51 a different record
			return err
		}
	}
	if removed {
		return s.saveAndSignOut(ctx, tx, by, store.ActionEmbedChange, row)
	}
	return s.saveClient(ctx, tx, by, store.ActionEmbedChange, row)
}

// secretAdded reports whether a secret verifies launches now that did not before.
func secretAdded(was, now signingKeys) bool {
	return !bytes.Equal(was.Secret, now.Secret) || !bytes.Equal(was.SecretNext, now.SecretNext)
}

// keyAdded reports whether keys can verify launches now that could not before. Another URL may publish any key; the
// keys at the same URL are the CRM's to replace.
func keyAdded(was, now signingKeys) bool {
	return was.KeySource.URL != now.KeySource.URL || now.KeySource.URL == "" && keyMissing(now.Keys, was.Keys)
}

// keyMissing reports whether a key of one set is missing from another.
func keyMissing(set, from json.RawMessage) bool {
	var all, others jose.JSONWebKeySet
	if len(set) == 0 || bytes.Equal(set, from) {
		return false
	}
	if json.Unmarshal(set, &all) != nil || json.Unmarshal(from, &others) != nil {
		return true // if the keys cannot be compared, assume the worst
	}
	same := func(a, b jose.JSONWebKey) bool {
		x, errX := a.Thumbprint(crypto.SHA256)
		y, errY := b.Thumbprint(crypto.SHA256)
		return errX == nil && errY == nil && bytes.Equal(x, y)
	}
	return slices.ContainsFunc(all.Keys, func(key jose.JSONWebKey) bool {
		return !slices.ContainsFunc(others.Keys, func(other jose.JSONWebKey) bool { return same(key, other) })
	})
}

// readForChange reads a client that is about to be changed; the zero row if there is none.
func (s *Service) readForChange(ctx context.Context, tx *store.Tx, key string) (store.EmbedClient, signingKeys, error) {
	row, err := tx.EmbedClient(ctx, key)
	if err != nil {
		return row, signingKeys{}, fault.Ignore(err, fault.NotFound)
	}
	was, err := vault.UnsealJSON[signingKeys](s.vault, vault.SigningKeysAAD(key), row.Sealed)
	return row, was, err
}

// withSetup returns the keys after a change, and the secret that is no longer valid: a next
// secret that another one replaced.
func (s signingKeys) withSetup(e Setup, published publishedKeys) (now signingKeys, ended []byte) {
	now = s
	now.Issuer, now.Organization, now.RecordURL = e.Issuer, e.Organization, e.RecordURL
	switch {
	case e.KeysURL != "" && published.failure == "":
		now.Keys, now.KeySource = published.keys, KeySource{URL: e.KeysURL, ReadAt: published.at, TriedAt: published.at}
	case e.KeysURL != "": // the same URL, which fails at the moment
	case e.Keys != "" || s.KeySource.URL != "":
		now.Keys, now.KeySource = json.RawMessage(e.Keys), KeySource{}
	}
	switch secret := []byte(e.Secret); {
	case len(secret) == 0 || bytes.Equal(secret, s.Secret) || bytes.Equal(secret, s.SecretNext):
	case len(s.Secret) == 0:
		now.Secret = secret
	default:
		now.SecretNext, ended = secret, s.SecretNext
	}
	return now, ended
}

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
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error { return s.changeClientIn(ctx, tx, by, key, act, change) })
}

func (s *Service) changeClientIn(ctx context.Context, tx *store.Tx, by access.By, key string, act store.AuditAction,
	change func(c clientChange) error) error {
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
