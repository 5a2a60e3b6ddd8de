package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// MonthlySummary is the figures of one month of a company.
type MonthlySummary = mail.MonthlyFigures

// SendMonthlyReport emails a manager the figures of a month, in the transaction that records it.
func (s *Service) SendMonthlyReport(ctx context.Context, tx *store.Tx, to access.User, m MonthlySummary) error {
	m.To, m.Name = to.Email, to.Name
	m.ReportsURL = s.pageURL("/reports?period=" + m.Month.Format("2006-01"))
	m.AccountURL = s.pageURL("/account#monthly-report")
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.MonthlyReport(m))
}
