package workspace

import (
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
)

// TestNotices_WhatAsks_InStepCard divides a notice with something to do and one without.
func TestNotices_WhatAsks_InStepCard(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		tab        to.Tab
		read       time.Time
		page, card int
	}{
		{"overview", to.Overview, time.Now(), 1, 1},
		{"a tab without the card", to.Documents, time.Now(), 2, 0},
		{"overview that is loading", to.Overview, time.Time{}, 2, 0},
	} {
		d := &Data{Tab: tt.tab, View: desklead.Snapshot{DetailsAt: tt.read, DroppedDiscounts: []string{"AUTOPAY"},
			Absence: &lead.Absence{Name: "Marcus", LastDay: "2026-12-01"}, AsDeputy: true}}
		page, card := pageNotices(text.Viewer{}, d), StepNotices(text.Viewer{}, d)
		if len(page) != tt.page || len(card) != tt.card || len(card) == 1 && card[0].Kind != "yours" {
			t.Errorf("%s: got %v above the tab and %v in the card", tt.name, page, card)
		}
	}
}
