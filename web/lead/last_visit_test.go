package lead_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// update requests the update of a displayed lead page as the page itself does, with its headers.
func update(v *webtest.Browser, page *webtest.Response) *webtest.Response {
	v.H.T.Helper()
	part := page.Find("#lead")
	headers := map[string]string{}
	if err := json.Unmarshal([]byte(part.AttrOr("hx-headers", "")), &headers); err != nil {
		v.H.T.Fatal(err)
	}
	all := []string{"HX-Request", "true", "HX-Request-Type", "partial", "HX-Target", "div#lead"}
	for name, value := range headers {
		all = append(all, name, value)
	}
	return v.Get(part.AttrOr("hx-get", ""), all...)
}

// The page records a view when it opens. An update of it must neither remove the line of what has changed since the
// user's last visit nor add one, because both would move what the user is about to press.
func TestLead_Update_KeepsChangesSinceLastVisit(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	note := func(text string) { maya.Post(path+"/note", url.Values{"note": {text}}) }

	olivia.Get(path + "/offers")
	open := olivia.Get(path + "/offers")
	if got := sinceLine(open); got != "" {
		t.Fatalf("nothing has changed, and the page says %q", got)
	}
	note("Ask for the insurance")
	if got := sinceLine(update(olivia, open)); got != "" {
		t.Errorf("an update of a page without the line has it: %q", got)
	}
	note("And for the statement")
	open = olivia.Get(path + "/offers")
	first := sinceLine(open)
	if !strings.HasPrefix(first, "Since your last visit (") {
		t.Fatalf("after a note of a colleague, the page says %q", first)
	}
	for range 2 {
		open = update(olivia, open)
		if got := sinceLine(open); got != first {
			t.Errorf("after an update the line is %q, want %q", got, first)
		}
	}
	if got := sinceLine(olivia.Get(path + "/offers")); got != "" {
		t.Errorf("on the next visit, the page says %q again", got)
	}
}

// An open page that shows what happened saves the email about it. The bell still shows it, because the user may be
// away.
func TestLead_Update_SavesEmail(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	open := olivia.Get(path)
	due := func() int {
		t.Helper()
		h.ExecSQL(`UPDATE notifications SET email_at = 1 WHERE email_at > 0`)
		all, err := h.Store.DueNotices(t.Context(), store.UserScopeOf(h.People["olivia"].Actor), lead.TellByEmail)
		h.Must(err)
		return len(all)
	}
	h.Must(h.Sandbox.Play(app, "expire"))
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	if got := due(); got != 1 {
		t.Fatalf("before the update: got %d notices to tell, want 1", got)
	}
	update(olivia, open)
	if got := due(); got != 0 {
		t.Errorf("after the update: got %d notices to tell, want none", got)
	}
	if got := olivia.Get("/notifications").Text(); !strings.Contains(got, "1 unread") {
		t.Errorf("the bell is silent: %s", got)
	}
}

// leavingBrowser closes its connection as soon as it has received something.
type leavingBrowser struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
}

func (l *leavingBrowser) Write(b []byte) (int, error) {
	defer l.leave()
	return l.ResponseRecorder.Write(b)
}

// A page that was sent has been viewed, even if the browser closes the connection before the view is recorded.
func TestLead_BrowserLeaves_ViewRecorded(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Get(path + "/offers")
	maya.Post(path+"/note", url.Values{"note": {"Ask for the insurance"}})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r := olivia.Request(http.MethodGet, path+"/offers", nil, nil).WithContext(ctx)
	r.Host = "localhost"
	for _, c := range olivia.Cookies() {
		r.AddCookie(c)
	}
	w := &leavingBrowser{httptest.NewRecorder(), leave}
	h.Server.ServeHTTP(w, r)
	if ctx.Err() == nil || w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Since your last visit") {
		t.Fatalf("got status %d, want the page with what has changed, and then the end of the connection", w.Code)
	}
	if got := olivia.Get(path + "/offers").Find(".since").Text(); got != "" {
		t.Errorf("on the next visit, the page says %q again", got)
	}
}

// A document stays marked as new in the updates of a page, until the user opens the documents.
func TestLead_Update_KeepsNewDocuments(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Get(path + "/documents")
	h.Must(h.Sandbox.Play(app, "complete"))
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	tab := func(page *webtest.Response) string {
		return strings.Join(strings.Fields(page.Find(`a[href$="/documents"]`).Text()), " ")
	}
	olivia.Get(path) // the line of changes is seen
	open := olivia.Get(path + "/offers")
	if !strings.Contains(tab(open), "new") || open.Find(".since").Length() != 0 {
		t.Fatalf("got the tab %q and the line %q, want new documents and no line", tab(open), open.Find(".since").Text())
	}
	if got := tab(update(olivia, open)); got != tab(open) {
		t.Errorf("after an update the tab is %q, want %q", got, tab(open))
	}
}
