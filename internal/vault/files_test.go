package vault

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func filesIn(dir string) Files {
	return Files{Keyset: filepath.Join(dir, "data", "keyset.json"), KEK: FileKEK(filepath.Join(dir, "kek", "kek")),
		Create: true}
}

func kekPath(files Files) string { return string(files.KEK.(FileKEK)) }

func openAt(t *testing.T, files Files) *Vault {
	t.Helper()
	v, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestOpen_Restart_SameKeys(t *testing.T) {
	files := filesIn(t.TempDir())
	first := openAt(t, files)
	sealed, err := first.Seal(nameAAD, []byte("Ana"))
	if err != nil {
		t.Fatal(err)
	}
	again := openAt(t, files)
	if got, err := again.Unseal(nameAAD, sealed); err != nil || string(got) != "Ana" {
		t.Errorf("after a restart Unseal = %q, %v", got, err)
	}
	if first.Token("c", "f", "w") != again.Token("c", "f", "w") {
		t.Error("tokens change with a restart")
	}
	if first.Digest("x") != again.Digest("x") {
		t.Error("digests change with a restart")
	}
	if !again.VerifyMAC(first.MAC("x"), "x") {
		t.Error("MACs change with a restart")
	}
}

func TestOpen_FileMode_0600(t *testing.T) {
	files := filesIn(t.TempDir())
	openAt(t, files)
	for _, path := range []string{files.Keyset, kekPath(files)} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("%s has mode %o, want 600", filepath.Base(path), got)
		}
	}
}

func TestOpen_OtherOrMissingKEK_Error(t *testing.T) {
	files, foreign := filesIn(t.TempDir()), filesIn(t.TempDir())
	openAt(t, files)
	openAt(t, foreign)

	if _, err := Open(Files{Keyset: files.Keyset, KEK: foreign.KEK}); err == nil {
		t.Error("the KEK of another installation unwraps the keyset")
	}
	absent := filepath.Join(t.TempDir(), "kek")
	if _, err := Open(Files{Keyset: files.Keyset, KEK: FileKEK(absent), Create: true}); err == nil {
		t.Error("an existing keyset was opened without a KEK")
	}
	if _, err := os.Stat(absent); err == nil {
		t.Error("an existing keyset was given a new KEK")
	}
}

func TestOpen_SwappedPurposes_Error(t *testing.T) {
	files := filesIn(t.TempDir())
	openAt(t, files)
	data, err := os.ReadFile(files.Keyset)
	if err != nil {
		t.Fatal(err)
	}
	swapped := strings.NewReplacer(`"token":`, `"digest":`, `"digest":`, `"token":`).Replace(string(data))
	if err := os.WriteFile(files.Keyset, []byte(swapped), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(files); err == nil {
		t.Error("keys were unwrapped under the name of another purpose")
	}
}

func TestOpen_WithoutCreate_MakesNothing(t *testing.T) {
	files := filesIn(t.TempDir())
	files.Create = false
	if _, err := Open(files); err == nil {
		t.Error("opened keys that do not exist")
	}
	if _, err := os.Stat(kekPath(files)); err == nil {
		t.Error("a KEK was created although Create was false")
	}
}

func TestOpen_BadKEK_ErrorNamesFileOnly(t *testing.T) {
	files := filesIn(t.TempDir())
	openAt(t, files)
	if err := os.WriteFile(kekPath(files), []byte("hunter2-is-not-a-key"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(files)
	if err == nil || !strings.Contains(err.Error(), kekPath(files)) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v, want an error that names the file and not its content", err)
	}
}

func TestOpen_ConcurrentFirstStarts_SameKeys(t *testing.T) {
	files := filesIn(t.TempDir())
	vaults := make([]*Vault, 4)
	var wg sync.WaitGroup
	for i := range vaults {
		wg.Go(func() {
			v, err := Open(files)
			if err != nil {
				t.Error(err)
				return
			}
			vaults[i] = v
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	for _, v := range vaults[1:] {
		if v.Digest("x") != vaults[0].Digest("x") {
			t.Fatal("two first starts have different keys")
		}
	}
}

// TestRotateRetire_KeysWrappedByKEK checks that new keys are wrapped like the first ones, and that only the
// owner can read their file.
func TestRotateRetire_KeysWrappedByKEK(t *testing.T) {
	files, foreign := filesIn(t.TempDir()), filesIn(t.TempDir())
	openAt(t, files)
	openAt(t, foreign)
	for name, change := range map[string]func(Files) error{"rotated": Rotate, "retired": Retire} {
		if err := change(files); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(Files{Keyset: files.Keyset, KEK: foreign.KEK}); err == nil {
			t.Errorf("%s keys are unwrapped by another KEK", name)
		}
		if err := change(Files{Keyset: files.Keyset, KEK: foreign.KEK}); err == nil {
			t.Errorf("keys were %s with another KEK", name)
		}
		if info, err := os.Stat(files.Keyset); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want a file of mode 600", name, info, err)
		}
		openAt(t, files)
	}
}
