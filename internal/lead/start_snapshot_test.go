package lead

import (
	"testing"

	"hearthline/internal/heloc"
)

func TestStartSnapshotDescribes_SpellingIgnored_OthersRejected(t *testing.T) {
	t.Parallel()
	ours := StartSnapshot{Name: heloc.Name{First: "Inés", Middle: "M", Last: "Núñez-O’Hara"},
		Address: heloc.Address{Street1: "418 Alder Avenue", Street2: "Apt 4", City: "St. Louis", State: "MO", ZIP: "63101"}}
	name := heloc.Name{First: "INES", Last: "NUNEZ  OHARA"}
	home := heloc.Address{Street1: "418 ALDER AVENUE", City: "St Louis", State: "MO", ZIP: "63101-1234"}
	for _, tt := range []struct {
		name   string
		change func(*heloc.Name, *heloc.Address)
		want   bool
	}{
		{"the same", func(*heloc.Name, *heloc.Address) {}, true},
		{"no address at the lender", func(_ *heloc.Name, a *heloc.Address) { *a = heloc.Address{} }, true},
		{"only a city", func(_ *heloc.Name, a *heloc.Address) { *a = heloc.Address{City: "Saint Paul"} }, false},
		{"another first name", func(n *heloc.Name, _ *heloc.Address) { n.First = "Ana" }, false},
		{"another last name", func(n *heloc.Name, _ *heloc.Address) { n.Last = "Nunez" }, false},
		{"no name", func(n *heloc.Name, _ *heloc.Address) { *n = heloc.Name{} }, false},
		{"another house", func(_ *heloc.Name, a *heloc.Address) { a.Street1 = "419 Alder Avenue" }, false},
		{"another name of the city", func(_ *heloc.Name, a *heloc.Address) { a.City = "Saint Louis" }, true},
		{"another city, no ZIP", func(_ *heloc.Name, a *heloc.Address) { a.City, a.ZIP = "Clayton", "" }, false},
		{"abbreviated", func(_ *heloc.Name, a *heloc.Address) { a.Street1 = "418 Alder Ave. Unit 4" }, true},
		{"another street", func(_ *heloc.Name, a *heloc.Address) { a.Street1 = "418 Alder St" }, false},
		{"another state", func(_ *heloc.Name, a *heloc.Address) { a.State = "IL" }, false},
		{"another ZIP", func(_ *heloc.Name, a *heloc.Address) { a.ZIP = "63102" }, false},
	} {
		n, a := name, home
		tt.change(&n, &a)
		if got := ours.Describes(n, a); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
	if (StartSnapshot{}).Describes(heloc.Name{}, heloc.Address{}) {
		t.Error("two unknown names count as the same")
	}
}
