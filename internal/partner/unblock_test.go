package partner

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// TestAssetDepletion_IncompleteIncome_SentOnlyAsGivenOrNotAtAll checks that the documented dialect
// sends exactly what was given; the live lender would reject it, so nothing is sent.
func TestAssetDepletion_IncompleteIncome_SentOnlyAsGivenOrNotAtAll(t *testing.T) {
	t.Parallel()
	retired := heloc.Income{EmploymentType: "RETIRED"}
	for name, row := range map[string]struct {
		send   func(*Client) error
		income string // in the documented dialect; "" for none
	}{
		"debts only": {func(c *Client) error {
			_, err := c.AssetDepletion(context.Background(), appID, originatorOlivia,
				heloc.AssetDepletion{AccountsToPayoff: []string{"acc-1"}})
			return err
		}, ""},
		"debts and employment": {func(c *Client) error {
			_, err := c.AssetDepletion(context.Background(), appID, originatorOlivia,
				heloc.AssetDepletion{Income: retired, AccountsToPayoff: []string{"acc-1"}})
			return err
		}, `{"employmentType":"RETIRED"}`},
		"gross pay only": {func(c *Client) error {
			_, err := c.AssetDepletion(context.Background(), appID, originatorOlivia,
				heloc.AssetDepletion{Income: heloc.Income{GrossAnnual: dollars(1)}})
			return err
		}, `{"grossAnnualIncome":1}`},
		"add-income without gross pay": {func(c *Client) error {
			_, err := c.AddIncome(context.Background(), appID, originatorOlivia,
				heloc.Income{EmploymentType: "RETIRED", Savings: dollars(2)})
			return err
		}, `{"employmentType":"RETIRED","savingsAmount":2}`},
	} {
		for _, dialect := range []Dialect{Documented, Live} {
			var sent []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var payload struct{ Income json.RawMessage }
				if err := json.Unmarshal(body, &payload); err != nil {
					t.Error(err)
				}
				sent = append(sent, string(payload.Income))
				_, _ = io.WriteString(w, `{"messages":[]}`)
			}))
			err := row.send(testClient(t, Config{BaseURL: server.URL, Dialect: dialect}))
			server.Close()
			switch {
			case dialect == Documented && (err != nil || len(sent) != 1 || sent[0] != row.income):
				t.Errorf("%s, documented: sent income %q, %v; want %q", name, sent, err, row.income)
			case dialect == Live && (len(sent) != 0 || !fault.Is(err, fault.Invalid)):
				t.Errorf("%s, live: sent %d requests, %v; want none and Invalid", name, len(sent), err)
			}
		}
	}
}
