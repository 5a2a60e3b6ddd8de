package embed

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

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
		"Launch":      launchAAD("id-1"),
		"CRMLogin":    linkAAD("id-1"),
		"SigningKeys": signingKeysAAD("id-1"),
	} {
		line := fmt.Sprintf("%s %q\n", name, framed("place/v1", aad.Table, aad.Row, aad.Column))
		if !strings.Contains("\n"+string(golden), "\n"+line) {
			t.Errorf("not in the golden file: %s", line)
		}
	}
}
