package text

import (
	"testing"

	"hearthline/internal/lead"
)

// TestCRMCodes_EveryValue_HasCodeAndMeaning: a status that is added later needs a code too.
func TestCRMCodes_EveryValue_HasCodeAndMeaning(t *testing.T) {
	t.Parallel()
	for _, key := range StatusKeys() {
		if code := lead.CodeOf(lead.CodeStep, key); code == "other" && key != "other" {
			t.Errorf("the status %q has no code", key)
		}
	}
	for _, lane := range Lanes() {
		if code := lead.CodeOf(lead.CodeLane, lane.Key); code == "other" && lane.Key != TodayKey && lane.Key != "all" {
			t.Errorf("the lane %q has no code", lane.Key)
		}
	}
	for _, row := range CRMCodes() {
		if row[2] == "" {
			t.Errorf("the code %v has no meaning", row)
		}
	}
}
