package lead

import (
	"io"
	"testing"

	"hearthline/views/to"
	"hearthline/views/workspace"
)

// BenchmarkHistory renders a read-only tab in its page: bytes/op is what the views cost apart from the presenters.
func BenchmarkHistory(b *testing.B) {
	page := workspace.Workspace(samplePage("application", to.History, sampleTabs()[to.History][0]))
	b.ReportAllocs()
	for b.Loop() {
		if err := page.Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
