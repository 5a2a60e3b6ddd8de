package account

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// attackers is how many networks take part in an attack.
const attackers = 1000

// attack is a stream of wrong passwords for one account: three a second, from one network
// after the other.
type attack struct {
	t       *testing.T
	s       *Service
	at      *clock
	email   string
	sent    int
	checked int64 // passwords of theirs that were checked
}

// network24 is a client in the nth network; each is in a different /16.
func network24(n int) ClientInfo {
	network := fmt.Sprintf("%d.%d.7.", 20+n/256, n%256)
	return ClientInfo{Address: network + "7", Network: network + "0/24", Browser: "Chrome on Linux"}
}

// second passes one second of the attack, which is always a moment ahead of the owner.
func (a *attack) second() {
	a.t.Helper()
	a.at.at = a.at.at.Add(time.Second)
	for range 3 {
		before := a.s.hasher.started.Load()
		_, err := a.s.SignIn(a.t.Context(), a.email, "wrong-wrong-wrong", network24(a.sent%attackers))
		if kind := fault.KindOf(err); err == nil || kind != fault.Invalid && kind != fault.Unavailable {
			a.t.Fatalf("attempt %d: got %v", a.sent, err)
		}
		a.checked += a.s.hasher.started.Load() - before
		a.sent++
	}
}

// comesIn tries the right password, waits as it is told and tries again, while the attack
// goes on. It returns how long that took.
func (a *attack) comesIn(from ClientInfo) time.Duration {
	a.t.Helper()
	start := a.at.at
	for {
		_, err := a.s.SignIn(a.t.Context(), a.email, goodPassword, from)
		if err == nil {
			return a.at.at.Sub(start)
		}
		wait := waitOf(err)
		if wait == 0 {
			a.t.Fatalf("the right password from %s: %v", from.Network, err)
		}
		for until := a.at.at.Add(wait); a.at.at.Before(until); {
			a.second()
		}
		if a.at.at.Sub(start) > 10*time.Minute {
			return a.at.at.Sub(start)
		}
	}
}

// TestLogIn_AccountUnderAttack_OwnerComesIn lets the owner try in each of twenty minutes, which is longer than any
// wait: at once with a browser that has signed in before, and soon from a network never seen.
func TestLogIn_AccountUnderAttack_OwnerComesIn(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	cookie := s.RememberDevice(olivia(t, s), "")
	a := &attack{t: t, s: s, at: at, email: "olivia@summit.test"}
	start := at.at
	for minute := 0; at.at.Sub(start) < 20*time.Minute; minute++ {
		for until := at.at.Add(47 * time.Second); at.at.Before(until); {
			a.second()
		}
		// Where the owner's browser is does not matter, even beside an attacker.
		own := network24(minute)
		own.Device = cookie
		if _, err := s.SignIn(t.Context(), a.email, goodPassword, own); err != nil {
			t.Fatalf("minute %d: the owner's device: %v", minute, err)
		}
		fresh := ClientInfo{Address: fmt.Sprintf("203.0.%d.7", minute), Network: fmt.Sprintf("203.0.%d.0/24", minute)}
		if took := a.comesIn(fresh); took > 30*time.Second {
			t.Fatalf("minute %d: the owner came in after %v, want 30 seconds at most", minute, took)
		}
		mistyped := ClientInfo{Address: fmt.Sprintf("203.1.%d.7", minute), Network: fmt.Sprintf("203.1.%d.0/24", minute)}
		if _, err := s.SignIn(t.Context(), a.email, "wrong-wrong-wrong", mistyped); !fault.Is(err, fault.Invalid) {
			t.Fatalf("minute %d: a slip: %v", minute, err)
		}
		if took := a.comesIn(mistyped); took > 30*time.Second {
			t.Fatalf("minute %d: after a slip the owner came in after %v, want 30 seconds at most", minute, took)
		}
	}
	most := int64(attackThreshold/unitsPerAttempt + freeInAttack*attackers + int(at.at.Sub(start)/turnWait(freeInAttack)))
	t.Logf("%d attempts in %v, %d passwords checked, at most %d", a.sent, at.at.Sub(start), a.checked, most)
	if a.checked > most {
		t.Errorf("%d passwords of the attacker were checked, want %d at most", a.checked, most)
	}
}

func TestPasskeyLogIn_AccountUnderAttack_ComesInAtOnce(t *testing.T) {
	t.Parallel()
	s, at, user, key := newServiceWithPasskey(t)
	a := &attack{t: t, s: s, at: at, email: user.Email}
	for range 30 {
		a.second()
	}
	token, options := beginPasskey(t, s)
	if _, err := s.PasskeySignIn(t.Context(), token, key.get(options), hereClient); err != nil {
		t.Errorf("got %v", err)
	}
}

// TestSignIn_WideAttack_LimitedForTheDay guesses from many networks, which the per-network limits do not stop.
// The owner's device and passkey can still sign in, and so can an unknown browser elsewhere when only a range is
// limited.
func TestSignIn_WideAttack_LimitedForTheDay(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		from     func(n int) ClientInfo
		email    func(n int) string // nil for the owner's
		attempts int
		most     int64
	}{
		"one IPv6 provider": {func(n int) ClientInfo {
			network := fmt.Sprintf("2001:db8:%x::", n)
			return ClientInfo{Address: network + "/64", Network: network + "/48"}
		}, nil, 500, dailyFromRange},
		"one /16": {func(n int) ClientInfo {
			network := fmt.Sprintf("198.51.%d.", n%256)
			return ClientInfo{Address: network + "7", Network: network + "0/24"}
		}, guessEmail, 1100, dailyOfRange},
		"everywhere": {network24, nil, 2500, dailyOfAccount},
	} {
		s, _, user, key := newServiceWithPasskey(t)
		before := s.hasher.started.Load()
		for n := range tt.attempts {
			email := user.Email
			if tt.email != nil {
				email = tt.email(n)
			}
			if _, err := s.SignIn(t.Context(), email, "wrong-wrong-wrong", tt.from(n)); err == nil {
				t.Fatal("a wrong password signed in")
			}
		}
		if got := s.hasher.started.Load() - before; got != tt.most {
			t.Errorf("%s: %d passwords were checked at once, want %d", what, got, tt.most)
		}
		_, err := s.SignIn(t.Context(), user.Email, goodPassword, tt.from(tt.attempts))
		if wait := waitOf(err); wait <= 0 || wait > 24*time.Minute {
			t.Errorf("%s: an unknown browser among the attackers: got %v, want a wait of minutes", what, err)
		}
		_, err = s.SignIn(t.Context(), user.Email, goodPassword, elsewhereClient)
		if (waitOf(err) > 0) != (tt.most == dailyOfAccount) {
			t.Errorf("%s: an unknown browser elsewhere: got %v", what, err)
		}
		own := tt.from(0)
		own.Device = s.RememberDevice(user, "")
		if _, err := s.SignIn(t.Context(), user.Email, goodPassword, own); err != nil {
			t.Errorf("%s: the owner's device: %v", what, err)
		}
		token, options := beginPasskey(t, s)
		if _, err := s.PasskeySignIn(t.Context(), token, key.get(options), tt.from(0)); err != nil {
			t.Errorf("%s: the owner's passkey: %v", what, err)
		}
	}
}

// TestLogIn_PasswordNotChecked_CostsNothing refuses many right passwords, by the wait and by a
// full queue, and by a client that goes away: the wait and the address are as they were.
func TestLogIn_PasswordNotChecked_CostsNothing(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	try := func(password string) error {
		_, err := s.SignIn(t.Context(), "olivia@summit.test", password, hereClient)
		return err
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range cap(s.hasher.queue[unknown]) {
		s.hasher.queue[unknown] <- struct{}{}
	}
	for range 50 {
		if err := try(goodPassword); !fault.Is(err, fault.Unavailable) || waitOf(err) != 0 {
			t.Fatalf("a full queue: got %v", err)
		}
	}
	own := hereClient
	own.Device = s.RememberDevice(olivia(t, s), "")
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, own); err != nil {
		t.Errorf("a known device behind a full queue of unknownDevices: %v", err)
	}
	for range cap(s.hasher.queue[unknown]) {
		<-s.hasher.queue[unknown]
	}
	for range cap(s.hasher.running) {
		s.hasher.running <- struct{}{}
	}
	for range 50 {
		if _, err := s.SignIn(gone, "olivia@summit.test", goodPassword, hereClient); err == nil {
			t.Fatal("a client that is gone signed in")
		}
	}
	for range cap(s.hasher.running) {
		<-s.hasher.running
	}
	for i := range 5 {
		if err := try("wrong-wrong-wrong"); !fault.Is(err, fault.Invalid) {
			t.Fatalf("attempt %d: got %v, want it checked", i+1, err)
		}
	}
	for range 50 {
		if err := try(goodPassword); waitOf(err) != time.Second {
			t.Fatalf("within the wait: got %v, want one second still", err)
		}
	}
	// The address has spent five of its twenty tries.
	for i := range 15 {
		if wait := waitOf(s.guessPassword(t, i, hereClient)); wait != 0 {
			t.Fatalf("guess %d: got a wait of %v", i+1, wait)
		}
	}
	at.at = at.at.Add(time.Minute)
	if err := try(goodPassword); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

func TestLogIn_KnownDevice_LimitedByItself(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	user := olivia(t, s)
	device := hereClient
	device.Device = s.RememberDevice(user, "")
	for i := range 5 {
		if _, err := s.SignIn(t.Context(), user.Email, "wrong-wrong-wrong", device); !fault.Is(err, fault.Invalid) {
			t.Fatalf("attempt %d: got %v", i+1, err)
		}
	}
	if _, err := s.SignIn(t.Context(), user.Email, goodPassword, device); waitOf(err) != time.Second {
		t.Errorf("the sixth: got %v, want a wait of one second", err)
	}
	if _, err := s.SignIn(t.Context(), user.Email, goodPassword, hereClient); err != nil {
		t.Errorf("the same network without the device: %v", err)
	}
	at.at = at.at.Add(time.Second)
	if _, err := s.SignIn(t.Context(), user.Email, goodPassword, device); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

func userNamed(id string) access.User { return access.User{Actor: access.Actor{UserID: id}} }

func TestDevice_CookieOfSomebodyElseOrChanged_NotKnown(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	mine := s.RememberDevice(userNamed("u-1"), "")
	body, mac, _ := strings.Cut(mine, ".")
	for what, cookie := range map[string]string{
		"none": "", "no MAC": body, "another MAC": body + "." + strings.Repeat("A", len(mac)),
		"another body": "B" + body[1:] + "." + mac, "too long": strings.Repeat(mine+"~", 20), "rubbish": "~~.~a.b~%",
		"somebody else's": s.RememberDevice(userNamed("u-2"), ""),
	} {
		if got := s.device(cookie, userNamed("u-1")); got != "" {
			t.Errorf("%s: got a device", what)
		}
	}
	if s.device(mine, access.User{}) != "" || s.device(mine, userNamed("u-1")) == "" {
		t.Error("the cookie is not of its account alone")
	}
	if strings.Contains(mine, "u-1") {
		t.Errorf("the cookie names the account: %s", mine)
	}
	at.at = at.at.Add(deviceLife)
	if s.device(mine, userNamed("u-1")) != "" {
		t.Error("the device is known for ever")
	}
}

func TestRememberDevice_SharedBrowser_KnowsTheLastFive(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	cookie := ""
	for _, user := range []string{"a", "b", "c", "b", "d", "e", "f"} {
		cookie = s.RememberDevice(userNamed(user), cookie)
	}
	if len(cookie) > mostCookie {
		t.Errorf("the cookie has %d bytes, more than are read", len(cookie))
	}
	for user, want := range map[string]bool{"a": false, "b": true, "c": true, "d": true, "e": true, "f": true} {
		if got := s.device(cookie, userNamed(user)) != ""; got != want {
			t.Errorf("%s: known %v, want %v", user, got, want)
		}
	}
}

// TestSecond_PasswordStolen_OwnerNotDelayed sends wrong codes with the owner's password until
// unknownDevices wait. The owner's device and a signed-in owner do not.
func TestSecond_PasswordStolen_OwnerNotDelayed(t *testing.T) {
	t.Parallel()
	s, at, user, show, _ := newServiceWithTOTP(t, Options{})
	second := func(code string, from ClientInfo) error {
		token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, from)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: code}, from)
		return err
	}
	for range 5 {
		if err := second("000000", elsewhereClient); !fault.Is(err, fault.Invalid) {
			t.Fatalf("a wrong code: got %v", err)
		}
	}
	for range 50 { // none is checked, so none counts for the account or for the address
		if err := second("000000", elsewhereClient); waitOf(err) != time.Second {
			t.Fatalf("within the wait: got %v, want one second still", err)
		}
	}
	at.at = at.at.Add(30 * time.Second)
	if err := second("000000", elsewhereClient); !fault.Is(err, fault.Invalid) {
		t.Fatalf("after the wait: got %v", err)
	}
	own := hereClient
	own.Device = s.RememberDevice(user, "")
	if err := second(show(), own); err != nil {
		t.Errorf("the owner's device: %v", err)
	}
	at.at = at.at.Add(30 * time.Second)
	for range 2 {
		_ = second("000000", elsewhereClient)
	}
	if _, err := s.StepUp(t.Context(), "session", user, FactorResponse{Code: show()}); err != nil {
		t.Errorf("the signed-in owner: %v", err)
	}
}

// TestRequestLink_EndlessRequests_OwnerHasValidLink asks for a link to a new password every
// half minute for three hours, in the owner's name.
func TestRequestLink_EndlessRequests_OwnerHasValidLink(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	mailed, last := 0, at.at
	for i := range 3 * 120 {
		if err := s.RequestLink(t.Context(), LinkReset, "olivia@summit.test", network24(i)); err != nil {
			t.Fatal(err)
		}
		if now := len(mailsTo(t, s, "olivia@summit.test")); now > mailed {
			mailed, last = now, at.at
		}
		if age := at.at.Sub(last); mailed == 0 || age > resetLifetime {
			t.Fatalf("the owner's last link is %v old", age)
		}
		at.at = at.at.Add(30 * time.Second)
	}
	if mailed > 24 {
		t.Errorf("%d links in three hours", mailed)
	}
}
