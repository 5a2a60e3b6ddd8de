package heloc

import "testing"

func TestAddress_HasUnit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		street1, street2 string
		want             bool
	}{
		{"2216 Larkspur Ave", "", false}, {"2216 Larkspur Ave", "4", true}, {"2216 Larkspur Ave Apt 4", "", true},
		{"2216 Larkspur Ave #4", "", true}, {"2216 Larkspur Ave, Unit 4", "", true},
		{"12 Unity Rd", "", false}, {"5 Steeple Ct", "", false}, {"9 Flood St", "", false},
		{"500 Main St Apt", "", false}, {"500 Main St Apt.", "", false}, {"500 Main St #", "", false},
		{"500 Main St", "Apt", false}, {"500 Main St", "Lakeside Condominium", false},
		{"500 Main St Apt", "4", true}, {"500 Main St", "Unit B", true}, {"500 Main St", "Rear", true},
		{"500 Main St", "Apt Rear", true}, {"500 Main St", "PH", true}, {"500 Main St", "4", true},
		{"500 Main St 2nd Floor", "", true}, {"500 Main St", "Second Floor", true}, {"500 Main St Tower 2", "", true},
		{"500 Main St Condo 12", "", true}, {"500 Tower Rd", "", false},
		{"500 Main St Ste. 200", "", true}, {"500 Main St Apt C", "", true}, {"500 Main St", "Lakeside Condominium 7", true},
	} {
		if got := (Address{Street1: tt.street1, Street2: tt.street2}).HasUnit(); got != tt.want {
			t.Errorf("%q, %q: got %v", tt.street1, tt.street2, got)
		}
	}
}

func TestAddress_HasUnitWithoutNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		street1, street2 string
		want             bool
	}{
		{"500 Main St Apt", "", true}, {"500 Main St, apt.", "", true}, {"500 Main St Condominium", "", true},
		{"500 Main St Tower", "", true}, {"500 Main St Suite", "", true},
		{"500 Main St Condos", "", true}, {"500 Main St #", "", true}, {"500 Main St", "Apt", true},
		{"500 Main St", "Lakeside Towers", true}, {"500 Main St", "Unit No.", true}, {"500 Main St", "#", true},
		{"500 Main St Apt", "Lakeside Condominium", true}, {"500 Main St Apt", "4", false}, {"500 Main St Apt 4", "", false},
		{"500 Main St", "Suite 200", false}, {"500 Main St", "", false},
		{"500 Main St", "Rear", false}, {"500 Tower Rd", "", false}, {"500 Tower", "", false}, {"12 Suite", "", false},
		{"9 Condominium Way", "", false}, {"500 Main St Tower B", "", false},
		{"12 Unity Rd", "", false}, {"500 Main St 2nd Floor", "", false}, {"500 Main St", "Apt A", false}, {"", "", false},
	} {
		if got := (Address{Street1: tt.street1, Street2: tt.street2}).HasUnitWithoutNumber(); got != tt.want {
			t.Errorf("%q, %q: got %v", tt.street1, tt.street2, got)
		}
	}
}

func TestAddress_HasNumberRange(t *testing.T) {
	t.Parallel()
	for street, want := range map[string]bool{"12-18 Elm St": true, "12/18 Elm St": true, "12 Elm St": false,
		"12-18": false, "": false, "N6W23001 Bluemound Rd": false} {
		if got := (Address{Street1: street}).HasNumberRange(); got != want {
			t.Errorf("%q: got %v", street, got)
		}
	}
}

func TestAddress_Building_IgnoresSpellingAndUnit(t *testing.T) {
	t.Parallel()
	want := Address{Street1: "2216 N Larkspur Ave", ZIP: "83702"}.Building()
	for _, a := range []Address{
		{Street1: "2216 North Larkspur Avenue", ZIP: "83702-1234"},
		{Street1: "2216 n. larkspur ave.", Street2: "4", ZIP: "83702"}, {Street1: "2216 N Larkspur Ave Unit 4", ZIP: "83702"},
		{Street1: "2216 N Larkspur Ave Apt", ZIP: "83702"}, {Street1: "2216 N Larkspur Ave Tower 2", ZIP: "83702"},
	} {
		if got := a.Building(); got != want || got == "" {
			t.Errorf("%v: got %q, want %q", a, got, want)
		}
	}
	for _, a := range []Address{{Street1: "2218 N Larkspur Ave", ZIP: "83702"},
		{Street1: "2216 N Larkspur Ave", ZIP: "83704"}, {Street1: "2216", ZIP: "83702"}, {}} {
		if got := a.Building(); got == want {
			t.Errorf("%v is the same building", a)
		}
	}
}
