package offers_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/web/webtest"
)

// sentenceOf is the sentence about an offer, which the page confirms.
func sentenceOf(page *webtest.Response, id string) string {
	return page.Find(`.offers-grid input[value="`+id+`"]`).AttrOr("data-sentence", "")
}

// selectFirst starts a lead and selects its first offer of a rate type for $60,000, as a browser without scripts
// does. It waits until the lender has booked it.
func selectFirst(v *webtest.Browser, lastName, rateType string,
	discount ...string) (path string, page *webtest.Response) {
	v.H.T.Helper()
	path, app := v.StartLeadAt(lastName, heloc.StepOffersAvailable)
	controls := url.Values{"amount": {"60,000"}, "rateType": {rateType}}
	for _, name := range discount {
		controls.Set(name, "true")
	}
	page = v.Post(path+"/calculate-offers", controls)
	id := page.Find(`form#select input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	if got := v.Send(page.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true",
		"confirm.sentence", sentenceOf(page, id))); got.Path != path {
		v.H.T.Fatalf("the selection led to %s (%d): %s", got.Path, got.Status, got.MainText())
	}
	v.H.WaitUntil("the selection is compared", func() bool { return figureCheckOf(v.H, app).ComparedAt != 0 })
	return path, page
}

func figureCheckOf(h *webtest.Harness, app heloc.AppID) lead.FigureCheck {
	h.T.Helper()
	c, err := h.Store.FigureCheck(h.T.Context(), app)
	h.Must(err)
	if c == nil {
		return lead.FigureCheck{}
	}
	return *c
}

// readAgain reads a lead as if its first reading was long ago.
func readAgain(h *webtest.Harness, path string) lead.FigureCheck {
	h.T.Helper()
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.ExecSQL(`UPDATE figure_checks SET compared_at = compared_at - 60000, shown_at = shown_at - 60000
		WHERE confirmed_at = 0`)
	h.Must(h.LenderSync.Refresh(h.T.Context(), app))
	return figureCheckOf(h, app)
}

// TestSelectOffer_SameModel_FiguresMatch selects a fixed and a variable offer where the portal is configured as the
// lender calculates.
func TestSelectOffer_SameModel_FiguresMatch(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		for _, method := range []heloc.FeeMethod{heloc.FeeAdded, heloc.FeeDeducted} {
			t.Run(dialect+" "+string(method), func(t *testing.T) {
				t.Parallel()
				h := webtest.New(t, webtest.Options{NoJobs: true, Dialect: dialect,
					Payments: heloc.PaymentModel{Fee: method, Term: heloc.TermMonths, DrawYears: sandbox.DefaultDrawYears()}})
				olivia := h.SignInAs("olivia")
				for i, kind := range []string{"FIXED", "FLOATING", "FLOATING"} {
					var discount []string
					if i == 2 {
						discount = []string{"autoPayDiscountEnabled"}
					}
					path, _ := selectFirst(olivia, "Rivera"+[]string{"one", "two", "three"}[i], kind, discount...)
					c := figureCheckOf(h, heloc.AppID(strings.TrimPrefix(path, "/leads/")))
					if c.Outcome != heloc.FiguresMatched || c.ConfirmedAt == 0 || c.ShownPayment == nil || c.ShownFee == nil ||
						string(c.RateType) != kind || (c.ShownDiscounts == "AUTOPAY") != (i == 2) {
						t.Errorf("%s: got %q of %q, shown %+v with %q, booked %+v",
							kind, c.Outcome, c.RateType, c.Shown(), c.ShownDiscounts, c.Booked())
					}
					olivia.Get(path).WantNoText([]string{"differ from those shown at selection"})
				}
			})
		}
	}
}

// TestSelectOffer_OtherModel_DifferenceShownAndReported: the portal is configured otherwise than the lender
// calculates. The lead, the report of its company and the system status say so, and nobody else.
func TestSelectOffer_OtherModel_DifferenceShownAndReported(t *testing.T) {
	t.Parallel()
	added := heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths}
	amortizing := added
	amortizing.Variable = heloc.VariableAmortizing
	for _, dialect := range webtest.Dialects() {
		for _, tt := range []struct {
			name, kind, rateType string
			options              webtest.Options
			figures              []heloc.Figure
		}{
			{"fee deducted", "FIXED", "Fixed", webtest.Options{Payments: added, LenderFee: heloc.FeeDeducted},
				[]heloc.Figure{heloc.FigurePayment, heloc.FigureLoanAmount}},
			{"amortizing", "FLOATING", "Variable", webtest.Options{Payments: amortizing}, []heloc.Figure{heloc.FigurePayment}},
		} {
			t.Run(dialect+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				tt.options.Dialect, tt.options.NoJobs = dialect, true
				h := webtest.New(t, tt.options)
				h.AddUser("pete", access.Actor{Name: "Pete Manager", Email: "pete@lakeside.test", Role: access.Manager,
					BrokerID: h.People["piotr"].BrokerID, Organization: h.People["piotr"].Organization})
				path, _ := selectFirst(h.SignInAs("olivia"), "Rivera", tt.kind)
				app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
				c := figureCheckOf(h, app)
				if differ := c.Shown().Differences(c.Booked()); !slices.Equal(differ, tt.figures) {
					t.Fatalf("got the differences %v: shown %+v, booked %+v", differ, c.Shown(), c.Booked())
				}
				payment := "The lender’s payment is " + text.Dollars(c.BookedPayment) + "; we estimated " +
					text.Dollars(c.ShownPayment) + "."
				for _, who := range []string{"olivia", "maya"} {
					h.SignInAs(who).Get(path).WantText(payment)
					h.SignInAs(who).Get(path + "/offers").WantText(payment)
				}
				h.SignInAs("olivia").Get(path + "/property").WantNoText([]string{payment})
				if slices.Contains(tt.figures, heloc.FigureLoanAmount) {
					h.SignInAs("olivia").Get(path).WantText("The lender’s loan amount is $60,000; we estimated $6")
				}
				maya := h.SignInAs("maya")
				counts := func() string { return rowOf(maya.Get("/reports/figures"), "#counts", tt.rateType) }
				if c.ConfirmedAt == 0 && counts() != tt.rateType+" 0 0 0 0 In use" {
					t.Errorf("before the second reading: got %q", counts())
				}
				if c = readAgain(h, path); c.Outcome != heloc.FiguresDiffered || c.ConfirmedAt == 0 {
					t.Fatalf("got %q, confirmed at %d", c.Outcome, c.ConfirmedAt)
				}
				if got := counts(); got != tt.rateType+" 1 0 1 0 In use" {
					t.Errorf("the report counts %q", got)
				}
				report := maya.Get("/reports/figures")
				if n := report.Find(`#differences tbody a[href="` + path + `"]`).Length(); n != len(tt.figures) {
					t.Errorf("the report links %d times to the lead, want once a figure", n)
				}
				report.WantText(text.Dollars(c.ShownPayment), text.Dollars(c.BookedPayment), h.LeadRow(app).ShortID)
				file := maya.Get("/reports/figures.csv")
				if file.Status != http.StatusOK || strings.Count(file.Body, h.LeadRow(app).ShortID) != len(tt.figures) ||
					strings.Contains(file.Body, "Rivera") {
					t.Errorf("the file: got %d: %s", file.Status, file.Body)
				}
				pete := h.SignInAs("pete")
				if got := rowOf(pete.Get("/reports/figures"), "#counts", tt.rateType); got != tt.rateType+" 0 0 0 0 In use" {
					t.Errorf("the report of another company counts %q", got)
				}
				pete.Get("/reports/figures").WantText("No selected offer has been compared yet.")
				if body := pete.Get("/reports/figures.csv").Body; strings.Count(body, "\n") != 1 {
					t.Errorf("the file of another company: got %s", body)
				}
				if got := rowOf(h.SignInAs("admin").Get("/admin/health"), "#estimates", tt.rateType); got != tt.rateType+
					" 1 0 1 0 In use" {
					t.Errorf("the system status counts %q", got)
				}
			})
		}
	}
}

// TestSelectOffer_OtherRateBooked_ShownAndNotCounted: the lender ignores the discount, so payment and rate say
// nothing about the model.
func TestSelectOffer_OtherRateBooked_ShownAndNotCounted(t *testing.T) {
	t.Parallel()
	calls := &webtest.LenderCalls{Edit: func(path string, body map[string]any) {
		if path == "select-offer" {
			body["offer"].(map[string]any)["selectedDiscounts"] = []string{}
		}
	}}
	h := webtest.New(t, webtest.Options{NoJobs: true, Dialect: "live", LenderMiddleware: calls.Middleware})
	olivia := h.SignInAs("olivia")
	path, _ := selectFirst(olivia, "Rivera", "FIXED", "autoPayDiscountEnabled")
	c := readAgain(h, path)
	if c.Outcome != heloc.FiguresIncomparable || c.ConfirmedAt == 0 {
		t.Fatalf("got %q, confirmed at %d", c.Outcome, c.ConfirmedAt)
	}
	olivia.Get(path).WantText("The lender’s rate is "+text.Percent(c.BookedRate)+"; we showed "+text.Percent(c.ShownRate)+
		".", "Autopay discount missing.")
	report := h.SignInAs("maya").Get("/reports/figures")
	if got := rowOf(report, "#counts", "Fixed"); got != "Fixed 0 0 0 1 In use" {
		t.Errorf("the report counts %q", got)
	}
	if got := report.Find("#differences tbody tr").Length(); got != 2 {
		t.Errorf("got %d differences, want rate and discounts", got)
	}
	report.WantText(text.Percent(c.ShownRate), text.Percent(c.BookedRate), "Autopay", "Not comparable")
}

// rowOf returns the texts of the row of a table that begins with a text.
func rowOf(p *webtest.Response, table, head string) string {
	p.T.Helper()
	found := ""
	p.Find(table + " tbody tr").Each(func(_ int, tr *webtest.Selection) {
		var cells []string
		tr.Find("th, td").Each(func(_ int, s *webtest.Selection) { cells = append(cells, strings.TrimSpace(s.Text())) })
		if len(cells) > 0 && cells[0] == head {
			found = strings.Join(cells, " ")
		}
	})
	return found
}

// sharedLink shares the offers of a page, and returns the path of the link, which shows payments.
func sharedLink(v *webtest.Browser, path string, page *webtest.Response) string {
	v.H.T.Helper()
	show, err := url.Parse(page.Find(`a[href*="/show"]`).First().AttrOr("href", ""))
	if err != nil {
		v.H.T.Fatal(err)
	}
	link, err := url.Parse(v.Post(path+"/share", show.Query()).Find(`.share-link input[name="link"]`).First().
		AttrOr("value", ""))
	if err != nil || !strings.Contains(v.H.NewBrowser().Get(link.Path).Find(".pay").Text(), "$") {
		v.H.T.Fatalf("the link %v shows no payments: %v", link, err)
	}
	return link.Path
}

// TestSelectOffer_NoSentence_NothingWasShown: a program that selects without a sentence has shown nobody any figures.
func TestSelectOffer_NoSentence_NothingWasShown(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	form := olivia.Get(path).Form("form#select")
	id := olivia.Get(path).Find(`form#select input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	if got := olivia.Send(form.With("offer.offerUuid", id, "confirm.offer", "true")); got.Path != path {
		t.Fatalf("selecting: %d: %s", got.Status, got.MainText())
	}
	if check, err := h.Store.FigureCheck(t.Context(), app); err != nil || check != nil {
		t.Errorf("got %+v, %v, want nothing to compare", check, err)
	}
}

// TestSelectOffer_WrongForThreeLeads_PaymentsHiddenUntilConfirmed selects variable offers of three leads with a wrong
// model. The next lead has its offers without payments and can select one. An administrator confirms the model.
func TestSelectOffer_WrongForThreeLeads_PaymentsHiddenUntilConfirmed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true,
		Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths, Variable: heloc.VariableAmortizing}})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	var link string // shared before the estimates are stopped
	for _, name := range []string{"Riveraone", "Riveratwo", "Riverathree"} {
		path, page := selectFirst(olivia, name, "FLOATING")
		if link == "" {
			link = sharedLink(olivia, path, page)
		}
		if !strings.Contains(strings.Join(page.Cells(), " "), "$") {
			t.Fatalf("%s: the offers have no payments: %v", name, page.Cells())
		}
		if c := readAgain(h, path); c.ConfirmedAt == 0 || c.Outcome != heloc.FiguresDiffered {
			t.Fatalf("%s: got %q, confirmed at %d", name, c.Outcome, c.ConfirmedAt)
		}
	}
	if paid := h.NewBrowser().Get(link).Find(".pay").Text(); paid == "" || strings.Contains(paid, "$") {
		t.Errorf("the shared link still has payments: %q", paid)
	}
	path, page := selectFirst(olivia, "Riverafour", "FLOATING")
	if cells := page.Cells(); len(cells) == 0 || strings.Contains(strings.Join(cells, " "), "$") {
		t.Errorf("the offers still have payments: %v", cells)
	}
	if c := figureCheckOf(h, heloc.AppID(strings.TrimPrefix(path, "/leads/"))); c.ShownPayment != nil ||
		c.Outcome != heloc.FiguresMatched {
		t.Errorf("without a payment: got %q, shown %+v", c.Outcome, c.Shown())
	}
	fixed := olivia.Post(path+"/calculate-offers", url.Values{"amount": {"60,000"}, "rateType": {"FIXED"}})
	if !strings.Contains(strings.Join(fixed.Cells(), " "), "$") {
		t.Errorf("the fixed offers have no payments: %v", fixed.Cells())
	}
	if got := rowOf(h.SignInAs("maya").Get("/reports/figures"), "#counts", "Variable"); got != "Variable 4 1 3 0 "+
		"Not in use" {
		t.Errorf("the report counts %q", got)
	}
	health := admin.Get("/admin/health")
	health.WantText("Payments of variable offers are not estimated.")
	if got := rowOf(health, "#estimates", "Variable"); got != "Variable 4 1 3 0 Not in use" {
		t.Errorf("the system status counts %q", got)
	}
	form := health.Form(`form[action="/admin/health/payments"]`)
	if refused := admin.Send(form); refused.Status != http.StatusUnprocessableEntity {
		t.Errorf("without the checkbox: got %d", refused.Status)
	}
	for _, who := range []string{"olivia", "maya"} {
		if got := h.SignInAs(who).Send(form.With("confirm.payments", "true")); got.Status != http.StatusForbidden {
			t.Errorf("%s: got %d, want 403", who, got.Status)
		}
	}
	admin.Send(form.With("confirm.payments", "true")).WantNoText([]string{"are not estimated"})
	if again := admin.Send(form.With("confirm.payments", "true")); again.Status != http.StatusConflict {
		t.Errorf("confirmed twice: got %d, want 409", again.Status)
	}
	audited, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionPaymentsConfirm, Limit: 9})
	if err != nil || len(audited) != 1 || audited[0].ActorID != h.People["admin"].UserID {
		t.Errorf("the audit: got %+v, %v", audited, err)
	}
	again := olivia.Post(path+"/calculate-offers", url.Values{"amount": {"60,000"}, "rateType": {"FLOATING"}})
	if !strings.Contains(strings.Join(again.Cells(), " "), "$") {
		t.Errorf("after the confirmation: got %v", again.Cells())
	}
}

// TestSelectOffer_DiscountsNotReported_NotCalledMissing: null is not an empty list.
func TestSelectOffer_DiscountsNotReported_NotCalledMissing(t *testing.T) {
	t.Parallel()
	calls := &webtest.LenderCalls{Edit: func(path string, body map[string]any) {
		if path == "select-offer" {
			body["offer"].(map[string]any)["selectedDiscounts"] = []string{}
		}
	}}
	withoutList := func(next http.Handler) http.Handler {
		return calls.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := httptest.NewRecorder()
			next.ServeHTTP(got, r)
			maps.Copy(w.Header(), got.Header())
			w.Header().Del("Content-Length")
			w.WriteHeader(got.Code)
			_, _ = io.WriteString(w, strings.ReplaceAll(got.Body.String(), `"selectedDiscounts":[]`, `"selectedDiscounts":null`))
		}))
	}
	h := webtest.New(t, webtest.Options{NoJobs: true, Dialect: "live", LenderMiddleware: withoutList})
	olivia := h.SignInAs("olivia")
	path, _ := selectFirst(olivia, "Rivera", "FIXED", "autoPayDiscountEnabled")
	c := readAgain(h, path)
	page := olivia.Get(path)
	page.WantText("The lender’s rate is " + text.Percent(c.BookedRate))
	page.WantNoText([]string{"Autopay discount missing"})
}
