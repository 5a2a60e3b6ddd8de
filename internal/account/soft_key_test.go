package account

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// softKey is an authenticator in software, with one key.
type softKey struct {
	t       *testing.T
	private *ecdsa.PrivateKey
	id      []byte
	user    string // the user handle in its responses
	origin  string
	host    string
	flags   byte // of its responses: present 1, verified 4, backup eligible 8, backed up 16
	count   uint32
}

func newSoftKey(t *testing.T) *softKey {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k := &softKey{t: t, private: private, id: make([]byte, 16), origin: "https://portal.example", host: "portal.example",
		flags: 1 | 4}
	_, _ = rand.Read(k.id)
	return k
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// passkeyOptions are the options that the portal sends to a browser.
type passkeyOptions struct {
	Challenge string `json:"challenge"`
	User      struct {
		ID string `json:"id"`
	} `json:"user"`
	Selection struct {
		ResidentKey      string `json:"residentKey"`
		UserVerification string `json:"userVerification"`
	} `json:"authenticatorSelection"`
	UserVerification string           `json:"userVerification"`
	Allowed          []map[string]any `json:"allowCredentials"`
}

func (k *softKey) read(options []byte) passkeyOptions {
	k.t.Helper()
	var a passkeyOptions
	if err := json.Unmarshal(options, &a); err != nil {
		k.t.Fatal(err)
	}
	return a
}

func (k *softKey) clientData(kind, challenge string) []byte {
	raw, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": k.origin,
		"crossOrigin": false})
	if err != nil {
		k.t.Fatal(err)
	}
	return raw
}

// authenticatorData returns the authenticator data: relying party, flags and counter.
func (k *softKey) authenticatorData(more byte) []byte {
	k.count++
	host := sha256.Sum256([]byte(k.host))
	return binary.BigEndian.AppendUint32(append(host[:], k.flags|more), k.count)
}

// create responds to navigator.credentials.create.
func (k *softKey) create(options []byte) []byte {
	k.t.Helper()
	a := k.read(options)
	handle, err := base64.RawURLEncoding.DecodeString(a.User.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	k.user = string(handle)
	point, err := k.private.PublicKey.Bytes()
	if err != nil {
		k.t.Fatal(err)
	}
	// The key as COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
	cose := append([]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20}, point[1:33]...)
	cose = append(append(cose, 0x22, 0x58, 0x20), point[33:]...)
	data := append(k.authenticatorData(0x40), make([]byte, 16)...) // no authenticator model
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(k.id))), k.id...)
	data = append(data, cose...)
	// {"fmt": "none", "attStmt": {}, "authData": data}
	object := append([]byte{0xa3, 0x63}, "fmt"...)
	object = append(append(object, 0x64), "none"...)
	object = append(append(object, 0x67), "attStmt"...)
	object = append(append(object, 0xa0, 0x68), "authData"...)
	object = append(binary.BigEndian.AppendUint16(append(object, 0x59), uint16(len(data))), data...)
	return k.answer(map[string]any{
		"clientDataJSON": b64(k.clientData("webauthn.create", a.Challenge)), "attestationObject": b64(object),
		"transports": []string{"internal"},
	})
}

// get responds to navigator.credentials.get.
func (k *softKey) get(options []byte) []byte {
	k.t.Helper()
	client, data := k.clientData("webauthn.get", k.read(options).Challenge), k.authenticatorData(0)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, k.private, digest[:])
	if err != nil {
		k.t.Fatal(err)
	}
	return k.answer(map[string]any{
		"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature),
		"userHandle": b64([]byte(k.user)),
	})
}

func (k *softKey) answer(response map[string]any) []byte {
	raw, err := json.Marshal(map[string]any{"id": b64(k.id), "rawId": b64(k.id), "type": "public-key",
		"response": response, "clientExtensionResults": map[string]any{}})
	if err != nil {
		k.t.Fatal(err)
	}
	return raw
}
