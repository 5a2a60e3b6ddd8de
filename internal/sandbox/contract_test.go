package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// flattenPaths collects the paths of decoded JSON with the types of their values. Null is
// valid for every type, because every field of the interface may be null.
func flattenPaths(into map[string]map[string]bool, path string, v any) {
	add := func(kind string) {
		if into[path] == nil {
			into[path] = map[string]bool{}
		}
		into[path][kind] = true
	}
	switch v := v.(type) {
	case map[string]any:
		if path != "" {
			add("object")
		}
		for name, inner := range v {
			flattenPaths(into, strings.TrimPrefix(path+"."+name, "."), inner)
		}
	case []any:
		add("array")
		for _, inner := range v {
			flattenPaths(into, path+"[]", inner)
		}
	case string:
		add(textFormat(v))
	case float64:
		add("number")
	case bool:
		add("boolean")
	default:
		add("null")
	}
}

func textFormat(s string) string {
	for kind, pattern := range map[string]string{
		"date":      `^\d{4}-\d{2}-\d{2}$`,
		"date-time": `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`,
		"uuid":      `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
	} {
		if regexp.MustCompile(pattern).MatchString(s) {
			return kind
		}
	}
	return "string"
}

// readContract reads the expected paths of a response in a dialect.
func readContract(t *testing.T, file, name string, d Dialect) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/contract/" + file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	section := func(dialect Dialect) {
		for _, f := range archive.Files {
			if strings.TrimSpace(f.Name) != strings.TrimSpace(name+" "+string(dialect)) {
				continue
			}
			for line := range strings.Lines(string(f.Data)) {
				line = strings.TrimSpace(line)
				path, kind, _ := strings.Cut(strings.TrimLeft(line, "+-"), " ")
				if strings.HasPrefix(line, "-") {
					delete(want, path)
				} else {
					want[path] = kind
				}
			}
		}
	}
	section(Documented)
	if d == Live {
		section(Live)
	}
	return want
}

// checkContract compares a response with the contract, in both directions.
func checkContract(t *testing.T, name string, answer any, want map[string]string) {
	t.Helper()
	got := map[string]map[string]bool{}
	flattenPaths(got, "", answer)
	for path, kind := range want {
		kind, optional := strings.CutSuffix(kind, " may be absent")
		kinds, present := got[path]
		if !present && !optional {
			t.Errorf("%s: %s is missing", name, path)
		}
		for k := range kinds {
			if k != kind && k != "null" {
				t.Errorf("%s: %s: got %s, want %s", name, path, k, kind)
			}
		}
	}
	for path := range got {
		if _, known := want[path]; !known {
			t.Errorf("%s: %s is not in the contract", name, path)
		}
	}
}

// completeApplication creates an application in which every part of the details is filled.
func (g *harness) completeApplication() (id string) {
	payload := g.payload("Rivera")
	withField("applicant.name", "middleName", "Ann")(payload)
	withField("property", "ownershipType", "JOINT")(payload)
	withField("property.address", "state", "FL")(payload)
	payload["testVariantsRequest"] = object{"variants": []object{{"name": "variant-b"}}}
	payload["businessInfo"] = object{
		"entityName": "Rivera Joinery", "entityType": "S_CORP", "ownershipPercentage": 100, "totalMonthlyRevenue": 21000,
		"ein": "12-3456789", "stateOfIncorporation": "FL",
		"address": object{"street1": "9 Mill Lane", "city": "Tampa", "state": "FL", "zip": "33602"},
	}
	payload["partnerDataRequest"].(object)["utmParameters"] = object{"source": "crm", "medium": "web",
		"campaign": "spring", "term": "t", "content": "c"}
	id = g.start(payload)
	offer := g.appData(id)["underwriting"].(object)["offers"].([]any)[0].(object)["uuid"]
	status := g.operate("PUT", id, "select-offer", object{"offer": object{
		"offerUuid": offer, "selectedOfferAmount": 50000, "selectedDiscounts": []string{"AUTOPAY"},
		"selectedAccountsToPayoff": []string{g.eligibleAccount(id)},
	}})
	if status != 200 {
		g.t.Fatalf("select-offer: got %d, want 200", status)
	}
	for _, e := range []string{"complete", "condition", "fund"} {
		if status := g.playEvent(id, e); status != 200 {
			g.t.Fatalf("%s: got %d, want 200", e, status)
		}
	}
	return id
}

// TestDetails_MatchContract compares the details with section 2.3, written out by hand, and with
// the differences of the live service.
func TestDetails_MatchContract(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		id := g.completeApplication()
		_, answer := g.call("GET",
			"/products/heloc/v1/details/"+id+"?include=CONDITIONS&include=FUNDING_REPORT,BORROWER_DETAILS", nil)
		want := readContract(t, "details.txtar", "", dialect)
		checkContract(t, "details "+string(dialect), answer, want)
		rates := map[any]bool{}
		for _, o := range answer["data"].(object)["appData"].(object)["underwriting"].(object)["offers"].([]any) {
			rates[o.(object)["rateType"]] = true
		}
		floating := map[Dialect]string{Documented: "FLOATING", Live: "VARIABLE"}[dialect]
		if !rates["FIXED"] || !rates[floating] || len(rates) != 2 {
			t.Errorf("%s: rate types: got %v, want FIXED and %s", dialect, rates, floating)
		}
	}
}

// TestDetails_NewInquiry_HasEveryField: a new inquiry has the same fields, most of them null.
func TestDetails_NewInquiry_HasEveryField(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{Processing: 1 << 40})
	_, answer := g.call("GET", "/products/heloc/v1/details/"+g.start(g.payload("Rivera")), nil)
	got := map[string]map[string]bool{}
	flattenPaths(got, "", answer)
	for path := range readContract(t, "details.txtar", "", Documented) {
		onRequest := strings.Contains(path, "borrowerDetails") || strings.Contains(path, "appData.conditions") ||
			strings.Contains(path, "fundingTransaction")
		if strings.Contains(path, "[]") || onRequest || hasNullAncestor(got, path) {
			continue
		}
		if _, present := got[path]; !present {
			t.Errorf("%s is missing from a new inquiry", path)
		}
	}
}

// hasNullAncestor reports whether an ancestor of the path is null, so that the path cannot exist.
func hasNullAncestor(got map[string]map[string]bool, path string) bool {
	for i := strings.LastIndex(path, "."); i > 0; i = strings.LastIndex(path[:i], ".") {
		if got[path[:i]]["null"] {
			return true
		}
	}
	return false
}

// TestDetails_Include: conditions, funding and the borrower are included only on request, in any form.
func TestDetails_Include(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.completeApplication()
	for query, want := range map[string]string{
		"": "", "?include=CONDITIONS": "conditions", "?include=FUNDING_REPORT": "fundingTransactionReport",
		"?include=BORROWER_DETAILS,CONDITIONS":         "borrowerDetails conditions",
		"?include=CONDITIONS&include=BORROWER_DETAILS": "borrowerDetails conditions",
		"?include=FUNDING_REPORT,%20CONDITIONS&include=BORROWER_DETAILS&include=MORE": "borrowerDetails conditions " +
			"fundingTransactionReport",
	} {
		_, answer := g.call("GET", "/products/heloc/v1/details/"+id+query, nil)
		app := answer["data"].(object)["appData"].(object)
		var got []string
		for _, name := range []string{"borrowerDetails", "conditions", "fundingTransactionReport"} {
			if _, present := app[name]; present {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("include %q: got %v, want %s", query, got, want)
		}
		if text, _ := json.Marshal(answer); !strings.Contains(query, "BORROWER") && strings.Contains(string(text), "Elena") {
			t.Errorf("include %q: the response contains the borrower's name", query)
		}
	}
}

// TestResponses_MatchContract compares every other response with its section.
func TestResponses_MatchContract(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		id := g.start(g.payload("Rivera"))
		unit := g.start(g.payload("Rivera-Unit"))
		florida := g.payload("Rivera")
		withField("property.address", "state", "FL")(florida)
		inFlorida := g.start(florida)
		offer := g.appData(inFlorida)["underwriting"].(object)["offers"].([]any)[0].(object)["uuid"]
		inquiry := "/products/heloc/v1/inquiry/"
		estimate := prequalification()
		for _, row := range []struct {
			name, method, path string
			body               any
		}{
			{"start", "POST", inquiry + "start", g.encrypted(g.payload("Rivera"))},
			{"properties", "GET", inquiry + unit + "/properties", nil},
			{"payoff", "GET", inquiry + id + "/direct-debt-payoff-offers?accountId=" + g.eligibleAccount(id), nil},
			{"mutation", "PATCH", "/products/heloc/v1/lead/" + id + "/reassign", object{"newLoanOriginatorUuid": g.actor}},
			{"mutation", "PUT", inquiry + id + "/cancel", object{"request": g.request()}},
			{"documents", "GET", "/products/heloc/v1/document/" + id + "/list", nil},
			{"prequalify", "POST", "/products/heloc/pre-qualify/v2", g.encrypted(estimate)},
			{"prequalify", "POST", "/a/external/products/heloc/pre-qualify/v1", estimate},
			{"prequalify", "POST", "/products/heloc/pre-qualify/v1", estimate},
			{"originators", "GET", "/management/v1/loan-originator", nil},
			{"encrypt", "POST", "/encryption/v1/encrypt", object{"a": 1}},
			{"calculate", "POST", inquiry + inFlorida + "/calculate-offers", object{"amount": 40000}},
			{"costs", "GET", fmt.Sprintf("%s%s/borrower-costs?offerUuid=%v&selectedOfferAmount=50000",
				inquiry, inFlorida, offer), nil},
		} {
			want := 200
			if row.name == "calculate" && dialect == Live || row.name == "costs" && dialect == Documented {
				want = 404 // each dialect has one endpoint that the other lacks
			}
			status, answer := g.call(row.method, row.path, row.body)
			if status != want {
				t.Errorf("%s %s: got %d %v, want %d", dialect, row.name, status, answer, want)
			}
			if status == 200 {
				checkContract(t, string(dialect)+" "+row.name, answer, readContract(t, "answers.txtar", row.name, dialect))
			}
		}
		w := g.rawCall("PATCH", inquiry+id+"/attributions", object{"request": g.request(), "attributions": object{}}, nil)
		if empty := w.Body.Len() == 0; w.Code != 200 || empty != (dialect == Live) {
			t.Errorf("%s attributions: got %d and %d bytes, want an empty body in live only", dialect, w.Code, w.Body.Len())
		}
	}
}

// TestEndpoints_MatchContract: every row of the route table is in section 4, or is
// one of the two that only the live service has.
func TestEndpoints_MatchContract(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	listed, err := os.ReadFile("testdata/contract/endpoints.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(strings.ReplaceAll(string(listed), "\n", " "))
	var got []string
	for _, e := range g.s.endpoints() {
		got = append(got, strings.Fields(e.pattern)...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("endpoints:\n got %q\nwant %q", got, want)
	}
}
