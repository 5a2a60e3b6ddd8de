package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/partner"
)

// startAtLender starts an inquiry at the lender that this portal does not know about.
func (h *harness) startAtLender(first string) string {
	h.t.Helper()
	year, value := heloc.Dollars(124_600), heloc.Dollars(560_000)
	listed := false
	opened, owed, pays := heloc.Dollars(241_000), heloc.Dollars(203_900), heloc.Dollars(1_318)
	home := heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"}
	got, err := h.deskDeps.Lender.Start(h.t.Context(), partner.Start{
		Originator: heloc.OriginatorID(h.people[first].OriginatorUUID), Reference: "crm-" + first,
		Inquiry: heloc.Inquiry{
			Applicant: heloc.Applicant{
				Name: heloc.Name{First: "Nora", Last: "Okafor"}, DateOfBirth: "1979-05-17", Phone: "3035550147", Email: "nora@borrower.test", HomeAddress: home,
				Income: heloc.Income{EmploymentType: "FULL_TIME", GrossAnnual: &year},
			},
			Property: heloc.Property{Address: home, PropertyType: "PRIMARY", EstimatedValue: &value, IsListedForSale: &listed, Liens: []heloc.LienInput{
				{LenderName: "Sawtooth Mortgage", OriginationDate: "2019-08-30", OriginalBalance: &opened, CurrentBalance: &owed, MonthlyPayment: &pays},
			}},
		},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return string(got.AppUUID)
}

// TestAdopt_ByID_OwnAccepted_OthersRejected covers every outcome of POST /leads/adopt.
func TestAdopt_ByID_OwnAccepted_OthersRejected(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia, marcus, maya, ada := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("maya"), h.signInAs("ada")
			mine, his, theirs := h.startAtLender("olivia"), h.startAtLender("marcus"), h.startAtLender("piotr")
			adopt := func(v *testBrowser, typed string) *response {
				return v.send(v.get("/leads").form(`form[action="/leads/adopt"]`).with("appUuid", typed))
			}
			for _, tt := range []struct {
				name  string
				who   *testBrowser
				typed string
				want  string
			}{
				{"nothing", olivia, "", "36 characters"},
				{"no id", olivia, "1-26324-021", "36 characters"},
				{"nobody's", olivia, "0f0e0d0c-0000-4000-8000-0000000000ff", "no application with this ID"},
				{"another company's", olivia, theirs, "no application with this ID"},
				{"a colleague's", olivia, his, "no application with this ID"},
				{"another company's, as a manager", maya, theirs, "no application with this ID"},
			} {
				got := adopt(tt.who, tt.typed)
				if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), tt.want) || strings.Contains(got.body, "Okafor") {
					t.Errorf("%s: got %d %s, want 422 and %q", tt.name, got.status, got.text(), tt.want)
				}
			}
			got := adopt(olivia, " "+strings.ToUpper(mine)+" ")
			if got.path != "/leads/"+mine || got.status != http.StatusOK {
				t.Fatalf("own inquiry: got %d at %s: %s", got.status, got.path, got.text())
			}
			olivia.waitFor("/leads/"+mine, `input[name="offer.offerUuid"]`).wantText("Nora Okafor", "Offers ready")
			olivia.get("/leads?q=okafor").wantText("Nora Okafor")
			if again := adopt(olivia, mine); again.path != "/leads/"+mine {
				t.Errorf("again: got %d at %s", again.status, again.path)
			}
			if got := adopt(ada, his); got.path != "/leads/"+his {
				t.Errorf("an assistant, a colleague's: got %d at %s", got.status, got.path)
			}
			if got := marcus.get("/leads/" + his); got.status != http.StatusOK {
				t.Errorf("its originator: got %d, want 200", got.status)
			}
			if got := h.signInAs("admin").post("/leads/adopt", url.Values{"appUuid": {mine}}); got.status != http.StatusForbidden {
				t.Errorf("an administrator: got %d, want 403", got.status)
			}
			// The lender has since reassigned it to olivia; the portal has not synced yet.
			if _, err := h.deskDeps.Lender.Reassign(t.Context(), heloc.AppID(his), heloc.OriginatorID(h.people["olivia"].OriginatorUUID)); err != nil {
				t.Fatal(err)
			}
			if got := adopt(olivia, his); got.path != "/leads/"+his || got.status != http.StatusOK {
				t.Errorf("a reassigned inquiry: got %d at %s: %s", got.status, got.path, got.text())
			}
			h.lender.Close()
			if got := adopt(olivia, theirs); got.status != http.StatusServiceUnavailable && got.status != http.StatusBadGateway {
				t.Errorf("without the lender: got %d, want 503 or 502", got.status)
			}
		})
	}
}
