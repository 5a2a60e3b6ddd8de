package account

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
)

// attackers is the number of networks in an attack.
const attackers = 1000

// attack is a stream of wrong passwords for one account: three per second, from one network after another.
type attack struct {
	t       *testing.T
	s       *Service
	at      *clock
	email   string
	sent    int
	checked int64 // attacker's passwords that were checked
}

func network24(n int) ClientInfo {
	network := fmt.Sprintf("198.%d.%d.", n/256, n%256)
	return ClientInfo{Address: network + "7", Network: network + "0/24", Browser: "Chrome on Linux"}
}

// second performs one second of the attack, always just before the owner's attempt.
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

// signIn tries the right password, waits as required and tries again, while the attack continues. It returns
// how long that took.
func (a *attack) signIn(from ClientInfo) time.Duration {
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

// TestSignIn_AccountUnderAttack_OwnerSignsIn lets the owner try in each minute of an hour: at once with a
// browser that has signed in before, and soon from a new network.
func TestSignIn_AccountUnderAttack_OwnerSignsIn(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	cookie := s.RememberDevice(olivia(t, s).UserID, "")
	a := &attack{t: t, s: s, at: at, email: "olivia@summit.test"}
	start := at.at
	for minute := 0; at.at.Sub(start) < time.Hour; minute++ {
		for until := at.at.Add(47 * time.Second); at.at.Before(until); {
			a.second()
		}
		// The network of the owner's browser does not matter, even if an attacker uses it too.
		own := network24(minute)
		own.Device = cookie
		if _, err := s.SignIn(t.Context(), a.email, goodPassword, own); err != nil {
			t.Fatalf("minute %d: the owner's device: %v", minute, err)
		}
		fresh := ClientInfo{Address: fmt.Sprintf("203.0.%d.7", minute), Network: fmt.Sprintf("203.0.%d.0/24", minute)}
		if took := a.signIn(fresh); took > 30*time.Second {
			t.Fatalf("minute %d: the owner signed in after %v, want 30 seconds at most", minute, took)
		}
		mistyped := ClientInfo{Address: fmt.Sprintf("203.1.%d.7", minute), Network: fmt.Sprintf("203.1.%d.0/24", minute)}
		if _, err := s.SignIn(t.Context(), a.email, "wrong-wrong-wrong", mistyped); fault.KindOf(err) != fault.Invalid {
			t.Fatalf("minute %d: a typing error: %v", minute, err)
		}
		if took := a.signIn(mistyped); took > 30*time.Second {
			t.Fatalf("minute %d: after a typing error the owner signed in after %v, want 30 seconds at most", minute, took)
		}
	}
	most := int64(attackThreshold/unitsPerAttempt + freeInAttack*attackers + int(at.at.Sub(start)/turnWait(freeInAttack)))
	t.Logf("%d attempts in %v, %d passwords checked, at most %d", a.sent, at.at.Sub(start), a.checked, most)
	if a.checked > most {
		t.Errorf("%d passwords of the attacker were checked, want %d at most", a.checked, most)
	}
}

func TestPasskeySignIn_AccountUnderAttack_NoWait(t *testing.T) {
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

// TestSignIn_PasswordNotChecked_NotCounted rejects many right passwords, because of the wait, of a full
// queue, and of a client that disconnects: the wait and the address's limit do not change.
func TestSignIn_PasswordNotChecked_NotCounted(t *testing.T) {
	s, _, at := newTestService(t)
	try := func(password string) error {
		_, err := s.SignIn(t.Context(), "olivia@summit.test", password, hereClient)
		return err
	}
	canceled, leave := context.WithCancel(t.Context())
	leave()
	for range cap(s.hasher.queue[unknown]) {
		s.hasher.queue[unknown] <- struct{}{}
	}
	for range 50 {
		if err := try(goodPassword); fault.KindOf(err) != fault.Unavailable || waitOf(err) != 0 {
			t.Fatalf("a full queue: got %v", err)
		}
	}
	own := hereClient
	own.Device = s.RememberDevice(olivia(t, s).UserID, "")
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, own); err != nil {
		t.Errorf("a known device while the queue of unknown devices is full: %v", err)
	}
	for range cap(s.hasher.queue[unknown]) {
		<-s.hasher.queue[unknown]
	}
	for range cap(s.hasher.running) {
		s.hasher.running <- struct{}{}
	}
	for range 50 {
		if _, err := s.SignIn(canceled, "olivia@summit.test", goodPassword, hereClient); err == nil {
			t.Fatal("a client that has disconnected signed in")
		}
	}
	for range cap(s.hasher.running) {
		<-s.hasher.running
	}
	for i := range 5 {
		if err := try("wrong-wrong-wrong"); fault.KindOf(err) != fault.Invalid {
			t.Fatalf("attempt %d: got %v, want it checked", i+1, err)
		}
	}
	for range 50 {
		if err := try(goodPassword); waitOf(err) != time.Second {
			t.Fatalf("within the wait: got %v, want one second remaining", err)
		}
	}
	// The address has used five of its twenty tries.
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

func TestSignIn_KnownDevice_OwnLimit(t *testing.T) {
	s, _, at := newTestService(t)
	user := olivia(t, s)
	device := hereClient
	device.Device = s.RememberDevice(user.UserID, "")
	for i := range 5 {
		if _, err := s.SignIn(t.Context(), user.Email, "wrong-wrong-wrong", device); fault.KindOf(err) != fault.Invalid {
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

func TestDevice_CookieOfSomebodyElseOrChanged_NotKnown(t *testing.T) {
	s, _, at := newTestService(t)
	mine := s.RememberDevice("u-1", "")
	body, mac, _ := strings.Cut(mine, ".")
	for what, cookie := range map[string]string{
		"none": "", "no MAC": body, "another MAC": body + "." + strings.Repeat("A", len(mac)), "another body": "B" + body[1:] + "." + mac,
		"too long": strings.Repeat(mine+"~", 20), "rubbish": "~~.~a.b~%", "another user's": s.RememberDevice("u-2", ""),
	} {
		if got := s.device(cookie, "u-1"); got != "" {
			t.Errorf("%s: got a device", what)
		}
	}
	if s.device(mine, "") != "" || s.device(mine, "u-1") == "" {
		t.Error("the cookie is not bound to its account")
	}
	if strings.Contains(mine, "u-1") {
		t.Errorf("the cookie contains the account: %s", mine)
	}
	at.at = at.at.Add(deviceLife)
	if s.device(mine, "u-1") != "" {
		t.Error("the device never expires")
	}
}

func TestRememberDevice_SharedBrowser_KnowsTheLastFive(t *testing.T) {
	s, _, _ := newTestService(t)
	cookie := ""
	for _, user := range []string{"a", "b", "c", "b", "d", "e", "f"} {
		cookie = s.RememberDevice(user, cookie)
	}
	if len(cookie) > maxCookie {
		t.Errorf("the cookie has %d bytes, more than the limit", len(cookie))
	}
	for user, want := range map[string]bool{"a": false, "b": true, "c": true, "d": true, "e": true, "f": true} {
		if got := s.device(cookie, user) != ""; got != want {
			t.Errorf("%s: known %v, want %v", user, got, want)
		}
	}
}

// TestSecondFactor_PasswordStolen_OwnerNotDelayed sends wrong codes with the owner's password until unknown devices
// have to wait. The owner's device and the signed-in owner do not have to.
func TestSecondFactor_PasswordStolen_OwnerNotDelayed(t *testing.T) {
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
		if err := second("000000", elsewhereClient); fault.KindOf(err) != fault.Invalid {
			t.Fatalf("a wrong code: got %v", err)
		}
	}
	for range 50 { // no code is checked, so none counts for the account or for the address
		if err := second("000000", elsewhereClient); waitOf(err) != time.Second {
			t.Fatalf("within the wait: got %v, want one second remaining", err)
		}
	}
	at.at = at.at.Add(30 * time.Second)
	if err := second("000000", elsewhereClient); fault.KindOf(err) != fault.Invalid {
		t.Fatalf("after the wait: got %v", err)
	}
	own := hereClient
	own.Device = s.RememberDevice(user.UserID, "")
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

// TestRequestLink_RepeatedRequests_OwnerHasValidLink requests a password reset link every ten seconds for
// three hours, with the owner's email.
func TestRequestLink_RepeatedRequests_OwnerHasValidLink(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	mailed, last := 0, at.at
	for i := range 3 * 360 {
		if err := s.RequestLink(t.Context(), LinkReset, "olivia@summit.test", network24(i)); err != nil {
			t.Fatal(err)
		}
		if now := len(mailsTo(t, s, "olivia@summit.test")); now > mailed {
			mailed, last = now, at.at
		}
		if age := at.at.Sub(last); mailed == 0 || age > resetLifetime {
			t.Fatalf("the owner's last link is %v old", age)
		}
		at.at = at.at.Add(10 * time.Second)
	}
	if mailed > 24 {
		t.Errorf("%d links in three hours", mailed)
	}
}
