package text

import "testing"

func TestNotice_Ended_SaysNothingTwice(t *testing.T) {
	for _, status := range []string{"declined", "expired", "withdrawn"} {
		if got := Notice("ended", status, 1); got.Title == "" || got.Text != "" {
			t.Errorf("%s: got %q, %q, want only a title", status, got.Title, got.Text)
		}
	}
	if got := Notice("ended", "cancelled", 1); got.Title != "Canceled" ||
		got.Text != "It was canceled outside Hearthline." {
		t.Errorf("canceled: got %q, %q", got.Title, got.Text)
	}
}

// TestNotice_CoverEnded_DatesArePlanned: the coverage may have begun, so its dates are those that were planned.
func TestNotice_CoverEnded_DatesArePlanned(t *testing.T) {
	for kind, want := range map[string]string{
		"cover-ended": "You’re no longer covering for Olivia Bennett. It was planned for Nov 22–24, 2026.",
		"uncovered":   "Olivia Bennett can no longer cover for you, Nov 22–24, 2026. Choose someone else to cover.",
	} {
		if got := Notice(kind, "Olivia Bennett, Nov 22–24, 2026", 1).Text; got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
}

// TestFailedTransfer_Rail_OnlyIfKnown: "-" is a rail that the lender does not name.
func TestFailedTransfer_Rail_OnlyIfKnown(t *testing.T) {
	t.Parallel()
	for about, want := range map[string]string{"RETURNED": "Wire returned", "RETURNED ACH": "ACH transfer returned",
		"RETURNED -": "Transfer returned", "EXCEPTION -": "Transfer on hold"} {
		if got := FailedTransfer(about); got != want {
			t.Errorf("%s: got %q, want %q", about, got, want)
		}
	}
}
