package web

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/static"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/signin"
)

// routes returns the route table.
func (s *Server) routes() []page.Route {
	return page.Concat(
		s.publicRoutes(),
		s.mailedLinkRoutes(),
		s.help.PublicHelpRoutes(),
		s.signedInRoutes(),
		s.accountRoutes(),
		s.pipelineRoutes(),
		s.intakeRoutes(),
		s.borrowerLinkRoutes(),
		s.estimateRoutes(),
		s.leadRoutes(),
		s.leadActionRoutes(),
		s.invitationRoutes(),
		s.adminRoutes(),
		s.demoRoutes(),
		s.embedRoutes(),
		s.embeddedDeskRoutes(),
	)
}

// publicRoutes need no session. page.PublicRouteNames lists each of them.
func (s *Server) publicRoutes() []page.Route {
	return []page.Route{
		{Method: http.MethodGet, Pattern: "/login", Name: "log-in page", Public: true, Handler: s.signin.SignInPage},
		{Method: http.MethodPost, Pattern: "/login", Name: "log in", Public: true, Handler: s.signin.SignIn},
		{Method: http.MethodGet, Pattern: "/login/second-factor", Name: "second factor", Public: true, Handler: s.signin.SecondFactorPage},
		{Method: http.MethodPost, Pattern: "/login/second-factor", Name: "give second factor", Public: true, Handler: s.signin.SubmitSecondFactor},
		{Method: http.MethodPost, Pattern: "/login/second-factor/options", Name: "passkey as second factor", Public: true, Handler: s.signin.SecondFactorOptions},
		{Method: http.MethodPost, Pattern: "/login/passkey/options", Name: "passkey challenge", Public: true, Handler: s.signin.PasskeyOptions},
		{Method: http.MethodPost, Pattern: "/login/passkey", Name: "passkey", Public: true, Handler: s.signin.PasskeySignIn},
		{Method: http.MethodGet, Pattern: "/login/sso/{provider}", Name: "sign-on", Public: true, Handler: s.signin.StartSSO},
		{Method: http.MethodGet, Pattern: "/login/sso/{provider}/callback", Name: "signed on", Public: true, Handler: s.signin.SsoCallback},
		{Method: http.MethodGet, Pattern: "/static/*", Name: "static file", Public: true, Class: page.Probe, Handler: page.WrapHandler(static.Handler())},
		{Method: http.MethodGet, Pattern: "/healthz", Name: "health", Public: true, Class: page.Probe, Handler: s.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Name: "readiness", Public: true, Class: page.Probe, Handler: s.readyz},
		{Method: http.MethodPost, Pattern: "/hooks/partner/{token}", Name: "partner webhook", Public: true, Class: page.Hook, Handler: s.partnerWebhook},
		{Method: http.MethodPost, Pattern: "/policy-reports", Name: "policy reports", Public: true, Class: page.Hook, Handler: s.PolicyReports},
	}
}

// mailedLinkRoutes are for users who have no account yet or cannot sign in. The outbox is public, and exists in the
// demo only.
func (s *Server) mailedLinkRoutes() []page.Route {
	routes := []page.Route{
		{Method: http.MethodGet, Pattern: "/activate", Name: "first visit", Public: true, Handler: s.signin.MailedLinkPage(signin.ActivationLink())},
		{Method: http.MethodPost, Pattern: "/activate", Name: "activate", Public: true, Handler: s.signin.SubmitMailedLink(signin.ActivationLink())},
		{Method: http.MethodPost, Pattern: "/activate/passkey", Name: "passkey of a new account", Public: true, Handler: s.signin.SetUpPasskeyOptions},
		{Method: http.MethodGet, Pattern: "/reset", Name: "lost password", Public: true, Handler: s.signin.MailedLinkPage(signin.ResetLink())},
		{Method: http.MethodPost, Pattern: "/reset", Name: "reset", Public: true, Handler: s.signin.SubmitMailedLink(signin.ResetLink())},
	}
	if s.Outbox != nil {
		routes = append(routes, page.Route{Method: http.MethodGet, Pattern: "/outbox", Name: "outbox", Public: true, Handler: s.signin.OutboxPage})
	}
	return routes
}

// invitationRoutes are for inviting users who are not in the lender's directory.
func (s *Server) invitationRoutes() []page.Route {
	return page.WithPermission(access.InvitePeople, []page.Route{
		{Method: http.MethodGet, Pattern: "/invite", Name: "invitations", Handler: page.WithDesk(s.team.InvitePage)},
		{Method: http.MethodPost, Pattern: "/invite", Name: "invite", Handler: page.WithDesk(s.team.Invite)},
		{Method: http.MethodPost, Pattern: "/invite/{id}/revoke", Name: "revoke an invitation", Handler: page.WithDesk(s.team.RevokeInvitation)},
	})
}

// signedInRoutes are for every signed-in user.
func (s *Server) signedInRoutes() []page.Route {
	return page.WithPermission(access.UseAccount, []page.Route{
		{Method: http.MethodGet, Pattern: "/", Name: "home", Handler: s.signin.RedirectHome},
		{Method: http.MethodPost, Pattern: "/logout", Name: "log out", Handler: s.signin.SignOut},
		{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications", Handler: page.WithDesk(s.pipeline.NotificationsPage)},
		{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read", Handler: page.WithDesk(s.pipeline.MarkNotificationsRead)},
		{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: page.Stream, Handler: s.Events},
		{Method: http.MethodGet, Pattern: "/help/{page}", Name: "help", Handler: s.help.HelpPage},
	})
}

// accountRoutes are a user's own account. Every route that changes how the user signs in requires a recent step-up.
func (s *Server) accountRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/account", Name: "account", Handler: page.WithDesk(s.account.AccountPage)},
			{Method: http.MethodGet, Pattern: "/account/confirm", Name: "confirm who you are", Handler: s.StepUpPage},
			{Method: http.MethodPost, Pattern: "/account/confirm", Name: "confirm", Handler: s.StepUp},
			{Method: http.MethodGet, Pattern: "/account/confirm/sso", Name: "confirm by single sign-on", Handler: s.signin.StepUpBySSO},
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: s.RenewSession},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "hold what is typed", Handler: s.SavePendingForm},
			{Method: http.MethodPost, Pattern: "/account/confirm/options", Name: "confirm by passkey", Handler: s.signin.StepUpPasskeyOptions},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/name", Name: "name a factor", Handler: page.WithDesk(s.account.RenameFactor)},
			{Method: http.MethodPost, Pattern: "/account/zone", Name: "set the time zone", Handler: page.WithDesk(s.account.SetTimeZone)},
			{Method: http.MethodPost, Pattern: "/account/sessions/{id}/end", Name: "end a session", Handler: page.WithDesk(s.account.EndSession)},
			{Method: http.MethodPost, Pattern: "/account/sessions/end-others", Name: "end other sessions", Handler: page.WithDesk(s.account.EndOtherSessions)},
		}),
		page.WithPermission(access.ChangeSignIn, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/passkey", Name: "new passkey", Handler: page.WithDesk(s.account.PasskeyPage)},
			{Method: http.MethodPost, Pattern: "/account/passkey/options", Name: "new passkey, asked for", Handler: page.WithDesk(s.account.NewPasskeyOptions)},
			{Method: http.MethodPost, Pattern: "/account/passkey", Name: "add passkey", Handler: page.WithDesk(s.account.AddPasskey)},
			{Method: http.MethodGet, Pattern: "/account/email", Name: "another e-mail", Handler: page.WithDesk(s.account.EmailChangePage)},
			{Method: http.MethodPost, Pattern: "/account/email", Name: "take another e-mail", Handler: page.WithDesk(s.account.ConfirmEmailChange)},
			{Method: http.MethodGet, Pattern: "/account/authenticator", Name: "authenticator app", Handler: page.WithDesk(s.account.AuthenticatorPage)},
			{Method: http.MethodPost, Pattern: "/account/authenticator", Name: "add authenticator app", Handler: page.WithDesk(s.account.AddAuthenticator)},
			{Method: http.MethodPost, Pattern: "/account/recovery", Name: "new recovery codes", Handler: page.WithDesk(s.account.RenewRecoveryCodes)},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/remove", Name: "remove a factor", Handler: page.WithDesk(s.account.RemoveFactor)},
			{Method: http.MethodPost, Pattern: "/account/sso/unlink", Name: "unlink single sign-on", Handler: page.WithDesk(s.account.UnlinkSSO)},
			{Method: http.MethodPost, Pattern: "/account/password", Name: "change the password", Handler: page.WithDesk(s.account.ChangePassword)},
			{Method: http.MethodPost, Pattern: "/account/crms/{id}/disconnect", Name: "disconnect a CRM", Handler: page.WithDesk(s.account.DisconnectCRM)},
		}),
	)
}

// pipelineRoutes are the lists, and the receipts that belong to no lead.
func (s *Server) pipelineRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads", Name: "pipeline", Handler: page.WithDesk(s.pipeline.LeadsPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: page.Download, Handler: page.WithDesk(s.pipeline.LeadsICS)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "news seen", Handler: page.WithDesk(s.pipeline.MarkUpdatesSeen)},
		}),
		page.WithPermission(access.ExportPipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads.csv", Name: "pipeline as a file", Class: page.Download, Handler: page.WithDesk(s.pipeline.LeadsCSV)},
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "adopt", Handler: page.WithDesk(s.pipeline.AdoptLead)},
		}),
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: page.WithDesk(s.lead.ReceiptPage)},
			{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: page.WithDesk(s.lead.AbandonOperation)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: page.WithDesk(s.lead.AbandonOperation)},
		}),
		page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: page.WithDesk(s.team.UndoReassign)},
			{Method: http.MethodPost, Pattern: "/reassignments", Name: "hand over several", Handler: page.WithDesk(s.team.BulkReassign)},
			{Method: http.MethodGet, Pattern: "/reassignments/{id}", Name: "hand-over run", Handler: page.WithDesk(s.team.BulkReassignPage)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/retry", Name: "retry hand-overs", Handler: page.WithDesk(s.team.RetryBulkReassign)},
		}),
		page.WithPermission(access.SeeTeam, []page.Route{
			{Method: http.MethodGet, Pattern: "/team/unassigned", Name: "unassigned leads", Handler: page.WithDesk(s.team.UnassignedPage)},
			{Method: http.MethodPost, Pattern: "/team/unassigned/{id}", Name: "give on what somebody left", Handler: page.WithDesk(s.team.ReassignDeparted)},
		}),
		page.WithPermission(access.SeeDirectory, []page.Route{
			{Method: http.MethodGet, Pattern: "/originators", Name: "directory", Handler: page.WithDesk(s.team.OriginatorsPage)},
		}),
	)
}

// intakeRoutes are new inquiries and their drafts.
func (s *Server) intakeRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.PrepareDraft, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/new", Name: "intake", Handler: page.WithDesk(s.intake.IntakePage)},
			{Method: http.MethodGet, Pattern: "/leads/new/licence", Name: "licence in a state", Handler: page.WithDesk(s.intake.StateLicense)},
			{Method: http.MethodGet, Pattern: "/drafts", Name: "drafts", Handler: page.WithDesk(s.intake.DraftsPage)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}", Name: "save draft", Handler: page.WithDesk(s.intake.SaveDraft)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}/delete", Name: "delete draft", Handler: page.WithDesk(s.intake.DeleteDraft)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}/hand", Name: "hand a draft over", Handler: page.WithDesk(s.intake.TransferDraft)},
		}),
		page.WithPermission(access.StartInquiry, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads", Name: "start", StepUp: page.StepUpWithSSN, Handler: page.WithDesk(s.intake.StartInquiry)},
		}),
	)
}

// borrowerLinkRoutes exist only when the lender has a borrower site.
func (s *Server) borrowerLinkRoutes() []page.Route {
	if !s.BorrowerLinks {
		return nil
	}
	return page.WithPermission(access.StartInquiry, []page.Route{
		{Method: http.MethodPost, Pattern: "/drafts/{id}/link", Name: "link for the borrower", Handler: page.WithDesk(s.intake.DraftBorrowerLink)},
	})
}

// estimateRoutes exist only when the lender offers estimates.
func (s *Server) estimateRoutes() []page.Route {
	if !s.Estimates {
		return nil
	}
	return page.WithPermission(access.Prequalify, []page.Route{
		{Method: http.MethodGet, Pattern: "/prequalify", Name: "quick estimate", Handler: page.WithDesk(s.intake.EstimatePage)},
		{Method: http.MethodPost, Pattern: "/prequalify", Name: "ask for an estimate", Handler: page.WithDesk(s.intake.RequestEstimate)},
	})
}

// leadRoutes show one lead.
func (s *Server) leadRoutes() []page.Route {
	var tabs []page.Route
	for _, tab := range to.Tabs() {
		pattern, name := "/leads/{app}", "overview"
		if tab != to.Overview {
			pattern, name = pattern+"/"+string(tab), string(tab)
		}
		tabs = append(tabs, page.Route{Method: http.MethodGet, Pattern: pattern, Name: "lead " + name, Handler: page.WithLead(s.workspace.ShowTab(tab))})
	}
	tabs = append(tabs,
		page.Route{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower", Handler: page.WithLead(s.offers.BorrowerViewPage)},
		page.Route{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet", Handler: page.WithLead(s.offers.OfferSheet)},
	)
	return page.Concat(
		page.WithPermission(access.SeeLead, tabs),
		page.WithPermission(access.DownloadDocument, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents/{doc}", Name: "document", Class: page.Download, Handler: page.WithLead(s.lead.Document)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents.zip", Name: "documents zip", Class: page.Download, Handler: page.WithLead(s.lead.DocumentsZip)},
		}),
	)
}

// leadActionRoutes act on one lead. Every POST performs the action that its path names.
func (s *Server) leadActionRoutes() []page.Route {
	action := func(name string, h func(http.ResponseWriter, *http.Request, page.Lead) error) page.Route {
		return page.Route{Method: http.MethodPost, Pattern: "/leads/{app}/" + name, Name: name, Handler: page.WithLead(h)}
	}
	steps := func(permission access.Permission) (routes []page.Route) {
		for _, form := range s.lead.StepForms() {
			if form.Permission == permission {
				routes = append(routes, action(string(form.Operation), form.Submit))
			}
		}
		return page.WithPermission(permission, routes)
	}
	return page.Concat(
		steps(access.ActOnLead),
		page.WithPermission(access.ActOnLead, []page.Route{
			action("calculate-offers", s.offers.CalculateOffers),
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers", Handler: page.WithLead(s.offers.PayoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers, worked out", Handler: page.WithLead(s.offers.SavePayoffPlan)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs", Handler: page.WithLead(s.offers.BorrowerCosts)},
			action("attributions", s.lead.SetAttributions),
		}),
		steps(access.SendSSN),
		page.WithPermission(access.SelectOffer, []page.Route{action("select-offer", s.offers.SelectOffer)}),
		page.WithPermission(access.CancelInquiry, []page.Route{action("cancel", s.lead.CancelInquiry)}),
		page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/reassign", Name: "hand-over page", Handler: page.WithLead(s.team.ReassignPage), LeadGone: page.WithDesk(s.team.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/reassign", Name: "reassign", Handler: page.WithLead(s.team.ReassignLead), LeadGone: page.WithDesk(s.team.AlreadyReassigned)},
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			action("refresh", s.lead.RefreshLead),
			action("set-aside", s.lead.SetAside),
			action("contact", s.lead.ContactBorrower),
			action("note", s.lead.AddNote),
			action("follow-up", s.lead.FollowUp),
			action("take-off", s.lead.UnlinkRecord),
		}),
		page.WithPermission(access.RevealBorrower, []page.Route{
			action("reveal", s.lead.RevealBorrower),
			action("clone", s.intake.CloneLead), // the new draft is filled with what was sent, so this reveals borrower details
		}),
		page.WithPermission(access.ContactBorrower, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-link", Name: "borrower link", Handler: page.WithLead(s.lead.BorrowerLink)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/borrower-link", Name: "borrower link, pressed", Handler: page.WithLead(s.lead.BorrowerLink)},
		}),
	)
}

// adminRoutes are for administrators, who see no borrower data.
func (s *Server) adminRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeeAudit, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/audit", Name: "audit", Handler: page.WithDesk(s.adminView.AuditPage)},
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: page.Download, Handler: page.WithDesk(s.adminView.AuditHeads)},
		}),
		page.WithPermission(access.ManagePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/originators", Name: "originators and accounts", Handler: page.WithDesk(s.adminView.AdminOriginators)},
			{Method: http.MethodPost, Pattern: "/admin/originators/apply", Name: "apply a change of the directory", Handler: page.WithDesk(s.adminView.ApplyDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/discard", Name: "discard a change of the directory", Handler: page.WithDesk(s.adminView.DiscardDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/undo", Name: "undo a closure for absence", Handler: page.WithDesk(s.adminView.UndoDirectory)},
			{Method: http.MethodGet, Pattern: "/admin/users", Name: "people", Handler: page.WithDesk(s.adminView.PeoplePage)},
			{Method: http.MethodGet, Pattern: "/admin/users/{id}", Name: "person", Handler: page.WithDesk(s.adminView.PersonPage)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/role", Name: "give a role", Handler: page.WithDesk(s.adminView.ChangeRole)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/sign-out", Name: "sign somebody out", Handler: page.WithDesk(s.adminView.SignPersonOut)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/email", Name: "offer another e-mail", Handler: page.WithDesk(s.adminView.OfferEmail)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/reset", Name: "reset an account", Handler: page.WithDesk(s.adminView.ResetPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/close", Name: "close an account", Handler: page.WithDesk(s.adminView.ClosePerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/open", Name: "open an account again", Handler: page.WithDesk(s.adminView.ReopenPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/disconnect", Name: "disconnect somebody's CRM", Handler: page.WithDesk(s.adminView.DisconnectPerson)},
		}),
		page.WithPermission(access.ManageSettings, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/policy", Name: "policy", Handler: s.adminView.PolicyPage},
			{Method: http.MethodGet, Pattern: "/admin/asvs", Name: "ASVS", Handler: s.adminView.AsvsPage},
			{Method: http.MethodGet, Pattern: "/admin/interface", Name: "interface", Handler: page.WithDesk(s.adminView.InterfacePage)},
			{Method: http.MethodGet, Pattern: "/admin/health", Name: "health of the portal", Handler: page.WithDesk(s.adminView.HealthPage)},
			{Method: http.MethodGet, Pattern: "/admin/licences", Name: "licences", Handler: page.WithDesk(s.adminView.LicensesPage)},
			{Method: http.MethodPost, Pattern: "/admin/licences", Name: "write down a licence", Handler: page.WithDesk(s.adminView.SetLicense)},
			{Method: http.MethodGet, Pattern: "/admin/texts", Name: "consent texts", Handler: page.WithDesk(s.adminView.TextsPage)},
		}),
	)
}

// demoRoutes exist only in the demo.
func (s *Server) demoRoutes() []page.Route {
	if s.DemoControl == nil {
		return nil
	}
	return page.WithPermission(access.SeeLead, []page.Route{
		{Method: http.MethodPost, Pattern: "/demo/leads/{app}", Name: "demo event", Handler: page.WithDesk(s.playEvent)},
		{Method: http.MethodPost, Pattern: "/demo/leads/{app}/events", Name: "demo event, by its longer name", Handler: page.WithDesk(s.playEvent)},
		{Method: http.MethodPost, Pattern: "/demo/fault", Name: "demo fault", Handler: page.WithDesk(s.setFaults)},
		{Method: http.MethodPost, Pattern: "/demo/faults", Name: "demo faults", Handler: page.WithDesk(s.setFaults)},
		{Method: http.MethodGet, Pattern: "/ui", Name: "sheet of parts", Handler: s.uiGalleryPage},
	})
}

// embedRoutes exist only when CRMs may embed the desk. They are public because a CRM's page or server calls them
// without a session; their handlers verify what they receive.
func (s *Server) embedRoutes() []page.Route {
	if s.Embeds == nil {
		return nil
	}
	return page.Concat(
		[]page.Route{
			{Method: http.MethodPost, Pattern: "/launch/{kind}/{client}", Name: "launch", Public: true, Class: page.Hook, Handler: s.LimitUnverified("launch", s.embed.ReceiveLaunch)},
			{Method: http.MethodGet, Pattern: "/launch/{kind}/{client}/{code}", Name: "launch by a one-time address", Public: true, SingleUse: true, Handler: s.LimitUnverified("one-time address", s.embed.RedeemLaunchURL)},
			{Method: http.MethodPost, Pattern: "/e/{client}/start", Name: "go on from a CRM", Public: true, Handler: s.embed.EmbedStart},
			{Method: http.MethodPost, Pattern: "/e/{client}/tab", Name: "go on in a tab", Public: true, Handler: s.embed.EmbedTab},
			{Method: http.MethodGet, Pattern: page.EmbedPrefix + "/probe", Name: "is a sign-in kept", Public: true, Handler: s.embed.EmbedProbe},
			{Method: http.MethodGet, Pattern: "/api/embed/{client}/records/{record}", Name: "card of a record", Public: true, Class: page.Hook, Handler: s.LimitUnverified("card", s.embed.RecordCRMCard)},
		},
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/connect/{client}/{launch}", Name: "connect a CRM", StepUp: page.StepUpAlways, Handler: s.embed.ConnectCRMPage},
			{Method: http.MethodPost, Pattern: "/connect/{client}/{launch}", Name: "connect", StepUp: page.StepUpAlways, Handler: s.embed.ConnectCRM},
			{Method: http.MethodGet, Pattern: "/account/held/{launch}", Name: "carried from a frame", Handler: page.WithDesk(s.ResumeFromEmbedPage)},
		}),
		page.WithPermission(access.ManageSettings, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/embed", Name: "CRMs", StepUp: page.StepUpAlways, Handler: page.WithDesk(s.adminView.CrmClientsPage)},
			{Method: http.MethodPost, Pattern: "/admin/embed", Name: "save a CRM", StepUp: page.StepUpAlways, Handler: page.WithDesk(s.adminView.SaveCRMClient)},
			{Method: http.MethodPost, Pattern: "/admin/embed/{client}", Name: "decide on a CRM", StepUp: page.StepUpAlways, Handler: page.WithDesk(s.adminView.UpdateCRMClient)},
		}),
	)
}

// embeddedDeskRoutes are the desk's routes that also exist inside frames, and the routes that exist only there. A
// user's own account, the user list and the settings are not available in frames.
func (s *Server) embeddedDeskRoutes() []page.Route {
	if s.Embeds == nil {
		return nil
	}
	own := page.Concat(
		page.WithPermission(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/", Name: "record", Handler: page.WithDesk(s.embed.EmbedHome)},
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: s.RenewSession},
			{Method: http.MethodPost, Pattern: "/confirmed", Name: "confirmed outside", Handler: s.embed.EmbedStepUpDone},
			{Method: http.MethodGet, Pattern: "/leads", Name: "pipeline", Handler: page.WithDesk(s.pipeline.LeadsPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: page.Download, Handler: page.WithDesk(s.pipeline.LeadsICS)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "news seen", Handler: page.WithDesk(s.pipeline.MarkUpdatesSeen)},
		}),
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodPost, Pattern: "/logout", Name: "log out", Handler: s.embed.EmbedSignOut},
			{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: page.Stream, Handler: s.Events},
			{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications", Handler: page.WithDesk(s.pipeline.NotificationsPage)},
			{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read", Handler: page.WithDesk(s.pipeline.MarkNotificationsRead)},
			{Method: http.MethodGet, Pattern: "/help/{page}", Name: "help", Handler: s.help.HelpPage},
		}),
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/held", Name: "go on", Handler: s.EmbedPendingFormPage},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "hold what is typed", Handler: s.SaveEmbedPendingForm},
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/record", Name: "the record's lead", Handler: page.WithDesk(s.embed.LinkLeadToRecord)},
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "adopt", Handler: page.WithDesk(s.pipeline.AdoptLead)},
		}),
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: page.WithDesk(s.lead.ReceiptPage)},
			{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: page.WithDesk(s.lead.AbandonOperation)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: page.WithDesk(s.lead.AbandonOperation)},
		}),
		page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: page.WithDesk(s.team.UndoReassign)},
		}),
	)
	return page.AsEmbedded(own, s.intakeRoutes(), s.borrowerLinkRoutes(), s.estimateRoutes(), s.leadRoutes(), s.leadActionRoutes())
}
