package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
)

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

// LeadDate is one date of an open lead. Dates have their own table so that a list by date does not scan the
// leads.
type LeadDate struct {
	App        heloc.AppID        `db:"app_uuid"`
	Kind       DateKind           `db:"kind"`
	On         heloc.Date         `db:"on_date"`
	Ahead      bool               `db:"ahead"`
	Originator heloc.OriginatorID `db:"originator_uuid"`
	Company    string             `db:"company"`
	ShortID    string             `db:"short_id"`
	Borrower   []byte             `db:"borrower"`
}

// dates returns the dates that a user must not miss. An ended lead has none, and neither have dates that a
// signing or a conversion has made irrelevant.
func (l *Lead) dates() []LeadDate {
	if (heloc.StatusAt(withoutFollowUp(l.Facts()), Instant(l.ChangedAt))).Lane == heloc.LaneEnded {
		return nil
	}
	applied := l.Converted || l.Step == heloc.StepComplete
	signed := l.SigningDate != ""
	var all []LeadDate
	for _, d := range []LeadDate{
		{Kind: DateCredit, On: dateUnless(applied, l.CreditDate)},
		{Kind: DateExpiration, On: dateUnless(signed, l.ExpirationDate), Ahead: true},
		{Kind: DateNotary, On: dateUnless(signed, l.NotaryDate), Ahead: true},
		{Kind: DatePricing, On: dateUnless(applied, l.PricingDate)},
		{Kind: DateRescission, On: l.RescissionDate, Ahead: true},
	} {
		if d.On != "" {
			d.App, d.Originator, d.Company = l.App, l.Originator, l.Company
			all = append(all, d)
		}
	}
	return all
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

// saveDates stores the dates of a lead that is being saved, when they have changed.
func (tx *Tx) saveDates(ctx context.Context, l Lead) error {
	var stored []LeadDate
	if err := tx.list(ctx, &stored, `SELECT app_uuid, kind, on_date, ahead, originator_uuid, company FROM lead_dates WHERE app_uuid = ? ORDER BY kind`, l.App); err != nil {
		return err
	}
	dates := l.dates()
	if slices.EqualFunc(stored, dates, sameDate) {
		return nil
	}
	if _, err := tx.exec(ctx, `DELETE FROM lead_dates WHERE app_uuid = ?`, l.App); err != nil {
		return err
	}
	for _, d := range dates {
		if err := tx.execNamed(ctx, `INSERT INTO lead_dates (app_uuid, kind, on_date, ahead, originator_uuid, company)
			VALUES (:app_uuid, :kind, :on_date, :ahead, :originator_uuid, :company)`, d); err != nil {
			return err
		}
	}
	return nil
}

func sameDate(a, b LeadDate) bool {
	return a.Kind == b.Kind && a.On == b.On && a.Ahead == b.Ahead && a.Originator == b.Originator && a.Company == b.Company
}

// DateQuery selects dates within a scope: dates ahead from From to To, and ages up to Old. An empty Old
// selects no ages.
type DateQuery struct {
	From, To, StaleBefore heloc.Date
	Limit                 int
}

// Dates lists the dates of a scope, earliest first, followed by the ages, oldest first.
func (q queries) Dates(ctx context.Context, scope access.Scope, dq DateQuery) ([]LeadDate, error) {
	var ahead, ages []LeadDate
	early := func(a, b LeadDate) int {
		return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(a.App, b.App), cmp.Compare(a.Kind, b.Kind))
	}
	query, args := datesSQL(scope, true, dq.Limit)
	if err := q.list(ctx, &ahead, query, append(args, dq.From, dq.To)...); err != nil {
		return nil, err
	}
	slices.SortFunc(ahead, early)
	if dq.StaleBefore == "" {
		return ahead, nil
	}
	query, args = datesSQL(scope, false, dq.Limit)
	err := q.list(ctx, &ages, query, append(args, "", dq.StaleBefore)...)
	slices.SortFunc(ages, early)
	return append(ahead, ages...), err
}

// datesSQL reads the dates of one kind in a range from the index, and then the few leads that they belong to.
func datesSQL(scope access.Scope, ahead bool, limit int) (string, []any) {
	where, args := scopeCondition(scope)
	days := 0
	if ahead {
		days = 1
	}
	return fmt.Sprintf(`SELECT f.app_uuid, f.kind, f.on_date, f.ahead, f.originator_uuid, f.company, l.short_id, l.borrower
		FROM (SELECT app_uuid, kind, on_date, ahead, originator_uuid, company FROM lead_dates
			WHERE %s AND ahead = %d AND on_date >= ? AND on_date <= ? ORDER BY on_date, app_uuid LIMIT %d) f
		JOIN leads l ON l.app_uuid = f.app_uuid`, where, days, limit), args
}

// FollowUpsAhead lists the leads of a scope by their earliest follow-up.
func (q queries) FollowUpsAhead(ctx context.Context, scope access.Scope, limit int) ([]Lead, error) {
	query, args := followUpsAheadSQL(scope, limit)
	var ls []Lead
	return ls, q.list(ctx, &ls, query, args...)
}

func followUpsAheadSQL(scope access.Scope, limit int) (string, []any) {
	where, args := scopeCondition(scope)
	return fmt.Sprintf(`SELECT app_uuid, short_id, follow_up_at FROM leads WHERE %s AND follow_up_at > 0 ORDER BY follow_up_at LIMIT %d`, where, limit), args
}
