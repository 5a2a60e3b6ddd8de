// Package embed manages the CRMs that may frame the portal, and their launches. A launch
// signs a user in only as far as the CRM's sign-in is trusted.
//
//	embed.go           the service
//	client.go          the CRMs: origins, keys, retired secrets, attestation;
//	                   client_save.go and client_admin.go change them
//	setup.go           what an administrator enters; parse_origin.go, origins
//	launch.go          verifies and stores launches
//	enter.go           the session inside the frame or in a separate tab, and the one-time codes for the steps
//	visit.go           the user of a frame, for each request and after its end
//	connect.go         links a CRM user to an account; link.go lists and removes links
//	record.go          the lead of a CRM record, and where the lender gets the record's id;
//	                   crm_card.go, its summary without a frame
//	rejection.go       why a launch was rejected, for the CRM's administrator
//
// Package launch does the verification and stores nothing.
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

// Service manages embedding. Create it with New.
type Service struct {
	store *store.Store
	vault *vault.Vault
	Options
}

// Options of a Service.
type Options struct {
	Now  func() time.Time // time.Now when nil
	Base *url.URL         // the portal's URL as browsers see it
	// ReservedReference is the reference that contains the portal's own number at the lender, so a
	// CRM record uses another one.
	ReservedReference string
	// Notify sends an email to a user whose sign-in options changed; nil sends nothing.
	Notify func(ctx context.Context, tx *store.Tx, person access.User, what string) error
}

// New creates a service.
func New(s *store.Store, v *vault.Vault, options Options) *Service {
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Service{store: s, vault: v, Options: options}
}

// publicURL is a public URL of the portal, as configured in a CRM.
func (s *Service) publicURL(path string) string {
	if s.Base == nil {
		return path
	}
	return s.Base.Scheme + "://" + s.Base.Host + path
}

// ErrCodeExpired is the error for a code that was used, has expired or never existed.
var ErrCodeExpired = fault.New(fault.Conflict, "This page expired or was already used.")
