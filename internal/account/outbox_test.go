package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// fakeSender accepts emails, or fails.
type fakeSender struct {
	sent []mail.Message
	err  error
}

func (f *fakeSender) Send(_ context.Context, m mail.Message) error {
	if f.err != nil {
		return f.err
	}
	f.sent = append(f.sent, m)
	return nil
}

func TestDeliver_Failure_RetriesWithBackoff(t *testing.T) {
	t.Parallel()
	s, rows, at := newTestService(t)
	p := &fakeSender{err: errors.New("down")}
	s.Sender = p
	user := olivia(t, s)
	if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		return s.NotifyChange(t.Context(), tx, user, "A passkey was added")
	}); err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		if more, err := s.Deliver(t.Context()); !more || err == nil {
			t.Fatalf("got %v, %v, want a failure", more, err)
		}
		at.at = at.at.Add(wait - time.Second)
		if more, err := s.Deliver(t.Context()); more || err != nil {
			t.Fatalf("before %v: got %v, %v, want nothing to do", wait, more, err)
		}
		at.at = at.at.Add(time.Second)
	}
	p.err = nil
	if more, err := s.Deliver(t.Context()); !more || err != nil || len(p.sent) != 1 || p.sent[0].To != user.Email {
		t.Fatalf("got %v, %v, %d emails", more, err, len(p.sent))
	}
	if more, err := s.Deliver(t.Context()); more || err != nil {
		t.Errorf("sent twice: %v, %v", more, err)
	}
	if waiting, err := rows.UnsentMails(t.Context(), 10); err != nil || len(waiting) != 0 {
		t.Errorf("got %d waiting, %v, want none", len(waiting), err)
	}
}

func TestOutbox_PendingMail_Encrypted(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	link, err := s.ResetAccount(t.Context(), access.Operator(), "olivia@summit.test", false)
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "#")
	waiting, err := rows.UnsentMails(t.Context(), 10)
	if err != nil || len(waiting) != 1 {
		t.Fatalf("got %d waiting, %v, want one", len(waiting), err)
	}
	if text := string(waiting[0].Sealed); strings.Contains(text, token) || strings.Contains(text, "olivia") {
		t.Error("a waiting email can be read")
	}
	if i, err := rows.PendingInvitation(t.Context(), HashToken(token), s.Now()); err != nil || i.TokenHash == token ||
		strings.Contains(string(i.Sealed), "olivia") {
		t.Errorf("got %+v, %v, want the link by its hash and its user sealed", i, err)
	}
}

func TestRequestLink_Repeated_FewMails(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	for range 20 {
		if err := s.RequestLink(t.Context(), LinkReset, "olivia@summit.test", hereClient); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if waiting, err := rows.UnsentMails(t.Context(), 50); err != nil || len(waiting) > 5 {
		t.Errorf("got %d emails to one address at once, %v, want a few", len(waiting), err)
	}
}
