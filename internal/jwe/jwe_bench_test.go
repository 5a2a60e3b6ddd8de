package jwe

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// BenchmarkSeal_AgainstLibrary alternates between this package and the bare library, so that both run under
// the same conditions, and prints the ratio of their speeds: 1 is as fast as the library.
func BenchmarkSeal_AgainstLibrary(b *testing.B) {
	local, opener := pair(b)
	key, err := parsePublic(read(b, "public.pem"))
	if err != nil {
		b.Fatal(err)
	}
	bare, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.RSA_OAEP_256, Key: key}, nil)
	if err != nil {
		b.Fatal(err)
	}
	plain := bytes.Repeat([]byte("0123456789abcdef"), 128) // an inquiry is about 2 KB
	compact, err := local.Seal(context.Background(), plain)
	if err != nil {
		b.Fatal(err)
	}
	sealBare := func() {
		object, _ := bare.Encrypt(plain)
		_, _ = object.CompactSerialize()
	}
	openBare := func() {
		object, _ := jose.ParseEncryptedCompact(compact, []jose.KeyAlgorithm{jose.RSA_OAEP_256},
			[]jose.ContentEncryption{jose.A256GCM})
		_, _ = object.Decrypt(opener.key)
	}
	b.Run("seal", func(b *testing.B) {
		benchmarkAlternating(b, func() { _, _ = local.Seal(context.Background(), plain) }, sealBare)
	})
	b.Run("open", func(b *testing.B) {
		benchmarkAlternating(b, func() { _, _ = opener.Open([]byte(compact)) }, openBare)
	})
}

func benchmarkAlternating(b *testing.B, ours, bare func()) {
	var a, z time.Duration
	for b.Loop() {
		start := time.Now()
		ours()
		middle := time.Now()
		bare()
		a, z = a+middle.Sub(start), z+time.Since(middle)
	}
	b.ReportMetric(float64(z)/float64(a), "x-of-bare")
}
