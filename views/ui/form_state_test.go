package ui

import (
	"fmt"
	"testing"
)

func TestRowIndexes_KeepGaps(t *testing.T) {
	f := Form{Values: []SubmittedValue{{Name: "liens.10.lenderName"}, {Name: "liens.2.lenderName"},
		{Name: "liens.2.lienUuid"}, {Name: "liens"}, {Name: "property.liens.4.x"}},
		FieldErrors: []FieldError{{Name: "liens.3.currentBalance"}}}
	if got, want := fmt.Sprint(f.RowIndexes("liens")), "[2 3 10]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLabelOf(t *testing.T) {
	for name, want := range map[string]string{
		"liens.1.currentBalance": "2nd lien, current balance", "property.liens.0.lenderName": "1st lien, lender",
		"applicant.homeAddress.zip": "Home ZIP", "testVariantsRequest.variants.0.name": "Test variant",
		"something.notKnown": "notKnown", "income.employmentType": "Employment",
	} {
		if got := LabelOf(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
