package account

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// MonthlySummary is the figures of one month of a company: only counts.
type MonthlySummary struct {
	Company                                           string // "" for none
	Month                                             time.Time
	AsOf                                              time.Time // in the company's time zone
	Inquiries, Offers, Selected, Applications, Funded int
	Open                                              int
	Declined, Withdrawn, Canceled, Expired            int // applications
}

// SendMonthlyReport emails a manager the figures of a month, in the transaction that records it.
func (s *Service) SendMonthlyReport(ctx context.Context, tx *store.Tx, to access.User, m MonthlySummary) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.MonthlyReport(mail.MonthlyFigures{
		To: to.Email, Name: to.Name, Company: m.Company, Month: m.Month, AsOf: m.AsOf,
		Stages:       []mail.Figure{{Name: "Inquiries started", Count: m.Inquiries}, {Name: "Offers ready", Count: m.Offers}, {Name: "Offer selected", Count: m.Selected}, {Name: "Applications", Count: m.Applications}, {Name: "Funded", Count: m.Funded}, {Name: "Still open", Count: m.Open}},
		Ended:        []mail.Figure{{Name: "Declined", Count: m.Declined}, {Name: "Withdrawn", Count: m.Withdrawn}, {Name: "Canceled", Count: m.Canceled}, {Name: "Expired", Count: m.Expired}},
		Applications: m.Applications, Funded: m.Funded,
		ReportsURL: s.pageURL("/reports?period=" + m.Month.Format("2006-01")), AccountURL: s.pageURL("/account#monthly-report"),
	}))
}
