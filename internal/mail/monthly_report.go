package mail

import (
	"fmt"
	"time"
)

// MonthlyFigures are a company's figures for one month, for a manager: only counts. They name no borrower and no lead.
type MonthlyFigures struct {
	To, Name, Company                                 string
	Month                                             time.Time
	AsOf                                              time.Time // in the company's time zone
	Inquiries, Offers, Selected, Applications, Funded int
	Open                                              int
	Declined, Withdrawn, Canceled, Expired            int // applications
	ReportsURL, AccountURL                            string
}

// MonthlyReport is the summary of a month.
func MonthlyReport(m MonthlyFigures) Message {
	month := m.Month.Format("January 2006")
	about := "Inquiries that started in " + month
	if company := OneLine(m.Company); company != "" {
		about += " at " + company
	}
	lines := []string{
		about + ", as of " + m.AsOf.Format(timeLayout) + ":",
		fmt.Sprintf("Inquiries started: %d\nOffers ready: %d\nOffer selected: %d\nApplications: %d\nFunded: %d\n"+
			"Still open: %d",
			m.Inquiries, m.Offers, m.Selected, m.Applications, m.Funded, m.Open),
		"Applications that ended without funding:",
		fmt.Sprintf("Declined: %d\nWithdrawn: %d\nCanceled: %d\nExpired: %d", m.Declined, m.Withdrawn, m.Canceled, m.Expired),
	}
	if m.Applications > 0 {
		percent := (200*m.Funded + m.Applications) / (2 * m.Applications)
		noun := "applications"
		if m.Applications == 1 {
			noun = "application"
		}
		lines = append(lines, fmt.Sprintf("Pull-through: %d%% (%d of %d %s funded). "+
			"Open leads can still change these figures.",
			percent, m.Funded, m.Applications, noun))
	}
	return newMessage(m.To, m.Name, "Hearthline summary for "+month, append(lines,
		"See the reports:\n"+m.ReportsURL,
		"You asked for this summary once a month. To stop it, go to your account:\n"+m.AccountURL)...)
}
