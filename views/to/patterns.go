package to

// Pattern is one address as a route pattern: {name} stands for one piece of
// the path.
type Pattern struct {
	Name string // the builder, and the piece it was given: "LeadTab offers"
	Path string
}

// Patterns lists every address that can be built here, for the test that
// holds the builders against the route table. Whatever a Base can lie before
// also answers under /e/{client}/{launch}.
func Patterns() []Pattern {
	all := []Pattern{
		{"Home", "/"},
		{"Login", "/login"},
		{"SecondFactor", "/login/second-factor"},
		{"SecondFactorOptions", "/login/second-factor/options"},
		{"PasskeyLogin", "/login/passkey"},
		{"PasskeyOptions", "/login/passkey/options"},
		{"SSO", "/login/sso/{provider}"},
		{"SSOCallback", "/login/sso/{provider}/callback"},
		{"SSOUnlink", "/account/sso/unlink"},
		{"Logout", "/logout"},
		{"Activate", "/activate"},
		{"ActivatePasskey", "/activate/passkey"},
		{"Invite", "/invite"},
		{"InviteRevoke", "/invite/{id}/revoke"},
		{"Reset", "/reset"},
		{"Account", "/account"},
		{"Confirm", "/account/confirm"},
		{"Stay", "/account/session"},
		{"Held", "/account/held"},
		{"Carried", "/account/held/{launch}"},
		{"ConfirmSSO", "/account/confirm/sso"},
		{"ConfirmOptions", "/account/confirm/options"},
		{"Passkey", "/account/passkey"},
		{"NewPasskeyOptions", "/account/passkey/options"},
		{"AccountEmail", "/account/email"},
		{"Authenticator", "/account/authenticator"},
		{"Recovery", "/account/recovery"},
		{"Zone", "/account/zone"},
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
		{"StateLicence", "/leads/new/licence"},
		{"StartLead", "/leads"},
		{"Adopt", "/leads/adopt"},
		{"Seen", "/leads/seen"},
		{"Drafts", "/drafts"},
		{"Draft", "/drafts/{id}"},
		{"DraftDelete", "/drafts/{id}/delete"},
		{"DraftLink", "/drafts/{id}/link"},
		{"DraftHand", "/drafts/{id}/hand"},
		{"Lead", "/leads/{app}"},
		{"Costs", "/leads/{app}/borrower-costs"},
		{"Payoff", "/leads/{app}/direct-debt-payoff-offers"},
		{"Quotes", "/leads/{app}/offers"},
		{"Document", "/leads/{app}/documents/{doc}"},
		{"DocumentsZip", "/leads/{app}/documents.zip"},
		{"Originators", "/originators"},
		{"Team", "/team"},
		{"GiveOn", "/team/unassigned/{id}"},
		{"Reports", "/reports"},
		{"Reassignments", "/reassignments"},
		{"Reassignment", "/reassignments/{id}"},
		{"ReassignmentRetry", "/reassignments/{id}/retry"},
		{"Prequalify", "/prequalify"},
		{"Operation", "/operations/{id}"},
		{"OperationUndo", "/operations/{id}/undo"},
		{"Notifications", "/notifications"},
		{"Events", "/events"},
		{"Help", "/help/{page}"},
		{"Hook", "/hooks/partner/{token}"},
		{"Launch", "/launch/{kind}/{client}"},
		{"LaunchDoor", "/launch/{kind}/{client}/{code}"},
		{"EmbedAct", "/admin/embed/{client}"},
		{"EmbedStart", "/e/{client}/start"},
		{"EmbedTab", "/e/{client}/tab"},
		{"Probe", "/probe"},
		{"Confirmed", "/confirmed"},
		{"Record", "/record"},
		{"Connect", "/connect/{client}/{launch}"},
		{"EmbedRecord", "/api/embed/{client}/records/{record}"},
		{"Person", "/admin/users/{id}"},
		{"AuditHeads", "/admin/audit/heads"},
		{"PolicyReports", "/policy-reports"},
		{"Healthz", "/healthz"},
		{"Readyz", "/readyz"},
		{"Sheet", "/ui"},
		{"Outbox", "/outbox"},
		{"Demo", "/demo/{act}"},
		{"DemoEvent", "/demo/leads/{app}"},
	}
	for _, t := range Tabs()[1:] {
		all = append(all, Pattern{"LeadTab " + string(t), "/leads/{app}/" + string(t)})
	}
	all = under(all, "LeadAct", "/leads/{app}/", Acts())
	all = under(all, "LeadRead", "/leads/{app}/", Reads())
	all = under(all, "PersonAct", "/admin/users/{id}/", PersonActs())
	all = under(all, "OriginatorsAct", "/admin/originators/", OriginatorsActs())
	all = under(all, "TeamPart", "/team/", TeamParts())
	return under(all, "Admin", "/admin/", AdminParts())
}

func under(all []Pattern, name, path string, pieces []string) []Pattern {
	for _, p := range pieces {
		all = append(all, Pattern{name + " " + p, path + p})
	}
	return all
}
