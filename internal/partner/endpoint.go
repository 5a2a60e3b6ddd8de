package partner

import (
	"slices"
	"sync"
	"time"
)

// Endpoint is one endpoint of the interface and the method that calls it.
type Endpoint struct {
	Method, Path string
	Section      string // of interface.md; "live 3" is section 3 of interface-live.md
	Func         string // the Client's method
	Name         string // the value of Call.Endpoint, by which calls are counted
	Deprecated   bool   // by the lender
	class        callClass
}

// Endpoints lists every endpoint by its section. A test checks that it agrees with the
// "heloc:" lines above the methods.
func Endpoints() []Endpoint {
	return []Endpoint{
		{"POST", "/products/heloc/v1/inquiry/start", "4.1", "Start", "start", false, classWrite},
		{"POST", "/products/heloc/v1/inquiry/{appUuid}/calculate-offers", "4.2", "Quote", "calculate-offers",
			false, classRead},
		{"GET", "/products/heloc/v1/details/{appUuid}", "4.3", "Details", "details", false, classRead},
		{"GET", "/products/heloc/v1/details/{appUuid}", "4.3", "Signers", "details-signers", false, classRead},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/select-offer", "4.4", "SelectOffer", "select-offer", false, classWrite},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/cancel", "4.5", "Cancel", "cancel", false, classWrite},
		{"PATCH", "/products/heloc/v1/inquiry/{appUuid}/attributions", "4.6", "SetAttributions", "attributions", false,
			classWrite},
		{"PATCH", "/products/heloc/v1/lead/{appUuid}/reassign", "4.7", "Reassign", "reassign", false, classWrite},
		{"GET", "/products/heloc/v1/inquiry/{appUuid}/direct-debt-payoff-offers", "4.8", "PayoffOffers",
			"direct-debt-payoff-offers", false, classRead},
		{"GET", "/products/heloc/v1/inquiry/{appUuid}/properties", "4.9", "Properties", "properties", false, classRead},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/select-property", "4.10", "SelectProperty", "select-property", false,
			classWrite},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/add-ssn", "4.11", "AddSSN", "add-ssn", false, classWrite},
		{"POST", "/products/heloc/v1/inquiry/{appUuid}/repull-credit", "4.12", "RepullCredit", "repull-credit", false,
			classWrite},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/verify-liens", "4.13", "VerifyLiens", "verify-liens", false,
			classWrite},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/add-income", "4.14", "AddIncome", "add-income", true, classWrite},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/asset-depletion", "4.15", "AssetDepletion", "asset-depletion", false,
			classWrite},
		{"PUT", "/products/heloc/v1/inquiry/{appUuid}/add-property-estimate", "4.16", "AddPropertyEstimate",
			"add-property-estimate", false, classWrite},
		{"GET", "/products/heloc/v1/document/{appUuid}/list", "4.17", "Documents", "document-list", false, classRead},
		{"GET", "/products/heloc/v1/document/{appUuid}/download/{documentUuid}", "4.18", "Document", "document", false,
			classDownload},
		{"GET", "/products/heloc/v1/document/{appUuid}/download", "4.19", "DocumentsZip", "documents-zip", false,
			classDownload},
		{"POST", "/products/heloc/pre-qualify/v2", "4.20", "Prequalify", "pre-qualify", false, classPrequalify},
		{"POST", "/a/external/products/heloc/pre-qualify/v1", "4.20", "PrequalifyPlain", "pre-qualify-v1", true,
			classPrequalify},
		{"GET", "/management/v1/loan-originator", "4.21", "Originators", "loan-originator", false, classRead},
		{"POST", "/encryption/v1/encrypt", "4.22", "Seal", "encrypt", false, classRead},
		{"GET", "/products/heloc/v1/inquiry/{appUuid}/borrower-costs", "live 3", "BorrowerCosts", "borrower-costs",
			false, classRead},
	}
}

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
