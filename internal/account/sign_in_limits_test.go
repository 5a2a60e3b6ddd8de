package account

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// sameNetwork is the client at one address of a network in which several clients are.
func sameNetwork(host string) ClientInfo {
	return ClientInfo{Address: "198.51.100." + host, Network: "198.51.100.0/24", Browser: "Chrome on Linux"}
}

// TestSignIn_AttackerInSameNetwork_OwnerSignsInAtOnce sends a wrong password every five seconds for two
// hours. The owner, who has no device cookie, is at another address of the same network.
func TestSignIn_AttackerInSameNetwork_OwnerSignsInAtOnce(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	checked := s.hasher.started.Load()
	const each = 5
	for second := 0; second < 2*3600; second += each {
		if _, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", sameNetwork("7")); err == nil {
			t.Fatal("a wrong password signed in")
		}
		at.at = at.at.Add(each * time.Second)
		if second == 90 || second == 1800 {
			if _, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", sameNetwork("9")); !fault.Is(err,
				fault.Invalid) {
				t.Fatalf("second %d: the owner mistypes: got %v, want it checked", second, err)
			}
		}
	}
	if checked = s.hasher.started.Load() - checked; checked > 30 {
		t.Errorf("%d passwords were checked, want 30 at most", checked)
	}
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, sameNetwork("9")); err != nil {
		t.Errorf("the owner at another address of the network: %v", err)
	}
}

// rememberedDevices are clients at one address, each with a different device cookie.
func rememberedDevices(s *Service, user access.User, count int, at func(i int) ClientInfo) []ClientInfo {
	all := make([]ClientInfo, count)
	for i := range all {
		all[i] = at(i)
		all[i].Device = s.RememberDevice(user, "")
	}
	return all
}

// countChecked sends wrong passwords, and says how many of them were checked.
func countChecked(t *testing.T, s *Service, email string, from []ClientInfo, attempts int) int64 {
	t.Helper()
	before := s.hasher.started.Load()
	for i := range attempts {
		_, err := s.SignIn(t.Context(), email, "wrong-wrong-wrong", from[i%len(from)])
		if kind := fault.KindOf(err); err == nil || kind != fault.Invalid && kind != fault.Unavailable {
			t.Fatalf("attempt %d: got %v", i+1, err)
		}
	}
	return s.hasher.started.Load() - before
}

func TestDevice_PasswordChanged_NotKnown(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	user := olivia(t, s)
	cookie := s.RememberDevice(user, s.RememberDevice(userNamed("u-2"), ""))
	if s.device(cookie, user) == "" {
		t.Fatal("the device is not known before")
	}
	session := signIn(t, s, user, access.ByPassword)
	if err := s.ChangePassword(t.Context(), user, session.IDHash, passwords(goodPassword, nextPassword)); err != nil {
		t.Fatal(err)
	}
	user, err := rows.User(t.Context(), user.UserID)
	if err != nil {
		t.Fatal(err)
	}
	if s.device(cookie, user) != "" {
		t.Error("the device cookie outlives a change of the password")
	}
	again := s.RememberDevice(user, cookie)
	if s.device(again, user) == "" || len(marksIn(again)) != 2 {
		t.Errorf("got %d marks, want a new one in place of the old and the other account's", len(marksIn(again)))
	}
}

func TestSignIn_ManyDevicesAtOneAddress_LimitedByAddress(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	user := olivia(t, s)
	devices := rememberedDevices(s, user, 400, func(int) ClientInfo { return sameNetwork("7") })
	if got := countChecked(t, s, user.Email, devices, 500); got > 45 {
		t.Errorf("%d passwords of one address were checked at once, want 45 at most", got)
	}
}

// TestSignIn_ManyDevicesOfOneAccount_LimitedTogether sends from as many networks as there are
// devices. A browser of the account that is refused as a device is one of anybody's, so that the
// owner can sign in nevertheless.
func TestSignIn_ManyDevicesOfOneAccount_LimitedTogether(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	user := olivia(t, s)
	devices := rememberedDevices(s, user, 400, network24)
	own := hereClient
	own.Device = s.RememberDevice(user, "")
	if got := countChecked(t, s, user.Email, devices[:150], 150); got <= devicesCapacity/unitsPerDeviceFailure {
		t.Fatalf("%d passwords were checked, want the devices to have used up their limit", got)
	}
	all := s.allDevices(tryPassword, user.UserID)
	readLimit(t, s, all)
	if level := all.level(at.at); level != devicesCapacity {
		t.Errorf("got a level of %d, want the devices' limit used up and not exceeded", level)
	}
	before := s.hasher.started.Load()
	for range 3 { // without end, from few networks
		countChecked(t, s, user.Email, devices[:20], 20)
	}
	if got := s.hasher.started.Load() - before; got > 20 {
		t.Errorf("%d more were checked, want those devices limited like unknown browsers", got)
	}
	if _, err := s.SignIn(t.Context(), user.Email, goodPassword, own); err != nil {
		t.Errorf("the owner's device: %v", err)
	}
	at.at = at.at.Add(2 * time.Hour)
	for range 40 {
		if _, err := s.SignIn(t.Context(), user.Email, goodPassword, own); err != nil {
			t.Fatalf("the owner's device later: %v", err)
		}
	}
	readLimit(t, s, all)
	if level := all.level(at.at); level != 0 {
		t.Errorf("got a level of %d, want right passwords to cost the devices nothing", level)
	}
}

// TestSignIn_UnknownBrowsersAtAddressOfDevice_DeviceNotDelayed uses up what the address has.
func TestSignIn_UnknownBrowsersAtAddressOfDevice_DeviceNotDelayed(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	user := olivia(t, s)
	for i := range 30 {
		_ = s.guessPassword(t, i, hereClient)
	}
	if wait := waitOf(s.guessPassword(t, 30, hereClient)); wait == 0 {
		t.Fatal("the address does not wait")
	}
	own := hereClient
	own.Device = s.RememberDevice(user, "")
	if _, err := s.SignIn(t.Context(), user.Email, goodPassword, own); err != nil {
		t.Errorf("the known device at that address: %v", err)
	}
}

// TestSecondFactor_ManyDevices_LimitedTogether sends wrong codes from many devices, each at another
// address: when they have used up their limit, they share the one of everybody.
func TestSecondFactor_ManyDevices_LimitedTogether(t *testing.T) {
	t.Parallel()
	s, _, user, _, _ := newServiceWithTOTP(t, Options{})
	checked := 0
	for _, from := range rememberedDevices(s, user, 100, network24) {
		token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, from)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.FinishSecondFactor(t.Context(), token, FactorResponse{Code: "000000"}, from)
		switch fault.KindOf(err) {
		case fault.Invalid:
			checked++
		case fault.Unavailable:
		default:
			t.Fatalf("got %v", err)
		}
	}
	if want := devicesCapacity/unitsPerDeviceFailure + secondFactorBackoff().free + 1; checked != want {
		t.Errorf("%d codes were checked at once, want %d", checked, want)
	}
}

// guessEmail is the email of the nth guess of guessPassword.
func guessEmail(n int) string { return "nobody" + strconv.Itoa(n) + "@summit.test" }

// hasRows says whether anything is kept of attempts at an email from a client.
func hasRows(t *testing.T, s *Service, email string, from ClientInfo) bool {
	t.Helper()
	return hasRowsOf(t, s, s.unknownDevices(email, from), s.wrongPasswords(email))
}

// hasRowsOf reports whether limits have stored rows.
func hasRowsOf(t *testing.T, s *Service, limits ...limit) bool {
	t.Helper()
	readLimit(t, s, limits...)
	return slices.ContainsFunc(talliesOf(limits), func(one *tally) bool { return one.stored != store.SignInAttempts{} })
}

// readLimit reads the stored counts of limits.
func readLimit(t *testing.T, s *Service, limits ...limit) {
	t.Helper()
	if err := readLimits(t.Context(), s.store.Queries, limits); err != nil {
		t.Fatal(err)
	}
}

func TestSignIn_QueueFull_WritesNothing(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	for range cap(s.hasher.queue[unknown]) {
		s.hasher.queue[unknown] <- struct{}{}
	}
	for i := range 200 {
		if err := s.guessPassword(t, i, hereClient); !fault.Is(err, fault.Unavailable) || waitOf(err) != 0 {
			t.Fatalf("guess %d: got %v, want the queue to be full", i+1, err)
		}
	}
	for i := range 200 {
		if hasRows(t, s, guessEmail(i), hereClient) {
			t.Fatalf("guess %d left rows", i+1)
		}
	}
	if hasRowsOf(t, s, s.guessLimits(tryPassword, hereClient)...) {
		t.Error("got a row, want none of the address")
	}
}

// TestSignIn_ClientGoneInQueue_AccountFreeAddressCharged: the account pays nothing for what was not
// checked. The address pays as for a success, since the attempt was written and taken back.
func TestSignIn_ClientGoneInQueue_AccountFreeAddressCharged(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	email := guessEmail(0)
	for range cap(s.hasher.running) {
		s.hasher.running <- struct{}{}
	}
	for range 10 {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := s.SignIn(ctx, email, "wrong-wrong-wrong", hereClient)
			ended <- err
		}()
		for !hasRows(t, s, email, hereClient) {
			runtime.Gosched()
		}
		leave()
		if err := <-ended; !fault.Is(err, fault.Unavailable) {
			t.Fatalf("got %v, want a refusal", err)
		}
		if hasRows(t, s, email, hereClient) {
			t.Fatal("an attempt that was not checked left rows of the account")
		}
	}
	if n := len(s.hasher.queue[unknown]); n != 0 {
		t.Errorf("%d places in the queue are still taken", n)
	}
	want := int64(10 * (attemptCost - successRefund))
	address := s.addressLimit(tryPassword, hereClient, attemptCost)
	readLimit(t, s, address)
	if got := address.level(at.at); got != want {
		t.Errorf("got a level of %d for the address, want %d", got, want)
	}
}

// TestSignIn_ManyAddressesOfNetwork_LimitedTogether guesses at emails without an account.
func TestSignIn_ManyAddressesOfNetwork_LimitedTogether(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	before := s.hasher.started.Load()
	for i := range 20 * 20 {
		_ = s.guessPassword(t, i, sameNetwork(strconv.Itoa(i%20)))
	}
	if got := s.hasher.started.Load() - before; got != 8*20 {
		t.Errorf("%d passwords of one network were checked at once, want 160", got)
	}
	if wait := waitOf(s.guessPassword(t, 1000, elsewhereClient)); wait != 0 {
		t.Errorf("another network waits %v", wait)
	}
	own := sameNetwork("7")
	own.Device = s.RememberDevice(olivia(t, s), "")
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, own); err != nil {
		t.Errorf("a known device in that network: %v", err)
	}
}

// TestSignIn_HashOfOlderCostQueueFull_SignsIn fills a queue before a password is hashed again.
func TestSignIn_HashOfOlderCostQueueFull_SignsIn(t *testing.T) {
	t.Parallel()
	for full, from := range map[queue]func(s *Service, user access.User) ClientInfo{
		unknown: func(s *Service, user access.User) ClientInfo {
			own := hereClient
			own.Device = s.RememberDevice(user, "")
			return own
		},
		known: func(*Service, access.User) ClientInfo { return hereClient },
	} {
		s, rows, _ := newTestService(t)
		user := olivia(t, s)
		before := hashOf(t, rows, user)
		s.hasher.cost.Iterations++
		for range cap(s.hasher.queue[full]) {
			s.hasher.queue[full] <- struct{}{}
		}
		if _, err := s.SignIn(t.Context(), user.Email, goodPassword, from(s, user)); err != nil {
			t.Errorf("queue %d is full: %v", full, err)
		}
		if renewed := hashOf(t, rows, user) != before; renewed != (full == unknown) {
			t.Errorf("queue %d is full: the hash is renewed: %v", full, renewed)
		}
	}
}

func TestChangePassword_UnknownQueueFull_Changed(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	user := olivia(t, s)
	session := signIn(t, s, user, access.ByPassword)
	for range cap(s.hasher.queue[unknown]) {
		s.hasher.queue[unknown] <- struct{}{}
	}
	if err := s.ChangePassword(t.Context(), user, session.IDHash, passwords(goodPassword, nextPassword)); err != nil {
		t.Error(err)
	}
}

// TestSignIn_RightPasswords_NotCountedAsAttack signs in from many networks. One slip elsewhere
// then makes nobody wait.
func TestSignIn_RightPasswords_NotCountedAsAttack(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	for i := range 40 {
		if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, network24(i)); err != nil {
			t.Fatalf("sign-in %d: %v", i+1, err)
		}
		at.at = at.at.Add(30 * time.Second)
	}
	attack := s.unknownDevices("olivia@summit.test", hereClient)
	readLimit(t, s, attack)
	if level := attack.level(at.at); level != 0 {
		t.Errorf("got an attack level of %d, want none", level)
	}
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient); !fault.Is(err,
		fault.Invalid) {
		t.Fatalf("a slip: got %v", err)
	}
	if _, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient); err != nil {
		t.Errorf("after one slip: %v", err)
	}
}

// TestSignIn_ClockSetBack_WaitNotLonger counts failures, of the account and of the address, by a
// clock that is then set back.
func TestSignIn_ClockSetBack_WaitNotLonger(t *testing.T) {
	t.Parallel()
	for _, back := range []time.Duration{30 * time.Second, 48 * time.Hour} {
		s, _, at := newTestService(t)
		for range 6 {
			_, _ = s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient)
			at.at = at.at.Add(time.Second)
		}
		for i := range 30 {
			_ = s.guessPassword(t, i, hereClient)
		}
		at.at = at.at.Add(-back)
		start := at.at
		for {
			_, err := s.SignIn(t.Context(), "olivia@summit.test", goodPassword, hereClient)
			if err == nil {
				break
			}
			wait := waitOf(err)
			if wait <= 0 || wait > 3*time.Second {
				t.Fatalf("%v back: got %v, want a wait of three seconds at most", back, err)
			}
			if at.at = at.at.Add(wait); at.at.Sub(start) > time.Minute {
				t.Fatalf("%v back: not signed in after %v", back, at.at.Sub(start))
			}
		}
	}
}

// TestBackoff_ClockSetBackFar_OneAttemptThenWaits lets an attacker gain no more than one check.
func TestBackoff_ClockSetBackFar_OneAttemptThenWaits(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	for range 8 {
		_, _ = s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", hereClient)
		at.at = at.at.Add(time.Minute)
	}
	at.at = at.at.Add(-48 * time.Hour)
	if got := countChecked(t, s, "olivia@summit.test", []ClientInfo{hereClient}, 20); got != 1 {
		t.Errorf("%d passwords were checked, want one", got)
	}
}
