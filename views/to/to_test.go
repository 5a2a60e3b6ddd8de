package to

import (
	"reflect"
	"strings"
	"testing"
)

// builtURLs builds every URL with sentinels for its parameters.
func builtURLs() map[string]string {
	b := Full
	all := map[string]string{
		"Home": b.Home(), "SignIn": SignIn(""), "SecondFactor": SecondFactor(), "SSO": SSO("x1"), "SSOCallback": SSOCallback("x1"), "SSOUnlink": b.SSOUnlink(), "SignOut": b.SignOut(), "Activate": Activate(),
		"Invite": b.Invite(), "InviteRevoke": b.InviteRevoke("x1"), "ActivatePasskey": ActivatePasskey(), "Reset": Reset(), "Account": b.Account(), "StepUp": b.StepUp(), "StepUpSSO": b.StepUpSSO(), "StepUpOptions": b.StepUpOptions(), "PendingForm": b.PendingForm(), "EmbedPendingForm": EmbedPendingForm("x1"), "RenewSession": b.RenewSession(), "Passkey": b.Passkey(), "NewPasskeyOptions": b.NewPasskeyOptions(), "SecondFactorOptions": SecondFactorOptions(),
		"PasskeySignIn": PasskeySignIn(), "PasskeyOptions": PasskeyOptions(), "AccountEmail": b.AccountEmail(), "Authenticator": b.Authenticator(), "Recovery": b.Recovery(),
		"Zone": b.Zone(), "Shortcuts": b.Shortcuts(), "Search": b.Search(), "Password": b.Password(), "FactorRemove": b.FactorRemove("x1"), "FactorName": b.FactorName("x1"), "CRMDisconnect": b.CRMDisconnect("x1"), "SessionEnd": b.SessionEnd("x1"), "SessionsEnd": b.SessionsEnd(),
		"Leads": b.Leads(LeadsQuery{}), "LeadsCSV": b.LeadsCSV(LeadsQuery{}),
		"LeadsICS": b.LeadsICS(), "NewLead": b.NewLead(""), "StateLicense": b.StateLicense(), "StartLead": b.StartLead(), "ImportLead": b.ImportLead(), "Adopt": b.Adopt(), "MarkSeen": b.MarkSeen(), "LeadsDisplay": b.LeadsDisplay(LeadsQuery{}), "Drafts": b.Drafts(), "Draft": b.Draft("x1"),
		"DraftDelete": b.DraftDelete("x1"), "DraftBorrowerLink": b.DraftBorrowerLink("x1"), "DraftTransfer": b.DraftTransfer("x1"), "Lead": b.Lead("x1"), "Document": b.Document("x1", "x2"),
		"DocumentsZip": b.DocumentsZip("x1"), "Originators": b.Originators(), "OriginatorsNamed": b.OriginatorsNamed(""), "Team": b.Team(), "Reports": b.Reports(), "Views": b.Views(), "SaveView": b.SaveView(LeadsQuery{}), "FirstView": b.FirstView(), "ViewName": b.ViewName("x1"), "ReportsWith": b.ReportsWith(ReportQuery{}), "Report": b.Report("x1", ReportQuery{}), "ReportCSV": b.ReportCSV("x1", ReportQuery{}), "ReportZone": b.ReportZone(), "MonthlyReport": b.MonthlyReport(), "ReassignDeparted": ReassignDeparted("x1"), "TeamPerson": TeamPerson("x1"), "TeamPersonClose": TeamPersonClose("x1"), "InviteResend": b.InviteResend("x1"), "Absence": Absence("x1"), "AbsenceFor": AbsenceFor(""),
		"Reassignments": b.Reassignments(), "Reassignment": b.Reassignment("x1"), "ReassignmentRetry": b.ReassignmentRetry("x1"), "ReassignList": ReassignList(LeadsQuery{}), "ReassignmentUndo": ReassignmentUndo("x1"), "OperationUndo": b.OperationUndo("x1"), "Prequalify": b.Prequalify(), "Operation": b.Operation("x1"),
		"Notifications": b.Notifications(""), "Events": b.Events(), "LenderState": b.LenderState(), "Help": b.Help("x1"), "Hook": Hook("x1"), "Launch": Launch("x1", "x2"),
		"Share": b.Share("x1"), "ShareRevoke": b.ShareRevoke("x1", "x2"), "SharedQuote": SharedQuote("x1"), "Brand": Brand("x1"),
		"Costs": b.Costs("x1", CostsQuery{}), "Payoff": b.Payoff("x1", PayoffQuery{}), "Quotes": b.Quotes("x1", QuotesQuery{}),
		"LaunchCode": LaunchCode("x1", "x2", "x3"), "EmbedAction": EmbedAction("x1"), "EmbedStart": EmbedStart("x1"), "EmbedNewTab": EmbedNewTab("x1"), "StorageProbe": b.StorageProbe(), "StepUpStatus": b.StepUpStatus(), "LinkCRMRecord": b.LinkCRMRecord(), "Connect": Connect("x1", "x2"),
		"EmbedCRMCard": EmbedCRMCard("x1", "x2"), "Person": Person("x1"), "AuditHeads": AuditHeads(), "ConfirmPayments": ConfirmPayments(), "PolicyReports": PolicyReports(), "Healthz": Healthz(), "Readyz": Readyz(), "UIGallery": UIGallery(), "Outbox": Outbox(),
		"DemoAction": DemoAction("x1"), "Calendar": b.Calendar(), "CalendarEnd": b.CalendarEnd(), "CalendarFeed": CalendarFeed("x1"), "DemoBar": DemoBar(""), "DemoMissions": DemoMissions(), "DemoEvent": DemoEvent("x1"),
	}
	for _, t := range Tabs()[1:] {
		all["LeadTab "+string(t)] = b.LeadTab("x1", t)
	}
	for _, op := range LeadActions() {
		all["LeadAction "+op] = b.LeadAction("x1", op)
	}
	for _, r := range LeadReads() {
		all["LeadRead "+r] = b.LeadRead("x1", r)
	}
	for _, p := range PersonActions() {
		all["PersonAction "+p] = PersonAction("x1", p)
	}
	for _, act := range OriginatorsActs() {
		all["OriginatorsAct "+act] = OriginatorsAct(act)
	}
	for _, p := range AbsenceActions() {
		all["AbsenceAction "+p] = AbsenceAction("x1", p)
	}
	for _, act := range RulesActions() {
		all["RulesAction "+act] = RulesAction(act)
	}
	for _, action := range ViewActions() {
		all["ViewAction "+action] = b.ViewAction("x1", action)
	}
	for _, p := range TeamParts() {
		all["TeamPart "+p] = b.TeamPart(p)
	}
	for _, p := range AdminParts() {
		all["Admin "+p] = b.Admin(p)
	}
	return all
}

func TestPatterns_MatchBuilders(t *testing.T) {
	urls := builtURLs()
	seen := map[string]bool{}
	for _, p := range Patterns() {
		seen[p.Name] = true
		url, ok := urls[p.Name]
		if !ok {
			t.Errorf("%s: no builder was called for pattern %s", p.Name, p.Path)
			continue
		}
		if !matches(url, p.Path) {
			t.Errorf("%s: got %s, want a match of %s", p.Name, url, p.Path)
		}
	}
	for name := range urls {
		if !seen[name] {
			t.Errorf("%s has no pattern", name)
		}
	}
}

// matches compares segment by segment; {name} matches a sentinel.
func matches(url, pattern string) bool {
	got, want := strings.Split(url, "/"), strings.Split(pattern, "/")
	if len(got) != len(want) {
		return false
	}
	for i := range want {
		if strings.HasPrefix(want[i], "{") {
			if !strings.HasPrefix(got[i], "x") {
				return false
			}
		} else if got[i] != want[i] {
			return false
		}
	}
	return true
}

// Every method of Base that returns a URL must be in the list.
func TestPatterns_CoverEveryBuilder(t *testing.T) {
	names := map[string]bool{"Embedded": true, "NewLeadSample": true, "OfferSheet": true, "ShareSelection": true, "ShareCreated": true, "SignedOut": true, "SessionEnded": true} // not URLs, or the routes of NewLead and Home
	for _, p := range Patterns() {
		name, _, _ := strings.Cut(p.Name, " ")
		names[name] = true
	}
	b := reflect.TypeFor[Base]()
	for i := range b.NumMethod() {
		if name := b.Method(i).Name; !names[name] {
			t.Errorf("Base.%s has no pattern", name)
		}
	}
}

func TestURLs_EscapeParameters(t *testing.T) {
	for got, want := range map[string]string{
		Full.Lead("a/b?c#d"):                               "/leads/a%2Fb%3Fc%23d",
		Full.Document("a", "../x"):                         "/leads/a/documents/..%2Fx",
		Full.NewLead("d&x=1"):                              "/leads/new?draft=d%26x%3D1",
		SignIn("/leads?q=a b"):                             "/login?next=%2Fleads%3Fq%3Da+b",
		Embed("crm/1", "l 2").Lead("a"):                    "/e/crm%2F1/l%202/leads/a",
		Full.Leads(LeadsQuery{Q: "Núñez & Co", State: ""}): "/leads?q=N%C3%BA%C3%B1ez+%26+Co",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestBase_Embedded(t *testing.T) {
	b := Embed("acme", "L1")
	for got, want := range map[string]string{
		b.Home(): "/e/acme/L1/", b.Leads(LeadsQuery{}): "/e/acme/L1/leads", b.Events(): "/e/acme/L1/events", b.LeadTab("a", Offers): "/e/acme/L1/leads/a/offers",
		b.LeadTab("a", Overview): "/e/acme/L1/leads/a",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if !b.Embedded() || Full.Embedded() {
		t.Error("Embedded returned the wrong result")
	}
}

func TestLeadsQuery(t *testing.T) {
	q := LeadsQuery{View: "today", Q: "rivera", Step: "offers", State: "ID", Originator: "u1", Sort: "due", After: "k1"}
	if got, want := Full.Leads(q), "/leads?view=today&q=rivera&step=offers&state=ID&originator=u1&sort=due&after=k1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Full.Leads(q.InView("offers")), "/leads?view=offers&q=rivera&step=offers&state=ID&originator=u1&sort=due"; got != want {
		t.Errorf("another lane: got %s, want %s", got, want)
	}
	if got := q.AfterKey("").After; got != "" {
		t.Errorf("first page: got %q", got)
	}
	if !q.Filtered() || (LeadsQuery{View: "all", Sort: "due"}).Filtered() {
		t.Error("Filtered returned the wrong result")
	}
}
