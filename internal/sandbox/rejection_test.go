package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// TestStart_Rejections lists what each dialect rejects in a start.
func TestStart_Rejections(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name             string
		change           func(object)
		documented, live int
	}{
		{"valid", func(object) {}, 200, 200},
		{"no originator", withoutField("request", "loanOriginatorUuid"), 400, 400},
		{"originator outside the organization",
			withField("request", "loanOriginatorUuid", "11111111-2222-4333-8444-555555555555"), 403, 403},
		{"originator is not a UUID", withField("request", "loanOriginatorUuid", "olivia"), 403, 403},
		{"no async", withoutField("request", "async"), 200, 400},
		{"no last name", withoutField("applicant.name", "lastName"), 400, 400},
		{"accent", withField("applicant.name", "lastName", "Núñez"), 200, 400},
		{"curly apostrophe", withField("applicant.name", "lastName", "O’Hara"), 200, 400},
		{"period in a prefix", withField("applicant.name", "prefix", "Mr."), 200, 400},
		{"empty middle name", withField("applicant.name", "middleName", ""), 200, 400},
		{"no birth date", withoutField("applicant", "dob"), 200, 400},
		{"birth date in words", withField("applicant", "dob", "9 March 1984"), 400, 400},
		{"no email", withoutField("applicant", "email"), 200, 400},
		{"phone with +1", withField("applicant", "phone", "+13035550142"), 200, 400},
		{"phone with parentheses", withField("applicant", "phone", "(303) 555-0142"), 200, 200},
		{"SSN of eight digits", withField("applicant", "ssn", "51244998"), 400, 400},
		{"SSN without dashes", withField("applicant", "ssn", "512449981"), 400, 200},
		{"no employment", withoutField("applicant.income", "employmentType"), 200, 400},
		{"income as text", withField("applicant.income", "grossAnnualIncome", "much"), 400, 400},
		{"unit with a hash", withField("property.address", "street2", "Apt #4"), 200, 400},
		{"empty street2", withField("property.address", "street2", ""), 200, 400},
		{"street with a period", withField("property.address", "street1", "418 St. Alder Way"), 200, 200},
		{"city with a period", withField("property.address", "city", "St. Louis"), 200, 400},
		{"state in lower case", withField("property.address", "state", "co"), 400, 400},
		{"unknown state", withField("property.address", "state", "ZZ"), 400, 400},
		{"unlicensed state", withField("property.address", "state", "VT"), 400, 400},
		{"ZIP of four digits", withField("property.address", "zip", "8040"), 200, 400},
		{"ZIP+4", withField("property.address", "zip", "80401-1234"), 200, 200},
		{"no property type", withoutField("property", "propertyType"), 200, 400},
		{"no isListedForSale", withoutField("property", "isListedForSale"), 200, 400},
		{"lien without a date", withField("property", "liens", []object{{"originalBalance": 1}}), 200, 400},
		{"liens are not a list", withField("property", "liens", "one"), 400, 400},
		{"lien without an original balance", withField("property", "liens", []object{{"originationDate": "2019-05-01"}}), 200,
			400},
		{"lien with a balance as text", withField("property", "liens",
			[]object{{"originationDate": "2019-05-01", "originalBalance": "1"}}), 400, 400},
		{"apartment with a comma", withField("property.address", "street2", "Apt 4, rear"), 200, 400},
		{"no gross income", withoutField("applicant.income", "grossAnnualIncome"), 200, 400},
		{"no ZIP in the home address", withoutField("applicant.homeAddress", "zip"), 200, 400},
		{"company address without a city", func(p object) {
			p["businessInfo"] = object{"entityName": "Rivera Joinery",
				"address": object{"street1": "9 Mill Lane", "state": "FL", "zip": "33602"}}
		}, 200, 400},
		{"company address with a hash", func(p object) {
			p["businessInfo"] = object{"entityName": "Rivera Joinery",
				"address": object{"street1": "9 Mill Lane #2", "city": "Tampa", "state": "FL", "zip": "33602"}}
		}, 200, 400},
		{"variant without a name", func(p object) { p["testVariantsRequest"] = object{"variants": []object{{}}} }, 200, 400},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := g.payload("Rivera")
			row.change(payload)
			want := row.documented
			if dialect == Live {
				want = row.live
			}
			status, answer := g.call("POST", "/products/heloc/v1/inquiry/start", g.encrypted(payload))
			if status != want {
				t.Errorf("%s, %s: got %d %v, want %d", dialect, row.name, status, answer, want)
			}
			if status != 200 && !hasErrorMessage(answer) {
				t.Errorf("%s, %s: got %v, want messages of level ERROR", dialect, row.name, answer)
			}
		}
	}
}

func hasErrorMessage(answer object) bool {
	list, _ := answer["messages"].([]any)
	for _, m := range list {
		one := m.(object)
		if text, _ := one["message"].(string); one["level"] != "ERROR" || text == "" {
			return false
		}
	}
	return len(list) > 0
}

// TestStart_UnlicensedState_Rejected checks the message that integrators know.
func TestStart_UnlicensedState_Rejected(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	payload := g.payload("Rivera")
	withField("property.address", "state", "HI")(payload)
	_, answer := g.call("POST", "/products/heloc/v1/inquiry/start", g.encrypted(payload))
	text, _ := json.Marshal(answer)
	if !strings.Contains(string(text), "No associated broker is licensed for the state HI.") {
		t.Errorf("got %s, want that no associated broker is licensed for the state", text)
	}
}

// TestRequestRules_EachDialect_RefusesWhatItsLenderRefuses compares every operation with
// interface-live.md section 2, and in the documented dialect with interface.md. Each row
// uses a new inquiry.
func TestRequestRules_EachDialect_RefusesWhatItsLenderRefuses(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		originator := object{"loanOriginatorUuid": g.actor}
		plain := func(body object) func(string) object { return func(string) object { return maps.Clone(body) } }
		lien := func(change object) func(string) object {
			return func(id string) object {
				one := object{"lienUuid": g.appData(id)["propertyLiens"].([]any)[0].(object)["lienUuid"],
					"lenderName": "Meridian Home Loans", "originalBalance": 310000, "originationDate": "2019-05-01"}
				maps.Copy(one, change)
				return object{"liens": []object{one}}
			}
		}
		offer := func(change object) func(string) object {
			return func(id string) object {
				one := object{
					"offerUuid":           g.appData(id)["underwriting"].(object)["offers"].([]any)[0].(object)["uuid"],
					"selectedOfferAmount": 50000, "selectedDiscounts": []string{}, "selectedAccountsToPayoff": []string{},
				}
				maps.Copy(one, change)
				return object{"offer": one}
			}
		}
		debts := func(rest object) func(string) object {
			return func(id string) object {
				body := object{"liabilityPayoff": object{"selectedAccountsToPayoff": []string{g.eligibleAccount(id)}}}
				maps.Copy(body, rest)
				return body
			}
		}
		unit := func(id string) object {
			_, found := g.call("GET", "/products/heloc/v1/inquiry/"+id+"/properties", nil)
			return object{"request": originator, "property": object{"propertyId": found["properties"].([]any)[0].(object)["id"]}}
		}
		income := object{"employmentType": "RETIRED", "grossAnnualIncome": 96000}
		rows := []struct {
			name, lastName, method, operation string
			body                              func(id string) object
			documented, live                  int
		}{
			{"cancel without async", "Rivera", "PUT", "cancel", plain(object{"request": originator}), 200, 400},
			{"cancel with async as text", "Rivera", "PUT", "cancel",
				plain(object{"request": object{"loanOriginatorUuid": g.actor, "async": "true"}}), 400, 400},
			{"cancel without an originator", "Rivera", "PUT", "cancel",
				plain(object{"request": object{"async": true}}), 400, 400},
			{"attributions without async", "Rivera", "PATCH", "attributions",
				plain(object{"request": originator, "attributions": object{}}), 200, 400},
			{"re-pull without async", "Rivera-Frozen", "POST", "repull-credit", plain(object{"request": originator}), 200, 400},
			{"re-pull without an originator", "Rivera-Frozen", "POST", "repull-credit",
				plain(object{"request": object{"async": true}}), 400, 400},
			{"SSN without async", "Rivera-Match", "PUT", "add-ssn", func(string) object {
				return g.encrypted(object{"request": originator, "applicant": object{"ssn": "512-44-9981"}})
			}, 200, 400},
			{"SSN of eight digits", "Rivera-Match", "PUT", "add-ssn", func(string) object {
				return g.encrypted(object{"request": g.request(), "applicant": object{"ssn": "512-44-998"}})
			}, 400, 400},
			{"estimate without async", "Rivera-Value", "PUT", "add-property-estimate",
				plain(object{"request": originator, "propertyEstimate": object{"borrowerEstimatedValue": 700000}}), 200, 400},
			{"estimate as text", "Rivera-Value", "PUT", "add-property-estimate",
				plain(object{"propertyEstimate": object{"borrowerEstimatedValue": "700000"}}), 400, 400},
			{"property without async", "Rivera-Unit", "PUT", "select-property", unit, 200, 400},

			{"complete offer", "Rivera", "PUT", "select-offer", offer(nil), 200, 200},
			{"no offer id", "Rivera", "PUT", "select-offer", offer(object{"offerUuid": nil}), 400, 400},
			{"no amount", "Rivera", "PUT", "select-offer", offer(object{"selectedOfferAmount": nil}), 400, 400},
			{"no list of accounts", "Rivera", "PUT", "select-offer", offer(object{"selectedAccountsToPayoff": nil}), 200, 400},
			{"no list of discounts", "Rivera", "PUT", "select-offer", offer(object{"selectedDiscounts": nil}), 200, 400},

			{"complete lien", "Rivera-Liens", "PUT", "verify-liens", lien(nil), 200, 200},
			{"lien without an id", "Rivera-Liens", "PUT", "verify-liens", lien(object{"lienUuid": nil}), 200, 400},
			{"lien without a lender", "Rivera-Liens", "PUT", "verify-liens", lien(object{"lenderName": nil}), 200, 400},
			{"lender with an ampersand", "Rivera-Liens", "PUT", "verify-liens", lien(object{"lenderName": "S&L"}), 200, 400},
			{"lien without a balance", "Rivera-Liens", "PUT", "verify-liens", lien(object{"originalBalance": nil}), 200, 400},
			{"lien without a date", "Rivera-Liens", "PUT", "verify-liens", lien(object{"originationDate": nil}), 200, 400},
			{"lien with a balance as text", "Rivera-Liens", "PUT", "verify-liens",
				lien(object{"originalBalance": "310000"}), 400, 400},

			{"debts without income", "Rivera-Payoff", "PUT", "asset-depletion", debts(nil), 200, 400},
			{"debts with an empty income", "Rivera-Payoff", "PUT", "asset-depletion",
				debts(object{"income": object{}}), 200, 400},
			{"debts with only employment", "Rivera-Payoff", "PUT", "asset-depletion",
				debts(object{"income": object{"employmentType": "RETIRED"}}), 200, 400},
			{"debts with income", "Rivera-Payoff", "PUT", "asset-depletion", debts(object{"income": income}), 200, 200},
			{"income without employment", "Rivera-Assets", "PUT", "asset-depletion",
				plain(object{"income": object{"grossAnnualIncome": 96000}}), 200, 400},
			{"income without gross pay", "Rivera-Assets", "PUT", "asset-depletion",
				plain(object{"income": object{"employmentType": "RETIRED", "savingsAmount": 1}}), 200, 400},
			{"employment is not a string", "Rivera-Assets", "PUT", "asset-depletion",
				plain(object{"income": object{"employmentType": 4, "grossAnnualIncome": 96000}}), 400, 400},
			{"income without async", "Rivera-Assets", "PUT", "asset-depletion",
				plain(object{"request": originator, "income": income}), 200, 400},
			{"complete income", "Rivera-Assets", "PUT", "asset-depletion", plain(object{"income": income}), 200, 200},
			{"add-income without gross pay", "Rivera-Assets", "PUT", "add-income",
				plain(object{"income": object{"employmentType": "RETIRED", "savingsAmount": 1}}), 200, 400},
			{"add-income without employment", "Rivera-Assets", "PUT", "add-income",
				plain(object{"income": object{"grossAnnualIncome": 96000}}), 200, 400},
			{"add-income without async", "Rivera-Assets", "PUT", "add-income",
				plain(object{"request": originator, "income": income}), 200, 400},
			{"complete add-income", "Rivera-Assets", "PUT", "add-income", plain(object{"income": income}), 200, 200},
		}
		for _, row := range rows {
			want := row.documented
			if dialect == Live {
				want = row.live
			}
			id := g.start(g.payload(row.lastName))
			if got := g.operate(row.method, id, row.operation, row.body(id)); got != want {
				t.Errorf("%s, %s: got %d, want %d", dialect, row.name, got, want)
			}
		}
	}
}

// TestMiddleware_Rejections: the gateway checks first and uses a different body with a request id.
func TestMiddleware_Rejections(t *testing.T) {
	t.Parallel()
	const path = "/management/v1/loan-originator"
	rows := []struct {
		dialect Dialect
		header  map[string]string
		path    string
		want    int
	}{
		{Documented, nil, path, 200},
		{Documented, map[string]string{"apikey": ""}, path, 401},
		{Documented, map[string]string{"apikey": "wrong"}, path, 401},
		{Documented, map[string]string{"User-Agent": ""}, path, 200},
		{Live, map[string]string{"User-Agent": ""}, path, 401},
		{Live, nil, "/products/heloc/v1/nothing", 404},
		{Documented, map[string]string{"User-Agent": ""}, "/products/heloc/v1/nothing", 404},
	}
	for _, row := range rows {
		g := newHarness(t, Config{Dialect: row.dialect})
		w := g.rawCall("GET", row.path, nil, row.header)
		if w.Code != row.want || w.Header().Get("X-Kong-Request-Id") == "" {
			t.Errorf("%s %v %s: got %d, request id %q, want %d and an id",
				row.dialect, row.header, row.path, w.Code, w.Header().Get("X-Kong-Request-Id"), row.want)
		}
		var body map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Errorf("body: %v", err)
		}
		if _, present := body["message"]; row.want != 200 && (!present || len(body) != 1) {
			t.Errorf("%v: got %v, want only message", row.header, body)
		}
	}
}

// TestOperations_Rejections lists what the contract rejects for an existing inquiry.
func TestOperations_Rejections(t *testing.T) {
	t.Parallel()
	const unknownID = "99999999-2222-4333-8444-555555555555"
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		outsider := object{"loanOriginatorUuid": unknownID, "async": true}
		offers := g.start(g.payload("Rivera"))
		offer := g.appData(offers)["underwriting"].(object)["offers"].([]any)[0].(object)["uuid"]
		ineligible := g.appData(
			offers)["ddpDetails"].(object)["existingLiabilities"].(object)["ineligible"].([]any)[0].(object)["id"]
		account := g.eligibleAccount(offers)
		matching := g.start(g.payload("Rivera-Match"))
		liens := g.start(g.payload("Rivera-Liens"))
		payoff := g.start(g.payload("Rivera-Payoff"))
		units := g.start(g.payload("Rivera-Unit"))
		vague := g.start(g.payload("Rivera-Vague"))
		pick := func(change object) object {
			body := object{"offer": object{"offerUuid": offer, "selectedOfferAmount": 50000, "selectedDiscounts": []string{},
				"selectedAccountsToPayoff": []string{}}}
			for k, v := range change {
				if k == "request" {
					body[k] = v
				} else {
					body["offer"].(object)[k] = v
				}
			}
			return body
		}
		rows := []struct {
			name, method, id, operation string
			body                        object
			want                        int
		}{
			{"unknown application", "PUT", unknownID, "cancel", object{}, 404},
			{"application is not a UUID", "PUT", "x", "cancel", object{}, 404},
			{"cancel by an outsider", "PUT", offers, "cancel", object{"request": outsider}, 403},
			{"select by an outsider", "PUT", offers, "select-offer", pick(object{"request": outsider}), 403},
			{"offer never supplied", "PUT", offers, "select-offer", pick(object{"offerUuid": unknownID}), 400},
			{"more than the offer", "PUT", offers, "select-offer", pick(object{"selectedOfferAmount": 900000}), 400},
			{"less than the offer", "PUT", offers, "select-offer", pick(object{"selectedOfferAmount": 100}), 400},
			{"no amount", "PUT", offers, "select-offer", pick(object{"selectedOfferAmount": nil}), 400},
			{"payoff without async", "PUT", offers, "select-offer",
				pick(object{"request": object{"loanOriginatorUuid": g.actor, "async": false},
					"selectedAccountsToPayoff": []string{account}}), 400},
			{"payoff of an ineligible account", "PUT", offers, "select-offer",
				pick(object{"selectedAccountsToPayoff": []any{ineligible}}), 400},
			{"operation for another step", "PUT", offers, "verify-liens", object{"liens": []object{}}, 409},
			{"selection without offers", "PUT", matching, "select-offer", pick(nil), 409},
			{"SSN not encrypted", "PUT", matching, "add-ssn", object{"applicant": object{"ssn": "512-44-9981"}}, 400},
			{"bad JWE", "PUT", matching, "add-ssn", object{"encrypted": "a.b.c.d.e"}, 400},
			{"three segments", "PUT", matching, "add-ssn", object{"encrypted": "a.b.c"}, 400},
			{"SSN of letters", "PUT", matching, "add-ssn",
				g.encrypted(object{"request": g.request(), "applicant": object{"ssn": "abc"}}), 400},
			{"SSN from an outsider", "PUT", matching, "add-ssn",
				g.encrypted(object{"request": outsider, "applicant": object{"ssn": "512-44-9981"}}), 403},
			{"no liens", "PUT", liens, "verify-liens", object{}, 400},
			{"lien is not an object", "PUT", liens, "verify-liens", object{"liens": []string{"one"}}, 400},
			{"no accounts at payoff", "PUT", payoff, "asset-depletion",
				object{"income": object{"employmentType": "RETIRED", "grossAnnualIncome": 1}}, 400},
			{"add-income at payoff", "PUT", payoff, "add-income",
				object{"income": object{"employmentType": "RETIRED", "grossAnnualIncome": 1}}, 409},
			{"property not matched", "PUT", units, "select-property",
				object{"property": object{"propertyId": "prop-none"}}, 400},
			{"no property", "PUT", units, "select-property", object{}, 400},
			{"property of a vague address", "PUT", vague, "select-property",
				object{"property": object{"propertyId": "prop-none"}}, 400},
			{"attributions as numbers", "PATCH", offers, "attributions",
				object{"attributions": object{"utmParameters": object{"source": 4}}}, 400},
			{"attributions by an outsider", "PATCH", offers, "attributions", object{"request": outsider}, 403},
		}
		for _, row := range rows {
			if got := g.operate(row.method, row.id, row.operation, row.body); got != row.want {
				t.Errorf("%s, %s: got %d, want %d", dialect, row.name, got, row.want)
			}
		}
		if status, _ := g.call("GET", "/products/heloc/v1/inquiry/"+vague+"/properties",
			nil); status != http.StatusUnprocessableEntity {
			t.Errorf("properties of a vague address: got %d, want 422", status)
		}
		for path, want := range map[string]int{
			"details/" + unknownID: 404, "document/" + unknownID + "/list": 404, "document/" + unknownID + "/download": 404,
			"document/" + offers + "/download/" + unknownID: 404, "inquiry/" + offers + "/direct-debt-payoff-offers": 400,
			"inquiry/" + offers + "/direct-debt-payoff-offers?accountId=none": 400,
		} {
			if status, _ := g.call("GET", "/products/heloc/v1/"+path, nil); status != want {
				t.Errorf("GET %s: got %d, want %d", path, status, want)
			}
		}
	}
}

// TestReassign: a lead can be reassigned only within the organization and the broker company.
func TestReassign(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera"))
	noBroker := ""
	for _, o := range g.s.Originators() {
		if o.Broker == nil {
			noBroker = o.Email
		}
	}
	for _, row := range []struct {
		to   string
		want int
	}{
		{originatorID(g.s, "piotr@lakeside.test"), 403}, {originatorID(g.s, noBroker), 403},
		{"11111111-2222-4333-8444-555555555555", 403}, {"", 400},
		{originatorID(g.s, "marcus@summit.test"), 200},
	} {
		status, _ := g.call("PATCH", "/products/heloc/v1/lead/"+id+"/reassign", object{"newLoanOriginatorUuid": row.to})
		if status != row.want {
			t.Errorf("reassign to %s: got %d, want %d", row.to, status, row.want)
		}
	}
	_, answer := g.call("GET", "/products/heloc/v1/details/"+id, nil)
	lead := answer["data"].(object)["loanOriginatorData"].(object)
	if got, want := lead["loanOriginatorUuid"], originatorID(g.s, "marcus@summit.test"); got != want {
		t.Errorf("originator after reassignment: got %v, want %v", got, want)
	}
}

// TestOperations_EndedInquiry_Rejected: an inquiry that has ended accepts no operation or event.
func TestOperations_EndedInquiry_Rejected(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera"))
	g.submitAnswer(id, "cancel")
	if got := g.submitAnswer(id, "cancel"); got != 409 {
		t.Errorf("second cancel: got %d, want 409", got)
	}
	if got := g.playEvent(id, "convert"); got != 409 {
		t.Errorf("convert after cancel: got %d, want 409", got)
	}
	if got := g.playEvent(id, "no-such-event"); got != 409 {
		t.Errorf("unknown event: got %d, want 409", got)
	}
}

// TestSelectOffer_UnknownDiscounts_Ignored checks the rule of interface.md section 4.4.
func TestSelectOffer_UnknownDiscounts_Ignored(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera"))
	offer := g.appData(id)["underwriting"].(object)["offers"].([]any)[0].(object)
	g.operate("PUT", id, "select-offer", object{"offer": object{
		"offerUuid": offer["uuid"], "selectedOfferAmount": 50000, "selectedDiscounts": []string{"VETERAN", "AUTOPAY"},
	}})
	selected := g.appData(id)["underwriting"].(object)["selectedOffer"].(object)
	discounts := selected["selectedDiscounts"].([]any)
	if len(discounts) != 1 || discounts[0].(object)["type"] != "AUTOPAY" {
		t.Errorf("discounts: got %v, want only AUTOPAY", discounts)
	}
	if got, want := selected["rate"].(float64), offer["rate"].(float64)-0.25; got != want {
		t.Errorf("rate: got %v, want %v", got, want)
	}
}
