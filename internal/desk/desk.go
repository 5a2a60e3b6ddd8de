// Package desk is everything one signed-in person can do.
//
//	desk.go      the desk, its rooms, the handles that carry a right
//	pipeline.go  lists, counts, search; export.go, a list as a file
//	lead.go      one lead, opened; lead_view.go, all that is known of it
//	lead_write.go       writes: the one road from a form to the journal
//	resolve.go   blocked steps; cancel.go, cancel and set-aside
//	offer.go     selection, with choice.go, what was sent; quote.go, quotes kept; payoff.go, debts and costs
//	intake.go    a new inquiry; draft.go, what is typed before; clone.go and restart.go, an inquiry anew
//	draft_transfer.go  a draft for who may send it; team.go, leads that are nobody's
//	borrower_link.go  the link on which a borrower goes on alone
//	document.go  documents, streamed; attributions.go, where a lead came from
//	health.go  how the portal fares, and what it uses of the lender's interface
//	people.go    accounts, for who administers them; people_close.go, who leaves and what stays
//	license.go   who may act in which state, and what borrowers agree to
//	directory.go originators, found by name or e-mail
//	reassign.go one lead to another originator, with reassign_note.go; reassign_undo.go, taken back
//	reassign_bulk.go many at once, checked before; reassign_run.go, their run row by row
//	reveal.go    a look at the borrower; contact.go, reaching them; note.go, notes and follow-ups
//	repull_plan.go, repull_due.go   a credit re-pull at its time, once
//	dates.go       dates coming up, for the list and for a calendar
//	inbox.go     what a person is told without looking for it
//	receipt.go   what became of an operation
//	estimate.go  a quick estimate, without an inquiry
//	invitations.go   people whom the directory does not know
//	embed_clients.go     CRMs that may frame the desk; launched.go, beside one of their records
//	account.go   a person's own: how they sign in; account_sessions.go, where; connected_crms.go, CRMs
//	audit.go     who did what, for who keeps watch; refusals and log-ins, written down
//
// A handle cannot be had without its permission, and every method asks again: there is
// no other road from the web to the lender or the store. Where the policy asks anew who
// somebody is, the desk does too: who works in a person's name in the background has proved
// nothing, and reveals, sends SSNs and administers nothing.
package desk

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Service are what every desk stands on.
type Service struct {
	Store        *store.Store
	Vault        *vault.Vault
	Lender       *partner.Client
	Journal      *journal.Journal
	Hub          *pubsub.Hub
	Refresher    LeadRefresher
	LenderHealth LenderHealth
	Now          store.Clock
	Consent      ConsentText
	Fee          heloc.FeeMethod // how a fee meets the draw, for our estimates
	Term         heloc.TermUnit  // what an offer's term counts
	// EstimateAccess is how a quick estimate is asked for; the zero value has none.
	EstimateAccess EstimateAccess
	Accounts       *account.Service
	// Embeds are the CRMs that frame the desk.
	Embeds *embed.Service
	// BorrowerLink is where borrowers apply alone; the zero value has no such place.
	BorrowerLink BorrowerLink

	usualWaits waitCache
}

// LeadRefresher reads leads anew.
type LeadRefresher interface {
	RequestRefresh(app heloc.AppID, parts ...store.Part)
	Refresh(ctx context.Context, app heloc.AppID, parts ...store.Part) error
	Adopt(ctx context.Context, app heloc.AppID, by store.Adopter) error
	SyncDirectory(ctx context.Context) error
}

// LenderHealth says since when the lender has not answered; the zero time while it does.
type LenderHealth interface{ DownSince() time.Time }

// ConsentText is what is read to the borrower before a credit pull.
type ConsentText struct {
	Version string // what the form carries and the journal keeps
	Text    string
}

// Desk is one person's. Make it with Rooms.For.
type Desk struct {
	*Service
	Actor         access.Actor
	launchRecord  store.RecordIndex // of a CRM, beside which the desk stands; the zero value is none
	recordIndexes []string          // its marks by every key
}

// For gives a person their desk. It opens nothing yet.
func (r *Service) For(actor access.Actor) *Desk { return &Desk{Service: r, Actor: actor} }

// WithActor makes requests under this context count as this person's: they share one bound.
func (d *Desk) WithActor(ctx context.Context) context.Context {
	return partner.WithUser(ctx, d.Actor.UserID)
}

// WithNetwork says from which network the requests under a context come; the audit keeps it.
func WithNetwork(ctx context.Context, network string) context.Context {
	return store.WithNetwork(ctx, network)
}

// may refuses what the person is not permitted to do, with fault.Denied, and what they must
// first prove anew who they are for, with fault.Unproved.
func (d *Desk) may(p access.Permission) error {
	switch {
	case !d.Actor.Can(p):
		return fault.New(fault.Denied, denialMessage(d.Actor, p))
	case p.NeedsStepUp() && !d.Actor.Elevated(d.Now()):
		return fault.New(fault.StepUpRequired, "Confirm first that it is you. Nothing was done.")
	default:
		return nil
	}
}

// mayAct says whether the person may still act in their own name at all.
func (d *Desk) mayAct() error { return d.may(access.ActOnLead) }

// denialMessage says why, and who can.
func denialMessage(a access.Actor, p access.Permission) string {
	if p.NeedsOriginator() && a.Role.Can(p) {
		return "This is done in the name of a loan originator, and you have none. The lead's originator can do it."
	}
	return "Your role does not allow this. The lead's originator or your manager can do it."
}

// Topics are the live updates that this person may hear.
func (d *Desk) Topics() []string {
	topics := []string{pubsub.Person(d.Actor.UserID)}
	scope := d.Actor.Scope()
	switch {
	case scope.OriginatorUUID != "":
		return append(topics, pubsub.Originator(scope.OriginatorUUID))
	case scope.BrokerID != "" || scope.Organization != "":
		return append(topics, pubsub.Company(d.company()))
	default:
		return topics
	}
}

// userScope is the person at the desk of their company: what is theirs alone stays behind its wall
// when they go to another.
func (d *Desk) userScope() store.UserScope { return store.UserScopeOf(d.Actor) }

func (d *Desk) company() string { return store.CompanyOf(d.Actor.BrokerID, d.Actor.Organization) }

// LenderDownSince is since when the lender has not answered; zero while it does.
func (d *Desk) LenderDownSince() time.Time { return d.LenderHealth.DownSince() }

// maskedName is a name as whoever a CRM alone vouches for reads it.
func maskedName(name string) string {
	if letters := []rune(name); len(letters) > 0 {
		return string(letters[:1]) + "•••"
	}
	return ""
}

// maskedLead is a lead as whoever a CRM alone vouches for reads it: without its place and amounts.
func (d *Desk) maskedLead(l store.Lead) store.Lead {
	if d.Actor.VouchedByCRM {
		l.City, l.State, l.SelectedAmount, l.MaxAmount, l.RequestedAmount = "", "", 0, 0, 0
	}
	return l
}

// borrowerName opens a borrower's sealed name; empty when there is none, or when it does not open:
// one damaged name takes no list away, and the administrator finds it under Health.
func (d *Desk) borrowerName(l store.Lead) (heloc.Name, error) {
	if len(l.Borrower) == 0 {
		return heloc.Name{}, nil
	}
	name, err := vault.UnsealJSON[heloc.Name](d.Vault, journal.NameAAD(l.App), l.Borrower)
	if errors.Is(err, vault.ErrUndecryptable) {
		return heloc.Name{}, nil
	}
	if d.Actor.VouchedByCRM {
		name = heloc.Name{First: maskedName(name.First), Last: maskedName(name.Last)}
	}
	return name, err
}
