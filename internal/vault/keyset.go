package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/prf"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/tink"

	"hearthline/internal/fault"
)

// The purposes of keys. Each name is part of the associated data when its keys are wrapped, so that the keys
// of one purpose cannot replace those of another.
const (
	purposeSeal   = "seal"
	purposeToken  = "token"
	purposeDigest = "digest"
	purposeMAC    = "mac"
)

// purposes returns every purpose with the template of its keys. Values are sealed with XAES-256-GCM: its
// 192-bit nonces can be random for more values than the portal will ever write, and it reads nine times
// faster than AES-GCM-SIV here.
func purposes() map[string]*tinkpb.KeyTemplate {
	return map[string]*tinkpb.KeyTemplate{
		purposeSeal:   aead.XAES256GCM192BitNonceKeyTemplate(),
		purposeToken:  prf.HMACSHA256PRFKeyTemplate(),
		purposeDigest: prf.HMACSHA256PRFKeyTemplate(),
		purposeMAC:    mac.HMACSHA256Tag256KeyTemplate(),
	}
}

// handles are the unwrapped keys, in memory only.
type handles map[string]*keyset.Handle

func newHandles() (handles, error) {
	keys := handles{}
	for purpose, template := range purposes() {
		h, err := keyset.NewHandle(template)
		if err != nil {
			return nil, fmt.Errorf("vault: make the %s key: %w", purpose, err)
		}
		keys[purpose] = h
	}
	return keys, nil
}

// keysetVersion is the format version of the keyset file.
const keysetVersion = 1

// keysetFile is the format on disk: one encrypted tink keyset per purpose.
type keysetFile struct {
	Version int                        `json:"version"`
	Keys    map[string]json.RawMessage `json:"keys"`
}

// wrap returns the keyset file with the keys encrypted under the KEK.
func (h handles) wrap(kek tink.AEAD) ([]byte, error) {
	file := keysetFile{Version: keysetVersion, Keys: map[string]json.RawMessage{}}
	for purpose, handle := range h {
		var out bytes.Buffer
		if err := handle.WriteWithAssociatedData(keyset.NewJSONWriter(&out), kek, wrapAAD(purpose)); err != nil {
			return nil, fmt.Errorf("vault: wrap the %s key: %w", purpose, err)
		}
		file.Keys[purpose] = out.Bytes()
	}
	return json.MarshalIndent(file, "", "  ")
}

// unwrap decrypts the result of wrap with the same KEK.
func unwrap(data []byte, kek tink.AEAD) (handles, error) {
	var file keysetFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the keyset file is not readable: %w", err)
	}
	if file.Version != keysetVersion {
		return nil, fmt.Errorf("the keyset file has layout %d, this portal reads %d", file.Version, keysetVersion)
	}
	keys := handles{}
	for purpose := range purposes() {
		wrapped, ok := file.Keys[purpose]
		if !ok {
			return nil, fmt.Errorf("the keyset file has no %s key", purpose)
		}
		h, err := keyset.ReadWithAssociatedData(keyset.NewJSONReader(bytes.NewReader(wrapped)), kek, wrapAAD(purpose))
		if err != nil {
			return nil, fmt.Errorf("the %s key does not open with this KEK: %w", purpose, err)
		}
		keys[purpose] = h
	}
	return keys, nil
}

func wrapAAD(purpose string) []byte { return frameParts("keyset/v1", purpose) }

// kekBytes is the length of the key-encryption key.
const kekBytes = 32

func newKEK() []byte {
	key := make([]byte, kekBytes)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return key
}

// kekAEAD returns AES-256-GCM-SIV: a KEK is used only a few times, so the lower speed does not matter, and a
// repeated nonce would not reveal the keys.
func kekAEAD(key []byte) (tink.AEAD, error) { return subtle.NewAESGCMSIV(key) }

// newVault creates the primitives and tests each of them once.
func newVault(keys handles) (*Vault, error) {
	seal, err := aead.New(keys[purposeSeal])
	if err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeSeal, err)
	}
	tokens, err := newPRFKeys(keys[purposeToken])
	if err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeToken, err)
	}
	digests, err := newPRFKeys(keys[purposeDigest])
	if err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeDigest, err)
	}
	macKeys, err := mac.New(keys[purposeMAC])
	if err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeMAC, err)
	}
	if _, err := macKeys.ComputeMAC(nil); err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeMAC, err)
	}
	proof, err := seal.Encrypt(nil, nil)
	if err != nil || len(proof) < keyPrefix {
		return nil, fmt.Errorf("vault: %s: %w", purposeSeal, err)
	}
	sealKeys := map[string]bool{}
	for i := range keys[purposeSeal].Len() {
		entry, err := keys[purposeSeal].Entry(i)
		if err != nil {
			return nil, fmt.Errorf("vault: %s: %w", purposeSeal, err)
		}
		sealKeys[keyName(proof[0], entry.KeyID())] = true
	}
	return &Vault{
		sealKeys: sealKeys,
		aead:     seal, tokens: tokens, digests: digests, macs: macKeys, currentPrefix: string(proof[:keyPrefix]),
		hasOlderKeys: slices.ContainsFunc(retirablePurposes(), func(purpose string) bool { return keys[purpose].Len() > 1 }),
	}, nil
}

// prfKeys are the keys of a purpose whose outputs do not name their key and are only compared. The current
// key comes first, then the older ones, newest first.
type prfKeys struct {
	currentID int64
	keys      []prf.PRF
}

func newPRFKeys(h *keyset.Handle) (prfKeys, error) {
	set, err := prf.NewPRFSet(h)
	if err != nil {
		return prfKeys{}, err
	}
	all := prfKeys{currentID: int64(set.PrimaryID)}
	for i := range h.Len() {
		entry, err := h.Entry(i)
		if err != nil {
			return prfKeys{}, err
		}
		f, ok := set.PRFs[entry.KeyID()]
		if !ok {
			return prfKeys{}, fmt.Errorf("key %d of the keyset cannot be used", entry.KeyID())
		}
		if _, err := f.ComputePRF(nil, digestBytes); err != nil {
			return prfKeys{}, err
		}
		all.keys = slices.Insert(all.keys, 0, f) // keys are appended, and the last one is in use
	}
	if primary, err := h.Primary(); err != nil || set.PRFs[primary.KeyID()] != all.keys[0] {
		return prfKeys{}, errors.Join(errors.New("the newest key of the keyset is not the one that is used"), err)
	}
	return all, nil
}

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
