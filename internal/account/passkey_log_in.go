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
func (s *Service) BeginPasskeyLogIn(ctx context.Context, from From) (token string, options []byte, err error) {
	if s.relying == nil {
		return "", nil, errNoPasskeys()
	}
	if err := s.ask(ctx, askPasskey, from); err != nil {
		return "", nil, err
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
func (s *Service) PasskeyLogIn(ctx context.Context, token string, answer []byte, from From) (access.User, error) {
	if s.relying == nil {
		return access.User{}, errNoPasskeys()
	}
	if err := s.try(ctx, givePasskey, from); err != nil {
		return access.User{}, err
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
		return access.User{}, s.notePasskey(ctx, ring, from, told(err))
	}
	if err := s.usePasskey(ctx, ring, key, begun{hash: hash, kind: passkeyIn}, from); err != nil {
		return access.User{}, err
	}
	return ring.user, s.succeeded(ctx, givePasskey, from)
}

// notePasskey audits a passkey that did not open, and is the refusal.
func (s *Service) notePasskey(ctx context.Context, ring *keyring, from From, cause error) error {
	r := refusal{Audited: store.Audited{ActorID: "nobody", Action: store.ActLogIn, Object: "user:unknown", Outcome: "refused", Detail: string(access.ByPasskey)}}
	if ring != nil {
		r.Object, r.known = "user:"+ring.user.UserID, true
	}
	if err := s.noteRefusal(ctx, r, from); err != nil {
		return err
	}
	return errNoPasskey(cause)
}

// usePasskey keeps what the use of a key has changed, and ends the ceremony. A counter
// that went back says that there are two of a key that cannot be copied.
func (s *Service) usePasskey(ctx context.Context, ring *keyring, key *webauthn.Credential, b begun, from From) error {
	row := ring.rows[handleOf(key.ID)]
	if key.Authenticator.CloneWarning {
		return s.notePasskey(ctx, ring, from, errors.New("account: a passkey's counter went back"))
	}
	var err error
	if row.Sealed, err = vault.SealJSON(s.vault, placeOfCredential(row.ID), *key); err != nil {
		return err
	}
	row.UsedAt = store.Millis(s.Now())
	return s.unlessChanged(ctx, ring.user, func(tx *store.Tx) error {
		if err := end(ctx, tx, b.hash, b.kind); err != nil {
			return err
		}
		had, err := tx.UseCredential(ctx, row)
		if err == nil && !had {
			err = errNoPasskey(errors.New("account: a passkey that was removed"))
		}
		return err
	})
}
