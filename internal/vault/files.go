package vault

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tink-crypto/tink-go/v2/tink"

	"hearthline/internal/fault"
	"hearthline/internal/pii"
)

// Files are the locations of the keys.
type Files struct {
	Keyset string // the wrapped keys
	KEK    KEK    // wraps them
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
	keys, err := openKeys(files)
	if err != nil {
		return nil, err
	}
	return newVault(keys)
}

// openKeys reads the unwrapped keys.
func openKeys(files Files) (handles, error) {
	wrapped, err := os.ReadFile(files.Keyset)
	if err != nil {
		return nil, fmt.Errorf("read the keyset file: %w", err)
	}
	var keys handles
	err = files.KEK.use(func(wrapper tink.AEAD) error {
		if keys, err = unwrap(wrapped, wrapper); err != nil {
			return fmt.Errorf("open %s: %w", files.Keyset, err)
		}
		return nil
	})
	return keys, err
}

// wrapKeys returns the content of a keyset file that the KEK can unwrap.
func wrapKeys(keys handles, kek KEK) (wrapped []byte, err error) {
	err = kek.use(func(wrapper tink.AEAD) error {
		if wrapped, err = keys.wrap(wrapper); err != nil {
			return err
		}
		if _, err := unwrap(wrapped, wrapper); err != nil {
			return fmt.Errorf("read back what is to be written: %w", err)
		}
		return nil
	})
	return wrapped, err
}

// createFiles creates what is missing, the KEK first: when a start is interrupted between the two, the next start uses
// that KEK.
func createFiles(files Files) error {
	hasKeyset, err := exists(files.Keyset)
	if err != nil || hasKeyset {
		return err
	}
	if err := files.KEK.create(); err != nil {
		return err
	}
	keys, err := newHandles()
	if err != nil {
		return err
	}
	wrapped, err := wrapKeys(keys, files.KEK) // it reads the KEK, which another process may have created first
	if err != nil {
		return err
	}
	if err := createFile(files.Keyset, wrapped); err != nil {
		return fmt.Errorf("make the keyset file: %w", err)
	}
	return nil
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

// KEK is the key-encryption key, which wraps the keys in a keyset file: a FileKEK or a TokenKEK. A vault uses it only
// while it opens or rewrites the keyset.
type KEK interface {
	// create creates the key if it is missing, where the portal can do that.
	create() error
	// use calls f with the key. The wrapper is valid until f returns.
	use(f func(wrapper tink.AEAD) error) error
}

// FileKEK is a KEK in a file: 32 random bytes in base64, alone on a line.
type FileKEK string

func (k FileKEK) create() error {
	if found, err := exists(string(k)); err != nil || found {
		return err
	}
	line := base64.StdEncoding.EncodeToString(newKEK()) + "\n"
	if err := createFile(string(k), []byte(line)); err != nil {
		return fmt.Errorf("make the KEK file: %w", err)
	}
	return nil
}

func (k FileKEK) use(f func(wrapper tink.AEAD) error) error {
	text, err := os.ReadFile(string(k))
	if err != nil {
		return fmt.Errorf("read the KEK file: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != kekBytes {
		// The cause is dropped: a decoding error may quote the key.
		return fmt.Errorf("the KEK file %s must hold %d bytes in base64", string(k), kekBytes)
	}
	wrapper, err := kekAEAD(key)
	if err != nil {
		return fmt.Errorf("use the KEK: %w", err)
	}
	return f(wrapper)
}

// TokenKEK is a KEK in a PKCS#11 token, such as a hardware security module: an AES-256 key that the token does not
// reveal. The operator creates it. A process must not use two of them at the same time, because all users of a module
// share one login.
type TokenKEK struct {
	Module string // the shared library of the token's vendor
	Token  string // the label of the token
	Object string // the label of the key
	PIN    pii.Secret[string]
}

func (k TokenKEK) create() error { return nil }
