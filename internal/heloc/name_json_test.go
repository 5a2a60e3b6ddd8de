package heloc

import (
	"encoding/json"
	"testing"
)

// TestNameDecodeQuickly_EqualsJSON: what the quick way decodes is what encoding/json decodes, and what is written usually is
// decoded by it.
func TestNameDecodeQuickly_EqualsJSON(t *testing.T) {
	t.Parallel()
	for _, name := range []Name{
		{}, {First: "Elena", Last: "Rivera"}, {First: "Xóchitl", Last: "Núñez", Middle: "M.", Prefix: "Dr", Suffix: "Jr"}, {Last: "O’Hara, Jr: III"},
	} {
		plain, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		var got Name
		if ok := got.DecodeQuickly(plain); !ok || got != name {
			t.Errorf("%s: got %+v, %v", plain, got, ok)
		}
	}
	for _, plain := range []string{
		`{"firstName":"Zo\u00e9"}`, `{"firstName":"A\"B"}`, `{"firstName":"A&B"}`, `{ "firstName":"A"}`, `{"firstName":null}`, `{"other":"x"}`, `{"firstName":"A","firstName":"B"}`,
		`{"FirstName":"A"}`, `{"firstName":"A",}`, `{,"firstName":"A"}`, `{"firstName":"A" }`, `{"firstName":{"x":"y"}}`, `{"firstName":"A"}}`, `{`, `}`, ``, `[]`, `null`, `{"firstName"}`, `{"firstName":`,
		"{\"firstName\":\"A\nB\"}", "{\"firstName\":\"\xff\"}", `{"firstName":"","firstName":"B"}`, `{}x`, `{"firstName":7}`,
	} {
		before := Name{First: "before"}
		got := before
		ok := got.DecodeQuickly([]byte(plain))
		var want Name
		err := json.Unmarshal([]byte(plain), &want)
		if ok && (err != nil || got != want) || !ok && got != before {
			t.Errorf("%s: got %+v, %v, want %+v, %v", plain, got, ok, want, err)
		}
	}
}

func FuzzNameDecodeQuickly(f *testing.F) {
	f.Add([]byte(`{"firstName":"Elena","lastName":"Rivera"}`))
	f.Fuzz(func(t *testing.T, plain []byte) {
		var got, want Name
		if got.DecodeQuickly(plain) {
			if err := json.Unmarshal(plain, &want); err != nil || got != want {
				t.Fatalf("%q: got %+v, want %+v, %v", plain, got, want, err)
			}
		}
	})
}
