package vault

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hearthline/internal/fault"

	"github.com/tink-crypto/tink-go/v2/tink"
)

// Files are the locations of the keys.
type Files struct {
	Keyset string // the wrapped keys
	KEK    string // 32 random bytes in base64, alone on a line
	Create bool   // create missing files: for the demo, and for the first start of an installation
}

// Open reads the keys. A missing KEK is an error even with Create when the keyset exists, because a new KEK
// could not unwrap it.
func Open(files Files) (*Vault, error) {
	v, err := open(files)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "The encryption keys could not be opened.", err)
	}
	return v, nil
}

// InMemory returns a vault whose keys exist only in this process, for tests.
func InMemory() (*Vault, error) {
	keys, err := newHandles()
	if err != nil {
		return nil, err
	}
	return newVault(keys)
}

// InMemoryRotated returns a vault as it is before a key rotation and one as it is after, for tests.
func InMemoryRotated() (before, after *Vault, err error) {
	keys, err := newHandles()
	if err != nil {
		return nil, nil, err
	}
	if before, err = newVault(keys); err != nil {
		return nil, nil, err
	}
	if err := keys.rotate(); err != nil {
		return nil, nil, err
	}
	after, err = newVault(keys)
	return before, after, err
}

func open(files Files) (*Vault, error) {
	if files.Create {
		if err := createFiles(files); err != nil {
			return nil, err
		}
	}
	keys, _, err := openKeys(files)
	if err != nil {
		return nil, err
	}
	return newVault(keys)
}

// openKeys reads the unwrapped keys and returns them with their wrapper.
func openKeys(files Files) (handles, tink.AEAD, error) {
	kek, err := readKEK(files.KEK)
	if err != nil {
		return nil, nil, err
	}
	wrapped, err := os.ReadFile(files.Keyset)
	if err != nil {
		return nil, nil, fmt.Errorf("read the keyset file: %w", err)
	}
	aead, err := kekAEAD(kek)
	if err != nil {
		return nil, nil, fmt.Errorf("use the KEK: %w", err)
	}
	keys, err := unwrap(wrapped, aead)
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", files.Keyset, err)
	}
	return keys, aead, nil
}

// createFiles creates the missing files, the KEK first: when a start is interrupted between the two, the next
// start uses that KEK.
func createFiles(files Files) error {
	hasKeyset, err := exists(files.Keyset)
	if err != nil || hasKeyset {
		return err
	}
	hasKEK, err := exists(files.KEK)
	if err != nil {
		return err
	}
	if !hasKEK {
		line := base64.StdEncoding.EncodeToString(newKEK()) + "\n"
		if err := createFile(files.KEK, []byte(line)); err != nil {
			return fmt.Errorf("make the KEK file: %w", err)
		}
	}
	// Read the file back: another process may have created it first.
	kek, err := readKEK(files.KEK)
	if err != nil {
		return err
	}
	aead, err := kekAEAD(kek)
	if err != nil {
		return err
	}
	keys, err := newHandles()
	if err != nil {
		return err
	}
	wrapped, err := keys.wrap(aead)
	if err != nil {
		return err
	}
	if err := createFile(files.Keyset, wrapped); err != nil {
		return fmt.Errorf("make the keyset file: %w", err)
	}
	return nil
}

func readKEK(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the KEK file: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != kekBytes {
		// The cause is dropped: a decoding error may quote the key.
		return nil, fmt.Errorf("the KEK file %s must hold %d bytes in base64", path, kekBytes)
	}
	return key, nil
}

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// createFile creates a complete file. If another process has created the file first, it keeps that file.
func createFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	err := writeFile(path, data, os.Link)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// writeFile writes a file that only its owner can read and gives it its name by os.Link or os.Rename, so that a
// partially written key file never has the final name.
func writeFile(path string, data []byte, place func(from, to string) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".key-*") // 0600 from the start
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // already gone after os.Rename
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return place(tmp.Name(), path)
}
