package account

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// AlertKind is the kind of a security alert about a sign-in or a sign-in attempt. Each kind requires the
// right password, a completed sign-in or a recovery code, so nobody else can cause emails to the user. A user
// receives at most one email of a kind per day, however often it happens.
type AlertKind string

// The kinds.
const (
	// signed in with a browser or from a network not seen for this user in ninety days
	AlertNewLocation AlertKind = "new-place"
	// the right password after several wrong ones, from such a location
	AlertPasswordGuessed AlertKind = "guessed"
	// the right password, then a wrong second factor or none
	AlertSecondFactorFailed AlertKind = "half"
	// a recovery code instead of the second factor
	AlertRecovery AlertKind = "recovery"
	// signed out because the user signed in with a sixth browser
	AlertTooManySessions AlertKind = AlertKind(store.AlertTooManySessions)
)

// AlertKinds lists the kinds.
func AlertKinds() []AlertKind {
	return []AlertKind{AlertNewLocation, AlertPasswordGuessed, AlertSecondFactorFailed, AlertRecovery,
		AlertTooManySessions}
}

// mailText returns the text of the email for a kind. It is empty for a kind that is only listed in the
// account, or that is emailed as a change.
func (k AlertKind) mailText() string {
	return map[AlertKind]string{
		AlertNewLocation: "Someone signed in to your account from a new browser or network",
		AlertPasswordGuessed: "Someone entered your correct password from a new browser or network after several " +
			"incorrect attempts",
		AlertSecondFactorFailed: "Someone entered your correct password but didn’t complete the second step",
	}[k]
}

// alertAfterWrongPasswords is how many wrong passwords before the right one cause an alert.
const alertAfterWrongPasswords = 5

// alertAfterWrongCodes is how many wrong codes in a row cause an alert even at a known location.
const alertAfterWrongCodes = 3

// sendAlert stores an alert for a user and emails it where the kind requires that.
func (s *Service) sendAlert(ctx context.Context, tx *store.Tx, user access.User, kind AlertKind,
	from ClientInfo) error {
	first, err := tx.AddAlert(ctx, store.Alert{UserID: user.UserID, Kind: string(kind), Network: from.Network,
		Browser: from.Browser, At: store.Millis(s.Now())})
	if err != nil || !first {
		return err
	}
	if err := tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: store.ActionAlert, Object: "user:" + user.UserID,
		Outcome: "done", Detail: string(kind)}); err != nil {
		return err
	}
	what := kind.mailText()
	if what == "" {
		return nil
	}
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.UnusualSignIn(mail.SignInAttempt{
		To: user.Email, Name: user.Name, What: what, SignedIn: kind == AlertNewLocation, Browser: from.Browser,
		Network: from.Network, At: s.Now().In(user.Zone()), AccountURL: s.PageURL("/account"),
	}))
}

// alertGuessed alerts the user about a right password after several wrong ones; failures includes the right
// one.
func (s *Service) alertGuessed(ctx context.Context, tx *store.Tx, user access.User, failures int64,
	from ClientInfo) error {
	if failures <= alertAfterWrongPasswords {
		return nil
	}
	state, err := tx.SignInState(ctx, from.location(user.UserID))
	if err != nil || state.KnownLocation {
		return err
	}
	return s.sendAlert(ctx, tx, user, AlertPasswordGuessed, from)
}

// alertFailedFactor alerts the user about a wrong second factor: at once at a new location, and after several
// wrong codes at a known one.
func (s *Service) alertFailedFactor(ctx context.Context, w pendingSignInState, user access.User,
	codes attemptCounter) error {
	err := readLimits(ctx, s.store.Queries, []limit{codes})
	if err != nil || !w.NewLocation && codes.failures(s.Now()).Count < alertAfterWrongCodes {
		return err
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		return s.sendAlert(ctx, tx, user, AlertSecondFactorFailed, w.From)
	})
}

// expireSecondFactor processes one pending second step that has expired, and reports whether there was one.
// It alerts the user when the location was new.
func (s *Service) expireSecondFactor(ctx context.Context) (bool, error) {
	c, ok, err := s.store.ExpiredCeremony(ctx, string(secondFactorStep), s.Now())
	if err != nil || !ok {
		return false, err
	}
	w, unreadable := decryptCeremony[pendingSignInState](s, c)
	return true, s.store.Write(ctx, func(tx *store.Tx) error {
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

// Alert is one alert as the user sees it.
type Alert struct {
	Kind  AlertKind
	From  ClientInfo // of the first occurrence, without its IP address
	At    time.Time  // of the first occurrence
	Count int        // within one day
}

// maxAlerts is how many alerts a user sees.
const maxAlerts = 20

// Alerts returns a user's recent alerts, newest first.
func (s *Service) Alerts(ctx context.Context, userID string) ([]Alert, error) {
	rows, err := s.store.Alerts(ctx, userID, maxAlerts)
	all := make([]Alert, len(rows))
	for i, a := range rows {
		all[i] = Alert{
			Kind: AlertKind(a.Kind), From: ClientInfo{Network: a.Network, Browser: a.Browser},
			At: store.Instant(a.At), Count: int(a.Count),
		}
	}
	return all, err
}
