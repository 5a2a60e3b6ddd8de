package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func addUser(t *testing.T, s *store.Store, u access.User) {
	t.Helper()
	if err := s.AddUser(t.Context(), u, "hash of "+u.UserID); err != nil {
		t.Fatal(err)
	}
}

func sessionOf(n int, user string, at time.Time) access.Session {
	return access.Session{
		IDHash: fmt.Sprintf("session-%02d", n), UserID: user, Created: at, LastSeen: at, Expires: at.Add(12 * time.Hour),
		Network: "192.0.2.0/24", Browser: "Firefox",
	}
}

func sessionWithUser(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	want := sessionOf(1, "olivia", noon())
	if err := s.AddSession(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	got, user, err := s.Session(t.Context(), want.IDHash)
	if err != nil {
		t.Fatal(err)
	}
	if got.UserID != want.UserID || !got.Created.Equal(want.Created) || !got.Expires.Equal(want.Expires) ||
		got.Network != want.Network || got.Browser != want.Browser {
		t.Errorf("got session %+v, want %+v", got, want)
	}
	if user.UserID != "olivia" || user.Role != access.Originator || user.Disabled {
		t.Errorf("got user %+v, want olivia, an originator", user)
	}
	if err := s.TouchSession(t.Context(), want.IDHash, noon().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	got, _, err = s.Session(t.Context(), want.IDHash)
	if err != nil || !got.LastSeen.Equal(noon().Add(time.Minute)) {
		t.Errorf("got %+v, %v, want the touched session", got, err)
	}
	_, _, err = s.Session(t.Context(), "no such session")
	wantKind(t, err, fault.NotFound)
}

func accountChanges(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	begun := sessionOf(1, "olivia", noon())
	begun.ElevatedAt = noon()
	if err := s.AddSession(t.Context(), begun); err != nil {
		t.Fatal(err)
	}
	if err := s.SetUserRole(t.Context(), "olivia", access.Assistant); err != nil {
		t.Fatal(err)
	}
	if session, user, err := s.Session(t.Context(), "session-01"); err != nil || user.Role != access.Assistant ||
		!session.ElevatedAt.Equal(store.Instant(0)) {
		t.Errorf("got role %q, elevated at %v, %v, want the new role at once, without a step-up",
			user.Role, session.ElevatedAt, err)
	}
	proved := sessionOf(1, "olivia", noon())
	proved.Level, proved.ElevatedAt = 2, noon()
	if _, err := s.ElevateSession(t.Context(), "session-01", proved); err != nil {
		t.Fatal(err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.ChangeRole(ctx, access.Actor{UserID: "admin"}, "olivia", access.Manager)
	})
	if session, _, err := s.Session(t.Context(), "session-01"); err != nil || !session.ElevatedAt.Equal(store.Instant(0)) {
		t.Errorf("a role from an administrator: got elevated at %v, %v, want no step-up", session.ElevatedAt, err)
	}
	known := must(s.PasswordHash(t.Context(), "olivia"))(t)
	for _, before := range []string{"another", known} {
		if err := s.RefreshPassword(t.Context(), "olivia", before, "better"); err != nil {
			t.Fatal(err)
		}
		if got, want := must(s.PasswordHash(t.Context(), "olivia"))(t),
			map[bool]string{true: "better", false: known}[before == known]; got != want {
			t.Errorf("refreshed from %q: got %q, want %q", before, got, want)
		}
	}
	if _, _, err := s.Session(t.Context(), "session-01"); err != nil {
		t.Errorf("got %v, want the session to survive a new hash of the same password", err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.EndSessionsOf(ctx, "olivia", ""); err != nil {
			return err
		}
		return tx.SetPassword(ctx, "olivia", "new")
	})
	_, _, err := s.Session(t.Context(), "session-01")
	wantKind(t, err, fault.NotFound)
	again := sessionOf(2, "olivia", noon())
	again.SessionEpoch = must(s.User(t.Context(), "olivia"))(t).SessionEpoch
	if err := s.AddSession(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	if err := s.DisableUser(t.Context(), "olivia"); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Session(t.Context(), "session-02")
	wantKind(t, err, fault.NotFound)
	if user, hash, err := s.UserByEmail(t.Context(), "olivia@test"); err != nil || !user.Disabled || hash != "new" {
		t.Errorf("got %+v, %q, %v, want a closed account with the new hash", user, hash, err)
	}
	wantKind(t, s.SetUserRole(t.Context(), "nobody", access.Admin), fault.NotFound)
}

func sessionLimit(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	if err := s.AddSession(t.Context(), sessionOf(90, "marcus", noon())); err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		if err := s.AddSession(t.Context(), sessionOf(i, "olivia", noon().Add(time.Duration(i)*time.Second))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 7 {
		_, _, err := s.Session(t.Context(), fmt.Sprintf("session-%02d", i))
		if got, want := err == nil, i >= 2; got != want {
			t.Errorf("session %d is valid: got %v, want %v", i, got, want)
		}
	}
	if _, _, err := s.Session(t.Context(), "session-90"); err != nil {
		t.Errorf("got %v, want the session of another user to remain valid", err)
	}
}

func sessionsIdleOut(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	if err := s.AddSession(t.Context(), sessionOf(1, "olivia", noon())); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]int{access.IdleLimit - time.Second: 1, access.IdleLimit: 0} {
		if got := must(s.SessionsOf(t.Context(), "olivia", noon().Add(after)))(t); len(got) != want {
			t.Errorf("%v after the last activity: got %d sessions, want %d", after, len(got), want)
		}
	}
}

func sessionsAtOnce(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	for i := range 8 {
		one := sessionOf(i, "olivia", noon())
		if err := s.AddSession(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Session(t.Context(), one.IDHash); err != nil {
			t.Errorf("session %d: got %v, want the new session", i, err)
		}
	}
}

func sessionsEnd(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	for i := range 2 {
		if err := s.AddSession(t.Context(), sessionOf(i, "olivia", noon().Add(time.Duration(i)*time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.DropSessions(ctx, noon().Add(12*time.Hour+time.Minute))
	})
	_, _, err := s.Session(t.Context(), "session-00")
	wantKind(t, err, fault.NotFound)
	if _, _, err := s.Session(t.Context(), "session-01"); err != nil {
		t.Errorf("got %v, want the newer session", err)
	}
	if err := s.EndSession(t.Context(), "session-01"); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Session(t.Context(), "session-01")
	wantKind(t, err, fault.NotFound)
}

func emailTaken(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	again := userOf("other", access.Originator)
	again.Email = "olivia@test"
	wantKind(t, s.AddUser(t.Context(), again, ""), fault.Conflict)
	if got := must(s.Users(t.Context()))(t); len(got) != 1 {
		t.Errorf("got %d accounts, want 1", len(got))
	}
	addUser(t, s, userOf("marcus", access.Originator))
	for _, tt := range []struct {
		id, email string
		want      fault.Kind
	}{{"marcus", "olivia@test", fault.Conflict}, {"nobody", "new@test", fault.NotFound}} {
		err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SetEmail(t.Context(), tt.id, tt.email) })
		wantKind(t, err, tt.want)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SetEmail(ctx, "marcus", "new@test") })
	if got, _, err := s.UserByEmail(t.Context(), "new@test"); err != nil || got.UserID != "marcus" {
		t.Errorf("got %s, %v, want marcus by his new email", got.UserID, err)
	}
}

func originatorOnce(t *testing.T, s *store.Store) {
	admin := access.Actor{UserID: "admin", Role: access.Admin}
	as := func(id string) access.User {
		u := userOf(id, access.Originator)
		u.OriginatorUUID = "o1"
		return u
	}
	addUser(t, s, as("felix"))
	wantKind(t, s.AddUser(t.Context(), as("second"), ""), fault.Conflict)
	for _, nobody := range []string{"maya", "max"} { // users without an originator do not conflict
		addUser(t, s, userOf(nobody, access.Manager))
	}
	if err := s.DisableUser(t.Context(), "felix"); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"o1": true, "o2": false, "": false} {
		if got := must(s.HasOriginator(t.Context(), id))(t); got != want {
			t.Errorf("originator %q has an account: got %v, want %v", id, got, want)
		}
	}
	addUser(t, s, as("anew")) // the operator may do it
	reopen := func() error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.ReopenUser(t.Context(), admin, "felix") })
	}
	wantKind(t, reopen(), fault.Conflict)
	if err := s.DisableUser(t.Context(), "anew"); err != nil {
		t.Fatal(err)
	}
	if err := reopen(); err != nil {
		t.Errorf("the other account is closed: got %v", err)
	}
}

func originatorOf(id, broker string) heloc.Originator {
	o := heloc.Originator{ID: heloc.OriginatorID(id), Email: id + "@directory.test", FirstName: "First", LastName: "Last",
		NMLS: "7", Organization: "org"}
	if broker != "" {
		o.Broker = &heloc.BrokerCompany{ID: broker, Name: "Company " + broker, NMLS: "9"}
	}
	return o
}

func addOriginator(t *testing.T, s *store.Store, o heloc.Originator, at time.Time) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveOriginator(ctx, o, at) })
}

func directoryWins(t *testing.T, s *store.Store) {
	u := userOf("olivia", access.Originator)
	u.OriginatorUUID = "o1"
	addUser(t, s, u)
	user, _, err := s.UserByEmail(t.Context(), "olivia@test")
	if err != nil || user.BrokerID != "B1" {
		t.Errorf("got company %q, %v, want the account's own while the directory has no entry", user.BrokerID, err)
	}
	addOriginator(t, s, originatorOf("o1", "B2"), noon())
	user, _, err = s.UserByEmail(t.Context(), "olivia@test")
	if err != nil || user.BrokerID != "B2" || user.BrokerName != "Company B2" || user.NMLS != "7" ||
		user.OriginatorName != "First Last" {
		t.Errorf("got %+v, %v, want the company from the directory", user.Actor, err)
	}
	if got := must(s.UserByOriginator(t.Context(), "o1"))(t); got.UserID != "olivia" {
		t.Errorf("got %q, want olivia", got.UserID)
	}
	if _, canWork, err := s.Assignee(t.Context(), "o1"); err != nil || !canWork {
		t.Errorf("got leads can be worked on %v, %v, want true", canWork, err)
	}
	if got := must(s.OriginatorByEmail(t.Context(), "O1@Directory.TEST"))(t); got.UUID != "o1" {
		t.Errorf("got %q, want o1", got.UUID)
	}
}

func removedOriginatorsMarked(t *testing.T, s *store.Store) {
	addOriginator(t, s, originatorOf("stays", "B1"), noon().Add(time.Second))
	addOriginator(t, s, originatorOf("left", "B1"), noon().Add(-time.Hour))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.MarkRemoved(ctx, "left", noon().Add(time.Minute))
	})
	for id, want := range map[heloc.OriginatorID]bool{"stays": true, "left": false} {
		if o, canWork, err := s.Assignee(t.Context(), id); err != nil || o.UUID != id || canWork != want {
			t.Errorf("%s: got %q, leads can be worked on %v, %v, want %v", id, o.UUID, canWork, err, want)
		}
	}
	if got := must(s.Originator(t.Context(), "stays"))(t); got.RemovedAt != 0 {
		t.Errorf("still listed: got removed at %d, want 0", got.RemovedAt)
	}
	if got := must(s.Originator(t.Context(), "left"))(t); got.RemovedAt != store.Millis(noon().Add(time.Minute)) {
		t.Errorf("no longer listed: got removed at %d, want now", got.RemovedAt)
	}
	addOriginator(t, s, originatorOf("left", "B1"), noon().Add(time.Hour))
	if got := must(s.Originator(t.Context(), "left"))(t); got.RemovedAt != 0 {
		t.Errorf("listed again: got removed at %d, want 0", got.RemovedAt)
	}
}

func updatesBegin(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	began := must(s.ListExtras(t.Context(), store.UserScope{UserID: "olivia"}, noon()))(t).UpdatesSeenAt
	if began == 0 {
		t.Error("got 0, want the time at which the account was created")
	}
	if err := s.MarkUpdatesSeen(t.Context(), "olivia"); err != nil {
		t.Fatal(err)
	}
	if got := must(s.ListExtras(t.Context(), store.UserScope{UserID: "olivia"}, noon()))(t).UpdatesSeenAt; got < began {
		t.Errorf("got %d, want no earlier than %d", got, began)
	}
}

// seeOriginatorTakesNoLeads sees somebody in another company, as a search by email may: only a
// complete read moves them. The same holds for somebody who was removed: what waits for them is of their
// former company.
func seeOriginatorTakesNoLeads(t *testing.T, s *store.Store) {
	addOriginator(t, s, originatorOf("o1", "B1"), noon())
	see := func(broker string) lead.Originator {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			o := originatorOf("o1", broker)
			o.Email = broker + "@directory.test"
			return tx.SeeOriginator(ctx, o, noon())
		})
		return must(s.Originator(t.Context(), "o1"))(t)
	}
	if got := see("B2"); got.BrokerID != "B1" || got.BrokerName != "Company B1" || got.Email != "B2@directory.test" {
		t.Errorf("got %s of %s, want the new email and the previous company", got.Email, got.BrokerID)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.MarkRemoved(ctx, "o1", noon()) })
	if got := see("B2"); got.BrokerID != "B1" || got.RemovedAt != 0 {
		t.Errorf("who was removed: got %s, gone at %d, want the former company", got.BrokerID, got.RemovedAt)
	}
}
