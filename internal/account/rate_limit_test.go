package account

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/store"
)

// guessPassword tries a wrong password for the nth made-up address.
func (s *Service) guessPassword(t *testing.T, n int, from ClientInfo) error {
	t.Helper()
	_, err := s.SignIn(t.Context(), "nobody"+strconv.Itoa(n)+"@summit.test", "wrong-wrong-wrong", from)
	return err
}

func waitOf(err error) time.Duration {
	if soon, ok := errors.AsType[*TooSoon](err); ok {
		return soon.Wait
	}
	return 0
}

func TestRateLimit_ManySuccesses_Allowed(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	for i := range 100 {
		if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient); err != nil {
			t.Fatalf("sign-in %d from one address: %v", i+1, err)
		}
	}
}

func TestRateLimit_ManyFailures_TooSoon(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	for i := range 20 {
		if wait := waitOf(s.guessPassword(t, i, hereClient)); wait != 0 {
			t.Fatalf("guess %d: got a wait of %v", i+1, wait)
		}
	}
	if wait := waitOf(s.guessPassword(t, 20, hereClient)); wait != 3*time.Second {
		t.Errorf("the twenty-first: got a wait of %v, want three seconds", wait)
	}
	if wait := waitOf(s.guessPassword(t, 21, elsewhereClient)); wait != 0 {
		t.Errorf("another address: got a wait of %v", wait)
	}
	// Another process, or the same one after a restart, has the same level.
	again := New(rows, s.vault, Options{Cost: cheapCost(), Now: at.now})
	if wait := waitOf(again.guessPassword(t, 22, hereClient)); wait == 0 {
		t.Error("after a restart: got no wait")
	}
	if _, _, err := s.BeginSSO(t.Context(), "none", "", hereClient); waitOf(err) != 0 {
		t.Errorf("another kind: got %v", err)
	}
	if err := s.RequestLink(t.Context(), LinkReset, "olivia@summit.test", hereClient); err != nil {
		t.Errorf("a link request from there: got %v", err)
	}
	guesses := 0
	for range 60 {
		at.at = at.at.Add(time.Second)
		for waitOf(s.guessPassword(t, 1000+guesses, hereClient)) == 0 {
			guesses++
		}
	}
	if guesses != 20 {
		t.Errorf("got %d guesses in the minute after, want 20", guesses)
	}
	at.at = at.at.Add(time.Minute)
	if wait := waitOf(s.guessPassword(t, 23, hereClient)); wait != 0 {
		t.Errorf("a minute later: got a wait of %v", wait)
	}
}

func TestRejections_SummedInAudit(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	user := olivia(t, s)
	audited := func(object string) (all []store.AuditEntry) {
		t.Helper()
		rest, err := rows.Audits(t.Context(), store.AuditQuery{Action: store.ActionSignIn, Limit: 10000})
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
		_, _ = s.SignIn(t.Context(), user.Email, "wrong-wrong-wrong", hereClient)
		at.at = at.at.Add(30 * time.Second)
	}
	if got := audited("user:" + user.UserID); len(got) != 1 {
		t.Fatalf("got %d rows for seven rejections, want the first at once", len(got))
	}
	for i := range 900 { // unknown addresses, each from another network
		n := strconv.Itoa(i)
		_ = s.guessPassword(t, i, ClientInfo{Address: "203.0.113." + n, Network: "203.0." + n + ".0/24"})
	}
	if got := audited("address:"); len(got) != maxRejectedSubjects { // olivia is one of the subjects
		t.Errorf("got %d rows for 900 networks, want %d", len(got), maxRejectedSubjects)
	}
	at.at = at.at.Add(rejectionWindow + time.Second)
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
	summed := audited("address:")
	if len(summed) != maxRejectedSubjects+1 || !strings.HasPrefix(summed[0].Detail,
		"more within ten minutes: "+strconv.Itoa(900-maxRejectedSubjects)) {
		t.Errorf("got %d rows, the last %+v, want the rest as one", len(summed), summed[0])
	}
	if got, err := rows.CountRejectedSubjects(t.Context()); err != nil || got != 0 {
		t.Errorf("got %d counts, %v, want none", got, err)
	}
}
