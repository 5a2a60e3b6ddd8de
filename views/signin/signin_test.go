package signin

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/page"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func sampleSignIn() SignInView {
	return SignInView{Page: ui.Page{Title: "Sign in", Passkeys: true}, Next: "/leads/a", Passkeys: true,
		SSO: "/login/sso/acme", Email: "olivia@summit.test", Error: "The email or password is incorrect.", Reset: "/reset",
		People: []DemoPerson{{Name: "Olivia Bennett", Initials: "OB", Subtitle: "Originator", Email: "olivia@summit.test",
			Password: "hearth & line"}}}
}

func TestScreens_MeetPageRules(t *testing.T) {
	screens := map[string]templ.Component{
		"second factor": SecondFactor(SecondFactorView{Page: ui.Page{Title: "Second step"}, Next: "/leads", Name: "Olivia",
			TOTP: true, Form: ui.Form{FieldErrors: []ui.FieldError{{Name: "proof.code", Text: "Wrong"}}}}),
		"first factor": SecondFactor(SecondFactorView{Page: ui.Page{Title: "Second step"}, Name: "Olivia",
			Setup: &page.TOTPSetup{Size: 20, Path: "M4 4h1v1h-1z", Secret: "ABCD EFGH"}, Form: ui.Form{FormError: "Wait."}}),
		"ask for a link": LinkRequest(LinkRequestView{Page: ui.Page{Title: "First visit"}, Action: "/activate",
			Requested: true, Error: "Too old."}),
		"ask for reset": LinkRequest(LinkRequestView{Page: ui.Page{Title: "Reset"}, Action: "/reset", Reset: true}),
		"set up": SetUp(SetUpView{Page: ui.Page{Title: "Set up"}, Action: "/activate", Name: "Olivia", Email: "o@x.test",
			Subtitle: "Originator", Passkey: "/activate/passkey",
			Required: true, Setup: &page.TOTPSetup{Size: 20, Path: "M4 4h1v1h-1z", Secret: "ABCD"},
			Form: ui.Form{FieldErrors: []ui.FieldError{{Name: "password", Text: "Short"}}}}),
		"set up reset": SetUp(SetUpView{Page: ui.Page{Title: "Reset"}, Action: "/reset", Email: "o@x.test", Reset: true}),
		"outbox": Outbox(OutboxView{Page: ui.Page{Title: "Outbox"},
			Mails: []MailView{{To: "o@x.test", Subject: "Hello", At: "Today",
				Lines: []MailLine{{Text: "Hi"}, {Text: "Go", Href: "/activate#x"}}}}}),
		"sign-in": SignIn(sampleSignIn()),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}

func TestSignIn_IsOneForm(t *testing.T) {
	doc := viewtest.Render(t, SignIn(sampleSignIn()))
	form := doc.Find("form[method=post][action='/login']")
	if form.Length() != 1 || form.Find("input[name=email]").Length() != 1 ||
		form.Find("input[name=password]").Length() != 1 {
		t.Fatal("want one form with email and password")
	}
	if got := form.Find("input[name=password]"); got.AttrOr("type", "") != "password" ||
		got.AttrOr("autocomplete", "") != "current-password" {
		t.Error("the password is shown, or password managers don’t find it")
	}
	if got := form.Find("input[name=next]").AttrOr("value", ""); got != "/leads/a" {
		t.Errorf("next: got %q", got)
	}
	if doc.Find("input[name=email]").Length() != 1 {
		t.Error("more than one email field")
	}
	if got := doc.Find("button[data-fill]").
		AttrOr("data-values", ""); got != "email=olivia%40summit.test&password=hearth+%26+line" {
		t.Errorf("demo user: got %q", got)
	}
	if got := doc.Find("[role=alert]").Text(); !strings.Contains(got, "incorrect") {
		t.Errorf("error: got %q", got)
	}
	key := doc.Find("form[action='/login/passkey'] [data-passkey=get]")
	if _, hidden := key.Attr("hidden"); key.Length() != 1 || !hidden {
		t.Error("the passkey button must be in a separate form, hidden until a script shows it")
	}
	v := sampleSignIn()
	v.Passkeys = false
	if viewtest.Render(t, SignIn(v)).Find("[data-passkey]").Length() != 0 {
		t.Error("the page offers a passkey although passkeys are disabled")
	}
	v.People = nil
	if viewtest.Render(t, SignIn(v)).Find(".people").Length() != 0 {
		t.Error("the demo's users are listed outside the demo")
	}
}
