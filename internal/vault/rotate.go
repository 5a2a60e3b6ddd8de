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

// rotated are the duties whose keys are renewed. Values and marks name their key, so old
// ones hold beside new ones. A token or a digest names none and is only ever compared:
// under another key nothing would be found again.
func rotated() []string { return []string{dutySeal, dutyMAC} }

// Rotate adds a new key for values and one for marks to the keyset file, and makes them
// those that are used from now on. Older ones stay to open and to check. A portal that runs
// knows the new keys only after a restart.
func Rotate(files Files) error {
	err := change(files, func(keys handles) error {
		for _, duty := range rotated() {
			m := keyset.NewManagerFromHandle(keys[duty])
			id, err := m.Add(duties()[duty])
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
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "The encryption keys could not be renewed.", err)
	}
	return nil
}

// Retire deletes the older keys of values from the keyset file. Whatever is still sealed
// under one can never be opened again: reseal everything first. The keys of marks stay,
// for the audit's older rows.
func Retire(files Files) error {
	err := change(files, func(keys handles) error {
		m := keyset.NewManagerFromHandle(keys[dutySeal])
		primary, err := keys[dutySeal].Primary()
		if err != nil {
			return err
		}
		for i := range keys[dutySeal].Len() {
			entry, err := keys[dutySeal].Entry(i)
			if err != nil {
				return err
			}
			if entry.KeyID() == primary.KeyID() {
				continue
			}
			if err := m.Delete(entry.KeyID()); err != nil {
				return err
			}
		}
		keys[dutySeal], err = m.Handle()
		return err
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "The old encryption keys could not be retired.", err)
	}
	return nil
}

// change rewrites the keyset file in one step: a crash leaves the old one or the new one.
func change(files Files, do func(keys handles) error) error {
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
	return replace(files.Keyset, wrapped)
}

// replace puts a complete file in the place of another, readable by its owner alone.
func replace(path string, data []byte) error {
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
	return len(sealed) < keyPrefix || string(sealed[:keyPrefix]) != v.present
}

// Present names the key that values are sealed with now, in hex. It gives nothing away.
func (v *Vault) Present() string { return fmt.Sprintf("%x", v.present) }
