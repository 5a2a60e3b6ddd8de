package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"hearthline/internal/access"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

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
	return s.write(ctx, func(tx *store.Tx) error {
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
