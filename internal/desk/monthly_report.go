package desk

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// summaryHour is the hour, in the company's time zone, from which the summary of the last month is sent on the first
// working day of a month.
const summaryHour = 8

// maxSummaries is how many users are considered at once.
const maxSummaries = 200

// summaryTime returns when the summary is sent in the month of now: on the first day that is neither on a weekend nor a
// federal holiday. Only New Year’s Day, also when it is observed on a Monday, and Labor Day can be among the first days.
func summaryTime(now time.Time) time.Time {
	day := time.Date(now.Year(), now.Month(), 1, summaryHour, 0, 0, 0, now.Location())
	for {
		holiday := now.Month() == time.January && (day.Day() == 1 || day.Day() == 2 && day.Weekday() == time.Monday) ||
			now.Month() == time.September && day.Weekday() == time.Monday
		if !holiday && day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			return day
		}
		day = day.AddDate(0, 0, 1)
	}
}

// lastSummary returns the latest month whose summary was due by now.
func lastSummary(now time.Time) string {
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location()).AddDate(0, -1, 0)
	if now.Before(summaryTime(now)) {
		month = month.AddDate(0, -1, 0)
	}
	return month.Format(monthLayout)
}

// MonthlyReport reports whether the user receives the monthly summary; offered is whether they may.
func (a *Account) MonthlyReport(ctx context.Context) (on, offered bool, err error) {
	if err := a.may(); err != nil || !a.d.Actor.Can(access.SeeTeam) {
		return false, false, err
	}
	on, err = a.d.store.MonthlyReport(ctx, a.d.Actor.UserID)
	return on, true, err
}

// SetMonthlyReport turns the monthly summary on or off. The first one is the next that becomes due.
func (a *Account) SetMonthlyReport(ctx context.Context, on bool) error {
	if err := a.may(); err != nil {
		return err
	}
	if err := a.d.may(access.SeeTeam); on && err != nil {
		return err
	}
	zone, err := a.d.store.CompanyZone(ctx, a.d.company())
	if err != nil {
		return err
	}
	last := lastSummary(a.d.now().In(zone))
	return a.d.store.Write(ctx, func(tx *store.Tx) error { return tx.SetMonthlyReport(ctx, a.d.Actor.UserID, on, last) })
}

// SendMonthlyReports writes the summaries that are due, each once: a summary is put into the outbox in the transaction
// that records it, so neither a restart nor a second process repeats it. A summary that was missed is sent later in the
// same month.
func (r *Service) SendMonthlyReports(ctx context.Context) error {
	// The month before the current one in the time zone that is furthest ahead: nothing later is due anywhere.
	latest := r.now().UTC().Add(14 * time.Hour)
	latest = time.Date(latest.Year(), latest.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -1, 0)
	users, err := r.store.MonthlyReportsBefore(ctx, latest.Format(monthLayout), maxSummaries)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range users {
		failed = append(failed, r.sendMonthlyReport(ctx, id))
	}
	return errors.Join(failed...)
}

func (r *Service) sendMonthlyReport(ctx context.Context, userID string) error {
	user, err := r.store.User(ctx, userID)
	if err != nil {
		return err
	}
	d := r.For(user.Actor)
	zone, err := r.store.CompanyZone(ctx, d.company())
	if err != nil {
		return err
	}
	now := r.now().In(zone)
	month := lastSummary(now)
	summary, err := d.monthlySummary(ctx, month, now)
	mayNot := fault.Is(err, fault.Denied) // no longer a manager: the month counts as done
	if err != nil && !mayNot {
		return err
	}
	return r.store.Write(ctx, func(tx *store.Tx) error {
		claimed, err := tx.ClaimMonthlyReport(ctx, userID, month)
		if err != nil || !claimed || mayNot {
			return err
		}
		return r.accounts.SendMonthlyReport(ctx, tx, user, summary)
	})
}

// monthlySummary reads the figures of a month with the user's permission.
func (d *Desk) monthlySummary(ctx context.Context, month string, now time.Time) (account.MonthlySummary, error) {
	reports, err := d.Reports()
	if err != nil {
		return account.MonthlySummary{}, err
	}
	report, err := reports.Read(ctx, ReportFilter{Period: month, By: GroupMonth})
	if err != nil {
		return account.MonthlySummary{}, err
	}
	first, err := time.Parse(monthLayout, month)
	t := report.Total
	return account.MonthlySummary{
		Company: d.Actor.BrokerName, Month: first, AsOf: now, Inquiries: t.Inquiries, Offers: t.Offers, Selected: t.Selected, Applications: t.Applications, Funded: t.Funded,
		Open: t.Open(), Declined: t.AppDeclined, Withdrawn: t.AppWithdrawn, Canceled: t.AppCanceled, Expired: t.AppExpired,
	}, err
}
