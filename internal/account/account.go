// Package account knows how a person proves who they are, and how accounts come
// and go. What a person may then do is access's business.
//
//	log_in.go     e-mail and password, with the same answer for every failure
//	delay.go      how long to wait after failures; nobody is ever locked out
//	hash.go       argon2id, a bounded number at a time
//	password.go   which passwords are refused, and why
//	manage.go     adding, disabling, roles and resets, for `portal user`
//
// Sessions are web's: a successful LogIn hands it the person.
package account

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/access"
)

// Accounts is the part of the store that this package needs. E-mails arrive
// folded (FoldEmail) and are unique. Methods answer fault.NotFound for an
// unknown user and fault.Conflict for an e-mail that is taken; every change is
// audited in its own transaction.
type Accounts interface {
	// UserByEmail returns the user and the password's hash in PHC form, empty
	// when the person has no password.
	UserByEmail(ctx context.Context, email string) (access.User, string, error)
	// AddUser keeps a new user under user.UserID.
	AddUser(ctx context.Context, user access.User, passwordHash string) error
	// RefreshPasswordHash replaces the hash of an unchanged password: sessions stay.
	RefreshPasswordHash(ctx context.Context, userID, passwordHash string) error
	// ResetPassword replaces the password and ends every session of the user.
	ResetPassword(ctx context.Context, userID, passwordHash string) error
	// SetUserRole changes the role; sessions see it with their next request.
	SetUserRole(ctx context.Context, userID string, role access.Role) error
	// DisableUser closes the account and ends every session of the user.
	DisableUser(ctx context.Context, userID string) error

	// LogInFailures reads a counter; zero values for a key never seen.
	LogInFailures(ctx context.Context, key string) (access.Failures, error)
	// CountLogInFailure sets the counter to next if it still reads seen, and says
	// whether it did; of two attempts at once only one gets through.
	CountLogInFailure(ctx context.Context, key string, seen, next access.Failures) (bool, error)
	// ClearLogInFailures forgets a counter.
	ClearLogInFailures(ctx context.Context, key string) error
}

// Digester makes the keyed digests under which failures are counted, so that the
// table names nobody. A vault is one.
type Digester interface {
	Digest(parts ...string) string
}

// Service is the use of accounts. Make it with New.
type Service struct {
	accounts Accounts
	digester Digester
	hasher   *hasher
	now      func() time.Time
}

// Options of a Service. The zero value is right for production.
type Options struct {
	Cost Cost             // of hashing; DefaultCost when zero
	Now  func() time.Time // time.Now when nil
}

// New makes a service.
func New(accounts Accounts, digester Digester, options Options) *Service {
	if options.Cost == (Cost{}) {
		options.Cost = DefaultCost()
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Service{accounts: accounts, digester: digester, hasher: newHasher(options.Cost), now: options.Now}
}

// FoldEmail gives the one form in which an e-mail address is kept and looked up.
func FoldEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
