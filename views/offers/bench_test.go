package offers

import (
	"io"
	"testing"
)

// BenchmarkTab renders the offers tab in its page: bytes/op is what the views cost apart from the presenters.
func BenchmarkTab(b *testing.B) {
	page := offersTab(sampleOffers())
	b.ReportAllocs()
	for b.Loop() {
		if err := page.Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
