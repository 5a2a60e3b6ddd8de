package form_test

import (
	"net/url"
	"strconv"
	"testing"

	"hearthline/web/form"
)

func TestFormRows_OverLimit_Error(t *testing.T) {
	t.Parallel()
	values := map[string][]string{"liens.1.lenderName": {"B"}, "liens.0.lenderName": {"A"}, "liens.007.lenderName": {"no"},
		"liens.-1.lenderName": {"no"}, "liens.2.lenderName": {" "}, "liens.x": {"no"}}
	f := &form.Form{Values: values, Corrections: map[string]string{}}
	if got := f.RowIndexes("liens"); len(got) != 2 || got[0] != "0" || got[1] != "1" {
		t.Errorf("got %v", got)
	}
	many := &form.Form{Values: map[string][]string{}, Corrections: map[string]string{}}
	for i := 10; i < 10+2*form.MaxRows; i++ {
		many.Values["liens."+strconv.Itoa(i)+".lenderName"] = []string{"x"}
	}
	if got := many.RowIndexes("liens"); len(got) != form.MaxRows || !many.HasErrors() {
		t.Errorf("got %d rows and errors %v", len(got), many.FieldErrors)
	}
}

func TestFreeText_WithSSN_RejectedAndMasked(t *testing.T) {
	t.Parallel()
	f := &form.Form{Values: url.Values{"name": {"Ana 219.09.9973"}, "note": {"call\n219-09-9973"}, "city": {"Boise"},
		"applicant.ssn": {"219-09-9973"}}}
	if got := f.Text("name") + f.Lines("note") + f.Text("city"); got != "Ana XXX-XX-XXXXcall\nXXX-XX-XXXXBoise" {
		t.Errorf("got %q", got)
	}
	if len(f.FieldErrors) != 2 || f.Values.Get("name") != "Ana XXX-XX-XXXX" {
		t.Errorf("got %v and %v", f.FieldErrors, f.Values)
	}
	if f.Ssn("applicant.ssn", "").Reveal() != "219-09-9973" {
		t.Error("the SSN itself was removed")
	}
}
