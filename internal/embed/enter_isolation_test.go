package embed

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// addSecondClient adds a second CRM of the same company, with an attested sign-in.
func (h *harness) addSecondClient() {
	h.t.Helper()
	e := h.setup()
	e.Key, e.Name = "other", "Other CRM"
	h.save(e)
	h.must(h.Attest(h.t.Context(), access.Operator(), "other", "Quinn"))
}

// TestCodes_OtherClient_Expired: a code is valid only for its own client; for a client with an attested
// sign-in it would give more access.
func TestCodes_OtherClient_Expired(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	o.addSecondClient()
	in, p := o.enter("olivia", "h1", ""), o.mustLaunch("crm-olivia", "")
	urlCode, err := o.newCode(t.Context(), store.LaunchCode{LaunchID: p.ID, Purpose: forLaunchURL}, launchURLTime)
	o.must(err)
	for name, try := range map[string]func(key string) error{
		"Enter": func(key string) error {
			_, err := o.Enter(t.Context(), key, EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h2"}})
			return err
		},
		"EnterTab": func(key string) error {
			_, err := o.EnterTab(t.Context(), key, EnterRequest{Code: in.TabCode, Session: access.Session{IDHash: "h3"}})
			return err
		},
		"PendingLaunch":   func(key string) error { _, err := o.PendingLaunch(t.Context(), key, p.Code); return err },
		"RedeemLaunchURL": func(key string) error { _, err := o.RedeemLaunchURL(t.Context(), key, urlCode); return err },
	} {
		if err := try("other"); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: got %v, want it expired", name, err)
		}
	}
	for name, err := range map[string]error{
		"RedeemLaunchURL": func() error { _, err := o.RedeemLaunchURL(t.Context(), "acme", urlCode); return err }(),
		"Enter": func() error {
			_, err := o.Enter(t.Context(), "acme", EnterRequest{Code: p.Code, Session: access.Session{IDHash: "h4"}})
			return err
		}(),
	} {
		if err != nil {
			t.Errorf("%s for its own client: got %v", name, err)
		}
	}
}

// TestEnter_KeepsElevationOfSameUser: a step-up in a browser carries over only for the same user and
// the same client, and only if the user performed it.
func TestEnter_KeepsElevationOfSameUser(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		change func(was *access.Session)
		level  int
	}{
		"own":                  {func(*access.Session) {}, 2},
		"a colleague's":        {func(was *access.Session) { was.UserID = "marcus" }, 1},
		"from another CRM":     {func(was *access.Session) { was.Client = "other" }, 1},
		"from the full portal": {func(was *access.Session) { was.Client = "" }, 1},
		"attested sign-in":     {func(was *access.Session) { was.Proof = access.ByAttestedLaunch }, 1},
		"CRM sign-in only":     {func(was *access.Session) { was.Proof, was.Level = access.ByLaunch, 1 }, 1},
		"twelve hours old": {
			func(was *access.Session) { was.ElevatedAt = was.ElevatedAt.Add(time.Hour - ElevationLifetime) }, 1,
		},
		"not yet twelve hours old": {func(was *access.Session) {
			was.ElevatedAt = was.ElevatedAt.Add(time.Hour + time.Second - ElevationLifetime)
		}, 2},
	} {
		o := newHarness(t)
		o.connect("olivia")
		o.at = o.at.Add(time.Hour) // linking was a step-up too
		earlier := o.at.Add(-time.Hour)
		was := access.Session{
			IDHash: "before", UserID: "olivia", Client: "acme", Location: access.InFrame, Created: earlier, LastSeen: earlier,
			Expires: o.at.Add(ElevationLifetime), Proof: access.ByConfirmed, ElevatedAt: earlier, Level: 2,
		}
		try.change(&was)
		o.must(o.store.AddSession(t.Context(), was))
		if in := o.enter("olivia", "h1", "before"); in.Session.Level != try.level {
			t.Errorf("%s: got level %d, want %d", name, in.Session.Level, try.level)
		}
	}
}

// TestFinishConfirm_TenMinutes: the frame can use a step-up for ten minutes.
func TestFinishConfirm_TenMinutes(t *testing.T) {
	t.Parallel()
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

// TestEnter_LaunchOfOtherUser_Expired: a launch that a user continued stays with that user, even if the
// CRM user is linked to another one later.
func TestEnter_LaunchOfOtherUser_Expired(t *testing.T) {
	t.Parallel()
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
	link, err := o.newLink(p.VerifiedLaunch, access.Actor{UserID: "marcus"})
	o.must(err)
	o.must(o.store.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.DropEmbedLink(t.Context(), "olivia", link.Client, link.Subject); err != nil {
			return err
		}
		return tx.AddEmbedLink(t.Context(), link)
	}))
	if err := enter(second.Code, "h2"); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v, want it expired", err)
	}
	if _, _, err := o.store.Session(t.Context(), "h2"); !fault.Is(err, fault.NotFound) {
		t.Errorf("got session error %v, want not found", err)
	}
}

func TestFind_AfterTwelveHours_NotFound(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	in := o.enter("olivia", "h1", "")
	began := o.at
	o.at = began.Add(launchRetention - time.Second)
	if _, err := o.Find(t.Context(), "acme", in.ID); err != nil {
		t.Errorf("one second before the end: got %v", err)
	}
	o.at = began.Add(launchRetention)
	if _, err := o.Find(t.Context(), "acme", in.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("at the end: got %v, want not found", err)
	}
}
