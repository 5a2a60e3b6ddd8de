package embed

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// testInstallation is a database on which processes run, sequentially or at the same time.
type testInstallation struct {
	t     *testing.T
	path  string
	vault *vault.Vault
	Options
}

func newInstallation(t *testing.T) testInstallation {
	t.Helper()
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	return testInstallation{t: t, path: storetest.NewDatabase(t), vault: v}
}

// startProcess starts a process; it ends with stop, or with the test.
func (i testInstallation) startProcess() (s *Service, stop func()) {
	i.t.Helper()
	opened, err := store.Open(i.t.Context(), i.path, store.Options{MAC: i.vault.MAC})
	if err != nil {
		i.t.Fatal(err)
	}
	stop = sync.OnceFunc(func() { _ = opened.Close() })
	i.t.Cleanup(stop)
	addOriginator(i.t, opened, "summit", "summit")
	return New(opened, i.vault, i.Options), stop
}

// requestLaunchURL requests a one-time URL, as HubSpot's server does for a card.
func (i testInstallation) requestLaunchURL(s *Service) (code string) {
	i.t.Helper()
	const secret, body = "a secret of many characters", `{"record":{"type":"deal","id":"51"}}`
	if _, err := s.Client(i.t.Context(), "hs"); err != nil {
		e := Setup{Key: "hs", Name: "HubSpot", BrokerID: "summit", Kind: launch.KindCall,
			Origins: []string{"https://app.hubspot.com"}, Organization: "777", Secret: secret}
		if err := s.Save(i.t.Context(), access.Operator(), e); err != nil {
			i.t.Fatal(err)
		}
	}
	query := samplecrm.HubSpotURL("", samplecrm.HubSpotUser{Portal: 777, User: 12, Email: "olivia@summit.test"})
	at, signature := samplecrm.CallHeaders([]byte(secret), http.MethodPost, s.publicURL("/launch/hubspot/hs")+query,
		[]byte(body))
	code, err := s.LaunchByCall(i.t.Context(), "hs",
		launch.Call{Method: http.MethodPost, Query: query[1:], Body: body, Timestamp: at, Signature: signature})
	if err != nil {
		i.t.Fatal(err)
	}
	return code
}

// TestRedeemLaunchURL_AfterRestart_Once redeems a URL after a restart.
func TestRedeemLaunchURL_AfterRestart_Once(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	before, stop := i.startProcess()
	code := i.requestLaunchURL(before)
	stop()
	after, stop := i.startProcess()
	p, err := after.RedeemLaunchURL(t.Context(), "hs", code)
	if err != nil || p.Record.ID != "51" {
		t.Fatalf("after a restart: got record %q, %v, want 51", p.Record.ID, err)
	}
	stop()
	restarted, _ := i.startProcess()
	if _, err := restarted.RedeemLaunchURL(t.Context(), "hs", code); !errors.Is(err, ErrCodeExpired) {
		t.Errorf("used before the second restart: got %v, want %v", err, ErrCodeExpired)
	}
	if w, err := restarted.PendingLaunch(t.Context(), "hs", p.Code); err != nil || w.ID != p.ID {
		t.Errorf("PendingLaunch after the second restart: got %q, %v, want %q", w.ID, err, p.ID)
	}
	if rejections, _, err := restarted.Rejections(t.Context(), "hs"); err != nil || len(rejections) != 1 ||
		rejections[0].Cause != launch.CauseUsed {
		t.Errorf("causes: got %+v, %v", rejections, err)
	}
}

// TestRedeemLaunchURL_ConcurrentProcesses_Once redeems a URL many times at once in two processes: only
// one attempt succeeds.
func TestRedeemLaunchURL_ConcurrentProcesses_Once(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	first, _ := i.startProcess()
	second, _ := i.startProcess()
	for range 5 {
		code := i.requestLaunchURL(first)
		errs := make([]error, 6)
		var ready, all sync.WaitGroup
		ready.Add(len(errs))
		for n := range errs {
			all.Go(func() {
				s := []*Service{first, second}[n%2]
				ready.Done()
				ready.Wait()
				_, errs[n] = s.RedeemLaunchURL(t.Context(), "hs", code)
			})
		}
		all.Wait()
		opened := 0
		for _, err := range errs {
			switch {
			case err == nil:
				opened++
			case !errors.Is(err, ErrCodeExpired):
				t.Errorf("got %v, want %v", err, ErrCodeExpired)
			}
		}
		if opened != 1 {
			t.Fatalf("redeemed %d times, want once", opened)
		}
	}
}

// TestRedeemLaunchURL_TooLate_Expired uses another process with a later clock.
func TestRedeemLaunchURL_TooLate_Expired(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	first, _ := i.startProcess()
	code := i.requestLaunchURL(first)
	i.Now = func() time.Time { return time.Now().Add(launchURLTime) }
	late, _ := i.startProcess()
	if _, err := late.RedeemLaunchURL(t.Context(), "hs", code); !errors.Is(err, ErrCodeExpired) {
		t.Errorf("too late, in another process: got %v, want %v", err, ErrCodeExpired)
	}
}
