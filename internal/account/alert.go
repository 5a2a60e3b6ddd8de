package account

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// AlertKind is something about how a person came in, or somebody tried to, that they should
// hear of. Each takes the right password, a log-in or a code, so that no stranger can have
// mails sent; and of each a person is sent one in a day at most, however often it happens.
type AlertKind string

// The kinds.
const (
	AlertNewPlace AlertKind = "new-place"                   // signed in with a browser or from a network not seen for them in ninety days
	AlertGuessed  AlertKind = "guessed"                     // the right password after several wrong ones, from such a place
	AlertHalf     AlertKind = "half"                        // the right password, and then a wrong second step, or none
	AlertRecovery AlertKind = "recovery"                    // a recovery code instead of the second factor
	AlertCrowded  AlertKind = AlertKind(store.AlertCrowded) // signed out because of a sixth browser
)

// AlertKinds lists them.
func AlertKinds() []AlertKind {
	return []AlertKind{AlertNewPlace, AlertGuessed, AlertHalf, AlertRecovery, AlertCrowded}
}

// letter is what is mailed of a kind; empty for what stands in the account alone, or is
// mailed as a change.
func (k AlertKind) letter() string {
	return map[AlertKind]string{
		AlertNewPlace: "Your account was signed in to from a place that we have not seen for you",
		AlertGuessed:  "Somebody gave your right password after several wrong ones, from a place that we have not seen for you",
		AlertHalf:     "Somebody gave your right password, but not your second step",
	}[k]
}

// severalWrong is how many wrong passwords before the right one are told of.
const severalWrong = 5

// severalCodes is how many wrong codes in a row are told of even where the person was seen.
const severalCodes = 3

// alert tells a person of something.
func (s *Service) alert(ctx context.Context, tx *store.Tx, user access.User, kind AlertKind, from From) error {
	first, err := tx.AddAlert(ctx, store.Alert{UserID: user.UserID, Kind: string(kind), Network: from.Network, Browser: from.Browser, At: store.Millis(s.Now())})
	if err != nil || !first {
		return err
	}
	if err := tx.Audit(ctx, store.Audited{ActorID: "system", Action: store.ActAlert, Object: "user:" + user.UserID, Outcome: "done", Detail: string(kind)}); err != nil {
		return err
	}
	what := kind.letter()
	if what == "" {
		return nil
	}
	return post(ctx, s, tx, store.MailLetter, mail.Unusual(mail.Attempt{
		To: user.Email, Name: user.Name, What: what, Browser: from.Browser, Network: from.Network, At: s.Now(), Account: s.address("/account"),
	}))
}

// Arrived notes where a person has come in, and tells them of a place that is new to them.
func (s *Service) Arrived(ctx context.Context, user access.User, proof access.Proof, from From) error {
	return s.write(ctx, func(tx *store.Tx) error {
		known, err := tx.HasPlace(ctx, from.place(user.UserID))
		if err != nil {
			return err
		}
		if !known {
			if err := s.alert(ctx, tx, user, AlertNewPlace, from); err != nil {
				return err
			}
		}
		if proof == access.ByRecovery {
			if err := s.alert(ctx, tx, user, AlertRecovery, from); err != nil {
				return err
			}
		}
		return tx.SeePlace(ctx, from.place(user.UserID), s.Now())
	})
}

// guessed tells of a right password that wrong ones went before; failures counts the right
// one too.
func (s *Service) guessed(ctx context.Context, user access.User, failures int, from From) error {
	if failures <= severalWrong {
		return nil
	}
	known, err := s.store.HasPlace(ctx, from.place(user.UserID))
	if err != nil || known {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error { return s.alert(ctx, tx, user, AlertGuessed, from) })
}

// missed tells of a wrong second step: at once where the person was never seen, and after
// some of them anywhere.
func (s *Service) missed(ctx context.Context, w waiting, user access.User, counter throttled) error {
	wrong, err := counter.read(ctx, s.store, s.Now())
	if err != nil || !w.New && wrong.Count < severalCodes {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error { return s.alert(ctx, tx, user, AlertHalf, w.From) })
}

// lapse looks at one second step whose time is over, and says whether there was one. From
// a place where its person was never seen they are told of it.
func (s *Service) lapse(ctx context.Context) (bool, error) {
	c, ok, err := s.store.Lapsed(ctx, string(secondStep), s.Now())
	if err != nil || !ok {
		return false, err
	}
	w, unreadable := open[waiting](s, c)
	return true, s.write(ctx, func(tx *store.Tx) error {
		first, err := tx.EndCeremony(ctx, c.IDHash, c.Kind)
		if err != nil || !first || unreadable != nil || !w.New {
			return err
		}
		user, err := tx.User(ctx, w.UserID)
		if err != nil || user.Disabled {
			return err
		}
		return s.alert(ctx, tx, user, AlertHalf, w.From)
	})
}

// Alert is what a person should have heard of.
type Alert struct {
	Kind  AlertKind
	From  From      // of the first time, without its address
	At    time.Time // likewise
	Last  time.Time
	Count int // of one day
}

// mostAlerts is how many a person is shown.
const mostAlerts = 20

// Alerts are those of a person lately, the newest first.
func (s *Service) Alerts(ctx context.Context, userID string) ([]Alert, error) {
	rows, err := s.store.Alerts(ctx, userID, mostAlerts)
	all := make([]Alert, len(rows))
	for i, a := range rows {
		all[i] = Alert{
			Kind: AlertKind(a.Kind), From: From{Network: a.Network, Browser: a.Browser},
			At: store.Instant(a.At), Last: store.Instant(a.LastAt), Count: int(a.Count),
		}
	}
	return all, err
}
