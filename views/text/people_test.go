package text

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestOriginatorNames_SameName_ToldApart: a filter lists three people with one name.
func TestOriginatorNames_SameName_ToldApart(t *testing.T) {
	t.Parallel()
	got := OriginatorNames([]lead.Originator{
		{UUID: "a", FirstName: "Felix", LastName: "Farrow", NMLS: "1"}, {UUID: "b", FirstName: "Felix", LastName: "Farrow"},
		{UUID: "c", FirstName: "Uma", LastName: "Castillo", NMLS: "3"},
	})
	if got["a"] != "Felix Farrow (NMLS 1)" || got["b"] != "Felix Farrow (no NMLS ID on file)" ||
		got["c"] != "Uma Castillo" {
		t.Errorf("got %q", got)
	}
}

func TestFullName_SpacesOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name heloc.Name
		want string
	}{
		{heloc.Name{}, ""},
		{heloc.Name{First: "Elena", Last: "Rivera"}, "Elena Rivera"},
		{heloc.Name{First: "Elena", Middle: "M.", Last: "Rivera", Suffix: "Jr"}, "Elena M. Rivera Jr"},
		{heloc.Name{First: " Elena  Maria ", Last: "de\tla\u00a0Vega "}, "Elena Maria de la Vega"},
		{heloc.Name{First: "Elena ", Last: "Rivera"}, "Elena Rivera"},
		{heloc.Name{Middle: " ", Last: "Rivera\n"}, "Rivera"},
		{heloc.Name{First: " ", Last: " "}, ""},
	} {
		if got := FullName(tt.name); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestJoinNonEmpty(t *testing.T) {
	t.Parallel()
	for want, pieces := range map[string][]string{"": {"", ""}, "a": {"", "a", ""}, "a · b": {"a", "", "b"}, "b": {"b"},
		"a · b · c": {"a", "b", "c"}} {
		if got := JoinNonEmpty(" · ", pieces...); got != want {
			t.Errorf("%q: got %q, want %q", pieces, got, want)
		}
	}
}
