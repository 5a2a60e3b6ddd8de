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

// The duties. Each name is bound into the wrapping of its keys, so that the keys
// of one duty cannot be put in the place of another.
const (
	purposeSeal   = "seal"
	purposeToken  = "token"
	purposeDigest = "digest"
	purposeMAC    = "mac"
)

// purposes returns every duty with the template of its keys. Values are sealed with
// XAES-256-GCM: its 192-bit nonces may be drawn at random for as many values as
// we shall ever write, and it reads nine times faster than AES-GCM-SIV here.
func purposes() map[string]*tinkpb.KeyTemplate {
	return map[string]*tinkpb.KeyTemplate{
		purposeSeal:   aead.XAES256GCM192BitNonceKeyTemplate(),
		purposeToken:  prf.HMACSHA256PRFKeyTemplate(),
		purposeDigest: prf.HMACSHA256PRFKeyTemplate(),
		purposeMAC:    mac.HMACSHA256Tag256KeyTemplate(),
	}
}

// handles are the keys in the clear, in memory only.
type handles map[string]*keyset.Handle

func newHandles() (handles, error) {
	keys := handles{}
	for duty, template := range purposes() {
		h, err := keyset.NewHandle(template)
		if err != nil {
			return nil, fmt.Errorf("vault: make the %s key: %w", duty, err)
		}
		keys[duty] = h
	}
	return keys, nil
}

// keysetVersion is the layout of the keyset file.
const keysetVersion = 1

// keysetFile is the layout on disk: one encrypted tink keyset per duty.
type keysetFile struct {
	Version int                        `json:"version"`
	Keys    map[string]json.RawMessage `json:"keys"`
}

// wrap writes the keys encrypted under the KEK.
func (keys handles) wrap(kek Wrapper) ([]byte, error) {
	file := keysetFile{Version: keysetVersion, Keys: map[string]json.RawMessage{}}
	for duty, h := range keys {
		var out bytes.Buffer
		if err := h.WriteWithAssociatedData(keyset.NewJSONWriter(&out), kek, wrapAAD(duty)); err != nil {
			return nil, fmt.Errorf("vault: wrap the %s key: %w", duty, err)
		}
		file.Keys[duty] = out.Bytes()
	}
	return json.MarshalIndent(file, "", "  ")
}

// unwrap reads what wrap wrote, under the same KEK.
func unwrap(data []byte, kek Wrapper) (handles, error) {
	var file keysetFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the keyset file is not readable: %w", err)
	}
	if file.Version != keysetVersion {
		return nil, fmt.Errorf("the keyset file has layout %d, this portal reads %d", file.Version, keysetVersion)
	}
	keys := handles{}
	for duty := range purposes() {
		wrapped, ok := file.Keys[duty]
		if !ok {
			return nil, fmt.Errorf("the keyset file has no %s key", duty)
		}
		h, err := keyset.ReadWithAssociatedData(keyset.NewJSONReader(bytes.NewReader(wrapped)), kek, wrapAAD(duty))
		if err != nil {
			return nil, fmt.Errorf("the %s key does not open with this KEK: %w", duty, err)
		}
		keys[duty] = h
	}
	return keys, nil
}

func wrapAAD(duty string) []byte { return frameParts("keyset/v1", duty) }

// kekBytes is the length of the key-encryption key.
const kekBytes = 32

func newKEK() []byte {
	key := make([]byte, kekBytes)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return key
}

// kekAEAD is AES-256-GCM-SIV: a KEK is used a few times in its life, so its
// slowness costs nothing and a repeated nonce would not give the keys away.
func kekAEAD(key []byte) (tink.AEAD, error) { return subtle.NewAESGCMSIV(key) }

// newVault opens the primitives and proves each of them once.
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
	marks, err := mac.New(keys[purposeMAC])
	if err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeMAC, err)
	}
	if _, err := marks.ComputeMAC(nil); err != nil {
		return nil, fmt.Errorf("vault: %s: %w", purposeMAC, err)
	}
	proof, err := seal.Encrypt(nil, nil)
	if err != nil || len(proof) < keyPrefix {
		return nil, fmt.Errorf("vault: %s: %w", purposeSeal, err)
	}
	return &Vault{
		aead: seal, tokens: tokens, digests: digests, macs: marks, currentPrefix: string(proof[:keyPrefix]),
		hasOlderKeys: slices.ContainsFunc(retirablePurposes(), func(duty string) bool { return keys[duty].Len() > 1 }),
	}, nil
}

// prfKeys are the keys of a duty whose values name no key and are only ever compared.
// The present one stands first, the older ones after it, the newest of them first.
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
		all.keys = slices.Insert(all.keys, 0, f) // keys are added at the end, and the last one is used
	}
	if primary, err := h.Primary(); err != nil || set.PRFs[primary.KeyID()] != all.keys[0] {
		return prfKeys{}, errors.Join(errors.New("the newest key of the keyset is not the one that is used"), err)
	}
	return all, nil
}
