package account

import (
	"testing"
	"time"

	"hearthline/internal/fault"
)

// sameNetwork is the client at one address of a network in which several clients are.
func sameNetwork(host string) ClientInfo {
	return ClientInfo{Address: "198.51.100." + host, Network: "198.51.100.0/24", Browser: "Chrome on Linux"}
}

// TestSignIn_AttackerInSameNetwork_OwnerSignsInAtOnce sends a wrong password every second for two
// hours. The owner, who has no device cookie, is at another address of the same network.
func TestSignIn_AttackerInSameNetwork_OwnerSignsInAtOnce(t *testing.T) {
	t.Parallel()
	s, _, at := newTestService(t)
	checked := s.hasher.started.Load()
	for second := range 2 * 3600 {
		if _, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", sameNetwork("7")); err == nil {
			t.Fatal("a wrong password signed in")
		}
		at.at = at.at.Add(time.Second)
		if second == 90 || second == 1800 {
			if _, err := s.SignIn(t.Context(), "olivia@summit.test", "wrong-wrong-wrong", sameNetwork("9")); fault.KindOf(err) != fault.Invalid {
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
