package heloc

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestMoneyUnmarshal_AllNumberForms(t *testing.T) {
	for in, want := range map[string]Money{
		`145000`: 14_500_000, `145000.5`: 14_500_050, `1093.915`: 109_392, `-12.34`: -1_234,
		`"238410.00"`: 23_841_000, `1.45e5`: 14_500_000, `0`: 0, `2e-3`: 0, `0.005`: 1,
	} {
		var got Money
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{`"abc"`, `1e999999999`, `99999999999999999999`, `true`, `{}`} {
		var got Money
		if err := json.Unmarshal([]byte(in), &got); err == nil {
			t.Errorf("%s: got %d, want an error", in, got)
		}
	}
}

func TestMoneyMarshal_Exact(t *testing.T) {
	for in, want := range map[Money]string{14_500_000: "145000", 109_392: "1093.92", 5: "0.05", -1_230: "-12.3", 0: "0"} {
		if b, _ := json.Marshal(in); string(b) != want {
			t.Errorf("%d: got %s, want %s", in, b, want)
		}
	}
}

func TestMoney_Text(t *testing.T) {
	t.Parallel()
	for in, want := range map[Money][2]string{
		14_933_550: {"149,335.50", "149,336"}, 23_841_049: {"238,410.49", "238,410"}, 0: {"0.00", "0"}, 7: {"0.07", "0"},
		99_950: {"999.50", "1,000"}, 100_000: {"1,000.00", "1,000"},
		123_456_789_012_345: {"1,234,567,890,123.45", "1,234,567,890,123"}, 100_000_005: {"1,000,000.05", "1,000,000"},
		-123_456: {"-1,234.56", "-1,235"}, -1: {"-0.01", "-0"},
	} {
		if got := [2]string{in.String(), in.Whole()}; got != want {
			t.Errorf("%d: got %q, want %q", int64(in), got, want)
		}
	}
}

func TestRate_Text(t *testing.T) {
	t.Parallel()
	for in, want := range map[Rate]string{82_500: "8.25", 80_000: "8.00", 85_000: "8.50", 81_255: "8.1255",
		81_250: "8.125", 0: "0.00", -2_500: "-0.25", 1: "0.0001", 1_000_000: "100.00"} {
		if got := in.String(); got != want {
			t.Errorf("%d: got %s, want %s", int64(in), got, want)
		}
	}
}

func TestAppendScaled_AnyNumber_ReadsBack(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(29, 31))
	for range 20_000 {
		v, places := random.Int64N(1<<random.IntN(61)+1), random.IntN(5)
		if random.IntN(2) == 0 {
			v = -v
		}
		text := string(appendScaled(nil, v, places))
		got, err := strconv.ParseFloat(text, 64)
		if want := float64(v) / math.Pow10(places); err != nil || math.Abs(got-want) > math.Abs(want)*1e-15 ||
			strings.Contains(text, ".") && strings.HasSuffix(text, "0") {
			t.Fatalf("%d with %d places: got %s", v, places, text)
		}
		if back, err := readScaled([]byte(text), places); err == nil && back != v {
			t.Fatalf("%d with %d places: got %s, which is %d", v, places, text, back)
		}
	}
}

func TestDateUnmarshal_KeepsCalendarDay(t *testing.T) {
	for in, want := range map[string]Date{
		`"2026-11-20"`: "2026-11-20", `"2026-11-20T23:59:59-08:00"`: "2026-11-20", `"2026-11-20T00:00:00Z"`: "2026-11-20",
		`20261120`: "2026-11-20", `1795132800000`: "2026-11-20", `null`: "", `"soon"`: "", `"2026-13-40"`: "", `{}`: "",
	} {
		var got Date
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestParse_TypedInput(t *testing.T) {
	if got, err := ParseMoney(" $1,234.50 "); err != nil || got != 123_450 {
		t.Errorf("ParseMoney = %v, %v", got, err)
	}
	if got, err := ParseRate("8.25 %"); err != nil || got != 82_500 {
		t.Errorf("ParseRate = %v, %v", got, err)
	}
	for _, in := range []string{"06/14/2018", "6/14/2018", "2018-06-14", "06142018"} {
		if got, err := ParseDate(in); err != nil || got != "2018-06-14" {
			t.Errorf("ParseDate(%q) = %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "31/31/2018", "yesterday", "06/14/18"} {
		if got, err := ParseDate(in); err == nil {
			t.Errorf("ParseDate(%q) = %q", in, got)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1", "-1.5e3", "1e-40", ".", "e", "--1", "1.2.3", "０"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		_, _ = ParseMoney(s)
		_, _ = ParseRate(s)
		_, _ = ParseDate(s)
	})
}
