package offers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"hearthline/web/webtest"
)

// amountOf is the draw that a page asks about.
func amountOf(r *webtest.Response) string {
	return r.Find(`#quote input[name="amount"]`).AttrOr("value", "")
}

// scenarioNames are those of the strip; the current one is in brackets.
func scenarioNames(r *webtest.Response) string {
	var names []string
	buttons := r.Find(`.scenarios li button`)
	for i := range buttons.Length() {
		one := buttons.Eq(i)
		name := one.Find("b").Text()
		if one.AttrOr("aria-current", "") != "" {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// TestScenarios_SurviveTabsAndDevices works out two scenarios and finds them again elsewhere.
func TestScenarios_SurviveTabsAndDevices(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	tab := aLead + "/offers"
	fresh := olivia.WaitFor(tab, `input[name="offer.offerUuid"]`)
	if got := scenarioNames(fresh); got != "[Scenario 1]" {
		t.Errorf("before any change: got %q", got)
	}
	olivia.Send(fresh.Form("form#quote").With("amount", "61,000", "autoPayDiscountEnabled", "true"))
	chosen := olivia.Get(tab)
	id := chosen.Find(`.offers-grid input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	recalculate := chosen.Form("form#select").With("offer.offerUuid", id, "pin", id, "amount", "61,000",
		"discounts", "shown", "autoPayDiscountEnabled", "true")
	recalculate.Action = aLead + "/direct-debt-payoff-offers"
	olivia.Send(recalculate)
	olivia.Get(aLead + "/documents")

	check := func(where string, v *webtest.Browser, amount, names string) *webtest.Response {
		t.Helper()
		got := v.Get(tab)
		if amountOf(got) != amount || scenarioNames(got) != names {
			t.Errorf("%s: got %s in %s, want %s in %s", where, amountOf(got), scenarioNames(got), amount, names)
		}
		return got
	}
	first := check("after another tab", olivia, "61,000", "[Scenario 1]")
	if first.Find(`#quote input[name="autoPayDiscountEnabled"][checked]`).Length() != 1 ||
		first.Find(`input[name="offer.offerUuid"][value="`+id+`"][checked]`).Length() != 1 ||
		first.Find(`input[name="pin"][checked]`).Length() != 1 {
		t.Error("the discount, the choice or the pin was not kept")
	}
	payment := first.Find(".scenarios .tn").Text()
	if !strings.HasSuffix(payment, " a month") ||
		!strings.Contains(first.MainText(), strings.TrimSuffix(payment, " a month")) {
		t.Errorf("the scenario says %q", payment)
	}
	olivia.Get(aLead + "/show").WantText("$61,000")

	olivia.Send(first.Form(".scenarios > form").With("add", "true"))
	second := check("a new one begins as a copy", olivia, "61,000", "Scenario 1 [Scenario 2]")
	olivia.Send(second.Form("form#quote").With("amount", "72,000"))
	phone := h.SignInAs("olivia")
	found := check("on another device", phone, "72,000", "Scenario 1 [Scenario 2]")
	phone.Send(found.Form("#scenario-menu form").With("name", "Pay off cards"))
	use := found.Find(`.scenarios li button`).First().AttrOr("value", "")
	phone.Send(found.Form(".scenarios > form").With("use", use))
	check("after a switch", olivia, "61,000", "[Scenario 1] Pay off cards")

	maya := h.SignInAs("maya")
	if got := maya.Get(tab); strings.Contains(got.Body, "Pay off cards") {
		t.Error("another user sees the scenarios")
	}
	refused := olivia.Send(found.Form("#scenario-menu form").With("name", strings.Repeat("x", 41)))
	if refused.Status != http.StatusUnprocessableEntity {
		t.Errorf("a long name: got %d", refused.Status)
	}
	refused.WantText("up to 40 characters")
	for _, name := range []string{"Pay off cards", "219-09-9973"} {
		if got := olivia.Send(olivia.Get(tab).Form("#scenario-menu form").With("name", name)); got.Status != 422 {
			t.Errorf("the name %q: got %d", name, got.Status)
		}
	}
	olivia.Send(found.Form("#scenario-menu form").With("delete", use))
	check("after a deletion", olivia, "72,000", "[Pay off cards]")
	for range 9 {
		olivia.Send(olivia.Get(tab).Form(".scenarios > form").With("add", "true"))
	}
	if got := olivia.Get(tab); got.Find(".scenarios li").Length() != 10 ||
		got.Find(`.scenarios button[name="add"]`).Length() != 0 {
		t.Errorf("got %q, want ten and no more", scenarioNames(got))
	}
	eleventh := olivia.Post(aLead+"/scenarios", map[string][]string{"add": {"true"}})
	if got := eleventh; got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an eleventh: got %d", got.Status)
	}
}

// TestScenarios_DuplicateAndUndo duplicates scenarios, and undoes each kind of change.
func TestScenarios_DuplicateAndUndo(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	tab := aLead + "/offers"
	fresh := olivia.WaitFor(tab, `input[name="offer.offerUuid"]`)
	if fresh.Find(`[name="undo"]`).Length() != 0 {
		t.Error("before any change, there is something to undo")
	}
	olivia.Send(fresh.Form("form#quote").With("amount", "61,000"))
	name := strings.Repeat("n", 38)
	menu := func(pairs ...string) func() {
		return func() {
			page := olivia.Get(tab)
			form := page.Form("#scenario-menu form")
			switch pairs[0] {
			case "undo":
				pairs[1] = undoOf(page)
			case "duplicate", "delete":
				pairs[1] = form.Values.Get("scenario")
			}
			if got := olivia.Send(form.With(pairs...)); got.Status != http.StatusOK {
				t.Errorf("%v: got %d", pairs, got.Status)
			}
		}
	}
	draw := func(amount string) func() {
		return func() { olivia.Send(olivia.Get(tab).Form("form#quote").With("amount", amount)) }
	}
	for _, tt := range []struct {
		name          string
		do            func()
		amount, names string
	}{
		{"a name", menu("name", "Cash"), "61,000", "[Cash]"},
		{"a copy", menu("duplicate", ""), "61,000", "Cash [Cash copy]"},
		{"a draw", draw("72,000"), "72,000", "Cash [Cash copy]"},
		{"undone", menu("undo", ""), "61,000", "Cash [Cash copy]"},
		{"done again", menu("undo", ""), "72,000", "Cash [Cash copy]"},
		{"deleted", menu("delete", ""), "61,000", "[Cash]"},
		{"the deletion undone", menu("undo", ""), "72,000", "Cash [Cash copy]"},
		{"a long name", menu("name", name), "72,000", "Cash [" + name + "]"},
		{"its copy", menu("duplicate", ""), "72,000", "Cash " + name + " [" + name[:35] + " copy]"},
		{"another", menu("duplicate", ""), "72,000",
			"Cash " + name + " " + name[:35] + " copy [" + name[:33] + " copy 2]"},
		{"the copy undone", menu("undo", ""), "72,000", "Cash " + name + " [" + name[:35] + " copy]"},
	} {
		tt.do()
		if got := olivia.Get(tab); amountOf(got) != tt.amount || scenarioNames(got) != tt.names {
			t.Errorf("%s: got %s in %s, want %s in %s", tt.name, amountOf(got), scenarioNames(got), tt.amount, tt.names)
		}
	}
}

// undoOf is the change that a page undoes.
func undoOf(page *webtest.Response) string { return page.Find(`[name="undo"]`).AttrOr("value", "none") }

// TestScenarios_ChangedOnOtherDevice_NothingUndone: a page undoes only the change that it displays.
func TestScenarios_ChangedOnOtherDevice_NothingUndone(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	desk, phone := h.SignInAs("olivia"), h.SignInAs("olivia")
	tab := desk.StartLead("Rivera") + "/offers"
	desk.WaitFor(tab, `input[name="offer.offerUuid"]`)
	draw := func(b *webtest.Browser, amount string) { b.Send(b.Get(tab).Form("form#quote").With("amount", amount)) }
	undo := func(b *webtest.Browser, page *webtest.Response) *webtest.Response {
		return b.Send(page.Form("#scenario-menu form").With("undo", undoOf(page)))
	}
	draw(desk, "61,000")
	draw(desk, "62,000")
	open := desk.Get(tab)
	draw(phone, "63,000")
	for _, later := range []func(){func() {}, func() { undo(phone, phone.Get(tab)) }} {
		later()
		before := amountOf(phone.Get(tab))
		refused := undo(desk, open)
		if refused.Status != http.StatusUnprocessableEntity || amountOf(phone.Get(tab)) != before {
			t.Errorf("with %s: got %d and %s", before, refused.Status, amountOf(phone.Get(tab)))
		}
		refused.WantText("Nothing was undone. The scenarios changed after you opened this page")
	}
	draw(phone, "64,000")
	again := undo(desk, open)
	if undo(desk, again); amountOf(phone.Get(tab)) != "62,000" {
		t.Errorf("undone from the page that refused: got %s", amountOf(phone.Get(tab)))
	}
}

// TestScenarios_OnlyOneDeleted_Restored deletes the only scenario and undoes that.
func TestScenarios_OnlyOneDeleted_Restored(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	tab := olivia.StartLead("Rivera") + "/offers"
	fresh := olivia.WaitFor(tab, `input[name="offer.offerUuid"]`)
	olivia.Send(fresh.Form("form#quote").With("amount", "61,000"))
	form := olivia.Get(tab).Form("#scenario-menu form")
	olivia.Send(form.With("delete", form.Values.Get("scenario")))
	gone := olivia.Get(tab)
	if got := amountOf(gone); got == "61,000" {
		t.Errorf("after the deletion: got %s", got)
	}
	olivia.Send(gone.Form("#scenario-menu form").With("undo", undoOf(gone)))
	if got := olivia.Get(tab); amountOf(got) != "61,000" || scenarioNames(got) != "[Scenario 1]" {
		t.Errorf("restored: got %s in %s", amountOf(got), scenarioNames(got))
	}
}

// repricing raises the rates of the lender's quotes by a tenth of a point while it is on.
type repricing struct{ on atomic.Bool }

var rateInJSON = regexp.MustCompile(`"rate":\s*([0-9.]+)`)

func (p *repricing) middleware(lender http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.on.Load() || !strings.HasSuffix(r.URL.Path, "/calculate-offers") {
			lender.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		lender.ServeHTTP(answer, r)
		body := rateInJSON.ReplaceAllFunc(answer.Body.Bytes(), func(found []byte) []byte {
			rate, _ := strconv.ParseFloat(string(bytes.TrimSpace(rateInJSON.FindSubmatch(found)[1])), 64)
			return fmt.Appendf(nil, `"rate":%.3f`, rate+.1)
		})
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body)
	})
}

// TestShared_Repriced_OldBesideNew shares a scenario and then gets the same quote at other rates.
func TestShared_Repriced_OldBesideNew(t *testing.T) {
	t.Parallel()
	rates := &repricing{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: rates.middleware})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	tab := aLead + "/offers"
	fresh := olivia.WaitFor(tab, `input[name="offer.offerUuid"]`)
	quoted := olivia.Send(fresh.Form("form#quote").With("amount", "61,000"))
	id := quoted.Find(`.offers-grid input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	pin := quoted.Form("form#select").With("pin", id, "amount", "61,000", "discounts", "shown")
	pin.Action = aLead + "/direct-debt-payoff-offers"
	olivia.Send(pin)
	_, link := share(t, olivia, aLead, nil)
	if got := olivia.Get(tab); got.Find(".repriced").Length() != 0 ||
		got.Find(`.scenarios li use[href*="link"]`).Length() != 1 {
		t.Errorf("after sharing: got %d notices and %d marks", got.Find(".repriced").Length(),
			got.Find(`.scenarios li use[href*="link"]`).Length())
	}
	old := strings.Fields(olivia.Get(aLead + "/share").Find("#share").Text())
	rates.on.Store(true)
	olivia.Send(olivia.Get(tab).Form("form#quote").With("amount", "61,000"))
	got := olivia.Get(tab)
	row := got.Find(".repriced tbody tr")
	if row.Length() != 1 {
		t.Fatalf("got %d rows: %s", row.Length(), got.MainText())
	}
	was, now := row.Find("s").Text(), row.Find("b").Text()
	cells := got.Find(".offers-grid").Text()
	if !strings.Contains(strings.Join(old, " "), was) || strings.Contains(cells, was) ||
		!strings.Contains(strings.ReplaceAll(cells, "\n", ""), strings.Split(now, ".")[0]) || was == now {
		t.Errorf("shared at %q, now %q; the link says %v", was, now, old)
	}
	if open(h, http.MethodGet, link, aBrowser, nil).Find("main").Length() == 0 {
		t.Error("the link ended")
	}
	if other := olivia.Send(got.Form("form#quote").With("amount", "62,000")); other.Find(".repriced").Length() != 0 {
		t.Error("another draw is compared with what was shared")
	}
}
