package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// settingUp is what a browser does that opened a mailed link.
type settingUp struct {
	Invitation string // its id
	Kind       LinkKind
	By         string      // user id of who made it
	Who        access.User // with a fresh id, when they have no account yet
	Setup      TOTPSetup
}

// SetUp is the same for a page.
type SetUp struct {
	Kind     LinkKind
	Who      access.User
	Setup    TOTPSetup
	Required bool // a password alone is not enough
}

// Keeps says that the second factor stays as it is: only the password is new.
func (u SetUp) Keeps() bool { return u.Kind == LinkReset }

// OpenLink begins what a link is for: to set an account up, or to take another address. The link is used up by the end of it alone, so
// that whoever looks at mails before their reader does spoils nothing.
func (s *Service) OpenLink(ctx context.Context, token string, from From) (browser string, kind LinkKind, err error) {
	if err := s.try(ctx, useLink, from); err != nil {
		return "", "", err
	}
	i, err := s.store.OpenInvitation(ctx, HashToken(token), s.Now())
	if fault.KindOf(err) == fault.NotFound && err != nil {
		return "", "", errNoLink()
	}
	if err != nil {
		return "", "", err
	}
	who, err := vault.UnsealJSON[access.User](s.vault, placeOfInvitation(i.ID), i.Sealed)
	if err != nil {
		return "", "", err
	}
	kind = LinkKind(i.Kind)
	if kind == LinkAddress {
		browser, err = s.openOffer(ctx, i, who)
	} else {
		browser, err = s.beginSetUp(ctx, i, who)
	}
	if err != nil {
		return "", "", err
	}
	return browser, kind, s.succeeded(ctx, useLink, from)
}

func (s *Service) beginSetUp(ctx context.Context, i store.Invitation, who access.User) (browser string, err error) {
	if who.UserID == "" {
		who.UserID = uuid.Must(uuid.NewV7()).String()
	}
	browser, hash := NewToken()
	u := settingUp{Invitation: i.ID, Kind: LinkKind(i.Kind), By: i.CreatedBy, Who: who, Setup: newTOTPSetup(who.Email)}
	return browser, begin(ctx, s, begun{hash, newAccount, i.UserID}, u)
}

// SettingUp is what a browser's token stands for; fault.Conflict when it is over.
func (s *Service) SettingUp(ctx context.Context, browser string) (SetUp, error) {
	u, err := look[settingUp](ctx, s, HashToken(browser), newAccount)
	if err != nil {
		return SetUp{}, err
	}
	return SetUp{Kind: u.Kind, Who: u.Who, Setup: u.Setup, Required: s.Required}, nil
}

// BeginPasskeySetUp asks the browser to make the account's passkey.
func (s *Service) BeginPasskeySetUp(ctx context.Context, browser string) ([]byte, error) {
	u, err := s.SettingUp(ctx, browser)
	if err != nil {
		return nil, err
	}
	if u.Keeps() {
		return nil, errNoPasskeys()
	}
	return s.BeginPasskey(ctx, HashToken(browser), u.Who)
}

// Chosen is how a person will sign in: by a passkey, or a password and a code.
type Chosen struct {
	Password pii.Secret[string]
	Code     string // of the authenticator app that the page shows
	Passkey  Made
	From     From
	Zone     string // in which the browser tells the time, by its IANA name; anything else counts as none
}

// Entered is who has set their account up.
type Entered struct {
	User     access.User
	Proof    access.Proof
	Recovery []string // to be shown once; nil for none
	Again    bool     // they sign in anew: a new password alone proves no second factor
}

// prepared is what there is to write, made outside the transaction: hashing takes time.
type prepared struct {
	hash     string
	step     int64
	passkey  *store.Credential
	recovery []string // hashes
}

// FinishSetUp uses the link up and opens the account with what was chosen.
func (s *Service) FinishSetUp(ctx context.Context, browser string, c Chosen) (Entered, error) {
	hash := HashToken(browser)
	u, err := look[settingUp](ctx, s, hash, newAccount)
	if err != nil {
		return Entered{}, err
	}
	if err := s.ask(ctx, useLink, c.From); err != nil {
		return Entered{}, err
	}
	if err := s.stillWelcome(ctx, u); err != nil {
		return Entered{}, err
	}
	if _, err := time.LoadLocation(c.Zone); err == nil && c.Zone != "Local" && u.Who.TimeZone == "" {
		u.Who.TimeZone = c.Zone
	}
	p, entered, err := s.prepare(ctx, hash, u, c)
	if err != nil {
		return Entered{}, err
	}
	err = s.write(ctx, func(tx *store.Tx) error {
		if err := end(ctx, tx, hash, newAccount); err != nil {
			return err
		}
		if err := welcome(ctx, tx, u); err != nil {
			return err
		}
		first, err := tx.UseInvitation(ctx, u.Invitation, s.Now())
		if err != nil {
			return err
		}
		if !first {
			return errNoLink()
		}
		if err := s.settle(ctx, tx, u, p); err != nil {
			return err
		}
		entered.User, err = tx.User(ctx, u.Who.UserID)
		return err
	})
	return entered, err
}

func (s *Service) prepare(ctx context.Context, hash string, u settingUp, c Chosen) (p prepared, e Entered, err error) {
	e.User = u.Who
	if len(c.Passkey.Answer) > 0 && u.Kind != LinkReset {
		row, err := s.madePasskey(ctx, hash, u.Who, c.Passkey)
		if err != nil {
			return p, e, err
		}
		p.passkey, e.Proof = &row, access.ByPasskey
		e.Recovery, p.recovery, err = s.newRecovery(ctx)
		return p, e, err
	}
	if err := CheckPassword(c.Password.Reveal(), about(u.Who)...); err != nil {
		return p, e, err
	}
	if u.Kind == LinkReset {
		e.Again = true
	} else if e.Proof = access.ByPassword; s.Required || c.Code != "" {
		if p.step, err = stepOf(u.Setup.Secret, foldCode(c.Code), s.Now()); err != nil {
			return p, e, err
		}
		if p.step == 0 {
			return p, e, badCode("This is not the code that the app shows now. Check the clock of your phone, then enter the next code.")
		}
		e.Proof = access.ByTOTP
		if e.Recovery, p.recovery, err = s.newRecovery(ctx); err != nil {
			return p, e, err
		}
	}
	p.hash, err = s.hasher.hash(ctx, c.Password.Reveal())
	return p, e, err
}

// settle writes the account in the transaction that uses the link up.
func (s *Service) settle(ctx context.Context, tx *store.Tx, u settingUp, p prepared) error {
	id := u.Who.UserID
	switch u.Kind {
	case LinkReset, LinkRenew:
		if _, err := tx.EndSessionsOf(ctx, id, ""); err != nil {
			return err
		}
		if err := tx.EndBegun(ctx, id, ""); err != nil {
			return err
		}
		if err := tx.SetPassword(ctx, id, p.hash); err != nil {
			return err
		}
		act, what := store.ActPasswordReset, "Your password was reset"
		if u.Kind == LinkRenew {
			act, what = store.ActPasswordRenew, "Your password and second factors were set up anew"
			if err := disarm(ctx, tx, id); err != nil {
				return err
			}
		}
		if err := tx.AuditOwn(ctx, id, act, ""); err != nil {
			return err
		}
		if err := s.Tell(ctx, tx, u.Who, what); err != nil {
			return err
		}
	default:
		if had, err := tx.HasOriginator(ctx, u.Who.OriginatorUUID); err != nil || had {
			return orNoLink(err)
		}
		if err := tx.AddUser(ctx, u.Who, p.hash); err != nil {
			return err
		}
	}
	if p.step != 0 {
		if err := s.addTOTP(ctx, tx, u.Who, u.Setup.Secret, p.step); err != nil {
			return err
		}
	}
	if p.passkey != nil {
		if err := addPasskey(ctx, tx, *p.passkey); err != nil {
			return err
		}
	}
	if p.recovery != nil {
		return tx.ReplaceRecovery(ctx, id, p.recovery)
	}
	return nil
}
