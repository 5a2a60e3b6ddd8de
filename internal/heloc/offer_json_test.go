package heloc

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// slowly decodes an offer as encoding/json does.
func slowly(b []byte) (Offer, error) {
	type plain Offer
	var o plain
	err := json.Unmarshal(b, &o)
	return Offer(o), err
}

const writtenOffer = `{"uuid":"71a20826","minAmount":15000,"maxAmount":259100.5,"rate":8.7,"primeRate":6.75,"term":60,"rateType":"FIXED","originationFeePercent":1.5,` +
	`"appliedOriginationFeeCapAmount":12929.09,"discountList":[{"type":"AUTOPAY","rateDiscountAmount":0.25},{"type":"CREDIT_UNION"},{}],"preDiscountOriginationFee":1.75}`

func TestOfferUnmarshal_AsWritten_Quickly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{writtenOffer, `{}`, `{"uuid":""}`, `{"rate":-0.5,"discountList":[]}`, `{"rateType":"ÜBER"}`} {
		var got Offer
		quick := got.decodeQuickly([]byte(text))
		want, err := slowly([]byte(text))
		if diff := cmp.Diff(want, got); !quick || err != nil || diff != "" {
			t.Errorf("%s: decoded quickly: %v, %v, %s", text, quick, err, diff)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if got = (Offer{}); !got.decodeQuickly(again) {
			t.Errorf("%s: what we write is not decoded quickly: %s", text, again)
		}
	}
}

// TestOfferUnmarshal_OtherForms_AsEncodingJSON: no version writes these forms, but what they mean must not depend on the reader.
func TestOfferUnmarshal_OtherForms_AsEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{ "uuid" : "a" , "rate" : 8.7 }`, `{"uuid":"a\u00e9\"b"}`, `{"uuid":null,"rate":null,"discountList":null}`, `{"RATE":8.7}`, `{"rate":"8.7"}`, `{"rate":""}`, `{"rate":8.7e0}`, `{"rate":8.70001}`,
		`{"term":60.0}`, `{"term":"sixty"}`, `{"minAmount":true}`, `{"minAmount":99999999999999999999}`, `{"unknown":{"deep":[1,{"x":null}]},"rate":1}`, `{"rate":1,"rate":2}`, `{"rate":1,"rate":null}`,
		`{"uuid":"a","uuid":"b"}`, `{"discountList":[{"type":"A","rateDiscountAmount":1}],"discountList":[{"type":"B"}]}`, `{"discountList":{}}`, `{"discountList":[null]}`, `{"discountList":[[]]}`, `{"uuid":7}`,
		`{"rateType":["x"]}`, `{"discountList":[{"type":"A"}]}`, `[]`, `"text"`, `7`, `null`, `{"uuid":"` + "\xff" + `"}`, `{"originationFeePercent":-1.5,"preDiscountOriginationFee":0}`,
	} {
		want, wantErr := slowly([]byte(text))
		var got Offer
		err := json.Unmarshal([]byte(text), &got)
		if diff := cmp.Diff(want, got); (err == nil) != (wantErr == nil) || diff != "" && err == nil {
			t.Errorf("%s: got error %v, want %v; %s", text, err, wantErr, diff)
		}
	}
}

// TestOfferUnmarshal_AnyChange_AsEncodingJSON changes characters of a written offer.
func TestOfferUnmarshal_AnyChange_AsEncodingJSON(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(43, 47))
	quickly := 0
	for range 20_000 {
		text := []byte(writtenOffer)
		for range 1 + random.IntN(2) {
			text[random.IntN(len(text))] = `",:{}[]\ 0123.-ax`[random.IntN(17)]
		}
		if !json.Valid(text) {
			continue
		}
		var got Offer
		if got.decodeQuickly(text) {
			quickly++
			if want, err := slowly(text); err != nil || cmp.Diff(want, got) != "" {
				t.Fatalf("%s: got %+v, want %+v, %v", text, got, want, err)
			}
		}
	}
	if quickly < 1000 {
		t.Errorf("%d changed offers were decoded quickly", quickly)
	}
}

// TestOfferUnmarshal_NotQuickly_Unchanged: an offer that is not decoded quickly is as it was.
func TestOfferUnmarshal_NotQuickly_Unchanged(t *testing.T) {
	t.Parallel()
	for end := range len(writtenOffer) {
		got := Offer{UUID: "before"}
		if got.decodeQuickly([]byte(writtenOffer[:end])) || got.UUID != "before" || got.Rate != nil {
			t.Fatalf("the first %d characters: got %+v", end, got)
		}
	}
	got := Offer{UUID: "before"}
	if text := strings.Replace(writtenOffer, `"term"`, `"terms"`, 1); got.decodeQuickly([]byte(text)) || got.UUID != "before" || got.Rate != nil {
		t.Errorf("an unknown key at the end: got %+v", got)
	}
}

func FuzzOfferUnmarshal(f *testing.F) {
	f.Add([]byte(writtenOffer))
	f.Fuzz(func(t *testing.T, text []byte) {
		var got Offer
		if json.Valid(text) && got.decodeQuickly(text) {
			if want, err := slowly(text); err != nil || cmp.Diff(want, got) != "" {
				t.Fatalf("%q: got %+v, want %+v, %v", text, got, want, err)
			}
		}
	})
}
