package core

import "testing"

// TestBeginsShortID_SSNOrPhone_False: what is looked up as a short id is a plain parameter of a statement.
func TestBeginsShortID_SSNOrPhone_False(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]bool{
		"1-": true, "1-26": true, "1-26324": true, "1-26324-": true, "1-26324-002": true, "1-26324-000123": true,
		"219-09-9973": false, "219-099973": false, "21909-9973": false, "219099973": false, "2-19-09-9973": false,
		"208-555-0147": false, "1-208-555-0147": false, "12085550147": false, "1-2085550147": false, "208-5550147": false,
		"219-09": false, "208-": false, "-": false, "": false, "1": false, "Rivera": false, "1-263245-1": false,
	} {
		if got := beginsShortID(typed); got != want {
			t.Errorf("%q: got %v, want %v", typed, got, want)
		}
	}
}
