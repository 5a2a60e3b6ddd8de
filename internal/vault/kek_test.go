package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/pii"
	"hearthline/internal/vault/vaulttest"
)

// TestTokenKEK_WrapsKeyset uses SoftHSM, whose environment other tests of the process share.
func TestTokenKEK_WrapsKeyset(t *testing.T) {
	tokens := vaulttest.SoftHSM(t, "hearthline", "kek", "other")
	token := TokenKEK{Module: vaulttest.Module, Token: "hearthline", Object: "kek", PIN: pii.Wrap(vaulttest.PIN)}
	with := func(change func(*TokenKEK)) TokenKEK {
		changed := token
		change(&changed)
		return changed
	}
	dir := t.TempDir()
	files := Files{Keyset: filepath.Join(dir, "keyset.json"), KEK: token, Create: true}
	first := openAt(t, files)
	sealed, err := first.Seal(nameAAD, []byte("Ana"))
	if err != nil {
		t.Fatal(err)
	}
	files.Create = false
	unsealed := func(what string, files Files) {
		t.Helper()
		if got, err := openAt(t, files).Unseal(nameAAD, sealed); err != nil || string(got) != "Ana" {
			t.Errorf("%s: got %q, %v", what, got, err)
		}
	}
	keyset := func() string {
		data, err := os.ReadFile(files.Keyset)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	unsealed("after a restart", files)
	if err := Rotate(files); err != nil {
		t.Fatal(err)
	}
	unsealed("rotated", files)

	// Keys are bound to their purpose.
	rotated := keyset()
	swapped := strings.NewReplacer(`"token":`, `"digest":`, `"digest":`, `"token":`).Replace(rotated)
	if err := os.WriteFile(files.Keyset, []byte(swapped), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(files); err == nil {
		t.Error("keys were unwrapped under the name of another purpose")
	}
	if err := os.WriteFile(files.Keyset, []byte(rotated), 0o600); err != nil {
		t.Fatal(err)
	}

	vaulttest.AddKey(t, "hearthline", "extractable", true)
	file := FileKEK(filepath.Join(dir, "kek"))
	for want, kek := range map[string]KEK{
		"does not open with this KEK":                      with(func(k *TokenKEK) { k.Object = "other" }),
		"there is no AES-256 key with this label":          with(func(k *TokenKEK) { k.Object = "none" }),
		"the module has 0 tokens":                          with(func(k *TokenKEK) { k.Token = "none" }),
		"CKR_PIN_INCORRECT":                                with(func(k *TokenKEK) { k.PIN = pii.Wrap("4321") }),
		"the PKCS#11 module /none.so":                      with(func(k *TokenKEK) { k.Module = "/none.so" }),
		"create one that is sensitive and not extractable": with(func(k *TokenKEK) { k.Object = "extractable" }),
		"read the KEK file":                                file,
	} {
		wrong := Files{Keyset: files.Keyset, KEK: kek}
		for what, err := range map[string]error{"rotated": Rotate(wrong), "retired": Retire(wrong)} {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "4321") {
				t.Errorf("%s: got %v, want %q", what, err, want)
			}
		}
	}
	if keyset() != rotated {
		t.Error("a refused command changed the keyset")
	}

	// A token can replace a file, and a file can replace a token.
	moved := Files{Keyset: files.Keyset, KEK: file}
	if err := Rewrap(moved, token); err != nil {
		t.Fatal(err)
	}
	unsealed("wrapped by a file", moved)
	if _, err := Open(files); err == nil {
		t.Error("the token still unwraps the keyset")
	}
	if err := Rewrap(files, file); err != nil {
		t.Fatal(err)
	}
	unsealed("wrapped by the token again", files)

	// Losing the token does not affect an open vault, and the token can come back.
	if err := os.Rename(tokens, tokens+".gone"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(tokens, 0o700); err != nil {
		t.Fatal(err)
	}
	last := keyset()
	if err := Rotate(files); err == nil || !strings.Contains(err.Error(), `the token "hearthline"`) {
		t.Errorf("without the token: got %v, want its label", err)
	}
	if _, err := Open(files); err == nil {
		t.Error("opened without the token")
	}
	if got, err := first.Unseal(nameAAD, sealed); err != nil || string(got) != "Ana" || keyset() != last {
		t.Errorf("the open vault: got %q, %v", got, err)
	}
	if err := os.Remove(tokens); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tokens+".gone", tokens); err != nil {
		t.Fatal(err)
	}
	unsealed("after the token came back", files)
}
