package jwe

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/fault"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func pair(t testing.TB) (*LocalSealer, *Opener) {
	t.Helper()
	local, err := NewLocalSealer(read(t, "public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	opener, err := NewOpener(read(t, "private.pem"))
	if err != nil {
		t.Fatal(err)
	}
	return local, opener
}

type vector struct{ Name, JWE, Plaintext string }

func vectors(t testing.TB) (v struct{ Opened, Refused []vector }) {
	t.Helper()
	if err := json.Unmarshal(read(t, "vectors.json"), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Opened) < 6 || len(v.Refused) < 9 {
		t.Fatalf("got %d and %d vectors", len(v.Opened), len(v.Refused))
	}
	return v
}

func TestOpen_ForeignVectors(t *testing.T) {
	_, opener := pair(t)
	pkcs1, err := NewOpener(read(t, "private_pkcs1.pem"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors(t).Opened {
		quoted, _ := json.Marshal(v.JWE)
		wrapped, _ := json.Marshal(map[string]string{"encrypted": v.JWE})
		for form, body := range map[string][]byte{
			"bare": []byte(v.JWE), "padded": []byte("\n " + v.JWE + "\r\n"), "quoted": quoted, "wrapped": wrapped,
		} {
			for _, o := range []*Opener{opener, pkcs1} {
				got, err := o.Open(body)
				if err != nil {
					t.Errorf("%s, %s: %v", v.Name, form, err)
				} else if string(got) != v.Plaintext {
					t.Errorf("%s, %s: got %q, want %q", v.Name, form, got, v.Plaintext)
				}
			}
			if !LooksEncrypted(body) {
				t.Errorf("%s, %s: LooksEncrypted = false", v.Name, form)
			}
		}
	}
}

func TestOpen_Malformed_Invalid(t *testing.T) {
	_, opener := pair(t)
	cases := vectors(t).Refused
	good := vectors(t).Opened[0].JWE
	for name, body := range map[string]string{
		"nothing": "", "spaces": "  ", "plain JSON": `{"applicationUuid":"x"}`, "null": "null", "number": "7",
		"empty member": `{"encrypted":""}`, "wrong type": `{"encrypted":7}`, "open quote": `"` + good,
		"four parts": strings.Join(strings.Split(good, ".")[:4], "."), "six parts": good + ".AAAA",
		"four dots": "....", "JSON serialization": `{"protected":"e30","ciphertext":"AA","iv":"AA","tag":"AA"}`,
	} {
		cases = append(cases, vector{Name: name, JWE: body})
	}
	for _, v := range cases {
		got, err := opener.Open([]byte(v.JWE))
		if err == nil {
			t.Errorf("%s: decrypted as %q", v.Name, got)
			continue
		}
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: kind = %v, want invalid", v.Name, fault.KindOf(err))
		}
		if strings.Contains(err.Error(), "123-45-6789") || len(err.Error()) > 400 {
			t.Errorf("%s: the error reveals too much: %v", v.Name, err)
		}
	}
}

func TestSeal_RoundTrip_ExactHeader(t *testing.T) {
	local, opener := pair(t)
	plain := []byte(`{"applicant":{"ssn":"123-45-6789"}}`)
	original := bytes.Clone(plain)
	compact, err := local.Seal(context.Background(), plain)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(plain, original) {
		t.Error("Seal changed the caller's bytes")
	}
	parts := strings.Split(compact, ".")
	if len(parts) != 5 {
		t.Fatalf("got %d parts", len(parts))
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(raw), `{"alg":"RSA-OAEP-256","enc":"A256GCM"}`; got != want {
		t.Errorf("header = %s, want %s", got, want)
	}
	got, err := opener.Open([]byte(compact))
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("got %q, %v", got, err)
	}
	again, _ := local.Seal(context.Background(), plain)
	if again == compact {
		t.Error("two seals are equal")
	}
}

func TestOpen_OwnVectors(t *testing.T) {
	_, opener := pair(t)
	got, err := opener.Open(read(t, "ours.txt"))
	if err != nil || !bytes.Equal(got, read(t, "ours.json")) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSeal_Concurrent(t *testing.T) {
	local, opener := pair(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			compact, err := local.Seal(context.Background(), []byte("x"))
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := opener.Open([]byte(compact)); err != nil || string(got) != "x" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	wg.Wait()
}

func TestSeal_CanceledContext_Unavailable(t *testing.T) {
	local, _ := pair(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := local.Seal(ctx, []byte("x")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("err = %v, want unavailable", err)
	}
}

func FuzzOpen(f *testing.F) {
	_, opener := pair(f)
	for _, v := range append(vectors(f).Opened, vectors(f).Refused...) {
		f.Add([]byte(v.JWE))
	}
	f.Add([]byte(`{"encrypted":"a.b.c.d.e"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		LooksEncrypted(body)
		_, _ = opener.Open(body)
	})
}
