package vault

import (
	"fmt"
	"os"

	"github.com/tink-crypto/tink-go/v2/keyset"

	"hearthline/internal/fault"
)

// Rotate adds a new key for every purpose to the keyset file and makes it the current one. Older keys remain
// for decryption, verification and comparison. A running portal uses the new keys only after a restart.
func Rotate(files Files) error {
	if err := rewriteKeyset(files, files.KEK, handles.rotate); err != nil {
		return fault.Wrap(fault.Internal, "The encryption keys could not be rotated.", err)
	}
	return nil
}

func (h handles) rotate() error {
	for purpose, template := range purposes() {
		m := keyset.NewManagerFromHandle(h[purpose])
		id, err := m.Add(template)
		if err != nil {
			return fmt.Errorf("add a %s key: %w", purpose, err)
		}
		if err := m.SetPrimary(id); err != nil {
			return fmt.Errorf("use the new %s key: %w", purpose, err)
		}
		if h[purpose], err = m.Handle(); err != nil {
			return err
		}
	}
	return nil
}

// retirablePurposes are the purposes whose older keys can be deleted. Those of MACs remain forever, because
// audit rows are never rewritten.
func retirablePurposes() []string { return []string{purposeSeal, purposeToken, purposeDigest} }

// Retire deletes the older keys of values, tokens and digests from the keyset file. A value that is still
// sealed with one can never be decrypted again, and a row whose index was made with one can never be found
// again: re-encrypt everything first.
func Retire(files Files) error {
	err := rewriteKeyset(files, files.KEK, func(keys handles) (err error) {
		for _, purpose := range retirablePurposes() {
			if keys[purpose], err = newestKeys(keys[purpose]); err != nil {
				return fmt.Errorf("the older %s keys: %w", purpose, err)
			}
		}
		return nil
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "The old encryption keys could not be retired.", err)
	}
	return nil
}

// newestKeys returns the keyset with only its current key.
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

// Rewrap wraps the keys with the KEK of files instead of from. The keys stay the same, so running portals are not
// affected.
func Rewrap(files Files, from KEK) error {
	err := files.KEK.create()
	if err == nil {
		err = rewriteKeyset(Files{Keyset: files.Keyset, KEK: from}, files.KEK, func(handles) error { return nil })
	}
	if err != nil {
		return fault.Wrap(fault.Internal, "The encryption keys could not be wrapped with another key.", err)
	}
	return nil
}

// rewriteKeyset rewrites the keyset file atomically, wrapped with a KEK: after a crash the file is either the old one
// or the new one.
func rewriteKeyset(files Files, to KEK, do func(keys handles) error) error {
	keys, err := openKeys(files)
	if err != nil {
		return err
	}
	if err := do(keys); err != nil {
		return err
	}
	wrapped, err := wrapKeys(keys, to)
	if err != nil {
		return err
	}
	return writeFile(files.Keyset, wrapped, os.Rename)
}

// keyPrefix is the length of a sealed value's prefix: one byte of tink's, then the id of its key.
const keyPrefix = 5

// Stale reports whether a value was sealed with a key other than the current one.
func (v *Vault) Stale(sealed []byte) bool {
	return len(sealed) < keyPrefix || string(sealed[:keyPrefix]) != v.currentPrefix
}

// CurrentKey returns the name of the key that values are sealed with now, in hex. It reveals nothing about
// the key.
func (v *Vault) CurrentKey() string { return fmt.Sprintf("%x", v.currentPrefix) }

// HasKey reports whether the keyset has the key with the given name, as returned by CurrentKey.
func (v *Vault) HasKey(name string) bool { return v.sealKeys[name] }

// keyName is the name of a key: the prefix of the values that it seals, in hex.
func keyName(kind byte, id uint32) string { return fmt.Sprintf("%02x%08x", kind, id) }
