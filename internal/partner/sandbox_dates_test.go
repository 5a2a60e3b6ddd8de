package partner_test

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/partner"
)

// TestDetails_LenderEvening_SameDaysInBothDialects: when it is evening at the lender it is already the next day
// in UTC. Dates and date-times then have the lender's day, and both forms decode into the same value, as do
// the two places of a notary in person (interface-live.md section 3).
func TestDetails_LenderEvening_SameDaysInBothDialects(t *testing.T) {
	t.Parallel()
	for _, dialect := range dialects() {
		t.Run(string(dialect), func(t *testing.T) {
			d := newHarness(t, dialect, true)
			d.lender.SetClock(time.Date(2026, 12, 1, 2, 30, 0, 0, time.UTC)) // Monday, November 30, 9:30 PM
			start := d.startRequest("Rivera")
			start.Inquiry.Property.PropertyType = heloc.PropertyInvestment
			app := must(d.Start(t.Context(), start))(t).AppUUID
			offers := d.waitForStep(app, heloc.StepOffersAvailable).App.Underwriting.Offers
			must(d.SelectOffer(t.Context(), app, d.olivia,
				heloc.OfferSelection{OfferUUID: offers[0].UUID, Amount: heloc.Dollars(50_000)}))(t)
			d.waitForStep(app, heloc.StepBorrowerAuth)
			if err := d.lender.Play(app, "complete"); err != nil {
				t.Fatal(err)
			}
			before := d.waitForStep(app, heloc.StepComplete).App
			manual := before.Notary.ManualNotary
			if (manual != nil) != (dialect == partner.Live) ||
				manual != nil && (manual.Date != "2026-12-02" || manual.Fee == nil || *manual.Fee != 150_00) {
				t.Errorf("notary in person: got %+v, want one of 2026-12-02 in the live dialect only", manual)
			}
			if before.Notary.Appointment != "2026-12-02" || before.KeyDates.Signing != "2026-12-02" {
				t.Errorf("appointment and signing: got %s and %s, want 2026-12-02",
					before.Notary.Appointment, before.KeyDates.Signing)
			}
			if err := d.lender.Play(app, "fund"); err != nil {
				t.Fatal(err)
			}
			got := d.waitForStep(app, heloc.StepComplete).App
			want := heloc.KeyDates{
				Created: "2026-11-30", Expiration: "2026-12-30", Signing: "2026-11-30", Completed: "2026-11-30",
				SummaryDisclosure: "2026-11-30", AgreementESigned: "2026-11-30", FirstPaymentDue: "2027-01-01",
				ExpectedPayoff:       "2031-12-01",
				LastStatusUpdateDate: got.KeyDates.LastStatusUpdateDate,
			}
			if got.KeyDates != want {
				t.Errorf("key dates: got %+v, want %+v", got.KeyDates, want)
			}
			sent := got.Funding.Transactions[0]
			if sent.InitiatedAt != "2026-11-30" || sent.EffectiveDate != "2026-11-30" || sent.SentAt != "2026-11-30" {
				t.Errorf("transfer: got %+v, want each date 2026-11-30", sent)
			}
			for name, day := range map[string]heloc.Date{
				"pricing": got.Underwriting.PricingAsOf, "credit": got.Underwriting.CreditAsOf,
				"soft credit": got.Underwriting.SoftCredit.Timestamp, "hard credit": got.Underwriting.HardCredit.Timestamp,
				"history": got.StatusHistory[0].Timestamp,
			} {
				if day != "2026-11-30" {
					t.Errorf("%s: got %s, want 2026-11-30", name, day)
				}
			}
		})
	}
}
