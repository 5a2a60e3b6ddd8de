package account

import (
	"cmp"
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

// keyringOf returns fault.NotFound where this portal supports no passkeys.
func (s *Service) keyringOf(ctx context.Context, user access.User) (*keyring, error) {
	if s.relying == nil {
		return nil, errNoPasskeys()
	}
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
	return s.savePasskey(ctx, hash, user, created, func(*store.Tx) error { return nil })
}

// savePasskey stores a new passkey after more has succeeded in the same transaction.
func (s *Service) savePasskey(ctx context.Context, hash string, user access.User, created CreatedPasskey,
	more func(tx *store.Tx) error) ([]string, error) {
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
		if codes, hashes, err = s.newRecoveryCodes(ctx, user.UserID); err != nil {
			return nil, err
		}
	}
	err = s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if err := cmp.Or(more(tx), endCeremony(ctx, tx, hash, passkeyCreate)); err != nil {
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
		return cmp.Or(s.NotifyChange(ctx, tx, user, "A passkey was added"), addPasskey(ctx, tx, row))
	})
	return codes, err
}

func addPasskey(ctx context.Context, tx *store.Tx, row store.Credential) error {
	return cmp.Or(tx.AddCredential(ctx, row),
		tx.AuditOwn(ctx, row.UserID, store.ActionFactorAdd, string(store.CredentialPasskey)))
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

// BeginPasskeySignIn asks a browser for any passkey of this portal. The browser stores the token and passes
// the options (JSON) to navigator.credentials.get.
func (s *Service) BeginPasskeySignIn(ctx context.Context, from ClientInfo) (token string, options []byte, err error) {
	if s.relying == nil {
		return "", nil, errNoPasskeys()
	}
	if err := s.charge(ctx, s.addressLimit(tryChallenge, from, successCost)); err != nil {
		return "", nil, err
	}
	asked, data, err := s.relying.BeginDiscoverableLogin()
	if err != nil {
		return "", nil, fmt.Errorf("account: ask for a passkey: %w", err)
	}
	token, hash := NewToken()
	if err := beginCeremony(ctx, s, ceremonyKey{hash: hash, kind: passkeySignIn}, *data); err != nil {
		return "", nil, err
	}
	options, err = json.Marshal(asked.Response)
	return token, options, err
}

// PasskeySignIn finds the user whose passkey has responded.
func (s *Service) PasskeySignIn(ctx context.Context, token string, answer []byte,
	from ClientInfo) (access.User, error) {
	tried := s.addressLimit(tryPasskey, from, attemptCost)
	if err := s.charge(ctx, tried); err != nil {
		return access.User{}, err
	}
	asked := ceremonyKey{hash: HashToken(token), kind: passkeySignIn}
	data, parsed, err := s.readAnswer(ctx, asked, answer)
	if err != nil {
		return access.User{}, err
	}
	var ring *keyring
	_, key, err := s.relying.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		user, err := s.store.User(ctx, string(handle))
		if err == nil && user.Disabled {
			err = errors.New("account: closed")
		}
		if err != nil {
			return nil, err
		}
		ring, err = s.keyringOf(ctx, user)
		return ring, err
	}, data, parsed)
	if err != nil {
		return access.User{}, s.refuseAnswer(ctx, asked, ring, from, webauthnError(err))
	}
	if err := s.savePasskeyUse(ctx, ring, key, asked, from); err != nil {
		return access.User{}, err
	}
	return ring.user, s.accepted(ctx, []limit{tried})
}

// readAnswer reads a challenge and parses a passkey's answer to it. An answer that cannot be parsed ends the challenge.
func (s *Service) readAnswer(ctx context.Context, asked ceremonyKey,
	answer []byte) (webauthn.SessionData, *protocol.ParsedCredentialAssertionData, error) {
	if s.relying == nil {
		return webauthn.SessionData{}, nil, errNoPasskeys()
	}
	data, err := readCeremony[webauthn.SessionData](ctx, s, asked.hash, asked.kind)
	if err != nil {
		return data, nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		err = errors.Join(errNoPasskey(webauthnError(err)), s.endChallenge(ctx, asked))
	}
	return data, parsed, err
}

// endChallenge ends a challenge whose answer was refused, so that nobody can try another answer. It does so even
// if the client has disconnected.
func (s *Service) endChallenge(ctx context.Context, asked ceremonyKey) error {
	ctx = context.WithoutCancel(ctx)
	return s.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.EndCeremony(ctx, asked.hash, string(asked.kind))
		return err
	})
}

// refuseAnswer ends the challenge, audits that its answer was not accepted, and returns the error.
func (s *Service) refuseAnswer(ctx context.Context, asked ceremonyKey, ring *keyring, from ClientInfo,
	cause error) error {
	if err := s.endChallenge(ctx, asked); err != nil {
		return err
	}
	userID := ""
	if ring != nil {
		userID = ring.user.UserID
	}
	if err := s.auditRejection(ctx, rejectedSignIn(userID, access.ByPasskey), from); err != nil {
		return err
	}
	return errNoPasskey(cause)
}

// savePasskeyUse stores what the use of a passkey has changed, and ends the ceremony. A counter that
// decreased indicates a copy of a key that must not be copied.
func (s *Service) savePasskeyUse(ctx context.Context, ring *keyring, key *webauthn.Credential, b ceremonyKey,
	from ClientInfo) error {
	row := ring.rows[passkeyHandle(key.ID)]
	if key.Authenticator.CloneWarning {
		return s.refuseAnswer(ctx, b, ring, from, errors.New("account: a passkey's counter went backward"))
	}
	var err error
	if row.Sealed, err = vault.SealJSON(s.vault, vault.CredentialAAD(row.ID), *key); err != nil {
		return err
	}
	row.UsedAt = store.Millis(s.Now())
	return s.unlessChanged(ctx, ring.user, func(tx *store.Tx) error {
		if err := endCeremony(ctx, tx, b.hash, b.kind); err != nil {
			return err
		}
		had, err := tx.UseCredential(ctx, row)
		if err == nil && !had {
			err = errNoPasskey(errors.New("account: a passkey that was removed"))
		}
		return err
	})
}
