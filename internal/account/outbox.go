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
	mailLease       = 2 * time.Minute
	firstRetryDelay = time.Minute
	maxRetryDelay   = 6 * time.Hour
	maxTries        = 20
)

func mailAAD(id string) vault.AAD {
	return vault.AAD{Table: "outbox", Row: id, Column: "sealed"}
}

// linkRequest is somebody's wish for a link, before anybody has looked who they are.
type linkRequest struct {
	Email string
	Kind  LinkKind
}

// enqueueMail puts something into the outbox in the transaction of what it tells of.
func enqueueMail[T any](ctx context.Context, s *Service, tx *store.Tx, kind store.MailKind, what T) error {
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := vault.SealJSON(s.vault, mailAAD(id), what)
	if err != nil {
		return err
	}
	now := store.Millis(s.Now())
	return tx.AddMail(ctx, store.Mail{ID: id, Kind: kind, Sealed: sealed, CreatedAt: now, SendAt: now})
}

// NotifyChange sends a person a notice of a change of how they sign in.
func (s *Service) NotifyChange(ctx context.Context, tx *store.Tx, user access.User, what string) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.SignInChanged(user.Email, user.Name, what, s.Now()))
}

// SendsMail says whether letters leave this portal.
func (s *Service) SendsMail() bool { return s.Sender != nil }

// Deliver does one thing that waits, and says whether there was one: a wish for a link, a
// second step that nobody took, refusals to be summed up, a letter. Without a sender letters
// wait.
func (s *Service) Deliver(ctx context.Context) (more bool, err error) {
	for _, do := range []func(context.Context) (bool, error){
		func(ctx context.Context) (bool, error) {
			return s.deliverOne(ctx, store.MailRequest, s.answerLinkRequest)
		}, s.expireSecondFactor, s.sumUpRejections,
	} {
		if more, err = do(ctx); more || err != nil {
			return more, err
		}
	}
	if s.Sender == nil {
		return false, nil
	}
	return s.deliverOne(ctx, store.MailMessage, s.sendMail)
}

func (s *Service) deliverOne(ctx context.Context, kind store.MailKind, do func(context.Context, store.Mail) error) (bool, error) {
	now := s.Now()
	m, ok, err := s.store.LeaseMail(ctx, kind, now, now.Add(mailLease))
	if err != nil || !ok {
		return false, err
	}
	return true, do(ctx, m)
}

// sendMail sends a letter, or puts it off.
func (s *Service) sendMail(ctx context.Context, m store.Mail) error {
	letter, err := vault.UnsealJSON[mail.Message](s.vault, mailAAD(m.ID), m.Sealed)
	if err != nil {
		return err
	}
	failed := s.Sender.Send(ctx, letter)
	ctx = context.WithoutCancel(ctx) // it was sent or not, whatever ends meanwhile
	err = s.write(ctx, func(tx *store.Tx) error {
		switch {
		case failed == nil:
			return tx.FinishMail(ctx, m.ID, "sent")
		case m.Tries >= maxTries:
			return tx.FinishMail(ctx, m.ID, "given up")
		default:
			return tx.PostponeMail(ctx, m.ID, s.Now().Add(retryDelay(m.Tries)))
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// retryDelay is how long to wait after so many failures.
func retryDelay(tries int) time.Duration {
	wait := firstRetryDelay
	for range tries - 1 {
		if wait *= 2; wait >= maxRetryDelay {
			return maxRetryDelay
		}
	}
	return wait
}

// PendingMail is a letter that waits, for the demo's page.
type PendingMail struct {
	mail.Message
	At time.Time
}

// Outbox shows the letters that wait, the newest first.
func (s *Service) Outbox(ctx context.Context) ([]PendingMail, error) {
	rows, err := s.store.UnsentMails(ctx, 50)
	if err != nil {
		return nil, err
	}
	posted := make([]PendingMail, len(rows))
	for i, m := range rows {
		letter, err := vault.UnsealJSON[mail.Message](s.vault, mailAAD(m.ID), m.Sealed)
		if err != nil {
			return nil, err
		}
		posted[i] = PendingMail{letter, store.Instant(m.CreatedAt)}
	}
	return posted, nil
}
