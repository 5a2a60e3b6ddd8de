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
}

// Dates returns the dates that a user must not miss. An ended lead has none, and neither have dates that a
// signing or a conversion has made irrelevant.
func (l *Row) Dates() []Date {
	if (heloc.StatusAt(withoutFollowUp(l.Facts()), Instant(l.ChangedAt))).Lane == heloc.LaneEnded {
		return nil
	}
	applied := l.Converted || l.Step == heloc.StepComplete
	signed := l.SigningDate != ""
	var all []Date
	for _, d := range []Date{
		{Kind: DateCredit, Day: dateUnless(applied, l.CreditDate)},
		{Kind: DateExpiration, Day: dateUnless(signed, l.ExpirationDate), Ahead: true},
		{Kind: DateNotary, Day: dateUnless(signed && !l.signingIsAhead(), l.NotaryDate), Ahead: true},
		{Kind: DatePricing, Day: dateUnless(applied, l.PricingDate)},
		{Kind: DateRescission, Day: l.RescissionDate, Ahead: true},
	} {
		if d.Day != "" {
			d.App, d.Originator, d.Company = l.App, l.Originator, l.Company
			all = append(all, d)
		}
	}
	return all
}

// signingIsAhead reports whether the lender has scheduled the signing for a day after the last change: a notary
// in person is still needed then.
func (l *Row) signingIsAhead() bool {
	return l.SigningDate.After(heloc.DateOf(Instant(l.ChangedAt).UTC()))
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
