package journal

import (
	"path/filepath"
	"slices"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/vault"
)

// TestBlindIndexes_Golden checks what the indexes of existing databases were made from.
func TestBlindIndexes_Golden(t *testing.T) {
	dir := t.TempDir()
	v, err := vault.Open(vault.Files{Keyset: filepath.Join(dir, "keyset.json"), KEK: filepath.Join(dir, "kek"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	inquiry := heloc.Inquiry{}
	inquiry.Applicant.Name, inquiry.Applicant.DateOfBirth = heloc.Name{First: "Elena", Last: "Núñez"}, "1980-02-03"
	inquiry.Property.Address = heloc.Address{Street1: "2216 Larkspur Ave", ZIP: "98103"}
	duplicate := lead.DuplicateKeyOf("summit", inquiry)
	for _, tt := range []struct {
		name string
		got  []string
		want []string
	}{
		{"duplicate", DuplicateIndexes(v, duplicate), v.Digests("duplicate", "summit", heloc.FoldForSearch("Elena Núñez"), "1980-02-03", heloc.FoldForSearch("2216 Larkspur Ave 98103"))},
		{"stored duplicate", []string{DuplicateIndex(v, duplicate)}, []string{v.Digest(append([]string{"duplicate"}, duplicate...)...)}},
		{"no duplicate", DuplicateIndexes(v, nil), nil},
		{"record", CRMRecord{Client: "acme", ID: " 51 "}.BlindIndexes(v, "summit"), v.Digests("record", "summit", "acme", "51")},
		{"typed record", CRMRecord{Client: "acme", Type: "deal", ID: " 51 "}.BlindIndexes(v, "summit"), v.Digests("record", "summit", "acme", "deal", "51")},
		{"reference", ReferenceIndexes(v, "summit", " 51 "), v.Digests("reference", "summit", "51")},
		{"stored references", References(v, "summit", "", " 51 ").BlindIndexes, v.Digests("reference", "summit", "51")},
		{"notice", NoticeDedupKeys(v, "draft", "1"), []string{v.Digest("notice", "draft", "1")[:32]}},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	terms := []heloc.Term{{Field: "name", Text: "elena"}}
	if got := StoredTokens(v, "summit", terms).Values; !slices.Equal(got, []int64{v.Token("summit", "name", "elena")}) {
		t.Errorf("stored tokens: got %v", got)
	}
	if got := SearchTokens(v, "summit", terms); len(got) != 1 || !slices.Equal(got[0], v.Tokens("summit", "name", "elena")) {
		t.Errorf("search tokens: got %v", got)
	}
}
