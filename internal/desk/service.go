// Package desk implements everything that one signed-in user can do.
//
//	service.go  Service makes desks, and does background work
//	desk.go     Desk: one user, their handles, and one lead
//
// The handles are in packages by area: lead, offers, intake, pipeline, reassign, team, reports, crm, admin, account
// and demo. Desk returns a handle only to users who have its permission, and every method of the handle checks again.
// Package web has no other way to the lender or the store, because only packages below this one can import
// internal/core. Where the policy requires step-up, the desk requires it too. A background job that acts for a user
// has not stepped up, so it cannot reveal borrower details, send an SSN or administer anything.
package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/desk/offers"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/desk/reports"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Service makes desks, and does the work that is not done for a signed-in user.
type Service struct{ services core.Services }

// New builds the service.
func New(d core.Deps) *Service { return &Service{core.New(d)} }

// For returns the desk of a user. It checks no permission yet.
func (s *Service) For(actor access.Actor) *Desk {
	core := s.services.For(actor)
	return &Desk{&core.Actor, core}
}

// InBackground marks the calls under this context as work for a company that nobody waits for.
func InBackground(ctx context.Context, company string) context.Context {
	return partner.WithCaller(ctx, partner.Caller{Company: company, Background: true})
}

// WithNetwork records the network that the requests under this context come from, for the audit.
func WithNetwork(ctx context.Context, network string) context.Context {
	return store.WithNetwork(ctx, network)
}

// ConsentVersion names the consent text in use.
func (s *Service) ConsentVersion() string { return s.services.Consent.Version }

// EstimatesEnabled reports whether quick estimates are offered.
func (s *Service) EstimatesEnabled() bool { return s.services.EstimateAccess.Enabled() }

// BorrowerLinksEnabled reports whether borrowers can continue alone, by a link.
func (s *Service) BorrowerLinksEnabled() bool { return s.services.BorrowerLink.Enabled() }

// SendingPaused reports whether sending is paused, for background work, which then waits.
func (s *Service) SendingPaused() bool { return !s.services.LenderHealth.DownSince().IsZero() }

// CompanyLogo returns a logo by its digest. Logos are public: they are on pages that are shared by a link.
func (s *Service) CompanyLogo(ctx context.Context, digest string) ([]byte, error) {
	return s.services.Store.CompanyLogo(ctx, digest)
}

// FetchOriginator looks an originator up at the lender by email and stores who is found.
func (s *Service) FetchOriginator(ctx context.Context, email string) error {
	return s.services.FetchOriginator(ctx, email)
}

// CalendarByToken lists the dates of the user to whom a calendar feed's token belongs; fault.NotFound when it is not
// valid.
func (s *Service) CalendarByToken(ctx context.Context, token string) ([]pipeline.CalendarEntry, error) {
	return pipeline.CalendarByToken(ctx, s.services, token)
}

// OpenSharedQuote finds what a link shows, for whoever has the link.
func (s *Service) OpenSharedQuote(ctx context.Context, token string) (offers.OpenedQuote, error) {
	return offers.OpenSharedQuote(ctx, s.services, token)
}

// CountOpening counts that a link was opened.
func (s *Service) CountOpening(ctx context.Context, token string) error {
	return offers.CountOpening(ctx, s.services, token)
}

// FinishRepull ends the attempt of a planned re-pull with its outcome.
func (s *Service) FinishRepull(ctx context.Context, plan lead.Repull, notice string) error {
	return desklead.FinishRepull(ctx, s.services, plan, notice)
}

// RunAssignmentRules assigns unassigned leads of every company whose rules are on.
func (s *Service) RunAssignmentRules(ctx context.Context) error {
	return reassign.RunAssignmentRules(ctx, s.services)
}

// StartReturns gives back the leads of those who are back, and asks about the others.
func (s *Service) StartReturns(ctx context.Context) error {
	return reassign.StartReturns(ctx, s.services)
}

// BulkReassignmentsForJob returns the bulk reassignments of a job in the name of the user who started it.
func (s *Service) BulkReassignmentsForJob(ctx context.Context, job lead.Job) (*reassign.Bulk, error) {
	return reassign.BulkReassignmentsForJob(ctx, s.services, job)
}

// StopRun stops the remaining rows of a run whose user may no longer do it.
func (s *Service) StopRun(ctx context.Context, job lead.Job, why string) error {
	return reassign.StopRun(ctx, s.services, job, why)
}

// SendMonthlyReports writes the summaries of the last month that are due.
func (s *Service) SendMonthlyReports(ctx context.Context) error {
	return reports.SendMonthlyReports(ctx, s.services)
}

// Deps and the types below are what desks are built on; nothing outside this folder can name those of core.
//
//nolint:revive // one sentence for all
type (
	Deps           = core.Deps
	ConsentText    = core.ConsentText
	EstimateAccess = core.EstimateAccess
	BorrowerLink   = core.BorrowerLink
	CompanyLimits  = core.CompanyLimits
	StorageCheck   = core.StorageCheck

	AssistantChoice = core.AssistantChoice
)
