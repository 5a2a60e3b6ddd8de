// Package notify tells users about the notifications that they have not read: by email, and in the browsers in which
// they have turned that on.
//
//	notify.go   what is told, and when an entry of the outbox is processed
//	message.go  the texts
//	push.go     browsers: turning notifications on and off, sending
//
// The store decides when a user is told, and adds an entry to the outbox for all that is due together. A message never
// contains borrower data: it has the lead's short ID, what happened and a link.
package notify

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
	"hearthline/internal/push"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
)

// Pusher sends to browsers; *push.Sender implements it.
type Pusher interface {
	PublicKey() string
	Send(ctx context.Context, to push.Subscription, m push.Message) error
}

// Mailer queues emails; *account.Service implements it.
type Mailer interface {
	EnqueueMail(ctx context.Context, tx *store.Tx, m mail.Message) error
	SendsMail() bool
	Outbox(ctx context.Context) ([]account.PendingMail, error)
}

// Deps are the dependencies of a Service.
type Deps struct {
	Store *store.Store
	Vault *vault.Vault
	Mail  Mailer
	Push  Pusher // nil: browsers are not told
	Base  *url.URL
	Now   store.Clock
	Log   *slog.Logger
	Demo  bool // emails and what browsers are told are displayed to everybody, whether or not they can be sent
	// Words returns the words of the inbox for a notification.
	Words func(lead.Notice) string
}

// Service tells users. Create it with New.
type Service struct{ Deps }

// New returns a service, and lets the store schedule what it can send.
func New(deps Deps) *Service {
	s := &Service{deps}
	deps.Store.Tell = func(by lead.TellChannel) bool {
		if by == lead.TellByPush {
			return s.Demo || s.Push != nil
		}
		return s.SendsMail()
	}
	return s
}

// SendsMail reports whether users receive emails.
func (s *Service) SendsMail() bool { return s.Demo || s.Mail.SendsMail() }

const lease = 2 * store.MailRetry

// Deliver processes one entry of the outbox that is due, and reports whether there was one.
func (s *Service) Deliver(ctx context.Context) (more bool, err error) {
	for _, one := range []struct {
		kind store.MailKind
		do   func(context.Context, store.Mail) error
	}{
		{store.MailNotices, func(ctx context.Context, m store.Mail) error { return s.tell(ctx, m, lead.TellByEmail) }},
		{store.PushNotices, func(ctx context.Context, m store.Mail) error { return s.tell(ctx, m, lead.TellByPush) }},
		{store.PushMessage, s.sendPush},
	} {
		if one.kind == store.PushMessage && s.Push == nil {
			continue
		}
		now := s.Now()
		m, ok, err := s.Store.LeaseMail(ctx, one.kind, now, now.Add(lease))
		if err != nil {
			return false, err
		}
		if ok {
			traced, span := trace.StartWork(ctx, "tell user")
			defer span.End()
			return true, one.do(traced, m)
		}
	}
	return false, nil
}

// tell writes one message to a user about everything that is due, in the transaction that records it.
func (s *Service) tell(ctx context.Context, entry store.Mail, by lead.TellChannel) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		user, err := tx.User(ctx, entry.UserToTell())
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		in := store.UserScopeOf(user.Actor)
		if err == nil && !user.Disabled {
			if later, err := s.quietUntil(ctx, tx, user); err != nil {
				return err
			} else if !later.IsZero() {
				return tx.PostponeMail(ctx, entry.ID, later)
			}
			all, err := s.due(ctx, tx, user, by)
			if err != nil {
				return err
			}
			if len(all) > 0 {
				if err := s.enqueue(ctx, tx, user, by, all); err != nil {
					return err
				}
			}
		}
		return tx.EndTelling(ctx, entry, in, by)
	})
}

// quietUntil returns when the user's quiet hours end if it is quiet now, for a portal that was not running when the
// entry was due; otherwise the zero time. The demo is never quiet: its leads are older than its clock.
func (s *Service) quietUntil(ctx context.Context, tx *store.Tx, user access.User) (time.Time, error) {
	if s.Demo {
		return time.Time{}, nil
	}
	choices, err := tx.TellChoices(ctx, user.UserID)
	if end := choices.AfterQuiet(s.Now(), user.Zone()); end.After(s.Now()) {
		return end, err
	}
	return time.Time{}, err
}

// item is one notification to send, with the lead's place in Today.
type item struct {
	lead.Notice
	place lead.TodayEntry
}

// due lists what to tell a user, in the order of Today. It leaves out what the user has turned off since,
// and leads and drafts that they no longer see.
func (s *Service) due(ctx context.Context, tx *store.Tx, user access.User, by lead.TellChannel) ([]item, error) {
	notices, err := tx.DueNotices(ctx, store.UserScopeOf(user.Actor), by)
	if err != nil || len(notices) == 0 {
		return nil, err
	}
	choices, err := tx.TellChoices(ctx, user.UserID)
	if err != nil {
		return nil, err
	}
	leads, err := visibleLeads(ctx, tx, user, notices)
	if err != nil {
		return nil, err
	}
	facts, err := tx.TodayFacts(ctx, store.TodayScope{Scope: user.Scope(), User: store.UserScopeOf(user.Actor),
		Own: heloc.OriginatorID(user.OriginatorUUID)})
	if err != nil {
		return nil, err
	}
	isEnding, err := endingOf(ctx, tx, notices, s.Now())
	if err != nil {
		return nil, err
	}
	var all []item
	for _, n := range notices {
		one := item{Notice: n}
		row, visible := leads[n.App]
		switch {
		case choices.When(n.Kind.Event(), by) == lead.TellNever, n.App != "" && !visible,
			n.Kind == lead.NoticeExpiring && !isEnding(n):
			continue
		case n.App != "":
			one.ShortID = row.ShortID
			one.place, _ = lead.TodayOf(&row, facts[n.App], store.Millis(s.Now()))
		case n.Draft != "":
			if _, err := tx.Draft(ctx, store.UserScopeOf(user.Actor), n.Draft); fault.Is(err, fault.NotFound) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b item) int { return lead.CompareToday(a.place, b.place) })
	return all, nil
}

// endingOf returns whether what a notice calls expiring still expires soon: a daily email can come too late, and an end
// can move.
func endingOf(ctx context.Context, tx *store.Tx, notices []lead.Notice, now time.Time) (func(lead.Notice) bool, error) {
	if !slices.ContainsFunc(notices, func(n lead.Notice) bool { return n.Kind == lead.NoticeExpiring }) {
		return nil, nil
	}
	ending, err := tx.Expiring(ctx, now, now.Add(lead.ExpiringWithin))
	return func(n lead.Notice) bool {
		return slices.ContainsFunc(ending, func(f store.ExpiringFact) bool { return f.App == n.App && f.About == n.About })
	}, err
}

// visibleLeads reads those leads of some notifications that the user sees now.
func visibleLeads(ctx context.Context, tx *store.Tx, user access.User,
	notices []lead.Notice) (map[heloc.AppID]lead.Row, error) {
	var apps []heloc.AppID
	for _, n := range notices {
		if n.App != "" && !slices.Contains(apps, n.App) {
			apps = append(apps, n.App)
		}
	}
	visible := map[heloc.AppID]lead.Row{}
	if len(apps) == 0 || !user.Can(access.SeeLead) {
		return visible, nil
	}
	for some := range slices.Chunk(apps, 200) {
		rows, err := tx.LeadsAmong(ctx, user.Scope(), some)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			visible[row.App] = row
		}
	}
	return visible, nil
}

func (s *Service) enqueue(ctx context.Context, tx *store.Tx, user access.User, by lead.TellChannel, all []item) error {
	if by == lead.TellByEmail {
		return s.Mail.EnqueueMail(ctx, tx, s.email(user, all))
	}
	return s.enqueuePush(ctx, tx, user, s.payload(all))
}
