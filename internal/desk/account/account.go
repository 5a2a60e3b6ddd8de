// Package account has the handle of the user's own account: how they sign in, their sessions, and their linked CRMs.
package account

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Account is the user's own account: how they sign in, and their sessions.
type Account struct{ d core.Desk }

// Open returns the user's account; fault.Denied without the permission.
func Open(d core.Desk) (*Account, error) { return core.Opened(&Account{d}, d.MayManageSelf()) }

func (a *Account) may() error { return a.d.MayManageSelf() }

// mayChange refuses to change how the user signs in unless they have just stepped up.
func (a *Account) mayChange() error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.May(access.ChangeSignIn)
}

func (a *Account) self() access.User { return access.User{Actor: a.d.Actor} }

// WorksFor lists for whom an assistant works, unless that is all originators of the company.
func (a *Account) WorksFor(ctx context.Context) ([]lead.Originator, error) {
	if err := a.may(); err != nil || a.d.Actor.Role != access.Assistant || a.d.Actor.WorksFor == access.AllOriginators {
		return nil, err
	}
	return a.d.Store.OriginatorNames(ctx, a.d.Actor.Scope())
}

// Factors returns the factors that the user can sign in with.
func (a *Account) Factors(ctx context.Context) (account.Factors, error) {
	if err := a.may(); err != nil {
		return account.Factors{}, err
	}
	return a.d.Accounts.Factors(ctx, a.d.Actor.UserID)
}

// SetUpTOTP starts adding an authenticator app in a session.
func (a *Account) SetUpTOTP(ctx context.Context, session string) (account.TOTPSetup, error) {
	if err := a.mayChange(); err != nil {
		return account.TOTPSetup{}, err
	}
	return a.d.Accounts.SetUpTOTP(ctx, session, a.self())
}

// AddTOTP finishes adding the authenticator app. It returns recovery codes, which are shown once.
func (a *Account) AddTOTP(ctx context.Context, session, code string) ([]string, error) {
	if err := a.mayChange(); err != nil {
		return nil, err
	}
	return a.d.Accounts.AddTOTP(ctx, session, a.self(), code)
}

// Passkeys reports whether passkeys are enabled.
func (a *Account) Passkeys() bool { return a.d.Accounts.Passkeys() }

// BeginPasskey returns the options with which the browser of a session creates a passkey. AddPasskey stores the
// passkey.
func (a *Account) BeginPasskey(ctx context.Context, session string) ([]byte, error) {
	if err := a.mayChange(); err != nil {
		return nil, err
	}
	return a.d.Accounts.BeginPasskey(ctx, session, a.self())
}

// AddPasskey stores the passkey. It returns recovery codes for users who have none.
func (a *Account) AddPasskey(ctx context.Context, session string, made account.CreatedPasskey) ([]string, error) {
	if err := a.mayChange(); err != nil {
		return nil, err
	}
	return a.d.Accounts.AddPasskey(ctx, session, a.self(), made)
}

// ReplaceRecoveryCodes replaces the recovery codes.
func (a *Account) ReplaceRecoveryCodes(ctx context.Context) ([]string, error) {
	if err := a.mayChange(); err != nil {
		return nil, err
	}
	return a.d.Accounts.ReplaceRecoveryCodes(ctx, a.self())
}

// RemoveFactor removes a factor.
func (a *Account) RemoveFactor(ctx context.Context, id string) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Accounts.RemoveFactor(ctx, a.self(), id)
}

// UnlinkSSO removes single sign-on from the account.
func (a *Account) UnlinkSSO(ctx context.Context) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Accounts.UnlinkSSO(ctx, a.self())
}

// RenameFactor renames a factor.
func (a *Account) RenameFactor(ctx context.Context, id, name string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Accounts.RenameFactor(ctx, a.self(), id, name)
}

// EmailOffer returns the new email address whose mailed link this browser has opened; fault.Conflict when the browser
// has opened no link, or one for another user.
func (a *Account) EmailOffer(ctx context.Context, browser string) (string, error) {
	if err := a.mayChange(); err != nil {
		return "", err
	}
	return a.d.Accounts.OpenedEmailOffer(ctx, a.d.Actor.UserID, browser)
}

// ConfirmEmail makes the offered email address the account's own and ends every session except the current one.
func (a *Account) ConfirmEmail(ctx context.Context, session, browser string) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Accounts.ConfirmEmail(ctx, a.self(), session, browser)
}

// ChangePassword replaces the password and ends every session except the current one.
func (a *Account) ChangePassword(ctx context.Context, session string, p account.Passwords) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Accounts.ChangePassword(ctx, a.self(), session, p)
}

// SetTimeZone stores the time zone in which the user sees times, by its IANA name.
func (a *Account) SetTimeZone(ctx context.Context, zone string) error {
	if err := a.may(); err != nil {
		return err
	}
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		return fault.InvalidField("zone", "Choose a time zone")
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetTimeZone(ctx, a.d.Actor.UserID, zone) })
}

// SetPlainTitles chooses whether the titles of the user's pages name leads by their short ID.
func (a *Account) SetPlainTitles(ctx context.Context, plain bool) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetPlainTitles(ctx, a.d.Actor.UserID, plain) })
}

// SetShortcuts turns single-key shortcuts on or off for the user.
func (a *Account) SetShortcuts(ctx context.Context, on bool) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetShortcutsOff(ctx, a.d.Actor.UserID, !on) })
}

// Alerts returns recent sign-in events that the user should know about, newest first.
func (a *Account) Alerts(ctx context.Context) ([]account.Alert, error) {
	if err := a.may(); err != nil {
		return nil, err
	}
	return a.d.Accounts.Alerts(ctx, a.d.Actor.UserID)
}

// MonthlyReport reports whether the user receives the monthly summary; offered is whether they may.
func (a *Account) MonthlyReport(ctx context.Context) (on, offered bool, err error) {
	if err := a.may(); err != nil || !a.d.Actor.Can(access.SeeTeam) {
		return false, false, err
	}
	on, err = a.d.Store.MonthlyReport(ctx, a.d.Actor.UserID)
	return on, true, err
}

// SetMonthlyReport turns the monthly summary on or off. The first one is the next that becomes due.
func (a *Account) SetMonthlyReport(ctx context.Context, on bool) error {
	if err := a.may(); err != nil {
		return err
	}
	if err := a.d.May(access.SeeTeam); on && err != nil {
		return err
	}
	zone, err := a.d.Store.CompanyZone(ctx, a.d.Company())
	if err != nil {
		return err
	}
	last := lead.LastSummary(a.d.Now().In(zone))
	return a.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetMonthlyReport(ctx, a.d.Actor.UserID, on, last) })
}

// CRMs lists the CRM sign-ins that are linked to the user's account, newest first.
func (a *Account) CRMs(ctx context.Context) ([]embed.Link, error) {
	if err := a.may(); err != nil {
		return nil, err
	}
	return a.d.Embeds.Links(ctx, a.d.Actor.UserID)
}

// DisconnectCRM unlinks one of them by its id; fault.NotFound when it belongs to another user.
func (a *Account) DisconnectCRM(ctx context.Context, id string) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Embeds.Disconnect(ctx, a.d.ActingUnder(access.ChangeSignIn), a.d.Actor.UserID, id)
}

// SessionInfo is one session of a user.
type SessionInfo struct {
	access.Session
	CRM string // the CRM whose frame the session is in; "" for the portal itself
}

// Sessions lists the user's sessions, the most recently used first. It leaves out sessions in a frame that have idled
// out, although their rows are still stored for what was proved in them.
func (a *Account) Sessions(ctx context.Context) ([]SessionInfo, error) {
	if err := a.may(); err != nil {
		return nil, err
	}
	rows, err := a.d.Store.SessionsOf(ctx, a.d.Actor.UserID, a.d.Now())
	if err != nil {
		return nil, err
	}
	var all []SessionInfo
	for _, row := range rows {
		one := SessionInfo{Session: row}
		if row.Client != "" {
			if !a.d.Now().Before(embed.SessionEnds(row)) {
				continue
			}
			client, err := a.d.Store.EmbedClient(ctx, row.Client)
			if err != nil {
				return nil, err
			}
			one.CRM = client.Name
		}
		all = append(all, one)
	}
	return all, nil
}

// EndSession ends one of the user's sessions. If the session is in a frame, EndSession also drops the user's launch
// codes for that CRM, so that no tab can open afterwards.
func (a *Account) EndSession(ctx context.Context, idHash string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error {
		session, user, err := tx.Session(ctx, idHash)
		if fault.Is(err, fault.NotFound) || err == nil && user.UserID != a.d.Actor.UserID {
			return fault.New(fault.NotFound, "That session has already ended.")
		}
		if err != nil {
			return err
		}
		if _, err := tx.EndSessionOf(ctx, a.d.Actor.UserID, idHash); err != nil {
			return err
		}
		if err := tx.RaiseSessionEpoch(ctx, a.d.Actor.UserID); err != nil {
			return err
		}
		if session.Client != "" {
			if err := tx.DropLaunchCodes(ctx, a.d.Actor.UserID, session.Client); err != nil {
				return err
			}
		}
		return tx.AuditOwn(ctx, a.d.Actor.UserID, store.ActionEndSession, session.Client)
	})
}

// EndOtherSessions ends all of the user's sessions except the current one.
func (a *Account) EndOtherSessions(ctx context.Context, here string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.EndSessionsOf(ctx, a.d.Actor.UserID, here); err != nil {
			return err
		}
		if err := tx.RaiseSessionEpoch(ctx, a.d.Actor.UserID); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, a.d.Actor.UserID, store.ActionEndOthers, "")
	})
}
