package partner

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"hearthline/internal/heloc"
)

// detailsFixture reads the response of the details fixture in one dialect.
func detailsFixture(t testing.TB, dialect Dialect) []byte {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/calls/details.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if file.Name == "response."+string(dialect) {
			return file.Data[strings.IndexByte(string(file.Data), '{'):]
		}
	}
	t.Fatal("no response")
	return nil
}

// onlyFromLiveService are the fields of the details that the contract does not have.
var onlyFromLiveService = []string{
	"KeyDates.LastStatusUpdateDate", "Costs.TotalPaidByBorrower", ".InterestRateMin", ".InterestRateMax", ".PayOffStatus",
	"Offers.PreDiscountOriginationFee", "SelectedOffer.OriginationFee", "SelectedOffer.OriginationFeeAmount",
	"Notary.ManualNotary", "Originator.CompanyNMLS", "Originator.Email",
}

// Every field must be filled; otherwise a JSON tag is wrong.
func TestReadDetails_FillsEveryField(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		tree, err := readTree(detailsFixture(t, dialect))
		if err != nil {
			t.Fatal(err)
		}
		details := decode[heloc.Details](documentedDetails(tree))
		for _, path := range emptyFields(reflect.ValueOf(details), "") {
			onlyLive := slices.ContainsFunc(onlyFromLiveService, func(field string) bool {
				return strings.HasSuffix(path, field)
			})
			notSent := strings.HasSuffix(path, ".FeeCapAmount") // the live service has no cap
			if dialect == Live && notSent || dialect == Documented && onlyLive {
				continue
			}
			if strings.Contains(path, "Eligible") && strings.HasSuffix(path, "Reasons") {
				continue // only ineligible debts have reasons
			}
			t.Errorf("%s: %s is empty", dialect, path)
		}
	}
}

// emptyFields lists the paths of empty fields.
func emptyFields(v reflect.Value, path string) []string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return []string{path}
		}
		if v.Elem().Kind() != reflect.Struct {
			return nil // the lender sent this zero
		}
		return emptyFields(v.Elem(), path)
	case reflect.Struct:
		var found []string
		for i := range v.NumField() {
			found = append(found, emptyFields(v.Field(i), path+"."+v.Type().Field(i).Name)...)
		}
		return found
	case reflect.Slice:
		if v.Len() == 0 {
			return []string{path}
		}
		var found []string
		for i := range v.Len() {
			found = append(found, emptyFields(v.Index(i), path)...)
		}
		return found
	default:
		if v.IsZero() {
			return []string{path}
		}
		return nil
	}
}

// The canonical form that we store must decode to the same value.
func TestDetails_CanonicalJSON_RoundTrips(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		tree, err := readTree(detailsFixture(t, dialect))
		if err != nil {
			t.Fatal(err)
		}
		first := decode[heloc.Details](documentedDetails(tree))
		stored, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		var decoded heloc.Details
		if err := json.Unmarshal(stored, &decoded); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first, decoded) {
			t.Errorf("%s: decoding the canonical JSON gives another value", dialect)
		}
	}
}

func TestReadDetails_BothNames_DocumentedWins(t *testing.T) {
	t.Parallel()
	tree, err := readTree([]byte(`{"appData":{
		"keyDates":{"recissionEndDate":"2026-02-01","rescissionEndDate":"2026-02-02T00:00:00Z"},
		"costs":{"dynmaicCosts":null,"dynamicCosts":[{"type":"BPO_FEE"}]},
		"testVariants":null,"manualNotary":{"manualNotaryDate":"2026-01-29T10:00:00Z"},
		"propertyDetails":{"propertyUuid":"u","xPropertyId":null,"yPropertyId":"Y"}},
		"testVariants":{"variants":[{"name":"v"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := decode[heloc.Details](documentedDetails(tree)).App
	if got.KeyDates.RescissionEnd != "2026-02-01" || len(got.Costs.Dynamic) != 1 || len(got.TestVariants.Variants) != 1 ||
		got.Property.PropertyID != "Y" || got.Notary.ManualNotary == nil || got.Notary.ManualNotary.Date != "2026-01-29" {
		t.Errorf("got %+v", got)
	}
}

func FuzzDetails(f *testing.F) {
	f.Add(detailsFixture(f, Documented))
	f.Add(detailsFixture(f, Live))
	f.Add([]byte(`{"data":{"appData":{"underwriting":{"offers":[{"rate":"1e9"}]}}}}`))
	f.Add([]byte(`{"appData":{"demographics":{"tribeName":"x"},"notary":[],"costs":{"dynamicCosts":{}}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tree, err := readTree(raw)
		if err != nil {
			return
		}
		messagesOf(tree, testKey)
		details := decode[heloc.Details](documentedDetails(tree))
		if _, err := json.Marshal(details); err != nil {
			t.Errorf("cannot be marshaled: %v", err)
		}
		data, _ := documentedDetails(tree)["appData"].(object)
		decode[heloc.Signers](data["borrowerDetails"])
		decode[heloc.Quote](readOffers(tree, "underwriting.offers[]"))
		decode[heloc.Costs](readCosts(tree)["costs"])
		decode[heloc.Estimate](unwrapData(tree))
	})
}

func BenchmarkDetails(b *testing.B) {
	raw := detailsFixture(b, Live)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		tree, err := readTree(raw)
		if err != nil {
			b.Fatal(err)
		}
		decode[heloc.Details](documentedDetails(tree))
	}
}
