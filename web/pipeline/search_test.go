package pipeline_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/trace/tracetest"
	"hearthline/web/webtest"
)

// searchResults posts a search as the dialog does, and returns the titles of the groups and the hrefs of the hits.
func searchResults(v *webtest.Browser, typed, app string) (got *webtest.Response, groups, hrefs []string) {
	v.H.T.Helper()
	got = v.Post("/search", url.Values{"q": {typed}, "lead": {app}}, "HX-Request", "true", "HX-Request-Type", "partial")
	for _, s := range got.Find("[role=group] > p").EachIter() {
		groups = append(groups, s.Text())
	}
	for _, s := range got.Find("a[role=option]").EachIter() {
		hrefs = append(hrefs, s.AttrOr("href", ""))
	}
	return got, groups, hrefs
}

func TestSearch_Lead_FoundAsInList(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	short := h.LeadRow(heloc.AppID(strings.TrimPrefix(lead, "/leads/"))).ShortID
	for _, typed := range []string{"riv", "Elena Riv", short, "(303) 555-0147", "0147", "elena@borrower.test"} {
		if _, _, hrefs := searchResults(olivia, typed, ""); !slices.Contains(hrefs, lead) {
			t.Errorf("%q: got %v, want %s", typed, hrefs, lead)
		}
	}
	got, groups, _ := searchResults(olivia, "riv", "")
	if mark := got.Find(`a[href="` + lead + `"] mark`).Text(); mark != "Riv" {
		t.Errorf("got %q marked, want what was typed", mark)
	}
	if !slices.Equal(groups[:2], []string{"Leads", "On Elena Rivera"}) {
		t.Errorf("got the groups %v, want the lead, then its actions", groups)
	}
	if got.Header.Get("Cache-Control") != "no-store" {
		t.Error("the results may be cached")
	}
	if log := h.Log.String(); regexp.MustCompile(`(?i)\briv`).MatchString(log) || webtest.HasDigits(log, "0147") {
		t.Error("the log contains what was typed")
	}
}

// TestSearch_OtherSpelling_Found types names otherwise than they are written, and as they are pasted.
func TestSearch_OtherSpelling_Found(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	for lastName, queries := range map[string][]string{
		"O\u2019Neil-Smith": {"o neil smith", "o'neil smith", "o`neil\u2011smith", "oneil", "O\u02bbNeil", "o\u200bneil",
			"elena o neil"},
		"St. John":      {"Saint John", "st john", "st. john", "\u00a0John\u200e"},
		"Saint-Pierre":  {"st pierre", "saint pierre"},
		"Kahu\u02bbula": {"kahuula", "kahu'ula", "Kahu\u02bbula"},
	} {
		path := olivia.StartLead(lastName, "applicant.email", "x@"+strconv.Itoa(len(queries))+".test", "applicant.dob",
			"01/0"+strconv.Itoa(len(queries))+"/1980")
		for _, typed := range queries {
			if _, _, hrefs := searchResults(olivia, typed, ""); !slices.Contains(hrefs, path) {
				t.Errorf("%+q: got %v, want %s of %s", typed, hrefs, path, lastName)
			}
			if olivia.Get("/leads?view=all&q="+url.QueryEscape(typed)).Find(`a[href^="`+path+`"]`).Length() == 0 {
				t.Errorf("%+q: the list does not have %s", typed, lastName)
			}
		}
	}
}

func TestSearch_OtherUsersLead_NotFound(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	lead := h.SignInAs("olivia").StartLead("Rivera")
	app := strings.TrimPrefix(lead, "/leads/")
	for _, name := range []string{"marcus", "piotr", "admin"} {
		got, groups, hrefs := searchResults(h.SignInAs(name), "Rivera", app)
		if strings.Contains(got.Body, "Rivera") || strings.Contains(got.Body, app) {
			t.Errorf("%s: got %v, %v", name, groups, hrefs)
		}
	}
	if _, _, hrefs := searchResults(h.SignInAs("maya"), "Rivera", ""); !slices.Contains(hrefs, lead) {
		t.Errorf("the manager: got %v, want %s", hrefs, lead)
	}
}

func TestSearch_VouchedByCRM_FindsNoLeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	h.SignInAs("olivia").StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	got := f.Send(webtest.Form{Action: f.Base + "/search", Values: url.Values{"q": {"Rivera"}}})
	if strings.Contains(got.Find("main ul").Text(), "Rivera") {
		t.Errorf("a masked name is found: %s", got.MainText())
	}
	got.WantText("Confirm who you are to search leads by name.")
}

func TestSearch_Pages_ByPermission(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	for name, want := range map[string]struct{ has, lacks []string }{
		"olivia": {[]string{"/leads/new", "/leads", "/drafts", "/notifications", "/account", "/originators",
			"/help/keyboard"}, []string{"/admin/users", "/team/unassigned", "/invite"}},
		"maya": {[]string{"/team/unassigned", "/invite", "/leads/new"}, []string{"/admin/users"}},
		"ada":  {[]string{"/leads", "/drafts"}, []string{"/admin/users", "/team/unassigned"}},
		"admin": {[]string{"/admin/users", "/admin/audit", "/originators", "/account"},
			[]string{"/leads", "/leads/new", "/drafts"}},
	} {
		v := h.SignInAs(name)
		_, _, hrefs := searchResults(v, "", "")
		for _, path := range want.has {
			if !slices.Contains(hrefs, path) {
				t.Errorf("%s: got %v, want %s", name, hrefs, path)
			}
		}
		for _, path := range want.lacks {
			if slices.Contains(hrefs, path) {
				t.Errorf("%s: got %s", name, path)
			}
		}
		for _, path := range hrefs {
			if got := v.Get(path); got.Status != http.StatusOK && got.Path != "/account/confirm" {
				t.Errorf("%s: %s answers %d", name, path, got.Status)
			}
		}
	}
}

// TestSearch_LeadActions_Open follows every action that the search offers on a lead, at steps with and without
// something to send and to download.
func TestSearch_LeadActions_Open(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	offers, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Get(offers + "/documents")
	signIn, app := olivia.StartLeadAt("Moreno", heloc.StepOffersAvailable)
	form := olivia.Get(signIn + "/offers").Form("form#select")
	id := olivia.Get(signIn+"/offers").Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	olivia.Send(form.With("offer.offerUuid", id, "confirm.offer", "true"))
	h.WaitUntil("the borrower's move", func() bool { return h.LeadRow(app).Step == heloc.StepBorrowerAuth })
	blocked, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	frozen, _ := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	olivia.Post(frozen+"/contact", url.Values{"contact.how": {"call"}, "contact.only": {"true"}}) // the borrower lifts it
	for _, tt := range []struct{ lead, who, want string }{
		{offers, "olivia", "Send link, Log call, Add note, Download documents, Reassign"},
		{offers, "maya", "Send link, Log call, Add note, Download documents, Reassign"},
		{offers, "ada", "Log call, Add note, Download documents, Reassign"},
		{signIn, "olivia", "Send link, Log call, Add note, Download documents, Reassign"},
		{blocked, "olivia", "Log call, Add note, Reassign"}, {frozen, "olivia", "Log call, Add note, Reassign"},
	} {
		v := h.SignInAs(tt.who)
		got, groups, _ := searchResults(v, "", strings.TrimPrefix(tt.lead, "/leads/"))
		if len(groups) == 0 || !strings.HasPrefix(groups[0], "On this lead: Elena ") {
			t.Fatalf("%s: got the groups %v, want the lead's actions first", tt.who, groups)
		}
		var labels []string
		got.Find(`[aria-labelledby="found-lead"] a`).Each(func(_ int, s *goquery.Selection) {
			label := strings.Join(strings.Fields(s.Text()), " ")
			if slices.Contains([]string{"Send link", "Log call", "Add note", "Download documents", "Reassign"}, label) {
				labels = append(labels, label)
			}
			path, id, _ := strings.Cut(s.AttrOr("href", ""), "#")
			to := v.Get(path)
			if to.Status != http.StatusOK || id != "" && to.Find("#"+id).Length() == 0 {
				t.Errorf("%s: %q leads to %s#%s, which answers %d", tt.who, label, path, id, to.Status)
			}
		})
		if all := strings.Join(labels, ", "); all != tt.want {
			t.Errorf("%s on %s: got %q, want %q", tt.who, tt.lead, all, tt.want)
		}
	}
	if _, _, hrefs := searchResults(olivia, "off", strings.TrimPrefix(offers, "/leads/")); len(hrefs) == 0 ||
		hrefs[0] != offers+"/offers" {
		t.Errorf("“off”: got %v, want the lead's offers first", hrefs)
	}
}

func TestSearch_People_LinkToTheirLeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	uuid := h.People["marcus"].OriginatorUUID
	h.SignInAs("olivia").Get("/originators") // the directory is read
	if _, _, hrefs := searchResults(h.SignInAs("maya"), "marcus", ""); !slices.Contains(hrefs,
		"/leads?view=all&originator="+uuid) {
		t.Errorf("the manager: got %v, want the originator's leads", hrefs)
	}
	if _, _, hrefs := searchResults(h.SignInAs("olivia"), "marcus", ""); !slices.ContainsFunc(hrefs,
		func(s string) bool { return strings.HasPrefix(s, "/originators?q=Marcus") }) {
		t.Errorf("a colleague: got %v, want the directory", hrefs)
	}
	if _, _, hrefs := searchResults(h.SignInAs("piotr"), "marcus", ""); slices.ContainsFunc(hrefs,
		func(s string) bool { return strings.Contains(s, "Marcus") }) {
		t.Errorf("another company: got %v", hrefs)
	}
}

// TestSearch_UnknownEmail_LenderNotAsked: the search runs while the user types, so unlike the directory it must not
// look up an email at the lender.
func TestSearch_UnknownEmail_LenderNotAsked(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, LenderMiddleware: func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			t.Errorf("the lender is asked for %s", r.URL.Path)
			w.WriteHeader(http.StatusInternalServerError)
		})
	}})
	if _, _, hrefs := searchResults(h.SignInAs("olivia"), "nobody@elsewhere.test", ""); len(hrefs) != 0 {
		t.Errorf("got %v", hrefs)
	}
}

// TestSearch_Page_WithoutScript uses the page that works without a script.
func TestSearch_Page_WithoutScript(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.Get("/search")
	page.WantText("New inquiry", "Account and sign-in")
	found := olivia.Send(page.Form(`main form[action="/search"]`).With("q", "rivera"))
	if found.Find(`main a[href="`+lead+`"]`).Length() == 0 || found.Path != "/search" {
		t.Errorf("got %s: %s", found.Path, found.MainText())
	}
	olivia.Send(page.Form(`main form[action="/search"]`).With("q", "zzzz")).WantText("Nothing found.")
}

func TestLayout_Shortcuts_OpenPermittedPages(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	for name, want := range map[string]struct{ path, has, lacks string }{
		"olivia": {lead, "n=/leads/new gl=/leads go=" + lead + "/offers#choose gp=" + lead +
			"/documents gn=/notifications gd=/drafts", "gu="},
		"maya":  {"/leads", "gu=/team/unassigned", "go="},
		"admin": {"/admin/users", "ga=/account", "n=/leads"},
	} {
		v := h.SignInAs(name)
		keys := v.Get(want.path).Find("html").AttrOr("data-keys", "none")
		if !strings.Contains(keys, want.has) || regexp.MustCompile(`(^| )`+want.lacks).MatchString(keys) {
			t.Errorf("%s at %s: got %q, want %q and no %q", name, want.path, keys, want.has, want.lacks)
		}
		for _, pair := range strings.Fields(keys) {
			_, path, _ := strings.Cut(pair, "=")
			if got := v.Get(path); got.Status != http.StatusOK {
				t.Errorf("%s: %s answers %d", name, pair, got.Status)
			}
		}
	}
}

// TestSearch_Documents_ReadOnlyWhenTyped: the stored documents of the page's lead are read while what is typed can
// still mean their download, and not with every other key.
func TestSearch_Documents_ReadOnlyWhenTyped(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{NoJobs: true, Tracer: tracer})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Get(path + "/documents")
	for typed, want := range map[string]bool{"": true, "d": true, "docu": true, "zip": true, "note": false, "riv": false} {
		var got *webtest.Response
		statements := spans.During(t, tracer, func() {
			got, _, _ = searchResults(olivia, typed, strings.TrimPrefix(path, "/leads/"))
		}).Requests(http.MethodPost).Statements()
		if offered := strings.Contains(got.Text(), "Download documents"); offered != want {
			t.Errorf("%q: the download is offered: %v, want %v", typed, offered, want)
		}
		if read := slices.Contains(statements, "store.Part"); read != want {
			t.Errorf("%q: the documents are read: %v, want %v: %v", typed, read, want, statements)
		}
	}
}
