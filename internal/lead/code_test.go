package lead_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestCodes_Contract_OnlyGrows compares the table with the codes that CRMs already know. A line of the file may be
// added, but neither changed nor removed: programs of others depend on it.
func TestCodes_Contract_OnlyGrows(t *testing.T) {
	t.Parallel()
	known, err := os.ReadFile("testdata/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]bool{}
	for _, row := range lead.Codes() {
		line := fmt.Sprintf("%s %q %s", row.Group, row.Value, row.Code)
		if now[line] = true; !strings.Contains(string(known), line+"\n") {
			t.Errorf("add to testdata/codes.txt, and never change it again: %s", line)
		}
	}
	for line := range strings.Lines(string(known)) {
		if line = strings.TrimSuffix(line, "\n"); !now[line] {
			t.Errorf("this code was changed or removed, and CRMs depend on it: %s", line)
		}
	}
}

func TestCodeOf_UnknownValue_Other(t *testing.T) {
	t.Parallel()
	if got := lead.CodeOf(lead.CodeStep, "invented"); got != "other" {
		t.Errorf("got %q", got)
	}
	if got := lead.CodeOf(lead.CodeMove, ""); got != "none" {
		t.Errorf("got %q, want none", got)
	}
	for lane, want := range map[heloc.Lane]lead.Code{heloc.LaneClosing: "conditions", heloc.LaneBorrower: "borrower"} {
		if got := lead.MoveCode(lane, heloc.MoverBorrower); got != want {
			t.Errorf("%s: got %q, want %q", lane, got, want)
		}
	}
}
