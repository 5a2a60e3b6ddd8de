package format

import (
	"testing"

	"hearthline/internal/lead"
)

// TestOriginatorNames_SameName_ToldApart: a filter lists three people with one name.
func TestOriginatorNames_SameName_ToldApart(t *testing.T) {
	t.Parallel()
	got := OriginatorNames([]lead.Originator{
		{UUID: "a", FirstName: "Felix", LastName: "Farrow", NMLS: "1"}, {UUID: "b", FirstName: "Felix", LastName: "Farrow"}, {UUID: "c", FirstName: "Uma", LastName: "Castillo", NMLS: "3"},
	})
	if got["a"] != "Felix Farrow (NMLS 1)" || got["b"] != "Felix Farrow (no NMLS ID on file)" || got["c"] != "Uma Castillo" {
		t.Errorf("got %q", got)
	}
}
