package ui

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/views/to"
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

func checkAttr(t *testing.T, doc *goquery.Document, sel, name, want string) {
	t.Helper()
	s := doc.Find(sel)
	if s.Length() != 1 {
		t.Errorf("%s: got %d elements, want 1", sel, s.Length())
		return
	}
	if got := s.AttrOr(name, "(absent)"); got != want {
		t.Errorf("%s %s: got %q, want %q", sel, name, got, want)
	}
}

func TestField_WithError(t *testing.T) {
	f := Field{Name: "liens.0.currentBalance", Label: "Current balance", Value: "418,750", Hint: "today",
		Error: "More than the original", Required: true}
	doc := render(t, Money(f))
	checkAttr(t, doc, "input", "id", "liens.0.currentBalance")
	checkAttr(t, doc, "input", "aria-invalid", "true")
	checkAttr(t, doc, "input", "aria-describedby", "liens.0.currentBalance-e liens.0.currentBalance-h")
	checkAttr(t, doc, "label", "for", "liens.0.currentBalance")
	for _, id := range []string{"liens.0.currentBalance-e", "liens.0.currentBalance-h"} {
		checkAttr(t, doc, `[id="`+id+`"]`, "id", id)
	}
	if got := doc.Find(".err").Text(); !strings.Contains(got, "More than the original") {
		t.Errorf("got %q", got)
	}
}

func TestField_NoError_HasNoErrorAttributes(t *testing.T) {
	doc := render(t, Input(Field{Name: "zip", Label: "ZIP"}))
	for _, name := range []string{"aria-invalid", "aria-describedby", "required", "disabled", "placeholder"} {
		checkAttr(t, doc, "input", name, "(absent)")
	}
}

func TestField_Secret_NotRedisplayed(t *testing.T) {
	doc := render(t, Input(Field{Name: "applicant.ssn", Label: "SSN", Secret: true, Value: "123-45-6789", Icon: "lock"}))
	checkAttr(t, doc, "input", "value", "")
	checkAttr(t, doc, "input", "autocomplete", "off")
	if html, _ := doc.Html(); strings.Contains(html, "6789") {
		t.Error("the SSN is on the page")
	}
}

func TestRadios_NothingPreselected(t *testing.T) {
	f := Field{Name: "consent.method", Label: "How?", Error: "Choose one",
		Options: Choices("", [2]string{"in-person", "In person"}, [2]string{"link", "Link"})}
	doc := render(t, Radios(f))
	if n := doc.Find("input[checked]").Length(); n != 0 {
		t.Errorf("got %d preselected, want none", n)
	}
	checkAttr(t, doc, "fieldset", "aria-describedby", "consent.method-e")
	if got := doc.Find("legend").Text(); got != "How?" {
		t.Errorf("legend: got %q", got)
	}
	checkAttr(t, render(t, Check(Field{Name: "confirm.duplicate", Label: "Send all the same", Value: "true"})), "input",
		"value", "true")
	if render(t, Check(Field{Name: "x", Label: "X"})).Find("input[checked]").Length() != 0 {
		t.Error("a checkbox without a value is checked")
	}
	checkAttr(t, render(t, Select(Field{Name: "s", Label: "S",
		Options: Choices("b", [2]string{"a", "A"}, [2]string{"b", "B"})})), "option[selected]", "value", "b")
}

func TestErrorSummary_LinksToFields(t *testing.T) {
	doc := render(t, ErrorSummary([]ErrorLink{{ID: "a.b", Label: "Balance"},
		{ID: "c", Label: "State", Text: "choose one"}}))
	checkAttr(t, doc, ".note", "role", "alert")
	if got, want := doc.Find(".note > div").Text(),
		"2 fields need attention: Balance, State (choose one)"; strings.Join(strings.Fields(got), " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := doc.Find("a").First().AttrOr("href", ""); got != "#a.b" {
		t.Errorf("got link %q", got)
	}
	if render(t, ErrorSummary(nil)).Find(".note").Length() != 0 {
		t.Error("an empty error summary is rendered")
	}
	if got := errorCountText(12); got != "12 fields need attention:" {
		t.Errorf("got %q", got)
	}
}

func TestActionButton(t *testing.T) {
	checkAttr(t, render(t, ActionButton(Action{Label: "Send"})), "button", "type", "submit")
	checkAttr(t, render(t, ActionButton(Action{Label: "Menu", Popover: "m"})), "button", "popovertarget", "m")
	checkAttr(t, render(t, ActionButton(Action{Label: "Menu", Popover: "m"})), "button", "type", "button")
	checkAttr(t, render(t, ActionButton(Action{Label: "More", Icon: "ellipsis", IconOnly: true})), "button",
		"aria-label", "More")
	checkAttr(t, render(t, ActionButton(Action{Label: "Sending", Busy: true})), "button", "aria-busy", "true")
	checkAttr(t, render(t, ActionButton(Action{Label: "Add", Name: "add", Value: "liens", SkipValidation: true})),
		"button[formnovalidate]", "value", "liens")
	checkAttr(t, render(t, ActionButton(Action{Label: "Go", Href: "javascript:alert(1)"})), "a", "href",
		"about:invalid#TemplFailedSanitizationURL")
}

func TestLayout(t *testing.T) {
	p := Page{Title: "Leads", Person: Person{Name: "Olivia Bennett", Initials: "OB"}, EventsURL: "/events",
		SessionExpires: "1790000000000", Theme: "dark", Density: "compact",
		Nav: []NavLink{{Label: "Leads", Href: "/leads", Current: true}}}
	doc := render(t, Layout(p))
	for sel, want := range map[string][2]string{
		"html":                            {"data-events", "/events"},
		"html[data-theme=dark]":           {"data-density", "compact"},
		"html[data-session-expires]":      {"lang", "en"},
		"form[action='/logout']":          {"method", "post"},
		".bar nav a[aria-current]":        {"aria-current", "page"},
		"a.skip":                          {"href", "#main"},
		"main":                            {"id", "main"},
		"#toasts":                         {"role", "status"},
		".bar input[name=q]":              {"id", "find"},
		"[popovertarget=account]":         {"type", "button"},
		"meta[name=htmx-config]":          {"content", htmxConfig},
		"header form.find":                {"action", "/leads"},
		"link[href^='/static/app.']":      {"rel", "stylesheet"},
		"link[href^='/static/desk.']":     {"rel", "stylesheet"},
		"link[href^='/static/lead.']":     {"rel", "stylesheet"},
		"[data-needs-script]":             {"hidden", ""},
		"[data-theme-set=system]":         {"type", "button"},
		"button[data-density-set]":        {"type", "button"},
		"form[action='/logout'] > button": {"type", "submit"},
	} {
		checkAttr(t, doc, sel, want[0], want[1])
	}
	if got := doc.Find("title").First().Text(); got != "Leads · Hearthline" {
		t.Errorf("title: got %q", got)
	}
	doc.Find("script").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("src", "") == "" || strings.TrimSpace(s.Text()) != "" {
			t.Error("a script has no src")
		}
	})
}

func TestLayout_Embedded_HasNoBar(t *testing.T) {
	doc := render(t, Layout(Page{Title: "Leads", Base: to.Embed("acme", "L1"), Person: Person{Name: "Olivia Bennett"}}))
	if doc.Find(".bar, form.find, #account").Length() != 0 {
		t.Error("the bar is rendered inside a frame")
	}
	checkAttr(t, doc, ".framebar a", "href", "/")
}

func TestPublicLayout_HasNoHtmx(t *testing.T) {
	doc := render(t, PublicLayout(Page{Title: "Sign in"}))
	if doc.Find("script[src*=desk]").Length() != 0 || doc.Find("script[src*=app]").Length() != 1 {
		t.Error("the page loads scripts that it does not need")
	}
}

func TestLive(t *testing.T) {
	got := map[string]string{}
	for _, kv := range Live(templ.WithNonce(t.Context(), "n1"), "/leads/a1", "a1", "7") {
		got[kv.Key] = kv.Value.(string)
	}
	for name, want := range map[string]string{"hx-get": "/leads/a1", "hx-trigger": "live", "hx-swap": "outerMorph",
		"data-live": "a1", "data-revision": "7", "hx-nonce": "n1"} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
	a := Hx{Post: "/x", Target: "#quote", Trigger: "input delay:300ms", LatestWins: true}.Attrs(t.Context())
	if len(a) != 5 {
		t.Errorf("got %d attributes, want 5: %v", len(a), a)
	}
}

func TestNewMoneyBar_WidthsMatchAmounts(t *testing.T) {
	b := NewMoneyBar("words", BarAmount{"p2", 7527000}, BarAmount{"p1", 6973000}, BarAmount{"p1", 0},
		BarAmount{"p3", 433550})
	if b.Total != "149335.50" || len(b.Parts) != 3 || b.Gaps != "M75270 0V10M145000 0V10" || b.Parts[2].X != "145000" ||
		b.Parts[2].Width != "4335.50" {
		t.Errorf("got %+v", b)
	}
	if got := NewMoneyBar("nothing").Total; got != "1" {
		t.Errorf("empty bar: got width %s", got)
	}
}

func TestProgress_MarksCurrentStage(t *testing.T) {
	doc := render(t, Progress(ProgressView{Inquiry: []Stage{{Label: "Inquiry", State: "done"},
		{Label: "Offers", State: "offers", Icon: "circle-check"}}, Application: []Stage{{Label: "Funded"}}}))
	checkAttr(t, doc, "li[aria-current]", "class", "now offers")
	if doc.Find(".progress .later").Length() != 1 {
		t.Error("the application line is not faint before it exists")
	}
}

func TestPager(t *testing.T) {
	doc := render(t, Pager(PagerView{CountText: "51 to 100", First: "/leads", Next: "/leads?after=k"}))
	checkAttr(t, doc, "a[rel=next]", "href", "/leads?after=k")
	if render(t, Pager(PagerView{CountText: "3 of 3"})).Find("a").Length() != 0 {
		t.Error("a single-page list has links")
	}
}

func TestLayouts_StartWithSkipLink(t *testing.T) {
	p := Page{Title: "T", Person: Person{Name: "Olivia Bennett"}}
	embedded := p
	embedded.Base = to.Embed("acme", "L1")
	for name, c := range map[string]templ.Component{
		"desk": Layout(p), "frame": Layout(embedded), "public": PublicLayout(p), "help": BareLayout(p),
	} {
		first := render(t, c).Find("body > *").First()
		if first.AttrOr("href", "") != "#main" || first.Text() != "Skip to content" {
			t.Errorf("%s: got %q first, want the skip link", name, first.Text())
		}
	}
}

// TestForm_Errors_FocusWithoutScript expects one element with the attribute, which browsers obey without a script.
func TestForm_Errors_FocusWithoutScript(t *testing.T) {
	one := Form{FieldErrors: []FieldError{{Name: "zip", Text: "Enter a ZIP code"}}}
	two := Form{FieldErrors: append(one.FieldErrors, FieldError{Name: "city", Text: "Enter a city"})}
	for _, c := range []struct {
		form Form
		want string
	}{{Form{}, ""}, {one, "zip"}, {two, "zip"}} {
		doc := render(t, templ.Join(ErrorSummary(c.form.ErrorLinks("")),
			Input(c.form.Field(Field{Name: "zip", Label: "ZIP"})), Input(c.form.Field(Field{Name: "city", Label: "City"}))))
		if got := doc.Find("[autofocus]"); got.AttrOr("id", "") != c.want || got.Length() > 1 {
			t.Errorf("%d errors: got the focus at %q, want %q", len(c.form.FieldErrors), got.AttrOr("id", ""), c.want)
		}
	}
	chosen := two
	chosen.FocusOn = "city"
	if chosen.Field(Field{Name: "zip"}).Autofocus || !chosen.Field(Field{Name: "city"}).Autofocus {
		t.Error("the control that the page names does not have the focus")
	}
	group := render(t, Radios(one.Field(Field{Name: "zip", Label: "ZIP", Options: []Option{{Value: "1", Label: "1"}}})))
	if group.Find("fieldset[autofocus]").Length() != 1 {
		t.Error("a group with the only error has no focus")
	}
}

// TestMenuItem_Button_NoButtonStyle: an action of a menu is a line of it, whether it is a link or a button.
func TestMenuItem_Button_NoButtonStyle(t *testing.T) {
	t.Parallel()
	page := render(t, MenuItem(Action{Label: "Cancel inquiry…", Icon: "x", Popover: "cancel", Kind: "danger"}))
	if button := page.Find("button"); button.Length() != 1 || button.AttrOr("class", "") != "" ||
		button.AttrOr("popovertarget", "") != "cancel" {
		html, _ := page.Html()
		t.Errorf("got %s", html)
	}
	if class := render(t, ActionButton(Action{Label: "Cancel", Kind: "danger"})).Find("button").
		AttrOr("class", ""); class != "btn danger" {
		t.Errorf("an action button: got class %q", class)
	}
}
