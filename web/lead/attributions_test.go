package lead_test

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
	"hearthline/web/webtest"
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
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			tap := &attributionTap{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: tap.middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera", "partnerDataRequest.utmParameters.source", "spring",
				"partnerDataRequest.utmParameters.medium", "mail")
			olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
			history := olivia.Get(lead + "/history")
			form := history.Form("form#form-attributions")
			if got := form.Values.Get(utm + "source"); got != "spring" {
				t.Errorf("the form has the source %q, want spring", got)
			}
			if _, ok := form.Values[external+"externalApplicationId"]; ok {
				t.Error("the portal's own number can be edited")
			}
			if _, ok := form.Values[external+"externalCustomerId"]; ok != (dialect == "live") {
				t.Errorf("the customer number is on the form: %v", ok)
			}
			if got := olivia.Send(form); got.Status != http.StatusUnprocessableEntity ||
				!strings.Contains(got.Text(), "Change at least one field") {
				t.Errorf("no change: got %d", got.Status)
			}
			got := olivia.Send(form.With(utm+"source", "autumn", utm+"medium", "", external+"externalReferenceId", "CRM-7"))
			if got.Path != lead || got.Status != http.StatusOK {
				t.Fatalf("got %d at %s: %s", got.Status, got.Path, got.MainText())
			}
			want := `{"externalReferenceData":{"externalReferenceId":"CRM-7"},"utmParameters":{"medium":null,"source":"autumn"}}`
			if sent := tap.takeLast(); sent != want {
				t.Errorf("sent %s, want %s", sent, want)
			}
			h.WaitUntil("the change is visible", func() bool {
				f := olivia.Get(lead + "/history").Form("form#form-attributions")
				return f.Values.Get(utm+"source") == "autumn" && f.Values.Get(utm+"medium") == "" &&
					f.Values.Get(external+"externalReferenceId") == "CRM-7"
			})
			form = olivia.Get(lead + "/history").Form("form#form-attributions")
			both := olivia.Send(form.With("unset."+utm+"source", "true", utm+"source", "winter"))
			if both.Status != http.StatusUnprocessableEntity ||
				both.Form("form#form-attributions").Values.Get(utm+"source") != "winter" {
				t.Errorf("edited and marked for removal: got %d", both.Status)
			}
			if got := olivia.Send(form.With("unset."+utm+"source", "true")); got.Path != lead {
				t.Errorf("marked for removal: got %d at %s: %s", got.Status, got.Path, got.MainText())
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
	h := webtest.New(t, webtest.Options{LenderMiddleware: tap.middleware})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	for name, want := range map[string]string{
		external + "externalApplicationId": "reference can’t be changed",
		external + "externalCustomerId":    "doesn’t accept a customer number",
	} {
		form := olivia.Get(lead + "/history").Form("form#form-attributions")
		got := olivia.Send(form.With(name, "hl-mine"))
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), want) {
			t.Errorf("%s: got %d, want 422 and %q", name, got.Status, want)
		}
	}
	if sent := tap.takeLast(); sent != "null" {
		t.Errorf("sent %s, want nothing", sent)
	}
	plain := url.Values{
		"operation": {
			olivia.Get(lead + "/history").Form("form#form-attributions").Values.Get("operation"),
		},
		"attributions.utmParameters.term": {"heloc"},
	}
	if got := olivia.Post(lead+"/attributions", plain); got.Path != lead {
		t.Errorf("a single control: got %d: %s", got.Status, got.MainText())
	}
	if sent := tap.takeLast(); sent != `{"utmParameters":{"term":"heloc"}}` {
		t.Errorf("a single control sent %s", sent)
	}
}

func FuzzAttributions(f *testing.F) {
	f.Add("a=b&attributions.utmParameters.source=x&was.attributions.utmParameters.source=y")
	f.Add("attributions.utmParameters.source=&unset.attributions.utmParameters.source=true" +
		"&was.attributions.utmParameters.source=%ff")
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
