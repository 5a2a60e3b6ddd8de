package web_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	deskintake "hearthline/internal/desk/intake"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/web"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// noDemoControl is a demo control that does nothing.
type noDemoControl struct{}

func (noDemoControl) Play(context.Context, heloc.AppID, string) error { return nil }
func (noDemoControl) Events(context.Context, heloc.AppID) []string    { return nil }
func (noDemoControl) InjectFault(context.Context, string) error       { return nil }
func (noDemoControl) State(context.Context) page.DemoState            { return page.DemoState{} }
func (noDemoControl) Samples() []page.Sample {
	return []page.Sample{{Key: "Rivera", Label: "Offers",
		Values: map[string][]string{"applicant.name.firstName": {"Elena"}, "homeIsProperty": {"true"}}}}
}

// examplePath fills in a pattern; app may include a document as "<app>/<document>".
func examplePath(pattern, app string) string {
	app, doc, _ := strings.Cut(app, "/")
	return strings.NewReplacer("{app}", app, "{doc}", doc, "{id}", "hl-none", "{page}", "steps", "{kind}", "jwt",
		"{client}", "none", "{launch}", "none", "{code}", "none", "{record}", "none", "{token}", "none", "{file}", "none",
		"*", "app.css").Replace(pattern)
}

// TestRoutes_PermissionsMatchGoldenTable requests every route with every role and compares the outcomes with a file
// that a manager can read. It records only whether access was granted: ok is anything except a denial, whatever the
// handler then made of an empty form.
func TestRoutes_PermissionsMatchGoldenTable(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{DemoControl: noDemoControl{}, Estimate: webtest.EstimateAccess(),
		BorrowerLink: webtest.BorrowerLink(t)})
	olivia := h.SignInAs("olivia")
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	olivia.WaitFor("/leads/"+app, `input[name="offer.offerUuid"]`)
	papers, err := h.DeskDeps.Lender.Documents(t.Context(), heloc.AppID(app))
	if err != nil || len(papers.Value) == 0 {
		t.Fatalf("no documents to try: %v", err)
	}
	app += "/" + papers.Value[0].UUID
	browsers := map[string]*webtest.Browser{"originator": olivia, "colleague": h.SignInAs("marcus"),
		"manager": h.SignInAs("maya"), "assistant": h.SignInAs("ada"), "other company": h.SignInAs("piotr"),
		"admin": h.SignInAs("admin")}
	columns := []string{"nobody", "originator", "colleague", "manager", "assistant", "other company", "admin"}
	var got strings.Builder
	fmt.Fprintf(&got, "%-6s%-44s", "", "")
	for _, c := range columns {
		fmt.Fprintf(&got, "%-15s", c)
	}
	got.WriteString("confirm\n")
	for _, route := range h.Routes() {
		if route.Embedded || route.Class == page.Stream || route.Pattern == "/logout" ||
			strings.HasPrefix(route.Pattern, "/account/sessions/") {
			continue // an open stream does not end, and ending the session would stop the test
		}
		fmt.Fprintf(&got, "%-6s%-44s", route.Method, route.Pattern)
		for _, c := range columns {
			fmt.Fprintf(&got, "%-15s", routeOutcome(h, browsers[c], route, app))
		}
		got.WriteString([]string{"", "with an SSN", "always"}[route.StepUp] + "\n")
	}
	file := filepath.Join("testdata", "locks.txt")
	want, _ := os.ReadFile(file)
	if renew := os.Getenv("PORTAL_TEST_RENEW"); renew != "" {
		if err := os.WriteFile(file, []byte(strings.Repeat(" ", 50)+trimLines(got.String())+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if trimLines(got.String()) != trimLines(string(want)) {
		t.Errorf("the permissions differ from the golden table; got\n%s\nwant\n%s", got.String(), want)
	}
}

// routeOutcome describes what a user gets from a route. "Nobody" has no session.
func routeOutcome(h *webtest.Harness, v *webtest.Browser, route page.Route, app string) string {
	client := &http.Client{}
	if v != nil {
		*client = *v.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	h.Guard().Denials = guard.Denials{} // no delays in this test
	r := (&webtest.Browser{H: h}).Request(route.Method, examplePath(route.Pattern, app), nil, nil)
	res, err := client.Do(r)
	if err != nil {
		h.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	switch {
	case res.StatusCode == http.StatusSeeOther && strings.HasPrefix(res.Header.Get("Location"), "/login") && !route.Public:
		return "sign in"
	case res.StatusCode == http.StatusForbidden:
		return "forbidden"
	case res.StatusCode == http.StatusNotFound && strings.Contains(route.Pattern, "{app}"):
		return "not there"
	case res.StatusCode == http.StatusTooManyRequests && !route.Public:
		return "slowed down"
	case res.StatusCode == http.StatusInternalServerError:
		return "broken"
	default:
		return "ok"
	}
}

func trimLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// TestForeignLead_HugeForm_404 sends a very large form to every lead route of another user's lead. The response must
// be 404, not that the form is too large or invalid.
func TestForeignLead_HugeForm_404(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{DemoControl: noDemoControl{}})
	app := strings.TrimPrefix(h.SignInAs("olivia").StartLead("Rivera"), "/leads/")
	others := map[string]*webtest.Browser{"piotr": h.SignInAs("piotr"), "marcus": h.SignInAs("marcus"),
		"admin": h.SignInAs("admin")}
	big := url.Values{"applicant.ssn": {strings.Repeat("1", 2<<20)}}
	for _, route := range h.Routes() {
		if route.Embedded || !strings.Contains(route.Pattern, "{app}") || strings.HasPrefix(route.Pattern, "/demo/") {
			continue
		}
		for name, v := range others {
			got := v.Do(v.Request(route.Method, examplePath(route.Pattern, app), big, nil))
			if got.Status != http.StatusNotFound || strings.Contains(got.Body, "Elena") {
				t.Errorf("%s at %s %s: got %d, want 404", name, route.Method, route.Pattern, got.Status)
			}
		}
	}
}

// TestHandles_PermissionRemoved_Denied calls every method of every handle as a user whose permissions were removed
// after the handle was opened.
func TestHandles_PermissionRemoved_Denied(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess()})
	olivia := h.SignInAs("olivia")
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	ctx := t.Context()
	// A user without a role may do nothing at all.
	unknown := access.Actor{UserID: "user-stranger", ElevatedUntil: time.Now().Add(time.Hour)}
	for name, open := range map[string]func(d *desk.Desk) (any, error){
		"invitations":  func(d *desk.Desk) (any, error) { return d.Invitations() },
		"audit":        func(d *desk.Desk) (any, error) { return d.Audit() },
		"installation": func(d *desk.Desk) (any, error) { return d.Installation() },
		"licenses":     func(d *desk.Desk) (any, error) { return d.Licenses() },
		"branding":     func(d *desk.Desk) (any, error) { return d.Branding() },
		"settings":     func(d *desk.Desk) (any, error) { return d.CompanySettings() },
		"people":       func(d *desk.Desk) (any, error) { return d.People() },
		"requests":     func(d *desk.Desk) (any, error) { return d.Requests() },
		"team":         func(d *desk.Desk) (any, error) { return d.Team() },
		"lead":         func(d *desk.Desk) (any, error) { return d.Lead(ctx, app) },
		"offers": func(d *desk.Desk) (any, error) {
			l, err := d.Lead(ctx, app)
			if err != nil {
				return nil, err
			}
			return l.Offers(), nil
		},
		"inbox":      func(d *desk.Desk) (any, error) { return d.Inbox() },
		"views":      func(d *desk.Desk) (any, error) { return d.Views() },
		"reports":    func(d *desk.Desk) (any, error) { return d.Reports() },
		"rules":      func(d *desk.Desk) (any, error) { return d.Rules() },
		"departures": func(d *desk.Desk) (any, error) { return d.Departures() },
		"absences":   func(d *desk.Desk) (any, error) { return d.Absences() },
		"pipeline":   func(d *desk.Desk) (any, error) { return d.Pipeline() },
		"drafts":     func(d *desk.Desk) (any, error) { return d.Drafts() },
		"intake":     func(d *desk.Desk) (any, error) { return d.Intake() },
		"estimate":   func(d *desk.Desk) (any, error) { return d.Estimates() },
		"account":    func(d *desk.Desk) (any, error) { return d.Account() },
		"directory":  func(d *desk.Desk) (any, error) { return d.Directory() },
		"rehearsal":  func(d *desk.Desk) (any, error) { return d.Rehearsal() },
		"search":     func(d *desk.Desk) (any, error) { return d.Search() },
		"hand-overs": func(d *desk.Desk) (any, error) { return d.BulkReassignments() },
		"CRMs":       func(d *desk.Desk) (any, error) { return d.EmbedClients() },
		"launched": func(d *desk.Desk) (any, error) {
			return d.CRMLaunch(embed.VerifiedLaunch{Person: access.User{Actor: *d.Actor},
				Client: embed.Client{Client: launch.Client{BrokerID: d.Actor.BrokerID}}})
		},
		"receipt": func(d *desk.Desk) (any, error) {
			ops, err := h.Store.Operations(ctx, heloc.AppID(app), 1)
			if err != nil {
				return nil, err
			}
			return d.Receipt(ctx, ops[0].ID)
		},
	} {
		who := h.People[cmp.Or(map[string]string{"audit": "admin", "CRMs": "admin", "people": "admin", "requests": "admin",
			"licenses": "admin",
			"branding": "admin", "installation": "admin", "team": "maya", "invitations": "maya", "reports": "maya",
			"settings": "maya", "rules": "maya", "departures": "maya"}[name], "olivia")].Actor
		who.ElevatedUntil = time.Now().Add(time.Hour)
		d := h.DeskService.For(who)
		handle, err := open(d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		*d.Actor = unknown
		for method, err := range callAllMethods(ctx, handle) {
			want := fault.Denied
			if name+"."+method == "receipt.Lead" {
				want = fault.NotFound // a lead does not exist for a user whose role has no access
			}
			if !fault.Is(err, want) {
				t.Errorf("%s.%s: got %v, want %v: a method must check its permission before it looks up anything",
					name, method, err, want)
			}
		}
		if _, err := open(h.DeskService.For(unknown)); !fault.Is(err, fault.Denied, fault.NotFound) {
			t.Errorf("%s can be opened by an unknown user: %v", name, err)
		}
	}
}

// TestHandles_ElevationExpired_StepUpRequired tests the desk's own check for permissions that require a step-up.
// Handles that were opened while the step-up was valid must refuse once it has expired: all methods of the handles
// that require it as a whole, and otherwise the methods that do.
func TestHandles_ElevationExpired_StepUpRequired(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	app := strings.TrimPrefix(h.SignInAs("olivia").StartLead("Rivera-Match"), "/leads/")
	ctx := t.Context()
	desks := map[string]*desk.Desk{}
	for _, name := range []string{"olivia", "maya", "admin"} {
		who := h.People[name].Actor
		who.ElevatedUntil = time.Now().Add(time.Hour)
		desks[name] = h.DeskService.For(who)
	}
	revoke := func() {
		for _, d := range desks {
			d.Actor.ElevatedUntil = time.Now().Add(-time.Second)
		}
	}
	handles := map[string]any{}
	for name, open := range map[string]func() (any, error){
		"invitations":  func() (any, error) { return desks["maya"].Invitations() },
		"audit":        func() (any, error) { return desks["admin"].Audit() },
		"installation": func() (any, error) { return desks["admin"].Installation() },
		"licenses":     func() (any, error) { return desks["admin"].Licenses() },
		"branding":     func() (any, error) { return desks["admin"].Branding() },
		"settings":     func() (any, error) { return desks["maya"].CompanySettings() },
		"own branding": func() (any, error) { return desks["maya"].Branding() },
		"people":       func() (any, error) { return desks["admin"].People() },
		"requests":     func() (any, error) { return desks["admin"].Requests() },
		"CRMs":         func() (any, error) { return desks["admin"].EmbedClients() },
	} {
		handle, err := open()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		handles[name] = handle
		defer func() {
			if _, err := open(); !fault.Is(err, fault.StepUpRequired) {
				t.Errorf("%s was opened: got %v, want a step-up to be required", name, err)
			}
		}()
	}
	l, err := desks["olivia"].Lead(ctx, app)
	h.Must(err)
	own, err := desks["olivia"].Account()
	h.Must(err)
	intake, err := desks["olivia"].Intake()
	h.Must(err)
	pipeline, err := desks["maya"].Pipeline()
	h.Must(err)
	revoke()
	for name, handle := range handles {
		for method, err := range callAllMethods(ctx, handle) {
			if !fault.Is(err, fault.StepUpRequired) {
				t.Errorf("%s.%s: got %v, want a step-up to be required", name, method, err)
			}
		}
	}
	ssn := pii.Wrap("078-05-1120")
	for act, do := range map[string]func() error{
		"reveal":    func() error { _, err := l.Reveal(ctx, desklead.RevealReason{Preset: "callback"}); return err },
		"loan file": func() error { _, err := l.LoanFile(ctx); return err },
		"clone":     func() error { _, err := l.Clone(ctx); return err },
		"add-ssn":   func() error { _, err := l.AddSSN(ctx, l.NewOperationID(heloc.OpAddSSN), ssn); return err },
		"export": func() error {
			return pipeline.Export(ctx, lead.Query{}, "", func([]lead.PipelineRow) error { return nil })
		},
		"SetUpTOTP":    func() error { _, err := own.SetUpTOTP(ctx, "x"); return err },
		"AddTOTP":      func() error { _, err := own.AddTOTP(ctx, "x", "000000"); return err },
		"BeginPasskey": func() error { _, err := own.BeginPasskey(ctx, "x"); return err },
		"AddPasskey":   func() error { _, err := own.AddPasskey(ctx, "x", account.CreatedPasskey{}); return err },
		"recovery":     func() error { _, err := own.ReplaceRecoveryCodes(ctx); return err },
		"remove":       func() error { return own.RemoveFactor(ctx, "x") },
		"unlink":       func() error { return own.UnlinkSSO(ctx) },
		"disconnect":   func() error { return own.DisconnectCRM(ctx, "x") },
		"password":     func() error { return own.ChangePassword(ctx, "x", account.Passwords{}) },
		"a start with an SSN": func() error {
			_, err := intake.Start(ctx, deskintake.StartForm{Inquiry: heloc.Inquiry{Applicant: heloc.Applicant{SSN: ssn}}})
			return err
		},
	} {
		if err := do(); !fault.Is(err, fault.StepUpRequired) {
			t.Errorf("%s: got %v, want a step-up to be required", act, err)
		}
	}
	if _, err := intake.Start(ctx, deskintake.StartForm{}); fault.Is(err, fault.StepUpRequired) || err == nil {
		t.Errorf("a start without an SSN: got %v, want no step-up to be required", err)
	}
	if err := l.SetAside(ctx, true); fault.Is(err, fault.StepUpRequired) {
		t.Errorf("set aside: got %v, want no step-up to be required", err)
	}
}

// The desk's check has the same effect as the route's: the form is saved until the step-up.
func TestStepUpRequired_FromDesk_KeepsForm(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	v := h.SignInAs("olivia")
	route := page.Route{Method: http.MethodPost, Pattern: "/try-proof", Name: "proof", Permission: access.UseAccount,
		Handler: page.WithDesk(func(_ http.ResponseWriter, r *http.Request, d page.Desk) error {
			if _, err := page.ReadForm(r); err != nil {
				return err
			}
			return fault.New(fault.StepUpRequired, "Confirm your identity first.")
		})}
	h.HTTPServer.Config.Handler = web.NewWithRoutes(h.Deps, []page.Route{route})
	v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := v.Post("/try-proof", url.Values{"note": {"kept"}})
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/account/confirm" {
		t.Fatalf("got %d to %q, want the step-up page", got.Status, got.Header.Get("Location"))
	}
	v.Get("/account/confirm").WantText("kept")
	if rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionDenied, Limit: 1}); err != nil ||
		len(rows) != 0 {
		t.Errorf("got %+v, %v, want no denial in the audit: nobody was denied", rows, err)
	}
}

// callAllMethods calls every method that can return an error, with empty arguments.
func callAllMethods(ctx context.Context, handle any) map[string]error {
	errs := map[string]error{}
	v := reflect.ValueOf(handle)
	for i := range v.NumMethod() {
		kind := v.Method(i).Type()
		if kind.NumOut() == 0 || !kind.Out(kind.NumOut()-1).Implements(reflect.TypeFor[error]()) {
			continue // a method such as Can, which returns no error, needs no check
		}
		args := make([]reflect.Value, kind.NumIn())
		for j := range args {
			args[j] = reflect.New(kind.In(j)).Elem()
			if kind.In(j) == reflect.TypeFor[context.Context]() {
				args[j] = reflect.ValueOf(ctx)
			}
		}
		out := v.Method(i).Call(args)
		err, _ := out[len(out)-1].Interface().(error)
		errs[v.Type().Method(i).Name] = err
	}
	return errs
}

// TestOtherCompany_LeadNotFound looks for olivia's lead as piotr on every page.
func TestOtherCompany_LeadNotFound(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	own := strings.TrimPrefix(piotr.StartLead("Nowak"), "/leads/")
	for _, path := range []string{"/leads", "/leads?view=all", "/leads?q=rivera&view=all", "/leads?q=elena&view=all",
		"/leads?originator=" + h.People["olivia"].OriginatorUUID + "&view=all", "/drafts"} {
		page := piotr.Get(path)
		for _, leak := range []string{app, "Rivera", "Olivia"} {
			if strings.Contains(page.Find("main table, main .lanes").Text(), leak) || strings.Contains(page.Body, app) {
				t.Errorf("%s shows %q", path, leak)
			}
		}
	}
	counts := piotr.Get("/leads?view=all").Find(`.lanes a[aria-current] b`).Text()
	if counts != "1" {
		t.Errorf("piotr counts %q leads, want his own", counts)
	}
	piotr.Get("/leads?q=nowak&view=all").WantText("Nowak")
	ops, err := h.Store.Operations(t.Context(), heloc.AppID(app), 1)
	if err != nil || len(ops) == 0 {
		t.Fatal(err)
	}
	if got := piotr.Get("/operations/" + ops[0].ID); got.Status != http.StatusNotFound {
		t.Errorf("the receipt: got %d, want 404", got.Status)
	}
	if got := piotr.Post("/leads/adopt", url.Values{"appUuid": {app}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("adopting it: got %d, want 422", got.Status)
	}
	if got := h.SignInAs("maya").Get("/leads/" + app); got.Status != http.StatusOK {
		t.Errorf("olivia's manager: got %d, want 200", got.Status)
	}
	if got := piotr.Get("/leads/" + own); got.Status != http.StatusOK {
		t.Errorf("piotr's own lead: got %d, want 200", got.Status)
	}
}
