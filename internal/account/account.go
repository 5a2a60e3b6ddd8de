// Package account knows how a person proves who they are, and how accounts come
// and go. What a person may then do is access's business.
//
//	sign_in.go     e-mail and password, with the same answer for every failure
//	backoff.go      how long to wait after failures; nobody is ever locked out
//	rate_limit.go    what one address may try; rejection.go, refusals in the audit, bounded
//	alert.go      what people are told about log-ins that are not as usual
//	hash.go       argon2id, a bounded number at a time
//	password.go   which passwords are refused, and why
//	second_factor.go     the second step of a log-in, and the proof asked for in between
//	passkey.go    passkeys, made and shown to prove it; passkey_sign_in.go, to come in by one
//	sso.go        single sign-on at the organization's provider; sso_claims.go, what it says of a person
//	totp.go       authenticator apps; recovery.go, the codes for a lost one
//	factor.go     what a person has to prove themselves with, added and taken away
//	ceremony.go   what a browser has begun: sealed, short-lived, finished once
//	link.go       links by mail: the first visit, another password; set_up.go, what they lead to;
//	              eligibility.go, whether they still do
//	invite.go     people whom a colleague names; outbox.go, where mails wait
//	email_change.go    another address for an account
//	manage.go     adding, disabling, roles and resets, for `portal user`
//
// Sessions are web's: who has proved enough is handed to it.
package account

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Service is the use of accounts. Make it with New.
type Service struct {
	store  *store.Store
	vault  *vault.Vault
	hasher *hasher
	Options

	relying *webauthn.WebAuthn // nil where there are no passkeys
}

// Options of a Service. The zero value asks for no second factor and has the costs and
// the clock of production.
type Options struct {
	Cost                 Cost             // of hashing; DefaultCost when zero
	Now                  func() time.Time // time.Now when nil
	SecondFactorRequired bool             // everybody needs a second factor
	Base                 *url.URL         // the portal as browsers see it: for whom passkeys are made, where links lead
	SSO                  *SSO             // nil: no single sign-on
	Sender               mail.Sender      // nil: letters wait in the outbox
	// Directory asks the lender for one originator by e-mail, into the store; nil asks nobody.
	Directory func(ctx context.Context, email string) error
}

// New makes a service.
func New(s *store.Store, v *vault.Vault, options Options) *Service {
	if options.Cost == (Cost{}) {
		options.Cost = DefaultCost()
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Service{store: s, vault: v, hasher: newHasher(options.Cost), Options: options, relying: newWebAuthn(options.Base)}
}

// FoldEmail gives the one form in which an e-mail address is kept and looked up.
func FoldEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// write runs f in one transaction.
func (s *Service) write(ctx context.Context, f func(tx *store.Tx) error) error {
	return s.store.Write(ctx, f)
}

// unlessChanged runs f in one transaction, unless a person's account has changed since they
// were read: whatever is decided about how somebody signs in was decided a while before, over
// a hash or a challenge. fault.Conflict.
func (s *Service) unlessChanged(ctx context.Context, user access.User, f func(tx *store.Tx) error) error {
	return s.write(ctx, func(tx *store.Tx) error {
		if err := tx.CheckUnchanged(ctx, user.Actor); err != nil {
			return err
		}
		return f(tx)
	})
}
