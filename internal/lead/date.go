package lead

import "hearthline/internal/heloc"

// DateKind is the meaning of a lead's date.
type DateKind string

// The kinds. Pricing and credit are dates in the past whose age matters; the others are dates ahead.
const (
	DateExpiration DateKind = "expiration"
	DateNotary     DateKind = "notary"
	DateRescission DateKind = "rescission"
	DatePricing    DateKind = "pricing"
	DateCredit     DateKind = "credit"
)

// Date is one date of an open lead. Dates have their own table so that a list by date does not scan the
// leads.
type Date struct {
	App        heloc.AppID        `db:"app"`
	Kind       DateKind           `db:"kind"`
	Day        heloc.Date         `db:"day"`
	Ahead      bool               `db:"ahead"`
	Originator heloc.OriginatorID `db:"originator"`
	Company    string             `db:"company"`
	ShortID    string             `db:"short_id"`
	Borrower   []byte             `db:"borrower"`

	Name heloc.Name `db:"-"` // Borrower, decrypted for a page
}

// Dates returns the dates that a user must not miss. An ended lead has none, and neither have dates that a
// signing or a conversion has made irrelevant.
func (r *Row) Dates() []Date {
	if (heloc.StatusAt(withoutFollowUp(r.Facts()), Instant(r.ChangedAt))).Lane == heloc.LaneEnded {
		return nil
	}
	applied := r.Converted || r.Step == heloc.StepComplete
	signed := r.SigningDate != ""
	var all []Date
	for _, d := range []Date{
		{Kind: DateCredit, Day: dateUnless(applied, r.CreditDate)},
		{Kind: DateExpiration, Day: dateUnless(signed, r.ExpirationDate), Ahead: true},
		{Kind: DateNotary, Day: dateUnless(signed && !r.signingIsAhead(), r.NotaryDate), Ahead: true},
		{Kind: DatePricing, Day: dateUnless(applied, r.PricingDate)},
		{Kind: DateRescission, Day: r.RescissionDate, Ahead: true},
	} {
		if d.Day != "" {
			d.App, d.Originator, d.Company = r.App, r.Originator, r.Company
			all = append(all, d)
		}
	}
	return all
}

// signingIsAhead reports whether the lender has scheduled the signing for a day after the last change: a notary
// in person is still needed then.
func (r *Row) signingIsAhead() bool {
	return r.SigningDate.After(heloc.DateOf(Instant(r.ChangedAt).UTC()))
}

func withoutFollowUp(f heloc.StatusFacts) heloc.StatusFacts {
	f.FollowUpAt = Instant(0)
	return f
}

func dateUnless(over bool, d heloc.Date) heloc.Date {
	if over {
		return ""
	}
	return d
}
