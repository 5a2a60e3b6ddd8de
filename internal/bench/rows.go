package bench

import (
	"fmt"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Departed is the former originator of unassigned leads, who is not in the directory: leads that were left by
// somebody who is there would be given back at the next read of it.
const Departed = heloc.OriginatorID("0f0e0d0c-0000-4000-8000-ffffffffffff")

// App returns the id of a lead by its number.
func App(i int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)) }

// borrower is the borrower of a lead.
type borrower struct {
	name                 heloc.Name
	phone, email, street string
}

func (b borrower) terms() []heloc.Term { return heloc.SearchTerms(b.name, b.phone, b.email, b.street) }

// borrower returns one of 20 first names with one of 20 last names that end in one of 17,576 ways, so that a word of
// a name can be found often, rarely or once.
func (d Data) borrower(i int) borrower {
	first := []string{"Elena", "Marcus", "Grace", "Dmitri", "Aisha", "Peter", "Yuki", "Carlos", "Hannah", "Omar", "Ruth",
		"Noah", "Priya", "Jonas", "Wanda", "Felix", "Tessa", "Ivan", "Clara", "Hugo"}
	last := []string{"Rivera", "Okafor", "Lindqvist", "Nakamura", "Bennett", "Duarte", "Sokolov", "Haddad", "Moreau",
		"Kowalski", "Fischer", "Tanaka", "Mbeki", "Silva", "Novak", "Ortega", "Larsen", "Quill", "Zhang", "Abbott"}
	ending := i * 7919 % 17_576
	return borrower{
		name: heloc.Name{First: first[i%20], Last: last[i/20%20] +
			string([]byte{byte('a' + ending%26), byte('a' + ending/26%26), byte('a' + ending/676)})},
		phone: fmt.Sprintf("303%07d", 2_000_000+i), email: fmt.Sprintf("b%d@example.com", i),
		street: fmt.Sprint(100+i%9000, " Larkspur Ave"),
	}
}

// The leads started evenly over this time.
const span = 730 * 24 * time.Hour

func (d Data) startedAt(i int) time.Time {
	return d.Now.Add(-time.Duration(int64(i) * (int64(span) / int64(d.Leads))))
}

// lead returns a lead as it is given to the store. The steps and states follow a cycle.
func (d Data) lead(v *vault.Vault, i int) (lead.Row, error) {
	sealed, err := v.SealName(App(i), d.borrower(i).name)
	steps := append(heloc.Steps(), heloc.StepOffersAvailable, heloc.StepClosed, heloc.StepClosed)
	people := len(d.Originators)
	ago := d.Now.Sub(d.startedAt(i))
	l := lead.Row{
		App: App(i), ShortID: fmt.Sprintf("1-26324-%06d", i), Originator: d.Originators[i%people],
		Company: access.CompanyOf(d.Company.BrokerID, d.Company.Organization), Organization: d.Company.Organization,
		Borrower: sealed, City: "Golden", State: []string{"CO", "WA", "OR", "AZ", "TX", "IL", "NH"}[i%7],
		Source: []lead.Source{lead.SourcePortal, lead.SourceCRM, lead.SourceAdopted}[i%3],
		Step:   steps[i/people%len(steps)], StepSince: store.Millis(d.Now.Add(-ago * time.Duration(1+i%4) / 5)),
		Converted: i%9 == 0, Funded: i%11 == 0, MaxAmount: heloc.Dollars(int64(i)),
		ExpirationDate: heloc.DateOf(d.Now.AddDate(0, 0, i%60)), StartedOn: heloc.DateOf(d.startedAt(i)),
		RefreshAt: store.Millis(d.Now.AddDate(1, 0, 0)),
	}
	if d.Unassigned && i%20 == 7 {
		l.Originator, l.FormerOriginator = "", Departed
	}
	return l, err
}

// events returns the start of a lead and the step that it has left.
func (d Data) events(i int, l lead.Row) []lead.Event {
	started := store.Millis(d.startedAt(i))
	steps := heloc.Steps()
	return []lead.Event{
		{App: l.App, At: started, Kind: lead.EventStarted, Originator: l.Originator, StepAfter: l.Step},
		{App: l.App, At: started + 1, Kind: lead.EventStep, Originator: l.Originator, StepBefore: steps[i/3%len(steps)],
			StepAfter: l.Step, Company: l.Company, StayedMillis: int64(1+i%97) * 1_000_000},
	}
}

// details returns what the lender says about a lead, and the references in it.
func (d Data) details(v *vault.Vault, i int) (parts []store.SealedPart, err error) {
	b := d.borrower(i)
	details := heloc.Details{Organization: d.Company.Organization, AppUUID: App(i),
		AppShortID: fmt.Sprintf("1-26324-%06d", i), App: heloc.AppData{
			Status: "IN_PROGRESS", PropertyAddress: heloc.Address{Street1: b.street, City: "Golden", State: "CO"},
			Integrations: heloc.Integrations{ReferenceID: fmt.Sprint("R-", i)},
		}}
	for part, value := range map[lead.Part]any{lead.PartDetails: details, lead.PartReferences: details.App.Integrations} {
		sealed, err := vault.SealJSON(v, vault.PartAAD(App(i), part), value)
		if err != nil {
			return nil, err
		}
		parts = append(parts, store.SealedPart{App: App(i), Part: part, Version: journal.PartVersion, Sealed: sealed,
			FetchedAt: store.Millis(d.Now)})
	}
	return parts, nil
}

// audit returns the rows of an audit in which somebody has opened one lead after another, chained as the store does,
// and the setting that marks its end.
func (d Data) audit(v *vault.Vault, after store.AuditEntry, n int) (rows []store.AuditEntry, head string) {
	last := after
	for i := range n {
		a := store.AuditEntry{
			Seq: last.Seq + 1, At: store.Millis(d.Now), ActorID: "bench-0", Company: d.Company.BrokerID,
			Action: store.ActionLeadOpen, Object: "lead:" + string(App(i)), Outcome: "opened",
			PrevMAC: last.MAC,
		}
		a.MAC = v.MAC("audit", a.PrevMAC, strconv.FormatInt(a.Seq, 10), strconv.FormatInt(a.At, 10), a.ActorID, a.Company,
			string(a.Action), a.Object, a.Outcome, a.Detail)
		rows, last = append(rows, a), a
	}
	return rows, strconv.FormatInt(last.Seq, 10) + " " + v.MAC("audit head", strconv.FormatInt(last.Seq, 10), last.MAC)
}
