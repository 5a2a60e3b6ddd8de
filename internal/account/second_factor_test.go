package account

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/vault"
)

// newServiceWithTOTP is a service whose originator has an authenticator app.
func newServiceWithTOTP(t *testing.T, options Options) (s *Service, at *clock, user access.User, show func() string,
	recovery []string) {
	t.Helper()
	s, _, at = newTestServiceWith(t, options)
	user = olivia(t, s)
	setup, err := s.SetUpTOTP(t.Context(), "a session", user)
	if err != nil {
		t.Fatal(err)
	}
	show = func() string {
		code, err := totp.GenerateCode(setup.Secret, at.at)
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	if recovery, err = s.AddTOTP(t.Context(), "a session", user, show()); err != nil {
		t.Fatal(err)
	}
	return s, at, user, show, recovery
}

func TestStepUp_TOTPReplay_Refused(t *testing.T) {
	t.Parallel()
	s, at, user, show, _ := newServiceWithTOTP(t, Options{})
	if _, err := s.verifyCode(t.Context(), user, show()); !fault.Is(err, fault.Invalid) {
		t.Fatalf("the code that enrolled: got %v, want a rejection", err)
	}
	at.at = at.at.Add(30 * time.Second)
	code := show()
	if proof, err := s.verifyCode(t.Context(), user, code[:3]+" "+code[3:]); err != nil || proof != access.ByTOTP {
		t.Fatalf("a fresh code: got %q, %v, want it accepted", proof, err)
	}
	if _, err := s.verifyCode(t.Context(), user, code); !fault.Is(err, fault.Invalid) {
		t.Errorf("the same code again: got %v, want a rejection", err)
	}
}

func TestStepUp_TOTPSkew_OneStep(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[int]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
		s, at, user, show, _ := newServiceWithTOTP(t, Options{})
		phone := at.at.Add(10 * time.Minute)
		at.at = phone
		code := show()
		at.at = phone.Add(time.Duration(-ahead) * 30 * time.Second)
		if _, err := s.verifyCode(t.Context(), user, code); (err == nil) != want {
			t.Errorf("a phone %d steps ahead: got %v, want accepted %v", ahead, err, want)
		}
	}
}

func TestStepUp_EarlierTOTPStep_Refused(t *testing.T) {
	t.Parallel()
	s, at, user, show, _ := newServiceWithTOTP(t, Options{})
	at.at = at.at.Add(5 * time.Minute)
	earlier := show()
	at.at = at.at.Add(30 * time.Second)
	if _, err := s.verifyCode(t.Context(), user, show()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.verifyCode(t.Context(), user, earlier); err == nil {
		t.Error("a code of the step before the last accepted one was accepted")
	}
}

func TestStepUp_RecoveryCode_Once(t *testing.T) {
	t.Parallel()
	s, _, user, _, codes := newServiceWithTOTP(t, Options{})
	if len(codes) != recoveryCodes {
		t.Fatalf("got %d codes, want %d", len(codes), recoveryCodes)
	}
	typed := strings.ToLower(strings.ReplaceAll(codes[3], "-", " "))
	if proof, err := s.verifyCode(t.Context(), user, typed); err != nil || proof != access.ByRecovery {
		t.Fatalf("got %q, %v, want the recovery code accepted", proof, err)
	}
	if _, err := s.verifyCode(t.Context(), user, codes[3]); !fault.Is(err, fault.Invalid) {
		t.Errorf("the same again: got %v, want a rejection", err)
	}
	if f, err := s.Factors(t.Context(), user.UserID); err != nil || f.RecoveryCodes != recoveryCodes-1 {
		t.Errorf("got %d codes left, %v, want %d", f.RecoveryCodes, err, recoveryCodes-1)
	}
	fresh, err := s.ReplaceRecoveryCodes(t.Context(), user)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.verifyCode(t.Context(), user, codes[5]); err == nil {
		t.Error("a code of the earlier set still works")
	}
	if _, err := s.verifyCode(t.Context(), user, fresh[5]); err != nil {
		t.Errorf("a code of the new set: %v", err)
	}
}

func TestRecoveryCodes_RandomAndHashed(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	codes, hashes, err := s.newRecoveryCodes(t.Context(), "a user")
	if err != nil || len(codes) != recoveryCodes || len(hashes) != recoveryCodes {
		t.Fatalf("got %d codes, %d hashes, %v, want %d", len(codes), len(hashes), err, recoveryCodes)
	}
	for i, hash := range hashes {
		if !strings.HasPrefix(hash, "$argon2id$") || strings.Contains(hash, foldCode(codes[i])) {
			t.Errorf("got the hash %q, want argon2id", hash)
		}
	}
	if bits := 5 * (len(foldCode(codes[0])) - 1); bits < 80 { // the first character is the number of the code
		t.Errorf("got %d random bits, want 80", bits)
	}
	for at := 1; at < len(foldCode(codes[0])); at++ {
		letters := map[byte]bool{}
		for _, code := range codes {
			letters[foldCode(code)[at]] = true
		}
		if len(letters) == 1 {
			t.Errorf("all codes have the same character at position %d", at)
		}
	}
}

// TestHashCosts_MeetRecommendation compares the costs with OWASP's recommended minimums for argon2id.
func TestHashCosts_MeetRecommendation(t *testing.T) {
	t.Parallel()
	for what, cost := range map[string]Cost{"a password": DefaultCost(), "a recovery code": recoveryCost(DefaultCost())} {
		if cost.MemoryKiB < 19*1024 || cost.Iterations < 2 {
			t.Errorf("%s: got %+v, want 19 MiB and two passes", what, cost)
		}
	}
}

func TestCredentials_Database_HasNoSecret(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	user := olivia(t, s)
	setup, err := s.SetUpTOTP(t.Context(), "a session", user)
	if err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(setup.Secret, s.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddTOTP(t.Context(), "a session", user, code); err != nil {
		t.Fatal(err)
	}
	all, err := rows.Credentials(t.Context(), user.UserID)
	if err != nil || len(all) != 1 {
		t.Fatalf("got %d credentials, %v, want one", len(all), err)
	}
	if strings.Contains(string(all[0].Sealed), setup.Secret) {
		t.Error("the row contains the secret in plaintext")
	}
	moved := all[0]
	moved.ID = "another-row"
	if _, err := s.vault.Unseal(vault.CredentialAAD(moved.ID), moved.Sealed); err == nil {
		t.Error("a secret can be decrypted in another row")
	}
}

func TestStepUp_WrongCodes_TooSoon(t *testing.T) {
	t.Parallel()
	s, at, user, show, _ := newServiceWithTOTP(t, Options{})
	at.at = at.at.Add(5 * time.Minute)
	for i := range 5 {
		if _, err := s.verifyCode(t.Context(), user, "000000"); !fault.Is(err, fault.Invalid) {
			t.Fatalf("attempt %d: got %v, want a plain rejection", i+1, err)
		}
	}
	_, err := s.verifyCode(t.Context(), user, show())
	if soon, ok := errors.AsType[*TooSoon](err); !ok || soon.Wait != time.Second {
		t.Fatalf("after five: got %v, want a wait of a second", err)
	}
	at.at = at.at.Add(time.Second)
	if _, err := s.verifyCode(t.Context(), user, show()); err != nil {
		t.Errorf("after the wait: %v; no account is ever locked", err)
	}
}

func TestFinishSecondFactor_Once(t *testing.T) {
	t.Parallel()
	s, at, user, show, _ := newServiceWithTOTP(t, Options{})
	if need := needOf(t, s, user); need != NeedSecondFactor {
		t.Fatalf("got need %v, want the second factor", need)
	}
	token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	at.at = at.at.Add(time.Minute)
	if _, err := s.FinishSecondFactor(t.Context(), "another browser's", FactorResponse{Code: show()},
		hereClient); !fault.Is(err, fault.Conflict) {
		t.Fatalf("another token: got %v, want no pending sign-in", err)
	}
	got, err := s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: show()}, hereClient)
	if err != nil || got.User.UserID != user.UserID || got.Proof != access.ByTOTP {
		t.Fatalf("got %q with %q, %v", got.User.UserID, got.Proof, err)
	}
	at.at = at.at.Add(time.Minute)
	if _, err := s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: show()}, hereClient); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("finished twice: got %v, want it expired", err)
	}
}

func TestFinishSecondFactor_TooLate_Conflict(t *testing.T) {
	t.Parallel()
	s, at, user, show, _ := newServiceWithTOTP(t, Options{})
	token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	at.at = at.at.Add(ceremonyTime)
	if _, err := s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: show()}, hereClient); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("got %v, want it expired", err)
	}
}

func TestFinishSecondFactor_Required_Enrolls(t *testing.T) {
	t.Parallel()
	s, _, at := newTestServiceWith(t, Options{SecondFactorRequired: true})
	user := olivia(t, s)
	if need := needOf(t, s, user); need != NeedEnrollment {
		t.Fatalf("got need %v, want enrollment", need)
	}
	token, err := s.BeginSecondFactor(t.Context(), user, NeedEnrollment, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.PendingSignIn(t.Context(), token)
	if err != nil || w.Setup == nil {
		t.Fatalf("got %+v, %v, want an app to add", w, err)
	}
	code, err := totp.GenerateCode(w.Setup.Secret, at.at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: "123"}, hereClient); !fault.Is(err,
		fault.Invalid) {
		t.Errorf("a wrong code: got %v, want a rejection", err)
	}
	p, err := s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: code}, hereClient)
	if err != nil || p.Proof != access.ByTOTP || len(p.RecoveryCodes) != recoveryCodes {
		t.Fatalf("got %q, %d codes, %v", p.Proof, len(p.RecoveryCodes), err)
	}
	// An attacker with the password who started earlier cannot finish now.
	all, _ := s.Factors(t.Context(), user.UserID)
	if err := s.RemoveFactor(t.Context(), user, all.SecondFactors[0].ID); !fault.Is(err, fault.Conflict) {
		t.Errorf("removing the last one: got %v, want a rejection", err)
	}
}

// TestFinishSecondFactor_FirstPasskey_Enrolls has a user without a second factor create a passkey in their first
// sign-in. Once they have one, a sign-in begun earlier with the password alone cannot add another.
func TestFinishSecondFactor_FirstPasskey_Enrolls(t *testing.T) {
	t.Parallel()
	s, _, at := newTestServiceWith(t, Options{SecondFactorRequired: true, Base: portalURL()})
	user, key := olivia(t, s), newSoftKey(t)
	begin := func() (token string, created FactorResponse) {
		t.Helper()
		token, err := s.BeginSecondFactor(t.Context(), user, NeedEnrollment, hereClient)
		if err != nil {
			t.Fatal(err)
		}
		options, err := s.BeginSecondFactorPasskey(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return token, FactorResponse{Passkey: key.create(options), Name: "Phone"}
	}
	late, stolen := begin()
	token, created := begin()
	p, err := s.FinishSecondFactor(t.Context(), token, created, hereClient)
	if err != nil || p.Proof != access.ByPasskey || len(p.RecoveryCodes) != recoveryCodes {
		t.Fatalf("got %q, %d codes, %v", p.Proof, len(p.RecoveryCodes), err)
	}
	if f, err := s.Factors(t.Context(), user.UserID); err != nil || !f.HasPasskey() || f.SecondFactors[0].Name != "Phone" {
		t.Errorf("got %+v, %v, want the passkey", f, err)
	}
	if _, err := s.FinishSecondFactor(t.Context(), late, stolen, hereClient); !fault.Is(err, fault.Conflict) {
		t.Errorf("a passkey after the first: got %v, want it expired", err)
	}
	at.at = at.at.Add(time.Minute)
	if need := needOf(t, s, user); need != NeedSecondFactor {
		t.Errorf("got need %v, want the passkey asked for", need)
	}
}

func TestFinishSecondFactor_EnrolledElsewhere_Conflict(t *testing.T) {
	t.Parallel()
	s, _, at := newTestServiceWith(t, Options{SecondFactorRequired: true})
	user := olivia(t, s)
	attacker, err := s.BeginSecondFactor(t.Context(), user, NeedEnrollment, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	stolen, _ := s.PendingSignIn(t.Context(), attacker)
	owner, err := s.BeginSecondFactor(t.Context(), user, NeedEnrollment, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	own, _ := s.PendingSignIn(t.Context(), owner)
	code, _ := totp.GenerateCode(own.Setup.Secret, at.at)
	if _, err := s.FinishSecondFactor(t.Context(), owner, FactorResponse{Code: code}, hereClient); err != nil {
		t.Fatal(err)
	}
	code, _ = totp.GenerateCode(stolen.Setup.Secret, at.at)
	if _, err := s.FinishSecondFactor(t.Context(), attacker, FactorResponse{Code: code}, hereClient); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("got %v, want it expired", err)
	}
}

func TestElevatedUntil(t *testing.T) {
	t.Parallel()
	steppedUp := func(s *Service, session access.Session) bool {
		t.Helper()
		found, user, err := s.store.Session(t.Context(), session.IDHash)
		if err != nil {
			t.Fatal(err)
		}
		user.ElevatedUntil = s.ElevatedUntil(found)
		return user.Elevated(s.Now())
	}
	for _, required := range []bool{false, true} {
		s, _, at := newTestServiceWith(t, Options{SecondFactorRequired: required})
		user := olivia(t, s)
		if got := steppedUp(s, signIn(t, s, user, access.ByPassword)); got == required {
			t.Errorf("required %v, only a password: got %v, want %v", required, got, !required)
		}
		strong := signIn(t, s, user, access.ByTOTP)
		if !steppedUp(s, strong) {
			t.Errorf("required %v: a new code does not count", required)
		}
		at.at = at.at.Add(elevationLifetime)
		if steppedUp(s, strong) {
			t.Errorf("required %v: a code from an hour ago still counts", required)
		}
	}
	s, _, user, _, _ := newServiceWithTOTP(t, Options{})
	if steppedUp(s, signIn(t, s, user, access.ByPassword)) {
		t.Error("a password alone counts for a user with a second factor")
	}
}

func TestChangePassword_WrongCurrent_Refused(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	user := olivia(t, s)
	here, there := signIn(t, s, user, access.ByPassword), signIn(t, s, user, access.ByPassword)
	next := "another lantern in the orchard"
	if err := s.ChangePassword(t.Context(), user, here.IDHash, passwords("wrong-wrong-wrong", next)); !fault.Is(err,
		fault.Invalid) {
		t.Fatalf("a wrong current password: got %v, want a rejection", err)
	}
	if err := s.ChangePassword(t.Context(), user, here.IDHash, passwords(goodPassword, "short")); !fault.Is(err,
		fault.Invalid) {
		t.Fatalf("a short one: got %v, want a rejection", err)
	}
	if err := s.ChangePassword(t.Context(), user, here.IDHash, passwords(goodPassword, next)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := rows.Session(t.Context(), here.IDHash); err != nil {
		t.Errorf("the session that changed it has ended: %v", err)
	}
	if _, _, err := rows.Session(t.Context(), there.IDHash); !fault.Is(err, fault.NotFound) {
		t.Errorf("the other session is still valid: %v", err)
	}
	if _, err := s.SignIn(t.Context(), user.Email, next, elsewhereClient); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// TestRecoveryCodes_ManySets_HashesLimited has one user request new codes repeatedly.
func TestRecoveryCodes_ManySets_HashesLimited(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	user := olivia(t, s)
	ask := func() error { _, err := s.ReplaceRecoveryCodes(t.Context(), user); return err }
	for n := range recoverySets {
		if err := ask(); err != nil {
			t.Fatalf("set %d: %v", n+1, err)
		}
	}
	before := s.hasher.started.Load()
	if err := ask(); !fault.Is(err, fault.Unavailable) || s.hasher.started.Load() != before {
		t.Errorf("got %v and %d hashes, want a refusal before the first", err, s.hasher.started.Load()-before)
	}
	if f, err := s.Factors(t.Context(), user.UserID); err != nil || f.RecoveryCodes != recoveryCodes {
		t.Errorf("got %d codes, %v, want the last set", f.RecoveryCodes, err)
	}
	at.at = at.at.Add(time.Hour + time.Minute)
	if err := ask(); err != nil {
		t.Errorf("an hour later: got %v", err)
	}
}
