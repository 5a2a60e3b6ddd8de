package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	deskaccount "hearthline/internal/desk/account"
	"hearthline/internal/desk/admin"
	"hearthline/internal/desk/crm"
	"hearthline/internal/desk/demo"
	"hearthline/internal/desk/intake"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/desk/offers"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/desk/reports"
	"hearthline/internal/desk/team"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// Desk acts for one user. Create it with Service.For.
type Desk struct {
	Actor *access.Actor // of the desk and of every handle that was opened from it
	core  core.Desk
}

// ConsentText returns the text that is read to a borrower, with its version.
func (d *Desk) ConsentText() core.ConsentText { return d.core.Consent }

// TermUnit returns the unit of an offer's term.
func (d *Desk) TermUnit() heloc.TermUnit { return d.core.Payments.Term }

// LenderDownSince reports since when the lender has not responded; zero while it responds.
func (d *Desk) LenderDownSince() time.Time { return d.core.LenderDownSince() }

// LiveDialect reports whether the lender speaks the live dialect, whose forms offer more; false without a lender.
func (d *Desk) LiveDialect() bool { return d.core.LiveDialect() }

// FreeReferences lists the controls of an inquiry's references that are the originator's own.
func (d *Desk) FreeReferences() []string { return d.core.FreeReferences() }

// WithActor marks calls to the lender under this context as the user's, so that the rate limiter serves companies and
// users in turn.
func (d *Desk) WithActor(ctx context.Context) context.Context {
	return partner.WithCaller(ctx, partner.Caller{User: d.Actor.UserID, Company: d.Actor.Company()})
}

// Changes subscribes to the changes that the user may see, until stop is called.
func (d *Desk) Changes() (changes <-chan pubsub.Event, stop func()) {
	return d.core.Hub.Subscribe(d.Actor.Topics()...)
}

// LogDenied records that this user was refused: an action that their role does not include, or something that does
// not exist for them. Route is the name of the route; it includes the requested id when the object does not.
func (d *Desk) LogDenied(ctx context.Context, route, object string) error {
	return d.core.Store.Write(ctx, func(tx *store.Tx) error {
		return d.core.AuditAction(ctx, tx, store.ActionDenied, object, "refused", route)
	})
}

// SetLaunchRecord sets the record of a launch that this user completed. Drafts that are begun at this desk are begun
// for that record.
func (d *Desk) SetLaunchRecord(l embed.VerifiedLaunch) { crm.SetLaunchRecord(d.core, l) }

// A desk opens a handle only for users who have its permission; otherwise it returns fault.Denied.

// Receipt is one operation opened by one user, with the methods of every area.
type Receipt struct {
	*desklead.Receipt
	core core.Desk
}

// Receipt opens an operation that this user sent at their current company, or one of a lead that they can access;
// fault.NotFound for any other.
func (d *Desk) Receipt(ctx context.Context, id string) (*Receipt, error) {
	r, err := desklead.OpenReceipt(ctx, d.core, id)
	if err != nil {
		return nil, err
	}
	return &Receipt{r, d.core}, nil
}

// Lead opens the lead of the operation, if it has one.
func (r *Receipt) Lead(ctx context.Context) (*Lead, error) {
	return openLead(ctx, r.core, string(r.Op.App))
}

// Reassignment returns the reassignment of this receipt; fault.NotFound for any other operation and for another user's.
func (r *Receipt) Reassignment(ctx context.Context) (reassign.ReassignmentDetails, error) {
	return reassign.ReassignmentOf(ctx, r.core, r.Op)
}

// Undo undoes the reassignment by reassigning the lead to its former originator.
func (r *Receipt) Undo(ctx context.Context, operationID string) (lead.Operation, error) {
	return reassign.Undo(ctx, r.core, r.Op, operationID)
}

// Pipeline opens the lead lists.
func (d *Desk) Pipeline() (*pipeline.Pipeline, error) { return pipeline.Open(d.core) }

// Views opens the saved lists.
func (d *Desk) Views() (*pipeline.Views, error) { return pipeline.OpenViews(d.core) }

// Search opens the search that every page has.
func (d *Desk) Search() (*pipeline.Search, error) { return pipeline.OpenSearch(d.core) }

// Inbox opens the user's notifications.
func (d *Desk) Inbox() (*pipeline.Inbox, error) { return pipeline.OpenInbox(d.core) }

// Rehearsal opens what the user practices in the demo.
func (d *Desk) Rehearsal() (*demo.Rehearsal, error) { return demo.OpenRehearsal(d.core) }

// Intake opens new inquiries.
func (d *Desk) Intake() (*intake.Intake, error) { return intake.Open(d.core) }

// Drafts opens the inquiries that the user is preparing.
func (d *Desk) Drafts() (*intake.Drafts, error) { return intake.OpenDrafts(d.core) }

// Estimates opens quick estimates.
func (d *Desk) Estimates() (*intake.Estimates, error) { return intake.OpenEstimates(d.core) }

// CRMLaunch opens the record of a launch that this user completed; fault.NotFound for any other user's launch.
func (d *Desk) CRMLaunch(l embed.VerifiedLaunch) (*crm.Launch, error) {
	return crm.OpenLaunch(d.core, l)
}

// BulkReassignments opens the reassignment of many leads.
func (d *Desk) BulkReassignments() (*reassign.Bulk, error) { return reassign.OpenBulk(d.core) }

// Rules opens the rules that assign unassigned leads.
func (d *Desk) Rules() (*reassign.Rules, error) { return reassign.OpenRules(d.core) }

// Departures opens the work that former colleagues have left.
func (d *Desk) Departures() (*reassign.Departures, error) { return reassign.OpenDepartures(d.core) }

// Team opens a manager's work for the leads of a company.
func (d *Desk) Team() (*team.Team, error) { return team.Open(d.core) }

// Absences opens the days on which originators are absent.
func (d *Desk) Absences() (*team.Absences, error) { return team.OpenAbsences(d.core) }

// Reports opens a company's figures.
func (d *Desk) Reports() (*reports.Reports, error) { return reports.Open(d.core) }

// Account opens the user's own account.
func (d *Desk) Account() (*deskaccount.Account, error) { return deskaccount.Open(d.core) }

// People opens the accounts, for administrators.
func (d *Desk) People() (*admin.People, error) { return admin.OpenPeople(d.core) }

// Requests opens the changes that require two administrators.
func (d *Desk) Requests() (*admin.Requests, error) { return admin.OpenRequests(d.core) }

// Invitations opens the invitations.
func (d *Desk) Invitations() (*admin.Invitations, error) { return admin.OpenInvitations(d.core) }

// Directory opens the lender's directory.
func (d *Desk) Directory() (*admin.Directory, error) { return admin.OpenDirectory(d.core) }

// Licenses opens the license table.
func (d *Desk) Licenses() (*admin.Licenses, error) { return admin.OpenLicenses(d.core) }

// CompanySettings opens the settings of the user's company.
func (d *Desk) CompanySettings() (*admin.CompanySettings, error) {
	return admin.OpenCompanySettings(d.core)
}

// Branding opens the companies' brands.
func (d *Desk) Branding() (*admin.Branding, error) { return admin.OpenBranding(d.core) }

// Installation opens the portal's own state.
func (d *Desk) Installation() (*admin.Installation, error) { return admin.OpenInstallation(d.core) }

// Audit opens the record of who did what.
func (d *Desk) Audit() (*admin.Audit, error) { return admin.OpenAudit(d.core) }

// EmbedClients opens the CRMs that may frame the portal.
func (d *Desk) EmbedClients() (*crm.EmbedClients, error) { return crm.OpenEmbedClients(d.core) }

// ListPage is what the page of a list shows.
type ListPage struct {
	pipeline.ListPage
	Covers   []team.Cover   // for whom the user covers now
	Returned *team.Returned // what was done during the user's last absence; nil if there is nothing to show
	// Reassignments is nil unless it was requested and the user may reassign.
	Reassignments *reassign.RecentReassignments
}

// ListPage composes the page of a list.
func (d *Desk) ListPage(ctx context.Context, req pipeline.ListRequest) (page ListPage, err error) {
	list, err := pipeline.Open(d.core)
	if err != nil {
		return page, err
	}
	if page.ListPage, err = list.ListPage(ctx, req); err != nil {
		return page, err
	}
	if page.Covers, err = team.CoversOf(ctx, d.core); err != nil {
		return page, err
	}
	if page.HasReturned {
		if page.Returned, err = team.ReturnedOf(ctx, d.core); err != nil {
			return page, err
		}
	}
	if !req.Reassignments || !d.Actor.Can(access.ReassignLead) {
		return page, nil
	}
	page.Reassignments = &reassign.RecentReassignments{}
	if page.HasReassigned {
		var bulk *reassign.Bulk
		if bulk, err = reassign.OpenBulk(d.core); err == nil {
			page.Reassignments, err = bulk.AllRecent(ctx)
		}
	}
	return page, err
}

// Lead is one lead opened by one user, with the methods of every area. Opening it checked that the user may see it.
type Lead struct {
	*desklead.Lead
	core core.Lead
}

// Lead opens a lead. It returns fault.NotFound for a lead that does not exist, that this user cannot access, or that
// their role may not see: the three cases look alike.
func (d *Desk) Lead(ctx context.Context, app string) (*Lead, error) {
	return openLead(ctx, d.core, app)
}

func openLead(ctx context.Context, d core.Desk, app string) (*Lead, error) {
	l, err := d.OpenLead(ctx, app)
	if err != nil {
		return nil, err
	}
	return &Lead{desklead.Of(l), l}, nil
}

// Reopen opens the lead again, as it is now: what refused a form may have changed the lead after it was opened.
func (l *Lead) Reopen(ctx context.Context) (*Lead, error) {
	if err := l.core.May(access.SeeLead); err != nil {
		return nil, err
	}
	return openLead(ctx, l.core.Desk, string(l.App()))
}

// Offers returns what can be done about the lead's offers.
func (l *Lead) Offers() *offers.Offers { return offers.Of(l.core) }

// Clone creates a draft from what was sent for this lead; see intake.Clone.
func (l *Lead) Clone(ctx context.Context) (string, error) { return intake.Clone(ctx, l.core) }

// Assignees finds who can take this lead.
func (l *Lead) Assignees(ctx context.Context, typed string) (reassign.Targets, error) {
	return reassign.Assignees(ctx, l.core, typed)
}

// Reassign moves the lead to another originator.
func (l *Lead) Reassign(ctx context.Context, req reassign.Request) (lead.Operation, error) {
	return reassign.Reassign(ctx, l.core, req)
}

// Received returns the reassignment that gave the lead to its current originator; nil when there was none.
func (l *Lead) Received(ctx context.Context) (*reassign.ReassignmentDetails, error) {
	return reassign.Received(ctx, l.core)
}
