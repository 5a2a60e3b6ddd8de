package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// endpoint is one row of the interface: where it answers and what it needs.
type endpoint struct {
	pattern  string
	answer   func(*http.Request) (any, error)               // JSON, or
	stream   func(http.ResponseWriter, *http.Request) error // a file
	keyless  bool                                           // no apikey (section 5.3)
	deed     bool                                           // changes something, so its answer can be lost
	estimate bool                                           // a pre-qualification: the ledger says whether a key came
}

const product = "/products/heloc/v1/"

// endpoints are sections 4.1 to 4.22 of interface.md in their order, then the one
// call that only the field has.
func (s *Sandbox) endpoints() []endpoint {
	inquiry := product + "inquiry/{appUuid}/"
	return []endpoint{
		{pattern: "POST " + product + "inquiry/start", answer: s.start, deed: true},
		{pattern: "POST " + inquiry + "calculate-offers", answer: s.calculateOffers},
		{pattern: "GET " + product + "details/{appUuid}", answer: s.details},
		{pattern: "PUT " + inquiry + "select-offer", answer: s.selectOffer, deed: true},
		{pattern: "PUT " + inquiry + "cancel", answer: s.cancel, deed: true},
		{pattern: "PATCH " + inquiry + "attributions", answer: s.setAttributions, deed: true},
		{pattern: "PATCH " + product + "lead/{appUuid}/reassign", answer: s.reassign, deed: true},
		{pattern: "GET " + inquiry + "direct-debt-payoff-offers", answer: s.payoffOffers},
		{pattern: "GET " + inquiry + "properties", answer: s.properties},
		{pattern: "PUT " + inquiry + "select-property", answer: s.selectProperty, deed: true},
		{pattern: "PUT " + inquiry + "add-ssn", answer: s.addSSN, deed: true},
		{pattern: "POST " + inquiry + "repull-credit", answer: s.repullCredit, deed: true},
		{pattern: "PUT " + inquiry + "verify-liens", answer: s.verifyLiens, deed: true},
		{pattern: "PUT " + inquiry + "add-income", answer: s.addIncome, deed: true},
		{pattern: "PUT " + inquiry + "asset-depletion", answer: s.assetDepletion, deed: true},
		{pattern: "PUT " + inquiry + "add-property-estimate", answer: s.addPropertyEstimate, deed: true},
		{pattern: "GET " + product + "document/{appUuid}/list", answer: s.documentList},
		{pattern: "GET " + product + "document/{appUuid}/download/{documentUuid}", stream: s.download},
		{pattern: "GET " + product + "document/{appUuid}/download", stream: s.downloadAll},
		{pattern: "POST /products/heloc/pre-qualify/v2", answer: s.prequalifySealed, keyless: true, deed: true, estimate: true},
		{pattern: "POST /a/external/products/heloc/pre-qualify/v1", answer: s.prequalifyPlain, keyless: true, deed: true, estimate: true},
		{pattern: "POST /products/heloc/pre-qualify/v1", answer: s.prequalifyPlain, keyless: true, deed: true, estimate: true},
		{pattern: "GET /management/v1/loan-originator", answer: s.originators},
		{pattern: "POST /encryption/v1/encrypt", answer: s.encrypt},
		{pattern: "GET " + inquiry + "borrower-costs", answer: s.borrowerCosts},
	}
}

// table hangs the endpoints behind the gate, and the control half behind its own.
func (s *Sandbox) table() *http.ServeMux {
	mux := http.NewServeMux()
	for _, e := range s.endpoints() {
		mux.Handle(e.pattern, s.gate(e))
	}
	mux.Handle("/", s.gate(endpoint{keyless: true, answer: func(*http.Request) (any, error) {
		return nil, gatewayRefusal(http.StatusNotFound, "no Route matched with those values")
	}}))
	mux.Handle("/_sandbox/", s.control())
	return mux
}

// with opens the application of the path under the lock and runs act on it.
func (s *Sandbox) with(r *http.Request, act func(*record) (any, error)) (any, error) {
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
	return refuse(http.StatusNotFound, "No inquiry or application was found for the given appUuid.")
}
