// Package embed manages the CRMs that may frame the portal, and their launches. A launch
// signs a user in only as far as the CRM's sign-in is trusted.
//
//	embed.go           the service, and why a launch was rejected, for the CRM's administrator
//	client.go          the CRMs: origins, keys, retired secrets, attestation;
//	                   client_change.go changes them; sign_in.go, the approval as a second factor;
//	                   announce.go, who is told that their trust was reset
//	record_url.go      the link from a lead to its record in the CRM
//	setup.go           what an administrator enters; origins
//	key_source.go      reads the keys of a client from its URL
//	launch.go          verifies and stores launches
//	try_launch.go      tests a launch, for the CRM's developer
//	enter.go           the session inside the frame or in a separate tab, the one-time codes for the steps, and the
//	                   user of a frame for each request
//	connect.go         links a CRM user to an account, and records that its user confirmed their identity at top level;
//	                   link.go lists and removes links
//	events.go          tells CRMs what happens to the leads of their records; event_body.go, in which words;
//	                   event_setup.go, where and signed with which secret
//	record.go          the lead of a CRM record, its summary without a frame, and where the lender gets the
//	                   record's id
//
// Package launch does the verification and stores nothing.
package embed

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/publicnet"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Service manages embedding. Create it with New.
type Service struct {
	store *store.Store
	vault *vault.Vault
	Options
	keyReads sync.Map // a lock by client: launches that wait for the same keys read them once
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
	// NotifyAdmin sends an email to an administrator about a change of a CRM; nil sends nothing.
	NotifyAdmin func(ctx context.Context, tx *store.Tx, admin access.User, what string) error
	// CRMClient sends events to CRMs and reads their keys; nil for one that connects to public addresses only.
	CRMClient *http.Client
}

// New creates a service.
func New(s *store.Store, v *vault.Vault, options Options) *Service {
	if options.Now == nil {
		options.Now = time.Now
	}
	service := &Service{store: s, vault: v, Options: options}
	if service.CRMClient == nil { // a portal that only this machine reaches may also connect to this machine
		service.CRMClient = publicnet.Client(eventTimeout, service.isLocal())
	}
	return service
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

// The endpoints that reject a client.
const (
	EndpointLaunch = "launch"
	EndpointCard   = "card"
)

// endpointField marks the row of a field of a launch. Its cause is the name of the field.
const endpointField = "field"

// unusedFieldInterval is the minimum time before the same field is stored again.
const unusedFieldInterval = time.Hour

// UnusedField is a field of a client's launches that filled in nothing: unknown, or with a value that its control does
// not accept.
type UnusedField struct {
	Name string
	At   time.Time // the last time, to the hour
}

// Rejection is the latest time at which a client was rejected for a cause.
type Rejection struct {
	Endpoint string
	Cause    launch.Cause
	At       time.Time
}

// rejectionInterval is the minimum time before the same rejection is stored again, so that a
// flood of forgeries does not keep the database busy.
const rejectionInterval = 10 * time.Second

// Rejections lists the recent rejections of a client, and the fields of its recent launches that filled in nothing,
// both the latest first, for its administrator. The user sees the same message for every cause.
func (s *Service) Rejections(ctx context.Context, key string) (rejected []Rejection, unused []UnusedField, err error) {
	rows, err := s.store.EmbedRejections(ctx, key)
	for _, r := range rows {
		if r.Endpoint == endpointField {
			unused = append(unused, UnusedField{Name: r.Cause, At: store.Instant(r.At)})
		} else {
			rejected = append(rejected, Rejection{Endpoint: r.Endpoint, Cause: launch.Cause(r.Cause), At: store.Instant(r.At)})
		}
	}
	return rejected, unused, err
}

// LogUnusedFields stores the names of fields that filled in nothing. An error while storing does not change the page.
func (s *Service) LogUnusedFields(ctx context.Context, c Client, names []string) {
	for _, name := range names {
		row := store.EmbedRejection{Client: c.Key, Endpoint: endpointField, Cause: name, At: store.Millis(s.Now())}
		s.saveRejection(ctx, row, unusedFieldInterval)
	}
}

// saveRejection stores a rejection, unless the same one was stored within the interval.
func (s *Service) saveRejection(ctx context.Context, row store.EmbedRejection, interval time.Duration) {
	if recent, err := s.store.EmbedRejectedSince(ctx, row, s.Now().Add(-interval)); err == nil && !recent {
		_ = s.store.Write(ctx, func(tx *store.Tx) error { return tx.SaveEmbedRejection(ctx, row) })
	}
}

// logRejection stores why a client was rejected, and returns the rejection. An error while
// storing does not change the response.
func (s *Service) logRejection(ctx context.Context, c Client, endpoint string, rejected error) error {
	row := store.EmbedRejection{Client: c.Key, Endpoint: endpoint, At: store.Millis(s.Now())}
	_, tooOften := errors.AsType[*account.TooSoon](rejected)
	switch kind := fault.KindOf(rejected); {
	case tooOften:
		row.Cause = string(launch.CauseRateLimit)
	case kind == fault.Denied:
		row.Cause = string(launch.CauseOf(rejected))
	case kind == fault.NotFound:
		row.Cause = string(launch.CauseWrongKind)
	case kind == fault.Conflict:
		row.Cause = string(launch.CauseUsed)
	default:
		return rejected // our own failure is not the client's fault
	}
	s.saveRejection(ctx, row, rejectionInterval)
	return rejected
}
