package embed_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/samplecrm"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

// leadsPage is the response as a CRM reads it.
type leadsPage struct {
	Leads []struct {
		Lead, Application, Step, Lane, Move, Outcome, Due, Changed, URL string

		Records []struct{ Type, ID string }
	}
	Cursor string
	More   bool
}

func (p leadsPage) apps() (all []string) {
	for _, l := range p.Leads {
		all = append(all, l.Application)
	}
	slices.Sort(all)
	return all
}

// getLeads sends a signed call to the list, and checks the response against the published description.
func getLeads(a *webtest.CRM, query string) (p leadsPage, got *webtest.Response) {
	a.H.T.Helper()
	got = getCard(a, "/api/embed/acme/leads"+query)
	checkDescribed(a, "/api/embed/{client}/leads", got)
	if err := json.Unmarshal([]byte(got.Body), &p); err != nil || got.Status != http.StatusOK {
		a.H.T.Fatalf("%s: got %d %s", query, got.Status, got.Body)
	}
	return p, got
}

// checkDescribed checks that a JSON response is as the OpenAPI document says: its status is listed, and it has exactly
// the described properties with the described types and codes.
func checkDescribed(a *webtest.CRM, path string, got *webtest.Response) {
	a.H.T.Helper()
	var document, body any
	spec := a.H.NewBrowser().Get("/help/crm/openapi.json")
	if err := json.Unmarshal([]byte(spec.Body), &document); err != nil || spec.Status != http.StatusOK {
		a.H.T.Fatalf("the document: %d %v", spec.Status, err)
	}
	if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
		a.H.T.Fatalf("%s: %v", got.Body, err)
	}
	at := document
	for _, key := range []string{"paths", path, "get", "responses", fmt.Sprint(got.Status), "content", "application/json",
		"schema"} {
		next, ok := at.(map[string]any)
		if at = next[key]; !ok || at == nil {
			a.H.T.Fatalf("%s: the document has no %s for status %d", path, key, got.Status)
		}
	}
	for _, problem := range mismatches("body", at.(map[string]any), body) {
		a.H.T.Errorf("%s: %s: %s", path, problem, got.Body)
	}
}

// mismatches lists where a value differs from a schema of the few forms that we publish.
func mismatches(at string, schema map[string]any, value any) (all []string) {
	wrong := func(what string) []string { return append(all, at+" "+what) }
	switch schema["type"] {
	case "object":
		object, ok := value.(map[string]any)
		if !ok {
			return wrong("is not an object")
		}
		properties := schema["properties"].(map[string]any)
		for _, name := range schema["required"].([]any) {
			if _, ok := object[name.(string)]; !ok {
				all = append(all, at+" lacks "+name.(string))
			}
		}
		for name, v := range object {
			if p, ok := properties[name].(map[string]any); ok {
				all = append(all, mismatches(at+"."+name, p, v)...)
			} else {
				all = append(all, at+" has "+name+", which is not described")
			}
		}
		return all
	case "array":
		list, ok := value.([]any)
		if !ok {
			return wrong("is not an array")
		}
		for _, v := range list {
			all = append(all, mismatches(at+"[]", schema["items"].(map[string]any), v)...)
		}
		return all
	case "boolean":
		if _, ok := value.(bool); !ok {
			return wrong("is not a boolean")
		}
		return nil
	}
	text, ok := value.(string)
	if !ok {
		return wrong("is not text")
	}
	if codes, ok := schema["x-extensible-enum"].([]any); ok && !slices.Contains(codes, any(text)) {
		return wrong("has an unlisted code")
	}
	if schema["format"] == "date-time" {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return wrong("is not a time")
		}
	}
	if u, err := url.Parse(text); schema["format"] == "uri" && (err != nil || !u.IsAbs()) {
		return wrong("is not an address")
	}
	return nil
}

// TestCRMLeads_Changes_EachOnceWithoutPII follows the changes of a CRM's leads: those of its records, and no others.
func TestCRMLeads_Changes_EachOnceWithoutPII(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	h.AddLakesideCRM()
	empty, _ := getLeads(a, "")
	if len(empty.Leads) != 0 || empty.More || empty.Cursor == "" {
		t.Errorf("without leads: got %+v", empty)
	}
	one := a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	two := a.OpenFrame(webtest.LaunchFor("52")).StartLead("Nowak")
	for record, client := range map[string][2]string{"77": {"sf", "olivia"}, "78": {"lake", "piotr"}} {
		h.OpenFrameAt(client[0], client[1], record).StartLead("Quill")
	}
	h.SignInAs("olivia").StartLead("Zander", "partnerDataRequest.externalReferenceId", "53")
	appOf := func(path string) heloc.AppID { return heloc.AppID(path[strings.LastIndexByte(path, '/')+1:]) }
	for _, path := range []string{one, two} {
		h.WaitUntil("offers", func() bool { return h.LeadRow(appOf(path)).Step == heloc.StepOffersAvailable })
	}
	want := []string{string(appOf(one)), string(appOf(two))}
	slices.Sort(want)
	all, got := getLeads(a, "?changed_since="+empty.Cursor)
	if !slices.Equal(all.apps(), want) {
		t.Fatalf("got %v, want %v", all.apps(), want)
	}
	for _, l := range all.Leads {
		record := "51"
		if l.Application == string(appOf(two)) {
			record = "52"
		}
		if l.Step != "offers_available" || l.Lane != "offers" || l.Move != "originator" || l.Outcome != "open" ||
			!isDue(l.Due) || l.URL != "http://localhost/leads/"+l.Application || len(l.Records) != 1 ||
			l.Records[0].ID != record || l.Lead == "" {
			t.Errorf("got %+v", l)
		}
	}
	for _, secret := range []string{"Rivera", "Nowak", "Elena", "60000", "elena@"} {
		if strings.Contains(got.Body, secret) {
			t.Errorf("the list has %q: %s", secret, got.Body)
		}
	}
	later, _ := getLeads(a, "?changed_since="+all.Cursor)
	if len(later.Leads) != 0 || later.Cursor != all.Cursor {
		t.Errorf("without a change: got %+v", later)
	}
	h.Must(h.Sandbox.Play(appOf(one), "decline"))
	h.SignInAs("olivia").Post("/leads/"+string(appOf(one))+"/refresh", nil)
	h.WaitUntil("the end", func() bool { return h.LeadRow(appOf(one)).StatusKey.Ended() })
	later, _ = getLeads(a, "?changed_since="+all.Cursor)
	if len(later.Leads) != 1 || later.Leads[0].Outcome != "declined" || later.Leads[0].Lane != "ended" ||
		later.Leads[0].Move != "none" || later.Leads[0].Due != "" {
		t.Errorf("after the end of one: got %+v", later)
	}
	for query, wanted := range map[string][]string{"?record=52": {string(appOf(two))}, "?record=77": nil,
		"?record=78": nil, "?record=53": nil, "?record=52&type=contact": nil} {
		if found, _ := getLeads(a, query); !slices.Equal(found.apps(), wanted) || found.Cursor != "" {
			t.Errorf("%s: got %+v, want %v", query, found, wanted)
		}
	}
}

func TestCRMLeads_SameTag_NotModified(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	_, first := getLeads(a, "")
	tag := first.Header.Get("ETag")
	again := func(tag string) *webtest.Response {
		raw, err := samplecrm.Token(a.Key, webtest.CRMOrigin, "http://localhost/api/embed/acme/leads", webtest.LaunchFor(""))
		h.Must(err)
		return h.NewBrowser().Get("/api/embed/acme/leads", "Authorization", "Bearer "+raw, "If-None-Match", tag)
	}
	for _, same := range []string{tag, "W/" + tag, `"x", ` + tag} {
		if got := again(same); got.Status != http.StatusNotModified || got.Body != "" || got.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: got %d %s", same, got.Status, got.Body)
		}
	}
	a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	if got := again(tag); got.Status != http.StatusOK || got.Header.Get("ETag") == tag {
		t.Errorf("after a change: got %d %s", got.Status, got.Header.Get("ETag"))
	}
}

func TestCRMLeads_Refused(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	for _, query := range []string{"?record=1&changed_since=", "?changed_since=x", "?type=contact",
		"?record=1&record=2", "?record=%zz"} {
		got := getCard(a, "/api/embed/acme/leads"+query)
		checkDescribed(a, "/api/embed/{client}/leads", got)
		if got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d %s", query, got.Status, got.Body)
		}
	}
	for what, path := range map[string]string{"unsigned": "acme", "an unknown client": "nobody"} {
		got := h.NewBrowser().Get("/api/embed/" + path + "/leads")
		checkDescribed(a, "/api/embed/{client}/leads", got)
		if got.Status != http.StatusForbidden {
			t.Errorf("%s: got %d %s", what, got.Status, got.Body)
		}
	}
	// A user of HubSpot sees what they can open in the portal, and nothing before their sign-in is connected.
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	list := func(by samplecrm.HubSpotUser) string {
		return sendSignedCall(a, http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/leads", by), "").Body
	}
	if got := list(hers); got != `{"leads":[],"more":false,"connected":false}` {
		t.Errorf("before she is connected: got %s", got)
	}
	connectHubUser(a, "olivia", hers)
	connectHubUser(a, "marcus", his)
	a.Attest()
	v, page := hubLaunch(a, hers, webtest.LaunchFor("51"))
	a.ContinueLaunch(v, page).StartLead("Rivera")
	if got := list(hers); !strings.Contains(got, `"application"`) {
		t.Errorf("her lead: got %s", got)
	}
	card := samplecrm.HubSpotURL("/api/embed/hs/leads?record=51&type=0-3", hers) // as HubSpot's card in the help calls it
	if got := sendSignedCall(a, http.MethodGet, card, "").Body; !strings.Contains(got, `"application"`) {
		t.Errorf("her record's lead: got %s", got)
	}
	if got := list(his); strings.Contains(got, `"application"`) {
		t.Errorf("as her colleague: got %s", got)
	}
	var last *webtest.Response
	for range guard.CardsPerMinute + 1 {
		last = getCard(a, "/api/embed/acme/leads")
		if last.Status != http.StatusOK {
			break
		}
	}
	checkDescribed(a, "/api/embed/{client}/leads", last)
	if last.Status != http.StatusTooManyRequests || last.Header.Get("Retry-After") == "" {
		t.Errorf("too many calls: got %d, Retry-After %q", last.Status, last.Header.Get("Retry-After"))
	}
}

// isDue reports whether a time has the form that events have, too: UTC and whole seconds.
func isDue(due string) bool {
	_, err := time.Parse("2006-01-02T15:04:05Z", due)
	return err == nil
}
