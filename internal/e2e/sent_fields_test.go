package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hearthline/web/webtest"
)

// recordedLender records what the demo sends to its sandbox. The demo is started with the settings.
func recordedLender(t *testing.T) (sent *webtest.SentRequests, env []string) {
	t.Helper()
	s, err := seeded["documented"]()
	if err != nil {
		t.Fatal(err)
	}
	sent = webtest.NewSentRequestsTo(t, s.signedIn["sandbox-key.pem"])
	port, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := port.Addr().String()
	if err := port.Close(); err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(sent.Middleware(
		httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})))
	t.Cleanup(proxy.Close)
	return sent, []string{"SANDBOX_ADDR=" + address, "PARTNER_BASE_URL=" + proxy.URL}
}

// recordForms stores, in the window, every form that is submitted: what it contains before any script of the page
// sees it.
func (w *window) recordForms() {
	w.t.Helper()
	const script = `document.addEventListener("submit", e => {
		const values = {};
		for (const [name, value] of new FormData(e.target, e.submitter)) (values[name] ||= []).push(String(value));
		const all = JSON.parse(sessionStorage.getItem("forms") || "[]");
		all.push({action: e.submitter?.getAttribute("formaction") || e.target.getAttribute("action"), values});
		sessionStorage.setItem("forms", JSON.stringify(all));
	}, true)`
	w.run("record the forms", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// sentForm is a form that was submitted.
type sentForm struct {
	Action string
	Values url.Values
}

// checkSentFields compares the requests that the lender got with the submitted forms: a field that no form contained is
// an error, beyond the originator, the mode of the answer and the portal's application number.
func (w *window) checkSentFields(requests []webtest.SentRequest, want ...string) {
	w.t.Helper()
	var forms []sentForm
	if err := json.Unmarshal([]byte(evaluate[string](w, `sessionStorage.getItem("forms") || "[]"`)), &forms); err != nil {
		w.t.Fatal(err)
	}
	for _, name := range want {
		action := "/" + strings.Replace(name, "start", "leads", 1)
		request := slices.IndexFunc(requests, func(r webtest.SentRequest) bool { return r.Name == name })
		form := slices.IndexFunc(forms, func(f sentForm) bool { return strings.HasSuffix(f.Action, action) })
		if request < 0 || form < 0 {
			w.t.Errorf("%s: got request %d of %d and form %d of %d, want both", name, request, len(requests), form, len(forms))
			continue
		}
		for path, value := range requests[request].Fields {
			if !forms[form].states(path, value) {
				w.t.Errorf("%s: %s is sent as %v, and the form does not contain it", name, path, value)
			}
		}
	}
}

// states reports whether a form contains a field of a request.
func (f sentForm) states(path string, value any) bool {
	text := fmt.Sprint(value)
	switch {
	case path == "request.loanOriginatorUuid", path == "request.async":
		return true
	case path == "partnerDataRequest.externalAppId":
		return strings.HasPrefix(text, "hl-")
	case text == "false": // a box that is not checked
		return true
	}
	if f.Values.Get("homeIsProperty") == "true" {
		path = strings.Replace(path, "applicant.homeAddress.", "property.address.", 1)
	}
	if at := strings.LastIndexByte(path, '.'); at > 0 && strings.Trim(path[at+1:], "0123456789") == "" {
		path = path[:at] // a list repeats its control
	}
	return f.Values.Get(path) != ""
}
