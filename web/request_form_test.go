package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

const formType = "application/x-www-form-urlencoded"

// malformed are bodies that the standard library parses in part and reports only once.
var malformed = map[string]string{
	"bad escape":  "x=%zz",
	"semicolon":   "a;b",
	"half escape": "x=%",
}

// stepUpRoutes returns routes for each kind of guard; ran counts the runs of their handlers.
func stepUpRoutes(ran *int) []page.Route {
	run := func(w http.ResponseWriter, _ *http.Request) error {
		*ran++
		return page.WriteText(w, "done")
	}
	onOwn := page.WithLead(func(w http.ResponseWriter, r *http.Request, _ page.Lead) error { return run(w, r) })
	return []page.Route{
		{Method: http.MethodPost, Pattern: "/leads/{app}/try-plain", Name: "plain", Permission: access.SelectOffer,
			Handler: onOwn},
		{Method: http.MethodPost, Pattern: "/leads/{app}/try-always", Name: "always", Permission: access.SelectOffer,
			StepUp: page.StepUpAlways, Handler: onOwn},
		{Method: http.MethodPost, Pattern: "/try-ssn", Name: "ssn", Permission: access.SelectOffer,
			StepUp: page.StepUpWithSSN, Handler: run},
		{Method: http.MethodGet, Pattern: "/leads/{app}/try-read", Name: "read", Permission: access.SeeLead, Handler: onOwn},
		{Method: http.MethodGet, Pattern: "/try-always", Name: "always, read", Permission: access.SelectOffer,
			StepUp: page.StepUpAlways, Handler: run},
	}
}

func postBody(path, contentType, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

func TestGuard_UnreadableForm_RefusedBetweenPermissionAndStepUp(t *testing.T) {
	t.Parallel()
	own, other := "/leads/"+webtest.OwnLead, "/leads/"+webtest.ForeignLead
	large := "x=" + strings.Repeat("x", 1<<20)
	multipart := "multipart/form-data; boundary=b"
	part := "--b\r\nContent-Disposition: form-data; name=\"applicant.ssn\"\r\n\r\n900-00-0001\r\n--b--\r\n"
	for _, tt := range []struct {
		name       string
		who        access.Role // "" is not signed in
		path       string
		kind, body string
		want       int
	}{
		{"not signed in", "", own + "/try-always", formType, "x=%zz", 303},
		{"another company's lead", access.Originator, other + "/try-always", formType, "x=%zz", 404},
		{"role is not allowed", access.Assistant, own + "/try-always", formType, "x=%zz", 403},
		{"bad escape before the step-up", access.Originator, own + "/try-always", formType, "x=%zz", 400},
		{"bad escape after a good value", access.Originator, "/try-ssn", formType, "applicant.ssn=900-00-0001&x=%zz", 400},
		{"semicolon", access.Originator, "/try-ssn", formType, "applicant.ssn=900-00-0001&a;b", 400},
		{"malformed query", access.Originator, own + "/try-plain?a;b", formType, "x=1", 400},
		{"malformed query before the step-up", access.Originator, "/try-ssn?x=%zz", formType,
			"applicant.ssn=900-00-0001", 400},
		{"oversized", access.Originator, own + "/try-always", formType, large, 413},
		{"oversized of no declared type", access.Originator, own + "/try-plain", "", large, 415},
		{"oversized, another company's lead", access.Originator, other + "/try-plain", formType, large, 404},
		{"multipart", access.Originator, "/try-ssn", multipart, part, 415},
		{"JSON", access.Originator, "/try-ssn", "application/json", `{"applicant.ssn":"900-00-0001"}`, 415},
		{"no declared type", access.Originator, "/try-ssn", "", "applicant.ssn=900-00-0001", 415},
		{"broken type", access.Originator, "/try-ssn", formType + "; charset", "applicant.ssn=900-00-0001", 415},
		{"too many controls", access.Originator, own + "/try-plain", formType, manyControls(), 400},
		{"no body and no type", access.Originator, own + "/try-plain", "", "", 200},
		{"charset given", access.Originator, own + "/try-plain", formType + ";charset=UTF-8", "x=1", 200},
		{"well-formed", access.Originator, own + "/try-plain", formType, "x=1", 200},
		{"well-formed, not stepped up", access.Originator, own + "/try-always", formType, "x=1", 303},
		{"well-formed with an SSN, not stepped up", access.Originator, "/try-ssn", formType,
			"applicant.ssn=900-00-0001", 303},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran := 0
			p := webtest.NewFakedServer(t, "http://localhost:8080", stepUpRoutes(&ran)...).WithLeads(t)
			b := p.NewBrowser(t)
			if tt.who != "" {
				b = p.SignedIn(t, tt.who)
			}
			p.Rows.RequireStepUp = true
			res := b.Do(postBody(tt.path, tt.kind, tt.body))
			if res.Code != tt.want || (ran == 1) != (tt.want == 200) {
				t.Errorf("got %d, handler ran %d times, want %d", res.Code, ran, tt.want)
			}
			if strings.Contains(res.Body.String()+p.Log.String(), "900-00") || strings.Contains(p.Log.String(), "%zz") {
				t.Error("the form values are shown or logged")
			}
		})
	}
}

func manyControls() string {
	values := url.Values{}
	for i := range form.MaxControls + 1 {
		values.Set("x"+strings.Repeat("y", i), "1")
	}
	return values.Encode()
}

func TestGuard_MalformedQueryOfRead_BadRequest(t *testing.T) {
	t.Parallel()
	ran := 0
	p := webtest.NewFakedServer(t, "http://localhost:8080", stepUpRoutes(&ran)...).WithLeads(t)
	b := p.SignedIn(t, access.Originator)
	p.Rows.RequireStepUp = true
	for path, want := range map[string]int{
		"/leads/" + webtest.OwnLead + "/try-read?a;b":     400,
		"/leads/" + webtest.ForeignLead + "/try-read?a;b": 404,
		"/try-always?x=%zz":                               400,
		"/try-always?x=1":                                 303,
		"/login?next=%zz":                                 400,
	} {
		if res := b.Get(path); res.Code != want || ran != 0 {
			t.Errorf("%s: got %d, handler ran %d times, want %d", path, res.Code, ran, want)
		}
	}
	if res := p.NewBrowser(t).Get("/leads/" + webtest.OwnLead + "/try-read?a;b"); res.Code != 303 {
		t.Errorf("not signed in: got %d, want 303", res.Code)
	}
}

// TestPublicRoutes_MalformedForm_BadRequest posts to every public form, and to the CRM launch, one kind of which is a
// form.
func TestPublicRoutes_MalformedForm_BadRequest(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	webtest.NewCRM(t, h)
	var paths []string
	for _, route := range h.Routes() {
		if route.Public && route.Method == http.MethodPost && route.Class != page.Hook {
			paths = append(paths, strings.NewReplacer("{client}", "acme", "{launch}", "l").Replace(route.Pattern))
		}
	}
	for _, needed := range []string{"/login", "/login/second-factor", "/login/passkey", "/activate", "/reset",
		"/e/acme/start", "/e/acme/tab"} {
		if !slices.Contains(paths, needed) {
			t.Errorf("%s is not among the public forms", needed)
		}
	}
	paths = append(paths, "/launch/jwt/acme", "/launch/canvas/sf")
	for _, path := range paths {
		for name, body := range malformed {
			r := h.NewBrowser().Request(http.MethodPost, path, nil, nil)
			r.Body, r.ContentLength = http.NoBody, 0
			r = r.Clone(t.Context())
			full, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL.String(),
				strings.NewReader("email=olivia%40summit.test&password=right&token=t&code=c&"+body))
			if err != nil {
				t.Fatal(err)
			}
			full.Header = r.Header
			if got := h.NewBrowser().Do(full); got.Status != http.StatusBadRequest {
				t.Errorf("%s with a %s: got %d, want 400", path, name, got.Status)
			}
		}
	}
	v := h.NewBrowser()
	if got := v.Get("/login"); got.Status != http.StatusOK {
		t.Errorf("sign-in page: got %d", got.Status)
	}
}

// TestFrame_MalformedForm_BadRequestBeforeClickGuard sends what the click guard requires, together with a value that
// cannot be parsed.
func TestFrame_MalformedForm_BadRequestBeforeClickGuard(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	app := h.SignInAs("olivia").StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	for act, body := range map[string]string{"/cancel": "confirm.cancel=true", "/reveal": "reason=callback"} {
		for name, bad := range malformed {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.HTTPServer.URL+f.Base+app+act,
				strings.NewReader(body+"&"+bad))
			if err != nil {
				t.Fatal(err)
			}
			headers := webtest.FrameHeaders("Cookie", f.Cookie, "Content-Type", formType)
			for i := 0; i+1 < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			if got := f.Do(r); got.Status != http.StatusBadRequest {
				t.Errorf("%s with a %s: got %d, want 400: %s", act, name, got.Status, got.MainText())
			}
		}
		for _, query := range []string{"?a;b", "?x=%zz"} {
			form := webtest.Form{Action: f.Base + app + act + query, Values: url.Values{}}
			if got := f.Send(form); got.Status != http.StatusBadRequest {
				t.Errorf("%s%s: got %d, want 400: %s", act, query, got.Status, got.MainText())
			}
		}
	}
	if q := h.Inquiries("Rivera"); len(q) != 1 || q[0].NextInquiryStep == "INQUIRY_CLOSED" {
		t.Error("the inquiry was canceled without the click guard")
	}
}

// TestStart_MalformedFormWithSSN_BadRequest posts an inquiry with an SSN as a user who has not stepped up.
func TestStart_MalformedFormWithSSN_BadRequest(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.SignInAs("olivia")
	form := olivia.Get("/leads/new").Form("form#intake").With("applicant.ssn", "512-44-9981")
	for name, bad := range malformed {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.HTTPServer.URL+"/leads",
			strings.NewReader(form.Values.Encode()+"&"+bad))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", formType)
		if got := olivia.Do(r); got.Status != http.StatusBadRequest {
			t.Errorf("%s: got %d, want 400: %s", name, got.Status, got.MainText())
		}
	}
}

// FuzzForm_GuardAndHandlerSeeTheSame posts any body, with any query and content type. Whenever a handler runs, the
// step-up and the click guard must have checked the same values.
func FuzzForm_GuardAndHandlerSeeTheSame(f *testing.F) {
	for _, seed := range [][3]string{
		{"applicant.ssn=900-00-0001", "", formType}, {"applicant.ssn=900-00-0001&x=%zz", "", formType},
		{"x=1", "a;b", formType}, {"a;b&frame.seen=true", "", formType},
		{"--b\r\nContent-Disposition: form-data; name=\"applicant.ssn\"\r\n\r\n9\r\n--b--", "",
			"multipart/form-data; boundary=b"},
		{"applicant.ssn=9", "applicant.ssn=", "text/plain"},
		{"property.liens.99.ssn=9&x=1", "x=2", formType + ";charset=utf-8"}, {"", "", ""},
		{"applicant.ssn=9", "", "application/x-www-form-urlencoded; a"},
		{"applicant.ssn=+&frame.seen=true&frame.seen=false", "frame.seen=true", formType},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	var read url.Values // by the handler; nil if none ran
	handler := func(w http.ResponseWriter, r *http.Request) error {
		form, err := page.ReadForm(r)
		if err != nil {
			return err
		}
		read = form.Values
		return page.WriteText(w, "done")
	}
	routes := []page.Route{
		{Method: http.MethodPost, Pattern: "/fuzz-ssn", Name: "ssn", Permission: access.SelectOffer,
			StepUp: page.StepUpWithSSN, Handler: handler},
		{Method: http.MethodPost, Pattern: "/fuzz-plain", Name: "plain", Permission: access.SelectOffer, Handler: handler},
	}
	f.Fuzz(func(t *testing.T, body, query, kind string) {
		if strings.ContainsAny(kind, "\r\n\x00") {
			t.Skip("no server reads such a header")
		}
		p := webtest.NewFakedServer(t, "http://localhost:8080", routes...)
		b := p.SignedIn(t, access.Originator)
		p.Rows.RequireStepUp = true
		send := func(path string) int {
			read = nil
			r := postBody(path, kind, body)
			r.URL.RawQuery = query
			return b.Do(r).Code
		}
		status := send("/fuzz-plain")
		if (status == http.StatusOK) != (read != nil) {
			t.Fatalf("got %d, handler read %v", status, read)
		}
		want, err := url.ParseQuery(body)
		valid := err == nil
		if _, err := url.ParseQuery(query); err != nil {
			valid = false
		}
		if read != nil {
			form.DropExcessRows(want)
			if !valid || len(want) > 0 && !maps.EqualFunc(read, want, slices.Equal) {
				t.Fatalf("handler ran on %v of body %q and query %q", read, body, query)
			}
		}
		seen := read
		status = send("/fuzz-ssn")
		if read != nil && len(page.SsnControlsIn(read)) > 0 {
			t.Fatalf("handler ran on an SSN without a step-up: %v", read)
		}
		if read != nil && !maps.EqualFunc(read, seen, slices.Equal) {
			t.Fatalf("the two handlers read different values: %v, %v", read, seen)
		}
		if stepUp := len(page.SsnControlsIn(seen)) > 0; seen != nil && stepUp != (status == http.StatusSeeOther) {
			t.Fatalf("got %d with SSN controls %v", status, page.SsnControlsIn(seen))
		}
		if seen == nil && status < 400 {
			t.Fatalf("got %d though the form cannot be read", status)
		}
		for _, c := range []page.Risk{page.RiskMedium, page.RiskHigh} {
			r := postBody("/x", kind, body)
			r.Header.Set("Sec-Fetch-Dest", "iframe")
			if seen != nil && c.Accepts(r, seen) && seen.Get("frame.seen") != "true" &&
				(c == page.RiskHigh || seen.Get("frame.seen") != "unjudged") {
				t.Fatalf("click guard passed %v", seen)
			}
		}
	})
}
