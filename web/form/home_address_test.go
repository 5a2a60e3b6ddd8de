package form

import (
	"net/url"
	"testing"

	"hearthline/internal/heloc"
)

// TestInquiry_HomeAddress_StatedOrPrimary reads forms as programs and unfinished drafts have them.
func TestInquiry_HomeAddress_StatedOrPrimary(t *testing.T) {
	t.Parallel()
	const lives, other = "homeIsProperty", "applicant.homeAddress.street1"
	for _, tt := range []struct {
		occupancy string
		more      map[string]string
		want      string // the street of the home
		wrong     string // a control with an error
	}{
		{"PRIMARY", nil, "1 Elm St", ""}, {"PRIMARY", map[string]string{lives: "true"}, "1 Elm St", ""},
		{"PRIMARY", map[string]string{lives: "true", other: ""}, "1 Elm St", ""},
		{"PRIMARY", map[string]string{lives: "false"}, "", other},
		{"PRIMARY", map[string]string{other: ""}, "", other},
		{"PRIMARY", map[string]string{other: "9 Mill Ln"}, "9 Mill Ln", ""},
		{"PRIMARY", map[string]string{lives: "true", other: "9 Mill Ln"}, "", lives},
		{"SECONDARY", nil, "", other}, {"SECONDARY", map[string]string{lives: "true"}, "", lives},
		{"INVESTMENT", map[string]string{lives: "true", other: "9 Mill Ln"}, "", lives},
		{"INVESTMENT", map[string]string{other: "9 Mill Ln"}, "9 Mill Ln", ""},
		{"", nil, "", other}, {"", map[string]string{lives: "true"}, "", "property.propertyType"},
		{"UNKNOWN", map[string]string{lives: "true"}, "", "property.propertyType"},
	} {
		f := Form{Values: url.Values{"property.propertyType": {tt.occupancy},
			"property.address.street1": {"1 Elm St"}}, Corrections: map[string]string{}}
		for name, value := range tt.more {
			f.Values.Set(name, value)
		}
		in, _ := f.Inquiry(heloc.Date("2026-11-22"))
		if in.Applicant.HomeAddress.Street1 != tt.want {
			t.Errorf("%q, %v: got the home %q, want %q", tt.occupancy, tt.more, in.Applicant.HomeAddress.Street1,
				tt.want)
		}
		none := !f.hasError(lives) && !f.hasError(other)
		if tt.wrong != "" && !f.hasError(tt.wrong) || tt.wrong == "" && !none {
			t.Errorf("%q, %v: got the errors %v, want one at %q", tt.occupancy, tt.more, f.FieldErrors, tt.wrong)
		}
	}
}

func (f *Form) hasError(name string) bool {
	for _, e := range f.FieldErrors {
		if e.Name == name {
			return true
		}
	}
	return false
}

// TestInquiry_LienID_NotSent: a new inquiry has no lien that the lender knows, whatever a program posts.
func TestInquiry_LienID_NotSent(t *testing.T) {
	t.Parallel()
	f := Form{Values: url.Values{"property.liens.0.lienUuid": {"6f2d0c57-8f4e-4a39-9c0b-2f5f3f6f7a11"},
		"property.liens.0.lenderName": {"Ash Savings"}}, Corrections: map[string]string{}}
	if in, _ := f.Inquiry("2026-11-22"); in.Property.Liens[0].LienUUID != "" ||
		in.Property.Liens[0].LenderName != "Ash Savings" {
		t.Errorf("got %+v", in.Property.Liens[0])
	}
}
