package views

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/static"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

func render(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func samplePage(title string) ui.Page {
	return ui.Page{Title: title, Person: ui.Person{Name: "Olivia Bennett", Initials: "OB", Subtitle: "NMLS 1847220"}, EventsURL: "/events",
		Nav:  []ui.NavLink{{Label: "Leads", Href: "/leads", Current: true}},
		Menu: []ui.NavLink{{Label: "Account", Href: "/account", Icon: "settings"}}}
}

func samplePipeline() PipelineView {
	q := to.LeadsQuery{View: "all", Q: "o’b"}
	var lanes []ui.TabView
	for _, l := range words.Lanes() {
		lanes = append(lanes, ui.TabView{Label: l.Label, Href: to.Full.Leads(q.InView(l.Key)), Count: "2", Current: l.Key == q.View})
	}
	return PipelineView{Page: samplePage("Leads"), Query: q, OpenText: "14 open", YourMoveText: "6 are yours today", OverdueText: "3 overdue", Updated: "Updated 20 s ago", Drafts: "2 drafts",
		UpdatesSince: UpdatesView{When: "Since yesterday:", Items: []ui.NavLink{{Label: "2 offers ready", Href: "/leads?view=offers"}, {Label: "1 withdrawn", Href: "/leads?view=ended"}}, DismissURL: "/notifications"},
		Lanes:        lanes, Filters: []ui.Field{{Name: "state", Label: "State", Options: ui.Choices("", words.States()...)}, {Name: "sort", Label: "Order", Options: ui.Choices("due", words.Sorts()...)}},
		ShowOwners: true, Rows: GalleryRows(), Pager: ui.PagerView{CountText: "6 of 6", Next: "/leads?after=k"}, CanNew: true, CanAdd: true, CSVURL: "/leads.csv"}
}

func sampleSignIn() SignInView {
	return SignInView{Page: ui.Page{Title: "Sign in", Passkeys: true}, Next: "/leads/a", Passkeys: true, SSO: "/login/sso/acme", Email: "olivia@summit.test", Error: "E-mail and password do not match.", Reset: "/reset",
		People: []DemoPerson{{Name: "Olivia Bennett", Initials: "OB", Subtitle: "Originator", Email: "olivia@summit.test", Password: "hearth & line"}}}
}

func sampleError() ErrorView {
	f := words.FailureOf(503)
	return ErrorView{Page: samplePage(f.Title), Icon: f.Icon, Title: f.Title, Text: f.Text, PublicMessage: "The lender does not answer.", Reference: "7K2M-94", Actions: []ui.Action{{Label: "Back", Href: "/leads"}}}
}

func sampleAccount() AccountView {
	return AccountView{Page: samplePage("Account"), Name: "Olivia Bennett", Email: "olivia@summit.test", Subtitle: "NMLS 1847220", Company: "Summit", Password: true, TOTP: true, SSO: true,
		Factors: []FactorRow{{ID: "f1", Name: "Phone", Kind: "Authenticator app", Icon: "clock", Added: "Today"}}, Recovery: "8 are left.",
		Sessions: []SessionRow{{ID: "s1", Browser: "Firefox", Network: "192.0.2.0/24", Method: "password", SignedInAt: "Today", LastActive: "Today", Current: true}, {ID: "s2", Browser: "Safari", LastActive: "Today"}}}
}

func allScreens() map[string]templ.Component {
	empty := samplePipeline()
	empty.Rows, empty.Empty = nil, ui.EmptyView{Icon: "search", Title: "No lead matches.", Text: "Search looks at names.", Actions: []ui.Action{{Label: "Clear", Href: "/leads"}}}
	signedOut := sampleError()
	signedOut.Page.Person = ui.Person{}
	return map[string]templ.Component{
		"sign-in": SignIn(sampleSignIn()), "pipeline": Pipeline(samplePipeline()), "empty pipeline": Pipeline(empty), "error": Error(sampleError()), "error, signed out": Error(signedOut),
		"second factor": SecondFactor(SecondFactorView{Page: ui.Page{Title: "Second step"}, Next: "/leads", Name: "Olivia", TOTP: true, Form: Form{FieldErrors: []FieldError{{Name: "proof.code", Text: "Wrong"}}}}),
		"first factor":  SecondFactor(SecondFactorView{Page: ui.Page{Title: "Second step"}, Name: "Olivia", Setup: &TOTPSetup{Size: 20, Path: "M4 4h1v1h-1z", Secret: "ABCD EFGH"}, Form: Form{FormError: "Wait."}}),
		"codes at door": RecoveryAtSignIn(RecoveryView{Page: ui.Page{Title: "Codes"}, Codes: []string{"0-ABCD"}, Next: "/leads"}),
		"codes":         Recovery(RecoveryView{Page: samplePage("Codes"), Codes: []string{"0-ABCD"}, Next: "/account"}),
		"authenticator": Authenticator(AuthenticatorView{Page: samplePage("App"), Setup: TOTPSetup{Size: 20, Path: "M4 4h1v1h-1z", Secret: "ABCD"}}),
		"confirm": StepUp(StepUpView{Page: samplePage("Confirm"), Action: "/leads/a/add-ssn", Back: "/", TOTP: true, Recovery: true,
			PendingForm: []SubmittedValue{{Name: "operation", Value: "x"}}, RetypeFields: []ui.Field{{Name: "applicant.ssn", Label: "SSN, once more", Secret: true}}}),
		"resume": StepUp(StepUpView{Page: samplePage("Go on"), ResumeOnly: true, Action: "/leads/a/note", Back: "/leads/a",
			PendingForm: []SubmittedValue{{Name: "note.text", Value: "Called her"}, {Name: "operation", Value: "x"}}, RetypeFields: []ui.Field{{Name: "applicant.ssn", Label: "SSN, once more", Secret: true}}}),
		"confirm without": StepUp(StepUpView{Page: samplePage("Confirm"), NoSecondFactor: true}),
		"ask for a link":  LinkRequest(LinkRequestView{Page: ui.Page{Title: "First visit"}, Action: "/activate", Requested: true, Error: "Too old."}),
		"ask for reset":   LinkRequest(LinkRequestView{Page: ui.Page{Title: "Reset"}, Action: "/reset", Reset: true}),
		"set up": SetUp(SetUpView{Page: ui.Page{Title: "Set up"}, Action: "/activate", Name: "Olivia", Email: "o@x.test", Subtitle: "Originator", Passkey: "/activate/passkey",
			Required: true, Setup: &TOTPSetup{Size: 20, Path: "M4 4h1v1h-1z", Secret: "ABCD"}, Form: Form{FieldErrors: []FieldError{{Name: "password", Text: "Short"}}}}),
		"set up reset": SetUp(SetUpView{Page: ui.Page{Title: "Reset"}, Action: "/reset", Email: "o@x.test", Reset: true}),
		"outbox":       Outbox(OutboxView{Page: ui.Page{Title: "Outbox"}, Mails: []MailView{{To: "o@x.test", Subject: "Hello", At: "Today", Lines: []MailLine{{Text: "Hi"}, {Text: "Go", Href: "/activate#x"}}}}}),
		"invite": Invite(InviteView{Page: samplePage("Invite"), Roles: [][2]string{{"manager", "Manager"}}, Companies: [][2]string{{"b", "Summit"}},
			Pending: []InvitationRow{{ID: "i", Name: "Ada", Email: "a@x.test", Subtitle: "Assistant", Sent: "Today", Expires: "Tue", Revoke: ui.Action{Label: "Take back", Icon: "trash-2", IconOnly: true}}}}),
		"new passkey": NewPasskey(NewPasskeyView{Page: samplePage("Passkey"), Name: "Chrome on Mac", Form: Form{FormError: "No."}}),
		"account":     Account(sampleAccount()),
		"sheet":       UIGallery(UIGalleryView{Page: samplePage("Parts"), Chips: GalleryChips(), Rows: GalleryRows()}),
	}
}

// Rules for every screen: no inline styles or scripts, no duplicate id, a label for every control, and every
// icon in the sprite.
func TestScreens_MeetPageRules(t *testing.T) {
	for name, screen := range allScreens() {
		doc := render(t, screen)
		ids := map[string]int{}
		doc.Find("[id]").Each(func(_ int, s *goquery.Selection) { ids[s.AttrOr("id", "")]++ })
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s: id %q is used %d times", name, id, n)
			}
		}
		doc.Find("[aria-describedby], [aria-labelledby], [popovertarget]").Each(func(_ int, s *goquery.Selection) {
			for _, a := range []string{"aria-describedby", "aria-labelledby", "popovertarget"} {
				for _, id := range strings.Fields(s.AttrOr(a, "")) {
					if ids[id] == 0 {
						t.Errorf("%s: %s refers to %q, which does not exist", name, a, id)
					}
				}
			}
		})
		doc.Find("input:not([type=hidden]), select, textarea").Each(func(_ int, s *goquery.Selection) {
			id := s.AttrOr("id", "")
			if s.Closest("label").Length() == 0 && doc.Find(`label[for="`+id+`"]`).Length() == 0 {
				t.Errorf("%s: control %q has no visible label", name, s.AttrOr("name", id))
			}
		})
		doc.Find("option").Each(func(_ int, s *goquery.Selection) {
			if _, ok := s.Attr("value"); !ok {
				t.Errorf("%s: option %q has no value", name, s.Text())
			}
		})
		doc.Find("use").Each(func(_ int, s *goquery.Selection) {
			_, icon, _ := strings.Cut(s.AttrOr("href", ""), "#")
			if !static.HasIcon(icon) || icon == "circle-help" && s.Closest(".chip, .note").Length() == 0 {
				t.Errorf("%s: no icon %q", name, icon)
			}
		})
		if doc.Find("[style], style, script:not([src]), [onclick]").Length() > 0 {
			t.Errorf("%s: the page has an inline style or script", name)
		}
		if n := doc.Find("h1").Length(); n != 1 {
			t.Errorf("%s: got %d h1, want 1", name, n)
		}
		if doc.Find("main").Length() != 1 || doc.Find("html[lang]").Length() != 1 {
			t.Errorf("%s: main or lang is missing", name)
		}
	}
}

// The text of statuses and verdicts also names icons.
func TestWordIcons_Exist(t *testing.T) {
	for _, key := range words.StatusKeys() {
		if icon := words.StatusOf(key, "").Icon; !static.HasIcon(icon) {
			t.Errorf("%s: no icon %q", key, icon)
		}
	}
	for _, state := range []string{"prepared", "sent", "succeeded", "rejected", "not_sent", "unknown", "confirmed", "absent", "abandoned"} {
		if icon := words.VerdictOf(state).Icon; !static.HasIcon(icon) {
			t.Errorf("%s: no icon %q", state, icon)
		}
	}
	for _, status := range []int{400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504} {
		if icon := words.FailureOf(status).Icon; !static.HasIcon(icon) {
			t.Errorf("%d: no icon %q", status, icon)
		}
	}
}

func TestPipelineRows(t *testing.T) {
	doc := render(t, Pipeline(samplePipeline()))
	if got := doc.Find(".leads tbody tr").Length(); got != 6 {
		t.Fatalf("got %d rows, want 6", got)
	}
	row := doc.Find("#lead-19")
	if got := row.AttrOr("class", ""); got != "mine overdue" {
		t.Errorf("overdue row: got class %q", got)
	}
	if got := strings.Join(strings.Fields(row.Find(".c-step").Text()), " "); got != "Choose property you · due 38 min ago" {
		t.Errorf("step cell: got %q", got)
	}
	if got := doc.Find("#lead-06 .chip").AttrOr("class", ""); got != "chip" {
		t.Errorf("No offers: got class %q, want a gray chip", got)
	}
	if got := strings.Join(strings.Fields(doc.Find("#lead-18 .c-amount").Text()), " "); got != "Up to $220,000" {
		t.Errorf("amount: got %q", got)
	}
	if _, highlighted := doc.Find("#lead-22").Attr("class"); highlighted {
		t.Error("a row waiting for the lender is highlighted")
	}
	heads, cells := doc.Find(".leads thead th").Length(), row.Find("td").Length()
	if heads != cells {
		t.Errorf("got %d header cells and %d cells", heads, cells)
	}
	text := strings.ToLower(doc.Find("main").Text())
	for _, bad := range []string{"score", "income", "denied"} {
		if strings.Contains(text, bad) {
			t.Errorf("the list contains %q", bad)
		}
	}
}

// The part that is fetched again is identical to the part of the page.
func TestPipelinePart_MatchesPage(t *testing.T) {
	page, part := render(t, Pipeline(samplePipeline())), render(t, PipelinePart(samplePipeline()))
	want, _ := goquery.OuterHtml(page.Find("#pipeline"))
	got, _ := goquery.OuterHtml(part.Find("#pipeline"))
	if got != want {
		t.Error("page and part differ")
	}
	live := part.Find("#pipeline")
	if got, want := live.AttrOr("hx-get", ""), "/leads?view=all&q=o%E2%80%99b"; got != want {
		t.Errorf("got URL %q, want %q", got, want)
	}
	if live.AttrOr("data-live", "") != "*" {
		t.Error("the list does not refresh for every lead")
	}
	v := samplePipeline()
	one := render(t, templ.ComponentFunc(LeadTableRow(&v.Rows[2], true).Render))
	if !strings.Contains(one.Text(), "Priya Raghunathan") {
		t.Error("a separate row does not render")
	}
}

func TestPipeline_NoPermission_HidesActions(t *testing.T) {
	v := samplePipeline()
	v.CanNew, v.CanAdd, v.CSVURL, v.ShowOwners = false, false, "", false
	doc := render(t, Pipeline(v))
	if doc.Find("a[href='/leads/new'], #adopt, a[download], .c-own").Length() != 0 {
		t.Error("a forbidden action is rendered")
	}
	doc = render(t, Pipeline(samplePipeline()))
	if doc.Find("a[href='/leads/new']").Length() != 1 || doc.Find("#adopt form[action='/leads/adopt'] input[name=appUuid]").Length() != 1 {
		t.Error("the new inquiry button or the form for adding by id is missing")
	}
}

func TestSignIn_IsOneForm(t *testing.T) {
	doc := render(t, SignIn(sampleSignIn()))
	form := doc.Find("form[method=post][action='/login']")
	if form.Length() != 1 || form.Find("input[name=email]").Length() != 1 || form.Find("input[name=password]").Length() != 1 {
		t.Fatal("want one form with email and password")
	}
	if got := form.Find("input[name=next]").AttrOr("value", ""); got != "/leads/a" {
		t.Errorf("next: got %q", got)
	}
	if doc.Find("input[name=email]").Length() != 1 {
		t.Error("more than one email field")
	}
	if got := doc.Find("button[data-fill]").AttrOr("data-values", ""); got != "email=olivia%40summit.test&password=hearth+%26+line" {
		t.Errorf("demo user: got %q", got)
	}
	if got := doc.Find("[role=alert]").Text(); !strings.Contains(got, "do not match") {
		t.Errorf("error: got %q", got)
	}
	key := doc.Find("form[action='/login/passkey'] [data-passkey=get]")
	if _, hidden := key.Attr("hidden"); key.Length() != 1 || !hidden {
		t.Error("the passkey button must be in a separate form, hidden until a script shows it")
	}
	v := sampleSignIn()
	v.Passkeys = false
	if render(t, SignIn(v)).Find("[data-passkey]").Length() != 0 {
		t.Error("the page offers a passkey although passkeys are disabled")
	}
	v.People = nil
	if render(t, SignIn(v)).Find(".people").Length() != 0 {
		t.Error("the demo's users are listed outside the demo")
	}
}

func TestErrorPage(t *testing.T) {
	doc := render(t, Error(sampleError()))
	text := doc.Find("#oops").Text()
	for _, want := range []string{"Temporarily unavailable", "The lender does not answer.", "7K2M-94", "Back"} {
		if !strings.Contains(text, want) {
			t.Errorf("got %q, want %q in it", text, want)
		}
	}
	if doc.Find(".bar").Length() != 1 {
		t.Error("the bar is missing for a signed-in user")
	}
}

// The content security policy allows none of these, and templ would not reject them.
func TestTemplates_MeetContentSecurityPolicy(t *testing.T) {
	files, err := filepath.Glob("*.templ")
	if err != nil {
		t.Fatal(err)
	}
	more, _ := filepath.Glob("ui/*.templ")
	hx := regexp.MustCompile(`\bhx-[a-z:]+`)
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s := string(text)
		for _, bad := range []string{"templ.Raw", "SafeScript", "JSFuncCall", "<style", " style=", "hx-on", "onclick", "javascript:", "js:", "internal/", "net/http"} {
			if strings.Contains(s, bad) {
				t.Errorf("%s contains %q", f, bad)
			}
		}
		for _, m := range hx.FindAllString(s, -1) {
			t.Errorf("%s writes %s; use ui.Hx", f, m)
		}
		if n := strings.Count(s, "\n"); n > 150 {
			t.Errorf("%s has %d lines, want at most 150", f, n)
		}
	}
}
