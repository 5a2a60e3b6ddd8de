package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// scenario is one course that a lead can take: the triggers in the borrower's name, and the actions that follow the
// start. An action is an operation of package desk, a logged contact, or an event at the sandbox.
type scenario struct {
	name     string
	triggers string
	actions  []string
	daysAgo  int // how long ago the lead began, in the plan's first round
}

// scenarios covers every step at least once. Roughly, the most recent leads come first.
func scenarios() []scenario {
	return []scenario{
		{"ssn", "-Match", nil, 0},
		{"liens", "-Liens", nil, 0},
		{"offers", "", nil, 0},
		{"property", "-Unit", nil, 0},
		{"assets", "-Assets", nil, 1},
		{"value", "-Value", nil, 0},
		{"offers", "-Match", []string{"add-ssn"}, 1},
		{"payoff", "-Payoff", nil, 1},
		{"frozen", "-Frozen", nil, 2},
		{"sign-in", "", []string{"select-offer"}, 0},
		{"no offers", "-None", nil, 1},
		{"documents", "", []string{"select-offer", "borrower-signs-in"}, 1},
		{"chase", "", []string{"select-offer"}, 4},
		{"complete", "", []string{"select-offer", "borrower-signs-in", "documents-signed"}, 9},
		{"closing", "-Liens", []string{"verify-liens", "select-offer", "borrower-signs-in", "documents-signed", "convert",
			"condition"}, 21},
		{"closing", "", []string{"select-offer", "borrower-signs-in", "documents-signed", "convert"}, 5},
		{"funded", "", []string{"select-offer", "call", "borrower-signs-in", "documents-signed", "convert", "text", "fund"},
			62},
		{"cancelled", "", []string{"cancel"}, 34},
		{"expired", "", []string{"select-offer", "expire"}, 55},
		{"declined", "", []string{"select-offer", "borrower-signs-in", "documents-signed", "decline"}, 75},
		{"funded", "-Match", []string{"add-ssn", "select-offer", "call", "borrower-signs-in", "documents-signed", "convert",
			"text", "fund"},
			98},
		{"funded", "-Value", []string{"add-property-estimate", "select-offer", "call", "borrower-signs-in",
			"documents-signed", "convert", "text", "fund"}, 120},
		{"low score", "-Score", []string{"set-aside"}, 40},
		{"funded", "", []string{"select-offer", "call", "borrower-signs-in", "documents-signed", "convert", "text", "fund"},
			148},
	}
}

// seedLead is one lead of the plan.
type seedLead struct {
	owner     string // email of the originator
	scenario  scenario
	startedAt time.Time
	number    int
}

// leadPlan lists the leads of the demo, oldest first.
func leadPlan(now time.Time) []seedLead {
	var leads []seedLead
	n := 0
	for _, share := range []struct {
		owner string
		count int
		shift time.Duration
	}{
		{"olivia@summit.test", 24, 0}, {"marcus@summit.test", 18, 7 * time.Hour}, {"piotr@lakeside.test", 18, 15 * time.Hour},
	} {
		for i := range share.count {
			l := scenarios()[i]
			// Recent leads are spread over the last hours, so that their elapsed times differ.
			ago := time.Duration(l.daysAgo)*24*time.Hour + time.Duration(20+(n*37)%340)*time.Minute +
				share.shift*time.Duration(min(l.daysAgo, 1))
			leads = append(leads, seedLead{owner: share.owner, scenario: l,
				startedAt: duringOfficeHours(now.Add(-ago), now), number: n})
			n++
		}
	}
	slices.SortStableFunc(leads, func(a, b seedLead) int { return a.startedAt.Compare(b.startedAt) })
	return leads
}

// duringOfficeHours moves an instant of an earlier day into office hours. It does not move an instant of the last
// day, because those deadlines are still running.
func duringOfficeHours(at, now time.Time) time.Time {
	const opens, closes = 8, 18
	if now.Sub(at) < 24*time.Hour {
		return at
	}
	local := at.In(demoZone())
	if local.Hour() >= opens && local.Hour() < closes {
		return at
	}
	hour := opens + local.Hour()%(closes-opens)
	return time.Date(local.Year(), local.Month(), local.Day(), hour, local.Minute(), local.Second(), 0, local.Location())
}

// onBankDay moves an instant on a weekend to the following Monday, because banks send no wires on weekends.
func onBankDay(at time.Time) time.Time {
	switch at.In(demoZone()).Weekday() {
	case time.Saturday:
		return at.AddDate(0, 0, 2)
	case time.Sunday:
		return at.AddDate(0, 0, 1)
	default:
		return at
	}
}

// demoZone is the time zone of the demo's users.
func demoZone() *time.Location {
	zone, err := time.LoadLocation(demoZoneName)
	if err != nil {
		return time.UTC
	}
	return zone
}

const demoZoneName = "America/Denver"

// borrower invents the inquiry of a lead. Names, streets and numbers are fictional; the telephone numbers are from
// the range reserved for such use.
func (s seedLead) borrower() heloc.Inquiry {
	names := []string{
		"Shelby Okonkwo", "Isaiah Thornbury", "Graham Pettibone", "Joaquín Herrera", "Priya Raghunathan", "Anneliese Brandt",
		"Elaine Toland", "Ruth Ann Vandermeer", "Devon Castellano", "Kwame Adjei", "Omar Haddad", "Tomasz Wieczorek",
		"Lucía Ferrer", "Paul Whitaker", "Helga Sørensen", "Denise Kowalczyk", "Bernice Cho", "Wendell Ames",
		"Harriet Nakagawa", "Silas Mercer", "Imani Washington", "Dmitri Volkov", "Rosalind Achebe",
		"Calvin Underhill", "Noor Rahman", "Beatriz Quintero", "Franklin Osei", "Marguerite Dubois", "Anton Lindgren",
		"Yolanda Pruitt",
	}
	cities := []struct{ city, state, zip string }{
		{"Savannah", "GA", "31401"}, {"Jackson", "MS", "39201"}, {"Portsmouth", "NH", "03801"},
		{"Albuquerque", "NM", "87102"}, {"Boise", "ID", "83702"}, {"Rochester", "NY", "14604"}, {"Holland", "MI", "49423"},
		{"Tampa", "FL", "33602"}, {"Atlanta", "GA", "30303"}, {"Dayton", "OH", "45402"},
		{"Chicago", "IL", "60605"}, {"Santa Fe", "NM", "87501"}, {"Seattle", "WA", "98101"}, {"Duluth", "MN", "55802"},
		{"Denver", "CO", "80202"}, {"Tucson", "AZ", "85701"}, {"Raleigh", "NC", "27601"}, {"Omaha", "NE", "68102"},
	}
	streets := []string{"Larkspur Ave", "Orchard Ln", "Maple St", "Juniper Ct", "Harbor Rd", "Prospect St",
		"Cedar Hill Dr", "Wren Way", "Mill Pond Rd", "Aspen Loop"}
	full := names[s.number%len(names)]
	space := strings.LastIndexByte(full, ' ')
	first, last := full[:space], full[space+1:]
	where := cities[(s.number*5+s.number/7)%len(cities)]
	address := heloc.Address{
		Street1: fmt.Sprintf("%d %s", 100+(s.number*137)%8800, streets[s.number%len(streets)]), City: where.city,
		State: where.state, ZIP: where.zip,
	}
	value, lien, paid := heloc.Dollars(int64(420_000+(s.number*23_500)%310_000)),
		heloc.Dollars(int64(140_000+(s.number*9_700)%90_000)), heloc.Dollars(1_450)
	income, sale := heloc.Dollars(int64(88_000+(s.number*4_300)%70_000)), false
	original := lien + heloc.Dollars(60_000)
	title := heloc.OwnershipSole
	if s.number%3 == 0 { // the sandbox adds a second signer once there is an application
		title = heloc.OwnershipJoint
	}
	return heloc.Inquiry{
		Applicant: heloc.Applicant{
			Name:        heloc.Name{First: first, Last: last + s.scenario.triggers},
			DateOfBirth: heloc.Date(fmt.Sprintf("19%02d-%02d-%02d", 60+s.number%35, 1+s.number%12, 1+(s.number*7)%28)),
			Phone:       fmt.Sprintf("303555%04d", 100+s.number%100), Email: fmt.Sprintf("borrower%d@example.com", s.number+1),
			HomeAddress: address,
			Income:      heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: &income},
		},
		Property: heloc.Property{
			Address: address, PropertyType: heloc.PropertyPrimary, OwnershipType: title, IsListedForSale: &sale,
			EstimatedValue: &value,
			Liens: []heloc.LienInput{{
				OriginationDate: heloc.Date(fmt.Sprintf("20%02d-06-14", 12+s.number%9)), LenderName: "Cascade Federal Savings",
				OriginalBalance: &original, CurrentBalance: &lien, MonthlyPayment: &paid,
			}},
		},
	}
}
