package web_test

import (
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hearthline/views/to"
	"hearthline/web/webtest"
)

// TestURLs_EveryBuilder_HasARoute calls every builder of views/to and expects that the portal has a route for what it
// returns, with the same number of segments.
func TestURLs_EveryBuilder_HasARoute(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{DemoControl: noDemoControl{}, Estimate: webtest.EstimateAccess(),
		BorrowerLink: webtest.BorrowerLink(t)})
	placeholder := regexp.MustCompile(`\\\{\w+\\\}`)
	var routes []*regexp.Regexp
	for _, route := range h.Routes() {
		pattern := placeholder.ReplaceAllString(regexp.QuoteMeta(strings.TrimSuffix(route.Pattern, "*")), `[^/]+`)
		if strings.HasSuffix(route.Pattern, "*") {
			pattern += ".*"
		}
		routes = append(routes, regexp.MustCompile("^"+pattern+"$"))
	}
	for name, address := range builtURLs() {
		path, _, _ := strings.Cut(address, "?")
		path, _, _ = strings.Cut(path, "#")
		found := false
		for _, route := range routes {
			found = found || route.MatchString(path) || route.MatchString("/e/x1/x2"+path) // some pages exist only in embeds
		}
		if !found {
			t.Errorf("%s: no route for %s", name, address)
		}
	}
}

// builtURLs returns a URL of every builder: of the methods of Base with the same example for each parameter, and of the
// functions of the package.
func builtURLs() map[string]string {
	all := map[string]string{
		"SignIn": to.SignIn("/x"), "SignInAfter": to.SignInAfter(to.PasswordChanged),
		"SecondFactor": to.SecondFactor(), "SecondFactorNext": to.SecondFactorNext("/x"),
		"SecondFactorOptions": to.SecondFactorOptions(), "PasskeySignIn": to.PasskeySignIn(),
		"PasskeyOptions": to.PasskeyOptions(), "SSO": to.SSO("x1"), "SSONext": to.SSONext("x1", "/x"),
		"Activate": to.Activate(), "ActivatePasskey": to.ActivatePasskey(),
		"Reset": to.Reset(), "EmbedPendingForm": to.EmbedPendingForm("x1"),
		"ShortcutSetting": to.ShortcutSetting(), "MonthlyReportSetting": to.MonthlyReportSetting(),
		"EmbedAction": to.EmbedAction("x1"), "EmbedEdit": to.EmbedEdit("x1"),
		"Launch": to.Launch("jwt", "x2"), "LaunchCode": to.LaunchCode("jwt", "x2", "x3"),
		"EmbedStart": to.EmbedStart("x1"), "EmbedNewTab": to.EmbedNewTab("x1"), "Connect": to.Connect("x1", "x2"),
		"Stuck": to.Stuck(to.StuckQuery{}), "DisabledPeople": to.DisabledPeople(), "TeamPerson": to.TeamPerson("x1"),
		"TeamPersonClose": to.TeamPersonClose("x1"), "Absence": to.Absence("x1"),
		"AbsenceWork": to.AbsenceWork(to.AbsenceQuery{ID: "x1"}),
		"AbsenceFor":  to.AbsenceFor("x1"), "RulesPage": to.RulesPage("x1", "x2"),
		"ReassignDeparted": to.ReassignDeparted("x1"), "UnassignedPage": to.UnassignedPage("x1"),
		"ReassignList": to.ReassignList(to.LeadsQuery{}), "ReassignmentUndo": to.ReassignmentUndo("x1"),
		"ConfirmPayments": to.ConfirmPayments(), "PolicyReports": to.PolicyReports(), "Outbox": to.Outbox(),
		"DemoMissions": to.DemoMissions(), "DemoBar": to.DemoBar("x1"), "DemoEvent": to.DemoEvent("x1"),
		"AuditHeads": to.AuditHeads(), "AuditPage": to.AuditPage(url.Values{}, 1),
		"Person": to.Person("x1"), "Licenses": to.Licenses(), "ImportLicenses": to.ImportLicenses(),
		"SettingsLicense": to.SettingsLicense("x1", "ID"), "Branding": to.Branding(), "Brand": to.Brand("x1"),
		"SharedQuote": to.SharedQuote("x1"), "SharedQuoteIn": to.SharedQuoteIn("x1", "es", true),
		"CalendarFeed":         to.CalendarFeed("x1"),
		"NotificationSettings": to.NotificationSettings(), "NotificationDefaults": to.NotificationDefaults(),
		"NotificationBrowser": to.NotificationBrowser(), "NotificationBrowserOff": to.NotificationBrowserOff(),
		"NotificationBrowserTest": to.NotificationBrowserTest(), "NotificationEmailTest": to.NotificationEmailTest(),
		"ServiceWorker": to.ServiceWorker(),
	}
	add := func(name string, build func(piece string) string, pieces ...string) {
		for _, piece := range pieces {
			all[name+" "+piece] = build(piece)
		}
	}
	add("LeadTab", func(tab string) string { return to.Full.LeadTab("x1", to.Tab(tab)) }, tabNames()...)
	add("LeadTabLists", func(tab string) string { return to.Full.LeadTabLists("x1", to.Tab(tab), "list", "x1") },
		tabNames()...)
	add("LeadAction", func(action string) string { return to.Full.LeadAction("x1", action) },
		"add-ssn", "repull-credit", "verify-liens", "add-income", "asset-depletion", "add-property-estimate",
		"select-property", "calculate-offers", "select-offer", "cancel", "attributions",
		"reassign", "refresh", "reveal", "contact", "note", "follow-up", "set-aside", "take-off", "clone", "loan-file",
		"nudge")
	add("LeadRead", func(name string) string { return to.Full.LeadRead("x1", name) }, "direct-debt-payoff-offers",
		"borrower-costs", "borrower-link", "offer-sheet", "show")
	add("OfferSheet", func(name string) string { return to.Full.OfferSheet("x1", name, to.OfferSheetQuery{}) },
		"offer-sheet", "show")
	add("PersonAction", func(action string) string { return to.PersonAction("x1", action) }, "role", "sign-out", "email",
		"reset", "close", "open", "disconnect")
	add("OriginatorsAct", to.OriginatorsAct, "apply", "discard", "undo")
	add("AbsenceAction", func(action string) string { return to.AbsenceAction("x1", action) }, "end", "delete", "seen")
	add("RulesAction", to.RulesAction, "pause", "resume")
	add("SettingsAction", to.SettingsAction, "licenses", "import", "branding")
	add("ViewAction", func(action string) string { return to.Full.ViewAction("x1", action) }, "delete", "up",
		"share", "unshare")
	add("TeamPart", to.Full.TeamPart, "absences", "people", "rules", "settings", "stuck", "unassigned")
	add("Admin", to.Full.Admin, "users", "originators", "licenses", "branding", "texts", "audit", "health", "embed",
		"policy", "interface", "asvs")
	add("DemoAction", to.DemoAction, "fault", "missions")
	base := reflect.ValueOf(to.Full)
	for i := range base.NumMethod() {
		name, method := base.Type().Method(i).Name, base.Method(i)
		switch name {
		case "Embedded", "LeadTab", "LeadTabLists", "LeadAction", "LeadRead", "OfferSheet", "ViewAction", "TeamPart",
			"Admin":
			continue // no URL, or one of those above
		}
		var arguments []reflect.Value
		for n := range method.Type().NumIn() {
			argument := reflect.New(method.Type().In(n)).Elem()
			if argument.Kind() == reflect.String {
				argument.SetString("x1")
			}
			arguments = append(arguments, argument)
		}
		all[name] = method.Call(arguments)[0].String()
	}
	return all
}

func tabNames() []string {
	var names []string
	for _, tab := range to.Tabs() {
		names = append(names, string(tab))
	}
	return names
}
