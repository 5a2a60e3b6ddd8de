package vault

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/keyset"

	"hearthline/internal/fault"
)

// Wrapper wraps the keys: the key of a file today. A key management service takes its
// place by offering these two; the clients that tink has for them do.
type Wrapper interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// Rotate adds a new key for every duty to the keyset file, and makes it the one that is
// used from now on. Older ones stay to open, to check and to compare. A portal that runs
// knows the new keys only after a restart.
func Rotate(files Files) error {
	if err := rewriteKeyset(files, handles.rotate); err != nil {
		return fault.Wrap(fault.Internal, "The encryption keys could not be renewed.", err)
	}
	return nil
}

func (keys handles) rotate() error {
	for duty, template := range purposes() {
		m := keyset.NewManagerFromHandle(keys[duty])
		id, err := m.Add(template)
		if err != nil {
			return fmt.Errorf("add a %s key: %w", duty, err)
		}
		if err := m.SetPrimary(id); err != nil {
			return fmt.Errorf("use the new %s key: %w", duty, err)
		}
		if keys[duty], err = m.Handle(); err != nil {
			return err
		}
	}
	return nil
}

// retirablePurposes are the duties whose older keys can go. Those of marks stay for good: the rows
// of the audit are never written anew.
func retirablePurposes() []string { return []string{purposeSeal, purposeToken, purposeDigest} }

// Retire deletes the older keys of values, tokens and digests from the keyset file. What
// is still sealed under one can never be opened again, and what is still marked by one is
// never found again: renew everything first.
func Retire(files Files) error {
	err := rewriteKeyset(files, func(keys handles) (err error) {
		for _, duty := range retirablePurposes() {
			if keys[duty], err = newestKeys(keys[duty]); err != nil {
				return fmt.Errorf("the older %s keys: %w", duty, err)
			}
		}
		return nil
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "The old encryption keys could not be retired.", err)
	}
	return nil
}

// newestKeys are keys without those that are not used any more.
func newestKeys(keys *keyset.Handle) (*keyset.Handle, error) {
	m := keyset.NewManagerFromHandle(keys)
	primary, err := keys.Primary()
	if err != nil {
		return nil, err
	}
	for i := range keys.Len() {
		entry, err := keys.Entry(i)
		if err != nil {
			return nil, err
		}
		if entry.KeyID() == primary.KeyID() {
			continue
		}
		if err := m.Delete(entry.KeyID()); err != nil {
			return nil, err
		}
	}
	return m.Handle()
}

// rewriteKeyset rewrites the keyset file in one step: a crash leaves the old one or the new one.
func rewriteKeyset(files Files, do func(keys handles) error) error {
	keys, wrapper, err := openKeys(files)
	if err != nil {
		return err
	}
	if err := do(keys); err != nil {
		return err
	}
	wrapped, err := keys.wrap(wrapper)
	if err != nil {
		return err
	}
	if _, err := unwrap(wrapped, wrapper); err != nil {
		return fmt.Errorf("read back what is to be written: %w", err)
	}
	return replaceFile(files.Keyset, wrapped)
}

// replaceFile puts a complete file in the place of another, readable by its owner alone.
func replaceFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".key-*") // 0600 from the start
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone already when all went well
	if _, err := tmp.Write(data); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Sync(); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// keyPrefix is how a sealed value begins: one byte of tink's, then the id of its key.
const keyPrefix = 5

// Stale says whether a value was sealed with an older key than the present one.
func (v *Vault) Stale(sealed []byte) bool {
	return len(sealed) < keyPrefix || string(sealed[:keyPrefix]) != v.currentPrefix
}

// CurrentKey names the key that values are sealed with now, in hex. It gives nothing away.
func (v *Vault) CurrentKey() string { return fmt.Sprintf("%x", v.currentPrefix) }
