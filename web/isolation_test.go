package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/pubsub"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// isolationProbes returns, by route, all requests with which a user might reach another company's data. A route that
// is neither here nor in skipReason fails the test: whoever adds a list must define here how it could leak.
func isolationProbes(of companyFixture) map[string][]probe {
	first := func(path string, queries ...url.Values) (all []probe) {
		for _, q := range queries {
			all = append(all, probe{path: path + "?" + q.Encode()})
		}
		return append(all, probe{path: path})
	}
	posts := func(path string, forms ...url.Values) (all []probe) {
		for _, f := range forms {
			all = append(all, probe{path, f})
		}
		return all
	}
	each := func(pattern string, ids []string, form url.Values) (all []probe) {
		for _, id := range ids {
			if id != "" {
				all = append(all, probe{strings.Replace(pattern, "{id}", id, 1), form})
			}
		}
		return all
	}
	drafts := []string{of.draft, of.receivedDraft}
	var colleagues []string
	for _, first := range []string{of.users.originator, of.users.colleague, of.users.assistant} {
		colleagues = append(colleagues, of.browser.H.People[first].UserID)
	}
	owners := []string{of.browser.H.People[of.users.originator].OriginatorUUID,
		of.browser.H.People[of.users.colleague].OriginatorUUID}
	reason := url.Values{"reason": {"It was not there."}, "operation": {"made up"}, "confirm.undo": {"true"}}
	hand := url.Values{"app": strings.Fields(strings.Join(appStrings(of.apps), " ")),
		"newLoanOriginatorUuid": {of.browser.H.People["marcus"].OriginatorUUID}, "confirm.reassign": {"true"}}
	dry := url.Values{"app": hand["app"], "dry": {"true"}, "q": {"e"}}
	owner := url.Values{"q": {of.searches[0]}}
	return map[string][]probe{
		"GET /":              first("/"),
		"GET /leads":         first("/leads", of.listQueries()...),
		"GET /leads.csv":     first("/leads.csv", of.listQueries()...),
		"GET /leads.ics":     first("/leads.ics"),
		"GET /leads/dates":   first("/leads/dates"),
		"GET /calendar":      first("/calendar"),
		"POST /calendar":     posts("/calendar", url.Values{}),
		"POST /calendar/end": posts("/calendar/end", url.Values{}),
		"GET /demo/bar": first("/demo/bar", url.Values{"lead": {string(of.app)}},
			url.Values{"lead": {string(of.frozen)}}),
		"GET /demo/missions":  first("/demo/missions"),
		"POST /demo/missions": posts("/demo/missions", url.Values{}),
		"POST /leads/seen":    posts("/leads/seen", url.Values{}),
		"POST /leads/display": posts("/leads/display", url.Values{"column": {"originator", "contact"}}),
		"POST /leads/adopt": posts("/leads/adopt", url.Values{"appUuid": {string(of.app)}},
			url.Values{"appUuid": {string(of.frozen)}}),
		"GET /search":                   first("/search"),
		"GET /team/audit":               first("/team/audit"),
		"POST /team/audit":              posts("/team/audit", of.paletteSearches()...),
		"POST /search":                  posts("/search", of.paletteSearches()...),
		"GET /notifications":            first("/notifications", url.Values{"after": {pageKey(1<<50, of.notice)}}),
		"POST /notifications":           posts("/notifications", url.Values{"id": {of.notice}}),
		"GET /operations/{id}":          each("/operations/{id}", of.receipts, nil),
		"POST /operations/{id}":         each("/operations/{id}", of.receipts, reason),
		"POST /operations/{id}/abandon": each("/operations/{id}/abandon", of.receipts, reason),
		"POST /operations/{id}/adopt":   each("/operations/{id}/adopt", of.receipts, nil),
		"POST /operations/{id}/undo":    each("/operations/{id}/undo", of.receipts, reason),
		"GET /reassignments":            first("/reassignments", of.listQueries()...),
		"POST /reassignments": posts("/reassignments", hand, dry,
			url.Values{"match": {"all"}, "list": {"view=all"}}, url.Values{"match": {"all"},
				"list": {"originator=" + of.browser.H.People[of.users.originator].OriginatorUUID}, "dry": {"true"}}),
		"POST /reassignments/{id}/undo":  each("/reassignments/{id}/undo", []string{of.run}, url.Values{"run": {of.run}}),
		"GET /reassignments/{id}":        each("/reassignments/{id}", []string{of.run}, nil),
		"POST /reassignments/{id}/retry": each("/reassignments/{id}/retry", []string{of.run}, url.Values{}),
		"GET /team":                      first("/team"),
		"GET /team/people":               first("/team/people"),
		"GET /team/people/{id}":          each("/team/people/{id}", colleagues, nil),
		"POST /team/people/{id}/close": each("/team/people/{id}/close", colleagues,
			url.Values{"confirm.close": {"true"}, "leave.unassigned": {"true"}}),
		"POST /team/people/{id}/assistant": each("/team/people/{id}/assistant", colleagues,
			url.Values{"worksFor": hand["newLoanOriginatorUuid"]}),
		"GET /team/absences": first("/team/absences", url.Values{"person": colleagues}),
		"POST /team/absences": posts("/team/absences", url.Values{"person": colleagues[:1],
			"deputy": colleagues[1:2], "firstDay": {"2031-01-05"}, "lastDay": {"2031-01-06"}}),
		"GET /team/absences/{id}": each("/team/absences/{id}", []string{of.absence}, nil),
		"POST /team/absences/{id}": each("/team/absences/{id}", []string{of.absence},
			url.Values{"deputy": colleagues[1:2], "firstDay": {"2031-01-05"}, "lastDay": {"2031-01-06"}}),
		"POST /team/absences/{id}/end":    each("/team/absences/{id}/end", []string{of.absence}, url.Values{}),
		"POST /team/absences/{id}/delete": each("/team/absences/{id}/delete", []string{of.absence}, url.Values{}),
		"POST /team/absences/{id}/seen":   each("/team/absences/{id}/seen", []string{of.absence}, url.Values{}),
		"POST /invite/{id}/resend":        each("/invite/{id}/resend", []string{of.invited}, url.Values{}),
		"GET /team/settings": first("/team/settings",
			url.Values{"holder": hand["newLoanOriginatorUuid"], "state": {"ID"}}),
		"POST /team/settings/licenses": posts("/team/settings/licenses", url.Values{
			"holder": hand["newLoanOriginatorUuid"], "state": {"ID"}, "may": {"false"}}),
		"POST /team/settings/import": posts("/team/settings/import",
			url.Values{"rows": {of.browser.H.People[of.users.originator].NMLS + ",ID,1,2031-12-31"}}),
		"POST /team/settings/branding": posts("/team/settings/branding",
			url.Values{"company": {of.browser.H.People[of.users.originator].Company()}, "color": {"#123456"}}),
		"POST /invite/requests/{id}/withdraw": each("/invite/requests/{id}/withdraw", []string{of.invited}, url.Values{}),
		"GET /team/stuck": first("/team/stuck", url.Values{"after": {pageKey(0, string(of.app))}},
			url.Values{"originator": hand["newLoanOriginatorUuid"]}),
		"GET /team/rules": first("/team/rules", url.Values{"after": {"~"}}),
		"POST /team/rules": posts("/team/rules",
			url.Values{"active": {"true"}, "rule.0.person": {colleagues[0] + " 1"}}),
		"POST /team/rules/dry-run": posts("/team/rules/dry-run", url.Values{"rule.0.person": {colleagues[0] + " 1"}},
			url.Values{"rule.0.person": {of.browser.H.People["marcus"].UserID + " 1",
				of.browser.H.People["piotr"].UserID + " 1"}}),
		"POST /team/rules/pause":  posts("/team/rules/pause", url.Values{}),
		"POST /team/rules/resume": posts("/team/rules/resume", url.Values{}),
		"GET /team/unassigned": first("/team/unassigned", url.Values{"after": {pageKey(0, string(of.app))}},
			url.Values{"after": {pageKey(1<<60, string(of.app))}}),
		"POST /team/out/{id}/return": each("/team/out/{id}/return", owners, url.Values{}),
		"GET /team/out/{id}":         each("/team/out/{id}", owners, nil),
		"POST /team/out/{id}": each("/team/out/{id}", owners, url.Values{"run": {"01JDZ0000000000000000000AA"},
			"cap": {"99"}, "how": {"split"}}),
		"GET /team/returns/{id}": each("/team/returns/{id}", []string{of.back}, nil),
		"POST /team/returns/{id}": each("/team/returns/{id}", []string{of.back},
			url.Values{"run": {"01JDZ0000000000000000000AB"}, "keeps." + string(of.app): {"back"}}),
		"POST /team/unassigned/{id}": each("/team/unassigned/{id}",
			[]string{of.browser.H.People[of.users.originator].UserID}, hand),
		"GET /reports": first("/reports",
			url.Values{"period": {"12-months"}, "originator": hand["newLoanOriginatorUuid"]}),
		"GET /reports/{name}":      each("/reports/{id}", append(to.ReportNames(), to.FiguresReport), nil),
		"GET /reports/{name}.csv":  each("/reports/{id}.csv", append(to.ReportNames(), to.FiguresReport), nil),
		"POST /reports/zone":       posts("/reports/zone", url.Values{"zone": {"America/Denver"}}),
		"GET /views":               first("/views"),
		"POST /views":              posts("/views", url.Values{"name": {"All of them"}}),
		"GET /views/first":         first("/views/first"),
		"POST /views/first":        posts("/views/first", url.Values{"opensFirst": {"true"}}),
		"POST /views/{id}":         each("/views/{id}", []string{of.view}, url.Values{"name": {"Overwritten"}}),
		"POST /views/{id}/delete":  each("/views/{id}/delete", []string{of.view}, url.Values{}),
		"POST /views/{id}/up":      each("/views/{id}/up", []string{of.view}, url.Values{}),
		"POST /views/{id}/share":   each("/views/{id}/share", []string{of.view}, url.Values{}),
		"POST /views/{id}/unshare": each("/views/{id}/unshare", []string{of.view}, url.Values{}),
		"GET /originators":         first("/originators", owner, url.Values{"q": {of.searches[3]}}),
		"GET /leads/new": first("/leads/new", url.Values{"draft": {of.draft}},
			url.Values{"draft": {of.receivedDraft}}),
		"GET /leads/new/license": first("/leads/new/license", url.Values{"property.address.state": {"ID"}}),
		"POST /leads": posts("/leads", url.Values{"draft": {of.draft}, "operation": {of.receipts[0]}},
			url.Values{"draft": {of.receivedDraft}}),
		"POST /leads/import": posts("/leads/import", url.Values{"draft": {of.draft}},
			url.Values{"draft": {of.receivedDraft}}),
		"GET /leads/import/{id}":          each("/leads/import/{id}", []string{of.review}, nil),
		"POST /leads/import/{id}":         each("/leads/import/{id}", []string{of.review}, url.Values{}),
		"POST /leads/import/{id}/discard": each("/leads/import/{id}/discard", []string{of.review}, url.Values{}),
		"GET /drafts":                     first("/drafts"),
		"POST /drafts/{id}": each("/drafts/{id}", drafts,
			url.Values{"applicant.name.lastName": {"Overwritten"}}),
		"POST /drafts/{id}/hand": each("/drafts/{id}/hand", drafts,
			url.Values{"draft.originator": hand["newLoanOriginatorUuid"]}),
		"POST /drafts/{id}/link":   each("/drafts/{id}/link", drafts, url.Values{}),
		"POST /drafts/{id}/delete": each("/drafts/{id}/delete", drafts, url.Values{}),
		"GET /prequalify":          first("/prequalify", owner),
		"POST /prequalify": posts("/prequalify",
			url.Values{"lastName": {of.form["applicant.name.lastName"]}, "operation": {of.receipts[0]}}),
		"GET /invite":              first("/invite"),
		"POST /invite/{id}/revoke": each("/invite/{id}/revoke", []string{of.invited}, url.Values{}),
		"GET /account":             first("/account"),
		"GET /account/confirm":     first("/account/confirm"),
		"GET /admin/audit":         first("/admin/audit", url.Values{"lead": {string(of.app)}}),
		"GET /admin/users":         first("/admin/users"),
		"GET /admin/requests":      first("/admin/requests"),
		"GET /admin/originators":   first("/admin/originators", owner),
		"GET /admin/users/{id}": each("/admin/users/{id}",
			[]string{of.browser.H.People["olivia"].UserID, of.browser.H.People["piotr"].UserID}, nil),
		"GET /admin/health": first("/admin/health"),
		"POST /admin/health/payments": posts("/admin/health/payments",
			url.Values{"rateType": {"FIXED"}, "confirm.payments": {"true"}}),
		"GET /admin/licenses":              first("/admin/licenses", owner),
		"GET /admin/branding":              first("/admin/branding"),
		"GET /admin/embed":                 first("/admin/embed"),
		"GET /admin/embed/{client}/events": first("/admin/embed/acme/events"),
		"GET /admin/embed/{client}/test":   first("/admin/embed/acme/test"),
		"GET /connect/{client}/{launch}":   first("/connect/none/none"),
		"POST /connect/{client}/{launch}":  posts("/connect/none/none", url.Values{}),
	}
}

// skipReason returns why a route is not probed, or "".
func skipReason(route page.Route) string {
	key := route.Method + " " + route.Pattern
	switch {
	case route.Public:
		return "it needs no session; TestPIILeak_EveryRoute_None covers it"
	case route.Embedded:
		return "it has the same handlers as the full desk, with guards that are tested separately"
	case route.Class == page.Stream:
		return "it does not end; TestStream_OtherCompany_NotNotified covers it"
	}
	if strings.HasPrefix(route.Pattern, "/account/") && key != "GET /account/confirm" {
		return "it changes how the user signs in, and shows what GET /account shows"
	}
	if strings.HasPrefix(key, "POST /admin/users/{id}/") {
		return "it shows what GET /admin/users/{id} shows"
	}
	if strings.HasPrefix(key, "POST /admin/requests") {
		return "it shows what GET /admin/requests shows"
	}
	if strings.HasPrefix(key, "POST /admin/originators/") {
		return "it shows what GET /admin/originators shows"
	}
	return map[string]string{
		"GET /leads/next":             "it opens a lead of the user and marks notifications as read; see TestNextToday",
		"POST /logout":                "it ends the test's session",
		"GET /lender-state":           "the same for everybody",
		"GET /help":                   "it redirects to the first help page",
		"GET /help/{page}":            "the same for everybody",
		"POST /invite":                "it shows what GET /invite shows",
		"GET /admin/audit/heads":      "row numbers and MACs",
		"GET /admin/policy":           "the policy and the routes",
		"GET /admin/asvs":             "a table of the repository",
		"GET /admin/interface":        "the endpoints of the lender, with their times",
		"GET /admin/texts":            "texts that are read to every borrower",
		"POST /admin/licenses":        "it shows what GET /admin/licenses shows",
		"POST /admin/licenses/import": "it shows what GET /admin/licenses shows",
		"POST /admin/branding":        "it shows what GET /admin/branding shows",
		"POST /admin/embed":           "it shows what GET /admin/embed shows",
		"POST /admin/embed/{client}":  "it shows what GET /admin/embed shows",

		"POST /admin/embed/{client}/events":        "it shows what GET /admin/embed/{client}/events shows",
		"POST /admin/embed/{client}/events/secret": "it shows what GET /admin/embed/{client}/events shows",
		"POST /admin/embed/{client}/test":          "it shows what was posted",
		"POST /demo/fault":                         "it changes the simulated lender",
		"POST /demo/faults":                        "it changes the simulated lender",
		"GET /ui":                                  "sample components",
		"GET /probe":                               "it reports whether the user is signed in",
		"POST /probe":                              "it reports whether the user is signed in",
	}[key]
}

// paletteSearches returns searches that match other users' leads and people, from the pages of such leads.
func (f companyFixture) paletteSearches() (all []url.Values) {
	for _, typed := range append(f.searches, "") {
		for _, app := range []heloc.AppID{"", f.app, f.frozen} {
			all = append(all, url.Values{"q": {typed}, "lead": {string(app)}})
		}
	}
	return all
}

// listQueries returns all states of a list, with queries that match other users' leads and with keys from their
// pages.
func (f companyFixture) listQueries() (all []url.Values) {
	for _, lane := range text.Lanes() {
		all = append(all, url.Values{"view": {lane.Key}})
	}
	for _, sort := range text.Sorts() {
		all = append(all, url.Values{"view": {"all"}, "sort": {sort[0]}})
		for _, at := range []int64{0, 1 << 60} {
			all = append(all, url.Values{"view": {"all"}, "sort": {sort[0]}, "after": {pageKey(at, string(f.app))}})
		}
	}
	for _, typed := range f.searches {
		all = append(all, url.Values{"q": {typed}}, url.Values{"q": {typed}, "view": {"all"}, "sort": {"newest"}})
	}
	for _, first := range []string{"olivia", "marcus", "piotr", "lena"} {
		all = append(all, url.Values{"view": {"all"}, "originator": {f.browser.H.People[first].OriginatorUUID}})
	}
	return append(all, url.Values{"view": {"all"}, "state": {"ID"}},
		url.Values{"view": {"all"}, "step": {"OFFERS_AVAILABLE"}},
		url.Values{"view": {"all"}, "step": {string(heloc.StatusOffers)}})
}

func appStrings(apps []heloc.AppID) []string {
	var all []string
	for _, app := range apps {
		all = append(all, string(app))
	}
	return all
}

// probeAllRoutes sends every probe as a user and looks for another company's data in the responses.
func probeAllRoutes(h *webtest.Harness, who string, v *webtest.Browser, of companyFixture, secrets []string) {
	h.T.Helper()
	probes := isolationProbes(of)
	for _, route := range h.Routes() {
		key := route.Method + " " + route.Pattern
		if skipReason(route) != "" {
			continue
		}
		looks, listed := probes[key]
		if strings.Contains(route.Pattern, "{app}") {
			listed = true
			form := url.Values(nil)
			if route.Method == http.MethodPost {
				form = url.Values{"reason": {"callback"}, "note": {"x"}, "confirm.reassign": {"true"}}
			}
			for _, app := range []heloc.AppID{of.app, of.frozen} {
				looks = append(looks, probe{examplePath(route.Pattern, string(app)+"/"+of.doc), form})
			}
		}
		if !listed {
			h.T.Errorf("%s: define probes for another company's data there, or a reason to skip the route", key)
		}
		for _, l := range looks {
			wantNoSecrets(h, who, l, sendProbe(v, l), secrets)
		}
	}
}

// TestCompanyIsolation_EveryRoute gives two companies one of everything. The users of each, in every role, request
// every list, search, count and file of the portal with everything that would find the other company's data. Their
// requests must not change anything of the other company either.
func TestCompanyIsolation_EveryRoute(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess(), BorrowerLink: webtest.BorrowerLink(t),
		DemoControl: noDemoControl{}})
	addLakesideUsers(h)
	summit, lakeside := newCompanyFixture(h, summitUsers(), "Quill"), newCompanyFixture(h, lakesideUsers(), "Zander")
	before := [][]string{summit.countAll(), lakeside.countAll()}
	for who, of := range map[string]companyFixture{
		"olivia": lakeside, "marcus": lakeside, "maya": lakeside, "ada": lakeside, "piotr": summit, "lena": summit,
		"lars": summit, "lina": summit,
	} {
		probeAllRoutes(h, who, h.SignedInBrowser(who), of, append(slices.Clone(of.secrets), of.userTexts()...))
	}
	h.AddAssistant("beth", h.OriginatorWithoutAccount("summit.test"))
	probeAllRoutes(h, "beth", h.SignedInBrowser("beth"), summit, summit.borrowers)
	wantNoLead(h, "beth", summit)
	for _, of := range []companyFixture{summit, lakeside} {
		probeAllRoutes(h, "admin", h.SignedInBrowser("admin"), of, of.borrowers)
	}
	for i, of := range []companyFixture{summit, lakeside} {
		if after := of.countAll(); !slices.Equal(after, before[i]) {
			t.Errorf("the other company's requests changed something:\ngot  %s\nwant %s",
				strings.Join(after, "\n     "), strings.Join(before[i], "\n     "))
		}
	}
	// The owner still finds everything with the queries that found nothing for the others.
	for _, of := range []companyFixture{summit, lakeside} {
		for _, typed := range of.searches {
			if got := of.browser.Get("/leads?q=" + url.QueryEscape(typed)); !strings.Contains(got.Body, string(of.app)) {
				t.Errorf("%q does not find the lead for its own originator", typed)
			}
		}
		for _, path := range []string{"/leads/new?draft=" + of.draft, "/leads/new?draft=" + of.receivedDraft,
			"/leads/import/" + of.review, "/operations/" + of.receipts[0], "/reassignments/" + of.run,
			of.path + "/offers?quote=" + of.quote} {
			if got := of.browser.Get(path); got.Status != http.StatusOK {
				t.Errorf("%s: got %d for its owner, want 200", path, got.Status)
			}
		}
	}
}

// wantNoLead requests every route of a lead as an assistant who does not work for its originator.
func wantNoLead(h *webtest.Harness, who string, of companyFixture) {
	h.T.Helper()
	v := h.SignedInBrowser(who)
	for _, route := range h.Routes() {
		if !strings.Contains(route.Pattern, "{app}") || route.Embedded {
			continue
		}
		form := url.Values(nil)
		if route.Method == http.MethodPost {
			form = url.Values{"confirm.reassign": {"true"}}
		}
		got := sendProbe(v, probe{examplePath(route.Pattern, string(of.app)+"/"+of.doc), form})
		if got.Status != http.StatusNotFound {
			h.T.Errorf("%s at %s %s: got %d, want 404", who, route.Method, route.Pattern, got.Status)
		}
	}
}

// TestStart_DuplicateInOtherCompany_NotReported: a user must not learn that another company has the same borrower.
func TestStart_DuplicateInOtherCompany_NotReported(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	olivia.StartLead("Rivera")
	if got := olivia.Send(olivia.IntakeForm("Rivera")); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Body, "confirm.duplicate") {
		t.Fatalf("her own second start: got %d at %s, want the duplicate warning", got.Status, got.Path)
	}
	if got := piotr.Send(piotr.IntakeForm("Rivera")); !strings.HasPrefix(got.Path, "/leads/") ||
		got.Status != http.StatusOK {
		t.Errorf("another company's first start: got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
}

// TestStream_OtherCompany_NotNotified lets every user listen while a lead changes. The users who may see it get the
// event; by the time the last of them has it, nobody else has got one.
func TestStream_OtherCompany_NotNotified(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addLakesideUsers(h)
	path := h.SignedInBrowser("olivia").StartLead("Rivera")
	h.SignedInBrowser("olivia").WaitFor(path, `input[name="offer.offerUuid"]`)
	app := strings.TrimPrefix(path, "/leads/")
	h.AddAssistant("beth", h.People["marcus"].OriginatorUUID)
	h.AddAssistant("carl", h.People["olivia"].OriginatorUUID)
	streams := map[string]*eventRecorder{}
	for _, first := range []string{"olivia", "marcus", "maya", "ada", "beth", "carl", "piotr", "lena", "lars", "lina",
		"admin"} {
		streams[first] = openStream(h.SignedInBrowser(first))
	}
	h.SignedInBrowser("olivia").Post(path+"/note", url.Values{"note": {"Called back."}})
	for _, first := range []string{"olivia", "maya", "ada", "carl"} {
		h.WaitUntil(first+" hears of it", func() bool { return strings.Contains(streams[first].text(), app) })
	}
	for _, first := range []string{"marcus", "beth", "piotr", "lena", "lars", "lina", "admin"} {
		// An event of their own comes after the lead's event, if there ever was one.
		h.DeskDeps.Hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(h.People[first].UserID))
		h.WaitUntil(first+" hears of their own", func() bool {
			return strings.Contains(streams[first].text(), "event: inbox")
		})
		if strings.Contains(streams[first].text(), app) {
			t.Errorf("%s gets an event about the lead", first)
		}
	}
}
