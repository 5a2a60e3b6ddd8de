package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// How long a mail is tried: a minute after the first failure, then ever later.
const (
	mailLease  = 2 * time.Minute
	firstPause = time.Minute
	mostPause  = 6 * time.Hour
	mostTries  = 20
)

func placeOfMail(id string) vault.Place {
	return vault.Place{Table: "outbox", Row: id, Column: "sealed"}
}

// wish is somebody's wish for a link, before anybody has looked who they are.
type wish struct {
	Email string
	Kind  LinkKind
}

// post puts something into the outbox in the transaction of what it tells of.
func post[T any](ctx context.Context, s *Service, tx *store.Tx, kind store.MailKind, what T) error {
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := vault.SealJSON(s.vault, placeOfMail(id), what)
	if err != nil {
		return err
	}
	now := store.Millis(s.Now())
	return tx.AddMail(ctx, store.Mail{ID: id, Kind: kind, Sealed: sealed, CreatedAt: now, SendAt: now})
}

// Tell sends a person a notice of a change of how they sign in.
func (s *Service) Tell(ctx context.Context, tx *store.Tx, user access.User, what string) error {
	return post(ctx, s, tx, store.MailLetter, mail.Changed(user.Email, user.Name, what, s.Now()))
}

// Mails says whether letters leave this portal.
func (s *Service) Mails() bool { return s.Sender != nil }

// Deliver does one thing that waits, and says whether there was one: a wish for a link, a
// second step that nobody took, refusals to be summed up, a letter. Without a sender letters
// wait.
func (s *Service) Deliver(ctx context.Context) (more bool, err error) {
	for _, do := range []func(context.Context) (bool, error){
		func(ctx context.Context) (bool, error) { return s.take(ctx, store.MailWish, s.grant) }, s.lapse, s.sumUp,
	} {
		if more, err = do(ctx); more || err != nil {
			return more, err
		}
	}
	if s.Sender == nil {
		return false, nil
	}
	return s.take(ctx, store.MailLetter, s.send)
}

func (s *Service) take(ctx context.Context, kind store.MailKind, do func(context.Context, store.Mail) error) (bool, error) {
	now := s.Now()
	m, ok, err := s.store.TakeMail(ctx, kind, now, now.Add(mailLease))
	if err != nil || !ok {
		return false, err
	}
	return true, do(ctx, m)
}

// send sends a letter, or puts it off.
func (s *Service) send(ctx context.Context, m store.Mail) error {
	letter, err := vault.UnsealJSON[mail.Message](s.vault, placeOfMail(m.ID), m.Sealed)
	if err != nil {
		return err
	}
	failed := s.Sender.Send(ctx, letter)
	ctx = context.WithoutCancel(ctx) // it was sent or not, whatever ends meanwhile
	err = s.write(ctx, func(tx *store.Tx) error {
		switch {
		case failed == nil:
			return tx.EndMail(ctx, m.ID, "sent")
		case m.Tries >= mostTries:
			return tx.EndMail(ctx, m.ID, "given up")
		default:
			return tx.PutMailOff(ctx, m.ID, s.Now().Add(pause(m.Tries)))
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// pause is how long to wait after so many failures.
func pause(tries int) time.Duration {
	wait := firstPause
	for range tries - 1 {
		if wait *= 2; wait >= mostPause {
			return mostPause
		}
	}
	return wait
}

// Posted is a letter that waits, for the demo's page.
type Posted struct {
	mail.Message
	At time.Time
}

// Outbox shows the letters that wait, the newest first.
func (s *Service) Outbox(ctx context.Context) ([]Posted, error) {
	rows, err := s.store.WaitingMails(ctx, 50)
	if err != nil {
		return nil, err
	}
	posted := make([]Posted, len(rows))
	for i, m := range rows {
		letter, err := vault.UnsealJSON[mail.Message](s.vault, placeOfMail(m.ID), m.Sealed)
		if err != nil {
			return nil, err
		}
		posted[i] = Posted{letter, store.Instant(m.CreatedAt)}
	}
	return posted, nil
}
