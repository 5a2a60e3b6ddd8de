package embed

import (
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/crm"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// installation is a database on which processes run, one after another or beside each other.
type installation struct {
	t     *testing.T
	path  string
	vault *vault.Vault
	Options
}

func newInstallation(t *testing.T) installation {
	t.Helper()
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	return installation{t: t, path: filepath.Join(t.TempDir(), "portal.db"), vault: v}
}

// process is one that has just started; it ends with stop, or with the test.
func (i installation) process() (s *Service, stop func()) {
	i.t.Helper()
	opened, err := store.Open(i.t.Context(), i.path, store.Options{MAC: i.vault.MAC})
	if err != nil {
		i.t.Fatal(err)
	}
	stop = sync.OnceFunc(func() { _ = opened.Close() })
	i.t.Cleanup(stop)
	inDirectory(i.t, opened, "summit", "summit")
	return New(opened, i.vault, i.Options), stop
}

// called asks for a one-time address, as HubSpot's server does for a card.
func (i installation) called(s *Service) (code string) {
	i.t.Helper()
	const secret, body = "a secret of many characters", `{"record":{"type":"deal","id":"51"}}`
	if _, err := s.Client(i.t.Context(), "hs"); err != nil {
		e := Setup{Key: "hs", Name: "HubSpot", BrokerID: "summit", Kind: launch.KindCall, Origins: []string{"https://app.hubspot.com"}, Organization: "777", Secret: secret}
		if err := s.Save(i.t.Context(), access.Operator(), e); err != nil {
			i.t.Fatal(err)
		}
	}
	query := crm.Asked("", crm.HubUser{Portal: 777, User: 12, Email: "olivia@summit.test"})
	at, signature := crm.CallHeaders([]byte(secret), http.MethodPost, s.address("/launch/hubspot/hs")+query, []byte(body))
	code, err := s.Call(i.t.Context(), "hs", launch.Call{Method: http.MethodPost, Query: query[1:], Body: body, Timestamp: at, Signature: signature})
	if err != nil {
		i.t.Fatal(err)
	}
	return code
}

// TestAOneTimeAddressOutlivesItsProcess opens, after a restart, what was given out before.
func TestAOneTimeAddressOutlivesItsProcess(t *testing.T) {
	i := newInstallation(t)
	before, stop := i.process()
	code := i.called(before)
	stop()
	after, stop := i.process()
	p, err := after.Door(t.Context(), "hs", code)
	if err != nil || p.Record.ID != "51" {
		t.Fatalf("after a restart: got record %q, %v, want 51", p.Record.ID, err)
	}
	stop()
	again, _ := i.process()
	if _, err := again.Door(t.Context(), "hs", code); !errors.Is(err, ErrOver) {
		t.Errorf("used before the second restart: got %v, want %v", err, ErrOver)
	}
	if w, err := again.Waiting(t.Context(), "hs", p.Code); err != nil || w.ID != p.ID {
		t.Errorf("the press after the second restart: got %q, %v, want %q", w.ID, err, p.ID)
	}
	if refused, err := again.Refusals(t.Context(), "hs"); err != nil || len(refused) != 1 || refused[0].Cause != launch.CauseUsed {
		t.Errorf("why it was refused: got %+v, %v", refused, err)
	}
}

// TestProcessesShareAOneTimeAddress opens one at two processes behind one balancer, many
// times at once: it is good once for all of them.
func TestProcessesShareAOneTimeAddress(t *testing.T) {
	i := newInstallation(t)
	here, _ := i.process()
	there, _ := i.process()
	for range 5 {
		code := i.called(here)
		said := make([]error, 6)
		var ready, all sync.WaitGroup
		ready.Add(len(said))
		for n := range said {
			all.Go(func() {
				s := []*Service{here, there}[n%2]
				ready.Done()
				ready.Wait()
				_, said[n] = s.Door(t.Context(), "hs", code)
			})
		}
		all.Wait()
		opened := 0
		for _, err := range said {
			switch {
			case err == nil:
				opened++
			case !errors.Is(err, ErrOver):
				t.Errorf("got %v, want %v", err, ErrOver)
			}
		}
		if opened != 1 {
			t.Fatalf("it opened %d times, want once", opened)
		}
	}
}

// TestAOneTimeAddressRunsOutEverywhere looks at another process's clock.
func TestAOneTimeAddressRunsOutEverywhere(t *testing.T) {
	i := newInstallation(t)
	here, _ := i.process()
	code := i.called(here)
	i.Now = func() time.Time { return time.Now().Add(doorTime) }
	late, _ := i.process()
	if _, err := late.Door(t.Context(), "hs", code); !errors.Is(err, ErrOver) {
		t.Errorf("too late, elsewhere: got %v, want %v", err, ErrOver)
	}
}
