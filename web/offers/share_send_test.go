package offers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestShare_Sheet_SentAndOpened: the sheet of the newest link sends it, logs the contact, and says when it was opened.
func TestShare_Sheet_SentAndOpened(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Xochiquetzal")
	states := func(page *webtest.Response) (all string) {
		page.Find("#shared .ticks li").Each(func(_ int, li *webtest.Selection) { all += li.AttrOr("class", "") + "," })
		return all
	}
	created, link := share(t, olivia, aLead, func(f *webtest.Form) { *f = f.With("lang", "es") })
	created.WantText("Did you send it?", "Not opened yet")
	if got, want := states(created), "ok,now,,"; got != want {
		t.Errorf("created: got %s, want %s", got, want)
	}
	if created.Find(`#shared input[value="es"][checked]`).Length() != 1 {
		t.Error("the message of a Spanish link is not in Spanish first")
	}
	for lang, want := range map[string]string{
		"en": "Hi Elena, it’s Olivia at Summit Home Lending. Here is your home equity",
		"es": "Hola, Elena: le escribe Olivia, de Summit Home Lending. Este es el estimado"} {
		href := created.Find(`#shared a[hreflang="`+lang+`"][href^="sms:?&body="]`).AttrOr("href", "")
		body, err := url.PathUnescape(href)
		if err != nil || !strings.Contains(body, want) || !strings.Contains(body, link) || !strings.Contains(body, "NMLS") ||
			strings.Contains(body, "$") || strings.Contains(body, "Xochiquetzal") {
			t.Errorf("%s: got %q, %v", lang, body, err)
		}
	}
	if led := olivia.Send(created.Form("#form-sent").With("contact.how", "link")); led.Path != aLead {
		t.Errorf("yes led to %s", led.Path)
	}
	sent := olivia.Get(aLead + "/share")
	sent.WantText("link sent, today")
	if got, want := states(sent), "ok,ok,now,"; got != want || sent.Find("#form-sent").Length() != 0 {
		t.Errorf("sent: got %s, want %s and no question", got, want)
	}
	open(h, http.MethodGet, link, aBrowser, nil)
	opened := olivia.Get(aLead + "/share")
	opened.WantText("Opened once", "today")
	if got, want := states(opened), "ok,ok,ok,"; got != want {
		t.Errorf("opened: got %s, want %s", got, want)
	}
	share(t, olivia, aLead, nil)
	if n := olivia.Get(aLead + "/share").Find("#shared .send").Length(); n != 1 {
		t.Errorf("got %d sheets for two links, want one", n)
	}
}
