package access

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPolicy_MatchesGolden compares the policy with a file that a manager can read. Change both in one commit, and be
// aware of what the change means.
func TestPolicy_MatchesGolden(t *testing.T) {
	var got strings.Builder
	fmt.Fprintf(&got, "%-20s", "")
	for _, r := range Roles() {
		fmt.Fprintf(&got, "%-12s", r)
	}
	got.WriteString("asks anew\n")
	for _, p := range Permissions() {
		fmt.Fprintf(&got, "%-20s", p)
		for _, r := range Roles() {
			word := "-"
			if r.Can(p) {
				word = "yes"
			}
			if r.Can(p) && p.NeedsOriginator() {
				word = "own name"
			}
			if p.ChosenFor(r) {
				word = "if chosen"
			}
			fmt.Fprintf(&got, "%-12s", word)
		}
		if p.NeedsStepUp() {
			got.WriteString("who they are")
		}
		got.WriteString("\n")
	}
	want, err := os.ReadFile(filepath.Join("testdata", "policy.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if trimLines(got.String()) != trimLines(string(want)) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// trimLines drops trailing blanks, which editors drop too.
func trimLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestPolicy_EntriesAreListed(t *testing.T) {
	listed := map[Permission]bool{}
	for _, p := range Permissions() {
		if listed[p] {
			t.Errorf("%s is listed twice", p)
		}
		listed[p] = true
	}
	for _, r := range Roles() {
		for _, p := range policy(r) {
			if p != "" && !listed[p] { // a row is as long as the longest one
				t.Errorf("%s may %s, which Permissions does not list", r, p)
			}
		}
	}
}

func TestRoleCan_UnknownRole_False(t *testing.T) {
	for _, r := range []Role{"", "root", "Originator"} {
		for _, p := range Permissions() {
			if r.Can(p) {
				t.Errorf("role %q may %s", r, p)
			}
		}
		if _, ok := ParseRole(string(r)); ok {
			t.Errorf("ParseRole accepts %q", r)
		}
	}
}

func TestRoleCan_EmptyPermission_False(t *testing.T) {
	for _, r := range Roles() {
		if r.Can("") {
			t.Errorf("%s has the empty permission", r)
		}
	}
}

func TestParseRole_RoundTrip(t *testing.T) {
	for _, r := range Roles() {
		if got, ok := ParseRole(string(r)); !ok || got != r {
			t.Errorf("ParseRole(%q) = %q, %v", r, got, ok)
		}
	}
}
