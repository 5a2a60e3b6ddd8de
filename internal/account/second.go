package account

import (
	"context"
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

// Needs says what is still to be done before this person is signed in.
func (s *Service) Needs(ctx context.Context, userID string) (Need, error) {
	all, err := s.store.Credentials(ctx, userID)
	switch {
	case err != nil:
		return NeedNothing, err
	case len(all) > 0:
		return NeedSecond, nil
	case s.Required:
		return NeedEnrolment, nil
	default:
		return NeedNothing, nil
	}
}

// Suffices says whether a session of this proof may be used at all.
func (s *Service) Suffices(proof access.Proof) bool { return proof.Level() == 2 || !s.Required }

// freshFor is how long a proof lets a person reveal, export and administer.
const freshFor = time.Hour

// SteppedUp says whether the person behind a session proved who they are a short while
// ago. Where second factors are optional, a password counts for who has nothing else.
func (s *Service) SteppedUp(ctx context.Context, session access.Session) (bool, error) {
	if session.Level == 2 {
		return s.Now().Before(session.Proved.Add(freshFor)), nil
	}
	if s.Required {
		return false, nil
	}
	all, err := s.store.Credentials(ctx, session.UserID)
	return err == nil && len(all) == 0, err
}

// waiting is a log-in between its two steps.
type waiting struct {
	UserID string
	Setup  *TOTPSetup // of who must enrol
}

// Waiting is a log-in that has had its password.
type Waiting struct {
	User     access.User
	Setup    *TOTPSetup // to be added now; nil where a second factor is asked for
	TOTP     bool       // whether a code can be given
	Passkeys bool
}

// AwaitSecond begins the second step, and gives the token that the browser keeps.
func (s *Service) AwaitSecond(ctx context.Context, user access.User, need Need) (token string, err error) {
	token, hash := NewToken()
	w := waiting{UserID: user.UserID}
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
	if err != nil || user.Disabled {
		return Waiting{}, errOver()
	}
	f, err := s.Factors(ctx, user.UserID)
	if err != nil {
		return Waiting{}, err
	}
	if w.Setup != nil && f.Any() {
		return Waiting{}, errOver() // somebody has enrolled meanwhile: begin anew, and show it
	}
	return Waiting{User: user, Setup: w.Setup, TOTP: f.TOTP, Passkeys: f.Passkeys()}, nil
}

// Given is what a person gives to prove who they are: a code of their app, a recovery
// code, or the answer of a passkey.
type Given struct {
	Code    string
	Passkey []byte // JSON of navigator.credentials.get
}

// Second takes what is given in the second step. Who enrols thereby is given recovery
// codes.
func (s *Service) Second(ctx context.Context, token string, given Given) (user access.User, proof access.Proof, recovery []string, err error) {
	w, err := s.Awaited(ctx, token)
	if err != nil {
		return access.User{}, "", nil, err
	}
	over := func(tx *store.Tx) error { return end(ctx, tx, HashToken(token), secondStep) }
	if w.Setup != nil {
		recovery, err = s.confirmTOTP(ctx, w.User, w.Setup.Secret, given.Code, over)
		return w.User, access.ByTOTP, recovery, err
	}
	if proof, err = s.Prove(ctx, HashToken(token), w.User, given); err != nil {
		return access.User{}, "", nil, err
	}
	return w.User, proof, nil, s.write(ctx, over)
}

// secondPace is how waiting grows after wrong codes. Only who knows the password comes
// this far, so it is counted for the person and from everywhere.
func secondPace() pace { return pace{free: 4, longest: 15 * time.Minute} }

// Prove accepts one code of a person's app, one recovery code, or the answer of a passkey
// that was asked for under a hash, once.
func (s *Service) Prove(ctx context.Context, hash string, user access.User, given Given) (access.Proof, error) {
	if len(given.Passkey) > 0 {
		return access.ByPasskey, s.provePasskey(ctx, hash, user, given.Passkey)
	}
	return s.proveCode(ctx, user, given.Code)
}

func (s *Service) proveCode(ctx context.Context, user access.User, code string) (access.Proof, error) {
	counters := []throttled{{s.vault.Digest("second factor", user.UserID), secondPace()}}
	if err := s.admit(ctx, counters); err != nil {
		return "", err
	}
	proof, err := s.judge(ctx, user, foldCode(code))
	if err != nil {
		return "", err
	}
	if proof == "" {
		err := s.write(ctx, func(tx *store.Tx) error {
			return tx.Audit(ctx, store.Audited{ActorID: user.UserID, Action: store.ActSecond, Object: "user:" + user.UserID, Outcome: "refused"})
		})
		if err != nil {
			return "", err
		}
		return "", badCode("This code is wrong, or was used before. Enter the next one that the app shows.")
	}
	return proof, s.forgive(ctx, counters)
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
	ok, err := s.takeTOTP(ctx, c, code)
	if err != nil || !ok {
		return "", err
	}
	return access.ByTOTP, nil
}
