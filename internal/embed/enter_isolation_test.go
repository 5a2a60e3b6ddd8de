package embed

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// addSecondClient is a second CRM of the same company, whose log-in was approved.
func (o *harness) addSecondClient() {
	o.t.Helper()
	e := o.setup()
	e.Key, e.Name = "other", "Other CRM"
	o.save(e)
	o.must(o.Attest(o.t.Context(), access.Operator(), "other", "Quinn"))
}

// A code is good at its own client: at one whose log-in was approved it would be worth more.
func TestCodes_OtherClient_Expired(t *testing.T) {
	o := newHarness(t)
	o.connect("olivia")
	o.addSecondClient()
	in, p := o.enter("olivia", "h1", ""), o.mustLaunch("crm-olivia", "")
	door, err := o.newCode(t.Context(), store.LaunchCode{LaunchID: p.ID, Purpose: forLaunchURL}, launchURLTime)
	o.must(err)
	for name, try := range map[string]func(key string) error{
		"the press": func(key string) error {
			_, err := o.Enter(t.Context(), key, EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h2"}})
			return err
		},
		"the tab": func(key string) error {
			_, err := o.EnterTab(t.Context(), key, EnterRequest{Code: in.TabCode, Session: access.Session{IDHash: "h3"}})
			return err
		},
		"the question": func(key string) error { _, err := o.PendingLaunch(t.Context(), key, p.Code); return err },
		"the address":  func(key string) error { _, err := o.RedeemLaunchURL(t.Context(), key, door); return err },
	} {
		if err := try("other"); fault.KindOf(err) != fault.Conflict || err == nil {
			t.Errorf("%s: got %v, want that it is over", name, err)
		}
	}
	for name, err := range map[string]error{
		"the address": func() error { _, err := o.RedeemLaunchURL(t.Context(), "acme", door); return err }(),
		"the press": func() error {
			_, err := o.Enter(t.Context(), "acme", EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h4"}})
			return err
		}(),
	} {
		if err != nil {
			t.Errorf("%s, at its own: got %v", name, err)
		}
	}
}

// What was proved in a browser goes along for its own person, at the same client, and only
// what the person proved themselves.
func TestEnter_KeepsElevationOfSameUser(t *testing.T) {
	for name, try := range map[string]struct {
		change func(was *access.Session)
		level  int
	}{
		"her own":               {func(*access.Session) {}, 2},
		"a colleague's":         {func(was *access.Session) { was.UserID = "marcus" }, 1},
		"out of another CRM":    {func(was *access.Session) { was.Client = "other" }, 1},
		"the full desk's":       {func(was *access.Session) { was.Client = "" }, 1},
		"a CRM's approved word": {func(was *access.Session) { was.Proof = access.ByAttestedLaunch }, 1},
		"a CRM's word alone":    {func(was *access.Session) { was.Proof, was.Level = access.ByLaunch, 1 }, 1},
		"twelve hours old":      {func(was *access.Session) { was.ElevatedAt = was.ElevatedAt.Add(time.Hour - ElevationLifetime) }, 1},
		"not yet twelve hours old": {func(was *access.Session) {
			was.ElevatedAt = was.ElevatedAt.Add(time.Hour + time.Second - ElevationLifetime)
		}, 2},
	} {
		o := newHarness(t)
		o.connect("olivia")
		o.at = o.at.Add(time.Hour) // connecting was a proof too
		earlier := o.at.Add(-time.Hour)
		was := access.Session{
			IDHash: "before", UserID: "olivia", Client: "acme", Location: access.InFrame, Created: earlier, LastSeen: earlier, Expires: o.at.Add(ElevationLifetime),
			Proof: access.ByConfirmed, ElevatedAt: earlier, Level: 2,
		}
		try.change(&was)
		o.must(o.store.AddSession(t.Context(), was))
		if in := o.enter("olivia", "h1", "before"); in.Session.Level != try.level {
			t.Errorf("%s: got level %d, want %d", name, in.Session.Level, try.level)
		}
	}
}

// The frame may learn for ten minutes that its person has proved who they are.
func TestFinishConfirm_TenMinutes(t *testing.T) {
	for after, want := range map[time.Duration]bool{0: true, confirmTime: true, confirmTime + time.Second: false} {
		o := newHarness(t)
		o.connect("olivia")
		in := o.enter("olivia", "h1", "")
		o.must(o.ConfirmStepUp(t.Context(), o.actor("olivia"), in.VerifiedLaunch, in.MatchCode))
		o.at = o.at.Add(after)
		if got, err := o.FinishStepUp(t.Context(), o.visit(in.ID, "h1"), "h2"); err != nil || got != want {
			t.Errorf("%v later: got %v, %v, want %v", after, got, err, want)
		}
	}
}

// A launch that somebody went on with stays theirs, whoever its log-in belongs to since.
func TestEnter_LaunchOfOtherUser_Expired(t *testing.T) {
	o := newHarness(t)
	o.connect("olivia")
	p := o.mustLaunch("crm-olivia", "")
	second, err := o.newPendingLaunch(t.Context(), p.VerifiedLaunch)
	o.must(err)
	enter := func(code, hash string) error {
		_, err := o.Enter(t.Context(), "acme", EnterRequest{Code: code, Session: access.Session{IDHash: hash}})
		return err
	}
	o.must(enter(p.Code, "h1"))
	link := p.link
	link.UserID = "marcus"
	o.must(o.store.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.DropEmbedLink(t.Context(), "olivia", link.Key, link.Subject); err != nil {
			return err
		}
		return tx.AddEmbedLink(t.Context(), link)
	}))
	if err := enter(second.Code, "h2"); fault.KindOf(err) != fault.Conflict {
		t.Errorf("got %v, want that it is over", err)
	}
	if _, _, err := o.store.Session(t.Context(), "h2"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a session was begun all the same: %v", err)
	}
}

func TestFind_AfterTwelveHours_NotFound(t *testing.T) {
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	began := o.at
	o.at = began.Add(launchRetention - time.Second)
	if _, err := o.Find(t.Context(), "acme", in.ID); err != nil {
		t.Errorf("a second before: got %v", err)
	}
	o.at = began.Add(launchRetention)
	if _, err := o.Find(t.Context(), "acme", in.ID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("at the end: got %v, want that it is none", err)
	}
}
