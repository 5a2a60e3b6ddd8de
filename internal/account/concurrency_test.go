package account

import (
	"runtime"
	"testing"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const nextPassword = "another lantern in the orchard"

// runDuringHash runs an operation up to its first hash, then calls do, and then lets the operation finish. do
// must not hash.
func runDuringHash(t *testing.T, s *Service, operation func() error, do func()) error {
	t.Helper()
	for range cap(s.hasher.running) {
		s.hasher.running <- struct{}{}
	}
	ended := make(chan error, 1)
	go func() { ended <- operation() }()
	for len(s.hasher.queue[unknown])+len(s.hasher.queue[known]) == 0 {
		select {
		case err := <-ended:
			t.Fatalf("the operation ended before it hashed anything: %v", err)
		default:
			runtime.Gosched()
		}
	}
	do()
	for range cap(s.hasher.running) {
		<-s.hasher.running
	}
	return <-ended
}

// hashingOperations are a user's operations that take time between reading and writing.
func hashingOperations(t *testing.T, s *Service, user access.User) map[string]func() error {
	t.Helper()
	ctx := t.Context()
	session := signIn(t, s, user, access.ByPassword).IDHash
	return map[string]func() error{
		"a password change": func() error {
			return s.ChangePassword(ctx, user, session, passwords(goodPassword, nextPassword))
		},
		"an authenticator app": func() error {
			setup, err := s.SetUpTOTP(ctx, session, user)
			if err != nil {
				return err
			}
			code, _ := totp.GenerateCode(setup.Secret, s.Now())
			_, err = s.AddTOTP(ctx, session, user, code)
			return err
		},
		"a passkey": func() error {
			options, err := s.BeginPasskey(ctx, session, user)
			if err != nil {
				return err
			}
			_, err = s.AddPasskey(ctx, session, user, CreatedPasskey{Response: newSoftKey(t).create(options), Name: "Key"})
			return err
		},
		"new recovery codes": func() error { _, err := s.ReplaceRecoveryCodes(ctx, user); return err },
		"a sign-in": func() error {
			_, err := s.SignIn(ctx, user.Email, goodPassword, hereClient)
			return err
		},
		"a sign-in of two steps": func() error {
			s.SecondFactorRequired = true
			result, err := s.SignIn(ctx, user.Email, goodPassword, hereClient)
			if err != nil {
				return err
			}
			_, err = s.PendingSignIn(ctx, result.Token)
			return err
		},
		"a sign-in with another hashing cost": func() error {
			s.hasher.cost.Iterations++
			_, err := s.SignIn(ctx, user.Email, goodPassword, hereClient)
			return err
		},
		"an enrollment": func() error {
			token, err := s.BeginSecondFactor(ctx, user, NeedEnrollment, hereClient)
			if err != nil {
				return err
			}
			w, err := s.PendingSignIn(ctx, token)
			if err != nil {
				return err
			}
			code, _ := totp.GenerateCode(w.Setup.Secret, s.Now())
			_, err = s.FinishSecondFactor(ctx, token, FactorResponse{Code: code}, hereClient)
			return err
		},
		"a reset by email": func() error {
			if err := s.RequestLink(ctx, LinkReset, user.Email, hereClient); err != nil {
				return err
			}
			browser, _, err := s.OpenLink(ctx, tokenIn(t, mailsTo(t, s, user.Email)[0]), hereClient)
			if err != nil {
				return err
			}
			_, err = s.FinishSetUp(ctx, browser, ChosenFactors{Password: pii.Wrap(nextPassword)})
			return err
		},
	}
}

// TestChange_AccountLockedMeanwhile_Conflict locks the account while an intruder is changing its credentials.
func TestChange_AccountLockedMeanwhile_Conflict(t *testing.T) {
	t.Parallel()
	for what := range namedHashingOperations(t) {
		s, rows, user := newServiceForPasskeys(t)
		err := runDuringHash(t, s, hashingOperations(t, s, user)[what], func() {
			if _, err := s.ResetAccount(t.Context(), access.Operator(), user.Email, true); err != nil {
				t.Fatal(err)
			}
		})
		if kind := fault.KindOf(err); err == nil || kind != fault.Conflict && kind != fault.Invalid {
			t.Errorf("%s: got %v, want a rejection", what, err)
		}
		if f, err := s.Factors(t.Context(), user.UserID); err != nil || f.Password || f.HasSecondFactor() ||
			f.RecoveryCodes != 0 {
			t.Errorf("%s: got %+v, %v, want an account that cannot be signed in to", what, f, err)
		}
		if _, err := s.SignIn(t.Context(), user.Email, nextPassword, elsewhereClient); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: the new password: got %v, want a rejection", what, err)
		}
		if broken, _, whole, err := rows.BrokenAudit(t.Context()); err != nil || !whole {
			t.Errorf("%s: the audit breaks at %d, %v", what, broken, err)
		}
	}
}

// TestChange_AccountClosedMeanwhile_Conflict closes the account during a change, and reopens it unchanged.
func TestChange_AccountClosedMeanwhile_Conflict(t *testing.T) {
	t.Parallel()
	for what := range namedHashingOperations(t) {
		s, rows, user := newServiceForPasskeys(t)
		before, _ := rows.PasswordHash(t.Context(), user.UserID)
		err := runDuringHash(t, s, hashingOperations(t, s, user)[what], func() {
			if err := s.Disable(t.Context(), user.Email); err != nil {
				t.Fatal(err)
			}
		})
		if kind := fault.KindOf(err); err == nil || kind != fault.Conflict && kind != fault.Invalid {
			t.Errorf("%s: got %v, want a rejection", what, err)
		}
		if after, _ := rows.PasswordHash(t.Context(), user.UserID); after != before {
			t.Errorf("%s: the password was changed", what)
		}
		if f, err := s.Factors(t.Context(), user.UserID); err != nil || f.HasSecondFactor() || f.RecoveryCodes != 0 {
			t.Errorf("%s: got %+v, %v, want it unchanged", what, f, err)
		}
	}
}

// newServiceForPasskeys is a service that supports passkeys, with an originator who has none.
func newServiceForPasskeys(t *testing.T) (*Service, *store.Store, access.User) {
	t.Helper()
	s, rows, _ := newTestServiceWith(t, Options{Base: portalURL()})
	return s, rows, olivia(t, s)
}

// namedHashingOperations returns the names of the operations.
func namedHashingOperations(t *testing.T) map[string]func() error {
	t.Helper()
	s, _, user := newServiceForPasskeys(t)
	return hashingOperations(t, s, user)
}

// TestChangePassword_Concurrent_OneWins starts two changes with the same current password.
func TestChangePassword_Concurrent_OneWins(t *testing.T) {
	t.Parallel()
	s, rows, user := newServiceForPasskeys(t)
	here, there := signIn(t, s, user, access.ByPassword), signIn(t, s, user, access.ByPassword)
	first := "a first lantern in the orchard"
	hash, err := s.hasher.hash(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	err = runDuringHash(t, s, func() error {
		return s.ChangePassword(t.Context(), user, there.IDHash, passwords(goodPassword, nextPassword))
	}, func() { // the other change, without its hashing
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return s.setPassword(t.Context(), tx, user,
				passwordChange{current: hashOf(t, rows, user), next: hash, keepSession: here.IDHash})
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v, want that the account has changed", err)
	}
	if got := hashOf(t, rows, user); got != hash {
		t.Error("the later change replaced a password that it did not know")
	}
}

func hashOf(t *testing.T, rows *store.Store, user access.User) string {
	t.Helper()
	hash, err := rows.PasswordHash(t.Context(), user.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// TestRehash_PasswordChangedMeanwhile_NotSaved changes the password while a sign-in rehashes it.
func TestRehash_PasswordChangedMeanwhile_NotSaved(t *testing.T) {
	t.Parallel()
	s, rows, user := newServiceForPasskeys(t)
	session := signIn(t, s, user, access.ByPassword)
	next, err := s.hasher.hash(t.Context(), nextPassword)
	if err != nil {
		t.Fatal(err)
	}
	err = runDuringHash(t, s, func() error { return s.rehash(t.Context(), user, hashOf(t, rows, user), goodPassword) },
		func() {
			err := s.store.Write(t.Context(), func(tx *store.Tx) error {
				return s.setPassword(t.Context(), tx, user,
					passwordChange{current: hashOf(t, rows, user), next: next, keepSession: session.IDHash})
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	if err != nil {
		t.Errorf("got %v, want no change and no email", err)
	}
	if got := hashOf(t, rows, user); got != next {
		t.Error("the previous password is back")
	}
}

// TestRecoveryCode_OldSet_KeepsNewSet creates new recovery codes while an old one is being checked.
func TestRecoveryCode_OldSet_KeepsNewSet(t *testing.T) {
	t.Parallel()
	s, _, user, _, codes := newServiceWithTOTP(t, Options{})
	fresh, hashes, err := s.newRecoveryCodes(t.Context(), "a user")
	if err != nil {
		t.Fatal(err)
	}
	err = runDuringHash(t, s, func() error { _, err := s.verifyCode(t.Context(), user, codes[4]); return err }, func() {
		if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.ReplaceRecoveryCodes(t.Context(), user.UserID, hashes)
		}); err != nil {
			t.Fatal(err)
		}
	})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("an old code: got %v, want a rejection", err)
	}
	if _, err := s.verifyCode(t.Context(), user, fresh[4]); err != nil {
		t.Errorf("the new code with the same number: got %v, want it accepted", err)
	}
}

// TestEnroll_Concurrent_OneWins has a second client that knows the password.
func TestEnroll_Concurrent_OneWins(t *testing.T) {
	t.Parallel()
	s, _, at := newTestServiceWith(t, Options{SecondFactorRequired: true})
	user := olivia(t, s)
	enrol := func() (token, code, secret string) {
		t.Helper()
		token, err := s.BeginSecondFactor(t.Context(), user, NeedEnrollment, hereClient)
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.PendingSignIn(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		code, _ = totp.GenerateCode(w.Setup.Secret, at.at)
		return token, code, w.Setup.Secret
	}
	thief, theirs, _ := enrol()
	_, _, own := enrol()
	err := runDuringHash(t, s, func() error {
		_, err := s.FinishSecondFactor(t.Context(), thief, FactorResponse{Code: theirs}, elsewhereClient)
		return err
	}, func() {
		err := s.store.Write(t.Context(), func(tx *store.Tx) error { return s.addTOTP(t.Context(), tx, user, own, 1) })
		if err != nil {
			t.Fatal(err)
		}
	})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v, want it expired", err)
	}
	c, err := s.store.CredentialByHandle(t.Context(), "totp:"+user.UserID)
	if err != nil {
		t.Fatal(err)
	}
	if secret, err := s.vault.Unseal(vault.CredentialAAD(c.ID), c.Sealed); err != nil || string(secret) != own {
		t.Errorf("got another app, %v, want the first one", err)
	}
}

// TestAddPasskey_Concurrent_OneSetOfCodes checks that the codes that were displayed remain valid.
func TestAddPasskey_Concurrent_OneSetOfCodes(t *testing.T) {
	t.Parallel()
	s, _, user := newServiceForPasskeys(t)
	key := func(session string) func() ([]string, error) {
		t.Helper()
		options, err := s.BeginPasskey(t.Context(), session, user)
		if err != nil {
			t.Fatal(err)
		}
		made := CreatedPasskey{Response: newSoftKey(t).create(options), Name: "Key"}
		return func() ([]string, error) { return s.AddPasskey(t.Context(), session, user, made) }
	}
	one, displayed := key("one"), []string(nil)
	codes, hashes, err := s.newRecoveryCodes(t.Context(), "a user")
	if err != nil {
		t.Fatal(err)
	}
	err = runDuringHash(t, s, func() (err error) { displayed, err = one(); return err }, func() {
		if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.ReplaceRecoveryCodes(t.Context(), user.UserID, hashes)
		}); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil || displayed != nil {
		t.Errorf("got %d codes, %v, want the passkey without new codes", len(displayed), err)
	}
	if _, err := s.verifyCode(t.Context(), user, codes[2]); err != nil {
		t.Errorf("a code that was displayed: got %v, want it accepted", err)
	}
}

// TestFinishSetUp_SenderLosesRight_NoLink closes the sender's account while the invitation is accepted.
func TestFinishSetUp_SenderLosesRight_NoLink(t *testing.T) {
	t.Parallel()
	for what, do := range map[string]func(s *Service, by access.User) error{
		"closed": func(s *Service, by access.User) error { return s.Disable(t.Context(), by.Email) },
		"another role": func(s *Service, by access.User) error {
			return s.SetRole(t.Context(), by.Email, access.Assistant)
		},
		"another company": func(s *Service, by access.User) error {
			o := felix() // the directory moves this originator
			o.ID, o.Email, o.Broker = "o-maya", by.Email, &heloc.BrokerCompany{ID: "lakeside", Name: "Lakeside"}
			return s.store.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveOriginator(t.Context(), o, s.Now()) })
		},
	} {
		s, rows, _ := newTestService(t)
		by, err := s.Add(t.Context(), access.User{Actor: access.Actor{Email: "maya@summit.test", Name: "Maya Ortiz",
			Role: access.Manager, OriginatorUUID: "o-maya", BrokerID: "summit"}}, goodPassword)
		if err != nil {
			t.Fatal(err)
		}
		who := access.User{Actor: access.Actor{Email: "ann@summit.test", Name: "Ann Lee", Role: access.Assistant,
			BrokerID: "summit"}}
		if err := s.Invite(t.Context(), access.By{Actor: by.Actor, Permission: access.InvitePeople},
			who, "summit"); err != nil {
			t.Fatal(err)
		}
		browser, _, err := s.OpenLink(t.Context(), tokenIn(t, mailsTo(t, s, who.Email)[0]), hereClient)
		if err != nil {
			t.Fatal(err)
		}
		err = runDuringHash(t, s, func() error {
			_, err := s.FinishSetUp(t.Context(), browser, ChosenFactors{Password: pii.Wrap(goodPassword)})
			return err
		}, func() {
			if err := do(s, by); err != nil {
				t.Fatal(err)
			}
		})
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: got %v, want the link rejected", what, err)
		}
		if _, _, err := rows.UserByEmail(t.Context(), who.Email); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: got %v, want no account", what, err)
		}
	}
}
