package account

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
		"Credential":             credentialAAD("id-1"),
		"Invitation":             invitationAAD("id-1"),
		"Mail":                   mailAAD("id-1"),
		"Ceremony second-step":   ceremonyAAD("id-1", secondFactorStep),
		"Ceremony totp":          ceremonyAAD("id-1", newTOTP),
		"Ceremony held-form":     ceremonyAAD("id-1", pendingForm),
		"Ceremony held-over":     ceremonyAAD("id-1", pendingAfterExpiry),
		"Ceremony sso-in":        ceremonyAAD("id-1", ssoSignIn),
		"Ceremony new-account":   ceremonyAAD("id-1", newAccount),
		"Ceremony new-address":   ceremonyAAD("id-1", emailChange),
		"Ceremony passkey-in":    ceremonyAAD("id-1", passkeySignIn),
		"Ceremony passkey-new":   ceremonyAAD("id-1", passkeyCreate),
		"Ceremony passkey-proof": ceremonyAAD("id-1", passkeyFactor),
	} {
		line := fmt.Sprintf("%s %q\n", name, framed("place/v1", aad.Table, aad.Row, aad.Column))
		if !strings.Contains("\n"+string(golden), "\n"+line) {
			t.Errorf("not in the golden file: %s", line)
		}
	}
}
