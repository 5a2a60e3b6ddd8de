package account

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/store"
)

// guess gives a wrong password for the nth made-up address.
func (s *Service) guess(t *testing.T, n int, from From) error {
	t.Helper()
	_, err := s.LogIn(t.Context(), "nobody"+strconv.Itoa(n)+"@summit.test", "wrong-wrong-wrong", from)
	return err
}

func waits(err error) time.Duration {
	if soon, ok := errors.AsType[*TooSoon](err); ok {
		return soon.Wait
	}
	return 0
}

func TestAnOfficeComesInAtNine(t *testing.T) {
	s, _, _ := office(t)
	for i := range 100 {
		if _, err := s.LogIn(t.Context(), "olivia@summit.test", goodPassword, here); err != nil {
			t.Fatalf("log-in %d from one address: %v", i+1, err)
		}
	}
}

func TestAnAddressThatGuessesIsSlowedDown(t *testing.T) {
	s, rows, at := office(t)
	for i := range 20 {
		if wait := waits(s.guess(t, i, here)); wait != 0 {
			t.Fatalf("guess %d: got a wait of %v", i+1, wait)
		}
	}
	if wait := waits(s.guess(t, 20, here)); wait != 3*time.Second {
		t.Errorf("the twenty-first: got a wait of %v, want three seconds", wait)
	}
	if wait := waits(s.guess(t, 21, away)); wait != 0 {
		t.Errorf("another address: got a wait of %v", wait)
	}
	// Another process, or the same after a restart, knows it too.
	again := New(rows, s.vault, Options{Cost: quick(), Now: at.now})
	if wait := waits(again.guess(t, 22, here)); wait == 0 {
		t.Error("after a restart: got no wait")
	}
	if _, _, err := s.BeginSSO(t.Context(), "none", "", here); waits(err) != 0 {
		t.Errorf("another deed: got %v", err)
	}
	if err := s.Ask(t.Context(), LinkReset, "olivia@summit.test", here); err != nil {
		t.Errorf("a link is asked for from there: got %v", err)
	}
	guesses := 0
	for range 60 {
		at.at = at.at.Add(time.Second)
		for waits(s.guess(t, 1000+guesses, here)) == 0 {
			guesses++
		}
	}
	if guesses != 20 {
		t.Errorf("got %d guesses in the minute after, want 20", guesses)
	}
	at.at = at.at.Add(time.Minute)
	if wait := waits(s.guess(t, 23, here)); wait != 0 {
		t.Errorf("a minute later: got a wait of %v", wait)
	}
}

func TestRefusalsAreAllInTheAuditAndFillNothing(t *testing.T) {
	s, rows, at := office(t)
	user := olivia(t, s)
	audited := func(object string) (all []store.Audited) {
		t.Helper()
		rest, err := rows.Audits(t.Context(), store.AuditQuery{Action: store.ActLogIn, Limit: 10000})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range rest {
			if strings.HasPrefix(a.Object, object) {
				all = append(all, a)
			}
		}
		return all
	}
	for range 7 {
		_, _ = s.LogIn(t.Context(), user.Email, "wrong-wrong-wrong", here)
		at.at = at.at.Add(30 * time.Second)
	}
	if got := audited("user:" + user.UserID); len(got) != 1 {
		t.Fatalf("got %d rows of seven refusals, want the first at once", len(got))
	}
	for i := range 900 { // nobody's addresses, from as many networks
		n := strconv.Itoa(i)
		_ = s.guess(t, i, From{Address: "203.0.113." + n, Network: "203.0." + n + ".0/24"})
	}
	if got := audited("address:"); len(got) != mostStrangers { // olivia is one of the subjects
		t.Errorf("got %d rows of 900 networks, want %d", len(got), mostStrangers)
	}
	at.at = at.at.Add(refusalWindow + time.Second)
	for more := true; more; {
		var err error
		if more, err = s.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got := audited("user:" + user.UserID)
	if len(got) != 2 || got[0].Detail != "more within ten minutes: 6" || got[0].Outcome != "refused" {
		t.Errorf("got %+v, want one row for the six that followed", got)
	}
	strangers := audited("address:")
	if len(strangers) != mostStrangers+1 || !strings.HasPrefix(strangers[0].Detail, "more within ten minutes: "+strconv.Itoa(900-mostStrangers)) {
		t.Errorf("got %d rows, the last %+v, want the rest as one", len(strangers), strangers[0])
	}
	if got, err := rows.RefusedSubjects(t.Context()); err != nil || got != 0 {
		t.Errorf("got %d counts, %v, want none left", got, err)
	}
}
