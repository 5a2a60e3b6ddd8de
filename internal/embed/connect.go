package embed

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// mostTries is how many wrong codes a connection takes.
const mostTries = 5

// confirmTime is how long after a person proved who they are the frame may learn of it.
const confirmTime = 10 * time.Minute

// Connect makes a log-in of a CRM that person's, who has just proved who they are at top
// level. The letters in the frame must be typed, so that nobody connects what another
// person's frame shows; a log-in with a colleague's e-mail is not theirs to connect.
func (s *Service) Connect(ctx context.Context, person access.Actor, l Launched, typed string) error {
	switch {
	case l.Known() && l.Person.UserID != person.UserID:
		return fault.New(fault.Conflict, "This log-in of the CRM is connected to another account.")
	case !l.Client.admits(access.User{Actor: person}):
		return fault.New(fault.Denied, l.Client.Name+" belongs to another company than you do.")
	case l.row.Tries >= mostTries || s.Now().After(l.Created.Add(2*confirmTime)):
		return errOver()
	}
	if subtle.ConstantTimeCompare([]byte(strings.ToUpper(strings.TrimSpace(typed))), []byte(l.Match)) != 1 {
		err := s.write(ctx, func(tx *store.Tx) error { return tx.MissLaunch(ctx, l.ID) })
		if err != nil {
			return err
		}
		return fault.InvalidFields(fault.Field{Name: "match", Message: "These are not the letters in your CRM's frame"})
	}
	if l.Known() {
		return nil
	}
	if owner, _, err := s.store.UserByEmail(ctx, account.FoldEmail(l.Email)); l.Email != "" && err == nil && owner.UserID != person.UserID {
		return fault.New(fault.Denied, "The CRM says that this log-in has a colleague's e-mail. Sign in to the CRM as yourself.")
	}
	return s.write(ctx, func(tx *store.Tx) error {
		link := store.EmbedLink{Key: l.Client.Key, Subject: l.row.Subject, UserID: person.UserID, LinkedAt: store.Millis(s.Now())}
		if err := tx.AddEmbedLink(ctx, link); err != nil {
			return err
		}
		if err := tx.ConfirmLaunch(ctx, l.ID, s.Now()); err != nil {
			return err
		}
		if s.Tell != nil {
			if err := s.Tell(ctx, tx, access.User{Actor: person}, "A log-in of "+l.Client.Name+" was connected to your account"); err != nil {
				return err
			}
		}
		return tx.AuditOwn(ctx, person.UserID, "embed.connect", l.Client.Key)
	})
}

// Confirm notes that the person of a launch has just proved at top level who they are.
func (s *Service) Confirm(ctx context.Context, person access.Actor, l Launched) error {
	if !l.Known() || l.Person.UserID != person.UserID {
		return fault.New(fault.Denied, "This log-in of the CRM belongs to another account than the one you are signed in with here.")
	}
	return s.write(ctx, func(tx *store.Tx) error {
		if err := tx.ConfirmLaunch(ctx, l.ID, s.Now()); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, person.UserID, "embed.confirm", l.Client.Key)
	})
}

// Confirmed lets the frame learn that its person has proved who they are: the session has
// another token from then on. False while they have not.
func (s *Service) Confirmed(ctx context.Context, v Visit, tokenHash string) (bool, error) {
	if !v.User.Unconfirmed {
		return true, nil
	}
	at := store.Instant(v.row.ConfirmedAt)
	if v.row.ConfirmedAt == 0 || s.Now().After(at.Add(confirmTime)) {
		return false, nil
	}
	proved := v.Session
	proved.IDHash, proved.Proof, proved.Proved, proved.Level = tokenHash, access.ByConfirmed, at, access.ByConfirmed.Level()
	return s.store.ProveSession(ctx, v.Session.IDHash, proved)
}

// Disconnect takes a person's log-ins of a CRM away.
func (s *Service) Disconnect(ctx context.Context, by, userID, key string) error {
	return s.write(ctx, func(tx *store.Tx) error {
		n, err := tx.DropEmbedLinks(ctx, userID, key)
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, "This person has no connected log-in there.")
		}
		if err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{ActorID: by, Action: "embed.disconnect", Object: "user:" + userID, Outcome: "done", Detail: key})
	})
}
