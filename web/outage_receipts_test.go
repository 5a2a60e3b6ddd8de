package web_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/web/webtest"
)

// brokenCall breaks the next call to one endpoint on its way to or from the lender.
type brokenCall struct {
	endpoint atomic.Value // string; the last part of the path
	how      atomic.Value // string
}

// The ways in which a call breaks.
const (
	resetBefore = "connection reset before the lender reads it"
	resetAfter  = "connection reset after the lender acted"
	gateway503  = "a gateway answers 503"
	rejects400  = "the lender refuses it"
)

func (b *brokenCall) next(endpoint, how string) { b.how.Store(how); b.endpoint.Store(endpoint) }

func (b *brokenCall) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		endpoint, _ := b.endpoint.Load().(string)
		if endpoint == "" || !strings.HasSuffix(r.URL.Path, endpoint) || r.Method == http.MethodGet ||
			!b.endpoint.CompareAndSwap(endpoint, "") {
			next.ServeHTTP(w, r)
			return
		}
		switch b.how.Load() {
		case resetAfter:
			next.ServeHTTP(&discardedResponse{header: http.Header{}}, r)
			panic(http.ErrAbortHandler)
		case resetBefore:
			panic(http.ErrAbortHandler)
		case gateway503:
			http.Error(w, "unavailable", http.StatusServiceUnavailable)
		case rejects400:
			http.Error(w, `{"messages":[{"level":"ERROR","message":"Not today."}]}`, http.StatusBadRequest)
		}
	})
}

type discardedResponse struct{ header http.Header }

func (d *discardedResponse) Header() http.Header         { return d.header }
func (d *discardedResponse) Write(b []byte) (int, error) { return len(b), nil }
func (d *discardedResponse) WriteHeader(int)             {}

// TestLostWrites_EveryPage_SameAndTrue loses a write in every way and compares what the receipt, the notice and the
// form on the lead, the row of the list and the notifications say with each other and with what the lender did.
func TestLostWrites_EveryPage_SameAndTrue(t *testing.T) {
	t.Parallel()
	ssn := []string{"applicant.ssn", "512-44-7193"}
	cancel := []string{"confirm.cancel", "true"}
	consent := []string{"consent.attested", "true", "consent.method", "in-person"}
	income := []string{"income.employmentType", "FULL_TIME", "income.grossAnnualIncome", "131,000"}
	value := []string{"propertyEstimate.borrowerEstimatedValue", "612,000"}
	for _, tt := range []struct {
		name, borrower string
		step           heloc.Step
		endpoint       string // of the form and of the lender's interface
		typed          []string
		how            string
		abandon        bool
		state          lead.OpState
		acted          bool   // whether the lender acted
		receipt        string // what the receipt says
		notice         string // what the lead says; "" for no notice
	}{
		{"reset before", "Rivera-Match", heloc.StepCreditMatch, "add-ssn", ssn, resetBefore, false, lead.OpUnknown, false,
			"Sent, not confirmed. Don’t resend it.", "SSN: sent, not confirmed. Don’t resend it."},
		{"503", "Rivera-Match", heloc.StepCreditMatch, "add-ssn", ssn, gateway503, false, lead.OpUnknown, false,
			"Sent, not confirmed. Don’t resend it.", "SSN: sent, not confirmed. Don’t resend it."},
		{"abandoned", "Rivera-Match", heloc.StepCreditMatch, "add-ssn", ssn, gateway503, true, lead.OpAbandoned, false,
			"SSN marked as not received. A user marked it",
			"SSN: sent before, marked as not received. Sending it again may run"},
		{"refused", "Rivera-Match", heloc.StepCreditMatch, "add-ssn", ssn, rejects400, false, lead.OpRejected, false, "", ""},
		{"lost and moved on", "Rivera-Match", heloc.StepCreditMatch, "add-ssn", ssn, resetAfter, false, lead.OpUnknown, true,
			"The lead has moved on. We couldn’t confirm that the lender received this.", "the lead has moved on"},
		{"re-pull, 503", "Rivera-Frozen", heloc.StepUnfreezeCredit, "repull-credit", consent, gateway503, false,
			lead.OpUnknown, false, "Sent, not confirmed. Don’t re-pull again: each request may be another credit pull.",
			"Credit re-pull: sent, not confirmed. Don’t re-pull again: each request may be another credit pull."},
		{"re-pull, lost", "Rivera-Frozen", heloc.StepUnfreezeCredit, "repull-credit", consent, resetAfter, false,
			lead.OpUnknown, false, "The lead’s history has changed, but we can’t tell whether this caused it.",
			"Credit re-pull: the lead’s history has changed"},
		{"liens, 503", "Rivera-Liens", heloc.StepLienMatching, "verify-liens", nil, gateway503, false, lead.OpUnknown, false,
			"Sent, not confirmed. Don’t resend them.", "Liens: sent, not confirmed. Don’t resend them."},
		{"liens, lost", "Rivera-Liens", heloc.StepLienMatching, "verify-liens", nil, resetAfter, false, lead.OpUnknown, true,
			"The lead has moved on. We couldn’t confirm that the lender received this.", "Liens: the lead has moved on"},
		{"income, 503", "Rivera-Assets", heloc.StepMoreAssets, "asset-depletion", income, gateway503, false, lead.OpUnknown,
			false, "Sent, not confirmed. Don’t resend them.", "Income and payoffs: sent, not confirmed. Don’t resend them."},
		{"income, lost", "Rivera-Assets", heloc.StepMoreAssets, "asset-depletion", income, resetAfter, false, lead.OpUnknown,
			true, "The lead has moved on. We couldn’t confirm that the lender received this.",
			"Income and payoffs: the lead has moved on"},
		{"value, 503", "Rivera-Value", heloc.StepPropertyValue, "add-property-estimate", value, gateway503, false,
			lead.OpUnknown, false, "Sent, not confirmed. Don’t resend it.",
			"Property value: sent, not confirmed. Don’t resend it."},
		{"value, lost", "Rivera-Value", heloc.StepPropertyValue, "add-property-estimate", value, resetAfter, false,
			lead.OpUnknown, true, "The lead has moved on. We couldn’t confirm that the lender received this.",
			"Property value: the lead has moved on"},
		{"property, 503", "Rivera-Unit", heloc.StepSelectProperty, "select-property", nil, gateway503, false, lead.OpUnknown,
			false, "Sent, not confirmed. Don’t choose again.", "Property choice: sent, not confirmed. Don’t choose again."},
		{"property, lost", "Rivera-Unit", heloc.StepSelectProperty, "select-property", nil, resetAfter, false, lead.OpUnknown,
			true, "The lead has moved on. We couldn’t confirm that the lender received this.",
			"Property choice: the lead has moved on"},
		{"lost and found", "Rivera-None", heloc.StepNoOffers, "cancel", cancel, resetAfter, false, lead.OpConfirmed, true,
			"Cancellation confirmed by the lender’s records.", ""},
		{"lost and not found", "Rivera-None", heloc.StepNoOffers, "cancel", cancel, gateway503, false, lead.OpAbsent, false,
			"Cancellation not found at the lender.", ""},
	} {
		for _, dialect := range webtest.Dialects() {
			t.Run(tt.name+", "+dialect, func(t *testing.T) {
				t.Parallel()
				broken := &brokenCall{}
				h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: broken.Middleware})
				olivia := h.SignInAs("olivia")
				path, app := olivia.StartLeadAt(tt.borrower, tt.step)
				form := olivia.Get(path).Form(`form[action$="/` + tt.endpoint + `"]`).With(tt.typed...)
				if tt.endpoint == "select-property" {
					form = form.With("property.propertyId", olivia.Get(path).Find(`input[name="property.propertyId"]`).Last().
						AttrOr("value", ""))
				}
				broken.next(tt.endpoint, tt.how)
				sent := olivia.Send(form)
				ops, err := h.Store.Operations(t.Context(), app, 1)
				h.Must(err)
				id := ops[0].ID
				if tt.state == lead.OpRejected {
					if sent.Status != http.StatusUnprocessableEntity || !strings.Contains(sent.Text(), "Not today.") {
						t.Errorf("got %d at %s: %s", sent.Status, sent.Path, sent.MainText())
					}
				} else if sent.Path != "/operations/"+id {
					t.Fatalf("got %d at %s, want the receipt: %s", sent.Status, sent.Path, sent.MainText())
				}
				if tt.state == lead.OpAbsent { // two minutes pass
					h.ExecSQL(`UPDATE operations SET sent_at = sent_at - 180000 WHERE id = ?`, id)
				}
				if tt.abandon {
					olivia.Send(olivia.Get("/operations/"+id).Form(`form[action="/operations/`+id+`"]`).
						With("reason", "Asked the lender", "confirm.abandon", "true"))
				}
				var op lead.Operation
				h.WaitUntil("the operation is "+string(tt.state), func() bool {
					if tt.state == lead.OpAbsent || tt.state == lead.OpConfirmed {
						_ = h.LenderSync.Refresh(t.Context(), app)
					}
					op, err = h.Store.Operation(t.Context(), id)
					h.Must(err)
					return op.State == tt.state && (tt.how != resetAfter || tt.state != lead.OpUnknown || op.StepChangedAt != 0)
				})
				receipt, page := olivia.Get("/operations/"+id), olivia.Get(path)
				if tt.receipt != "" {
					receipt.WantText(tt.receipt)
				}
				notices := textOf(page.Find("#lead > .cols .note"))
				if (tt.notice != "") != strings.Contains(notices, text.OperationOf(tt.endpoint).Subject+": ") ||
					!strings.Contains(notices, tt.notice) {
					t.Errorf("the lead's notices: got %q, want %q", notices, tt.notice)
				}
				row := textOf(olivia.Get("/leads?view=all").Find("#lead-" + string(app)))
				if unknown := op.State == lead.OpUnknown; unknown != strings.Contains(row, text.SentNotConfirmed) {
					t.Errorf("the row of an operation that is %s: %q", op.State, row)
				} else if unknown && strings.Contains(row, "due ") {
					t.Errorf("what may have been sent is due again: %q", row)
				}
				for _, shown := range []*webtest.Response{receipt, page} {
					wantNoActiveSend(t, shown)
				}
				inbox := olivia.Get("/notifications").Text()
				if op.State == lead.OpUnknown && !strings.Contains(inbox, "Sent, not confirmed: ") {
					t.Errorf("no notification of an unknown outcome: %s", inbox)
				}
				inbox = strings.NewReplacer("SSN needed", "", "Sent, not confirmed: SSN", "").Replace(inbox)
				if strings.Contains(inbox, "SSN") ||
					strings.Contains(inbox, "resend") {
					t.Errorf("a notification claims something about the operation: %s", inbox)
				}
				inquiry := h.Inquiries(tt.borrower)[0]
				acted := inquiry.NextInquiryStep != tt.step
				if acted != tt.acted {
					t.Errorf("the lender is at %s; acted: got %v, want %v", inquiry.NextInquiryStep, acted, tt.acted)
				}
			})
		}
	}
}

// text returns the text of an element with single spaces.
func textOf(s *webtest.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

// wantNoActiveSend fails if a page says not to send something again above an active button that sends it.
func wantNoActiveSend(t *testing.T, page *webtest.Response) {
	t.Helper()
	shown := page.Text()
	if !strings.Contains(shown, "Don’t resend") && !strings.Contains(shown, "Don’t re-pull") &&
		!strings.Contains(shown, "Don’t choose again") {
		return
	}
	for _, button := range page.Find("#step button[data-sends]").EachIter() {
		if _, disabled := button.Attr("disabled"); !disabled && strings.TrimSpace(button.Text()) != "" &&
			!button.HasClass("vh") {
			t.Errorf("%s says not to send it again above an active %q", page.Path, strings.TrimSpace(button.Text()))
		}
	}
}
