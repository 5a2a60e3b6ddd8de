package notify

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/mail"
	"hearthline/internal/push"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	// pushTTL is how long a push service keeps a notification for a browser that is offline. Later, the inbox has it.
	pushTTL = 12 * time.Hour
	// maxPushTries is how often a notification is tried: for about an hour.
	maxPushTries = 7
)

// queuedPush is a notification for one browser, as the outbox has it; or, for the demo, for a user.
type queuedPush struct {
	Subscription string `json:",omitempty"`
	Email        string `json:",omitempty"`
	Payload      payload
	Urgent       bool
}

// enqueuePush puts a notification into the outbox for each of the user's browsers.
func (s *Service) enqueuePush(ctx context.Context, tx *store.Tx, user access.User, p payload) error {
	browsers, err := tx.PushSubscriptions(ctx, user.UserID)
	if err != nil {
		return err
	}
	add := func(kind store.MailKind, q queuedPush) error {
		id := uuid.Must(uuid.NewV7()).String()
		sealed, err := vault.SealJSON(s.Vault, vault.MailAAD(id), q)
		if err != nil {
			return err
		}
		now := store.Millis(s.Now())
		return tx.AddMail(ctx, store.Mail{ID: id, Kind: kind, Sealed: sealed, CreatedAt: now, SendAt: now})
	}
	if s.Push != nil {
		for _, b := range browsers {
			if err := add(store.PushMessage, queuedPush{Subscription: b.ID, Payload: p, Urgent: p.urgent}); err != nil {
				return err
			}
		}
	}
	if s.Demo {
		return add(store.PushCopy, queuedPush{Email: user.Email, Payload: p})
	}
	return nil
}

// sendPush sends a notification to a browser, or postpones it when the push service is not available. A browser that no
// longer receives notifications is deleted.
func (s *Service) sendPush(ctx context.Context, m store.Mail) error {
	q, err := vault.UnsealJSON[queuedPush](s.Vault, vault.MailAAD(m.ID), m.Sealed)
	if err != nil {
		return err
	}
	finish := func(outcome string) error {
		ctx := context.WithoutCancel(ctx) // record the result even if the caller is canceled
		return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.FinishMail(ctx, m.ID, outcome) })
	}
	b, err := s.Store.PushSubscription(ctx, q.Subscription)
	if fault.Is(err, fault.NotFound) {
		return finish("given up")
	}
	if err != nil {
		return err
	}
	sent := s.send(ctx, b, q.Payload, q.Urgent)
	ctx = context.WithoutCancel(ctx)
	switch {
	case sent == nil:
		return finish("sent")
	case errors.Is(sent, push.ErrTemporary) && m.Tries < maxPushTries:
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.PostponeMail(ctx, m.ID, s.Now().Add(store.MailRetry<<(m.Tries-1)))
		})
	case errors.Is(sent, push.ErrGone):
		return finish("given up")
	default:
		return errors.Join(sent, finish("given up"))
	}
}

// send sends to one browser, and deletes it if it is gone.
func (s *Service) send(ctx context.Context, b store.PushSubscription, p payload, urgent bool) error {
	to, err := vault.UnsealJSON[push.Subscription](s.Vault, vault.PushSubscriptionAAD(b.ID), b.Sealed)
	if err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	err = s.Push.Send(ctx, to, push.Message{Payload: text, Topic: p.topic(), TTL: pushTTL, Urgent: urgent})
	if errors.Is(err, push.ErrGone) {
		return errors.Join(err, s.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			_, err := tx.DropPushSubscription(ctx, b.UserID, b.EndpointDigest)
			return err
		}))
	}
	return err
}

// PushKey returns the key that browsers need to subscribe, empty when this portal does not send to browsers.
func (s *Service) PushKey() string {
	if s.Push == nil {
		return ""
	}
	return s.Push.PublicKey()
}

// Browsers lists the browsers of a user, newest first.
func (s *Service) Browsers(ctx context.Context, userID string) ([]store.PushSubscription, error) {
	return s.Store.PushSubscriptions(ctx, userID)
}

// TurnOn adds a browser, as a browser describes it. name is what the user sees.
func (s *Service) TurnOn(ctx context.Context, userID string, to push.Subscription, name string) error {
	if s.Push == nil {
		return errNoPush()
	}
	if err := to.Check(); err != nil {
		return fault.Wrap(fault.Invalid, "This browser can’t receive notifications from Hearthline.", err)
	}
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := vault.SealJSON(s.Vault, vault.PushSubscriptionAAD(id), to)
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddPushSubscription(ctx, store.PushSubscription{ID: id, UserID: userID,
			EndpointDigest: to.Fingerprint(), Sealed: sealed, Browser: name, CreatedAt: store.Millis(s.Now())}); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, userID, store.ActionPushOn, "")
	})
}

func errNoPush() error {
	return fault.New(fault.Conflict, "Browser notifications aren’t set up for this portal.")
}

// TurnOff removes a browser of a user by its digest.
func (s *Service) TurnOff(ctx context.Context, userID, digest string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		dropped, err := tx.DropPushSubscription(ctx, userID, digest)
		if err != nil || !dropped {
			return err
		}
		return tx.AuditOwn(ctx, userID, store.ActionPushOff, "")
	})
}

// TestBrowser sends a test to a browser of a user by its digest, at once.
func (s *Service) TestBrowser(ctx context.Context, userID, digest string) error {
	if s.Push == nil {
		return errNoPush()
	}
	browsers, err := s.Browsers(ctx, userID)
	if err == nil {
		err = s.Store.Write(ctx, func(tx *store.Tx) error { return s.countTest(ctx, tx, userID) })
	}
	if err != nil {
		return err
	}
	for _, b := range browsers {
		if b.EndpointDigest != digest {
			continue
		}
		err := s.send(ctx, b, payload{Title: "Test notification", Body: productName, URL: ChoicesPath, Tag: "test"}, true)
		switch {
		case errors.Is(err, push.ErrGone):
			return fault.Wrap(fault.Conflict, "This browser no longer receives notifications. Turn them on again.", err)
		case errors.Is(err, push.ErrTemporary):
			return fault.Wrap(fault.Upstream, "The browser’s push service didn’t respond. Try again later.", err)
		case err != nil:
			return fault.Wrap(fault.Upstream, "The browser’s push service didn’t accept the test.", err)
		}
		return nil
	}
	return fault.New(fault.Conflict, "Notifications are off in this browser. Turn them on first.")
}

// maxTests is how many tests a user may send within an hour.
const maxTests = 20

// countTest counts a test of a user; fault.Conflict above the limit.
func (s *Service) countTest(ctx context.Context, tx *store.Tx, userID string) error {
	use := store.Usage{Subject: "user:" + userID, Kind: "tests"}
	until, err := tx.UsedUpUntil(ctx, use, maxTests, s.Now())
	if err == nil && !until.IsZero() {
		err = fault.New(fault.Conflict, "You sent many tests within an hour. Try again later.")
	}
	if err != nil {
		return err
	}
	return tx.AddUse(ctx, use, s.Now())
}

// TestEmail queues a test email to a user.
func (s *Service) TestEmail(ctx context.Context, user access.User) error {
	if !s.SendsMail() {
		return fault.New(fault.Conflict, "Email isn’t set up for this portal.")
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := s.countTest(ctx, tx, user.UserID); err != nil {
			return err
		}
		return s.Mail.EnqueueMail(ctx, tx, mail.TestNotice(user.Email, user.Name, s.url(ChoicesPath)))
	})
}

// Outbox lists the demo's emails, and what browsers are told, newest first.
func (s *Service) Outbox(ctx context.Context) ([]account.PendingMail, error) {
	all, err := s.Mail.Outbox(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.PushCopies(ctx, 50)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		q, err := vault.UnsealJSON[queuedPush](s.Vault, vault.MailAAD(row.ID), row.Sealed)
		if err != nil {
			return nil, err
		}
		one := account.PendingMail{At: store.Instant(row.CreatedAt), Browser: true, Message: mail.Message{To: q.Email,
			Subject: q.Payload.Title, Text: q.Payload.Body + "\n\n" + s.url(q.Payload.URL)}}
		i := 0
		for i < len(all) && all[i].At.After(one.At) {
			i++
		}
		all = append(all[:i:i], append([]account.PendingMail{one}, all[i:]...)...)
	}
	return all, nil
}
