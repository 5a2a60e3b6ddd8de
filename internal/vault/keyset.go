package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/prf"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/tink"
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
