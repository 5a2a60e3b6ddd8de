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

// paths flattens decoded JSON into "path type" facts. A null fits every type, for
// every field of the interface may be null.
func paths(into map[string]map[string]bool, path string, v any) {
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
			paths(into, strings.TrimPrefix(path+"."+name, "."), inner)
		}
	case []any:
		add("array")
		for _, inner := range v {
			paths(into, path+"[]", inner)
		}
	case string:
		add(textKind(v))
	case float64:
		add("number")
	case bool:
		add("boolean")
	default:
		add("null")
	}
}

func textKind(s string) string {
	for kind, pattern := range map[string]string{
		"date":      `^\d{4}-\d{2}-\d{2}$`,
		"date-time": `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$`,
		"uuid":      `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
	} {
		if regexp.MustCompile(pattern).MatchString(s) {
			return kind
		}
	}
	return "string"
}

// contract reads the wanted paths of an answer in a dialect.
func contract(t *testing.T, file, name string, d Dialect) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/contract/" + file)
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{}
	section := func(dialect Dialect) {
		for _, f := range archive.Files {
			if strings.TrimSpace(f.Name) != strings.TrimSpace(name+" "+string(dialect)) {
				continue
			}
			for line := range strings.Lines(string(f.Data)) {
				line = strings.TrimSpace(line)
				path, kind, _ := strings.Cut(strings.TrimLeft(line, "+-"), " ")
				if strings.HasPrefix(line, "-") {
					delete(wanted, path)
				} else {
					wanted[path] = kind
				}
			}
		}
	}
	section(Documented)
	if d == Live {
		section(Live)
	}
	return wanted
}

// hold compares an answer with the contract, both ways.
func hold(t *testing.T, name string, answer any, wanted map[string]string) {
	t.Helper()
	got := map[string]map[string]bool{}
	paths(got, "", answer)
	for path, kind := range wanted {
		kind, optional := strings.CutSuffix(kind, " may be absent")
		kinds, there := got[path]
		if !there && !optional {
			t.Errorf("%s: %s is missing", name, path)
		}
		for k := range kinds {
			if k != kind && k != "null" {
				t.Errorf("%s: %s: got %s, want %s", name, path, k, kind)
			}
		}
	}
	for path := range got {
		if _, known := wanted[path]; !known {
			t.Errorf("%s: %s is not in the contract", name, path)
		}
	}
}

// everything makes an application with every part of the details filled.
func (g *rig) everything() (id string) {
	payload := g.payload("Rivera")
	set("applicant.name", "middleName", "Ann")(payload)
	set("property", "ownershipType", "JOINT")(payload)
	set("property.address", "state", "FL")(payload)
	payload["testVariantsRequest"] = obj{"variants": []obj{{"name": "variant-b"}}}
	payload["businessInfo"] = obj{
		"entityName": "Rivera Joinery", "entityType": "S_CORP", "ownershipPercentage": 100, "totalMonthlyRevenue": 21000,
		"ein": "12-3456789", "stateOfIncorporation": "FL",
		"address": obj{"street1": "9 Mill Lane", "city": "Tampa", "state": "FL", "zip": "33602"},
	}
	payload["partnerDataRequest"].(obj)["utmParameters"] = obj{"source": "crm", "medium": "web", "campaign": "spring", "term": "t", "content": "c"}
	id = g.start(payload)
	offer := g.app(id)["underwriting"].(obj)["offers"].([]any)[0].(obj)["uuid"]
	status := g.act("PUT", id, "select-offer", obj{"offer": obj{
		"offerUuid": offer, "selectedOfferAmount": 50000, "selectedDiscounts": []string{"AUTOPAY"},
		"selectedAccountsToPayoff": []string{g.account(id)},
	}})
	if status != 200 {
		g.t.Fatalf("select-offer: got %d, want 200", status)
	}
	for _, e := range []string{"complete", "condition", "fund"} {
		if status := g.event(id, e); status != 200 {
			g.t.Fatalf("%s: got %d, want 200", e, status)
		}
	}
	return id
}

// TestDetailsContract holds the details against section 2.3, written out by hand, and
// the differences of the field.
func TestDetailsContract(t *testing.T) {
	for _, dialect := range []Dialect{Documented, Live} {
		g := open(t, Config{Dialect: dialect})
		id := g.everything()
		_, answer := g.ask("GET", "/products/heloc/v1/details/"+id+"?include=CONDITIONS&include=FUNDING_REPORT,BORROWER_DETAILS", nil)
		wanted := contract(t, "details.txtar", "", dialect)
		hold(t, "details "+string(dialect), answer, wanted)
		rates := map[any]bool{}
		for _, o := range answer["data"].(obj)["appData"].(obj)["underwriting"].(obj)["offers"].([]any) {
			rates[o.(obj)["rateType"]] = true
		}
		floating := map[Dialect]string{Documented: "FLOATING", Live: "VARIABLE"}[dialect]
		if !rates["FIXED"] || !rates[floating] || len(rates) != 2 {
			t.Errorf("%s: rate types: got %v, want FIXED and %s", dialect, rates, floating)
		}
	}
}

// TestEveryFieldFromTheStart: a new inquiry has the same fields, most of them null.
func TestEveryFieldFromTheStart(t *testing.T) {
	g := open(t, Config{Processing: 1 << 40})
	_, answer := g.ask("GET", "/products/heloc/v1/details/"+g.start(g.payload("Rivera")), nil)
	got := map[string]map[string]bool{}
	paths(got, "", answer)
	for path := range contract(t, "details.txtar", "", Documented) {
		private := strings.Contains(path, "borrowerDetails") || strings.Contains(path, "appData.conditions") || strings.Contains(path, "fundingTransaction")
		if strings.Contains(path, "[]") || private || belowNull(got, path) {
			continue
		}
		if _, there := got[path]; !there {
			t.Errorf("%s is missing from a new inquiry", path)
		}
	}
}

// belowNull reports whether something above the path is null, so that nothing can be below.
func belowNull(got map[string]map[string]bool, path string) bool {
	for i := strings.LastIndex(path, "."); i > 0; i = strings.LastIndex(path[:i], ".") {
		if got[path[:i]]["null"] {
			return true
		}
	}
	return false
}

// TestIncludes: conditions, funding and the borrower only when asked for, in any form.
func TestIncludes(t *testing.T) {
	g := open(t, Config{})
	id := g.everything()
	for query, want := range map[string]string{
		"": "", "?include=CONDITIONS": "conditions", "?include=FUNDING_REPORT": "fundingTransactionReport",
		"?include=BORROWER_DETAILS,CONDITIONS":                                        "borrowerDetails conditions",
		"?include=CONDITIONS&include=BORROWER_DETAILS":                                "borrowerDetails conditions",
		"?include=FUNDING_REPORT,%20CONDITIONS&include=BORROWER_DETAILS&include=MORE": "borrowerDetails conditions fundingTransactionReport",
	} {
		_, answer := g.ask("GET", "/products/heloc/v1/details/"+id+query, nil)
		app := answer["data"].(obj)["appData"].(obj)
		var got []string
		for _, name := range []string{"borrowerDetails", "conditions", "fundingTransactionReport"} {
			if _, there := app[name]; there {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("include %q: got %v, want %s", query, got, want)
		}
		if text, _ := json.Marshal(answer); !strings.Contains(query, "BORROWER") && strings.Contains(string(text), "Elena") {
			t.Errorf("include %q: the borrower's name is in it", query)
		}
	}
}

// TestAnswerContracts holds every other answer against its section.
func TestAnswerContracts(t *testing.T) {
	for _, dialect := range []Dialect{Documented, Live} {
		g := open(t, Config{Dialect: dialect})
		id := g.start(g.payload("Rivera"))
		unit := g.start(g.payload("Rivera-Unit"))
		florida := g.payload("Rivera")
		set("property.address", "state", "FL")(florida)
		inFlorida := g.start(florida)
		offer := g.app(inFlorida)["underwriting"].(obj)["offers"].([]any)[0].(obj)["uuid"]
		inquiry := "/products/heloc/v1/inquiry/"
		estimate := prequalification()
		for _, row := range []struct {
			name, method, path string
			body               any
		}{
			{"start", "POST", inquiry + "start", g.sealed(g.payload("Rivera"))},
			{"properties", "GET", inquiry + unit + "/properties", nil},
			{"payoff", "GET", inquiry + id + "/direct-debt-payoff-offers?accountId=" + g.account(id), nil},
			{"mutation", "PATCH", "/products/heloc/v1/lead/" + id + "/reassign", obj{"newLoanOriginatorUuid": g.actor}},
			{"mutation", "PUT", inquiry + id + "/cancel", obj{"request": g.request()}},
			{"documents", "GET", "/products/heloc/v1/document/" + id + "/list", nil},
			{"prequalify", "POST", "/products/heloc/pre-qualify/v2", g.sealed(estimate)},
			{"prequalify", "POST", "/a/external/products/heloc/pre-qualify/v1", estimate},
			{"prequalify", "POST", "/products/heloc/pre-qualify/v1", estimate},
			{"originators", "GET", "/management/v1/loan-originator", nil},
			{"encrypt", "POST", "/encryption/v1/encrypt", obj{"a": 1}},
			{"calculate", "POST", inquiry + inFlorida + "/calculate-offers", obj{"amount": 40000}},
			{"costs", "GET", fmt.Sprintf("%s%s/borrower-costs?offerUuid=%v&selectedOfferAmount=50000", inquiry, inFlorida, offer), nil},
		} {
			want := 200
			if row.name == "calculate" && dialect == Live || row.name == "costs" && dialect == Documented {
				want = 404 // each dialect has one call that the other has not
			}
			status, answer := g.ask(row.method, row.path, row.body)
			if status != want {
				t.Errorf("%s %s: got %d %v, want %d", dialect, row.name, status, answer, want)
			}
			if status == 200 {
				hold(t, string(dialect)+" "+row.name, answer, contract(t, "answers.txtar", row.name, dialect))
			}
		}
		w := g.raw("PATCH", inquiry+id+"/attributions", obj{"request": g.request(), "attributions": obj{}}, nil)
		if empty := w.Body.Len() == 0; w.Code != 200 || empty != (dialect == Live) {
			t.Errorf("%s attributions: got %d and %d bytes, want an empty body in live only", dialect, w.Code, w.Body.Len())
		}
	}
}

// TestEndpointsStandInTheContract: every row of the route table is in section 4, or is
// one of the two that only the field has.
func TestEndpointsStandInTheContract(t *testing.T) {
	g := open(t, Config{})
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
