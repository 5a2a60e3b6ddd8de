package zipcode

import (
	"regexp"
	"testing"

	"hearthline/internal/heloc"
)

func TestPlaceOf_KnownCodes_ReturnsCityAndState(t *testing.T) {
	t.Parallel()
	for zip, want := range map[string]Place{
		"83702": {"Boise", "ID"}, "83702-1234": {"Boise", "ID"}, "00501": {"Holtsville", "NY"},
		"63101": {"Saint Louis", "MO"}, "80202": {"Denver", "CO"}, "10001": {"New York", "NY"}, "99950": {"Ketchikan", "AK"},
	} {
		if got, ok := PlaceOf(zip); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", zip, got, ok, want)
		}
	}
}

func TestPlaceOf_OtherInput_ReturnsNothing(t *testing.T) {
	t.Parallel()
	for _, zip := range []string{"", "8370", "837021", "00000", "99999", "8370a", "83702-", "83702-12", "83702-12a4",
		"-3702", "09001"} {
		if got, ok := PlaceOf(zip); ok {
			t.Errorf("%q: got %v, want nothing", zip, got)
		}
	}
}

// Every city can be sent as it is, and every state is one that the forms offer.
func TestTable_EveryPlace_CanBeSent(t *testing.T) {
	t.Parallel()
	table, err := decode(compressed)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.codes) < 40_000 || len(compressed) > 200_000 {
		t.Errorf("got %d codes in %d bytes", len(table.codes), len(compressed))
	}
	city := regexp.MustCompile(`^[a-zA-Z\s\-']+$`)
	for _, p := range table.places {
		if code, ok := heloc.StateOf(p.State); !ok || code != p.State || !city.MatchString(p.City) {
			t.Errorf("got %v", p)
		}
	}
	for i := 1; i < len(table.codes); i++ {
		if table.codes[i] <= table.codes[i-1] {
			t.Fatalf("%05d follows %05d", table.codes[i], table.codes[i-1])
		}
	}
}

func BenchmarkPlaceOf(b *testing.B) {
	PlaceOf("83702")
	for b.Loop() {
		PlaceOf("83702")
	}
}
