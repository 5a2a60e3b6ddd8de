package web

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/static"
	"hearthline/views/to"
)

// routes is the route table.
func (s *Server) routes() []Route {
	return concat(
		s.publicDoors(),
		s.linkDoors(),
		s.openHelp(),
		s.personRoutes(),
		s.accountRoutes(),
		s.pipelineRoutes(),
		s.intakeRoutes(),
		s.handOffRoutes(),
		s.estimateRoutes(),
		s.leadRoutes(),
		s.deedRoutes(),
		s.invitationRoutes(),
		s.adminRoutes(),
		s.demoRoutes(),
		s.embedRoutes(),
		s.framedRoutes(),
	)
}

// publicDoors stand open: each is named in publicRoutes.
func (s *Server) publicDoors() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/login", Name: "log-in page", Public: true, Handler: s.logInPage},
		{Method: http.MethodPost, Pattern: "/login", Name: "log in", Public: true, Handler: s.logIn},
		{Method: http.MethodGet, Pattern: "/login/second-factor", Name: "second factor", Public: true, Handler: s.secondFactorPage},
		{Method: http.MethodPost, Pattern: "/login/second-factor", Name: "give second factor", Public: true, Handler: s.giveSecondFactor},
		{Method: http.MethodPost, Pattern: "/login/second-factor/options", Name: "passkey as second factor", Public: true, Handler: s.secondFactorOptions},
		{Method: http.MethodPost, Pattern: "/login/passkey/options", Name: "passkey challenge", Public: true, Handler: s.passkeyOptions},
		{Method: http.MethodPost, Pattern: "/login/passkey", Name: "passkey", Public: true, Handler: s.passkeyLogIn},
		{Method: http.MethodGet, Pattern: "/login/sso/{provider}", Name: "sign-on", Public: true, Handler: s.signOn},
		{Method: http.MethodGet, Pattern: "/login/sso/{provider}/callback", Name: "signed on", Public: true, Handler: s.signedOn},
		{Method: http.MethodGet, Pattern: "/static/*", Name: "static file", Public: true, Class: Probe, Handler: plain(static.Handler())},
		{Method: http.MethodGet, Pattern: "/healthz", Name: "health", Public: true, Class: Probe, Handler: s.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Name: "readiness", Public: true, Class: Probe, Handler: s.readyz},
		{Method: http.MethodPost, Pattern: "/hooks/partner/{token}", Name: "partner webhook", Public: true, Class: Hook, Handler: s.partnerHook},
		{Method: http.MethodPost, Pattern: "/policy-reports", Name: "policy reports", Public: true, Class: Hook, Handler: s.policyReports},
	}
}

// linkDoors are for who has no account yet, or has lost the way in. The outbox stands open
// in the demo alone.
func (s *Server) linkDoors() []Route {
	doors := []Route{
		{Method: http.MethodGet, Pattern: "/activate", Name: "first visit", Public: true, Handler: s.linkPage(activatePages())},
		{Method: http.MethodPost, Pattern: "/activate", Name: "activate", Public: true, Handler: s.linkStep(activatePages())},
		{Method: http.MethodPost, Pattern: "/activate/passkey", Name: "passkey of a new account", Public: true, Handler: s.setUpOptions},
		{Method: http.MethodGet, Pattern: "/reset", Name: "lost password", Public: true, Handler: s.linkPage(resetPages())},
		{Method: http.MethodPost, Pattern: "/reset", Name: "reset", Public: true, Handler: s.linkStep(resetPages())},
	}
	if s.Outbox != nil {
		doors = append(doors, Route{Method: http.MethodGet, Pattern: "/outbox", Name: "outbox", Public: true, Handler: s.outboxPage})
	}
	return doors
}

// invitationRoutes let people in whom the directory does not know.
func (s *Server) invitationRoutes() []Route {
	return block(access.InvitePeople, []Route{
		{Method: http.MethodGet, Pattern: "/invite", Name: "invitations", Handler: atDesk(s.invitePage)},
		{Method: http.MethodPost, Pattern: "/invite", Name: "invite", Handler: atDesk(s.invite)},
		{Method: http.MethodPost, Pattern: "/invite/{id}/revoke", Name: "revoke an invitation", Handler: atDesk(s.revokeInvitation)},
	})
}

// personRoutes are for everyone who is signed in.
func (s *Server) personRoutes() []Route {
	return block(access.UseAccount, []Route{
		{Method: http.MethodGet, Pattern: "/", Name: "home", Handler: s.home},
		{Method: http.MethodPost, Pattern: "/logout", Name: "log out", Handler: s.logOut},
		{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications", Handler: atDesk(s.inboxPage)},
		{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read", Handler: atDesk(s.readNotices)},
		{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: Stream, Handler: s.events},
		{Method: http.MethodGet, Pattern: "/help/{page}", Name: "help", Handler: s.helpPage},
	})
}

// accountRoutes are a person's own account. Whatever changes how they sign in is asked
// for only of who has just proved who they are.
func (s *Server) accountRoutes() []Route {
	return concat(
		block(access.UseAccount, []Route{
			{Method: http.MethodGet, Pattern: "/account", Name: "account", Handler: atDesk(s.accountPage)},
			{Method: http.MethodGet, Pattern: "/account/confirm", Name: "confirm who you are", Handler: s.confirmPage},
			{Method: http.MethodPost, Pattern: "/account/confirm", Name: "confirm", Handler: s.confirm},
			{Method: http.MethodGet, Pattern: "/account/confirm/sso", Name: "confirm by single sign-on", Handler: s.confirmAway},
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: s.stay},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "hold what is typed", Handler: s.hold},
			{Method: http.MethodPost, Pattern: "/account/confirm/options", Name: "confirm by passkey", Handler: s.confirmOptions},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/name", Name: "name a factor", Handler: atDesk(s.renameFactor)},
			{Method: http.MethodPost, Pattern: "/account/zone", Name: "set the time zone", Handler: atDesk(s.setZone)},
			{Method: http.MethodPost, Pattern: "/account/sessions/{id}/end", Name: "end a session", Handler: atDesk(s.endSession)},
			{Method: http.MethodPost, Pattern: "/account/sessions/end-others", Name: "end other sessions", Handler: atDesk(s.endOtherSessions)},
		}),
		block(access.ChangeSignIn, []Route{
			{Method: http.MethodGet, Pattern: "/account/passkey", Name: "new passkey", Handler: atDesk(s.passkeyPage)},
			{Method: http.MethodPost, Pattern: "/account/passkey/options", Name: "new passkey, asked for", Handler: atDesk(s.newPasskeyOptions)},
			{Method: http.MethodPost, Pattern: "/account/passkey", Name: "add passkey", Handler: atDesk(s.addPasskey)},
			{Method: http.MethodGet, Pattern: "/account/email", Name: "another e-mail", Handler: atDesk(s.emailPage)},
			{Method: http.MethodPost, Pattern: "/account/email", Name: "take another e-mail", Handler: atDesk(s.takeEmail)},
			{Method: http.MethodGet, Pattern: "/account/authenticator", Name: "authenticator app", Handler: atDesk(s.authenticatorPage)},
			{Method: http.MethodPost, Pattern: "/account/authenticator", Name: "add authenticator app", Handler: atDesk(s.addAuthenticator)},
			{Method: http.MethodPost, Pattern: "/account/recovery", Name: "new recovery codes", Handler: atDesk(s.renewRecovery)},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/remove", Name: "remove a factor", Handler: atDesk(s.removeFactor)},
			{Method: http.MethodPost, Pattern: "/account/sso/unlink", Name: "unlink single sign-on", Handler: atDesk(s.unlinkSSO)},
			{Method: http.MethodPost, Pattern: "/account/password", Name: "change the password", Handler: atDesk(s.changePassword)},
			{Method: http.MethodPost, Pattern: "/account/crms/{id}/disconnect", Name: "disconnect a CRM", Handler: atDesk(s.disconnectCRM)},
		}),
	)
}

// pipelineRoutes are the lists, and the receipts that stand under no lead.
func (s *Server) pipelineRoutes() []Route {
	return concat(
		block(access.SeePipeline, []Route{
			{Method: http.MethodGet, Pattern: "/leads", Name: "pipeline", Handler: atDesk(s.leadsPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: Download, Handler: atDesk(s.calendar)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "news seen", Handler: atDesk(s.caughtUp)},
		}),
		block(access.ExportPipeline, []Route{
			{Method: http.MethodGet, Pattern: "/leads.csv", Name: "pipeline as a file", Class: Download, Handler: atDesk(s.leadsCSV)},
		}),
		block(access.AnnotateLead, []Route{
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "adopt", Handler: atDesk(s.adoptLead)},
		}),
		block(access.SeeLead, []Route{
			{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: atDesk(s.receiptPage)},
			{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: atDesk(s.abandonOperation)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: atDesk(s.abandonOperation)},
		}),
		block(access.ReassignLead, []Route{
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: atDesk(s.undoHandOver)},
			{Method: http.MethodPost, Pattern: "/reassignments", Name: "hand over several", Handler: atDesk(s.handOverMany)},
			{Method: http.MethodGet, Pattern: "/reassignments/{id}", Name: "hand-over run", Handler: atDesk(s.handOverRun)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/retry", Name: "retry hand-overs", Handler: atDesk(s.retryHandOvers)},
		}),
		block(access.SeeTeam, []Route{
			{Method: http.MethodGet, Pattern: "/team/unassigned", Name: "unassigned leads", Handler: atDesk(s.unassignedPage)},
			{Method: http.MethodPost, Pattern: "/team/unassigned/{id}", Name: "give on what somebody left", Handler: atDesk(s.giveOn)},
		}),
		block(access.SeeDirectory, []Route{
			{Method: http.MethodGet, Pattern: "/originators", Name: "directory", Handler: atDesk(s.originatorsPage)},
		}),
	)
}

// intakeRoutes are new inquiries and what is typed before.
func (s *Server) intakeRoutes() []Route {
	return concat(
		block(access.PrepareDraft, []Route{
			{Method: http.MethodGet, Pattern: "/leads/new", Name: "intake", Handler: atDesk(s.intakePage)},
			{Method: http.MethodGet, Pattern: "/leads/new/licence", Name: "licence in a state", Handler: atDesk(s.stateLicence)},
			{Method: http.MethodGet, Pattern: "/drafts", Name: "drafts", Handler: atDesk(s.draftsPage)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}", Name: "save draft", Handler: atDesk(s.saveDraft)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}/delete", Name: "delete draft", Handler: atDesk(s.deleteDraft)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}/hand", Name: "hand a draft over", Handler: atDesk(s.handDraft)},
		}),
		block(access.StartInquiry, []Route{
			{Method: http.MethodPost, Pattern: "/leads", Name: "start", Confirm: WithSSN, Handler: atDesk(s.startInquiry)},
		}),
	)
}

// handOffRoutes exist where the lender has a site for borrowers.
func (s *Server) handOffRoutes() []Route {
	if !s.HandOffs {
		return nil
	}
	return block(access.StartInquiry, []Route{
		{Method: http.MethodPost, Pattern: "/drafts/{id}/link", Name: "link for the borrower", Handler: atDesk(s.handOffDraft)},
	})
}

// estimateRoutes exist where the lender gives estimates.
func (s *Server) estimateRoutes() []Route {
	if !s.Estimates {
		return nil
	}
	return block(access.Prequalify, []Route{
		{Method: http.MethodGet, Pattern: "/prequalify", Name: "quick estimate", Handler: atDesk(s.estimatePage)},
		{Method: http.MethodPost, Pattern: "/prequalify", Name: "ask for an estimate", Handler: atDesk(s.askEstimate)},
	})
}

// leadRoutes show one lead.
func (s *Server) leadRoutes() []Route {
	var tabs []Route
	for _, tab := range to.Tabs() {
		pattern, name := "/leads/{app}", "overview"
		if tab != to.Overview {
			pattern, name = pattern+"/"+string(tab), string(tab)
		}
		tabs = append(tabs, Route{Method: http.MethodGet, Pattern: pattern, Name: "lead " + name, Handler: onLead(s.leadTab(tab))})
	}
	tabs = append(tabs,
		Route{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower", Handler: onLead(s.showBorrower)},
		Route{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet", Handler: onLead(s.offerSheet)},
	)
	return concat(
		block(access.SeeLead, tabs),
		block(access.DownloadDocument, []Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents/{doc}", Name: "document", Class: Download, Handler: onLead(s.document)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents.zip", Name: "documents zip", Class: Download, Handler: onLead(s.documentsZip)},
		}),
	)
}

// deedRoutes act on one lead: a POST is the deed.
func (s *Server) deedRoutes() []Route {
	deed := func(name string, h func(http.ResponseWriter, *http.Request, Lead) error) Route {
		return Route{Method: http.MethodPost, Pattern: "/leads/{app}/" + name, Name: name, Handler: onLead(h)}
	}
	return concat(
		block(access.ActOnLead, []Route{
			deed("repull-credit", s.repullCredit),
			deed("verify-liens", s.verifyLiens),
			deed("add-income", s.addIncome),
			deed("asset-depletion", s.assetDepletion),
			deed("add-property-estimate", s.addPropertyEstimate),
			deed("select-property", s.selectProperty),
			deed("calculate-offers", s.calculateOffers),
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers", Handler: onLead(s.payoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers, worked out", Handler: onLead(s.workOut)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs", Handler: onLead(s.borrowerCosts)},
			deed("attributions", s.setAttributions),
		}),
		block(access.SendSSN, []Route{deed("add-ssn", s.addSSN)}),
		block(access.SelectOffer, []Route{deed("select-offer", s.selectOffer)}),
		block(access.CancelInquiry, []Route{deed("cancel", s.cancelInquiry)}),
		block(access.ReassignLead, []Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/reassign", Name: "hand-over page", Handler: onLead(s.handOverPage), Away: atDesk(s.handedAlready)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/reassign", Name: "reassign", Handler: onLead(s.reassignLead), Away: atDesk(s.handedAlready)},
		}),
		block(access.AnnotateLead, []Route{
			deed("refresh", s.refreshLead),
			deed("set-aside", s.setAside),
			deed("contact", s.contactBorrower),
			deed("note", s.writeNote),
			deed("follow-up", s.followUp),
			deed("take-off", s.takeOff),
		}),
		block(access.RevealBorrower, []Route{
			deed("reveal", s.revealBorrower),
			deed("clone", s.cloneLead), // what was sent is filled in: a look at the borrower
		}),
		block(access.ContactBorrower, []Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-link", Name: "borrower link", Handler: onLead(s.borrowerLink)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/borrower-link", Name: "borrower link, pressed", Handler: onLead(s.borrowerLink)},
		}),
	)
}

// adminRoutes are the administrator's, who sees no borrower.
func (s *Server) adminRoutes() []Route {
	return concat(
		block(access.SeeAudit, []Route{
			{Method: http.MethodGet, Pattern: "/admin/audit", Name: "audit", Handler: atDesk(s.auditPage)},
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: Download, Handler: atDesk(s.auditHeads)},
		}),
		block(access.ManagePeople, []Route{
			{Method: http.MethodGet, Pattern: "/admin/originators", Name: "originators and accounts", Handler: atDesk(s.adminOriginators)},
			{Method: http.MethodPost, Pattern: "/admin/originators/apply", Name: "apply a change of the directory", Handler: atDesk(s.applyDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/discard", Name: "discard a change of the directory", Handler: atDesk(s.discardDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/undo", Name: "undo a closure for absence", Handler: atDesk(s.undoDirectory)},
			{Method: http.MethodGet, Pattern: "/admin/users", Name: "people", Handler: atDesk(s.peoplePage)},
			{Method: http.MethodGet, Pattern: "/admin/users/{id}", Name: "person", Handler: atDesk(s.personPage)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/role", Name: "give a role", Handler: atDesk(s.giveRole)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/sign-out", Name: "sign somebody out", Handler: atDesk(s.signPersonOut)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/email", Name: "offer another e-mail", Handler: atDesk(s.offerEmail)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/reset", Name: "reset an account", Handler: atDesk(s.resetPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/close", Name: "close an account", Handler: atDesk(s.closePerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/open", Name: "open an account again", Handler: atDesk(s.reopenPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/disconnect", Name: "disconnect somebody's CRM", Handler: atDesk(s.disconnectPerson)},
		}),
		block(access.ManageSettings, []Route{
			{Method: http.MethodGet, Pattern: "/admin/policy", Name: "policy", Handler: s.policyPage},
			{Method: http.MethodGet, Pattern: "/admin/asvs", Name: "ASVS", Handler: s.asvsPage},
			{Method: http.MethodGet, Pattern: "/admin/interface", Name: "interface", Handler: atDesk(s.interfacePage)},
			{Method: http.MethodGet, Pattern: "/admin/health", Name: "health of the portal", Handler: atDesk(s.healthPage)},
			{Method: http.MethodGet, Pattern: "/admin/licences", Name: "licences", Handler: atDesk(s.licencesPage)},
			{Method: http.MethodPost, Pattern: "/admin/licences", Name: "write down a licence", Handler: atDesk(s.setLicence)},
			{Method: http.MethodGet, Pattern: "/admin/texts", Name: "consent texts", Handler: atDesk(s.textsPage)},
		}),
	)
}

// demoRoutes exist where there is a rehearsal, and nowhere else.
func (s *Server) demoRoutes() []Route {
	if s.Rehearsal == nil {
		return nil
	}
	return block(access.SeeLead, []Route{
		{Method: http.MethodPost, Pattern: "/demo/leads/{app}", Name: "demo event", Handler: atDesk(s.playEvent)},
		{Method: http.MethodPost, Pattern: "/demo/leads/{app}/events", Name: "demo event, by its longer name", Handler: atDesk(s.playEvent)},
		{Method: http.MethodPost, Pattern: "/demo/fault", Name: "demo fault", Handler: atDesk(s.setFaults)},
		{Method: http.MethodPost, Pattern: "/demo/faults", Name: "demo faults", Handler: atDesk(s.setFaults)},
		{Method: http.MethodGet, Pattern: "/ui", Name: "sheet of parts", Handler: s.sheetPage},
	})
}

// block gives one permission to a block of routes, and asks those only of who has proved
// lately who they are where the permission says so.
func block(p access.Permission, routes []Route) []Route {
	for i := range routes {
		routes[i].Permission = p
		if p.Anew() {
			routes[i].Confirm = Always
		}
	}
	return routes
}

func concat(blocks ...[]Route) []Route {
	var all []Route
	for _, b := range blocks {
		all = append(all, b...)
	}
	return all
}
