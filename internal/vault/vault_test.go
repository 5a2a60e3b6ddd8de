package vault

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

var nameAAD = AAD{table: "leads", row: "7d4c", column: "borrower"}

func inMemory(t testing.TB) *Vault {
	t.Helper()
	v, err := InMemory()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestUnseal_OtherAAD_Error(t *testing.T) {
	v := inMemory(t)
	sealed, err := v.Seal(nameAAD, []byte("Ana Rivera"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, []byte("Rivera")) {
		t.Fatal("the sealed value contains its plaintext")
	}
	if got, err := v.Unseal(nameAAD, sealed); err != nil || string(got) != "Ana Rivera" {
		t.Errorf("Unseal = %q, %v, want the name", got, err)
	}
	for _, elsewhere := range []AAD{
		{"drafts", "7d4c", "borrower"},
		{"leads", "7d4d", "borrower"},
		{"leads", "7d4c", "details"},
		{"lead", "s7d4c", "borrower"}, // the same letters, split differently
	} {
		if _, err := v.Unseal(elsewhere, sealed); err == nil {
			t.Errorf("a value sealed for %v was decrypted for %v", nameAAD, elsewhere)
		}
	}
}

func TestUnseal_Tampered_ErrorHasNoText(t *testing.T) {
	v := inMemory(t)
	sealed, err := v.Seal(nameAAD, []byte("Ana Rivera"))
	if err != nil {
		t.Fatal(err)
	}
	sealed[len(sealed)-1] ^= 1
	_, err = v.Unseal(nameAAD, sealed)
	if got := fault.KindOf(err); err == nil || got != fault.Internal {
		t.Errorf("kind = %v (%v), want %v", got, err, fault.Internal)
	}
	if strings.Contains(err.Error(), nameAAD.row) {
		t.Errorf("the error names the row: %v", err)
	}
}

func TestSeal_IncompleteAAD_Error(t *testing.T) {
	v := inMemory(t)
	if _, err := v.Seal(AAD{table: "leads", column: "borrower"}, []byte("x")); err == nil {
		t.Error("sealed for an AAD without a row")
	}
}

func TestSeal_Twice_Differs(t *testing.T) {
	v := inMemory(t)
	a, _ := v.Seal(nameAAD, []byte("Ana"))
	b, _ := v.Seal(nameAAD, []byte("Ana"))
	if bytes.Equal(a, b) {
		t.Error("two seals of one value are equal")
	}
}

func TestSealJSON_RoundTrip(t *testing.T) {
	type draft struct {
		First string
		Cents int64
	}
	v := inMemory(t)
	want := draft{"Ana", 12_345}
	sealed, err := SealJSON(v, nameAAD, want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := UnsealJSON[draft](v, nameAAD, sealed); err != nil || got != want {
		t.Errorf("UnsealJSON = %+v, %v, want %+v", got, err, want)
	}
	if _, err := UnsealJSON[int](v, nameAAD, sealed); err == nil || strings.Contains(err.Error(), "Ana") {
		t.Errorf("decoding into another type gave %v, want an error without the text", err)
	}
}

func TestSealName_RoundTrip(t *testing.T) {
	v := inMemory(t)
	for _, want := range []heloc.Name{
		{}, {First: "Elena", Last: "Rivera"}, {First: "Xóchitl", Last: "Núñez", Middle: "M.", Prefix: "Dr", Suffix: "Jr"},
		{Last: "O’Hara, \"Jr\": III\x00\xff"}, {First: strings.Repeat("n", 300), Suffix: "SR"},
	} {
		sealed, err := v.SealName("app-1", want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.UnsealName("app-1", sealed); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		if got, err := v.UnsealName("app-2", sealed); !errors.Is(err, ErrUndecryptable) || got != (heloc.Name{}) {
			t.Errorf("another lead's name: got %+v, %v", got, err)
		}
	}
	if got, err := v.UnsealName("app-1", nil); err != nil || got != (heloc.Name{}) {
		t.Errorf("no name: got %+v, %v, want an empty one", got, err)
	}
}

func TestUnsealName_OtherForm_Undecryptable(t *testing.T) {
	v := inMemory(t)
	for _, plain := range []string{
		"", "\x01", "\x02\x00\x00\x00\x00\x00", "\x01\x00\x00\x00\x00", "\x01\x00\x00\x00\x00\x00x", "\x01\x04Ana\x00",
		"\x01\x00\x00\x00\x00\x01", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		`{"firstName":"Ana"}`,
	} {
		sealed, err := v.Seal(NameAAD("app-1"), []byte(plain))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.UnsealName("app-1", sealed); !errors.Is(err, ErrUndecryptable) || got != (heloc.Name{}) ||
			strings.Contains(err.Error(), "Ana") {
			t.Errorf("%q: got %+v, %v, want an error without the text", plain, got, err)
		}
	}
}

func TestToken_OtherCompanyOrField_Differs(t *testing.T) {
	v := inMemory(t)
	token := v.Token("summit", "word", "rivera")
	if token != v.Token("summit", "word", "rivera") {
		t.Error("a token changes from call to call")
	}
	if token < 0 || token > 1<<32-1 {
		t.Errorf("token %d is not an unsigned 32-bit number", token)
	}
	for _, other := range [][3]string{
		{"lakeside", "word", "rivera"}, {"summit", "email", "rivera"}, {"summit", "word", "riveraa"},
		{"summitname", "", "rivera"},
	} {
		if v.Token(other[0], other[1], other[2]) == token {
			t.Errorf("%v has the token of summit/name/rivera", other)
		}
	}
}

func TestDigest_PartBoundaries_Differ(t *testing.T) {
	v := inMemory(t)
	if got := v.Digest("ab", "c"); len(got) != 64 || got != v.Digest("ab", "c") {
		t.Errorf("Digest = %q, want 64 hex digits, the same each time", got)
	}
	if v.Digest("ab", "c") == v.Digest("a", "bc") {
		t.Error("parts that are split differently have the same digest")
	}
	if v.Digest("a") == inMemory(t).Digest("a") {
		t.Error("another vault has the same digest: it is not keyed")
	}
}

func TestRotate_LooksUpAllKeys_WritesNew(t *testing.T) {
	before, after, err := InMemoryRotated()
	if err != nil {
		t.Fatal(err)
	}
	if before.HasOlderKeys() || !after.HasOlderKeys() {
		t.Errorf("older keys: got %v before and %v after", before.HasOlderKeys(), after.HasOlderKeys())
	}
	old, tokens := before.Token("summit", "word", "rivera"), after.Tokens("summit", "word", "rivera")
	if len(tokens) != 2 || tokens[0] != after.Token("summit", "word", "rivera") || tokens[0] == old || tokens[1] != old {
		t.Errorf("got tokens %v, want the new one %d, then the old one %d",
			tokens, after.Token("summit", "word", "rivera"), old)
	}
	digests := after.Digests("a", "b")
	if len(digests) != 2 || digests[0] != after.Digest("a", "b") || digests[0] == digests[1] ||
		digests[1] != before.Digest("a", "b") {
		t.Errorf("got digests %v, want the new one, then the old one", digests)
	}
	// Companies have different tokens under every key.
	for i, other := range after.Tokens("lakeside", "word", "rivera") {
		if other == tokens[i] {
			t.Errorf("key %d gives two companies the same token", i)
		}
	}
	if after.TokenKey() == before.TokenKey() || after.DigestKey() == before.DigestKey() {
		t.Error("the new keys have the names of the old ones")
	}
}

func TestVerifyMAC_AnyPartChanged_False(t *testing.T) {
	v := inMemory(t)
	code := v.MAC("form", "user-1", "select-offer")
	if !v.VerifyMAC(code, "form", "user-1", "select-offer") {
		t.Error("our own MAC is rejected")
	}
	for _, parts := range [][]string{
		{"form", "user-2", "select-offer"}, {"audit", "user-1", "select-offer"}, {"form", "user-1"},
		{"form", "user-1select-offer"},
	} {
		if v.VerifyMAC(code, parts...) {
			t.Errorf("the MAC is also valid for %v", parts)
		}
	}
	for _, bad := range []string{"", "!!", code[1:], code + "AA"} {
		if v.VerifyMAC(bad, "form", "user-1", "select-offer") {
			t.Errorf("%q is accepted as a MAC", bad)
		}
	}
}

func BenchmarkUnsealName(b *testing.B) { benchmarkUnseal(b, 24) }
func BenchmarkUnsealPart(b *testing.B) { benchmarkUnseal(b, 20_000) }

func benchmarkUnseal(b *testing.B, size int) {
	v := inMemory(b)
	sealed, err := v.Seal(nameAAD, make([]byte, size))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := v.Unseal(nameAAD, sealed); err != nil {
			b.Fatal(err)
		}
	}
}
