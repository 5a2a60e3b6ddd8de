package account

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// alertsAndMails returns the kinds of the user's alerts, newest first, and the emails about them.
func alertsAndMails(t *testing.T, s *Service, user access.User) (kinds []string, messages []PendingMail) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Alerts(t.Context(), user.UserID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		kinds = append(kinds, string(a.Kind))
	}
	unsent, err := s.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range unsent {
		if strings.Contains(p.Subject, "Unusual activity on") || p.Subject == "New sign-in to your Hearthline account" {
			messages = append(messages, p)
		}
	}
	return kinds, messages
}

func wantAlerts(t *testing.T, s *Service, user access.User, messages int, kinds ...AlertKind) {
	t.Helper()
	got, mails := alertsAndMails(t, s, user)
	want := []string{}
	for _, k := range kinds {
		want = append(want, string(k))
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || len(mails) != messages {
		t.Errorf("got %v and %d emails, want %v and %d", got, len(mails), want, messages)
	}
}

// TestAlert_Subject_SaysWhetherSomeoneSignedIn checks that only a completed sign-in is called one.
func TestAlert_Subject_SaysWhetherSomeoneSignedIn(t *testing.T) {
	t.Parallel()
	for kind, want := range map[AlertKind]string{
		AlertNewLocation: "New sign-in to your Hearthline account", AlertPasswordGuessed: "Unusual activity on your " +
			"Hearthline account", AlertSecondFactorFailed: "Unusual activity on your Hearthline account",
	} {
		got := mail.UnusualSignIn(mail.SignInAttempt{What: kind.mailText(), SignedIn: kind == AlertNewLocation}).Subject
		if got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
}

func noteSignIn(t *testing.T, s *Service, user access.User, from ClientInfo) {
	t.Helper()
	err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		state, err := tx.SignInState(t.Context(), from.location(user.UserID))
		if err != nil {
			return err
		}
		return s.saveLocation(t.Context(), tx, user, access.ByPassword, from, state)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAlert_NewLocation_OncePerDay(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	user := olivia(t, s)
	user.TimeZone = "America/Denver"
	noteSignIn(t, s, user, hereClient) // no location is new at the first sign-in
	noteSignIn(t, s, user, hereClient)
	wantAlerts(t, s, user, 0)
	noteSignIn(t, s, user, elsewhereClient)
	wantAlerts(t, s, user, 1, AlertNewLocation)
	for i := range 5 {
		other := elsewhereClient
		other.Browser = "Browser " + string(rune('A'+i))
		noteSignIn(t, s, user, other)
	}
	wantAlerts(t, s, user, 1, AlertNewLocation)
	if all, _ := s.Alerts(t.Context(), user.UserID); all[0].Count != 6 {
		t.Errorf("got a count of %d, want all six", all[0].Count)
	}
	at.at = at.at.Add(25 * time.Hour)
	noteSignIn(t, s, user, elsewhereClient) // a known location by now
	wantAlerts(t, s, user, 1, AlertNewLocation)
	elsewhere := elsewhereClient
	elsewhere.Network = "198.51.100.0/24"
	noteSignIn(t, s, user, elsewhere)
	wantAlerts(t, s, user, 2, AlertNewLocation, AlertNewLocation)
	_, messages := alertsAndMails(t, s, user)
	for _, want := range []string{"198.51.100.0/24", "Chrome on Linux", "from a new browser or network",
		"/account", " MST."} {
		if !strings.Contains(messages[0].Text, want) {
			t.Errorf("the email lacks %q:\n%s", want, messages[0].Text)
		}
	}
}

func TestAlert_LocationForgotten_NewAgain(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	user := olivia(t, s)
	noteSignIn(t, s, user, hereClient)
	at.at = at.at.Add(91 * 24 * time.Hour)
	if err := rows.Write(t.Context(), func(tx *store.Tx) error {
		return tx.DropLoginLocations(t.Context(), at.at.Add(-90*24*time.Hour))
	}); err != nil {
		t.Fatal(err)
	}
	noteSignIn(t, s, user, hereClient)
	wantAlerts(t, s, user, 1, AlertNewLocation)
}

func TestAlert_PasswordAfterGuesses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		wrong int
		from  ClientInfo
		first bool // the user has never signed in
		want  []AlertKind
	}{
		"after five, at a new location":   {5, elsewhereClient, false, []AlertKind{AlertPasswordGuessed}},
		"after four, at a new location":   {4, elsewhereClient, false, nil},
		"after five, at a known location": {5, hereClient, false, nil}, // a user who mistypes at a known location
		"after five, never signed in":     {5, hereClient, true, []AlertKind{AlertPasswordGuessed}},
		"after four, never signed in":     {4, hereClient, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, at := newTestServiceWith(t, Options{SecondFactorRequired: true}) // so that nobody has signed in yet
			user := olivia(t, s)
			if !tt.first {
				noteSignIn(t, s, user, hereClient)
			}
			for range tt.wrong {
				_, _ = s.SignIn(t.Context(), user.Email, "wrong-wrong-wrong", tt.from)
				at.at = at.at.Add(time.Minute)
			}
			wantAlerts(t, s, user, 0) // without the password nobody can cause an email
			if _, err := s.SignIn(t.Context(), user.Email, goodPassword, tt.from); err != nil {
				t.Fatal(err)
			}
			wantAlerts(t, s, user, len(tt.want), tt.want...)
		})
	}
}

func TestAlert_SecondFactorMissing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		from  ClientInfo
		wrong int // codes
		over  bool
		want  []AlertKind
	}{
		"a wrong code at a new location":        {elsewhereClient, 1, false, []AlertKind{AlertSecondFactorFailed}},
		"many wrong codes at a new location":    {elsewhereClient, 4, true, []AlertKind{AlertSecondFactorFailed}},
		"no code at a new location":             {elsewhereClient, 0, true, []AlertKind{AlertSecondFactorFailed}},
		"no code yet":                           {elsewhereClient, 0, false, nil},
		"a wrong code at a known location":      {hereClient, 1, true, nil},
		"three wrong codes at a known location": {hereClient, 3, false, []AlertKind{AlertSecondFactorFailed}},
		"no code at a known location":           {hereClient, 0, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, at, user, _, _ := newServiceWithTOTP(t, Options{})
			noteSignIn(t, s, user, hereClient)
			token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, tt.from)
			if err != nil {
				t.Fatal(err)
			}
			for range tt.wrong {
				_, _ = s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: "000000"}, tt.from)
			}
			if tt.over {
				at.at = at.at.Add(ceremonyTime + time.Second)
			}
			wantAlerts(t, s, user, len(tt.want), tt.want...)
		})
	}
}

func TestAlert_RecoveryCodeUsed(t *testing.T) {
	t.Parallel()
	s, _, user, _, codes := newServiceWithTOTP(t, Options{})
	token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: codes[0]}, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ContinueSignIn(t.Context(), user, Authentication{Proof: p.Proof}, hereClient); err != nil {
		t.Fatal(err)
	}
	wantAlerts(t, s, user, 0, AlertRecovery)
	unsent, err := s.Outbox(t.Context())
	if err != nil || !strings.Contains(unsent[0].Text, "A recovery code was used") {
		t.Errorf("got %+v, %v, want an email about the code", unsent, err)
	}
}

func TestAlert_SixthSession(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	user := olivia(t, s)
	var all []access.Session
	for range 5 {
		all = append(all, signIn(t, s, user, access.ByPassword))
		at.at = at.at.Add(time.Minute)
	}
	wantAlerts(t, s, user, 0)
	signIn(t, s, user, access.ByPassword)
	wantAlerts(t, s, user, 0, AlertTooManySessions)
	if _, _, err := rows.Session(t.Context(), all[0].IDHash); err == nil {
		t.Error("the oldest session is still valid")
	}
	// An expired session ends without an alert.
	at.at = at.at.Add(25 * time.Hour)
	signIn(t, s, user, access.ByPassword)
	if kinds, _ := alertsAndMails(t, s, user); len(kinds) != 1 {
		t.Errorf("got %v, want no alert about an expired session", kinds)
	}
}
