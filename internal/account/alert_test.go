package account

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/store"
)

// heard are the kinds of what a person was told, the newest first, and the letters about it.
func heard(t *testing.T, s *Service, user access.User) (kinds []string, letters []Posted) {
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
	posted, err := s.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range posted {
		if strings.Contains(p.Subject, "not as usual") {
			letters = append(letters, p)
		}
	}
	return kinds, letters
}

func wantTold(t *testing.T, s *Service, user access.User, letters int, kinds ...AlertKind) {
	t.Helper()
	got, mails := heard(t, s, user)
	want := []string{}
	for _, k := range kinds {
		want = append(want, string(k))
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || len(mails) != letters {
		t.Errorf("got %v and %d letters, want %v and %d", got, len(mails), want, letters)
	}
}

func arrive(t *testing.T, s *Service, user access.User, from From) {
	t.Helper()
	if err := s.Arrived(t.Context(), user, access.ByPassword, from); err != nil {
		t.Fatal(err)
	}
}

func TestANewPlaceIsToldOnceADay(t *testing.T) {
	s, _, at := office(t)
	user := olivia(t, s)
	arrive(t, s, user, here) // the first ever is news to nobody
	arrive(t, s, user, here)
	wantTold(t, s, user, 0)
	arrive(t, s, user, away)
	wantTold(t, s, user, 1, AlertNewPlace)
	for i := range 5 {
		other := away
		other.Browser = "Browser " + string(rune('A'+i))
		arrive(t, s, user, other)
	}
	wantTold(t, s, user, 1, AlertNewPlace)
	if all, _ := s.Alerts(t.Context(), user.UserID); all[0].Count != 6 {
		t.Errorf("got a count of %d, want all six", all[0].Count)
	}
	at.at = at.at.Add(25 * time.Hour)
	arrive(t, s, user, away) // known by now
	wantTold(t, s, user, 1, AlertNewPlace)
	elsewhere := away
	elsewhere.Network = "198.51.100.0/24"
	arrive(t, s, user, elsewhere)
	wantTold(t, s, user, 2, AlertNewPlace, AlertNewPlace)
	_, letters := heard(t, s, user)
	for _, want := range []string{"198.51.100.0/24", "Chrome on Linux", "a place that we have not seen", "/account"} {
		if !strings.Contains(letters[0].Text, want) {
			t.Errorf("the letter lacks %q:\n%s", want, letters[0].Text)
		}
	}
}

func TestAPlaceOfLongAgoIsNewAgain(t *testing.T) {
	s, rows, at := office(t)
	user := olivia(t, s)
	arrive(t, s, user, here)
	at.at = at.at.Add(91 * 24 * time.Hour)
	if err := rows.Write(t.Context(), func(tx *store.Tx) error { return tx.DropPlaces(t.Context(), at.at.Add(-90*24*time.Hour)) }); err != nil {
		t.Fatal(err)
	}
	arrive(t, s, user, here)
	wantTold(t, s, user, 1, AlertNewPlace)
}

func TestARightPasswordAfterGuessesIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		wrong int
		from  From
		want  []AlertKind
	}{
		"after five, elsewhere": {5, away, []AlertKind{AlertGuessed}},
		"after four, elsewhere": {4, away, nil},
		"after five, at home":   {5, here, nil}, // who mistypes at their own desk
	} {
		t.Run(name, func(t *testing.T) {
			s, _, at := office(t)
			user := olivia(t, s)
			arrive(t, s, user, here)
			for range tt.wrong {
				_, _ = s.LogIn(t.Context(), user.Email, "wrong-wrong-wrong", tt.from)
				at.at = at.at.Add(time.Minute)
			}
			wantTold(t, s, user, 0) // no stranger without the password has anything sent
			if _, err := s.LogIn(t.Context(), user.Email, goodPassword, tt.from); err != nil {
				t.Fatal(err)
			}
			wantTold(t, s, user, len(tt.want), tt.want...)
		})
	}
}

func TestAPasswordWithoutItsSecondStepIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		from  From
		wrong int // codes
		over  bool
		want  []AlertKind
	}{
		"a wrong code elsewhere":      {away, 1, false, []AlertKind{AlertHalf}},
		"many wrong codes elsewhere":  {away, 4, true, []AlertKind{AlertHalf}},
		"no code elsewhere":           {away, 0, true, []AlertKind{AlertHalf}},
		"no code yet":                 {away, 0, false, nil},
		"a wrong code at home":        {here, 1, true, nil},
		"three wrong codes at home":   {here, 3, false, []AlertKind{AlertHalf}},
		"called away from one's desk": {here, 0, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, at, user, _, _ := enrolled(t, Options{})
			arrive(t, s, user, here)
			token, err := s.AwaitSecond(t.Context(), user, NeedSecond, tt.from)
			if err != nil {
				t.Fatal(err)
			}
			for range tt.wrong {
				_, _ = s.Second(t.Context(), token, Given{Code: "000000"}, tt.from)
			}
			if tt.over {
				at.at = at.at.Add(ceremonyTime + time.Second)
			}
			wantTold(t, s, user, len(tt.want), tt.want...)
		})
	}
}

func TestARecoveryCodeIsTold(t *testing.T) {
	s, _, user, _, codes := enrolled(t, Options{})
	token, err := s.AwaitSecond(t.Context(), user, NeedSecond, here)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Second(t.Context(), token, Given{Code: codes[0]}, here)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Arrived(t.Context(), user, p.Proof, here); err != nil {
		t.Fatal(err)
	}
	wantTold(t, s, user, 0, AlertRecovery)
	posted, err := s.Outbox(t.Context())
	if err != nil || !strings.Contains(posted[0].Text, "A recovery code was used") {
		t.Errorf("got %+v, %v, want a letter about the code", posted, err)
	}
}

func TestASixthBrowserIsTold(t *testing.T) {
	s, rows, at := office(t)
	user := olivia(t, s)
	var all []access.Session
	for range 5 {
		all = append(all, signIn(t, s, user, access.ByPassword))
		at.at = at.at.Add(time.Minute)
	}
	wantTold(t, s, user, 0)
	signIn(t, s, user, access.ByPassword)
	wantTold(t, s, user, 0, AlertCrowded)
	if _, _, err := rows.Session(t.Context(), all[0].IDHash); err == nil {
		t.Error("the oldest session stands")
	}
	// One that nobody sits at any more goes without a word.
	at.at = at.at.Add(25 * time.Hour)
	signIn(t, s, user, access.ByPassword)
	if kinds, _ := heard(t, s, user); len(kinds) != 1 {
		t.Errorf("got %v, want no word of a session that had run out", kinds)
	}
}
