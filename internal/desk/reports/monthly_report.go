package reports

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// maxSummaries is how many users are considered at once.
const maxSummaries = 200

// SendMonthlyReports writes the summaries that are due, each once: a summary is put into the outbox in the transaction
// that records it, so neither a restart nor a second process repeats it. A summary that was missed is sent later in the
// same month.
func SendMonthlyReports(ctx context.Context, s core.Services) error {
	// The month before the current one in the time zone that is furthest ahead: nothing later is due anywhere.
	latest := s.Now().UTC().Add(14 * time.Hour)
	latest = time.Date(latest.Year(), latest.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -1, 0)
	users, err := s.Store.MonthlyReportsBefore(ctx, latest.Format(lead.MonthLayout), maxSummaries)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range users {
		failed = append(failed, sendMonthlyReport(ctx, s, id))
	}
	return errors.Join(failed...)
}

func sendMonthlyReport(ctx context.Context, s core.Services, userID string) error {
	user, err := s.Store.User(ctx, userID)
	if err != nil {
		return err
	}
	d := s.For(user.Actor)
	zone, err := s.Store.CompanyZone(ctx, d.Company())
	if err != nil {
		return err
	}
	now := s.Now().In(zone)
	month := lead.LastSummary(now)
	summary, err := monthlySummary(ctx, d, month, now)
	mayNot := fault.Is(err, fault.Denied) // no longer a manager: the month counts as done
	if err != nil && !mayNot {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		claimed, err := tx.ClaimMonthlyReport(ctx, userID, month)
		if err != nil || !claimed || mayNot {
			return err
		}
		return s.Accounts.SendMonthlyReport(ctx, tx, user, summary)
	})
}

// monthlySummary reads the figures of a month with the user's permission.
func monthlySummary(ctx context.Context, d core.Desk, month string, now time.Time) (account.MonthlySummary, error) {
	reports, err := Open(d)
	if err != nil {
		return account.MonthlySummary{}, err
	}
	report, err := reports.Read(ctx, ReportFilter{Period: month, By: GroupMonth})
	if err != nil {
		return account.MonthlySummary{}, err
	}
	first, err := time.Parse(lead.MonthLayout, month)
	t := report.Total
	return account.MonthlySummary{
		Company: d.Actor.BrokerName, Month: first, AsOf: now, Inquiries: t.Inquiries, Offers: t.Offers,
		Selected: t.Selected, Applications: t.Applications, Funded: t.Funded,
		Open: t.Open(), Declined: t.AppDeclined, Withdrawn: t.AppWithdrawn, Canceled: t.AppCanceled, Expired: t.AppExpired,
	}, err
}
