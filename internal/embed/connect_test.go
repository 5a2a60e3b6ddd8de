package embed

import (
	"errors"
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

// TestEnter_Waiting_OnlyAfterOwnLetters: a page continues without a click only if its own letters were typed, not
// because the CRM user was connected through another page.
func TestEnter_Waiting_OnlyAfterOwnLetters(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	waits, other := o.mustLaunch("crm-olivia", ""), o.mustLaunch("crm-olivia", "")
	enter := func(p PendingLaunch) (EnteredLaunch, error) {
		return o.Enter(t.Context(), "acme", EnterRequest{Code: p.Code, Session: access.Session{IDHash: p.ID}, Waiting: true})
	}
	if _, err := enter(waits); !errors.Is(err, ErrNotConnected) {
		t.Errorf("before: got %v", err)
	}
	o.must(o.Connect(t.Context(), o.actor("olivia"), other.VerifiedLaunch, other.MatchCode))
	if _, err := enter(waits); !errors.Is(err, ErrNotConnected) {
		t.Errorf("connected through another page: got %v", err)
	}
	if in, err := enter(other); err != nil || in.Session.Proof != access.ByConfirmed {
		t.Errorf("got %q, %v, want it continued", in.Session.Proof, err)
	}
}

func TestConfirmByPasskey_ElevatesFrameOnce(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	o.addSecondClient()
	in := o.enter("olivia", "h1", "")
	newCode := func() string {
		code, err := o.NewConfirmCode(t.Context(), o.visit(in.ID, "h1"))
		o.must(err)
		return code
	}
	confirm := func(who, client, code string) error {
		return o.ConfirmByPasskey(t.Context(), o.actor(who), client, code)
	}
	code := newCode()
	for name, try := range map[string]struct {
		who, client, code string
		want              fault.Kind
	}{
		"a colleague's passkey": {"marcus", "acme", code, fault.Invalid},
		"another client":        {"olivia", "other", code, fault.Conflict},
		"a code of the launch":  {"olivia", "acme", in.TabCode, fault.Conflict},
	} {
		if err := confirm(try.who, try.client, try.code); fault.KindOf(err) != try.want {
			t.Errorf("%s: got %v, want %v", name, err, try.want)
		}
	}
	if ok, err := o.FinishStepUp(t.Context(), o.visit(in.ID, "h1"), "h2"); ok || err != nil {
		t.Errorf("before: got %v, %v", ok, err)
	}
	o.must(confirm("olivia", "acme", code))
	if err := confirm("olivia", "acme", code); !errors.Is(err, ErrCodeExpired) {
		t.Errorf("a second time: got %v", err)
	}
	if n := len(o.audit(store.ActionEmbedConfirm)); n != 1 {
		t.Errorf("got %d audit entries", n)
	}
	left := newCode()
	if ok, err := o.FinishStepUp(t.Context(), o.visit(in.ID, "h1"), "h2"); !ok || err != nil {
		t.Errorf("after: got %v, %v", ok, err)
	}
	o.must(o.EndVisit(t.Context(), o.visit(in.ID, "h2")))
	if err := confirm("olivia", "acme", left); !errors.Is(err, ErrCodeExpired) {
		t.Errorf("after signing out: got %v", err)
	}
}
