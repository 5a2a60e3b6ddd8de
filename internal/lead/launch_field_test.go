package lead_test

import (
	"os"
	"strings"
	"testing"

	"hearthline/internal/lead"
)

// TestLaunchFields_Contract_OnlyGrows compares the fields with those that CRMs already send.
func TestLaunchFields_Contract_OnlyGrows(t *testing.T) {
	t.Parallel()
	known, err := os.ReadFile("testdata/launch_fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]bool{}
	for _, f := range lead.LaunchFields() {
		line := f.Name + " " + string(f.Type)
		if now[line] = true; !strings.Contains(string(known), line+"\n") {
			t.Errorf("add to testdata/launch_fields.txt, and never change it again: %s", line)
		}
		if _, ok := lead.ControlValue(f.Name, f.Example, false); !ok ||
			(f.Type == lead.LaunchChoice) != (lead.LaunchChoices(f.Name) != nil) {
			t.Errorf("%s: the example %q is not accepted, or it has no list", f.Name, f.Example)
		}
	}
	for line := range strings.Lines(string(known)) {
		if line = strings.TrimSuffix(line, "\n"); !now[line] {
			t.Errorf("this field was changed or removed, and CRMs send it: %s", line)
		}
	}
}
