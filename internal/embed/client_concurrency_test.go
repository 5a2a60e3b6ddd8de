package embed

import (
	"sync"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// TestSave_ConcurrentAdd_OneWins lets administrators add a CRM with the same key at the same time, in
// two processes that share a database: one succeeds, and the others get the error for a taken key.
func TestSave_ConcurrentAdd_OneWins(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	first, _ := i.startProcess()
	second, _ := i.startProcess()
	processes := []*Service{first, second}
	for _, key := range []string{"one", "two", "three", "four", "five"} {
		names := []string{"Ada's", "Ben's", "Cleo's", "Dan's"}
		errs := make([]error, len(names))
		var ready, all sync.WaitGroup
		ready.Add(len(names))
		for i, name := range names {
			all.Go(func() {
				e := Setup{Key: key, Name: name, BrokerID: "summit", Kind: "canvas", Origins: []string{"https://crm.example"},
					Organization: "00DA", Secret: name + " secret of many characters", Mode: Add}
				ready.Done()
				ready.Wait()
				errs[i] = processes[i%2].Save(t.Context(), access.Operator(), e)
			})
		}
		all.Wait()
		var added []string
		for i, err := range errs {
			switch fields := fault.FieldsOf(err); {
			case err == nil:
				added = append(added, names[i])
			case len(fields) != 1 || fields[0].Message != keyTakenMessage:
				t.Errorf("%s: %s: got error %v, want that the key is taken", key, names[i], err)
			}
		}
		c, err := first.Client(t.Context(), key)
		if err != nil || len(added) != 1 || c.Name != added[0] {
			t.Errorf("%s: got additions by %v, stored %s (%v), want one addition and its name", key, added, c.Name, err)
		}
	}
}

// TestChangeClient_Concurrent_BothApply approves a CRM's sign-in while its current secret is retired.
func TestChangeClient_Concurrent_BothApply(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	e := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: "canvas", Origins: []string{"https://crm.example"},
		Organization: "00DA", Secret: "a secret of many characters"}
	for round := range 5 {
		o.save(e)
		e.Secret += " and more"
		o.save(e)
		o.must(o.RevokeAttestation(t.Context(), access.Operator(), "sf"))
		var all sync.WaitGroup
		errs := make([]error, 2)
		all.Go(func() { errs[0] = o.Attest(t.Context(), access.Operator(), "sf", "Quinn") })
		all.Go(func() { errs[1] = o.RetireSecret(t.Context(), access.Operator(), "sf") })
		all.Wait()
		c, err := o.Client(t.Context(), "sf")
		if err != nil || errs[0] != nil || errs[1] != nil || !c.Attested() || len(c.SecretNext.Reveal()) > 0 {
			t.Fatalf("round %d: got %v, %v; attested %v, next secret of %d bytes",
				round, errs, err, c.Attested(), len(c.SecretNext.Reveal()))
		}
	}
}
