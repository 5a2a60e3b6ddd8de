package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"testing"
)

// TestStart_WrongValues_Refused covers the types, formats and enumerations of a start: interface.md
// sections 2 (formats), 2.1, 2.2 and 2.5, and interface-live.md sections 2 and 4. Where the contract does
// not show the values of an enumeration, only the live dialect knows them.
func TestStart_WrongValues_Refused(t *testing.T) {
	t.Parallel()
	lien := func(date any) func(object) {
		return withField("property", "liens", []object{{"originationDate": date, "originalBalance": 310000}})
	}
	company := func(field string, value any) func(object) {
		return func(p object) {
			p["businessInfo"] = object{"entityName": "Rivera Joinery", "stateOfIncorporation": "FL", "ownershipPercentage": 51.5,
				"totalMonthlyRevenue": 21000}
			p["businessInfo"].(object)[field] = value
		}
	}
	rows := []struct {
		name             string
		change           func(object)
		documented, live int
	}{
		{"birth date that does not exist", withField("applicant", "dob", "1984-02-30"), 400, 400},
		{"birth date as a number", withField("applicant", "dob", 19840309), 400, 400},
		{"first name as a number", withField("applicant.name", "firstName", 4), 400, 400},
		{"email as a number", withField("applicant", "email", 4), 400, 400},
		{"SSN without dashes", withField("applicant", "ssn", "512449981"), 400, 200},
		{"SSN with dashes", withField("applicant", "ssn", "512-44-9981"), 200, 200},
		{"SSN as a number", withField("applicant", "ssn", 512449981), 400, 400},
		{"home address as text", withField("applicant", "homeAddress", "418 Alder Way"), 400, 400},
		{"unknown employment", withField("applicant.income", "employmentType", "LOTTERY"), 400, 400},
		{"employment of the live service", withField("applicant.income", "employmentType", "ALIMONY"), 400, 200},
		{"employment UNKNOWN", withField("applicant.income", "employmentType", "UNKNOWN"), 200, 200},
		{"income as a list", withField("applicant", "income", []int{1}), 400, 400},
		{"unknown property type", withField("property", "propertyType", "CONDO"), 400, 400},
		{"unknown ownership", withField("property", "ownershipType", "SHARED"), 400, 400},
		{"ownership as a number", withField("property", "ownershipType", 2), 400, 400},
		{"listed for sale as text", withField("property", "isListedForSale", "false"), 400, 400},
		{"estimate as text", withField("property", "borrowerEstimatedValue", "640000"), 400, 400},
		{"lien date in words", lien("May 2019"), 400, 400},
		{"lien date that does not exist", lien("2019-02-29"), 400, 400},
		{"lien date with a time", lien("2019-05-01T00:00:00Z"), 400, 400},
		{"partner data as text", func(p object) { p["partnerDataRequest"] = "hl-01J" }, 400, 400},
		{"reference as a number", withField("partnerDataRequest", "externalReferenceId", 7), 400, 400},
		{"variants as text", func(p object) { p["testVariantsRequest"] = object{"variants": "b"} }, 400, 400},
		{"company", company("entityType", "S_CORP"), 200, 200},
		{"unknown entity type", company("entityType", "CLUB"), 200, 400},
		{"ownership share as text", company("ownershipPercentage", "51.5"), 400, 400},
		{"ownership share over a hundred", company("ownershipPercentage", 101), 400, 400},
		{"revenue as text", company("totalMonthlyRevenue", "21000"), 400, 400},
		{"state of incorporation in words", company("stateOfIncorporation", "Florida"), 400, 400},
		{"unknown state of incorporation", company("stateOfIncorporation", "ZZ"), 400, 400},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := g.payload("Rivera")
			row.change(payload)
			status, answer := g.call("POST", "/products/heloc/v1/inquiry/start", g.encrypted(payload))
			if want := inDialect(dialect, row.documented, row.live); status != want {
				t.Errorf("%s, %s: got %d %v, want %d", dialect, row.name, status, answer, want)
			}
		}
	}
}

func inDialect[T any](d Dialect, documented, live T) T {
	if d == Live {
		return live
	}
	return documented
}

// TestOperations_WrongValues_Refused covers the types, formats and enumerations of the other operations:
// interface.md sections 4.2, 4.4, 4.6, 4.7, 4.10, 4.11, 4.13 to 4.16. Section 3 lets MORE_ASSETS_REQUIRED
// be resolved by income, with debts to pay off as an addition.
func TestOperations_WrongValues_Refused(t *testing.T) {
	t.Parallel()
	income := func(employment any) object {
		return object{"income": object{"employmentType": employment, "grossAnnualIncome": 96000}}
	}
	lien := func(change object) object {
		one := object{"lienUuid": "22222222-2222-4222-8222-222222222222", "lenderName": "Meridian Home Loans",
			"originalBalance": 310000, "originationDate": "2019-05-01"}
		maps.Copy(one, change)
		return object{"liens": []object{one}}
	}
	attributions := func(v any) object { return object{"attributions": v} }
	rows := []struct {
		name, lastName, method, operation string
		body                              object
		documented, live                  int
	}{
		{"attributions as text", "Rivera", "PATCH", "attributions", attributions("crm"), 400, 400},
		{"UTM as text", "Rivera", "PATCH", "attributions", attributions(object{"utmParameters": "crm"}), 400, 400},
		{"references as a list", "Rivera", "PATCH", "attributions",
			attributions(object{"externalReferenceData": []string{"R-7"}}), 400, 400},
		{"complete attributions", "Rivera", "PATCH", "attributions",
			attributions(object{"utmParameters": object{"source": nil, "term": "t"}}), 200, 200},
		{"request as text", "Rivera", "PUT", "cancel", object{"request": "me"}, 400, 400},
		{"debts instead of income", "Rivera-Assets", "PUT", "asset-depletion",
			object{"liabilityPayoff": object{"selectedAccountsToPayoff": []string{}}}, 400, 400},
		{"income as text", "Rivera-Assets", "PUT", "asset-depletion", object{"income": "much"}, 400, 400},
		{"unknown employment", "Rivera-Assets", "PUT", "asset-depletion", income("LOTTERY"), 400, 400},
		{"employment of the live service", "Rivera-Assets", "PUT", "add-income", income("CHILD_SUPPORT"), 400, 200},
		{"payoff as text", "Rivera-Assets", "PUT", "asset-depletion",
			object{"income": income("RETIRED")["income"], "liabilityPayoff": "all"}, 400, 400},
		{"savings as text", "Rivera-Assets", "PUT", "asset-depletion",
			object{"income": object{"employmentType": "RETIRED", "grossAnnualIncome": 1, "savingsAmount": "5"}}, 400, 400},
		{"lien date that does not exist", "Rivera-Liens", "PUT", "verify-liens",
			lien(object{"originationDate": "2019-13-01"}), 400, 400},
		{"lien id is not a UUID", "Rivera-Liens", "PUT", "verify-liens", lien(object{"lienUuid": "first"}), 400, 400},
		{"lender as a number", "Rivera-Liens", "PUT", "verify-liens", lien(object{"lenderName": 5}), 400, 400},
		{"liens as an object", "Rivera-Liens", "PUT", "verify-liens", object{"liens": object{}}, 400, 400},
		{"property id as a number", "Rivera-Unit", "PUT", "select-property",
			object{"property": object{"propertyId": 1}}, 400, 400},
		{"estimate of zero", "Rivera-Value", "PUT", "add-property-estimate",
			object{"propertyEstimate": object{"borrowerEstimatedValue": 0}}, 400, 400},
		{"negative payoff", "Rivera", "POST", "calculate-offers",
			object{"amount": 40000, "liabilityPayoffAmount": -1}, 400, 404},
		{"payoff above the amount", "Rivera", "POST", "calculate-offers",
			object{"amount": 40000, "liabilityPayoffAmount": 40001}, 400, 404},
		{"accounts that are not strings", "Rivera", "POST", "calculate-offers",
			object{"amount": 40000, "accountIds": []int{1}}, 400, 404},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, row := range rows {
			id := g.start(g.payload(row.lastName))
			before := g.step(id)
			got, want := g.operate(row.method, id, row.operation, maps.Clone(row.body)),
				inDialect(dialect, row.documented, row.live)
			if got != want {
				t.Errorf("%s, %s: got %d, want %d", dialect, row.name, got, want)
			}
			if after := g.step(id); got != 200 && after != before {
				t.Errorf("%s, %s: the refused operation moved the inquiry from %s to %s", dialect, row.name, before, after)
			}
		}
		withDashes, without := "512-44-9981", "512449981"
		for ssn, want := range map[string]int{withDashes: 200, without: inDialect(dialect, 400, 200),
			"512-449981": inDialect(dialect, 400, 200)} {
			id := g.start(g.payload("Rivera-Match"))
			if got := g.operate("PUT", id, "add-ssn",
				g.encrypted(object{"request": g.request(), "applicant": object{"ssn": ssn}})); got != want {
				t.Errorf("%s, SSN %d characters long: got %d, want %d", dialect, len(ssn), got, want)
			}
		}
	}
}

// TestPrequalify_WrongValues_Refused covers the table of interface.md section 4.20 and the enumerations of
// interface-live.md section 4. A FICO score has three digits and is from 300 to 850.
func TestPrequalify_WrongValues_Refused(t *testing.T) {
	t.Parallel()
	set := func(field string, value any) func(object) { return func(p object) { p[field] = value } }
	home := func(field string, value any) func(object) {
		return func(p object) { p["address"].(object)[field] = value }
	}
	rows := []struct {
		name             string
		change           func(object)
		documented, live int
	}{
		{"score of two digits", set("fico", 99), 400, 400},
		{"score of four digits", set("fico", 1000), 400, 400},
		{"score below the scale", set("fico", 299), 400, 400},
		{"lowest score", set("fico", 300), 200, 200},
		{"highest score", set("fico", 850), 200, 200},
		{"score above the scale", set("fico", 851), 400, 400},
		{"negative score", set("fico", -742), 400, 400},
		{"score between two numbers", set("fico", json.Number("742.5")), 400, 400},
		{"score as text", set("fico", "742"), 400, 400},
		{"request type as a number", set("requestType", 4), 400, 400},
		{"affiliate as a number", set("affiliateId", 4), 400, 400},
		{"name as a number", set("firstName", 4), 400, 400},
		{"suffix as a list", set("suffix", []string{"Jr"}), 400, 400},
		{"email as a number", set("email", 4), 400, 400},
		{"lead as a number", set("leadId", 4), 400, 400},
		{"campaign as a number", set("campaignName", 4), 400, 400},
		{"campaign source as a number", set("campaignSubSource", 4), 400, 400},
		{"query as an object", set("queryParams", object{}), 400, 400},
		{"address as text", set("address", "418 Alder Way"), 400, 400},
		{"street as a number", home("street1", 418), 400, 400},
		{"owner as a number", home("ownerLegalName", 4), 400, 400},
		{"state in words", home("state", "Colorado"), 200, 400},
		{"mailing address as a list", set("mailingAddress", []int{}), 400, 400},
		{"birth date that does not exist", set("dob", "1984-02-30"), 400, 400},
		{"SSN without dashes", set("ssn", "512449981"), 400, 200},
		{"SSN with dashes", set("ssn", "512-44-9981"), 200, 200},
		{"income as text", set("householdIncome", "128000"), 400, 400},
		{"consent as text", set("smsOptIn", "true"), 400, 400},
		{"rating as a number", set("selfCreditRating", 1), 400, 400},
		{"unknown rating", set("selfCreditRating", "SUPERB"), 200, 400},
		{"known rating", set("selfCreditRating", "EXCELLENT"), 200, 200},
		{"unknown employment status", set("employmentStatus", "ASLEEP"), 200, 400},
		{"known employment status", set("employmentStatus", "MILITARY"), 200, 200},
		{"unknown purpose", set("loanPurpose", "BOAT"), 200, 400},
		{"unknown address type", home("type", "BARN"), 200, 400},
		{"known address type", home("type", "HOME"), 200, 200},
		{"unknown ownership", home("ownership", "SHARED"), 200, 400},
		{"known ownership", home("ownership", "JOINT"), 200, 200},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := prequalification()
			row.change(payload)
			want := inDialect(dialect, row.documented, row.live)
			plain, answer := g.call("POST", "/a/external/products/heloc/pre-qualify/v1", payload)
			sealed, _ := g.call("POST", "/products/heloc/pre-qualify/v2", g.encrypted(payload))
			if plain != want || sealed != want {
				t.Errorf("%s, %s: got %d plain and %d encrypted, want %d: %v", dialect, row.name, plain, sealed, want, answer)
			}
		}
	}
}

// TestJSONBody_ContentTypeRequired: partner endpoints, including encryption, require Content-Type:
// application/json (interface.md sections 4.22 and 5). The key is checked first. Pre-qualification is no
// partner endpoint.
func TestJSONBody_ContentTypeRequired(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		id := g.start(g.payload("Rivera"))
		inquiry := "/products/heloc/v1/inquiry/" + id + "/"
		for _, row := range []struct {
			method, path string
			body         any
		}{
			{"POST", "/encryption/v1/encrypt", object{"a": 1}},
			{"POST", "/products/heloc/v1/inquiry/start", g.encrypted(g.payload("Rivera"))},
			{"PATCH", inquiry + "attributions", object{"request": g.request(), "attributions": object{}}},
			{"PATCH", "/products/heloc/v1/lead/" + id + "/reassign", object{"newLoanOriginatorUuid": g.actor}},
		} {
			for contentType, want := range map[string]int{
				"": 400, "text/plain": 400, "application/x-www-form-urlencoded": 400, "application/jsonlines": 400,
				"application/json;;": 400, "application/json": 200, "application/json; charset=utf-8": 200, "Application/JSON": 200,
			} {
				if w := g.rawCall(row.method, row.path, row.body, map[string]string{"Content-Type": contentType}); w.Code != want {
					t.Errorf("%s, %s with Content-Type %q: got %d, want %d", dialect, row.path, contentType, w.Code, want)
				}
			}
		}
		if w := g.rawCall("POST", "/encryption/v1/encrypt", object{"a": 1},
			map[string]string{"Content-Type": "", "apikey": "wrong"}); w.Code != http.StatusUnauthorized {
			t.Errorf("%s, encrypt without key and Content-Type: got %d, want 401", dialect, w.Code)
		}
		if w := g.rawCall("POST", "/products/heloc/pre-qualify/v2", g.encrypted(prequalification()),
			map[string]string{"Content-Type": ""}); w.Code != http.StatusOK {
			t.Errorf("%s, pre-qualification without Content-Type: got %d, want 200", dialect, w.Code)
		}
	}
}
