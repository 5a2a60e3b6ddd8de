package journal

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"hearthline/internal/lead"
	"hearthline/internal/vault"
)

func framed(parts ...string) []byte {
	var out []byte
	for _, p := range parts {
		out = binary.BigEndian.AppendUint32(out, uint32(len(p)))
		out = append(out, p...)
	}
	return out
}

// TestBindings_Golden checks the bytes that values of existing databases are bound to.
func TestBindings_Golden(t *testing.T) {
	golden, err := os.ReadFile("../vault/testdata/bindings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, aad := range map[string]vault.AAD{
		"LeadName":            NameAAD("app-1"),
		"LeadPart details":    PartAAD("app-1", lead.PartDetails),
		"LeadPart conditions": PartAAD("app-1", lead.PartConditions),
		"LeadPart funding":    PartAAD("app-1", lead.PartFunding),
		"LeadPart documents":  PartAAD("app-1", lead.PartDocuments),
		"LeadPart properties": PartAAD("app-1", lead.PartProperties),
		"LeadPart reading":    PartAAD("app-1", lead.PartReading),
		"Draft":               DraftAAD("id-1"),
		"StartSnapshots":      StartSnapshotAAD("id-1"),
		"Quote":               QuoteAAD("id-1"),
		"QuoteRequest":        QuoteRequestAAD("id-1"),
		"Choice":              PlaceOfChoice("id-1"),
		"Note":                NoteAAD("id-1"),
		"OperationMessages":   messagesAAD("id-1"),
		"AbandonReason":       abandonReasonAAD("id-1"),
	} {
		line := fmt.Sprintf("%s %q\n", name, framed("place/v1", aad.Table, aad.Row, aad.Column))
		if !strings.Contains("\n"+string(golden), "\n"+line) {
			t.Errorf("not in the golden file: %s", line)
		}
	}
}
