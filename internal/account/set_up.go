package account

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// SetUp is the state of a browser that has opened an emailed link.
type SetUp struct {
	Invitation string // its id
	Kind       LinkKind
	By         string      // user id of its creator
	Who        access.User // with a new id, when there is no account yet
	Setup      TOTPSetup
}

// KeepsSecondFactor reports whether the second factor stays as it is, because only the password is new.
func (u SetUp) KeepsSecondFactor() bool { return u.Kind == LinkReset }

// OpenLink starts what a link is for: setting up an account, or confirming a new email address. Only the end
// of the procedure uses up the link, so a mail scanner that opens it first does not invalidate it.
func (s *Service) OpenLink(ctx context.Context, token string,
	from ClientInfo) (browser string, kind LinkKind, err error) {
	tried := s.addressLimit(tryLink, from, attemptCost)
	if err := s.charge(ctx, tried); err != nil {
		return "", "", err
	}
	i, err := s.store.PendingInvitation(ctx, HashToken(token), s.Now())
	if fault.Is(err, fault.NotFound) {
		return "", "", errNoLink()
	}
	if err != nil {
		return "", "", err
	}
	who, err := vault.UnsealJSON[access.User](s.vault, vault.InvitationAAD(i.ID), i.Sealed)
	if err != nil {
		return "", "", err
	}
	browser, hash := NewToken()
	u, step := SetUp{Invitation: i.ID, Kind: LinkKind(i.Kind), By: i.CreatedBy, Who: who}, emailChange
	if u.Kind != LinkNewEmail {
		u.Who.UserID = cmp.Or(who.UserID, uuid.Must(uuid.NewV7()).String())
		u.Setup, step = newTOTPSetup(who.Email), newAccount
	}
	if err := beginCeremony(ctx, s, ceremonyKey{hash, step, i.UserID}, u); err != nil {
		return "", "", err
	}
	return browser, u.Kind, s.accepted(ctx, []limit{tried})
}

// SetUp returns the set-up of a browser's token; fault.Conflict when it has ended.
func (s *Service) SetUp(ctx context.Context, browser string) (SetUp, error) {
	return readCeremony[SetUp](ctx, s, HashToken(browser), newAccount)
}

// BeginPasskeySetUp asks the browser to create the account's passkey.
func (s *Service) BeginPasskeySetUp(ctx context.Context, browser string) ([]byte, error) {
	u, err := s.SetUp(ctx, browser)
	if err != nil {
		return nil, err
	}
	if u.KeepsSecondFactor() {
		return nil, errNoPasskeys()
	}
	return s.BeginPasskey(ctx, HashToken(browser), u.Who)
}

// ChosenFactors is how a user will sign in: with a passkey, or with a password and a code.
type ChosenFactors struct {
	Password pii.Secret[string]
	Code     string // from the authenticator app that the page displays
	Passkey  CreatedPasskey
	From     ClientInfo
	Zone     string // the browser's time zone by its IANA name; any other value counts as none
}

// SetUpResult is the result of a completed set-up.
type SetUpResult struct {
	User          access.User
	Proof         access.Proof
	RecoveryCodes []string // to be displayed once; nil for none
	SignInAgain   bool     // they must sign in: a new password alone does not prove the second factor
}

// setUpWrite is what the transaction writes, prepared before it because hashing takes time.
type setUpWrite struct {
	hash     string
	step     int64
	passkey  *store.Credential
	recovery []string // hashes
}

// FinishSetUp uses up the link and opens the account with the chosen factors.
func (s *Service) FinishSetUp(ctx context.Context, browser string, c ChosenFactors) (SetUpResult, error) {
	hash := HashToken(browser)
	u, err := s.SetUp(ctx, browser)
	if err != nil {
		return SetUpResult{}, err
	}
	if err := s.charge(ctx, s.addressLimit(tryLink, c.From, successCost)); err != nil {
		return SetUpResult{}, err
	}
	if err := s.recheckEligibility(ctx, u); err != nil {
		return SetUpResult{}, err
	}
	if _, err := time.LoadLocation(c.Zone); err == nil && c.Zone != "Local" && u.Who.TimeZone == "" {
		u.Who.TimeZone = c.Zone
	}
	p, entered, err := s.prepareSetUp(ctx, hash, u, c)
	if err != nil {
		return SetUpResult{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		if err := endCeremony(ctx, tx, hash, newAccount); err != nil {
			return err
		}
		if err := checkEligibility(ctx, tx.Queries, u); err != nil {
			return err
		}
		if first, err := tx.UseInvitation(ctx, u.Invitation, s.Now()); err != nil || !first {
			return cmp.Or(err, errNoLink())
		}
		if err := s.saveSetUp(ctx, tx, u, p); err != nil {
			return err
		}
		entered.User, err = tx.User(ctx, u.Who.UserID)
		return err
	})
	return entered, err
}

func (s *Service) prepareSetUp(ctx context.Context, hash string, u SetUp,
	c ChosenFactors) (p setUpWrite, e SetUpResult, err error) {
	e.User = u.Who
	if len(c.Passkey.Response) > 0 && u.Kind != LinkReset {
		row, err := s.newPasskeyCredential(ctx, hash, u.Who, c.Passkey)
		if err != nil {
			return p, e, err
		}
		p.passkey, e.Proof = &row, access.ByPasskey
		e.RecoveryCodes, p.recovery, err = s.newRecoveryCodes(ctx, u.Who.UserID)
		return p, e, err
	}
	if err := CheckPassword(c.Password.Reveal(), personalWords(u.Who)...); err != nil {
		return p, e, err
	}
	if u.Kind == LinkReset {
		e.SignInAgain = true
	} else if e.Proof = access.ByPassword; s.SecondFactorRequired || c.Code != "" {
		if p.step, err = s.checkFirstCode(u.Setup.Secret, c.Code); err != nil {
			return p, e, err
		}
		e.Proof = access.ByTOTP
		if e.RecoveryCodes, p.recovery, err = s.newRecoveryCodes(ctx, u.Who.UserID); err != nil {
			return p, e, err
		}
	}
	p.hash, err = s.hasher.hash(ctx, c.Password.Reveal())
	return p, e, err
}

// saveSetUp writes the account in the transaction that uses up the link.
func (s *Service) saveSetUp(ctx context.Context, tx *store.Tx, u SetUp, p setUpWrite) error {
	id := u.Who.UserID
	switch u.Kind {
	case LinkReset, LinkAccountReset:
		if err := cmp.Or(endAccess(ctx, tx, id, ""), tx.SetPassword(ctx, id, p.hash)); err != nil {
			return err
		}
		done := change{"Your password was reset", store.ActionPasswordReset, ""}
		if u.Kind == LinkAccountReset {
			done = change{"Your password and second factors were reset", store.ActionAccountReset, ""}
			if err := removeSecondFactors(ctx, tx, id); err != nil {
				return err
			}
		}
		if err := s.record(ctx, tx, u.Who, done); err != nil {
			return err
		}
	default:
		if had, err := tx.HasOriginator(ctx, u.Who.OriginatorUUID); err != nil || had {
			return cmp.Or(err, errNoLink())
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
		return tx.ReplaceRecoveryCodes(ctx, id, p.recovery)
	}
	return nil
}

// recheckEligibility looks up a user in the lender's directory who is not in the store yet, and checks that
// the link is still valid. An invitation does not depend on the lender's answer.
func (s *Service) recheckEligibility(ctx context.Context, u SetUp) error {
	if u.Kind == LinkActivate || u.Kind == LinkInvite {
		if _, err := s.inDirectory(ctx, u.Who.Email); err != nil && u.Kind == LinkActivate {
			return err
		}
	}
	return checkEligibility(ctx, s.store.Queries, u)
}

// checkEligibility checks again what was true when the link was made.
func checkEligibility(ctx context.Context, from store.Queries, u SetUp) error {
	switch u.Kind {
	case LinkReset, LinkAccountReset:
		user, err := from.User(ctx, u.Who.UserID)
		if err == nil && user.Disabled {
			return errNoLink()
		}
		return err
	case LinkActivate:
		o, err := originatorFor(ctx, from, u.Who.Email)
		if err == nil && o == nil {
			return errNoLink()
		}
		if err != nil {
			return err
		}
		had, err := from.HasOriginator(ctx, string(o.UUID))
		if err == nil && had {
			return errNoLink()
		}
		return err
	default:
		return checkInvitation(ctx, from, u)
	}
}

// originatorFor returns the originator with an email address in the lender's directory, as last read; nil
// when there is none, or when the originator was removed.
func originatorFor(ctx context.Context, from store.Queries, email string) (*lead.Originator, error) {
	o, err := from.OriginatorByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) || err == nil && o.RemovedAt != 0 {
		return nil, nil
	}
	return &o, err
}

// checkInvitation checks that the sender of an invitation could still send it: an invitation ends with the
// account or the role of its sender, so that nobody can invite themselves before they leave. Somebody who has
// become an originator meanwhile must use their own link.
func checkInvitation(ctx context.Context, from store.Queries, u SetUp) error {
	by, err := from.User(ctx, u.By)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	sameCompany := by.Role == access.Admin ||
		access.CompanyOf(by.BrokerID, by.Organization) == access.CompanyOf(u.Who.BrokerID, u.Who.Organization)
	if err != nil || by.Disabled || !sameCompany || !slices.Contains(by.Role.Invites(), u.Who.Role) {
		return errNoLink()
	}
	o, err := originatorFor(ctx, from, u.Who.Email)
	if err == nil && u.Who.Role == access.Originator && (o == nil || string(o.UUID) != u.Who.OriginatorUUID ||
		access.CompanyOf(o.BrokerID, o.Organization) != u.Who.Company()) {
		return errNoLink()
	}
	if err == nil && o != nil && string(o.UUID) != u.Who.OriginatorUUID {
		return fault.New(fault.Conflict, "You’re now in the lender’s directory as a loan originator. "+
			"Request your own link here instead of using the invitation.")
	}
	return err
}
