package to

// Pattern is a URL as a route pattern; {name} is a placeholder for one path segment.
type Pattern struct {
	Name string // the builder, and the segment it received: "LeadTab offers"
	Path string
}

// Patterns lists every URL that this package builds, for the test that compares the builders with the route
// table. Every URL that is built from a Base also exists under /e/{client}/{launch}.
func Patterns() []Pattern {
	all := []Pattern{
		{"Home", "/"},
		{"SignIn", "/login"},
		{"SecondFactor", "/login/second-factor"},
		{"SecondFactorOptions", "/login/second-factor/options"},
		{"PasskeySignIn", "/login/passkey"},
		{"PasskeyOptions", "/login/passkey/options"},
		{"SSO", "/login/sso/{provider}"},
		{"SSOCallback", "/login/sso/{provider}/callback"},
		{"SSOUnlink", "/account/sso/unlink"},
		{"SignOut", "/logout"},
		{"Activate", "/activate"},
		{"ActivatePasskey", "/activate/passkey"},
		{"Invite", "/invite"},
		{"InviteRevoke", "/invite/{id}/revoke"},
		{"Reset", "/reset"},
		{"Account", "/account"},
		{"StepUp", "/account/confirm"},
		{"RenewSession", "/account/session"},
		{"PendingForm", "/account/held"},
		{"EmbedPendingForm", "/account/held/{launch}"},
		{"StepUpSSO", "/account/confirm/sso"},
		{"StepUpOptions", "/account/confirm/options"},
		{"Passkey", "/account/passkey"},
		{"NewPasskeyOptions", "/account/passkey/options"},
		{"AccountEmail", "/account/email"},
		{"Authenticator", "/account/authenticator"},
		{"Recovery", "/account/recovery"},
		{"Zone", "/account/zone"},
		{"Shortcuts", "/account/shortcuts"},
		{"Password", "/account/password"},
		{"FactorRemove", "/account/factors/{id}/remove"},
		{"FactorName", "/account/factors/{id}/name"},
		{"CRMDisconnect", "/account/crms/{id}/disconnect"},
		{"SessionEnd", "/account/sessions/{id}/end"},
		{"SessionsEnd", "/account/sessions/end-others"},
		{"Leads", "/leads"},
		{"LeadsCSV", "/leads.csv"},
		{"LeadsICS", "/leads.ics"},
		{"NewLead", "/leads/new"},
		{"StateLicense", "/leads/new/licence"},
		{"StartLead", "/leads"},
		{"ImportLead", "/leads/import"},
		{"Adopt", "/leads/adopt"},
		{"MarkSeen", "/leads/seen"},
		{"LeadsDisplay", "/leads/display"},
		{"Drafts", "/drafts"},
		{"Draft", "/drafts/{id}"},
		{"DraftDelete", "/drafts/{id}/delete"},
		{"DraftBorrowerLink", "/drafts/{id}/link"},
		{"DraftTransfer", "/drafts/{id}/hand"},
		{"Lead", "/leads/{app}"},
		{"Costs", "/leads/{app}/borrower-costs"},
		{"Payoff", "/leads/{app}/direct-debt-payoff-offers"},
		{"Quotes", "/leads/{app}/offers"},
		{"Share", "/leads/{app}/share"},
		{"ShareRevoke", "/leads/{app}/share/{id}/revoke"},
		{"SharedQuote", "/q/{token}"},
		{"Brand", "/brand/{file}"},
		{"Document", "/leads/{app}/documents/{doc}"},
		{"DocumentsZip", "/leads/{app}/documents.zip"},
		{"Originators", "/originators"},
		{"Team", "/team"},
		{"TeamPerson", "/team/people/{id}"},
		{"TeamPersonClose", "/team/people/{id}/close"},
		{"InviteResend", "/invite/{id}/resend"},
		{"Absence", "/team/absences/{id}"},
		{"AbsenceFor", "/team/absences"},
		{"ReassignDeparted", "/team/unassigned/{id}"},
		{"Reports", "/reports"},
		{"ReportsWith", "/reports"},
		{"Report", "/reports/{name}"},
		{"Views", "/views"},
		{"SaveView", "/views"},
		{"FirstView", "/views/first"},
		{"ViewName", "/views/{id}"},
		{"ReportCSV", "/reports/{name}.csv"},
		{"ReportZone", "/reports/zone"},
		{"MonthlyReport", "/account/monthly-report"},
		{"Reassignments", "/reassignments"},
		{"ReassignList", "/reassignments"},
		{"Reassignment", "/reassignments/{id}"},
		{"ReassignmentUndo", "/reassignments/{id}/undo"},
		{"ReassignmentRetry", "/reassignments/{id}/retry"},
		{"Prequalify", "/prequalify"},
		{"Operation", "/operations/{id}"},
		{"OperationUndo", "/operations/{id}/undo"},
		{"Notifications", "/notifications"},
		{"Search", "/search"},
		{"OriginatorsNamed", "/originators"},
		{"Events", "/events"},
		{"LenderState", "/lender-state"},
		{"Help", "/help/{page}"},
		{"Hook", "/hooks/partner/{token}"},
		{"Launch", "/launch/{kind}/{client}"},
		{"LaunchCode", "/launch/{kind}/{client}/{code}"},
		{"EmbedAction", "/admin/embed/{client}"},
		{"EmbedStart", "/e/{client}/start"},
		{"EmbedNewTab", "/e/{client}/tab"},
		{"StorageProbe", "/probe"},
		{"StepUpStatus", "/confirmed"},
		{"LinkCRMRecord", "/record"},
		{"Connect", "/connect/{client}/{launch}"},
		{"EmbedCRMCard", "/api/embed/{client}/records/{record}"},
		{"Person", "/admin/users/{id}"},
		{"AuditHeads", "/admin/audit/heads"},
		{"ConfirmPayments", "/admin/health/payments"},
		{"PolicyReports", "/policy-reports"},
		{"Healthz", "/healthz"},
		{"Readyz", "/readyz"},
		{"UIGallery", "/ui"},
		{"Outbox", "/outbox"},
		{"DemoAction", "/demo/{act}"},
		{"Calendar", "/calendar"},
		{"CalendarEnd", "/calendar/end"},
		{"CalendarFeed", "/calendar/{token}.ics"},
		{"DemoBar", "/demo/bar"},
		{"DemoMissions", "/demo/missions"},
		{"DemoEvent", "/demo/leads/{app}"},
	}
	for _, t := range Tabs()[1:] {
		all = append(all, Pattern{"LeadTab " + string(t), "/leads/{app}/" + string(t)})
	}
	all = withPrefix(all, "LeadAction", "/leads/{app}/", LeadActions())
	all = withPrefix(all, "LeadRead", "/leads/{app}/", LeadReads())
	all = withPrefix(all, "PersonAction", "/admin/users/{id}/", PersonActions())
	all = withPrefix(all, "OriginatorsAct", "/admin/originators/", OriginatorsActs())
	all = withPrefix(all, "AbsenceAction", "/team/absences/{id}/", AbsenceActions())
	all = withPrefix(all, "RulesAction", "/team/rules/", RulesActions())
	all = withPrefix(all, "ViewAction", "/views/{id}/", ViewActions())
	all = withPrefix(all, "TeamPart", "/team/", TeamParts())
	return withPrefix(all, "Admin", "/admin/", AdminParts())
}

func withPrefix(all []Pattern, name, path string, pieces []string) []Pattern {
	for _, p := range pieces {
		all = append(all, Pattern{name + " " + p, path + p})
	}
	return all
}
