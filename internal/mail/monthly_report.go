package mail

import (
	"strconv"
	"strings"
	"time"
)

// Figure is a count with its name.
type Figure struct {
	Name  string
	Count int
}

// MonthlyFigures are a company's figures for one month, for a manager. They name no borrower and no lead.
type MonthlyFigures struct {
	To, Name, Company      string
	Month                  time.Time
	AsOf                   time.Time // in the company's time zone
	Stages                 []Figure
	Ended                  []Figure // applications that ended without funding
	Applications, Funded   int
	ReportsURL, AccountURL string
}

// MonthlyReport is the summary of a month.
func MonthlyReport(m MonthlyFigures) Message {
	month := m.Month.Format("January 2006")
	subject := "Hearthline summary for " + month
	about := "Inquiries that started in " + month
	if company := OneLine(m.Company); company != "" {
		about += " at " + company
	}
	lines := []string{
		about + ", as of " + m.AsOf.Format("Jan 2, 2006, 3:04 PM MST") + ":", figureLines(m.Stages),
		"Applications that ended without funding:", figureLines(m.Ended),
	}
	if m.Applications > 0 {
		percent := (200*m.Funded + m.Applications) / (2 * m.Applications)
		noun := " applications"
		if m.Applications == 1 {
			noun = " application"
		}
		lines = append(lines, "Pull-through: "+strconv.Itoa(percent)+"% ("+strconv.Itoa(m.Funded)+" of "+strconv.Itoa(m.Applications)+noun+" funded). Open leads can still change these figures.")
	}
	return newMessage(m.To, m.Name, subject, append(lines,
		"See the reports:\n"+m.ReportsURL, "You asked for this summary once a month. To stop it, go to your account:\n"+m.AccountURL)...)
}

func figureLines(figures []Figure) string {
	lines := make([]string, len(figures))
	for i, f := range figures {
		lines[i] = f.Name + ": " + strconv.Itoa(f.Count)
	}
	return strings.Join(lines, "\n")
}
