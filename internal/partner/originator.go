package partner

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"hearthline/internal/heloc"
)

// OriginatorQuery selects a page of the directory. The zero value is the first page
// of everybody; the lender's own limit is then 100.
type OriginatorQuery struct {
	Emails []string
	Offset int
	Limit  int
}

// Originators lists the loan originators of the organization.
//
// heloc: GET /management/v1/loan-originator (4.21)
func (c *Client) Originators(ctx context.Context, q OriginatorQuery) (Result[OriginatorPage], error) {
	call := call{endpoint: "loan-originator", class: reading, method: http.MethodGet, path: "/management/v1/loan-originator"}
	query := url.Values{}
	for _, email := range q.Emails {
		query.Add("email", email)
	}
	if q.Offset > 0 {
		query.Set("offset", strconv.Itoa(q.Offset))
	}
	if q.Limit > 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	call.query = query.Encode()
	got, err := c.do(ctx, call)
	if err != nil {
		return Result[OriginatorPage]{}, err
	}
	answer, _ := got.tree.(object) // data is the list itself here
	return result(got, OriginatorPage{
		Originators: decode[[]heloc.Originator](answer["data"]),
		Total:       int(decode[heloc.Count](answer["total"])),
		Count:       int(decode[heloc.Count](answer["count"])),
	}), nil
}
