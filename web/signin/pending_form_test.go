package signin_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	leadrow "hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

// expiredSession returns a harness in which olivia's session has expired, and the lead that she was viewing.
func expiredSession(t *testing.T) (*webtest.Harness, *webtest.Clock, *webtest.Browser, string) {
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{Now: clock.Now})
	v := h.SignInAs("olivia")
	lead := v.StartLead("Rivera-Match")
	v.WaitFor(lead, `input[name="applicant.ssn"]`)
	clock.Advance(guard.IdleLimit + time.Second)
	return h, clock, v, lead
}

func TestPendingForm_SessionEnded_Resumed(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.Post(lead+"/note", url.Values{"note": {"She calls back on Monday"}})
	if late.Path != "/login" {
		t.Fatalf("got %d at %s, want the sign-in page", late.Status, late.Path)
	}
	back := v.Send(late.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	back.WantText("Continue where you left off", "She calls back on Monday")
	form := back.Form("form#resume-form")
	if form.Action != lead+"/note" {
		t.Fatalf("the form goes to %s", form.Action)
	}
	if done := v.Send(form); done.Path != lead || done.Status != http.StatusOK {
		t.Fatalf("got %d at %s, want the lead", done.Status, done.Path)
	}
	v.Get(lead).WantText("She calls back on Monday")
}

func TestPendingForm_SessionEnded_DropsSSN(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.Post(lead+"/add-ssn", url.Values{"operation": {"x"}, "applicant.ssn": {"512-44-7193"}})
	back := v.Send(late.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	back.WantText("Continue where you left off", "Enter it again")
	if webtest.HasDigits(back.Body, "7193") {
		t.Error("the page contains the SSN")
	}
}

// TestPendingForm_SavedAfterSleep_Resumed: the machine wakes after the session's end. Its page polls for updates
// first, and only then saves its form.
func TestPendingForm_SavedAfterSleep_Resumed(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	for range 2 {
		if got := v.Get(lead+"/notes", "HX-Request", "true", "Session-Renew", "no"); got.Status == http.StatusOK {
			t.Fatal("an expired session still shows a page")
		}
	}
	v.Post("/account/held", url.Values{"held.address": {lead + "/note"}, "note": {"Half a sentence"},
		"applicant.ssn": {"512-44-7193"}}, "HX-Request", "true", "Session-Renew", "no")
	back := v.Send(v.Get(lead).Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	back.WantText("Continue where you left off", "Half a sentence")
	if webtest.HasDigits(back.Body, "7193") {
		t.Error("an SSN was saved")
	}
	if got := back.Form("form#resume-form").Action; got != lead+"/note" {
		t.Errorf("the form goes to %s", got)
	}
}

func TestSessionRenewal_OnlyUserRequests(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now().Truncate(time.Millisecond)}
	h := webtest.New(t, webtest.Options{Now: clock.Now})
	v := h.SignInAs("olivia")
	ends := func(headers ...string) time.Time {
		t.Helper()
		got := v.Do(v.Request(http.MethodHead, "/account/session", nil, headers))
		ms, err := strconv.ParseInt(got.Header.Get("Session-Expires"), 10, 64)
		if got.Status != http.StatusNoContent || err != nil {
			t.Fatalf("got %d, %v", got.Status, err)
		}
		return time.UnixMilli(ms)
	}
	first := ends("Session-Renew", "no")
	clock.Advance(10 * time.Minute)
	if got := ends("Session-Renew", "no"); !got.Equal(first) {
		t.Errorf("a page that only polls moved the expiry by %v", got.Sub(first))
	}
	if got, want := ends(), clock.Now().Add(guard.IdleLimit); !got.Equal(want) {
		t.Errorf("a user who types has until %v, want %v", got, want)
	}
}

func TestPendingForm_OtherUser_NotShown(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.Post(lead+"/note", url.Values{"note": {"Her gate code is on the fence"}})
	other := v.Send(late.Form("form#login").With("email", h.People["piotr"].Email, "password", "right"))
	if other.Path != "/leads" || strings.Contains(other.Body, "gate code") {
		t.Fatalf("got %s: piotr can see what olivia typed", other.Path)
	}
	if got := v.Get("/account/confirm"); strings.Contains(got.Body, "gate code") {
		t.Error("piotr can see what olivia typed")
	}
}

func TestPendingForm_SavedBeforeSessionEnd_Resumed(t *testing.T) {
	t.Parallel()
	h, clock, v, lead := func() (*webtest.Harness, *webtest.Clock, *webtest.Browser, string) {
		clock := &webtest.Clock{At: time.Now()}
		h := webtest.New(t, webtest.Options{Now: clock.Now})
		v := h.SignInAs("olivia")
		return h, clock, v, v.StartLead("Rivera-Match")
	}()
	clock.Advance(guard.IdleLimit - 5*time.Second)
	saved := v.Post("/account/held", url.Values{"held.address": {lead + "/note"}, "note": {"Half a sentence"},
		"applicant.ssn": {"512-44-7193"}}, "Session-Renew", "no")
	if saved.Status != http.StatusNoContent {
		t.Fatalf("got %d, want it saved", saved.Status)
	}
	clock.Advance(10 * time.Second)
	late := v.Get(lead)
	if late.Path != "/login" {
		t.Fatalf("saving renewed the session: %s", late.Path)
	}
	back := v.Send(late.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	back.WantText("Half a sentence")
	if webtest.HasDigits(back.Body, "7193") {
		t.Error("an SSN was saved")
	}
	for _, address := range []string{"https://evil.test/", "//evil.test", "/account/password", "", "javascript:alert(1)",
		"/leads/%2e%2e/confirm/crm"} {
		if got := v.Post("/account/held", url.Values{"held.address": {address},
			"x": {"y"}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("a form for %q: got %d, want 422", address, got.Status)
		}
	}
}

// TestPendingForm_SessionEndedElsewhere_Resumed ends a session in every way but its own expiry, and then submits a form
// from the page that is still open.
func TestPendingForm_SessionEndedElsewhere_Resumed(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(h *webtest.Harness){
		"signed out elsewhere": func(h *webtest.Harness) {
			other := h.SignInAs("olivia")
			other.Post("/account/sessions/end-others", nil)
		},
		"signed out by an administrator, or another password": func(h *webtest.Harness) {
			h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
				if _, err := tx.EndSessionsOf(h.T.Context(), "user-olivia", ""); err != nil {
					return err
				}
				return tx.EndPending(h.T.Context(), "user-olivia", "")
			}))
		},
		"five other browsers": func(h *webtest.Harness) {
			for range 5 {
				h.SignInAs("olivia")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{})
			v := h.SignInAs("olivia")
			lead, _ := v.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
			end(h)
			if got := v.Get(lead); got.Path != "/login" {
				t.Fatalf("the session goes on: %s", got.Path)
			}
			late := v.Post(lead+"/note", url.Values{"note": {"Her sister co-owns the home"}, "applicant.ssn": {"512-44-7193"}})
			if late.Path != "/login" {
				t.Fatalf("got %d at %s, want the sign-in page", late.Status, late.Path)
			}
			back := v.Send(late.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
			back.WantText("Continue where you left off", "Her sister co-owns the home")
			if webtest.HasDigits(back.Body, "7193") {
				t.Error("the page contains the SSN")
			}
			if done := v.Send(back.Form("form#resume-form").With("applicant.ssn", "")); done.Path != lead {
				t.Errorf("got %d at %s, want the lead", done.Status, done.Path)
			}
			if again := v.Get("/account/confirm"); strings.Contains(again.Text(), "Her sister co-owns the home") {
				t.Error("the form is offered again after it was submitted")
			}
		})
	}
}

func TestPendingForm_LeadReassignedMeanwhile_NotShown(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.Post(lead+"/note", url.Values{"note": {"Her gate code is on the fence"}})
	h.EditLead(heloc.AppID(strings.TrimPrefix(lead, "/leads/")), func(l *leadrow.Row) {
		l.Originator = heloc.OriginatorID(h.People["marcus"].OriginatorUUID)
	})
	back := v.Send(late.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	if back.Path != "/leads" || strings.Contains(back.Body, "gate code") {
		t.Errorf("got %d at %s: it shows what was typed about a lead that is no longer hers", back.Status, back.Path)
	}
}

// The file of an import is not stored with the form, so it must be chosen again; what was typed is there.
func TestPendingForm_ImportAfterSessionEnd_KeepsEntries(t *testing.T) {
	t.Parallel()
	h, _, v, _ := expiredSession(t)
	late := v.Post("/leads/import", url.Values{"applicant.name.lastName": {"Silva"}, "file": {"Silva 1003.xml"}})
	back := v.Send(late.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	back.WantText("Continue where you left off", "Silva")
	if strings.Contains(back.Body, "1003.xml") || back.Find(`a[href="/leads/new"]`).Length() == 0 ||
		back.Find(`a[href="/leads/import"]`).Length() != 0 {
		t.Errorf("got %s", back.MainText())
	}
	again := v.Send(back.Form("form#resume-form"))
	if again.Status != http.StatusUnprocessableEntity ||
		again.Form("form#intake").Values.Get("applicant.name.lastName") != "Silva" {
		t.Errorf("got %d: %s", again.Status, again.MainText())
	}
	again.WantText("Choose a MISMO 3.4 file (.xml).")
}
