package text_test

import (
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
)

// TestMoverText_ByRole: only the lead's own originator reads "you". A user without an originator does not own an
// unassigned lead, although neither has an originator.
func TestMoverText_ByRole(t *testing.T) {
	t.Parallel()
	const olivia, marcus = "o-1", "o-2"
	for _, tt := range []struct {
		name       string
		who        access.Actor
		owner      heloc.OriginatorID
		list, page string
	}{
		{"the originator", access.Actor{Role: access.Originator, OriginatorUUID: olivia}, olivia, "you", "Your move"},
		{"another originator", access.Actor{Role: access.Originator, OriginatorUUID: marcus}, olivia, "Olivia Bennett",
			"With Olivia Bennett"},
		{"a manager who originates", access.Actor{Role: access.Manager, OriginatorUUID: olivia}, olivia, "you", "Your move"},
		{"a manager who originates, at another's lead", access.Actor{Role: access.Manager, OriginatorUUID: marcus}, olivia,
			"Olivia Bennett", "With Olivia Bennett"},
		{"a manager without an originator", access.Actor{Role: access.Manager}, olivia, "Olivia Bennett",
			"With Olivia Bennett"},
		{"an assistant", access.Actor{Role: access.Assistant}, olivia, "Olivia Bennett", "With Olivia Bennett"},
		{"an assistant at an unassigned lead", access.Actor{Role: access.Assistant}, "", "unassigned", "Unassigned"},
		{"a manager at an unassigned lead", access.Actor{Role: access.Manager}, "", "unassigned", "Unassigned"},
		{"an administrator", access.Actor{Role: access.Admin}, olivia, "Olivia Bennett", "With Olivia Bennett"},
	} {
		v := text.Viewer{Who: tt.who}
		l := lead.Row{Originator: tt.owner, WhoseMove: heloc.MoverYou}
		name := ""
		if tt.owner != "" {
			name = "Olivia Bennett"
		}
		if got := v.MoverText(&l, name); got != tt.list {
			t.Errorf("%s in a list: got %q, want %q", tt.name, got, tt.list)
		}
		if got := v.MoveText(&l, name); got != tt.page {
			t.Errorf("%s on the page: got %q, want %q", tt.name, got, tt.page)
		}
		for mover, want := range map[heloc.Mover]string{heloc.MoverBorrower: "With the borrower",
			heloc.MoverLender: "With the lender", heloc.MoverNobody: ""} {
			l.WhoseMove = mover
			if got := v.MoveText(&l, name); got != want {
				t.Errorf("%s, %q: got %q, want %q", tt.name, mover, got, want)
			}
		}
	}
}
