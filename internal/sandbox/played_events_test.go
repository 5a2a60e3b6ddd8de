package sandbox

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
)

// TestPossibleEvents_OnlyThoseWithAnEffect follows a jointly owned home to its funding, and checks after every event
// which ones are left.
func TestPossibleEvents_OnlyThoseWithAnEffect(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	possible := func(id string) string { return strings.Join(g.s.PossibleEvents(heloc.AppID(id)), " ") }
	payload := g.payload("Rivera-Frozen")
	withField("property", "ownershipType", "JOINT")(payload)
	id := g.start(payload)
	for _, row := range []struct{ do, want string }{
		{"", "thaw expire decline"},
		{"event:thaw", "expire decline"},
		{"repull", "expire decline"},
		{"offer", "borrower-signs-in expire decline"},
		{"event:borrower-signs-in", "documents-signed expire decline"},
		{"event:documents-signed", "convert expire decline"},
		{"event:convert", "condition co-deed-signed fund decline"},
		{"event:condition", "condition co-deed-signed fund decline"},
		{"event:co-deed-signed", "condition fund decline"},
		{"event:fund", ""},
	} {
		if event, ok := strings.CutPrefix(row.do, "event:"); ok {
			g.playEvent(id, event)
		} else if row.do != "" {
			g.submitAnswer(id, row.do)
		}
		if got := possible(id); got != row.want {
			t.Errorf("after %q: got %q, want %q", row.do, got, row.want)
		}
	}
	expired := g.start(g.payload("Rivera"))
	g.playEvent(expired, "expire")
	if got := possible(expired); got != "" {
		t.Errorf("expired: got %q", got)
	}
	if got := possible("00000000-0000-4000-8000-000000000000"); got != "" {
		t.Errorf("an unknown inquiry: got %q", got)
	}
}
