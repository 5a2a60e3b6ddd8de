package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/web/webtest"
)

// TestForms_Refused_KeepTypedInput types into the forms of the account, team and administration pages. A form that is
// refused comes back with what was typed; passwords and codes never do.
func TestForms_Refused_KeepTypedInput(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	refused := map[string]bool{}
	for who, paths := range map[string][]string{
		"olivia": {"/account", "/leads"},
		"maya":   {"/account", "/invite", "/team/unassigned"},
		"admin":  {"/admin/users", "/admin/users/user-marcus", "/admin/licenses", "/admin/branding", "/admin/embed"},
	} {
		b := h.SignInAs(who)
		for _, path := range paths {
			page := b.Get(path)
			for _, s := range page.Find(`main form[method="post"]`).EachIter() {
				action := s.AttrOr("action", "")
				typed, secret := typeInto(s)
				if len(typed) == 0 && len(secret) == 0 || refused[who+action] {
					continue
				}
				f := page.Form(fmt.Sprintf(`form[action=%q]`, action))
				for name, value := range typed {
					f = f.With(name, value)
				}
				for name, value := range secret {
					f = f.With(name, value)
				}
				got := b.Send(f)
				if got.Status < http.StatusBadRequest {
					continue
				}
				refused[who+action] = true
				for name, value := range typed {
					if again := got.Find(fmt.Sprintf(`form[action=%q] [name=%q]`, action, name)); again.AttrOr("value",
						strings.TrimSpace(again.Text())) != value {
						t.Errorf("%s %s (%d) has lost %q of %s: %s", who, action, got.Status, value, name, got.MainText()[:200])
					}
				}
				for name, value := range secret {
					if strings.Contains(got.Body, value) {
						t.Errorf("%s %s shows %s again", who, action, name)
					}
				}
			}
		}
	}
	if len(refused) < 5 {
		t.Errorf("only %d forms were refused: the test checks too little", len(refused))
	}
}

// typeInto returns a value for each control of a form that takes text: the ones that must be kept, and the secret ones.
func typeInto(s *webtest.Selection) (typed, secret map[string]string) {
	typed, secret = map[string]string{}, map[string]string{}
	for i, c := range s.Find(`input[name], textarea[name]`).EachIter() {
		name, kind := c.AttrOr("name", ""), c.AttrOr("type", "text")
		switch {
		case kind == "password" || strings.Contains(name, "code") || strings.Contains(name, "secret"):
			secret[name] = fmt.Sprintf("hidden %d", i)
		case goquery.NodeName(c) == "textarea" || slices.Contains([]string{"text", "email", "tel", "search", "url"}, kind):
			typed[name] = fmt.Sprintf("typed %d", i)
		}
	}
	return typed, secret
}
