package embed

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/store"
)

// TestResume_SameCRMUserAndSession_Only continues a launch in an open session after something has happened.
func TestResume_SameCRMUserAndSession_Only(t *testing.T) {
	t.Parallel()
	for _, try := range []struct {
		name    string
		subject string // of the next launch; "crm-olivia" if empty
		happens func(o *harness, in EnteredLaunch, cookie *string)
		resumes bool
	}{
		{name: "the next record", resumes: true},
		{name: "after seven hours of work", resumes: true, happens: func(o *harness, in EnteredLaunch, _ *string) {
			for range 15 {
				o.at = o.at.Add(28 * time.Minute)
				o.must(o.Touch(o.t.Context(), o.visit(in.ID, in.Session.IDHash)))
			}
		}},
		{name: "another CRM user", subject: "crm-marcus"},
		{name: "another CRM user of the same account", subject: "crm-olivia-2"},
		{name: "a CRM user who is not connected", subject: "crm-new"},
		{name: "no cookie", happens: func(_ *harness, _ EnteredLaunch, cookie *string) { *cookie = "" }},
		{name: "a cookie without its MAC", happens: func(_ *harness, _ EnteredLaunch, cookie *string) {
			*cookie = ParseBoundToken(*cookie)
		}},
		{name: "another session's token under the MAC", happens: func(o *harness, _ EnteredLaunch, cookie *string) {
			token, hash := account.NewToken()
			o.enter("olivia", hash, "")
			_, mac, _ := strings.Cut(*cookie, ".")
			*cookie = token + "." + mac
		}},
		{name: "signed out", happens: func(o *harness, in EnteredLaunch, _ *string) {
			o.must(o.EndVisit(o.t.Context(), o.visit(in.ID, in.Session.IDHash)))
		}},
		{name: "idle", happens: func(o *harness, _ EnteredLaunch, _ *string) { o.at = o.at.Add(Idle) }},
		{name: "disabled account", happens: func(o *harness, _ EnteredLaunch, _ *string) {
			o.must(o.store.DisableUser(o.t.Context(), "olivia"))
		}},
		{name: "another role", happens: func(o *harness, _ EnteredLaunch, _ *string) {
			o.must(o.store.Write(o.t.Context(), func(tx *store.Tx) error {
				return tx.ChangeRole(o.t.Context(), access.Actor{UserID: "admin"}, "olivia", access.Manager)
			}))
		}},
		{name: "disconnected", happens: func(o *harness, _ EnteredLaunch, _ *string) {
			o.must(o.DisconnectAll(o.t.Context(), access.Operator(), "olivia", "acme"))
		}},
		{name: "disconnected and connected again", happens: func(o *harness, _ EnteredLaunch, _ *string) {
			o.must(o.DisconnectAll(o.t.Context(), access.Operator(), "olivia", "acme"))
			o.connect("olivia")
		}},
		{name: "a removed key", happens: func(o *harness, _ EnteredLaunch, _ *string) {
			second := newKey(o.t)
			e := o.setup()
			e.Keys = keySet(o.t, second)
			o.save(e)
			o.private, o.keys = second, e.Keys
		}},
		{name: "a cookie of the first frame after another user has continued", subject: "crm-olivia", resumes: true,
			happens: func(o *harness, _ EnteredLaunch, _ *string) { o.enter("marcus", "h-marcus", "") }},
	} {
		t.Run(try.name, func(t *testing.T) {
			t.Parallel()
			o := newHarness(t)
			o.connect("olivia")
			o.connect("marcus")
			second := o.mustLaunch("crm-olivia-2", "")
			o.must(o.Connect(t.Context(), o.actor("olivia"), second.VerifiedLaunch, second.MatchCode))
			token, hash := account.NewToken()
			in := o.enter("olivia", hash, "")
			cookie := o.BoundToken(in.VerifiedLaunch, token)
			if try.happens != nil {
				try.happens(o, in, &cookie)
			}
			next := o.mustLaunch(cmp.Or(try.subject, "crm-olivia"), "")
			got, resumed, err := o.Resume(t.Context(), next.VerifiedLaunch, cookie)
			if err != nil || resumed != try.resumes {
				t.Fatalf("got %v, %v, want %v", resumed, err, try.resumes)
			}
			v := o.visit(next.ID, hash)
			if v.SignedIn() != try.resumes || try.resumes && got.Session.IDHash != in.Session.IDHash {
				t.Errorf("the session opens the launch: %v, want %v", v.SignedIn(), try.resumes)
			}
			if len(o.audit(store.ActionSignIn)) > 3 {
				t.Error("another launch is audited as another sign-in")
			}
		})
	}
}
