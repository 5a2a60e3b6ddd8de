// Package embed knows the CRMs that may frame the desk, and how somebody comes from one:
// launched, recognised, gone on with, and only so far trusted as the CRM's word reaches.
//
//	embed.go    the service
//	client.go   the CRMs: their origins, their keys, who approved their log-in
//	client_save.go, client_admin.go  adding and changing one; secret.go, secrets that end
//	setup.go    what is entered of one; origin.go, how a page is named
//	launch.go   a launch, verified and kept; launch_call.go, one that a CRM's server asks for
//	code.go     codes that lead a launch on, each good for one step and once
//	rejection.go  why one was refused, for who looks after the CRM
//	enter.go    going on with it: the session inside the frame, and in a tab of its own
//	visit.go    who is in a frame, for each request
//	launch_expired.go     whose frame it was, for what comes after its end
//	connect.go  which account a log-in of the CRM belongs to, and proving it once more
//	link.go     the log-ins that belong to an account, and cutting them
//	record.go   which lead belongs to a record of the CRM
//	crm_card.go     where that lead stands, told without a frame
//
// Verification itself is launch's, which keeps nothing.
package embed

import (
	"context"
	"net/url"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Service is the use of embedding. Make it with New.
type Service struct {
	store *store.Store
	vault *vault.Vault
	Options
}

// Options of a Service.
type Options struct {
	Now  func() time.Time // time.Now when nil
	Base *url.URL         // the portal as browsers see it
	// ReservedReference is the reference that carries the portal's own number to the lender, so that a
	// record of the CRM takes another.
	ReservedReference string
	// Notify writes to a person how they sign in was changed; nobody when nil.
	Notify func(ctx context.Context, tx *store.Tx, person access.User, what string) error
}

// New makes a service.
func New(s *store.Store, v *vault.Vault, options Options) *Service {
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Service{store: s, vault: v, Options: options}
}

// publicURL is a public address of the portal, as a CRM was told it.
func (s *Service) publicURL(path string) string {
	if s.Base == nil {
		return path
	}
	return s.Base.Scheme + "://" + s.Base.Host + path
}

func (s *Service) write(ctx context.Context, f func(tx *store.Tx) error) error {
	return s.store.Write(ctx, f)
}

// ErrCodeExpired is the answer to a code that was used, has run out or never was.
var ErrCodeExpired = fault.New(fault.Conflict, "This page has waited too long, or was used before.")
