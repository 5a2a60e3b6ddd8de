package embed

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func TestAFrameIsTrustedAsFarAsItIsProved(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	in := o.enters("olivia", "h1", "")
	if v := o.visit(in.ID, "h1"); !v.Signed() || !v.User.Unconfirmed || v.User.Can(access.StartInquiry) || !v.User.Can(access.SeePipeline) {
		t.Fatalf("got %+v", v.User)
	}
	if ok, err := o.Confirmed(t.Context(), o.visit(in.ID, "h1"), "h2"); ok || err != nil {
		t.Fatalf("before: got %v, %v", ok, err)
	}
	if err := o.Confirm(t.Context(), o.actor("olivia"), in.Launched, in.Match); err != nil {
		t.Fatal(err)
	}
	if ok, err := o.Confirmed(t.Context(), o.visit(in.ID, "h1"), "h2"); !ok || err != nil {
		t.Fatalf("after: got %v, %v", ok, err)
	}
	if o.visit(in.ID, "h1").Signed() {
		t.Error("the old token lives on")
	}
	if v := o.visit(in.ID, "h2"); v.User.Unconfirmed {
		t.Error("still unconfirmed")
	}
	// A second record in the same browser, hours later, though the session has idled out.
	o.at = o.at.Add(11 * time.Hour)
	next := o.enters("olivia", "h3", "h2")
	if v := o.visit(next.ID, "h3"); v.User.Unconfirmed {
		t.Error("asked twice in twelve hours")
	}
	o.at = o.at.Add(time.Hour)
	if v := o.enters("olivia", "h4", "h3"); v.Session.Level != 1 {
		t.Error("twelve hours later it still counts")
	}
}

func TestAFrameIsItsOwn(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	o.connected("marcus")
	hers, his := o.enters("olivia", "h-olivia", ""), o.enters("marcus", "h-marcus", "")
	if o.visit(hers.ID, "h-marcus").Signed() || o.visit(his.ID, "h-olivia").Signed() {
		t.Error("a launch opens with another person's session")
	}
	if v, err := o.Visit(t.Context(), "other", hers.ID, "h-olivia"); err == nil && v.Signed() {
		t.Error("a launch opens under another client")
	}
	if !o.visit(hers.ID, "h-olivia").Signed() {
		t.Error("her own does not open")
	}
	o.at = o.at.Add(Idle)
	if o.visit(hers.ID, "h-olivia").Signed() {
		t.Error("an idle frame lives on")
	}
}

func TestLoggingOutEndsTheCodeOfTheTab(t *testing.T) {
	o := newOffice(t)
	o.connected("olivia")
	in := o.enters("olivia", "h1", "")
	if err := o.Leave(t.Context(), o.visit(in.ID, "h1")); err != nil {
		t.Fatal(err)
	}
	if _, err := o.EnterTab(t.Context(), "acme", Entering{Code: in.Tab, Session: access.Session{IDHash: "h2"}}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a tab after the log-out: got %v, want that it is over", err)
	}
}

// What was launched before a door was shut stays shut when the door is opened again.
func TestCodesEndWithWhatTheyStandOn(t *testing.T) {
	for name, shut := range map[string]func(o *office){
		"a closed client": func(o *office) {
			o.must(o.Close(t.Context(), access.Operator(), "acme"))
			o.must(o.Open(t.Context(), access.Operator(), "acme"))
		},
		"other keys": func(o *office) {
			e := o.setup()
			e.Keys = keySet(t, newKey(t))
			o.save(e)
			o.save(o.setup())
		},
		"a closed account": func(o *office) {
			o.must(o.store.DisableUser(t.Context(), "olivia"))
			o.must(o.store.Write(t.Context(), func(tx *store.Tx) error { return tx.OpenUser(t.Context(), access.Actor{UserID: "admin"}, "olivia") }))
		},
		"signed out everywhere": func(o *office) {
			o.must(o.store.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.EndSessionsOf(t.Context(), "olivia", "here")
				return err
			}))
		},
	} {
		o := newOffice(t)
		o.connected("olivia")
		in, waiting := o.enters("olivia", "h1", ""), o.launched("crm-olivia", "")
		shut(o)
		if _, err := o.EnterTab(t.Context(), "acme", Entering{Code: in.Tab, Session: access.Session{IDHash: "h2"}}); fault.KindOf(err) != fault.Conflict {
			t.Errorf("%s: the tab: got %v", name, err)
		}
		if _, err := o.Enter(t.Context(), "acme", Entering{Code: waiting.Code, Session: access.Session{IDHash: "h3"}}); fault.KindOf(err) != fault.Conflict {
			t.Errorf("%s: the press: got %v", name, err)
		}
		if _, err := o.Find(t.Context(), "acme", waiting.ID); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: the page outside: got %v", name, err)
		}
	}
}
