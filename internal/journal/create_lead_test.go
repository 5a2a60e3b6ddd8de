package journal_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

func TestCreateLead_HasCompanyOfOriginator(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	if err := g.store.DisableUser(t.Context(), g.olivia.UserID); err != nil { // an originator has only one open account
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, originator, company, organization string
		want                                    string
	}{
		{"as the directory says", "o1", "B1", "org", "B1"},
		{"not in the directory", "o2", "B9", "org", "B9"},
		{"not in the directory, without a company", "o3", "", "org", "org:org"},
	} {
		g.olivia = access.Actor{
			UserID: "user-" + tt.originator, Email: tt.originator + "@test", Name: "Olivia", Role: access.Originator,
			OriginatorUUID: tt.originator, BrokerID: tt.company, Organization: tt.organization,
		}
		if err := g.store.AddUser(t.Context(), access.User{Actor: g.olivia}, ""); err != nil {
			t.Fatal(err)
		}
		app := heloc.AppID("00000000-0000-4000-8000-0000000000" + tt.originator)
		a := &fakeLender{CallResult: startedAs(app)}
		op, err := g.execute(g.startIntent(heloc.Name{Last: "Rivera"}), a)
		if err != nil || op.State != lead.OpSucceeded {
			t.Fatalf("%s: got %s, %v", tt.name, op.State, err)
		}
		l, err := g.store.AnyLead(t.Context(), app)
		if err != nil || l.Company != tt.want || len(l.Borrower) == 0 || l.PendingOp != op.ID {
			t.Errorf("%s: got %q, pending %q, %v, want company %q", tt.name, l.Company, l.PendingOp, err, tt.want)
		}
	}
}

// TestStart_AnsweredWithEarlierApplication_Unknown has the lender answer a start with another borrower's application.
func TestStart_AnsweredWithEarlierApplication_Unknown(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	answer := startedAs("00000000-0000-4000-8000-000000000021")
	first, err := g.execute(g.startIntent(heloc.Name{Last: "Rivera"}), &fakeLender{CallResult: answer})
	if err != nil || first.State != lead.OpSucceeded {
		t.Fatalf("got %s, %v", first.State, err)
	}
	g.clock.advance(time.Second)
	answer.Messages = []heloc.Message{{Message: "About Rivera."}}
	op, err := g.execute(g.startIntent(heloc.Name{Last: "Stone"}), &fakeLender{CallResult: answer})
	if err != nil || op.State != lead.OpUnknown || op.App != "" || op.Messages != "" {
		t.Errorf("got %s of %q, %v, saying %q, want an unknown outcome that names no application", op.State, op.App, err,
			op.Messages)
	}
	if stored, err := g.store.Operation(t.Context(), op.ID); err != nil || stored.State != lead.OpUnknown ||
		stored.App != "" {
		t.Errorf("stored: got %s of %q, %v", stored.State, stored.App, err)
	}
	if l, err := g.store.AnyLead(t.Context(), first.App); err != nil || l.PendingOp != first.ID {
		t.Errorf("the other borrower's lead has the operation %q, %v, want %q", l.PendingOp, err, first.ID)
	}
}

func TestDatabase_HasNoPII(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	secrets := []string{"CANARY-SURNAME", "078-05-1120", "CANARY-CONTENT"}
	in := g.startIntent(heloc.Name{First: "Elena", Last: secrets[0]})
	in.DigestContent = secrets
	messages := []heloc.Message{{Message: "The applicant " + secrets[0] + " is known under " + secrets[1] + "."}}
	a := &fakeLender{CallResult: heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200, Messages: messages,
		Effect: heloc.EffectStated, App: "00000000-0000-4000-8000-000000000007"}}
	if _, err := g.execute(in, a); err != nil {
		t.Fatal(err)
	}
	refused := &fakeLender{CallResult: heloc.CallResult{Reach: heloc.ReachAnswer, Status: 422, Messages: messages}}
	if _, err := g.execute(g.intent(heloc.OpAddSSN, secrets...), refused); err == nil {
		t.Fatal("got no error, want one")
	}
	all := g.stored()
	if !strings.Contains(all, "Olivia Hart") {
		t.Fatal("the test read the wrong database files")
	}
	for _, secret := range secrets {
		if strings.Contains(all, secret) {
			t.Errorf("%q is stored as plaintext", secret)
		}
	}
}
