// Package desk implements everything that one signed-in user can do.
//
//	desk.go  Service and Desk; lead.go, lead_view.go, lead_write.go  one lead, its view, and its writes through the journal
//	resolve.go, cancel.go, offer.go, choice.go, figure_check.go, quote.go, figures.go, payoff.go, income.go  the steps of a lead
//	intake.go, draft.go, draft_editable.go, draft_transfer.go, draft_import*.go, clone.go, restart.go, borrower_link.go, estimate.go  new inquiries
//	reassign.go, reassign_note.go, reassign_undo.go, departed.go, team.go  reassigning leads
//	reassign_bulk.go, reassign_plan.go, reassign_split.go, reassign_targets.go, availability.go  many leads: who gets which
//	rules.go, rule_run.go, rule_choice.go, rule_wait.go, rule_page.go  unassigned leads that are assigned automatically
//	reassign_run.go, reassign_undo_all.go, reassign_received.go  many leads: the run, its undo, what an originator received
//	absence.go, absence_list.go, absence_view.go  absences and who covers; team_people.go, offboard.go  the people of a company
//	company_limit.go  what a company may do within an hour
//	reveal.go, contact.go, note.go, document.go, attributions.go, repull_plan.go, repull_due.go, receipt.go  other work on a lead
//	report.go, report_figures.go, monthly_report.go, saved_view.go  a company's figures, saved lists
//	pipeline.go, search_terms.go, export.go, dates.go, inbox.go, usual_waits.go  lists, exports, calendar, notifications
//	rehearsal.go  what a user practices in the demo
//	launched.go, launched_*.go, crm_record.go, connected_crms.go, embed_clients.go  CRMs
//	account.go, account_sessions.go  the user's own account
//	borrower_contact.go, shared_quote.go  what a borrower is shown
//	people.go, people_close.go, invitations.go, directory.go, directory_review.go, license.go, branding.go, health.go, payments.go, audit.go  administration
//
// Desk returns a handle only with its permission, and every method of the handle checks again: web has no other way
// to the lender or the store. Where the policy requires step-up, the desk requires it too. A background job that acts
// for a user has not stepped up, so it cannot reveal borrower details, send an SSN or administer anything.
//
// The package is large on purpose: every handle is made from the unexported services of one Desk. In packages of their
// own, handles would need those services exported, and web could reach them.
package desk

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Deps is what desks are built on. Everything but EstimateAccess and BorrowerLink is required.
type Deps struct {
	Store        *store.Store
	Vault        *vault.Vault
	Lender       *partner.Client
	Journal      *journal.Journal
	Hub          *pubsub.Hub
	Refresher    LeadRefresher
	LenderHealth LenderHealth
	Now          store.Clock
	Accounts     *account.Service
	Embeds       *embed.Service // CRMs that embed the portal
	Consent      ConsentText
	Payments     heloc.PaymentModel // what our estimates assume
	// EstimateAccess is how quick estimates are requested; the zero value offers none.
	EstimateAccess EstimateAccess
	// BorrowerLink is where borrowers continue alone; the zero value offers no such link.
	BorrowerLink BorrowerLink
	// CompanyLimits limit what the users of one company do together; the zero value limits nothing.
	CompanyLimits CompanyLimits
	// FirstFetchTimeout is the longest wait for a part that was never fetched; DefaultFirstFetchTimeout when zero.
	FirstFetchTimeout time.Duration
}

// DefaultFirstFetchTimeout is as long as a user may wait for a page.
const DefaultFirstFetchTimeout = 2 * time.Second

// backend is what every handle works with. Handles embed it, and its fields are unexported, so no
// other package can reach the store or the lender through a handle: the compiler refuses it.
type backend struct {
	store        *store.Store
	vault        *vault.Vault
	lender       *partner.Client
	journal      *journal.Journal
	hub          *pubsub.Hub
	refresher    LeadRefresher
	lenderHealth LenderHealth
	now          store.Clock
	accounts     *account.Service
	embeds       *embed.Service
	consent      ConsentText
	payments     heloc.PaymentModel
	estimates    EstimateAccess
	borrowerLink BorrowerLink
	firstFetch   time.Duration // the longest wait for a part that was never fetched

	companyLimits CompanyLimits

	usualWaits waitCache
	storage    storageChecks
}

// Service makes desks, and does the work that no signed-in user asks for.
type Service struct{ *backend }

// New builds the service.
func New(d Deps) *Service {
	return &Service{&backend{
		store: d.Store, vault: d.Vault, lender: d.Lender, journal: d.Journal, hub: d.Hub, refresher: d.Refresher, lenderHealth: d.LenderHealth, now: d.Now,
		accounts: d.Accounts, embeds: d.Embeds, consent: d.Consent, payments: d.Payments, estimates: d.EstimateAccess, borrowerLink: d.BorrowerLink,
		companyLimits: d.CompanyLimits, firstFetch: cmp.Or(d.FirstFetchTimeout, DefaultFirstFetchTimeout),
	}}
}

// ConsentVersion names the consent text in use.
func (r *Service) ConsentVersion() string { return r.consent.Version }

// EstimatesEnabled reports whether quick estimates are offered.
func (r *Service) EstimatesEnabled() bool { return r.estimates.Enabled() }

// BorrowerLinksEnabled reports whether borrowers can continue alone, by a link.
func (r *Service) BorrowerLinksEnabled() bool { return r.borrowerLink.Enabled() }

// LeadRefresher reads leads and the directory from the lender again.
type LeadRefresher interface {
	RequestRefresh(app heloc.AppID, company string, parts ...lead.Part)
	Refresh(ctx context.Context, app heloc.AppID, parts ...lead.Part) error
	Adopt(ctx context.Context, app heloc.AppID, by store.Adopter) error
	SyncDirectory(ctx context.Context) error
}

// LenderHealth reports since when the lender has not responded, the zero time while it responds, and how it last
// refused the portal's key.
type LenderHealth interface {
	DownSince() time.Time
	KeyRefusal() partner.KeyRefusal
}

// ConsentText is the text that is read to the borrower before a credit pull.
type ConsentText struct {
	Version string // the form sends it and the journal stores it
	Text    string
}

// Desk acts for one user. Create it with Service.For.
type Desk struct {
	*backend
	Actor         access.Actor
	launchRecord  store.RecordIndex // the CRM record that the desk was launched from; the zero value is none
	recordIndexes []string          // its blind indexes under every key
}

// For returns the desk of a user. It checks no permission yet.
func (r *Service) For(actor access.Actor) *Desk { return &Desk{backend: r.backend, Actor: actor} }

// ConsentText returns the text that is read to a borrower, with its version.
func (d *Desk) ConsentText() ConsentText { return d.consent }

// TermUnit returns the unit of an offer's term.
func (d *Desk) TermUnit() heloc.TermUnit { return d.payments.Term }

// WithActor marks the calls under this context as the user's, so that they have their turn among the companies and the
// users.
func (d *Desk) WithActor(ctx context.Context) context.Context {
	return partner.WithCaller(ctx, partner.Caller{User: d.Actor.UserID, Company: d.company()})
}

// InBackground marks the calls under this context as work for a company that nobody waits for.
func InBackground(ctx context.Context, company string) context.Context {
	return partner.WithCaller(ctx, partner.Caller{Company: company, Background: true})
}

// WithNetwork records the network that the requests under this context come from, for the audit.
func WithNetwork(ctx context.Context, network string) context.Context {
	return store.WithNetwork(ctx, network)
}

// may returns fault.Denied when the user does not have the permission, and fault.StepUpRequired when they must step
// up first.
func (d *Desk) may(p access.Permission) error {
	switch {
	case !d.Actor.Can(p):
		return fault.New(fault.Denied, denialMessage(d.Actor, p))
	case p.NeedsStepUp() && !d.Actor.Elevated(d.now()):
		return fault.New(fault.StepUpRequired, "Confirm your identity first. Nothing was done.")
	default:
		return nil
	}
}

// mayAct reports, as an error, when the user may no longer act in their own name.
func (d *Desk) mayAct() error { return d.may(access.ActOnLead) }

// denialMessage explains the denial and who can do it instead.
func denialMessage(a access.Actor, p access.Permission) string {
	if p.NeedsOriginator() && a.Role.Can(p) {
		return "This is done in a loan originator’s name, and your account isn’t linked to one."
	}
	return "Your role doesn’t include this. If you need it, ask an administrator."
}

// Topics lists the topics whose live updates this user may receive.
func (d *Desk) Topics() []string {
	topics := []string{pubsub.Person(d.Actor.UserID), pubsub.Everyone()}
	scope := d.Actor.Scope()
	switch {
	case scope.OriginatorUUID != "":
		topics = append(topics, pubsub.Originator(scope.OriginatorUUID))
		for _, covered := range scope.Covering.All() {
			topics = append(topics, pubsub.Originator(covered))
		}
		return topics
	case scope.BrokerID != "" || scope.Organization != "":
		return append(topics, pubsub.Company(d.company()))
	default:
		return topics
	}
}

// userScope limits the user's own data to their current company: when they move to another company, their data stays
// with the former one.
func (d *Desk) userScope() store.UserScope { return store.UserScopeOf(d.Actor) }

func (d *Desk) company() string { return access.CompanyOf(d.Actor.BrokerID, d.Actor.Organization) }

// LenderDownSince reports since when the lender has not responded; zero while it responds.
func (d *Desk) LenderDownSince() time.Time { return d.lenderHealth.DownSince() }

// maskedName masks a name for users that only a CRM vouches for.
func maskedName(name string) string {
	if letters := []rune(name); len(letters) > 0 {
		return string(letters[:1]) + "•••"
	}
	return ""
}

// borrowerName decrypts a borrower's name. It is empty when the lead has none or when it cannot be decrypted: one
// damaged name must not break a whole list, and the administrator finds it under System status.
func (d *Desk) borrowerName(app heloc.AppID, borrower []byte) (heloc.Name, error) {
	name, err := d.vault.UnsealName(app, borrower)
	if errors.Is(err, vault.ErrUndecryptable) {
		return heloc.Name{}, nil
	}
	if d.Actor.VouchedByCRM {
		name = heloc.Name{First: maskedName(name.First), Last: maskedName(name.Last)}
	}
	return name, err
}

// Changes subscribes to the changes that the user may see, until stop is called.
func (d *Desk) Changes() (changes <-chan pubsub.Event, stop func()) {
	return d.hub.Subscribe(d.Topics()...)
}

// LiveDialect reports whether the lender speaks the live dialect, whose forms offer more; false without a lender.
func (d *Desk) LiveDialect() bool { return d.lender != nil && d.lender.Dialect() == partner.Live }
