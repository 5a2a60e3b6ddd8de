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

// BeginPasskeyLogIn asks a browser for any passkey of this portal. The token is for the
// browser to keep, the options (JSON) for navigator.credentials.get.
func (s *Service) BeginPasskeyLogIn(ctx context.Context) (token string, options []byte, err error) {
	if s.relying == nil {
		return "", nil, errNoPasskeys()
	}
	asked, data, err := s.relying.BeginDiscoverableLogin()
	if err != nil {
		return "", nil, fmt.Errorf("account: ask for a passkey: %w", err)
	}
	token, hash := NewToken()
	if err := begin(ctx, s, begun{hash: hash, kind: passkeyIn}, *data); err != nil {
		return "", nil, err
	}
	options, err = json.Marshal(asked.Response)
	return token, options, err
}

// PasskeyLogIn finds the person whose passkey has answered.
func (s *Service) PasskeyLogIn(ctx context.Context, token string, answer []byte) (access.User, error) {
	if s.relying == nil {
		return access.User{}, errNoPasskeys()
	}
	hash := HashToken(token)
	data, err := look[webauthn.SessionData](ctx, s, hash, passkeyIn)
	if err != nil {
		return access.User{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return access.User{}, errNoPasskey(told(err))
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
		return access.User{}, s.notePasskey(ctx, ring, told(err))
	}
	return ring.user, s.usePasskey(ctx, ring, key, hash, passkeyIn)
}

// notePasskey audits a passkey that did not open, and is the refusal.
func (s *Service) notePasskey(ctx context.Context, ring *keyring, cause error) error {
	object := "user:unknown"
	if ring != nil {
		object = "user:" + ring.user.UserID
	}
	err := s.write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.Audited{ActorID: "nobody", Action: store.ActLogIn, Object: object, Outcome: "refused", Detail: string(access.ByPasskey)})
	})
	if err != nil {
		return err
	}
	return errNoPasskey(cause)
}

// usePasskey keeps what the use of a key has changed, and ends the ceremony. A counter
// that went back says that there are two of a key that cannot be copied.
func (s *Service) usePasskey(ctx context.Context, ring *keyring, key *webauthn.Credential, hash string, kind ceremony) error {
	row := ring.rows[handleOf(key.ID)]
	if key.Authenticator.CloneWarning {
		return s.notePasskey(ctx, ring, errors.New("account: a passkey's counter went back"))
	}
	var err error
	if row.Sealed, err = vault.SealJSON(s.vault, placeOfCredential(row.ID), *key); err != nil {
		return err
	}
	row.UsedAt = store.Millis(s.Now())
	return s.write(ctx, func(tx *store.Tx) error {
		if err := end(ctx, tx, hash, kind); err != nil {
			return err
		}
		return tx.UseCredential(ctx, row)
	})
}
