package account

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
)

// How long the portal tries to send an email: again a minute after the first failure, then with increasing
// delays.
const (
	mailLease       = 2 * store.MailRetry
	firstRetryDelay = store.MailRetry
	maxRetryDelay   = 6 * time.Hour
	maxTries        = 20
)

// linkRequest is a request for a link whose email address was not looked up yet.
type linkRequest struct {
	Email string
	Kind  LinkKind
}

// enqueueMail adds an entry to the outbox, in the transaction of the change that it reports.
func enqueueMail[T any](ctx context.Context, s *Service, tx *store.Tx, kind store.MailKind, what T) error {
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := vault.SealJSON(s.vault, vault.MailAAD(id), what)
	if err != nil {
		return err
	}
	now := store.Millis(s.Now())
	return tx.AddMail(ctx, store.Mail{ID: id, Kind: kind, Sealed: sealed, CreatedAt: now, SendAt: now})
}

// EnqueueMail adds an email to the outbox, in the transaction of the change that it reports.
func (s *Service) EnqueueMail(ctx context.Context, tx *store.Tx, m mail.Message) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, m)
}

// NotifyChange emails a user about a change of how they sign in.
func (s *Service) NotifyChange(ctx context.Context, tx *store.Tx, user access.User, what string) error {
	return enqueueMail(ctx, s, tx, store.MailMessage,
		mail.SignInChanged(user.Email, user.Name, what, s.Now().In(user.Zone())))
}

// NotifyAdmin emails an administrator about a change that another one or the operator made.
func (s *Service) NotifyAdmin(ctx context.Context, tx *store.Tx, admin access.User, what string) error {
	return enqueueMail(ctx, s, tx, store.MailMessage,
		mail.SettingChanged(admin.Email, admin.Name, what, s.Now().In(admin.Zone())))
}

// change is a change of how a user signs in.
type change struct {
	what   string // as the email about it says
	action store.AuditAction
	detail string
}

// record emails a user about a change and audits it.
func (s *Service) record(ctx context.Context, tx *store.Tx, user access.User, c change) error {
	return cmp.Or(s.NotifyChange(ctx, tx, user, c.what), tx.AuditOwn(ctx, user.UserID, c.action, c.detail))
}

// SendsMail reports whether this portal sends emails.
func (s *Service) SendsMail() bool { return s.Sender != nil }

// Deliver processes one pending item and reports whether there was one: a link request, an expired second
// step, a sum of rejections, or an email. Without a sender, emails stay in the outbox.
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

func (s *Service) deliverOne(ctx context.Context, kind store.MailKind,
	do func(context.Context, store.Mail) error) (bool, error) {
	now := s.Now()
	m, ok, err := s.store.LeaseMail(ctx, kind, now, now.Add(mailLease))
	if err != nil || !ok {
		return false, err
	}
	return true, do(ctx, m)
}

// sendMail sends an email, or postpones it after a failure.
func (s *Service) sendMail(ctx context.Context, m store.Mail) error {
	ctx, span := trace.StartWork(ctx, "send email")
	defer span.End()
	message, err := vault.UnsealJSON[mail.Message](s.vault, vault.MailAAD(m.ID), m.Sealed)
	if err != nil {
		return err
	}
	failed := s.Sender.Send(ctx, message)
	ctx = context.WithoutCancel(ctx) // record the result even if the caller is canceled
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		switch {
		case failed == nil:
			return tx.FinishMail(ctx, m.ID, "sent")
		case m.Tries >= maxTries:
			return tx.FinishMail(ctx, m.ID, "given up")
		default:
			return tx.PostponeMail(ctx, m.ID, s.Now().Add(doubled(firstRetryDelay, m.Tries-1, maxRetryDelay)))
		}
	})
	if err != nil {
		return err
	}
	if failed != nil {
		span.Fail("mail server")
	}
	return failed
}

// PendingMail is an unsent email, for the demo's outbox page.
type PendingMail struct {
	mail.Message
	At      time.Time
	Browser bool // a notification for the user's browsers instead
}

// Outbox lists the unsent emails, newest first.
func (s *Service) Outbox(ctx context.Context) ([]PendingMail, error) {
	rows, err := s.store.UnsentMails(ctx, 50)
	if err != nil {
		return nil, err
	}
	posted := make([]PendingMail, len(rows))
	for i, m := range rows {
		message, err := vault.UnsealJSON[mail.Message](s.vault, vault.MailAAD(m.ID), m.Sealed)
		if err != nil {
			return nil, err
		}
		posted[i] = PendingMail{Message: message, At: store.Instant(m.CreatedAt)}
	}
	return posted, nil
}

// CoverMail is an email to a covering originator.
type CoverMail struct {
	To      access.User
	Absence lead.Absence
	Before  string // the days of the absence before they changed; empty for no change
	By      string // who entered, changed or ended it; empty when an account was disabled or moved
}

func (s *Service) coverOf(m CoverMail) mail.Cover {
	return mail.Cover{To: m.To.Email, Name: m.To.Name, Absent: m.Absence.Name, By: m.By, Days: m.Absence.Days(),
		FormerDays: m.Before, AbsencesURL: s.PageURL("/team/absences")}
}

// SendCoverAsked emails a user that they are to cover, in the transaction that records it.
func (s *Service) SendCoverAsked(ctx context.Context, tx *store.Tx, m CoverMail) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.CoverAsked(s.coverOf(m)))
}

// SendCoverEnded emails the former deputy of an absence that they no longer cover, in the transaction that records it,
// unless their own account is closed. By is who ended it, or empty when an account was closed or moved.
func (s *Service) SendCoverEnded(ctx context.Context, tx *store.Tx, of lead.Absence, by string) error {
	deputy, err := tx.User(ctx, of.DeputyID)
	if fault.Is(err, fault.NotFound) || err == nil && deputy.Disabled {
		return nil
	}
	if err != nil {
		return err
	}
	return enqueueMail(ctx, s, tx, store.MailMessage,
		mail.CoverEnded(s.coverOf(CoverMail{To: deputy, Absence: of, By: by})))
}

// Close closes an account in the name of by, and emails everyone whose cover for the user ends.
func (s *Service) Close(ctx context.Context, tx *store.Tx, by access.Actor, userID string) error {
	return cmp.Or(tx.CloseUser(ctx, by, userID), s.SendCoversEnded(ctx, tx))
}

// SendCoversEnded emails everyone whose cover ended because this transaction closed the absent user's account, or moved
// it to another company.
func (s *Service) SendCoversEnded(ctx context.Context, tx *store.Tx) error {
	for _, of := range tx.CoversEnded {
		if err := s.SendCoverEnded(ctx, tx, of, ""); err != nil {
			return err
		}
	}
	return nil
}

// MonthlySummary is the figures of one month of a company.
type MonthlySummary = mail.MonthlyFigures

// SendMonthlyReport emails a manager the figures of a month, in the transaction that records it.
func (s *Service) SendMonthlyReport(ctx context.Context, tx *store.Tx, to access.User, m MonthlySummary) error {
	m.To, m.Name = to.Email, to.Name
	m.ReportsURL = s.PageURL("/reports?period=" + m.Month.Format("2006-01"))
	m.AccountURL = s.PageURL("/account#monthly-report")
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.MonthlyReport(m))
}
