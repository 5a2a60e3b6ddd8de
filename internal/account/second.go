package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// Need is what a person still has to do after their password.
type Need int

// The needs.
const (
	NeedNothing   Need = iota
	NeedSecond         // show the second factor that they have
	NeedEnrolment      // have none, and need one: add it now
)

// errElsewhere is the answer to whoever has a second factor at the sign-on provider and none
// here: to add one by a password, which a mailbox resets, would go around it.
func errElsewhere() error {
	return fault.New(fault.Invalid, "Your second factor is at your organization’s single sign-on: sign in by that. If you cannot, your administrator can let you begin anew.")
}

// noteElsewhere audits a log-in that ends there, and is the refusal.
func (s *Service) noteElsewhere(ctx context.Context, userID string) error {
	err := s.write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.Audited{ActorID: "nobody", Action: store.ActLogIn, Object: "user:" + userID, Outcome: "refused", Detail: string(access.ByPassword)})
	})
	if err != nil {
		return err
	}
	return errElsewhere()
}

// Needs says what is still to be done before this person is signed in; fault.Invalid when
// they can come in by the sign-on provider alone.
func (s *Service) Needs(ctx context.Context, userID string) (Need, error) {
	all, err := s.store.Credentials(ctx, userID)
	switch {
	case err != nil:
		return NeedNothing, err
	case len(all) > 0:
		return NeedSecond, nil
	case s.Required:
		elsewhere, err := s.store.HasStrongIdentity(ctx, userID)
		if err == nil && elsewhere {
			err = s.noteElsewhere(ctx, userID)
		}
		return NeedEnrolment, err
	default:
		return NeedNothing, nil
	}
}

// Suffices says whether a session of this proof may be used at all.
func (s *Service) Suffices(proof access.Proof) bool { return proof.Level() == 2 || !s.Required }

// freshFor is how long a proof lets a person reveal, export and administer.
const freshFor = time.Hour

// ProvedUntil is until when the person behind a session counts as having proved lately who
// they are. Where second factors are optional, a password counts as long as it opens
// anything, for who has nothing else.
func (s *Service) ProvedUntil(session access.Session) time.Time {
	switch {
	case session.Level == 2:
		return session.Proved.Add(freshFor)
	case s.Required || session.Second:
		return time.Time{}
	default:
		return session.Expires
	}
}

// waiting is a log-in between its two steps.
type waiting struct {
	UserID string
	Turn   int        // theirs when the password was looked at
	Setup  *TOTPSetup // of who must enrol
	From   From
	New    bool // the person was not seen there lately
}

// Waiting is a log-in that has had its password.
type Waiting struct {
	User     access.User
	Setup    *TOTPSetup // to be added now; nil where a second factor is asked for
	TOTP     bool       // whether a code can be given
	Passkeys bool

	begun waiting
}

// AwaitSecond begins the second step, and gives the token that the browser keeps.
func (s *Service) AwaitSecond(ctx context.Context, user access.User, need Need, from From) (token string, err error) {
	known, err := s.store.HasPlace(ctx, from.place(user.UserID))
	if err != nil {
		return "", err
	}
	token, hash := NewToken()
	w := waiting{UserID: user.UserID, Turn: user.Turn, From: from, New: !known}
	if need == NeedEnrolment {
		setup := newTOTPSetup(user.Email)
		w.Setup = &setup
	}
	return token, begin(ctx, s, begun{hash, secondStep, user.UserID}, w)
}

// Awaited is the log-in that a browser's token stands for; fault.Conflict when it is over.
func (s *Service) Awaited(ctx context.Context, token string) (Waiting, error) {
	w, err := look[waiting](ctx, s, HashToken(token), secondStep)
	if err != nil {
		return Waiting{}, err
	}
	user, err := s.store.User(ctx, w.UserID)
	if err != nil || user.Disabled || user.Turn != w.Turn {
		return Waiting{}, errOver()
	}
	f, err := s.Factors(ctx, user.UserID)
	if err != nil {
		return Waiting{}, err
	}
	if w.Setup != nil {
		if err := unarmed(ctx, s.store, user.UserID); err != nil {
			return Waiting{}, err
		}
	}
	return Waiting{User: user, Setup: w.Setup, TOTP: f.TOTP, Passkeys: f.Passkeys(), begun: w}, nil
}

// unarmed refuses to add the first second factor where somebody has one by now, here or at
// the provider: begin anew, and show it. It is asked of the database, or in a transaction.
func unarmed(ctx context.Context, from interface {
	Credentials(ctx context.Context, userID string) ([]store.Credential, error)
	HasStrongIdentity(ctx context.Context, userID string) (bool, error)
}, userID string) error {
	all, err := from.Credentials(ctx, userID)
	if err != nil {
		return err
	}
	if elsewhere, err := from.HasStrongIdentity(ctx, userID); err != nil {
		return err
	} else if elsewhere || len(all) > 0 {
		return errOver()
	}
	return nil
}

// Given is what a person gives to prove who they are: a code of their app, a recovery
// code, or the answer of a passkey.
type Given struct {
	Code    string
	Passkey []byte // JSON of navigator.credentials.get
}

// Passed is who has taken the second step.
type Passed struct {
	User     access.User
	Proof    access.Proof
	Recovery []string // of who has enrolled thereby, to be shown once
}

// Second takes what is given in the second step. Who enrols thereby is given recovery
// codes.
func (s *Service) Second(ctx context.Context, token string, given Given, from From) (Passed, error) {
	w, err := s.Awaited(ctx, token)
	if err != nil {
		return Passed{}, err
	}
	charged, err := s.admit(ctx, s.measure(giveSecond, from, tryCosts))
	if err != nil {
		return Passed{}, err
	}
	counter := s.secondCount(w.User.UserID, from)
	p := Passed{User: w.User, Proof: access.ByTOTP}
	over := func(tx *store.Tx) error { return end(ctx, tx, HashToken(token), secondStep) }
	if w.Setup != nil {
		p.Recovery, err = s.confirmTOTP(ctx, w.User, w.Setup.Secret, given.Code, func(tx *store.Tx) error {
			if err := unarmed(ctx, tx, w.User.UserID); err != nil {
				return err
			}
			return over(tx)
		})
	} else if p.Proof, err = s.provedBy(ctx, HashToken(token), w.User, given, counter); err == nil {
		err = s.unlessChanged(ctx, w.User, over)
	}
	if fault.KindOf(err) == fault.Invalid && err != nil && w.Setup == nil {
		return Passed{}, errors.Join(err, s.missed(ctx, w.begun, w.User, counter))
	}
	if fault.KindOf(err) == fault.Unavailable && err != nil {
		return Passed{}, s.unchecked(ctx, charged, err)
	}
	if err != nil {
		return Passed{}, err
	}
	return p, s.succeeded(ctx, giveSecond, from)
}

// provedBy accepts what is given in the second step of a sign-in.
func (s *Service) provedBy(ctx context.Context, hash string, user access.User, given Given, counter throttled) (access.Proof, error) {
	if len(given.Passkey) > 0 {
		return access.ByPasskey, s.provePasskey(ctx, hash, user, given.Passkey)
	}
	return s.checkCode(ctx, user, given.Code, counter)
}

// secondPace is how waiting grows after wrong codes.
func secondPace() pace { return pace{free: 4, longest: 15 * time.Minute} }

// Prove accepts one code of a person's app, one recovery code, or the answer of a passkey
// that was asked for under a hash, once.
func (s *Service) Prove(ctx context.Context, hash string, user access.User, given Given) (access.Proof, error) {
	if len(given.Passkey) > 0 {
		return access.ByPasskey, s.provePasskey(ctx, hash, user, given.Passkey)
	}
	return s.proveCode(ctx, user, given.Code)
}

// proveCode accepts a code of a user who is signed in.
func (s *Service) proveCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	return s.checkCode(ctx, user, code, s.throttle(secondPace(), "step-up", user.UserID))
}

// secondCount counts wrong codes of a sign-in. Only somebody who knows the password comes this
// far. A code is short, so they are counted for the account and from everywhere; but a device
// of the account has a count of its own, and so has a signed-in user who is asked again: whoever
// has stolen the password cannot use those up.
func (s *Service) secondCount(userID string, from From) throttled {
	if device := s.device(from.Device, userID); device != "" {
		return s.throttle(secondPace(), "second factor device", userID, device)
	}
	return s.throttle(secondPace(), "second factor", userID)
}

func (s *Service) checkCode(ctx context.Context, user access.User, code string, counter throttled) (access.Proof, error) {
	charged, err := s.admit(ctx, counter)
	if err != nil {
		return "", err
	}
	proof, err := s.judge(ctx, user, foldCode(code))
	if err != nil {
		return "", s.unchecked(ctx, charged, err)
	}
	if proof == "" {
		refused := store.Audited{ActorID: user.UserID, Action: store.ActSecond, Object: "user:" + user.UserID, Outcome: "refused"}
		if err := s.noteRefusal(ctx, refusal{refused, true}, From{}); err != nil {
			return "", err
		}
		return "", badCode("This code is wrong, or was used before. Enter the next one that the app shows.")
	}
	return proof, s.forgive(ctx, counter)
}

func (s *Service) judge(ctx context.Context, user access.User, code string) (access.Proof, error) {
	if !isTOTP(code) {
		ok, err := s.takeRecovery(ctx, user, code)
		if err != nil || !ok {
			return "", err
		}
		return access.ByRecovery, nil
	}
	c, err := s.store.CredentialByHandle(ctx, "totp:"+user.UserID)
	if fault.KindOf(err) == fault.NotFound && err != nil {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("account: authenticator app: %w", err)
	}
	ok, err := s.takeTOTP(ctx, user, c, code)
	if err != nil || !ok {
		return "", err
	}
	return access.ByTOTP, nil
}
