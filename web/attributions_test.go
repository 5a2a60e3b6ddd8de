package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"hearthline/web/form"
	"hearthline/web/lead"
	"hearthline/web/team"
)

// attributionTap records the bodies of attribution calls.
type attributionTap struct {
	mu   sync.Mutex
	last map[string]any
}

func (t *attributionTap) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/attributions") {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			var all struct {
				Attributions map[string]any `json:"attributions"`
			}
			_ = json.Unmarshal(body, &all)
			t.mu.Lock()
			t.last = all.Attributions
			t.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

func (t *attributionTap) takeLast() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	got, _ := json.Marshal(t.last)
	t.last = nil
	return string(got)
}

func TestAttributions_OnlyChangesSent(t *testing.T) {
	t.Parallel()
	const utm, external = "attributions.utmParameters.", "attributions.externalReferenceData."
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			tap := &attributionTap{}
			h := newHarness(t, harnessOptions{dialect: dialect, lenderMiddleware: tap.middleware})
			olivia := h.signInAs("olivia")
			lead := olivia.startLead("Rivera", "partnerDataRequest.utmParameters.source", "spring", "partnerDataRequest.utmParameters.medium", "mail")
			olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
			history := olivia.get(lead + "/history")
			form := history.form("form#form-attributions")
			if got := form.values.Get(utm + "source"); got != "spring" {
				t.Errorf("the form has the source %q, want spring", got)
			}
			if _, ok := form.values[external+"externalApplicationId"]; ok {
				t.Error("the portal's own number can be edited")
			}
			if _, ok := form.values[external+"externalCustomerId"]; ok != (dialect == "live") {
				t.Errorf("the customer number is on the form: %v", ok)
			}
			if got := olivia.send(form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), "Nothing was changed") {
				t.Errorf("no change: got %d", got.status)
			}
			got := olivia.send(form.with(utm+"source", "autumn", utm+"medium", "", external+"externalReferenceId", "CRM-7"))
			if got.path != lead || got.status != http.StatusOK {
				t.Fatalf("got %d at %s: %s", got.status, got.path, got.text())
			}
			want := `{"externalReferenceData":{"externalReferenceId":"CRM-7"},"utmParameters":{"medium":null,"source":"autumn"}}`
			if sent := tap.takeLast(); sent != want {
				t.Errorf("sent %s, want %s", sent, want)
			}
			h.waitUntil("the change is visible", func() bool {
				f := olivia.get(lead + "/history").form("form#form-attributions")
				return f.values.Get(utm+"source") == "autumn" && f.values.Get(utm+"medium") == "" && f.values.Get(external+"externalReferenceId") == "CRM-7"
			})
			form = olivia.get(lead + "/history").form("form#form-attributions")
			both := olivia.send(form.with("unset."+utm+"source", "true", utm+"source", "winter"))
			if both.status != http.StatusUnprocessableEntity || both.form("form#form-attributions").values.Get(utm+"source") != "winter" {
				t.Errorf("edited and marked for removal: got %d", both.status)
			}
			if got := olivia.send(form.with("unset."+utm+"source", "true")); got.path != lead {
				t.Errorf("marked for removal: got %d at %s: %s", got.status, got.path, got.text())
			}
			if sent := tap.takeLast(); sent != `{"utmParameters":{"source":null}}` {
				t.Errorf("removed: sent %s", sent)
			}
		})
	}
}

// TestAttributions_OwnReference_422 posts forms that only a program would send.
func TestAttributions_OwnReference_422(t *testing.T) {
	t.Parallel()
	const external = "attributions.externalReferenceData."
	tap := &attributionTap{}
	h := newHarness(t, harnessOptions{lenderMiddleware: tap.middleware})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	for name, want := range map[string]string{
		external + "externalApplicationId": "number stays as it is: lost", external + "externalCustomerId": "takes no customer number",
	} {
		form := olivia.get(lead + "/history").form("form#form-attributions")
		got := olivia.send(form.with(name, "hl-mine"))
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), want) {
			t.Errorf("%s: got %d, want 422 and %q", name, got.status, want)
		}
	}
	if sent := tap.takeLast(); sent != "null" {
		t.Errorf("sent %s, want nothing", sent)
	}
	plain := url.Values{"operation": {olivia.get(lead + "/history").form("form#form-attributions").values.Get("operation")}, "attributions.utmParameters.term": {"heloc"}}
	if got := olivia.post(lead+"/attributions", plain); got.path != lead {
		t.Errorf("a single control: got %d: %s", got.status, got.text())
	}
	if sent := tap.takeLast(); sent != `{"utmParameters":{"term":"heloc"}}` {
		t.Errorf("a single control sent %s", sent)
	}
}

func FuzzAttributions(f *testing.F) {
	f.Add("a=b&attributions.utmParameters.source=x&was.attributions.utmParameters.source=y")
	f.Add("attributions.utmParameters.source=&unset.attributions.utmParameters.source=true&was.attributions.utmParameters.source=%ff")
	f.Fuzz(func(_ *testing.T, body string) {
		values, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		form := &form.Form{Values: values, Corrections: map[string]string{}}
		_ = lead.Attributions(form, make([]string, 8))
		_ = team.SelectedApps(form)
		_ = form.View("x")
	})
}
