package journal

import (
	"slices"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/vault"
)

// TestBlindIndexes_Golden checks what the stored indexes of existing databases were made from.
func TestBlindIndexes_Golden(t *testing.T) {
	t.Parallel()
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := References(v, "summit", "", " 51 ").BlindIndexes,
		v.Digests("reference", "summit", "51"); !slices.Equal(got, want) {
		t.Errorf("stored references: got %v, want %v", got, want)
	}
	if got := StoredTokens(v, "summit", []heloc.Term{{Field: "word", Text: "elena"}}).Values; !slices.Equal(got,
		[]int64{v.Token("summit", "word", "elena")}) {
		t.Errorf("stored tokens: got %v", got)
	}
}
