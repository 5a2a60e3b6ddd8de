package embed

import (
	"sync"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// TestSave_ConcurrentAdd_OneWins lets administrators add a CRM of the same key in one instant, at
// two processes that share a database: one has it, the others are told as who comes second.
func TestSave_ConcurrentAdd_OneWins(t *testing.T) {
	i := newInstallation(t)
	here, _ := i.startProcess()
	there, _ := i.startProcess()
	processes := []*Service{here, there}
	for _, key := range []string{"one", "two", "three", "four", "five"} {
		names := []string{"Ada's", "Ben's", "Cleo's", "Dan's"}
		said := make([]error, len(names))
		var ready, all sync.WaitGroup
		ready.Add(len(names))
		for i, name := range names {
			all.Go(func() {
				e := Setup{Key: key, Name: name, BrokerID: "summit", Kind: "canvas", Origins: []string{"https://crm.example"}, Organization: "00DA", Secret: name + " secret of many characters", Mode: Add}
				ready.Done()
				ready.Wait()
				said[i] = processes[i%2].Save(t.Context(), access.Operator(), e)
			})
		}
		all.Wait()
		var won []string
		for i, err := range said {
			switch fields := fault.FieldsOf(err); {
			case err == nil:
				won = append(won, names[i])
			case len(fields) != 1 || fields[0].Message != keyTakenMessage:
				t.Errorf("%s: %s was told %v, want that the key is taken", key, names[i], err)
			}
		}
		c, err := here.Client(t.Context(), key)
		if err != nil || len(won) != 1 || c.Name != won[0] {
			t.Errorf("%s: added for %v, and it is %s (%v): want one, and theirs", key, won, c.Name, err)
		}
	}
}

// TestChangeClient_Concurrent_BothApply approves a CRM's log-in while its former secret is ended.
func TestChangeClient_Concurrent_BothApply(t *testing.T) {
	o := newHarness(t)
	e := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: "canvas", Origins: []string{"https://crm.example"}, Organization: "00DA", Secret: "a secret of many characters"}
	for round := range 5 {
		o.save(e)
		e.Secret += " and more"
		o.save(e)
		o.must(o.RevokeAttestation(t.Context(), access.Operator(), "sf"))
		var all sync.WaitGroup
		said := make([]error, 2)
		all.Go(func() { said[0] = o.Attest(t.Context(), access.Operator(), "sf", "Quinn") })
		all.Go(func() { said[1] = o.RetireSecret(t.Context(), access.Operator(), "sf") })
		all.Wait()
		c, err := o.Client(t.Context(), "sf")
		if err != nil || said[0] != nil || said[1] != nil || !c.Attested() || len(c.SecretNext.Reveal()) > 0 {
			t.Fatalf("round %d: got %v, %v; attested %v, a next secret of %d", round, said, err, c.Attested(), len(c.SecretNext.Reveal()))
		}
	}
}
