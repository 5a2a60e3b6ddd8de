package partner

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Section is a part of the details that the lender sends only on request.
type Section string

// The sections that Details accepts. Borrower details are not among them: Signers fetches
// those, so that every view of a borrower's data is a separate call.
const (
	Conditions    Section = "CONDITIONS"
	FundingReport Section = "FUNDING_REPORT"

	borrowerDetails Section = "BORROWER_DETAILS"
)

// Details fetches an inquiry or application. Any field may be empty. The result never
// contains demographics or borrower details.
//
// heloc: GET /products/heloc/v1/details/{appUuid} (4.3)
func (c *Client) Details(ctx context.Context, app heloc.AppID, include ...Section) (Result[heloc.Details], error) {
	if slices.ContainsFunc(include, func(s Section) bool { return s != Conditions && s != FundingReport }) {
		return Result[heloc.Details]{}, detailsCall(include).notSent(fault.New(fault.Internal, "This section is not part of the details."))
	}
	got, tree, err := c.fetchDetails(ctx, app, include)
	if err != nil {
		return Result[heloc.Details]{}, err
	}
	malformed := keepIDs(tree, detailsIDs()...)
	lowerID(tree, "loanOriginatorData.brokerUuid")
	details := newResult(got, decode[heloc.Details](tree))
	details.Malformed = malformed
	return details, nil
}

// Signers fetches only the borrowers of an application: PII that is displayed on request,
// audited, and never stored.
//
// heloc: GET /products/heloc/v1/details/{appUuid} (4.3)
func (c *Client) Signers(ctx context.Context, app heloc.AppID) (Result[heloc.Signers], error) {
	got, tree, err := c.fetchDetails(ctx, app, []Section{borrowerDetails})
	if err != nil {
		return Result[heloc.Signers]{}, err
	}
	data, _ := tree["appData"].(object)
	if borrowers, _ := data["borrowerDetails"].(object); !holdsValue(borrowers) {
		return Result[heloc.Signers]{}, detailsCall([]Section{borrowerDetails}).noResource(got)
	}
	return newResult(got, decode[heloc.Signers](data["borrowerDetails"])), nil
}

// detailsCall has another name when it asks for the borrowers, so that views of borrower data are counted separately.
func detailsCall(include []Section) call {
	endpoint := "details"
	if slices.Contains(include, borrowerDetails) {
		endpoint = "details-signers"
	}
	return call{endpoint: endpoint, class: classRead, method: http.MethodGet, encryptedResponse: true}
}

// fetchDetails reads the resource in documented form. It rejects a response about another
// application, which would disclose another borrower's data. It also rejects a response
// without the resource, which can have status 200 (interface-live.md section 1): treated as
// a resource of nulls, it would erase what is known about the lead.
func (c *Client) fetchDetails(ctx context.Context, app heloc.AppID, include []Section) (*reply, object, error) {
	call := detailsCall(include)
	id, invalid := pathID(app)
	if invalid != nil {
		return nil, nil, call.notSent(invalid)
	}
	call.path = "/products/heloc/v1/details/" + id
	query := url.Values{}
	for _, section := range include {
		query.Add("include", string(section))
	}
	call.query = query.Encode()
	got, err := c.do(ctx, call)
	if err != nil {
		return nil, nil, err
	}
	if err := call.about(got, id); err != nil {
		return nil, nil, err
	}
	if data, _ := unwrapData(got.tree)["appData"].(object); !holdsValue(data) {
		return nil, nil, call.noResource(got)
	}
	tree := readDetails(got.tree)
	tree["appUuid"] = id
	return got, tree, nil
}

// newResult combines a value with the messages and request id of its response.
func newResult[T any](got *reply, value T) Result[T] {
	return Result[T]{Value: value, Messages: got.messages, RequestID: got.requestID}
}
