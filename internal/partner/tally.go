package partner

import (
	"slices"
	"sync"
	"time"
)

// Tally is what one endpoint was asked since the program began.
type Tally struct {
	Calls  int // tries, each counted
	Failed int // without an answer, or with a status of 400 and above
	Last   time.Time
	Median time.Duration // of the last hundred
}

// remembered is how many durations the median looks at.
const remembered = 100

// tally counts calls by endpoint. The zero value is ready.
type tally struct {
	mu sync.Mutex
	by map[string]*counted
}

type counted struct {
	Tally
	took [remembered]time.Duration
}

func (k *tally) note(c Call) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[string]*counted{}
	}
	n := k.by[c.Endpoint]
	if n == nil {
		n = &counted{}
		k.by[c.Endpoint] = n
	}
	n.took[n.Calls%remembered] = c.Duration
	n.Calls++
	n.Last = c.At
	if c.Status == 0 || c.Status >= 400 {
		n.Failed++
	}
}

func (k *tally) of(endpoint string) Tally {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.by[endpoint]
	if n == nil {
		return Tally{}
	}
	took := slices.Clone(n.took[:min(n.Calls, remembered)])
	slices.Sort(took)
	t := n.Tally
	t.Median = took[len(took)/2]
	return t
}

// Tally is what an endpoint was asked, by the name that Endpoints gives it.
func (c *Client) Tally(endpoint string) Tally { return c.tally.of(endpoint) }
