package web

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/static"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/signin"
)

// routes is the route table.
func (s *Server) routes() []page.Route {
	return page.Concat(
		s.publicDoors(),
		s.linkDoors(),
		s.help.OpenHelp(),
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
func (s *Server) publicDoors() []page.Route {
	return []page.Route{
		{Method: http.MethodGet, Pattern: "/login", Name: "log-in page", Public: true, Handler: s.signin.LogInPage},
		{Method: http.MethodPost, Pattern: "/login", Name: "log in", Public: true, Handler: s.signin.LogIn},
		{Method: http.MethodGet, Pattern: "/login/second-factor", Name: "second factor", Public: true, Handler: s.signin.SecondFactorPage},
		{Method: http.MethodPost, Pattern: "/login/second-factor", Name: "give second factor", Public: true, Handler: s.signin.GiveSecondFactor},
		{Method: http.MethodPost, Pattern: "/login/second-factor/options", Name: "passkey as second factor", Public: true, Handler: s.signin.SecondFactorOptions},
		{Method: http.MethodPost, Pattern: "/login/passkey/options", Name: "passkey challenge", Public: true, Handler: s.signin.PasskeyOptions},
		{Method: http.MethodPost, Pattern: "/login/passkey", Name: "passkey", Public: true, Handler: s.signin.PasskeyLogIn},
		{Method: http.MethodGet, Pattern: "/login/sso/{provider}", Name: "sign-on", Public: true, Handler: s.signin.SignOn},
		{Method: http.MethodGet, Pattern: "/login/sso/{provider}/callback", Name: "signed on", Public: true, Handler: s.signin.SignedOn},
		{Method: http.MethodGet, Pattern: "/static/*", Name: "static file", Public: true, Class: page.Probe, Handler: page.Plain(static.Handler())},
		{Method: http.MethodGet, Pattern: "/healthz", Name: "health", Public: true, Class: page.Probe, Handler: s.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Name: "readiness", Public: true, Class: page.Probe, Handler: s.readyz},
		{Method: http.MethodPost, Pattern: "/hooks/partner/{token}", Name: "partner webhook", Public: true, Class: page.Hook, Handler: s.partnerHook},
		{Method: http.MethodPost, Pattern: "/policy-reports", Name: "policy reports", Public: true, Class: page.Hook, Handler: s.PolicyReports},
	}
}

// linkDoors are for who has no account yet, or has lost the way in. The outbox stands open
// in the demo alone.
func (s *Server) linkDoors() []page.Route {
	doors := []page.Route{
		{Method: http.MethodGet, Pattern: "/activate", Name: "first visit", Public: true, Handler: s.signin.LinkPage(signin.ActivatePages())},
		{Method: http.MethodPost, Pattern: "/activate", Name: "activate", Public: true, Handler: s.signin.LinkStep(signin.ActivatePages())},
		{Method: http.MethodPost, Pattern: "/activate/passkey", Name: "passkey of a new account", Public: true, Handler: s.signin.SetUpOptions},
		{Method: http.MethodGet, Pattern: "/reset", Name: "lost password", Public: true, Handler: s.signin.LinkPage(signin.ResetPages())},
		{Method: http.MethodPost, Pattern: "/reset", Name: "reset", Public: true, Handler: s.signin.LinkStep(signin.ResetPages())},
	}
	if s.Outbox != nil {
		doors = append(doors, page.Route{Method: http.MethodGet, Pattern: "/outbox", Name: "outbox", Public: true, Handler: s.signin.OutboxPage})
	}
	return doors
}

// invitationRoutes let people in whom the directory does not know.
func (s *Server) invitationRoutes() []page.Route {
	return page.Block(access.InvitePeople, []page.Route{
		{Method: http.MethodGet, Pattern: "/invite", Name: "invitations", Handler: page.AtDesk(s.team.InvitePage)},
		{Method: http.MethodPost, Pattern: "/invite", Name: "invite", Handler: page.AtDesk(s.team.Invite)},
		{Method: http.MethodPost, Pattern: "/invite/{id}/revoke", Name: "revoke an invitation", Handler: page.AtDesk(s.team.RevokeInvitation)},
	})
}

// personRoutes are for everyone who is signed in.
func (s *Server) personRoutes() []page.Route {
	return page.Block(access.UseAccount, []page.Route{
		{Method: http.MethodGet, Pattern: "/", Name: "home", Handler: s.signin.Home},
		{Method: http.MethodPost, Pattern: "/logout", Name: "log out", Handler: s.signin.LogOut},
		{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications", Handler: page.AtDesk(s.pipeline.InboxPage)},
		{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read", Handler: page.AtDesk(s.pipeline.ReadNotices)},
		{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: page.Stream, Handler: s.Events},
		{Method: http.MethodGet, Pattern: "/help/{page}", Name: "help", Handler: s.help.HelpPage},
	})
}

// accountRoutes are a person's own account. Whatever changes how they sign in is asked
// for only of who has just proved who they are.
func (s *Server) accountRoutes() []page.Route {
	return page.Concat(
		page.Block(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/account", Name: "account", Handler: page.AtDesk(s.account.AccountPage)},
			{Method: http.MethodGet, Pattern: "/account/confirm", Name: "confirm who you are", Handler: s.ConfirmPage},
			{Method: http.MethodPost, Pattern: "/account/confirm", Name: "confirm", Handler: s.Confirm},
			{Method: http.MethodGet, Pattern: "/account/confirm/sso", Name: "confirm by single sign-on", Handler: s.signin.ConfirmAway},
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: s.Stay},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "hold what is typed", Handler: s.Hold},
			{Method: http.MethodPost, Pattern: "/account/confirm/options", Name: "confirm by passkey", Handler: s.signin.ConfirmOptions},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/name", Name: "name a factor", Handler: page.AtDesk(s.account.RenameFactor)},
			{Method: http.MethodPost, Pattern: "/account/zone", Name: "set the time zone", Handler: page.AtDesk(s.account.SetZone)},
			{Method: http.MethodPost, Pattern: "/account/sessions/{id}/end", Name: "end a session", Handler: page.AtDesk(s.account.EndSession)},
			{Method: http.MethodPost, Pattern: "/account/sessions/end-others", Name: "end other sessions", Handler: page.AtDesk(s.account.EndOtherSessions)},
		}),
		page.Block(access.ChangeSignIn, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/passkey", Name: "new passkey", Handler: page.AtDesk(s.account.PasskeyPage)},
			{Method: http.MethodPost, Pattern: "/account/passkey/options", Name: "new passkey, asked for", Handler: page.AtDesk(s.account.NewPasskeyOptions)},
			{Method: http.MethodPost, Pattern: "/account/passkey", Name: "add passkey", Handler: page.AtDesk(s.account.AddPasskey)},
			{Method: http.MethodGet, Pattern: "/account/email", Name: "another e-mail", Handler: page.AtDesk(s.account.EmailPage)},
			{Method: http.MethodPost, Pattern: "/account/email", Name: "take another e-mail", Handler: page.AtDesk(s.account.TakeEmail)},
			{Method: http.MethodGet, Pattern: "/account/authenticator", Name: "authenticator app", Handler: page.AtDesk(s.account.AuthenticatorPage)},
			{Method: http.MethodPost, Pattern: "/account/authenticator", Name: "add authenticator app", Handler: page.AtDesk(s.account.AddAuthenticator)},
			{Method: http.MethodPost, Pattern: "/account/recovery", Name: "new recovery codes", Handler: page.AtDesk(s.account.RenewRecovery)},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/remove", Name: "remove a factor", Handler: page.AtDesk(s.account.RemoveFactor)},
			{Method: http.MethodPost, Pattern: "/account/sso/unlink", Name: "unlink single sign-on", Handler: page.AtDesk(s.account.UnlinkSSO)},
			{Method: http.MethodPost, Pattern: "/account/password", Name: "change the password", Handler: page.AtDesk(s.account.ChangePassword)},
			{Method: http.MethodPost, Pattern: "/account/crms/{id}/disconnect", Name: "disconnect a CRM", Handler: page.AtDesk(s.account.DisconnectCRM)},
		}),
	)
}

// pipelineRoutes are the lists, and the receipts that stand under no lead.
func (s *Server) pipelineRoutes() []page.Route {
	return page.Concat(
		page.Block(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads", Name: "pipeline", Handler: page.AtDesk(s.pipeline.LeadsPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: page.Download, Handler: page.AtDesk(s.pipeline.Calendar)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "news seen", Handler: page.AtDesk(s.pipeline.CaughtUp)},
		}),
		page.Block(access.ExportPipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads.csv", Name: "pipeline as a file", Class: page.Download, Handler: page.AtDesk(s.pipeline.LeadsCSV)},
		}),
		page.Block(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "adopt", Handler: page.AtDesk(s.pipeline.AdoptLead)},
		}),
		page.Block(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: page.AtDesk(s.lead.ReceiptPage)},
			{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: page.AtDesk(s.lead.AbandonOperation)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: page.AtDesk(s.lead.AbandonOperation)},
		}),
		page.Block(access.ReassignLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: page.AtDesk(s.team.UndoHandOver)},
			{Method: http.MethodPost, Pattern: "/reassignments", Name: "hand over several", Handler: page.AtDesk(s.team.HandOverMany)},
			{Method: http.MethodGet, Pattern: "/reassignments/{id}", Name: "hand-over run", Handler: page.AtDesk(s.team.HandOverRun)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/retry", Name: "retry hand-overs", Handler: page.AtDesk(s.team.RetryHandOvers)},
		}),
		page.Block(access.SeeTeam, []page.Route{
			{Method: http.MethodGet, Pattern: "/team/unassigned", Name: "unassigned leads", Handler: page.AtDesk(s.team.UnassignedPage)},
			{Method: http.MethodPost, Pattern: "/team/unassigned/{id}", Name: "give on what somebody left", Handler: page.AtDesk(s.team.GiveOn)},
		}),
		page.Block(access.SeeDirectory, []page.Route{
			{Method: http.MethodGet, Pattern: "/originators", Name: "directory", Handler: page.AtDesk(s.team.OriginatorsPage)},
		}),
	)
}

// intakeRoutes are new inquiries and what is typed before.
func (s *Server) intakeRoutes() []page.Route {
	return page.Concat(
		page.Block(access.PrepareDraft, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/new", Name: "intake", Handler: page.AtDesk(s.intake.IntakePage)},
			{Method: http.MethodGet, Pattern: "/leads/new/licence", Name: "licence in a state", Handler: page.AtDesk(s.intake.StateLicence)},
			{Method: http.MethodGet, Pattern: "/drafts", Name: "drafts", Handler: page.AtDesk(s.intake.DraftsPage)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}", Name: "save draft", Handler: page.AtDesk(s.intake.SaveDraft)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}/delete", Name: "delete draft", Handler: page.AtDesk(s.intake.DeleteDraft)},
			{Method: http.MethodPost, Pattern: "/drafts/{id}/hand", Name: "hand a draft over", Handler: page.AtDesk(s.intake.HandDraft)},
		}),
		page.Block(access.StartInquiry, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads", Name: "start", Confirm: page.WithSSN, Handler: page.AtDesk(s.intake.StartInquiry)},
		}),
	)
}

// handOffRoutes exist where the lender has a site for borrowers.
func (s *Server) handOffRoutes() []page.Route {
	if !s.HandOffs {
		return nil
	}
	return page.Block(access.StartInquiry, []page.Route{
		{Method: http.MethodPost, Pattern: "/drafts/{id}/link", Name: "link for the borrower", Handler: page.AtDesk(s.intake.HandOffDraft)},
	})
}

// estimateRoutes exist where the lender gives estimates.
func (s *Server) estimateRoutes() []page.Route {
	if !s.Estimates {
		return nil
	}
	return page.Block(access.Prequalify, []page.Route{
		{Method: http.MethodGet, Pattern: "/prequalify", Name: "quick estimate", Handler: page.AtDesk(s.intake.EstimatePage)},
		{Method: http.MethodPost, Pattern: "/prequalify", Name: "ask for an estimate", Handler: page.AtDesk(s.intake.AskEstimate)},
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
		tabs = append(tabs, page.Route{Method: http.MethodGet, Pattern: pattern, Name: "lead " + name, Handler: page.OnLead(s.lead.LeadTab(tab))})
	}
	tabs = append(tabs,
		page.Route{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower", Handler: page.OnLead(s.lead.ShowBorrower)},
		page.Route{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet", Handler: page.OnLead(s.lead.OfferSheet)},
	)
	return page.Concat(
		page.Block(access.SeeLead, tabs),
		page.Block(access.DownloadDocument, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents/{doc}", Name: "document", Class: page.Download, Handler: page.OnLead(s.lead.Document)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents.zip", Name: "documents zip", Class: page.Download, Handler: page.OnLead(s.lead.DocumentsZip)},
		}),
	)
}

// deedRoutes act on one lead: a POST is the deed.
func (s *Server) deedRoutes() []page.Route {
	deed := func(name string, h func(http.ResponseWriter, *http.Request, page.Lead) error) page.Route {
		return page.Route{Method: http.MethodPost, Pattern: "/leads/{app}/" + name, Name: name, Handler: page.OnLead(h)}
	}
	return page.Concat(
		page.Block(access.ActOnLead, []page.Route{
			deed("repull-credit", s.lead.RepullCredit),
			deed("verify-liens", s.lead.VerifyLiens),
			deed("add-income", s.lead.AddIncome),
			deed("asset-depletion", s.lead.AssetDepletion),
			deed("add-property-estimate", s.lead.AddPropertyEstimate),
			deed("select-property", s.lead.SelectProperty),
			deed("calculate-offers", s.lead.CalculateOffers),
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers", Handler: page.OnLead(s.lead.PayoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers, worked out", Handler: page.OnLead(s.lead.WorkOut)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs", Handler: page.OnLead(s.lead.BorrowerCosts)},
			deed("attributions", s.lead.SetAttributions),
		}),
		page.Block(access.SendSSN, []page.Route{deed("add-ssn", s.lead.AddSSN)}),
		page.Block(access.SelectOffer, []page.Route{deed("select-offer", s.lead.SelectOffer)}),
		page.Block(access.CancelInquiry, []page.Route{deed("cancel", s.lead.CancelInquiry)}),
		page.Block(access.ReassignLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/reassign", Name: "hand-over page", Handler: page.OnLead(s.team.HandOverPage), Away: page.AtDesk(s.team.HandedAlready)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/reassign", Name: "reassign", Handler: page.OnLead(s.team.ReassignLead), Away: page.AtDesk(s.team.HandedAlready)},
		}),
		page.Block(access.AnnotateLead, []page.Route{
			deed("refresh", s.lead.RefreshLead),
			deed("set-aside", s.lead.SetAside),
			deed("contact", s.lead.ContactBorrower),
			deed("note", s.lead.WriteNote),
			deed("follow-up", s.lead.FollowUp),
			deed("take-off", s.lead.TakeOff),
		}),
		page.Block(access.RevealBorrower, []page.Route{
			deed("reveal", s.lead.RevealBorrower),
			deed("clone", s.intake.CloneLead), // what was sent is filled in: a look at the borrower
		}),
		page.Block(access.ContactBorrower, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-link", Name: "borrower link", Handler: page.OnLead(s.lead.BorrowerLink)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/borrower-link", Name: "borrower link, pressed", Handler: page.OnLead(s.lead.BorrowerLink)},
		}),
	)
}

// adminRoutes are the administrator's, who sees no borrower.
func (s *Server) adminRoutes() []page.Route {
	return page.Concat(
		page.Block(access.SeeAudit, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/audit", Name: "audit", Handler: page.AtDesk(s.admin.AuditPage)},
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: page.Download, Handler: page.AtDesk(s.admin.AuditHeads)},
		}),
		page.Block(access.ManagePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/originators", Name: "originators and accounts", Handler: page.AtDesk(s.admin.AdminOriginators)},
			{Method: http.MethodPost, Pattern: "/admin/originators/apply", Name: "apply a change of the directory", Handler: page.AtDesk(s.admin.ApplyDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/discard", Name: "discard a change of the directory", Handler: page.AtDesk(s.admin.DiscardDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/undo", Name: "undo a closure for absence", Handler: page.AtDesk(s.admin.UndoDirectory)},
			{Method: http.MethodGet, Pattern: "/admin/users", Name: "people", Handler: page.AtDesk(s.admin.PeoplePage)},
			{Method: http.MethodGet, Pattern: "/admin/users/{id}", Name: "person", Handler: page.AtDesk(s.admin.PersonPage)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/role", Name: "give a role", Handler: page.AtDesk(s.admin.GiveRole)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/sign-out", Name: "sign somebody out", Handler: page.AtDesk(s.admin.SignPersonOut)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/email", Name: "offer another e-mail", Handler: page.AtDesk(s.admin.OfferEmail)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/reset", Name: "reset an account", Handler: page.AtDesk(s.admin.ResetPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/close", Name: "close an account", Handler: page.AtDesk(s.admin.ClosePerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/open", Name: "open an account again", Handler: page.AtDesk(s.admin.ReopenPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/disconnect", Name: "disconnect somebody's CRM", Handler: page.AtDesk(s.admin.DisconnectPerson)},
		}),
		page.Block(access.ManageSettings, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/policy", Name: "policy", Handler: s.admin.PolicyPage},
			{Method: http.MethodGet, Pattern: "/admin/asvs", Name: "ASVS", Handler: s.admin.AsvsPage},
			{Method: http.MethodGet, Pattern: "/admin/interface", Name: "interface", Handler: page.AtDesk(s.admin.InterfacePage)},
			{Method: http.MethodGet, Pattern: "/admin/health", Name: "health of the portal", Handler: page.AtDesk(s.admin.HealthPage)},
			{Method: http.MethodGet, Pattern: "/admin/licences", Name: "licences", Handler: page.AtDesk(s.admin.LicencesPage)},
			{Method: http.MethodPost, Pattern: "/admin/licences", Name: "write down a licence", Handler: page.AtDesk(s.admin.SetLicence)},
			{Method: http.MethodGet, Pattern: "/admin/texts", Name: "consent texts", Handler: page.AtDesk(s.admin.TextsPage)},
		}),
	)
}

// demoRoutes exist where there is a rehearsal, and nowhere else.
func (s *Server) demoRoutes() []page.Route {
	if s.Rehearsal == nil {
		return nil
	}
	return page.Block(access.SeeLead, []page.Route{
		{Method: http.MethodPost, Pattern: "/demo/leads/{app}", Name: "demo event", Handler: page.AtDesk(s.playEvent)},
		{Method: http.MethodPost, Pattern: "/demo/leads/{app}/events", Name: "demo event, by its longer name", Handler: page.AtDesk(s.playEvent)},
		{Method: http.MethodPost, Pattern: "/demo/fault", Name: "demo fault", Handler: page.AtDesk(s.setFaults)},
		{Method: http.MethodPost, Pattern: "/demo/faults", Name: "demo faults", Handler: page.AtDesk(s.setFaults)},
		{Method: http.MethodGet, Pattern: "/ui", Name: "sheet of parts", Handler: s.sheetPage},
	})
}

// embedRoutes exist where CRMs may frame the desk. The doors are open, because a CRM's
// page or server comes to them without a session: what they are sent is verified.
func (s *Server) embedRoutes() []page.Route {
	if s.Embeds == nil {
		return nil
	}
	return page.Concat(
		[]page.Route{
			{Method: http.MethodPost, Pattern: "/launch/{kind}/{client}", Name: "launch", Public: true, Class: page.Hook, Handler: s.Unverified("launch", s.embed.TakeLaunch)},
			{Method: http.MethodGet, Pattern: "/launch/{kind}/{client}/{code}", Name: "launch by a one-time address", Public: true, Once: true, Handler: s.Unverified("one-time address", s.embed.LaunchDoor)},
			{Method: http.MethodPost, Pattern: "/e/{client}/start", Name: "go on from a CRM", Public: true, Handler: s.embed.EmbedStart},
			{Method: http.MethodPost, Pattern: "/e/{client}/tab", Name: "go on in a tab", Public: true, Handler: s.embed.EmbedTab},
			{Method: http.MethodGet, Pattern: page.EmbedPrefix + "/probe", Name: "is a sign-in kept", Public: true, Handler: s.embed.EmbedProbe},
			{Method: http.MethodGet, Pattern: "/api/embed/{client}/records/{record}", Name: "card of a record", Public: true, Class: page.Hook, Handler: s.Unverified("card", s.embed.RecordCard)},
		},
		page.Block(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/connect/{client}/{launch}", Name: "connect a CRM", Confirm: page.Always, Handler: s.embed.ConnectPage},
			{Method: http.MethodPost, Pattern: "/connect/{client}/{launch}", Name: "connect", Confirm: page.Always, Handler: s.embed.Connect},
			{Method: http.MethodGet, Pattern: "/account/held/{launch}", Name: "carried from a frame", Handler: page.AtDesk(s.CarriedPage)},
		}),
		page.Block(access.ManageSettings, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/embed", Name: "CRMs", Confirm: page.Always, Handler: page.AtDesk(s.admin.EmbedPage)},
			{Method: http.MethodPost, Pattern: "/admin/embed", Name: "save a CRM", Confirm: page.Always, Handler: page.AtDesk(s.admin.SaveEmbed)},
			{Method: http.MethodPost, Pattern: "/admin/embed/{client}", Name: "decide on a CRM", Confirm: page.Always, Handler: page.AtDesk(s.admin.ActOnEmbed)},
		}),
	)
}

// framedRoutes are the desk's routes that also stand inside frames, and those that stand
// there alone. A person's own account, people and settings are not for frames.
func (s *Server) framedRoutes() []page.Route {
	if s.Embeds == nil {
		return nil
	}
	own := page.Concat(
		page.Block(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/", Name: "record", Handler: page.AtDesk(s.embed.EmbedHome)},
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: s.Stay},
			{Method: http.MethodPost, Pattern: "/confirmed", Name: "confirmed outside", Handler: s.embed.EmbedConfirmed},
			{Method: http.MethodGet, Pattern: "/leads", Name: "pipeline", Handler: page.AtDesk(s.pipeline.LeadsPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: page.Download, Handler: page.AtDesk(s.pipeline.Calendar)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "news seen", Handler: page.AtDesk(s.pipeline.CaughtUp)},
		}),
		page.Block(access.UseAccount, []page.Route{
			{Method: http.MethodPost, Pattern: "/logout", Name: "log out", Handler: s.embed.LeaveFrame},
			{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: page.Stream, Handler: s.Events},
			{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications", Handler: page.AtDesk(s.pipeline.InboxPage)},
			{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read", Handler: page.AtDesk(s.pipeline.ReadNotices)},
			{Method: http.MethodGet, Pattern: "/help/{page}", Name: "help", Handler: s.help.HelpPage},
		}),
		page.Block(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/held", Name: "go on", Handler: s.LatePage},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "hold what is typed", Handler: s.HoldInFrame},
		}),
		page.Block(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/record", Name: "the record's lead", Handler: page.AtDesk(s.embed.TakeLead)},
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "adopt", Handler: page.AtDesk(s.pipeline.AdoptLead)},
		}),
		page.Block(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: page.AtDesk(s.lead.ReceiptPage)},
			{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: page.AtDesk(s.lead.AbandonOperation)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: page.AtDesk(s.lead.AbandonOperation)},
		}),
		page.Block(access.ReassignLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: page.AtDesk(s.team.UndoHandOver)},
		}),
	)
	return page.Embedded(own, s.intakeRoutes(), s.handOffRoutes(), s.estimateRoutes(), s.leadRoutes(), s.deedRoutes())
}
