package account

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// newWebAuthn configures passkeys for exactly the host and the origin of the portal. It returns nil where
// browsers do not support passkeys, such as for an IP address.
func newWebAuthn(base *url.URL) *webauthn.WebAuthn {
	if base == nil || net.ParseIP(base.Hostname()) != nil {
		return nil
	}
	created, err := webauthn.New(&webauthn.Config{
		RPID: base.Hostname(), RPDisplayName: issuer, RPOrigins: []string{base.Scheme + "://" + base.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil // browsers do not accept this host
	}
	return created
}

// Passkeys reports whether this portal supports passkeys.
func (s *Service) Passkeys() bool { return s.relying != nil }

// keyring is a user with their passkeys, in the form that the library requires.
type keyring struct {
	user access.User
	keys []webauthn.Credential
	rows map[string]store.Credential // by handle
}

func (k *keyring) WebAuthnID() []byte                         { return []byte(k.user.UserID) }
func (k *keyring) WebAuthnName() string                       { return k.user.Email }
func (k *keyring) WebAuthnDisplayName() string                { return k.user.Name }
func (k *keyring) WebAuthnCredentials() []webauthn.Credential { return k.keys }

func passkeyHandle(rawID []byte) string {
	return "passkey:" + base64.RawURLEncoding.EncodeToString(rawID)
}

func (s *Service) keyringOf(ctx context.Context, user access.User) (*keyring, error) {
	all, err := s.store.Credentials(ctx, user.UserID)
	if err != nil {
		return nil, err
	}
	k := &keyring{user: user, rows: map[string]store.Credential{}}
	for _, c := range all {
		if c.Kind != store.CredentialPasskey {
			continue
		}
		key, err := vault.UnsealJSON[webauthn.Credential](s.vault, vault.CredentialAAD(c.ID), c.Sealed)
		if err != nil {
			return nil, err
		}
		k.keys = append(k.keys, key)
		k.rows[c.Handle] = c
	}
	return k, nil
}

// errNoPasskey is the same error for every passkey that is not accepted.
func errNoPasskey(cause error) error {
	return fault.Wrap(fault.Invalid, "This passkey isn’t registered here. Sign in with your password.", cause)
}

func errNoPasskeys() error {
	return fault.New(fault.NotFound, "Passkeys aren’t available on this portal.")
}

// BeginPasskey returns the options with which a browser creates a passkey for the user of a session.
func (s *Service) BeginPasskey(ctx context.Context, hash string, user access.User) (options []byte, err error) {
	if s.relying == nil {
		return nil, errNoPasskeys()
	}
	ring, err := s.keyringOf(ctx, user)
	if err != nil {
		return nil, err
	}
	asked, data, err := s.relying.BeginRegistration(ring,
		webauthn.WithExclusions(webauthn.Credentials(ring.keys).CredentialDescriptors()))
	if err != nil {
		return nil, fmt.Errorf("account: ask for a new passkey: %w", err)
	}
	if err := beginCeremony(ctx, s, ceremonyKey{hash, passkeyCreate, user.UserID}, *data); err != nil {
		return nil, err
	}
	return json.Marshal(asked.Response)
}

// AddPasskey stores the passkey that the browser created. It returns recovery codes for a user who has none;
// otherwise nil.
func (s *Service) AddPasskey(ctx context.Context, hash string, user access.User,
	created CreatedPasskey) ([]string, error) {
	row, err := s.newPasskeyCredential(ctx, hash, user, created)
	if err != nil {
		return nil, err
	}
	left, err := s.store.CountRecoveryCodes(ctx, user.UserID)
	if err != nil {
		return nil, err
	}
	var codes, hashes []string
	if left == 0 {
		if codes, hashes, err = s.newRecoveryCodes(ctx); err != nil {
			return nil, err
		}
	}
	err = s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if err := endCeremony(ctx, tx, hash, passkeyCreate); err != nil {
			return err
		}
		if left, err = tx.CountRecoveryCodes(ctx, user.UserID); err != nil {
			return err
		}
		if left > 0 {
			codes = nil // another passkey was added meanwhile, and its codes were displayed
		}
		if codes != nil {
			if err := tx.ReplaceRecoveryCodes(ctx, user.UserID, hashes); err != nil {
				return err
			}
		}
		if err := s.NotifyChange(ctx, tx, user, "A passkey was added"); err != nil {
			return err
		}
		return addPasskey(ctx, tx, row)
	})
	return codes, err
}

func addPasskey(ctx context.Context, tx *store.Tx, row store.Credential) error {
	if err := tx.AddCredential(ctx, row); err != nil {
		return err
	}
	return tx.AuditOwn(ctx, row.UserID, store.ActionFactorAdd, string(store.CredentialPasskey))
}

// CreatedPasskey is a passkey that a browser has created.
type CreatedPasskey struct {
	Response []byte // JSON of navigator.credentials.create
	Name     string // until the user renames it
}

// newPasskeyCredential verifies a new passkey and returns its row.
func (s *Service) newPasskeyCredential(ctx context.Context, hash string, user access.User,
	created CreatedPasskey) (store.Credential, error) {
	if s.relying == nil {
		return store.Credential{}, errNoPasskeys()
	}
	data, err := readCeremony[webauthn.SessionData](ctx, s, hash, passkeyCreate)
	if err != nil {
		return store.Credential{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(created.Response)
	if err != nil {
		return store.Credential{}, passkeyError(err)
	}
	key, err := s.relying.CreateCredential(&keyring{user: user}, data, parsed)
	if err != nil {
		return store.Credential{}, passkeyError(err)
	}
	row := store.Credential{
		ID: uuid.Must(uuid.NewV7()).String(), UserID: user.UserID, Kind: store.CredentialPasskey,
		Handle: passkeyHandle(key.ID), Name: created.Name, CreatedAt: store.Millis(s.Now()),
	}
	row.Sealed, err = vault.SealJSON(s.vault, vault.CredentialAAD(row.ID), *key)
	return row, err
}

func passkeyError(cause error) error {
	return fault.Wrap(fault.Invalid, "The passkey couldn’t be created. Try again, or use an authenticator app.",
		webauthnError(cause))
}

// BeginPasskeyFactor asks for one of a user's passkeys, under the hash of the session or of the pending
// sign-in.
func (s *Service) BeginPasskeyFactor(ctx context.Context, hash string, user access.User) (options []byte, err error) {
	if s.relying == nil {
		return nil, errNoPasskeys()
	}
	ring, err := s.keyringOf(ctx, user)
	if err != nil {
		return nil, err
	}
	if len(ring.keys) == 0 {
		return nil, errNoPasskey(errors.New("account: no passkey"))
	}
	asked, data, err := s.relying.BeginLogin(ring)
	if err != nil {
		return nil, fmt.Errorf("account: ask for a passkey: %w", err)
	}
	if err := beginCeremony(ctx, s, ceremonyKey{hash, passkeyFactor, user.UserID}, *data); err != nil {
		return nil, err
	}
	return json.Marshal(asked.Response)
}

// verifyPasskey verifies the response of one of a user's passkeys.
func (s *Service) verifyPasskey(ctx context.Context, hash string, user access.User, answer []byte) error {
	asked := ceremonyKey{hash: hash, kind: passkeyFactor}
	data, parsed, err := s.readAnswer(ctx, asked, answer)
	if err != nil {
		return err
	}
	ring, err := s.keyringOf(ctx, user)
	if err != nil {
		return err
	}
	key, err := s.relying.ValidateLogin(ring, data, parsed)
	if err != nil {
		return s.refuseAnswer(ctx, asked, ring, ClientInfo{}, webauthnError(err))
	}
	return s.savePasskeyUse(ctx, ring, key, asked, ClientInfo{})
}

// webauthnError adds the library's details for developers to its error.
func webauthnError(err error) error {
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		return fmt.Errorf("account: passkey: %s: %s", e.Details, e.DevInfo)
	}
	return err
}
