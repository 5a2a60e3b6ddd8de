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
	AlertNewLocation        AlertKind = "new-place"                           // signed in with a browser or from a network not seen for them in ninety days
	AlertPasswordGuessed    AlertKind = "guessed"                             // the right password after several wrong ones, from such a place
	AlertSecondFactorFailed AlertKind = "half"                                // the right password, and then a wrong second step, or none
	AlertRecovery           AlertKind = "recovery"                            // a recovery code instead of the second factor
	AlertTooManySessions    AlertKind = AlertKind(store.AlertTooManySessions) // signed out because of a sixth browser
)

// AlertKinds lists them.
func AlertKinds() []AlertKind {
	return []AlertKind{AlertNewLocation, AlertPasswordGuessed, AlertSecondFactorFailed, AlertRecovery, AlertTooManySessions}
}

// mailText is what is mailed of a kind; empty for what stands in the account alone, or is
// mailed as a change.
func (k AlertKind) mailText() string {
	return map[AlertKind]string{
		AlertNewLocation:        "Your account was signed in to from a place that we have not seen for you",
		AlertPasswordGuessed:    "Somebody gave your right password after several wrong ones, from a place that we have not seen for you",
		AlertSecondFactorFailed: "Somebody gave your right password, but not your second step",
	}[k]
}

// alertAfterWrongPasswords is how many wrong passwords before the right one are told of.
const alertAfterWrongPasswords = 5

// alertAfterWrongCodes is how many wrong codes in a row are told of even where the person was seen.
const alertAfterWrongCodes = 3

// sendAlert tells a person of something.
func (s *Service) sendAlert(ctx context.Context, tx *store.Tx, user access.User, kind AlertKind, from ClientInfo) error {
	first, err := tx.AddAlert(ctx, store.Alert{UserID: user.UserID, Kind: string(kind), Network: from.Network, Browser: from.Browser, At: store.Millis(s.Now())})
	if err != nil || !first {
		return err
	}
	if err := tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: store.ActionAlert, Object: "user:" + user.UserID, Outcome: "done", Detail: string(kind)}); err != nil {
		return err
	}
	what := kind.mailText()
	if what == "" {
		return nil
	}
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.UnusualSignIn(mail.SignInAttempt{
		To: user.Email, Name: user.Name, What: what, Browser: from.Browser, Network: from.Network, At: s.Now(), AccountURL: s.pageURL("/account"),
	}))
}

// SignedIn notes where a person has come in, and tells them of a place that is new to them.
func (s *Service) SignedIn(ctx context.Context, user access.User, proof access.Proof, from ClientInfo) error {
	return s.write(ctx, func(tx *store.Tx) error {
		known, err := tx.HasLoginLocation(ctx, from.location(user.UserID))
		if err != nil {
			return err
		}
		if !known {
			if err := s.sendAlert(ctx, tx, user, AlertNewLocation, from); err != nil {
				return err
			}
		}
		if proof == access.ByRecovery {
			if err := s.sendAlert(ctx, tx, user, AlertRecovery, from); err != nil {
				return err
			}
		}
		return tx.SaveLoginLocation(ctx, from.location(user.UserID), s.Now())
	})
}

// alertGuessed tells of a right password that wrong ones went before; failures counts the right
// one too.
func (s *Service) alertGuessed(ctx context.Context, user access.User, failures int, from ClientInfo) error {
	if failures <= alertAfterWrongPasswords {
		return nil
	}
	known, err := s.store.HasLoginLocation(ctx, from.location(user.UserID))
	if err != nil || known {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error { return s.sendAlert(ctx, tx, user, AlertPasswordGuessed, from) })
}

// alertFailedFactor tells of a wrong second step: at once where the person was never seen, and after
// some of them anywhere.
func (s *Service) alertFailedFactor(ctx context.Context, w pendingSignInState, user access.User, counter attemptCounter) error {
	wrong, err := counter.read(ctx, s.store, s.Now())
	if err != nil || !w.NewLocation && wrong.Count < alertAfterWrongCodes {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error { return s.sendAlert(ctx, tx, user, AlertSecondFactorFailed, w.From) })
}

// expireSecondFactor looks at one second step whose time is over, and says whether there was one. From
// a place where its person was never seen they are told of it.
func (s *Service) expireSecondFactor(ctx context.Context) (bool, error) {
	c, ok, err := s.store.ExpiredCeremony(ctx, string(secondFactorStep), s.Now())
	if err != nil || !ok {
		return false, err
	}
	w, unreadable := decryptCeremony[pendingSignInState](s, c)
	return true, s.write(ctx, func(tx *store.Tx) error {
		first, err := tx.EndCeremony(ctx, c.IDHash, c.Kind)
		if err != nil || !first || unreadable != nil || !w.NewLocation {
			return err
		}
		user, err := tx.User(ctx, w.UserID)
		if err != nil || user.Disabled {
			return err
		}
		return s.sendAlert(ctx, tx, user, AlertSecondFactorFailed, w.From)
	})
}

// Alert is what a person should have heard of.
type Alert struct {
	Kind  AlertKind
	From  ClientInfo // of the first time, without its address
	At    time.Time  // likewise
	Last  time.Time
	Count int // of one day
}

// maxAlerts is how many a person is shown.
const maxAlerts = 20

// Alerts are those of a person lately, the newest first.
func (s *Service) Alerts(ctx context.Context, userID string) ([]Alert, error) {
	rows, err := s.store.Alerts(ctx, userID, maxAlerts)
	all := make([]Alert, len(rows))
	for i, a := range rows {
		all[i] = Alert{
			Kind: AlertKind(a.Kind), From: ClientInfo{Network: a.Network, Browser: a.Browser},
			At: store.Instant(a.At), Last: store.Instant(a.LastAt), Count: int(a.Count),
		}
	}
	return all, err
}
