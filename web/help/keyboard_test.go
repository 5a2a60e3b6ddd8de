package help_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestHelpKeyboard_DialogAndPage_SameList fetches the list as the page and as the dialog does.
func TestHelpKeyboard_DialogAndPage_SameList(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	v := h.SignInAs("olivia")
	list := func(p *webtest.Response) string { return strings.Join(strings.Fields(p.Find(".kc").Text()), " ") }
	page, dialog := v.Get("/help/keyboard"), v.Get("/help/keyboard", "HX-Request", "true", "HX-Request-Type", "partial")
	if list(page) != list(dialog) || !strings.Contains(list(page), "New inquiry n") || dialog.Find("main").Length() != 0 {
		t.Errorf("the page lists %q, the dialog %q", list(page), list(dialog))
	}
	if got := list(h.SignInAs("maya").Get("/help/keyboard")); strings.Contains(list(page), "Unassigned") ||
		!strings.Contains(got, "Unassigned leads g then u") {
		t.Errorf("the originator's list is %q, the manager's %q", list(page), got)
	}
	if got := list(h.SignInAs("admin").Get("/help/keyboard")); strings.Contains(got, "offer") ||
		strings.Contains(got, "New inquiry") {
		t.Errorf("the administrator's list is %q", got)
	}
}

func TestHelp_WithoutPage_OpensFirstPage(t *testing.T) {
	t.Parallel()
	if got := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}).SignInAs("olivia").
		Get("/help"); got.Path != "/help/start" || got.Status != http.StatusOK {
		t.Errorf("got %s (%d), want the first page", got.Path, got.Status)
	}
}
