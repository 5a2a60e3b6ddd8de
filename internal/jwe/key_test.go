package jwe

import (
	"encoding/pem"
	"strings"
	"testing"

	"hearthline/internal/fault"
)

func TestNewLocalSealer_BadKey_Invalid(t *testing.T) {
	public := func(b []byte) error { _, err := NewLocalSealer(b); return err }
	private := func(b []byte) error { _, err := NewOpener(b); return err }
	garbled := func(kind string) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: []byte("garbled")}) }
	for _, c := range []struct {
		name string
		open func([]byte) error
		pem  []byte
		want string
	}{
		{"public: nothing", public, nil, "no PEM"},
		{"public: text", public, []byte("hello"), "no PEM"},
		{"public: garbled", public, garbled("PUBLIC KEY"), "cannot be read"},
		{"public: a private key", public, read(t, "private.pem"), "must hold a PUBLIC KEY"},
		{"public: short", public, read(t, "small_public.pem"), "1024 bits"},
		{"public: elliptic", public, read(t, "ec_public.pem"), "not an RSA key"},
		{"private: nothing", private, nil, "no PEM"},
		{"private: garbled", private, garbled("PRIVATE KEY"), "cannot be read"},
		{"private: garbled PKCS #1", private, garbled("RSA PRIVATE KEY"), "cannot be read"},
		{"private: encrypted", private, garbled("ENCRYPTED PRIVATE KEY"), "must hold a PRIVATE KEY"},
		{"private: a public key", private, read(t, "public.pem"), "must hold a PRIVATE KEY"},
		{"private: short", private, read(t, "small_private.pem"), "1024 bits"},
		{"private: elliptic", private, read(t, "ec_private.pem"), "not an RSA key"},
	} {
		err := c.open(c.pem)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: err = %v, want invalid", c.name, err)
		} else if got := fault.Public(err); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.name, got, c.want)
		}
	}
}

func TestFingerprint_PublicAndPrivate_Equal(t *testing.T) {
	local, opener := pair(t)
	// The digest that openssl and sha256sum print for testdata/public.pem.
	const want = "SHA256:95dd94e69431e44357a9e995f2799d7b64d5c4faf9504deb58667d08b53f73b7"
	if local.Fingerprint() != want || opener.Fingerprint() != want {
		t.Errorf("got %s and %s, want %s", local.Fingerprint(), opener.Fingerprint(), want)
	}
	if again, err := NewLocalSealer(opener.PublicPEM()); err != nil || again.Fingerprint() != want {
		t.Errorf("the public half of the opener: %v", err)
	}
}
