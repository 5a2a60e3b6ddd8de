package account

import (
	"fmt"
	"testing"
	"time"

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

func network24(n int) From {
	network := fmt.Sprintf("198.%d.%d.", n/256, n%256)
	return From{Address: network + "7", Network: network + "0/24", Browser: "Chrome on Linux"}
}

// second passes one second of the attack, which is always a moment ahead of the owner.
func (a *attack) second() {
	a.t.Helper()
	a.at.at = a.at.at.Add(time.Second)
	for range 3 {
		before := a.s.hasher.begun.Load()
		_, err := a.s.LogIn(a.t.Context(), a.email, "wrong-wrong-wrong", network24(a.sent%attackers))
		if kind := fault.KindOf(err); err == nil || kind != fault.Invalid && kind != fault.Unavailable {
			a.t.Fatalf("attempt %d: got %v", a.sent, err)
		}
		a.checked += a.s.hasher.begun.Load() - before
		a.sent++
	}
}

// comesIn tries the right password, waits as it is told and tries again, while the attack
// goes on. It returns how long that took.
func (a *attack) comesIn(from From) time.Duration {
	a.t.Helper()
	start := a.at.at
	for {
		_, err := a.s.LogIn(a.t.Context(), a.email, goodPassword, from)
		if err == nil {
			return a.at.at.Sub(start)
		}
		wait := waits(err)
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

// TestLogIn_AccountUnderAttack_OwnerComesInFromNewNetwork lets the owner try from another
// network in each minute of an hour.
func TestLogIn_AccountUnderAttack_OwnerComesInFromNewNetwork(t *testing.T) {
	s, _, at := office(t)
	a := &attack{t: t, s: s, at: at, email: "olivia@summit.test"}
	for minute := range 60 {
		for until := at.at.Add(47 * time.Second); at.at.Before(until); {
			a.second()
		}
		fresh := network24(0)
		fresh.Address, fresh.Network = fmt.Sprintf("203.0.%d.7", minute), fmt.Sprintf("203.0.%d.0/24", minute)
		if took := a.comesIn(fresh); took > 30*time.Second {
			t.Fatalf("minute %d: the owner came in after %v, want 30 seconds at most", minute, took)
		}
	}
	t.Logf("%d attempts, %d passwords checked", a.sent, a.checked)
}
