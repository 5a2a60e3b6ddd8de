package partner

import (
	"slices"
	"sync"
	"time"
)

// EndpointStats counts the calls of one endpoint since the program started.
type EndpointStats struct {
	Calls  int // every try counts
	Failed int // without a response, or with a status of 400 and above
	Last   time.Time
	Median time.Duration // of the last hundred
}

// medianWindow is the number of durations that the median considers.
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

func (c *callStats) add(call Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byEndpoint == nil {
		c.byEndpoint = map[string]*endpointCounter{}
	}
	n := c.byEndpoint[call.Endpoint]
	if n == nil {
		n = &endpointCounter{}
		c.byEndpoint[call.Endpoint] = n
	}
	n.durations[n.Calls%medianWindow] = call.Duration
	n.Calls++
	n.Last = call.At
	if call.Status == 0 || call.Status >= 400 {
		n.Failed++
	}
}

func (c *callStats) endpoint(endpoint string) EndpointStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.byEndpoint[endpoint]
	if n == nil {
		return EndpointStats{}
	}
	durations := slices.Clone(n.durations[:min(n.Calls, medianWindow)])
	slices.Sort(durations)
	t := n.EndpointStats
	t.Median = durations[len(durations)/2]
	return t
}

// Stats returns the counts of an endpoint, given its name in Endpoints.
func (c *Client) Stats(endpoint string) EndpointStats { return c.stats.endpoint(endpoint) }
