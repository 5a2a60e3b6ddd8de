package webtest

import "testing"

func TestHasDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`value="512-44-7193"`: true, "512447193": true, "XXX-XX-7193.": true, "512\u201344\u20137193": true,
		"ends in 7193":                         true,
		"0197ab12-7193-7c41-8a77-0242ac7193ff": false, "nonce-a7193b": false, "aGk7193": false, "71930": false,
	} {
		if got := HasDigits(text, "7193"); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
