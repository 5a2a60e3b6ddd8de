package sandbox

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
)

// BenchmarkOpen500 measures how long Open takes with hundreds of inquiries.
func BenchmarkOpen500(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(Config{Dir: dir, PrivateKeyFile: "testdata/service.pem"})
	if err != nil {
		b.Fatal(err)
	}
	q := &inquiryRecord{ID: "seed", Inquiry: heloc.Inquiry{}, Step: heloc.StepOffersAvailable,
		Pricing: &pricing{At: time.Now()}}
	for i := range 500 {
		one := *q
		one.ID = derivedID("bench", time.Duration(i).String())
		one.ShortID = s.shortID(time.Now())
		for range 4 {
			if err := s.save(&one); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := s.state.file.Close(); err != nil { // as after a crash: nothing is compacted
		b.Fatal(err)
	}
	for b.Loop() {
		reopened, err := Open(Config{Dir: dir, PrivateKeyFile: "testdata/service.pem"})
		if err != nil {
			b.Fatal(err)
		}
		_ = reopened.state.file.Close()
	}
}
