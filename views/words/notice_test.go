package words

import "testing"

func TestNotice_Ended_SaysNothingTwice(t *testing.T) {
	for _, status := range []string{"declined", "expired", "withdrawn"} {
		if got := Notice("ended", status, 1); got.Title == "" || got.Text != "" {
			t.Errorf("%s: got %q, %q, want only a title", status, got.Title, got.Text)
		}
	}
	if got := Notice("ended", "cancelled", 1); got.Title != "Canceled" || got.Text != "It was canceled outside Hearthline." {
		t.Errorf("canceled: got %q, %q", got.Title, got.Text)
	}
}
