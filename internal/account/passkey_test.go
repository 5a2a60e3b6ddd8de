package account

import (
	"net/url"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// newServiceWithPasskey is a service at https://portal.example whose originator has a passkey.
func newServiceWithPasskey(t *testing.T) (*Service, *clock, access.User, *softKey) {
	t.Helper()
	s, _, at := newTestServiceWith(t, Options{Base: portalURL()})
	user, key := olivia(t, s), newSoftKey(t)
	options, err := s.BeginPasskey(t.Context(), "session", user)
	if err != nil {
		t.Fatal(err)
	}
	if a := key.read(options); a.Selection.ResidentKey != "required" || a.Selection.UserVerification != "required" {
		t.Fatalf("got %+v, want resident key and verification required", a.Selection)
	}
	codes, err := s.AddPasskey(t.Context(), "session", user, CreatedPasskey{Response: key.create(options), Name: "Phone"})
	if err != nil || len(codes) != recoveryCodes {
		t.Fatalf("got %d codes, %v, want the passkey added with recovery codes", len(codes), err)
	}
	return s, at, user, key
}

func beginPasskey(t *testing.T, s *Service) (string, []byte) {
	t.Helper()
	token, options, err := s.BeginPasskeySignIn(t.Context(), hereClient)
	if err != nil {
		t.Fatal(err)
	}
	return token, options
}

func TestPasskeySignIn_WithoutEmail_User(t *testing.T) {
	t.Parallel()
	s, _, user, key := newServiceWithPasskey(t)
	token, options := beginPasskey(t, s)
	if a := key.read(options); len(a.Allowed) != 0 || a.UserVerification != "required" {
		t.Errorf("got %+v: the challenge names keys, or does not require verification", a)
	}
	answer := key.get(options)
	got, err := s.PasskeySignIn(t.Context(), token, answer, hereClient)
	if err != nil || got.UserID != user.UserID {
		t.Fatalf("got %q, %v, want Olivia", got.UserID, err)
	}
	if _, err := s.PasskeySignIn(t.Context(), token, answer, hereClient); err == nil {
		t.Error("the same response signs in twice")
	}
	f, err := s.Factors(t.Context(), user.UserID)
	if err != nil || !f.HasPasskey() || f.SecondFactors[0].Used.IsZero() || f.SecondFactors[0].Name != "Phone" {
		t.Errorf("got %+v, %v, want the passkey with its use", f, err)
	}
}

func TestPasskeySignIn_Invalid_Refused(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(k *softKey){
		"made for another site":     func(k *softKey) { k.origin = "https://portal.example.evil.test" },
		"for another port":          func(k *softKey) { k.origin = "https://portal.example:8443" },
		"over plain http":           func(k *softKey) { k.origin = "http://portal.example" },
		"for another host":          func(k *softKey) { k.host = "evil.test" },
		"without user presence":     func(k *softKey) { k.flags = 4 },
		"without user verification": func(k *softKey) { k.flags = 1 },
		"of another key": func(k *softKey) {
			other := newSoftKey(k.t)
			k.private = other.private
		},
		"that was removed":                func(k *softKey) { k.id = []byte("0123456789abcdef") },
		"of another user":                 func(k *softKey) { k.user = "somebody-else" },
		"without a user":                  func(k *softKey) { k.user = "" },
		"with an older counter":           func(k *softKey) { k.count = 0 },
		"with another backup eligibility": func(k *softKey) { k.flags |= 8 },
	} {
		s, _, _, key := newServiceWithPasskey(t)
		token, options := beginPasskey(t, s)
		if what == "with an older counter" { // a copy of the key that is used after the original
			if _, err := s.PasskeySignIn(t.Context(), token, key.get(options), hereClient); err != nil {
				t.Fatal(err)
			}
			token, options = beginPasskey(t, s)
		}
		change(key)
		if _, err := s.PasskeySignIn(t.Context(), token, key.get(options), hereClient); !fault.Is(err, fault.Invalid) {
			t.Errorf("a passkey %s: got %v, want a rejection", what, err)
		}
	}
}

func TestPasskeySignIn_OtherChallenge_Refused(t *testing.T) {
	t.Parallel()
	s, at, user, key := newServiceWithPasskey(t)
	_, other := beginPasskey(t, s)
	token, _ := beginPasskey(t, s)
	if _, err := s.PasskeySignIn(t.Context(), token, key.get(other), hereClient); !fault.Is(err, fault.Invalid) {
		t.Errorf("the response to another challenge: got %v, want a rejection", err)
	}
	token, options := beginPasskey(t, s)
	at.at = at.at.Add(ceremonyTime + time.Second)
	if _, err := s.PasskeySignIn(t.Context(), token, key.get(options), hereClient); !fault.Is(err, fault.Conflict) {
		t.Errorf("too late: got %v, want it expired", err)
	}
	token, options = beginPasskey(t, s)
	if err := s.Disable(t.Context(), user.Email); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PasskeySignIn(t.Context(), token, key.get(options), hereClient); !fault.Is(err, fault.Invalid) {
		t.Errorf("a closed account: got %v, want a rejection", err)
	}
}

// TestPasskey_RefusedAnswer_EndsChallenge answers a challenge wrongly, then correctly.
func TestPasskey_RefusedAnswer_EndsChallenge(t *testing.T) {
	t.Parallel()
	for what, wrong := range map[string]func(k softKey, options []byte) []byte{
		"for another port": func(k softKey, options []byte) []byte {
			k.origin = "https://portal.example:8443"
			return k.get(options)
		},
		"that cannot be parsed": func(softKey, []byte) []byte { return []byte(`{"id":`) },
	} {
		s, _, user, key := newServiceWithPasskey(t)
		token, options := beginPasskey(t, s)
		signIn := func(answer []byte) error {
			_, err := s.PasskeySignIn(t.Context(), token, answer, hereClient)
			return err
		}
		proof, err := s.BeginPasskeyFactor(t.Context(), "session", user)
		if err != nil {
			t.Fatal(err)
		}
		stepUp := func(answer []byte) error {
			_, err := s.StepUp(t.Context(), "session", user, FactorResponse{Passkey: answer})
			return err
		}
		for _, try := range []struct {
			answer  func([]byte) error
			options []byte
		}{{signIn, options}, {stepUp, proof}} {
			if err := try.answer(wrong(*key, try.options)); !fault.Is(err, fault.Invalid) {
				t.Errorf("an answer %s: got %v, want it refused", what, err)
			}
			if err := try.answer(key.get(try.options)); !fault.Is(err, fault.Conflict) {
				t.Errorf("the right answer after one %s: got %v, want the challenge ended", what, err)
			}
		}
	}
}

func TestStepUp_PasskeyOfOtherUser_Refused(t *testing.T) {
	t.Parallel()
	s, _, user, key := newServiceWithPasskey(t)
	options, err := s.BeginPasskeyFactor(t.Context(), "session", user)
	if err != nil {
		t.Fatal(err)
	}
	answer := key.get(options)
	if _, err := s.StepUp(t.Context(), "another session", user, FactorResponse{Passkey: answer}); err == nil {
		t.Error("the response is accepted in another session")
	}
	if proof, err := s.StepUp(t.Context(), "session", user, FactorResponse{Passkey: answer}); err != nil ||
		proof != access.ByPasskey {
		t.Fatalf("got %q, %v, want the passkey accepted", proof, err)
	}
	if _, err := s.StepUp(t.Context(), "session", user, FactorResponse{Passkey: answer}); err == nil {
		t.Error("the response is accepted twice")
	}
	marcus, err := s.Add(t.Context(),
		access.User{Actor: access.Actor{Email: "marcus@summit.test", Name: "Marcus", Role: access.Admin}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.BeginPasskeyFactor(t.Context(), "his session", marcus); err == nil {
		t.Error("a user without a passkey is asked for one")
	}
	if options, err = s.BeginPasskey(t.Context(), "his session", marcus); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddPasskey(t.Context(), "his session", marcus,
		CreatedPasskey{Response: key.create(options), Name: "Stolen"}); err == nil {
		t.Error("a passkey of one user was added to another")
	}
}

func TestPasskeys_IPAddress_Unavailable(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{"127.0.0.1:8080": false, "[::1]:8080": false, "localhost:8080": true,
		"portal.example": true} {
		if got := newWebAuthn(&url.URL{Scheme: "https", Host: host}) != nil; got != want {
			t.Errorf("%s: got passkeys %v, want %v", host, got, want)
		}
	}
}
