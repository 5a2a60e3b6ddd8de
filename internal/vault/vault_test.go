package vault

import (
	"bytes"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

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

// TestUnsealJSON_AsEncodingJSON: what earlier versions wrote is decoded as encoding/json decoded it, also what no version
// would write today.
func TestUnsealJSON_AsEncodingJSON(t *testing.T) {
	v := inMemory(t)
	for _, plain := range []string{
		`{"appUuid":"7d4c","appShortId":"1-26330-004","appData":{"propertyAddress":{"street":"12 Æblevej \u2028 \ud83c\udfe0","zip":"98101"},"underwriting":{"offers":[` +
			`{"uuid":"o1","minAmount":15000,"maxAmount":259100.55,"rate":8.7,"term":60,"discountList":[{"type":"AUTOPAY","rateDiscountAmount":0.25}]},{"uuid":"o2","rate":"9.1250"}]}}}`,
		`{"APPUUID":"other case","appShortId":"first","appShortId":"second","unknown":{"deep":[1,{"x":null}]}}`,
		`{"appUuid":null,"appData":null,"loanOriginatorData":{}}`,
		`{"appData":{"underwriting":{"offers":null,"pricingAsOfDate":"2026-11-26T10:00:00Z","creditAsOfDate":20261126}}}`,
		`{"appData":{"underwriting":{"offers":[],"creditAsOfDate":"never","postLoanDti":""}}}`,
		`{"appUuid":"` + "\xff" + `","appShortId":"<&>"}`,
		` { "appUuid" : "spaces" } `,
		`{"appUuid":7}`, `{"appData":[]}`, `{"appUuid":"a"} {}`, `{"appUuid":"a"`, `null`, ``,
	} {
		sealed, err := v.Seal(nameAAD, []byte(plain))
		if err != nil {
			t.Fatal(err)
		}
		var want heloc.Details
		wantErr := json.Unmarshal([]byte(plain), &want)
		got, err := UnsealJSON[heloc.Details](v, nameAAD, sealed)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: got error %v, want %v", plain, err, wantErr)
		}
		if diff := cmp.Diff(want, got); wantErr == nil && diff != "" {
			t.Errorf("%s: %s", plain, diff)
		}
	}
}

// TestUnsealJSON_Again_NoTextIsKept: a decoder that is kept for the next call also keeps texts, and returns the same memory for
// the same text.
func TestUnsealJSON_Again_NoTextIsKept(t *testing.T) {
	v := inMemory(t)
	type draft struct{ Street string }
	sealed, err := SealJSON(v, nameAAD, draft{"12 Larkspur Ave"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*byte]bool{}
	var keep []string
	for range 20 {
		d, err := UnsealJSON[draft](v, nameAAD, sealed)
		if err != nil {
			t.Fatal(err)
		}
		if at := unsafe.StringData(d.Street); seen[at] {
			t.Fatal("a decoded text was kept for the next call")
		} else {
			seen[at], keep = true, append(keep, d.Street)
		}
	}
	runtime.KeepAlive(keep)
}

func TestToken_OtherCompanyOrField_Differs(t *testing.T) {
	v := inMemory(t)
	token := v.Token("summit", "name", "rivera")
	if token != v.Token("summit", "name", "rivera") {
		t.Error("a token changes from call to call")
	}
	if token < 0 || token > 1<<32-1 {
		t.Errorf("token %d is not an unsigned 32-bit number", token)
	}
	for _, other := range [][3]string{
		{"lakeside", "name", "rivera"}, {"summit", "email", "rivera"}, {"summit", "name", "riveraa"},
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
	old, tokens := before.Token("summit", "name", "rivera"), after.Tokens("summit", "name", "rivera")
	if len(tokens) != 2 || tokens[0] != after.Token("summit", "name", "rivera") || tokens[0] == old || tokens[1] != old {
		t.Errorf("got tokens %v, want the new one %d, then the old one %d", tokens, after.Token("summit", "name", "rivera"), old)
	}
	digests := after.Digests("a", "b")
	if len(digests) != 2 || digests[0] != after.Digest("a", "b") || digests[0] == digests[1] || digests[1] != before.Digest("a", "b") {
		t.Errorf("got digests %v, want the new one, then the old one", digests)
	}
	// Companies have different tokens under every key.
	for i, other := range after.Tokens("lakeside", "name", "rivera") {
		if other == tokens[i] {
			t.Errorf("key %d gives two companies the same token", i)
		}
	}
	if after.TokenKey() == before.TokenKey() || after.DigestKey() == before.DigestKey() {
		t.Error("the new keys have the names of the old ones")
	}
	// A value that is stored without a key name belongs to the first key, as long as there is no other.
	for name, keys := range map[string][2][]int64{"tokens": {before.TokenKeys(), after.TokenKeys()}, "digests": {before.DigestKeys(), after.DigestKeys()}} {
		if !slices.Contains(keys[0], 0) || slices.Contains(keys[1], 0) {
			t.Errorf("%s: got %v before and %v after, want 0 only before", name, keys[0], keys[1])
		}
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
