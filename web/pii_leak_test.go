package web_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/trace/tracetest"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// TestPIILeak_EveryRoute_None posts an SSN, a birth date and an email in every form of every route, valid and
// invalid, with and without permission, with the lender up and down, in both dialects. Then it looks for them, and
// for the lender's key, wherever they must not be.
func TestPIILeak_EveryRoute_None(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			testNoPIILeak(t, dialect)
		})
	}
}

func testNoPIILeak(t *testing.T, dialect string) {
	t.Helper()
	const ssn, dob, email = "612-84-7735", "03/29/1961", "canary.aviary@borrower.test"
	gone := false
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{
		Tracer:   tracer,
		Dialect:  dialect,
		Estimate: webtest.EstimateAccess(), BorrowerLink: webtest.BorrowerLink(t), DemoControl: noDemoControl{}, NoJobs: true,
		LenderMiddleware: func(box http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if gone && !strings.HasPrefix(r.URL.Path, "/_sandbox") {
					panic(http.ErrAbortHandler)
				}
				box.ServeHTTP(w, r)
			})
		},
	})
	var counters webtest.LockedBuffer
	h.ObserveRequest = func(a page.RequestStats) { _, _ = fmt.Fprintf(&counters, "%+v\n", a) }
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera-Match", "applicant.ssn", "", "applicant.dob", dob, "applicant.email", email)
	olivia.WaitFor(path, `form[action$="/add-ssn"]`)
	app := strings.TrimPrefix(path, "/leads/")
	posted := url.Values{
		"applicant.ssn": {ssn}, "ssn": {ssn}, "applicant.dob": {dob}, "applicant.email": {email}, "email": {email},
		"note": {"Called back."}, "reason.typed": {"Asked for it."},
		"q": {email}, "operation": {"made up"}, "password": {ssn}, "line": {"Please call."}, "lead": {ssn},
		"next": {"/leads"}, "newLoanOriginatorUuid": {ssn},
	}
	var answers strings.Builder // URLs and headers of all responses, and the error pages
	try := func(v *webtest.Browser, route page.Route) {
		h.Guard().Denials = guard.Denials{}
		form := url.Values{}
		address := examplePath(route.Pattern, app+"/none")
		if route.Method == http.MethodPost {
			form = posted
		}
		got := v.Do(v.Request(route.Method, address, form, nil))
		for name, values := range got.Header {
			answers.WriteString(name + ": " + strings.Join(values, " ") + "\n")
		}
		if got.Status >= 500 {
			answers.WriteString(got.Body)
		}
		if strings.Contains(got.Body, ssn) || strings.Contains(got.Body, strings.ReplaceAll(ssn, "-", "")) {
			at := max(strings.Index(got.Body, ssn), strings.Index(got.Body, strings.ReplaceAll(ssn, "-", "")))
			t.Errorf("%s %s returns the SSN: …%q…", route.Method, route.Pattern, got.Body[max(0, at-160):at])
		}
	}
	people := []*webtest.Browser{olivia, h.SignInAs("ada"), h.SignInAs("piotr"), h.SignInAs("admin")}
	for _, gone = range []bool{false, true} {
		for _, v := range people {
			for _, route := range h.Routes() {
				if route.Class == page.Stream || route.Pattern == "/logout" ||
					strings.HasPrefix(route.Pattern, "/account/sessions") {
					continue // a stream does not end, and ending the session would stop the test
				}
				try(v, route)
			}
		}
	}
	places := map[string]string{"the log": h.Log.String(), "headers, addresses and error pages": answers.String(),
		"metrics": counters.String()}
	maps.Copy(places, h.Stored())
	checkSpans(t, h, tracer, spans, app)
	places["traces"] = fmt.Sprintf("%+v", spans.All())
	copied := filepath.Join(t.TempDir(), "backup.db")
	switch err := h.Store.Backup(t.Context(), copied); {
	case err == nil:
		raw, err := os.ReadFile(copied)
		h.Must(err)
		places["a backup"] = string(raw)
	case !errors.Is(err, store.ErrOwnBackup):
		t.Fatal(err)
	}
	for place, text := range places {
		for what, leak := range map[string]string{
			"SSN": ssn, "bare SSN": strings.ReplaceAll(ssn, "-", ""), "birth date": dob, "birth date, as sent": "1961-03-29",
			"e-mail": "canary.aviary", "key": sandbox.DefaultAPIKey,
		} {
			if strings.Contains(text, leak) {
				at := strings.Index(text, leak)
				t.Errorf("the %s is in %s: …%q…", what, place, text[max(0, at-80):min(len(text), at+40)])
			}
		}
	}
	for _, v := range people {
		if strings.Contains(v.Bodies.String(), sandbox.DefaultAPIKey) {
			t.Error("the key is on a page")
		}
	}
}
