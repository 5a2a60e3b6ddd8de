package account_test

import (
	"testing"

	"hearthline/web/webtest"
)

func TestShortcuts_TurnedOff_PagesHaveNone(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	v := h.SignInAs("olivia")
	account := v.Get("/account")
	if _, on := account.Find("html").Attr("data-keys"); !on {
		t.Fatal("shortcuts are not on for a new user")
	}
	form := account.Form(`form[action="/account/shortcuts"]`)
	if form.Values.Get("shortcuts") != "true" {
		t.Fatalf("the form has %v, want the setting on", form.Values)
	}
	form.Values.Del("shortcuts")
	off := v.Send(form)
	if off.Path != "/account" || off.Find(`[name="shortcuts"][checked]`).Length() != 0 {
		t.Errorf("got %s, want the account with the setting off", off.Path)
	}
	if _, on := v.Get("/leads").Find("html").Attr("data-keys"); on {
		t.Error("pages still have shortcuts")
	}
	v.Get("/help/keyboard").WantText("You turned off single-key shortcuts.", "Turn on single-key shortcuts")
	if _, on := h.SignInAs("marcus").Get("/leads").Find("html").Attr("data-keys"); !on {
		t.Error("another user has lost their shortcuts")
	}
	v.Send(v.Get("/account").Form(`form[action="/account/shortcuts"]`).With("shortcuts", "true"))
	if _, on := v.Get("/leads").Find("html").Attr("data-keys"); !on {
		t.Error("shortcuts cannot be turned on again")
	}
}
