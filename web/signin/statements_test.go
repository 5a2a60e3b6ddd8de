package signin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/trace/tracetest"
	"hearthline/web"
	"hearthline/web/webtest"
)

// TestSignIn_TwoTransactions_FewStatements counts the SQL statements of one sign-in with a password. One transaction
// charges the attempt before the password is checked, and another one stores the result.
func TestSignIn_TwoTransactions_FewStatements(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	p.Rebuild(func(d *web.Deps) { d.Tracer = tracer })
	known := p.SignedIn(t, access.Originator) // signs in for the first time
	known.Post("/logout", nil)
	for _, tt := range []struct {
		what       string
		browser    *webtest.FakeBrowser
		password   string
		status     int
		statements int
	}{
		{"in a known browser", known, "right", http.StatusSeeOther, 12},
		{"in a new browser", p.NewBrowser(t), "right", http.StatusSeeOther, 12},
		{"a wrong password", p.NewBrowser(t), "wrong", http.StatusUnprocessableEntity, 9},
		{"another wrong password", p.NewBrowser(t), "wrong", http.StatusUnprocessableEntity, 6},
	} {
		var res *httptest.ResponseRecorder
		signIn := spans.During(t, tracer, func() {
			res = tt.browser.Post("/login", url.Values{"email": {"originator@summit.test"}, "password": {tt.password}})
		})
		statements, transactions := signIn.Statements(), signIn.Transactions()
		if res.Code != tt.status || transactions != 2 || len(statements) > tt.statements {
			t.Errorf("%s: got %d, %d transactions and %d statements, want %d, two and at most %d: %v",
				tt.what, res.Code, transactions, len(statements), tt.status, tt.statements, statements)
		}
	}
}
