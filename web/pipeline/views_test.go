package pipeline_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// saveView saves a list under a name, with the form on its page.
func saveView(v *webtest.Browser, list, name string) *webtest.Response {
	v.H.T.Helper()
	return v.Send(v.Get(list).Form(`form[action^="/views?"], form[action="/views"]`).With("name", name))
}

// viewLinks returns the names and the links of the views that a list's menu offers.
func viewLinks(v *webtest.Browser) map[string]string {
	links := map[string]string{}
	v.Get("/leads").Find("#views-menu a").Each(func(_ int, a *webtest.Selection) {
		if href := a.AttrOr("href", ""); href != "/views" {
			links[strings.Join(strings.Fields(a.Text()), " ")] = href
		}
	})
	return links
}

// viewID returns the id of one of the user's own views.
func viewID(v *webtest.Browser, name string) (id string) {
	v.H.T.Helper()
	v.Get("/views").Find("#own tbody tr").Each(func(_ int, tr *webtest.Selection) {
		if tr.Find("a.nm").Text() == name {
			id = strings.TrimPrefix(tr.AttrOr("id", ""), "view-")
		}
	})
	if id == "" {
		v.H.T.Fatalf("no view is named %q", name)
	}
	return id
}

// TestViews_Saved_PrivateUntilShared: a view is a link to its list, without what was searched for; only its user sees
// it until they share it, and then with their name.
func TestViews_Saved_PrivateUntilShared(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, marcus, maya, piotr := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("maya"), h.SignInAs("piotr")
	const list = "/leads?view=all&q=Rivera&state=CO&only=open&sort=amount"
	page := olivia.Get(list)
	page.WantText("Search text isn’t, because it may contain a borrower’s name.", "Open leads", "Sorted by largest amount")
	got := saveView(olivia, list, "  Colorado,   largest first ")
	const saved = "/leads?view=all&state=CO&only=open&sort=amount"
	if got.Path != "/leads" || got.Status != http.StatusOK {
		t.Fatalf("saving led to %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	if links := viewLinks(olivia); links["Colorado, largest first"] != saved {
		t.Fatalf("the menu has %v", links)
	}
	if at := olivia.Get(saved); at.Find(`#views-menu a[aria-current="page"]`).Length() != 1 ||
		at.Find(`[popovertarget="views-menu"]`).Text() == "Views" {
		t.Error("the list does not say which view it is")
	}
	var rows []string
	h.ExecSQL(`UPDATE saved_views SET query = query`) // the table exists
	raw, err := h.Store.SavedViews(t.Context(), store.UserScopeOf(h.People["olivia"].Actor), 9)
	h.Must(err)
	for _, r := range raw {
		rows = append(rows, r.Query+string(r.Sealed))
	}
	if all := strings.Join(rows, "\n"); strings.Contains(all, "Rivera") || strings.Contains(all, "Colorado") ||
		len(rows) != 1 {
		t.Errorf("stored in plain text: %q", rows)
	}
	for who, v := range map[string]*webtest.Browser{"marcus": marcus, "maya": maya, "piotr": piotr} {
		if links := viewLinks(v); len(links) != 0 {
			t.Errorf("%s sees %v before it is shared", who, links)
		}
	}
	id := viewID(olivia, "Colorado, largest first")
	for _, action := range []string{"", "/delete", "/up", "/share", "/unshare"} {
		if got := maya.Post("/views/"+id+action, url.Values{"name": {"Mine"}}); got.Status != http.StatusNotFound {
			t.Errorf("a colleague's %q: got %d, want 404", action, got.Status)
		}
	}
	olivia.Send(olivia.Get("/views").Form(`form[action="/views/` + id + `/share"]`))
	if links := viewLinks(marcus); links["Colorado, largest first Shared by "+h.People["olivia"].Name] != saved {
		t.Errorf("a colleague sees %v", links)
	}
	if links := viewLinks(piotr); len(links) != 0 {
		t.Errorf("another company sees %v", links)
	}
	for _, action := range []string{"", "/delete", "/up", "/share", "/unshare"} {
		if got := marcus.Post("/views/"+id+action, url.Values{"name": {"Mine"}}); got.Status != http.StatusNotFound {
			t.Errorf("a colleague's %q of a shared view: got %d, want 404", action, got.Status)
		}
		if got := piotr.Post("/views/"+id+action, url.Values{"name": {"Mine"}}); got.Status != http.StatusNotFound {
			t.Errorf("another company's %q: got %d, want 404", action, got.Status)
		}
	}
	marcus.Get("/views").WantText("Shared by colleagues", h.People["olivia"].Name)
	maya.Send(maya.Get("/views").Form(`form[action="/views/` + id + `/unshare"]`)) // a manager
	if links := viewLinks(marcus); len(links) != 0 {
		t.Errorf("a colleague still sees %v", links)
	}
	audited, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionViewShare, Limit: 9})
	if err != nil || len(audited) != 2 {
		t.Errorf("the audit: got %d rows, %v, want 2", len(audited), err)
	}
	if !strings.Contains(olivia.Post("/search", url.Values{"q": {"color"}}).Text(), "Colorado, largest first") {
		t.Error("the search does not find the view")
	}
	if marcus.Post("/search", url.Values{"q": {"color"}}).Find(`[id^="found-views"]`).Length() > 0 {
		t.Error("a colleague's search finds the private view")
	}
}

// TestViews_RenamedMovedDeleted_MenuFollows changes the order and the names, and rejects names that are missing, too
// long or taken.
func TestViews_RenamedMovedDeleted_MenuFollows(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	for name, list := range map[string]string{"": "/leads?view=all", strings.Repeat("x", 61): "/leads?view=all"} {
		got := saveView(maya, list, name)
		if got.Status != http.StatusUnprocessableEntity ||
			got.Find(`form[action="/views?view=all"] [name="name"][aria-invalid="true"]`).Length() != 1 {
			t.Errorf("the name %q: got %d: %s", name, got.Status, got.MainText())
		}
	}
	saveView(maya, "/leads?view=all", "Everything")
	saveView(maya, "/leads?view=offers&originator=none", "Offers")
	if got := saveView(maya, "/leads?view=ended", "everything"); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Text(), "You already have a view with this name") {
		t.Errorf("a name twice: got %d: %s", got.Status, got.MainText())
	}
	order := func() string {
		var names []string
		maya.Get("/views").Find("#own a.nm").Each(func(_ int, a *webtest.Selection) { names = append(names, a.Text()) })
		return strings.Join(names, ", ")
	}
	if got := order(); got != "Everything, Offers" {
		t.Errorf("got %q", got)
	}
	maya.Send(maya.Get("/views").Form(`form[action="/views/` + viewID(maya, "Offers") + `/up"]`))
	if got := order(); got != "Offers, Everything" {
		t.Errorf("after moving: got %q", got)
	}
	id := viewID(maya, "Offers")
	if got := maya.Post("/views/"+id, url.Values{"name": {"Everything"}}); got.Status != http.StatusUnprocessableEntity ||
		got.Find("#name-"+id+`[aria-invalid="true"]`).Length() != 1 {
		t.Errorf("renaming to a taken name: got %d: %s", got.Status, got.MainText())
	}
	maya.Send(maya.Get("/views").Form(`form[action="/views/`+id+`"]`).With("name", "Unassigned offers"))
	maya.Send(maya.Get("/views").Form(`form[action="/views/` + viewID(maya, "Everything") + `/delete"]`))
	if got := order(); got != "Unassigned offers" {
		t.Errorf("after a new name and a deletion: got %q", got)
	}
	if got := maya.Post("/views/none/delete", nil); got.Status != http.StatusNotFound {
		t.Errorf("an unknown view: got %d, want 404", got.Status)
	}
}

// TestViews_FirstAtSignIn_Opens: the first view opens at sign-in only if the user chose that, only as a list, and never
// instead of the page that they asked for.
func TestViews_FirstAtSignIn_Opens(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	saveView(maya, "/leads?view=closing&state=ID", "Closing in Idaho")
	landing := func(next string) string {
		t.Helper()
		v := h.NewBrowser()
		in := v.Get("/login"+next).Form("form#login").With("email", h.People["maya"].Email, "password", "right")
		got := v.Send(in)
		return got.Path + " " + strings.Join(strings.Fields(got.Find(`.lanes a[aria-current="page"]`).First().Text()), " ") +
			" " + got.Find(`select[name="state"] option[selected]`).AttrOr("value", "")
	}
	if got := landing(""); !strings.HasPrefix(got, "/leads Today") {
		t.Errorf("without the choice: got %s", got)
	}
	maya.Send(maya.Get("/views").Form("#first-view").With("opensFirst", "true"))
	if got := landing(""); !strings.HasPrefix(got, "/leads Closing") || !strings.HasSuffix(got, "ID") {
		t.Errorf("with the choice: got %s", got)
	}
	if got := landing("?next=%2Faccount"); !strings.HasPrefix(got, "/account") {
		t.Errorf("with another page: got %s", got)
	}
	h.ExecSQL(`UPDATE saved_views SET query = 'view=//evil.test&state=ID&q=Rivera&after=x&next=http://evil.test'`)
	if got := landing(""); !strings.HasPrefix(got, "/leads All") || !strings.HasSuffix(got, "ID") {
		t.Errorf("with a damaged query: got %s", got)
	}
	maya.Send(maya.Get("/views").Form(`form[action$="/delete"]`))
	if got := landing(""); !strings.HasPrefix(got, "/leads Today") {
		t.Errorf("without a view: got %s", got)
	}
}

// TestViews_OtherUsers_Refused: administrators have no lists, and a CRM's frame has no saved views.
func TestViews_OtherUsers_Refused(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	admin := h.SignInAs("admin")
	for _, path := range []string{"/views", "/views/first"} {
		if got := admin.Get(path); got.Status != http.StatusForbidden {
			t.Errorf("%s: got %d, want 403", path, got.Status)
		}
	}
}
