package web_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/trace/tracetest"
	"hearthline/web/webtest"
)

// TestPages_Statements counts the SQL statements of one page. The limits are what the pages need now; a change that
// raises one must say why.
func TestPages_Statements(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{NoJobs: true, Tracer: tracer})
	lead, _ := h.SignInAs("olivia").StartLeadAt("Rivera", heloc.StepOffersAvailable)
	for _, tt := range []struct {
		who, path string
		most      int
	}{
		{"olivia", "/leads", 6},
		{"olivia", "/leads?view=all&sort=newest", 6},
		{"olivia", "/leads?q=rivera", 6},
		{"olivia", lead, 6},
		{"olivia", lead + "/offers", 6},
		{"olivia", "/notifications", 6},
		{"maya", "/leads", 6},
		{"maya", "/team", 7},
		{"maya", "/team/people", 8},
		{"maya", "/reports", 6},
	} {
		v := h.SignedInBrowser(tt.who)
		v.Get(tt.path) // reads what is kept in memory
		statements := spans.During(t, tracer, func() { v.Get(tt.path) }).Requests(http.MethodGet).Statements()
		if n := len(statements); n > tt.most {
			t.Errorf("%s reads %s with %d statements, want at most %d: %v", tt.who, tt.path, n, tt.most, statements)
		}
	}
}

// TestWriteForms_Statements counts the SQL statements of a form that submits a write to the lender, up to its
// response. The limits are what the forms need now: the journal commits before the call and after the response, and
// each transaction reads again what may have changed. Two statements read the session and the lead. The first
// transaction reads earlier operations, the user and the lead, and adds the operation. The second answers the
// operation, reads the lead and how long the lender usually takes, saves the lead, and adds an event and an entry to
// the audit, which takes three. The rest is what a form itself stores; a start also checks for duplicates and creates
// the lead.
func TestWriteForms_Statements(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{NoJobs: true, Tracer: tracer})
	v := h.SignInAs("olivia")
	blocked, _ := v.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	offers, _ := v.StartLeadAt("Bennett", heloc.StepOffersAvailable)
	form := func(path, operation string, pairs ...string) webtest.Form {
		return v.Get(path).Form(`form[action$="/` + operation + `"]`).With(pairs...)
	}
	offer := v.Get(offers+"/offers").Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	for _, tt := range []struct {
		name, path string // where the response leads to; empty for a new lead
		form       func() webtest.Form
		most       int
	}{
		{"start", "", func() webtest.Form { return v.IntakeForm("Baker") }, 28},
		{"add-ssn", blocked, func() webtest.Form { return form(blocked, "add-ssn", "applicant.ssn", "512-44-7193") }, 15},
		{"select-offer", offers, func() webtest.Form {
			return form(offers+"/offers", "select-offer", "offer.offerUuid", offer, "confirm.offer", "true")
		}, 18},
		{"cancel", offers, func() webtest.Form { return form(offers, "cancel", "confirm.cancel", "true") }, 15},
	} {
		form := tt.form()
		var got *webtest.Response
		statements := spans.During(t, tracer, func() { got = v.Send(form) }).Requests(http.MethodPost).Statements()
		if !strings.HasPrefix(got.Path, cmp.Or(tt.path, "/leads/")) || got.Status != http.StatusOK {
			t.Fatalf("%s led to %s (%d): %s", tt.name, got.Path, got.Status, got.MainText())
		}
		if n := len(statements); n > tt.most {
			t.Errorf("%s takes %d statements, want at most %d: %v", tt.name, n, tt.most, statements)
		}
	}
}
