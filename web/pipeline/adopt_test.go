package pipeline_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/partner"
	"hearthline/web/webtest"
)

// startAtLender starts an inquiry at the lender that this portal does not know about.
func startAtLender(h *webtest.Harness, first string) string {
	h.T.Helper()
	year, value := heloc.Dollars(124_600), heloc.Dollars(560_000)
	listed := false
	opened, owed, pays := heloc.Dollars(241_000), heloc.Dollars(203_900), heloc.Dollars(1_318)
	home := heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"}
	got, err := h.DeskDeps.Lender.Start(h.T.Context(), partner.Start{
		Originator: heloc.OriginatorID(h.People[first].OriginatorUUID), Reference: "crm-" + first,
		Inquiry: heloc.Inquiry{
			Applicant: heloc.Applicant{
				Name: heloc.Name{First: "Nora", Last: "Okafor"}, DateOfBirth: "1979-05-17", Phone: "3035550147",
				Email: "nora@borrower.test", HomeAddress: home,
				Income: heloc.Income{EmploymentType: "FULL_TIME", GrossAnnual: &year},
			},
			Property: heloc.Property{Address: home, PropertyType: "PRIMARY", EstimatedValue: &value, IsListedForSale: &listed,
				Liens: []heloc.LienInput{
					{LenderName: "Sawtooth Mortgage", OriginationDate: "2019-08-30", OriginalBalance: &opened, CurrentBalance: &owed,
						MonthlyPayment: &pays},
				}},
		},
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return string(got.AppUUID)
}

// TestAdopt_ByID_OwnAccepted_OthersRejected covers every outcome of POST /leads/adopt.
func TestAdopt_ByID_OwnAccepted_OthersRejected(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia, marcus, maya, ada := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("maya"), h.SignInAs("ada")
			mine, his, theirs := startAtLender(h, "olivia"), startAtLender(h, "marcus"), startAtLender(h, "piotr")
			adopt := func(v *webtest.Browser, typed string) *webtest.Response {
				return v.Send(v.Get("/leads").Form(`form[action="/leads/adopt"]`).With("appUuid", typed))
			}
			for _, tt := range []struct {
				name  string
				who   *webtest.Browser
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
				if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), tt.want) ||
					strings.Contains(got.Body, "Okafor") {
					t.Errorf("%s: got %d %s, want 422 and %q", tt.name, got.Status, got.MainText(), tt.want)
				}
			}
			got := adopt(olivia, " "+strings.ToUpper(mine)+" ")
			if got.Path != "/leads/"+mine || got.Status != http.StatusOK {
				t.Fatalf("own inquiry: got %d at %s: %s", got.Status, got.Path, got.MainText())
			}
			olivia.WaitFor("/leads/"+mine, `input[name="offer.offerUuid"]`).WantText("Nora Okafor", "Offers ready")
			olivia.Get("/leads?q=okafor").WantText("Nora Okafor")
			if again := adopt(olivia, mine); again.Path != "/leads/"+mine {
				t.Errorf("again: got %d at %s", again.Status, again.Path)
			}
			if got := adopt(ada, his); got.Path != "/leads/"+his {
				t.Errorf("an assistant, a colleague's: got %d at %s", got.Status, got.Path)
			}
			if got := marcus.Get("/leads/" + his); got.Status != http.StatusOK {
				t.Errorf("its originator: got %d, want 200", got.Status)
			}
			if got := h.SignInAs("admin").Post("/leads/adopt",
				url.Values{"appUuid": {mine}}); got.Status != http.StatusForbidden {
				t.Errorf("an administrator: got %d, want 403", got.Status)
			}
			// The lender has since reassigned it to olivia; the portal has not synced yet.
			if _, err := h.DeskDeps.Lender.Reassign(t.Context(), heloc.AppID(his),
				heloc.OriginatorID(h.People["olivia"].OriginatorUUID)); err != nil {
				t.Fatal(err)
			}
			if got := adopt(olivia, his); got.Status == http.StatusConflict { // unless the sync has already read the lead twice
				got.WantText("The lender says that this inquiry is assigned to you now.")
			}
			if got := adopt(olivia, his); got.Path != "/leads/"+his || got.Status != http.StatusOK {
				t.Errorf("a reassigned inquiry: got %d at %s: %s", got.Status, got.Path, got.MainText())
			}
			h.Lender.Close()
			if got := adopt(olivia, theirs); got.Status != http.StatusServiceUnavailable && got.Status != http.StatusBadGateway {
				t.Errorf("without the lender: got %d, want 503 or 502", got.Status)
			}
		})
	}
}
