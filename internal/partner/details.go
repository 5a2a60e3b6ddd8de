package partner

import (
	"context"
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
	q := detailsCall(app, include)
	if slices.ContainsFunc(include, func(s Section) bool { return s != Conditions && s != FundingReport }) {
		q.invalid = fault.New(fault.Internal, "This section is not part of the details.")
	}
	var malformed []string
	details, err := ask(ctx, c, q, func(got *reply) (heloc.Details, error) {
		tree, err := q.readDetails(got)
		if err != nil {
			return heloc.Details{}, err
		}
		malformed = keepIDs(tree, detailsIDs()...)
		lowerID(tree, "loanOriginatorData.brokerUuid")
		return decode[heloc.Details](tree), nil
	})
	details.Malformed = malformed
	return details, err
}

// Signers fetches only the borrowers of an application: PII that is displayed on request,
// audited, and never stored.
//
// heloc: GET /products/heloc/v1/details/{appUuid} (4.3)
func (c *Client) Signers(ctx context.Context, app heloc.AppID) (Result[heloc.Signers], error) {
	q := detailsCall(app, []Section{borrowerDetails})
	return ask(ctx, c, q, func(got *reply) (heloc.Signers, error) {
		tree, err := q.readDetails(got)
		if err != nil {
			return heloc.Signers{}, err
		}
		data, _ := tree["appData"].(object)
		if borrowers, _ := data["borrowerDetails"].(object); !holdsValue(borrowers) {
			return heloc.Signers{}, q.noResource(got)
		}
		return decode[heloc.Signers](data["borrowerDetails"]), nil
	})
}

// detailsCall has another name when it asks for the borrowers, so that views of borrower data are counted separately.
func detailsCall(app heloc.AppID, include []Section) call {
	name, query := "details", url.Values{}
	for _, section := range include {
		if section == borrowerDetails {
			name = "details-signers"
		}
		query.Add("include", string(section))
	}
	q := callTo(name).of(app)
	q.query, q.encryptedResponse = query.Encode(), true
	return q
}

// readDetails reads the resource in documented form. It rejects a response about another
// application, which would disclose another borrower's data. It also rejects a response
// without the resource, which can have status 200 (interface-live.md section 1): treated as
// a resource of nulls, it would erase what is known about the lead.
func (c call) readDetails(got *reply) (object, error) {
	if err := c.about(got); err != nil {
		return nil, err
	}
	if data, _ := unwrapData(got.tree)["appData"].(object); !holdsValue(data) {
		return nil, c.noResource(got)
	}
	tree := documentedDetails(got.tree)
	tree["appUuid"] = string(c.app)
	return tree, nil
}
