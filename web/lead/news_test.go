package lead_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestLead_Update_SaysWhatChanged reads what screen readers announce for updates of an open page.
func TestLead_Update_SaysWhatChanged(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Processing: 100 * time.Millisecond})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	open := func(lastName string, step heloc.Step) (page *webtest.Response, app heloc.AppID) {
		t.Helper()
		path := olivia.StartLead(lastName)
		page, app = olivia.Get(path), heloc.AppID(strings.TrimPrefix(path, "/leads/"))
		if page.Find("#lead[data-news]").Length() != 0 || strings.Contains(page.Find(".chip").Text(), "ready") {
			t.Fatalf("a page that opens has news, or is no longer in progress: %s", page.Find("#lead .lead-id").Text())
		}
		h.WaitUntil(string(step), func() bool { return h.LeadRow(app).Step == step })
		return page, app
	}
	news := func(page **webtest.Response) string {
		t.Helper()
		*page = update(olivia, *page)
		return (*page).Find("#lead").AttrOr("data-news", "")
	}
	blocked, _ := open("Rivera-Match", heloc.StepCreditMatch)
	const needed = "SSN needed. The bureau couldn’t find the borrower by name and address. Your move, due in "
	if got := news(&blocked); !strings.HasPrefix(got, needed) {
		t.Errorf("got %q, want %q …", got, needed)
	}
	offers, app := open("Moreno", heloc.StepOffersAvailable)
	path := "/leads/" + string(app)
	got := news(&offers)
	if !strings.HasPrefix(got, "Offers are ready: 24, from "+leastPayment(olivia, path)+" a month") ||
		!strings.Contains(got, " for a net draw of $60,000 (estimate).") {
		t.Errorf("got %q, want the lowest payment of both grids, %s", got, leastPayment(olivia, path))
	}
	for _, tt := range []struct {
		want string
		do   func()
	}{
		{"", func() {}},
		{"Note added by Maya Lindqvist.", func() { maya.Post(path+"/note", url.Values{"note": {"call back"}}) }},
		{"", func() { olivia.Post(path+"/note", url.Values{"note": {"my own"}}) }},
		{"Expired. This inquiry expired.", func() {
			h.Must(h.Sandbox.Play(app, "expire"))
			h.Must(h.LenderSync.Refresh(t.Context(), app))
			h.Must(h.LenderSync.Refresh(t.Context(), app))
		}},
	} {
		tt.do()
		got := news(&offers)
		if got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// leastPayment is the lowest payment that the grids of the offers tab show.
func leastPayment(v *webtest.Browser, path string) string {
	least := heloc.Money(0)
	text := ""
	for _, kind := range []string{"FIXED", "FLOATING"} {
		v.Get(path + "/offers?rateType=" + kind).Find(".offers-grid .cell b").Each(func(_ int, b *webtest.Selection) {
			amount, err := heloc.ParseMoney(strings.NewReplacer("$", "", ",", "").Replace(b.Text()))
			if err == nil && (least == 0 || amount < least) {
				least, text = amount, b.Text()
			}
		})
	}
	return text
}
