package pipeline

import (
	"io"
	"testing"
)

// BenchmarkPipeline renders a list of fifty rows.
func BenchmarkPipeline(b *testing.B) {
	v := samplePipeline()
	for len(v.Rows) < 50 {
		v.Rows = append(v.Rows, v.Rows[:min(len(v.Rows), 50-len(v.Rows))]...)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Pipeline(v).Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
