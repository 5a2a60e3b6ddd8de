// Package account authenticates users, starts their sessions and manages their accounts. Package access decides what a
// user may do.
//
//	sign_in.go         email and password, with the same answer for every failure
//	session.go         what follows the first factor: a session, or the second step
//	attempt.go         attempts, counted before they are checked; backoff.go, waiting times after failures,
//	                   and known browsers; no account is ever locked by them
//	rate_limit.go      limits per network address; rejection.go, audited rejections
//	alert.go           alerts about unusual sign-ins
//	hash.go            argon2id, with a limit on concurrent hashes; password.go, which passwords are rejected
//	second_factor.go   the second step of a sign-in, and step-up
//	passkey.go         creating and verifying passkeys, signing in with one
//	sso.go             single sign-on at the organization's provider; sso_claims.go, its tokens
//	totp.go            authenticator apps; recovery.go, the codes for a lost one
//	factor.go          a user's factors, adding and removing them
//	ceremony.go        multi-step procedures of a browser: sealed, short-lived, finished once; forms that wait
//	link.go            emailed links; set_up.go, what they open, and whether they are still valid
//	invite.go          invitations from colleagues; outbox.go, the queue of emails
//	email_change.go    a new email address for an account
//	manage.go          adding, disabling, roles and resets, for `portal user`
package account

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"hearthline/internal/access"
	"hearthline/internal/input"
	"hearthline/internal/mail"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Service manages accounts and authenticates users. Make it with New.
type Service struct {
	store  *store.Store
	vault  *vault.Vault
	hasher *hasher
	Options

	relying *webauthn.WebAuthn // nil where passkeys are not possible
}

// Options configure a Service. The zero value requires no second factor, and uses the hashing cost and the
// clock of production.
type Options struct {
	Cost                 Cost             // of hashing; DefaultCost when zero
	Now                  func() time.Time // time.Now when nil
	SecondFactorRequired bool             // every user needs a second factor
	Base                 *url.URL         // the portal's URL in browsers, for passkeys and for links
	SSO                  *SSO             // nil: no single sign-on
	Sender               mail.Sender      // nil: mails stay in the outbox
	// Directory looks up one originator by email at the lender and stores the answer; nil disables the
	// lookup.
	Directory func(ctx context.Context, email string) error
}

// New returns a service.
func New(s *store.Store, v *vault.Vault, options Options) *Service {
	if options.Cost == (Cost{}) {
		options.Cost = DefaultCost()
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Service{store: s, vault: v, hasher: newHasher(options.Cost), Options: options,
		relying: newWebAuthn(options.Base)}
}

// FoldEmail returns an email address in the form in which it is stored and looked up.
func FoldEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// typedEmail folds an email that a person typed, without what comes along when it is pasted. What a provider or a CRM
// states about a user is not cleaned: two addresses that look alike may be two people's.
func typedEmail(email string) string { return FoldEmail(input.Email(email).Text) }

// unlessChanged runs f in one transaction, unless the user's account has changed since it was read. Decisions
// about how a user signs in take time, for example for hashing or a challenge, so the account may change
// meanwhile. fault.Conflict.
func (s *Service) unlessChanged(ctx context.Context, user access.User, f func(tx *store.Tx) error) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.CheckUnchanged(ctx, user.Actor); err != nil {
			return err
		}
		return f(tx)
	})
}
