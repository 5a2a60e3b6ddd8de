package partner

import (
	"slices"
	"sync"
	"time"
)

// EndpointStats is what one endpoint was asked since the program began.
type EndpointStats struct {
	Calls  int // tries, each counted
	Failed int // without an answer, or with a status of 400 and above
	Last   time.Time
	Median time.Duration // endpoint the last hundred
}

// medianWindow is how many durations the median looks at.
const medianWindow = 100

// callStats counts calls by endpoint. The zero value is ready.
type callStats struct {
	mu         sync.Mutex
	byEndpoint map[string]*endpointCounter
}

type endpointCounter struct {
	EndpointStats
	durations [medianWindow]time.Duration
}

func (k *callStats) add(c Call) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byEndpoint == nil {
		k.byEndpoint = map[string]*endpointCounter{}
	}
	n := k.byEndpoint[c.Endpoint]
	if n == nil {
		n = &endpointCounter{}
		k.byEndpoint[c.Endpoint] = n
	}
	n.durations[n.Calls%medianWindow] = c.Duration
	n.Calls++
	n.Last = c.At
	if c.Status == 0 || c.Status >= 400 {
		n.Failed++
	}
}

func (k *callStats) endpoint(endpoint string) EndpointStats {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.byEndpoint[endpoint]
	if n == nil {
		return EndpointStats{}
	}
	took := slices.Clone(n.durations[:min(n.Calls, medianWindow)])
	slices.Sort(took)
	t := n.EndpointStats
	t.Median = took[len(took)/2]
	return t
}

// Stats is what an endpoint was asked, by the name that Endpoints gives it.
func (c *Client) Stats(endpoint string) EndpointStats { return c.stats.endpoint(endpoint) }
