package lead

import (
	"io"
	"testing"

	"hearthline/views/to"
)

// BenchmarkWorkspace renders whole pages of one lead: bytes/op is what the views cost apart from the presenters.
func BenchmarkWorkspace(b *testing.B) {
	for _, tab := range []to.Tab{to.Offers, to.History} {
		b.Run(string(tab), func(b *testing.B) {
			v := sampleTab(tab)
			b.ReportAllocs()
			for b.Loop() {
				if err := Workspace(v).Render(b.Context(), io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
