package embed

import (
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func TestEnter_NotConnected_Denied(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	p := o.mustLaunch("crm-olivia", "")
	if p.Connected() {
		t.Fatalf("got %q, want none", p.Person.UserID)
	}
	if _, err := o.Enter(t.Context(), "acme",
		EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h"}}); !fault.Is(err, fault.Denied) {
		t.Errorf("got %v, want it denied", err)
	}
	if err := o.Connect(t.Context(), o.actor("olivia"), p.VerifiedLaunch, strings.ToLower(p.MatchCode)); err != nil {
		t.Fatal(err)
	}
	// The code was not consumed: the same request succeeds now.
	in, err := o.Enter(t.Context(), "acme", EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h"}})
	if err != nil || in.Person.UserID != "olivia" || in.Session.Proof != access.ByConfirmed {
		t.Fatalf("got %+v, %v", in.Session, err)
	}
	if _, err := o.Enter(t.Context(), "acme",
		EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h2"}}); !fault.Is(err, fault.Conflict) {
		t.Errorf("second use of the code: got %v, want a conflict", err)
	}
}

func TestConnect_OtherCompanyOrLetters_Denied(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	for name, try := range map[string]struct {
		userID, email, typed string
		want                 fault.Kind
	}{
		"other company":     {"piotr", "", "", fault.Denied},
		"colleague's email": {"marcus", "olivia@summit.test", "", fault.Denied},
		"wrong code":        {"olivia", "", "NOPE1", fault.Invalid},
	} {
		p := o.mustLaunch("crm-"+name, try.email)
		typed := p.MatchCode
		if try.typed != "" {
			typed = try.typed
		}
		if err := o.Connect(t.Context(), o.actor(try.userID), p.VerifiedLaunch, typed); fault.KindOf(err) != try.want {
			t.Errorf("%s: got %v, want %v", name, err, try.want)
		}
	}
	o.connect("olivia")
	p := o.mustLaunch("crm-olivia", "")
	if err := o.Connect(t.Context(), o.actor("marcus"), p.VerifiedLaunch, p.MatchCode); !fault.Is(err, fault.Conflict) {
		t.Errorf("linked to another user: got %v, want a conflict", err)
	}
	if err := o.ConfirmStepUp(t.Context(), o.actor("marcus"), p.VerifiedLaunch, p.MatchCode); !fault.Is(err,
		fault.Denied) {
		t.Errorf("confirmed by another user: got %v, want it denied", err)
	}
}

func TestConfirm_WrongLetters_Limited(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	connect := func(l VerifiedLaunch, typed string) error { return o.Connect(t.Context(), o.actor("olivia"), l, typed) }
	confirm := func(l VerifiedLaunch, typed string) error {
		return o.ConfirmStepUp(t.Context(), o.actor("olivia"), l, typed)
	}
	for i, step := range []struct {
		name string
		run  func(VerifiedLaunch, string) error
	}{{"connecting", connect}, {"confirming", confirm}} {
		p := o.mustLaunch("crm-olivia", "")
		for try := range maxMismatches {
			// The launch was read before the earlier attempts; the store has the current count.
			if err := step.run(p.VerifiedLaunch, "-"); !fault.Is(err, fault.Invalid) {
				t.Fatalf("%s, try %d: got %v", step.name, try+1, err)
			}
		}
		for _, typed := range []string{"-", p.MatchCode} {
			if err := step.run(p.VerifiedLaunch, typed); !fault.Is(err, fault.Conflict) {
				t.Errorf("%s after too many mismatches: got %v, want a conflict", step.name, err)
			}
		}
		if got, want := len(o.audit("embed.mismatch")), (i+1)*maxMismatches; got != want {
			t.Errorf("%s: got %d audit entries, want %d", step.name, got, want)
		}
		o.connect("olivia")
	}
}

// noticesTo returns the notices that a user was sent.
func (h *harness) noticesTo(userID string) string { return strings.Join(h.notices[userID], "; ") }

func TestConnect_ColleaguesEmail_Denied(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.addToDirectory("nora", "summit")
	o.addToDirectory("lena", "lakeside")
	o.invite("asha@summit.test", "summit")
	o.person("left", "summit")
	if err := o.store.DisableUser(t.Context(), "left"); err != nil {
		t.Fatal(err)
	}
	for email, denied := range map[string]bool{
		"olivia@summit.test": true, "left@summit.test": true, "Nora@Summit.test ": true, "asha@summit.test": true,
		// The response must not reveal whether a user of another company exists.
		"piotr@lakeside.test": false, "lena@lakeside.test": false, "nobody@summit.test": false, "": false,
		"MARCUS@summit.test": false,
	} {
		p := o.mustLaunch("crm-"+email, email)
		err := o.Connect(t.Context(), o.actor("marcus"), p.VerifiedLaunch, p.MatchCode)
		if denied != (err != nil) || denied && !fault.Is(err, fault.Denied) {
			t.Errorf("%q: got %v, want denied %v", email, err, denied)
		}
	}
}

func TestConnect_LogInInUse_Conflict(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	// While olivia may come from the CRM, nobody can take over the link, even with an older launch.
	p := o.mustLaunch("crm-olivia", "")
	p.Person = access.User{}
	if err := o.Connect(t.Context(), o.actor("marcus"), p.VerifiedLaunch, p.MatchCode); !fault.Is(err, fault.Conflict) {
		t.Fatalf("linked CRM user: got %v, want a conflict", err)
	}
	if err := o.store.DisableUser(t.Context(), "olivia"); err != nil {
		t.Fatal(err)
	}
	p = o.mustLaunch("crm-olivia", "")
	if err := o.Connect(t.Context(), o.actor("marcus"), p.VerifiedLaunch, p.MatchCode); err != nil {
		t.Fatal(err)
	}
	if got := o.noticesTo("olivia"); !strings.Contains(got, "is now connected to another account") {
		t.Errorf("got notices to olivia %q", got)
	}
	if rows := o.audit("embed.pass-on"); len(rows) != 1 || rows[0].ActorID != "marcus" || rows[0].Object != "user:olivia" {
		t.Errorf("got %+v", rows)
	}
	if err := o.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ReopenUser(t.Context(), access.Actor{UserID: "admin"}, "olivia")
	}); err != nil {
		t.Fatal(err)
	}
	if next := o.mustLaunch("crm-olivia", ""); next.Person.UserID != "marcus" {
		t.Errorf("got user %q, want marcus", next.Person.UserID)
	}
	if v, err := o.Visit(t.Context(), "acme", in.ID, "h1"); err == nil && v.SignedIn() {
		t.Error("the former user's session is still open")
	}
}

func TestDisconnect_EndsSessionsAndCodes(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	pending := o.mustLaunch("crm-olivia", "")
	links, err := o.Links(t.Context(), "olivia")
	if err != nil || len(links) != 1 || links[0].CRM != "Acme CRM" || links[0].Subject != "crm-olivia" ||
		!links[0].UsedAt.Equal(o.at) {
		t.Fatalf("got %+v, %v", links, err)
	}
	if err := o.Disconnect(t.Context(), access.Operator(), "marcus", links[0].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("by a colleague: got %v, want not found", err)
	}
	if err := o.Disconnect(t.Context(), access.Operator(), "olivia", links[0].ID); err != nil {
		t.Fatal(err)
	}
	if v, err := o.Visit(t.Context(), "acme", in.ID, "h1"); err == nil && v.SignedIn() {
		t.Error("the session in the frame is still open")
	}
	if _, _, err := o.store.Session(t.Context(), "h1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("stored session: got %v, want none", err)
	}
	for name, code := range map[string]func() error{
		"pending launch": func() error {
			_, err := o.Enter(t.Context(), "acme", EnterRequest{Code: pending.Code, Session: access.Session{IDHash: "h2"}})
			return err
		},
		"tab code": func() error {
			_, err := o.EnterTab(t.Context(), "acme", EnterRequest{Code: in.TabCode, Session: access.Session{IDHash: "h3"}})
			return err
		},
	} {
		if err := code(); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: got %v, want it expired", name, err)
		}
	}
	if got := o.noticesTo("olivia"); !strings.Contains(got, "was disconnected") {
		t.Errorf("got notices %q", got)
	}
	if rows := o.audit("embed.disconnect"); len(rows) != 1 || rows[0].ActorID != "system" {
		t.Errorf("got %+v", rows)
	}
	if p := o.mustLaunch("crm-olivia", ""); p.Connected() {
		t.Error("the CRM user is still linked")
	}
}
