package partner

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// OriginatorQuery selects a page of the directory. The zero value is the first page without
// a filter; the lender's default limit is 100.
type OriginatorQuery struct {
	Emails []string
	Offset int
	Limit  int
}

// Originators lists the loan originators of the organization. A response without a list and
// a total, or whose count differs from the number of its rows, is fault.Upstream.
//
// heloc: GET /management/v1/loan-originator (4.21)
func (c *Client) Originators(ctx context.Context, q OriginatorQuery) (Result[OriginatorPage], error) {
	list := callTo("loan-originator")
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
	list.query = query.Encode()
	return ask(ctx, c, list, func(got *reply) (OriginatorPage, error) {
		page, err := readOriginators(got.tree)
		if err != nil {
			err = list.failure(got.said(), fault.Upstream, err)
		}
		return page, err
	})
}

// readOriginators reads a page. Here data is the list itself, in both dialects.
func readOriginators(tree any) (OriginatorPage, error) {
	answer, _ := tree.(object)
	rows, isList := answer["data"].([]any)
	total, counted := countIn(answer["total"])
	switch {
	case !isList:
		return OriginatorPage{}, errors.New("the answer has no list of originators")
	case !counted:
		return OriginatorPage{}, errors.New("the answer does not say how many originators there are")
	}
	if n, counted := countIn(answer["count"]); answer["count"] != nil && (!counted || n != len(rows)) {
		return OriginatorPage{}, errors.New("the answer has another number of originators than it says")
	}
	page := OriginatorPage{Rows: len(rows), Total: total}
	for _, row := range rows {
		if o, usable := readOriginator(row); usable {
			page.Originators = append(page.Originators, o)
		}
	}
	return page, nil
}

// countIn reads a non-negative integer, written as a number or as text.
func countIn(node any) (int, bool) {
	n, err := strconv.Atoi(textOf(node))
	return n, err == nil && n >= 0
}

// readOriginator reads one entry; false when something that section 2.4 requires is absent or
// malformed. A broker company must be absent or complete.
func readOriginator(row any) (heloc.Originator, bool) {
	entry, _ := row.(object)
	if entry == nil || !keepID(entry, "loanOriginatorId") {
		return heloc.Originator{}, false
	}
	company := entry["brokerCompany"]
	if company != nil {
		broker, _ := company.(object)
		if broker == nil || !keepID(broker, "brokerId") {
			return heloc.Originator{}, false
		}
		lowerID(broker, "brokerId")
	}
	o := decode[heloc.Originator](entry)
	usable := o.ID != "" && o.Email != "" && o.FirstName != "" && o.LastName != "" && o.Organization != ""
	if company != nil {
		usable = usable && o.Broker != nil && o.Broker.ID != "" && o.Broker.Name != "" && o.Broker.NMLS != ""
	}
	return o, usable
}
