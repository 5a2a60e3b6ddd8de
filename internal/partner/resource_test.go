package partner

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// A 2xx response without the resource must never become an empty value: stored, it would
// erase what is known about the lead.
func TestReads_ResourceMissing_NoReading(t *testing.T) {
	t.Parallel()
	const failed = `{"messages":[{"level":"ERROR","message":"Account 123456789 is <b>busy</b>"}]}`
	reads := map[string]func(context.Context, *Client) error{
		"details":    func(ctx context.Context, c *Client) error { _, err := c.Details(ctx, appID); return err },
		"signers":    func(ctx context.Context, c *Client) error { _, err := c.Signers(ctx, appID); return err },
		"properties": func(ctx context.Context, c *Client) error { _, err := c.Properties(ctx, appID); return err },
		"documents":  func(ctx context.Context, c *Client) error { _, err := c.Documents(ctx, appID); return err },
		"payoff": func(ctx context.Context, c *Client) error {
			_, err := c.PayoffOffers(ctx, appID, []string{"a"})
			return err
		},
		"costs": func(ctx context.Context, c *Client) error {
			_, err := c.BorrowerCosts(ctx, appID, "o", heloc.Dollars(50_000))
			return err
		},
		"quote": func(ctx context.Context, c *Client) error {
			_, err := c.Quote(ctx, appID, heloc.QuoteRequest{})
			return err
		},
	}
	common := []string{failed, `{}`, `null`, ``, `[]`, `{"data":null}`, `{"data":{}}`, `{"data":[]}`,
		`{"data":{"appUuid":"` + string(appID) + `"}}`}
	own := map[string][]string{
		"details": {
			`{"data":{"appUuid":"` + string(appID) + `","appShortId":"1-26015-070","appData":null}}`,
			`{"data":{"appUuid":"` + string(appID) + `","appData":{}}}`,
			`{"appData":{"nextInquiryStep":null,"keyDates":{"createdDate":null},"underwriting":{"offers":[]}}}`,
			`{"appData":"none"}`,
		},
		"properties": {`{"properties":{}}`, `{"properties":null,"messages":[{"level":"ERROR","message":"x"}]}`},
		"documents":  {`{"documents":{}}`, `{"documents":null,"messages":[{"level":"ERROR","message":"x"}]}`},
		"payoff":     {`{"data":{"offers":null}}`},
		"costs":      {`{"costs":null}`, `{"costs":{}}`, `{"costs":{"fixedCosts":null}}`},
		"quote":      {`{"underwriting":null}`, `{"underwriting":{"offers":null,"selectedOffer":null}}`},
	}
	for name, read := range reads {
		for _, body := range append(common, own[name]...) {
			for _, dialect := range []Dialect{Documented, Live} {
				server, requestCount := startServer(t, respondWithBody(body))
				err := read(t.Context(), testClient(t, Config{BaseURL: server.URL, Dialect: dialect}))
				if !fault.Is(err, fault.Upstream) {
					t.Errorf("%s, %s, %s: got %v, want an Upstream error", dialect, name, body, err)
					continue
				}
				if requestCount.Load() != 1 {
					t.Errorf("%s, %s: got %d requests, want 1", name, body, requestCount.Load())
				}
				failure, _ := errors.AsType[*Failure](err)
				if body != failed {
					continue
				}
				if len(failure.Messages) != 1 || !strings.Contains(failure.Messages[0].Message, "busy") ||
					strings.Contains(failure.Messages[0].Message, "123456789") {
					t.Errorf("%s: got messages %+v, want the lender's message without numbers", name, failure.Messages)
				}
				if strings.Contains(err.Error(), "busy") {
					t.Errorf("%s: the error contains the lender's message: %v", name, err)
				}
			}
		}
	}
}

func TestReads_ListEmptyOrNull_Reading(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, body := range []string{`{"documents":[],"properties":[]}`, `{"documents":null,"properties":null}`} {
		server, _ := startServer(t, respondWithBody(body))
		c := testClient(t, Config{BaseURL: server.URL})
		if docs, err := c.Documents(ctx, appID); err != nil || len(docs.Value) != 0 {
			t.Errorf("%s: documents: got %v, %v", body, docs.Value, err)
		}
		if found, err := c.Properties(ctx, appID); err != nil || len(found.Value.Properties) != 0 {
			t.Errorf("%s: properties: got %v, %v", body, found.Value, err)
		}
	}
	for body, read := range map[string]func(*Client) error{
		`{"data":{"offers":[]}}`: func(c *Client) error { _, err := c.PayoffOffers(ctx, appID, []string{"a"}); return err },
		`{"costs":{"fixedCosts":[],"dynamicCosts":[]}}`: func(c *Client) error {
			_, err := c.BorrowerCosts(ctx, appID, "o", 1)
			return err
		},
		`{"underwriting":{"offers":[],"selectedOffer":null}}`: func(c *Client) error {
			_, err := c.Quote(ctx, appID, heloc.QuoteRequest{})
			return err
		},
	} {
		server, _ := startServer(t, respondWithBody(body))
		if err := read(testClient(t, Config{BaseURL: server.URL})); err != nil {
			t.Errorf("%s: got error %v, want none", body, err)
		}
	}
}

// Another application means another borrower, wherever the response names it.
func TestReads_OtherApplication_NoReading(t *testing.T) {
	t.Parallel()
	const other = "99999999-9999-4999-8999-999999999999"
	for name, body := range map[string]string{
		"wrapped": `{"data":{"appUuid":"` + other + `","appData":{"isInquiry":true},"offers":[]}}`,
		"bare":    `{"appUuid":"` + other + `","appData":{"isInquiry":true},"offers":[]}`,
		"next to data": `{"appUuid":"` + other + `","data":{"appUuid":"` + string(appID) +
			`","appData":{"isInquiry":true},"offers":[]}}`,
		"no UUID":            `{"data":{"appUuid":"1-26015-070","appData":{"isInquiry":true},"offers":[]}}`,
		"an object":          `{"data":{"appUuid":{"id":"` + string(appID) + `"},"appData":{"isInquiry":true},"offers":[]}}`,
		"true":               `{"data":{"appUuid":true,"appData":{"isInquiry":true},"offers":[]}}`,
		"without a resource": `{"data":{"appUuid":"` + other + `"}}`,
	} {
		server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) { respondWithBody(body)(w, r) })
		c := testClient(t, Config{BaseURL: server.URL})
		if _, err := c.Details(t.Context(), appID); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s: details: got %v, want an Upstream error", name, err)
		}
		if _, err := c.PayoffOffers(t.Context(), appID, []string{"a"}); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s: payoff offers: got %v, want an Upstream error", name, err)
		}
	}
	server, _ := startServer(t, respondWithBody(`{"data":{"appUuid":"`+strings.ToUpper(string(appID))+
		`","appData":{"isInquiry":true}}}`))
	if got, err := testClient(t, Config{BaseURL: server.URL}).Details(t.Context(), appID); err != nil ||
		got.Value.AppUUID != appID {
		t.Errorf("the same application in capitals: got %q, %v", got.Value.AppUUID, err)
	}
}
