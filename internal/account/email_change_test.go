package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

const newEmail = "ada.married@summit.test"

// emailChangeTest is a service with an administrator, and with an assistant whose email has changed.
type emailChangeTest struct {
	*Service
	t    *testing.T
	rows *store.Store
	at   *clock
	root access.User
	ada  access.User
}

func newEmailChange(t *testing.T) *emailChangeTest {
	t.Helper()
	s, rows, at := newTestService(t)
	m := &emailChangeTest{Service: s, t: t, rows: rows, at: at}
	for into, who := range map[*access.User]access.Actor{
		&m.root: {Email: "root@hearthline.test", Name: "Root", Role: access.Admin},
		&m.ada:  {Email: "ada@summit.test", Name: "Ada Assist", Role: access.Assistant, BrokerID: "summit"},
	} {
		added, err := s.Add(t.Context(), access.User{Actor: who}, goodPassword)
		if err != nil {
			t.Fatal(err)
		}
		*into = added
	}
	return m
}

// by returns the administrator's identity.
func (e *emailChangeTest) by() access.By {
	return access.By{Actor: e.root.Actor, Permission: access.ManagePeople}
}

func (e *emailChangeTest) offer(email string) error {
	return e.OfferEmail(e.t.Context(), e.by(), e.ada.UserID, email)
}

// openOffer offers the address, and opens the newest link that was emailed there.
func (e *emailChangeTest) openOffer(email string) (browser string) {
	e.t.Helper()
	if err := e.offer(email); err != nil {
		e.t.Fatal(err)
	}
	browser, kind, err := e.OpenLink(e.t.Context(), tokenIn(e.t, mailsTo(e.t, e.Service, FoldEmail(email))[0]), hereClient)
	if err != nil || kind != LinkNewEmail {
		e.t.Fatalf("got a link for %q, %v", kind, err)
	}
	return browser
}

func (e *emailChangeTest) email() string {
	e.t.Helper()
	user, err := e.rows.User(e.t.Context(), e.ada.UserID)
	if err != nil {
		e.t.Fatal(err)
	}
	return user.Email
}

func TestConfirmEmail_ChangesEmail(t *testing.T) {
	t.Parallel()
	m := newEmailChange(t)
	ctx := t.Context()
	requestLink(t, m.Service, LinkReset, m.ada.Email)
	reset := tokenIn(t, mailsTo(t, m.Service, m.ada.Email)[0])
	err := m.Invite(ctx, access.Operator(), access.User{Actor: access.Actor{Email: newEmail, Name: "Somebody",
		Role: access.Assistant, BrokerID: "summit"}}, "summit")
	if err != nil {
		t.Fatal(err)
	}
	invited := tokenIn(t, mailsTo(t, m.Service, newEmail)[0])
	m.at.at = m.at.at.Add(time.Minute)
	here1, here2 := signIn(t, m.Service, m.ada, access.ByPassword), signIn(t, m.Service, m.ada, access.ByPassword)

	if _, err := m.SetUpTOTP(ctx, here2.IDHash, m.ada); err != nil { // begun, and not finished
		t.Fatal(err)
	}
	browser := m.openOffer(" Ada.Married@Summit.test ")
	message := mailsTo(t, m.Service, m.ada.Email)[0]
	if !strings.Contains(message.Text, "new email for your account") || strings.Contains(message.Text, "married") ||
		strings.Contains(message.Text, "#") {
		t.Errorf("the old address: got %q, want a notice without the new address and without a link", message.Text)
	}
	if offer, err := m.PendingEmailOffer(ctx, m.ada.UserID); err != nil || offer.Email != newEmail ||
		!offer.Expires.Equal(m.at.at.Add(24*time.Hour)) {
		t.Errorf("got offer %+v, %v", offer, err)
	}
	if m.email() != "ada@summit.test" {
		t.Fatal("the offer alone changed the email")
	}
	if _, err := m.SignIn(ctx, newEmail, goodPassword, hereClient); err == nil {
		t.Error("the offer alone signs in")
	}

	// Only the account's own user can confirm it, and only in the intended way.
	if err := m.ConfirmEmail(ctx, m.root, "", browser); !fault.Is(err, fault.Conflict) {
		t.Errorf("confirmed by another user: got %v", err)
	}
	if email, err := m.OpenedEmailOffer(ctx, m.root.UserID, browser); email != "" || !fault.Is(err, fault.Conflict) {
		t.Errorf("read by another user: got %q, %v", email, err)
	}
	if _, err := m.FinishSetUp(ctx, browser, ChosenFactors{Password: pii.Wrap("another-lantern-orchard")}); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("as a set-up: got %v, want an error", err)
	}
	if email, err := m.OpenedEmailOffer(ctx, m.ada.UserID, browser); email != newEmail || err != nil {
		t.Errorf("its user gets %q, %v", email, err)
	}
	if err := m.ConfirmEmail(ctx, m.ada, here1.IDHash, browser); err != nil {
		t.Fatal(err)
	}

	if m.email() != newEmail {
		t.Errorf("got %s", m.email())
	}
	if _, _, err := m.rows.Session(ctx, here1.IDHash); err != nil {
		t.Errorf("the session that confirmed: %v", err)
	}
	if _, _, err := m.rows.Session(ctx, here2.IDHash); !fault.Is(err, fault.NotFound) {
		t.Errorf("another session: got %v, want it ended", err)
	}
	if _, err := m.rows.Ceremony(ctx, here2.IDHash, string(newTOTP), m.at.at); !fault.Is(err, fault.NotFound) {
		t.Errorf("what was begun in another session: got %v, want it expired", err)
	}
	for what, token := range map[string]string{"the earlier reset": reset, "the invitation to the new address": invited} {
		if _, _, err := m.OpenLink(ctx, token, hereClient); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: got %v, want it rejected", what, err)
		}
	}
	if err := m.ConfirmEmail(ctx, m.ada, here1.IDHash, browser); !fault.Is(err, fault.Conflict) {
		t.Errorf("confirmed twice: got %v", err)
	}
	for _, to := range []string{"ada@summit.test", newEmail} {
		if got := mailsTo(t, m.Service, to)[0]; !strings.Contains(got.Text, "The email for your account was changed") {
			t.Errorf("to %s: got %q, want a notice of the change", to, got.Text)
		}
	}
	rows, err := m.rows.AuditOf(ctx, "user:"+m.ada.UserID, 9)
	if err != nil || len(rows) < 2 || rows[0].Action != store.ActionEmailChange || rows[0].ActorID != m.ada.UserID ||
		rows[0].Detail != "by:"+m.root.UserID ||
		rows[1].Action != store.ActionLinkNewEmail || rows[1].ActorID != m.root.UserID {
		t.Fatalf("got audit %+v, %v", rows, err)
	}
	for _, row := range rows {
		if strings.Contains(row.Object+row.Detail, "@") {
			t.Errorf("the audit contains an address: %+v", row)
		}
	}
	if _, err := m.SignIn(ctx, newEmail, goodPassword, hereClient); err != nil {
		t.Errorf("with the new one: %v", err)
	}
	if _, err := m.SignIn(ctx, "ada@summit.test", goodPassword, hereClient); err == nil {
		t.Error("the old one still signs in")
	}
}

func TestOfferEmail_UnavailableEmail_Invalid(t *testing.T) {
	t.Parallel()
	m := newEmailChange(t)
	ctx := t.Context()
	closed, err := m.Add(ctx, access.User{Actor: access.Actor{Email: "gone@summit.test", Name: "Gone",
		Role: access.Admin}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Disable(ctx, closed.Email); err != nil {
		t.Fatal(err)
	}
	addToDirectory(t, m.Service, felix())
	gina := felix()
	gina.ID, gina.Email = "o-gina", "gina@summit.test"
	addToDirectory(t, m.Service, gina)
	lo, err := m.Add(ctx, access.User{Actor: access.Actor{Email: "felix.old@summit.test", Name: "Felix Hart",
		Role: access.Originator, OriginatorUUID: "o-felix"}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	const none = fault.Kind(-1)
	for _, tt := range []struct {
		what, who, email string
		want             fault.Kind // none for an offer that succeeds
	}{
		{"her own", m.ada.UserID, "ADA@summit.test", fault.Invalid},
		{"a colleague's", m.ada.UserID, "olivia@summit.test", fault.Invalid},
		{"the address of a closed account", m.ada.UserID, "gone@summit.test", fault.Invalid},
		{"not an address", m.ada.UserID, "ada", fault.Invalid},
		{"an originator's in the directory", m.ada.UserID, "felix@summit.test", fault.Invalid},
		{"one that the directory does not know", lo.UserID, "felix.new@summit.test", fault.Invalid},
		{"another originator's in the directory", lo.UserID, "gina@summit.test", fault.Invalid},
		{"for a closed account", closed.UserID, "back@summit.test", fault.Conflict},
		{"for an unknown account", "nobody", "back@summit.test", fault.NotFound},
		{"the originator's address in the directory", lo.UserID, "Felix@summit.test", none},
	} {
		err := m.OfferEmail(ctx, m.by(), tt.who, tt.email)
		if tt.want == none && err != nil || tt.want != none && (err == nil || fault.KindOf(err) != tt.want) {
			t.Errorf("%s: got %v, want kind %v", tt.what, err, tt.want)
		}
		if fields := fault.FieldsOf(err); tt.want == fault.Invalid && (len(fields) != 1 || fields[0].Name != "email") {
			t.Errorf("%s: got field errors %+v, want one for the email", tt.what, fields)
		}
		if tt.want != none && len(mailsTo(t, m.Service, FoldEmail(tt.email))) != 0 {
			t.Errorf("%s: an email was sent", tt.what)
		}
	}
	m.Directory = func(context.Context, string) error { return errors.New("down") }
	if err := m.OfferEmail(ctx, m.by(), lo.UserID, "felix.third@summit.test"); !fault.Is(err, fault.Conflict) {
		t.Errorf("while the lender does not answer: got %v, want an error", err)
	}
	if err := m.offer("ada.third@summit.test"); err != nil {
		t.Errorf("for a user who is not an originator, while the lender does not answer: %v", err)
	}
}

// TestConfirmEmail_OfferEnded_Conflict revokes, one at a time, each condition of an opened link.
func TestConfirmEmail_OfferEnded_Conflict(t *testing.T) {
	t.Parallel()
	for what, undo := range map[string]func(m *emailChangeTest) error{
		"another offer":              func(m *emailChangeTest) error { return m.offer("ada.third@summit.test") },
		"half an hour":               func(m *emailChangeTest) error { m.at.at = m.at.at.Add(31 * time.Minute); return nil },
		"the administrator disabled": func(m *emailChangeTest) error { return m.Disable(m.t.Context(), m.root.Email) },
		"the administrator has another role": func(m *emailChangeTest) error {
			return m.rows.SetUserRole(m.t.Context(), m.root.UserID, access.Assistant)
		},
		"signed out everywhere": func(m *emailChangeTest) error {
			return m.rows.Write(m.t.Context(), func(tx *store.Tx) error {
				_, err := tx.SignOut(m.t.Context(), m.root.Actor, m.ada.UserID)
				return err
			})
		},
		"the address is taken by now": func(m *emailChangeTest) error {
			_, err := m.Add(m.t.Context(), access.User{Actor: access.Actor{Email: newEmail, Name: "Third", Role: access.Admin}},
				goodPassword)
			return err
		},
		"the address is an originator's by now": func(m *emailChangeTest) error {
			o := felix()
			o.Email = newEmail
			addToDirectory(m.t, m.Service, o)
			return nil
		},
	} {
		m := newEmailChange(t)
		browser := m.openOffer(newEmail)
		if err := undo(m); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := m.ConfirmEmail(t.Context(), m.ada, "", browser); err == nil || m.email() == newEmail {
			t.Errorf("%s: got %v, the address %s, want it rejected", what, err, m.email())
		} else if strings.Contains(fault.Public(err), "@") || strings.Contains(fault.Public(err), "Somebody") {
			t.Errorf("%s: got %q, which reveals another account", what, fault.Public(err))
		}
	}
	m := newEmailChange(t)
	if err := m.offer(newEmail); err != nil {
		t.Fatal(err)
	}
	token := tokenIn(t, mailsTo(t, m.Service, newEmail)[0])
	m.at.at = m.at.at.Add(24*time.Hour + time.Minute)
	if _, _, err := m.OpenLink(t.Context(), token, hereClient); !fault.Is(err, fault.Invalid) {
		t.Errorf("after a day: got %v, want the link expired", err)
	}
	if offer, err := m.PendingEmailOffer(t.Context(), m.ada.UserID); err != nil || offer != (EmailOffer{}) {
		t.Errorf("after a day: got offer %+v, %v", offer, err)
	}
}
