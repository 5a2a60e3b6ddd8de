package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// endpoint is one endpoint of the interface: its route and its requirements.
type endpoint struct {
	pattern    string
	handle     func(*http.Request) (any, error)               // JSON, or
	stream     func(http.ResponseWriter, *http.Request) error // a file
	withoutKey bool                                           // no apikey (section 5.3) and no Content-Type (section 5.2)
	isWrite    bool                                           // changes something, so its response can be lost
	// a pre-qualification: the call log records whether a key was sent
	estimate bool
}

const basePath = "/products/heloc/v1/"

// endpoints lists sections 4.1 to 4.22 of interface.md in their order, then the one endpoint
// that only the live service has.
func (s *Sandbox) endpoints() []endpoint {
	inquiry := basePath + "inquiry/{appUuid}/"
	return []endpoint{
		{pattern: "POST " + basePath + "inquiry/start", handle: s.start, isWrite: true},
		{pattern: "POST " + inquiry + "calculate-offers", handle: s.calculateOffers},
		{pattern: "GET " + basePath + "details/{appUuid}", handle: s.details},
		{pattern: "PUT " + inquiry + "select-offer", handle: s.selectOffer, isWrite: true},
		{pattern: "PUT " + inquiry + "cancel", handle: s.cancel, isWrite: true},
		{pattern: "PATCH " + inquiry + "attributions", handle: s.setAttributions, isWrite: true},
		{pattern: "PATCH " + basePath + "lead/{appUuid}/reassign", handle: s.reassign, isWrite: true},
		{pattern: "GET " + inquiry + "direct-debt-payoff-offers", handle: s.payoffOffers},
		{pattern: "GET " + inquiry + "properties", handle: s.properties},
		{pattern: "PUT " + inquiry + "select-property", handle: s.selectProperty, isWrite: true},
		{pattern: "PUT " + inquiry + "add-ssn", handle: s.addSSN, isWrite: true},
		{pattern: "POST " + inquiry + "repull-credit", handle: s.repullCredit, isWrite: true},
		{pattern: "PUT " + inquiry + "verify-liens", handle: s.verifyLiens, isWrite: true},
		{pattern: "PUT " + inquiry + "add-income", handle: s.addIncome, isWrite: true},
		{pattern: "PUT " + inquiry + "asset-depletion", handle: s.assetDepletion, isWrite: true},
		{pattern: "PUT " + inquiry + "add-property-estimate", handle: s.addPropertyEstimate, isWrite: true},
		{pattern: "GET " + basePath + "document/{appUuid}/list", handle: s.documentList},
		{pattern: "GET " + basePath + "document/{appUuid}/download/{documentUuid}", stream: s.download},
		{pattern: "GET " + basePath + "document/{appUuid}/download", stream: s.downloadAll},
		{pattern: "POST /products/heloc/pre-qualify/v2", handle: s.prequalifyEncrypted, withoutKey: true, isWrite: true,
			estimate: true},
		{pattern: "POST /a/external/products/heloc/pre-qualify/v1", handle: s.prequalifyPlain, withoutKey: true,
			isWrite: true, estimate: true},
		{pattern: "POST /products/heloc/pre-qualify/v1", handle: s.prequalifyPlain, withoutKey: true, isWrite: true,
			estimate: true},
		{pattern: "GET /management/v1/loan-originator", handle: s.originators},
		{pattern: "POST /encryption/v1/encrypt", handle: s.encrypt},
		{pattern: "GET " + inquiry + "borrower-costs", handle: s.borrowerCosts},
	}
}

// newMux registers the endpoints with their middleware, and /_sandbox/ with its own checks.
func (s *Sandbox) newMux() *http.ServeMux {
	mux := http.NewServeMux()
	for _, e := range s.endpoints() {
		mux.Handle(e.pattern, s.middleware(e))
	}
	mux.Handle("/", s.middleware(endpoint{withoutKey: true, handle: func(*http.Request) (any, error) {
		return nil, rejectAtGateway(http.StatusNotFound, "no Route matched with those values")
	}}))
	mux.Handle("/_sandbox/", s.control())
	return mux
}

// withInquiry finds the application of the path and calls act with it while holding mu.
func (s *Sandbox) withInquiry(r *http.Request, act func(*inquiryRecord) (any, error)) (any, error) {
	id, err := heloc.ParseAppID(r.PathValue("appUuid"))
	if err != nil {
		return nil, unknownApplication()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.records[string(id)]
	if !ok {
		return nil, unknownApplication()
	}
	return act(q)
}

func unknownApplication() error {
	return reject(http.StatusNotFound, "No inquiry or application was found for the given appUuid.")
}
