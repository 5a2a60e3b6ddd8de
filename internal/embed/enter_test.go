package embed

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func TestVisit_TrustFollowsProof(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	if v := o.visit(in.ID, "h1"); !v.SignedIn() || !v.User.VouchedByCRM || v.User.Can(access.StartInquiry) ||
		!v.User.Can(access.SeePipeline) {
		t.Fatalf("got %+v", v.User)
	}
	if ok, err := o.FinishStepUp(t.Context(), o.visit(in.ID, "h1"), "h2"); ok || err != nil {
		t.Fatalf("before: got %v, %v", ok, err)
	}
	if err := o.ConfirmStepUp(t.Context(), o.actor("olivia"), in.VerifiedLaunch, in.MatchCode); err != nil {
		t.Fatal(err)
	}
	if ok, err := o.FinishStepUp(t.Context(), o.visit(in.ID, "h1"), "h2"); !ok || err != nil {
		t.Fatalf("after: got %v, %v", ok, err)
	}
	if o.visit(in.ID, "h1").SignedIn() {
		t.Error("the old token is still valid")
	}
	if v := o.visit(in.ID, "h2"); v.User.VouchedByCRM {
		t.Error("the step-up has no effect")
	}
	// A second record in the same browser, hours later, although the first session has expired.
	o.at = o.at.Add(11 * time.Hour)
	next := o.enter("olivia", "h3", "h2")
	if v := o.visit(next.ID, "h3"); v.User.VouchedByCRM {
		t.Error("a second step-up is required within twelve hours")
	}
	o.at = o.at.Add(time.Hour)
	if v := o.enter("olivia", "h4", "h3"); v.Session.Level != 1 {
		t.Error("the step-up is still valid after twelve hours")
	}
}

func TestVisit_OtherClientOrUser_Nobody(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	o.connect("marcus")
	olivia, marcus := o.enter("olivia", "h-olivia", ""), o.enter("marcus", "h-marcus", "")
	if o.visit(olivia.ID, "h-marcus").SignedIn() || o.visit(marcus.ID, "h-olivia").SignedIn() {
		t.Error("a launch is open with another user's session")
	}
	if v, err := o.Visit(t.Context(), "other", olivia.ID, "h-olivia"); err == nil && v.SignedIn() {
		t.Error("a launch is open for another client")
	}
	if !o.visit(olivia.ID, "h-olivia").SignedIn() {
		t.Error("the user's own launch is not open")
	}
	o.at = o.at.Add(Idle)
	if o.visit(olivia.ID, "h-olivia").SignedIn() {
		t.Error("an idle session is still open")
	}
}

func TestEndVisit_EndsTabCode(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	if err := o.EndVisit(t.Context(), o.visit(in.ID, "h1")); err != nil {
		t.Fatal(err)
	}
	if _, err := o.EnterTab(t.Context(), "acme",
		EnterRequest{Code: in.TabCode, Session: access.Session{IDHash: "h2"}}); !fault.Is(err, fault.Conflict) {
		t.Errorf("tab after signing out: got %v, want it expired", err)
	}
}

// TestCodes_ClientOrAccountDisabled_Expired: launches from before a client or account was disabled stay
// invalid when it is enabled again.
func TestCodes_ClientOrAccountDisabled_Expired(t *testing.T) {
	t.Parallel()
	for name, disable := range map[string]func(o *harness){
		"disabled client": func(o *harness) {
			o.must(o.Disable(t.Context(), access.Operator(), "acme"))
			o.must(o.Enable(t.Context(), access.Operator(), "acme"))
		},
		"other keys": func(o *harness) {
			e := o.setup()
			e.Keys = keySet(t, newKey(t))
			o.save(e)
			o.save(o.setup())
		},
		"disabled account": func(o *harness) {
			o.must(o.store.DisableUser(t.Context(), "olivia"))
			o.must(o.store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.ReopenUser(t.Context(), access.Actor{UserID: "admin"}, "olivia")
			}))
		},
		"signed out everywhere": func(o *harness) {
			o.must(o.store.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.EndSessionsOf(t.Context(), "olivia", "here")
				return err
			}))
		},
	} {
		o := newHarness(t)
		o.connect("olivia")
		in, pending := o.enter("olivia", "h1", ""), o.mustLaunch("crm-olivia", "")
		disable(o)
		if _, err := o.EnterTab(t.Context(), "acme",
			EnterRequest{Code: in.TabCode, Session: access.Session{IDHash: "h2"}}); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: EnterTab: got %v, want it expired", name, err)
		}
		if _, err := o.Enter(t.Context(), "acme",
			EnterRequest{Code: pending.Code, Session: access.Session{IDHash: "h3"}}); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: Enter: got %v, want it expired", name, err)
		}
		if _, err := o.Find(t.Context(), "acme", pending.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: Find: got %v, want not found", name, err)
		}
	}
}
