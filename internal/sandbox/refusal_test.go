package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// TestStartRefusals: what a start must not get away with, and in which dialect.
func TestStartRefusals(t *testing.T) {
	rows := []struct {
		name             string
		change           func(obj)
		documented, live int
	}{
		{"as it should be", func(obj) {}, 200, 200},
		{"no originator", drop("request", "loanOriginatorUuid"), 400, 400},
		{"an originator of somebody else", set("request", "loanOriginatorUuid", "11111111-2222-4333-8444-555555555555"), 403, 403},
		{"an originator that is no UUID", set("request", "loanOriginatorUuid", "olivia"), 403, 403},
		{"async left out", drop("request", "async"), 200, 400},
		{"no last name", drop("applicant.name", "lastName"), 400, 400},
		{"an accent", set("applicant.name", "lastName", "Núñez"), 200, 400},
		{"a curly apostrophe", set("applicant.name", "lastName", "O’Hara"), 200, 400},
		{"a full stop in a prefix", set("applicant.name", "prefix", "Mr."), 200, 400},
		{"an empty middle name", set("applicant.name", "middleName", ""), 200, 400},
		{"no birth date", drop("applicant", "dob"), 200, 400},
		{"a birth date in words", set("applicant", "dob", "9 March 1984"), 400, 400},
		{"no e-mail", drop("applicant", "email"), 200, 400},
		{"a phone with +1", set("applicant", "phone", "+13035550142"), 200, 400},
		{"a phone in brackets", set("applicant", "phone", "(303) 555-0142"), 200, 200},
		{"an SSN of eight digits", set("applicant", "ssn", "51244998"), 400, 400},
		{"an SSN without dashes", set("applicant", "ssn", "512449981"), 200, 200},
		{"no employment", drop("applicant.income", "employmentType"), 200, 400},
		{"income as text", set("applicant.income", "grossAnnualIncome", "much"), 400, 400},
		{"a unit with a hash", set("property.address", "street2", "Apt #4"), 200, 400},
		{"an empty street2", set("property.address", "street2", ""), 200, 400},
		{"a street with a full stop", set("property.address", "street1", "418 St. Alder Way"), 200, 200},
		{"a city with a full stop", set("property.address", "city", "St. Louis"), 200, 400},
		{"a state in small letters", set("property.address", "state", "co"), 400, 400},
		{"no state of the union", set("property.address", "state", "ZZ"), 400, 400},
		{"a state without a licence", set("property.address", "state", "VT"), 400, 400},
		{"a ZIP of four digits", set("property.address", "zip", "8040"), 200, 400},
		{"a ZIP with four more", set("property.address", "zip", "80401-1234"), 200, 200},
		{"no property type", drop("property", "propertyType"), 200, 400},
		{"not said whether it is for sale", drop("property", "isListedForSale"), 200, 400},
		{"a lien without a date", set("property", "liens", []obj{{"originalBalance": 1}}), 200, 400},
		{"liens that are no list", set("property", "liens", "one"), 400, 400},
		{"a lien without its original balance", set("property", "liens", []obj{{"originationDate": "2019-05-01"}}), 200, 400},
		{"a lien with a balance as text", set("property", "liens", []obj{{"originationDate": "2019-05-01", "originalBalance": "1"}}), 400, 400},
		{"an apartment with a comma", set("property.address", "street2", "Apt 4, rear"), 200, 400},
		{"no gross income", drop("applicant.income", "grossAnnualIncome"), 200, 400},
		{"no ZIP at home", drop("applicant.homeAddress", "zip"), 200, 400},
		{"a company's address without a city", func(p obj) {
			p["businessInfo"] = obj{"entityName": "Rivera Joinery", "address": obj{"street1": "9 Mill Lane", "state": "FL", "zip": "33602"}}
		}, 200, 400},
		{"a company's address with a hash", func(p obj) {
			p["businessInfo"] = obj{"entityName": "Rivera Joinery", "address": obj{"street1": "9 Mill Lane #2", "city": "Tampa", "state": "FL", "zip": "33602"}}
		}, 200, 400},
		{"a variant without a name", func(p obj) { p["testVariantsRequest"] = obj{"variants": []obj{{}}} }, 200, 400},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := open(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := g.payload("Rivera")
			row.change(payload)
			want := row.documented
			if dialect == Live {
				want = row.live
			}
			status, answer := g.ask("POST", "/products/heloc/v1/inquiry/start", g.sealed(payload))
			if status != want {
				t.Errorf("%s, %s: got %d %v, want %d", dialect, row.name, status, answer, want)
			}
			if status != 200 && !saysError(answer) {
				t.Errorf("%s, %s: got %v, want messages of level ERROR", dialect, row.name, answer)
			}
		}
	}
}

func saysError(answer obj) bool {
	list, _ := answer["messages"].([]any)
	for _, m := range list {
		one := m.(obj)
		if text, _ := one["message"].(string); one["level"] != "ERROR" || text == "" {
			return false
		}
	}
	return len(list) > 0
}

// TestUnlicensedState says so in the words that integrators know.
func TestUnlicensedState(t *testing.T) {
	g := open(t, Config{})
	payload := g.payload("Rivera")
	set("property.address", "state", "HI")(payload)
	_, answer := g.ask("POST", "/products/heloc/v1/inquiry/start", g.sealed(payload))
	text, _ := json.Marshal(answer)
	if !strings.Contains(string(text), "No associated broker is licensed for the state HI.") {
		t.Errorf("got %s, want that no associated broker is licensed for the state", text)
	}
}

// TestRequestRules_EachDialect_RefusesWhatItsLenderRefuses holds every operation against
// interface-live.md section 2, and in the documented dialect against interface.md. Each
// row has an inquiry of its own.
func TestRequestRules_EachDialect_RefusesWhatItsLenderRefuses(t *testing.T) {
	for _, dialect := range []Dialect{Documented, Live} {
		g := open(t, Config{Dialect: dialect})
		originator := obj{"loanOriginatorUuid": g.actor}
		plain := func(body obj) func(string) obj { return func(string) obj { return maps.Clone(body) } }
		lien := func(change obj) func(string) obj {
			return func(id string) obj {
				one := obj{"lienUuid": g.app(id)["propertyLiens"].([]any)[0].(obj)["lienUuid"], "lenderName": "Meridian Home Loans", "originalBalance": 310000, "originationDate": "2019-05-01"}
				maps.Copy(one, change)
				return obj{"liens": []obj{one}}
			}
		}
		offer := func(change obj) func(string) obj {
			return func(id string) obj {
				one := obj{
					"offerUuid":           g.app(id)["underwriting"].(obj)["offers"].([]any)[0].(obj)["uuid"],
					"selectedOfferAmount": 50000, "selectedDiscounts": []string{}, "selectedAccountsToPayoff": []string{},
				}
				maps.Copy(one, change)
				return obj{"offer": one}
			}
		}
		debts := func(rest obj) func(string) obj {
			return func(id string) obj {
				body := obj{"liabilityPayoff": obj{"selectedAccountsToPayoff": []string{g.account(id)}}}
				maps.Copy(body, rest)
				return body
			}
		}
		unit := func(id string) obj {
			_, found := g.ask("GET", "/products/heloc/v1/inquiry/"+id+"/properties", nil)
			return obj{"request": originator, "property": obj{"propertyId": found["properties"].([]any)[0].(obj)["id"]}}
		}
		income := obj{"employmentType": "RETIRED", "grossAnnualIncome": 96000}
		rows := []struct {
			name, lastName, method, operation string
			body                              func(id string) obj
			documented, live                  int
		}{
			{"cancel without async", "Rivera", "PUT", "cancel", plain(obj{"request": originator}), 200, 400},
			{"cancel with async as text", "Rivera", "PUT", "cancel", plain(obj{"request": obj{"loanOriginatorUuid": g.actor, "async": "true"}}), 400, 400},
			{"cancel without an originator", "Rivera", "PUT", "cancel", plain(obj{"request": obj{"async": true}}), 400, 400},
			{"attributions without async", "Rivera", "PATCH", "attributions", plain(obj{"request": originator, "attributions": obj{}}), 200, 400},
			{"re-pull without async", "Rivera-Frozen", "POST", "repull-credit", plain(obj{"request": originator}), 200, 400},
			{"re-pull without an originator", "Rivera-Frozen", "POST", "repull-credit", plain(obj{"request": obj{"async": true}}), 400, 400},
			{"SSN without async", "Rivera-Match", "PUT", "add-ssn", func(string) obj {
				return g.sealed(obj{"request": originator, "applicant": obj{"ssn": "512-44-9981"}})
			}, 200, 400},
			{"SSN of eight digits", "Rivera-Match", "PUT", "add-ssn", func(string) obj {
				return g.sealed(obj{"request": g.request(), "applicant": obj{"ssn": "512-44-998"}})
			}, 400, 400},
			{"estimate without async", "Rivera-Value", "PUT", "add-property-estimate", plain(obj{"request": originator, "propertyEstimate": obj{"borrowerEstimatedValue": 700000}}), 200, 400},
			{"estimate as text", "Rivera-Value", "PUT", "add-property-estimate", plain(obj{"propertyEstimate": obj{"borrowerEstimatedValue": "700000"}}), 400, 400},
			{"property without async", "Rivera-Unit", "PUT", "select-property", unit, 200, 400},

			{"all of an offer", "Rivera", "PUT", "select-offer", offer(nil), 200, 200},
			{"no offer", "Rivera", "PUT", "select-offer", offer(obj{"offerUuid": nil}), 400, 400},
			{"no amount", "Rivera", "PUT", "select-offer", offer(obj{"selectedOfferAmount": nil}), 400, 400},
			{"no list of accounts", "Rivera", "PUT", "select-offer", offer(obj{"selectedAccountsToPayoff": nil}), 200, 400},
			{"no list of discounts", "Rivera", "PUT", "select-offer", offer(obj{"selectedDiscounts": nil}), 200, 400},

			{"all of a lien", "Rivera-Liens", "PUT", "verify-liens", lien(nil), 200, 200},
			{"a lien without an id", "Rivera-Liens", "PUT", "verify-liens", lien(obj{"lienUuid": nil}), 200, 400},
			{"a lien without its lender", "Rivera-Liens", "PUT", "verify-liens", lien(obj{"lenderName": nil}), 200, 400},
			{"a lender with an ampersand", "Rivera-Liens", "PUT", "verify-liens", lien(obj{"lenderName": "S&L"}), 200, 400},
			{"a lien without its balance", "Rivera-Liens", "PUT", "verify-liens", lien(obj{"originalBalance": nil}), 200, 400},
			{"a lien without its date", "Rivera-Liens", "PUT", "verify-liens", lien(obj{"originationDate": nil}), 200, 400},
			{"a lien of words for a balance", "Rivera-Liens", "PUT", "verify-liens", lien(obj{"originalBalance": "310000"}), 400, 400},

			{"debts without income", "Rivera-Payoff", "PUT", "asset-depletion", debts(nil), 200, 400},
			{"debts with an empty income", "Rivera-Payoff", "PUT", "asset-depletion", debts(obj{"income": obj{}}), 200, 400},
			{"debts with an employment alone", "Rivera-Payoff", "PUT", "asset-depletion", debts(obj{"income": obj{"employmentType": "RETIRED"}}), 200, 400},
			{"debts with income", "Rivera-Payoff", "PUT", "asset-depletion", debts(obj{"income": income}), 200, 200},
			{"income without an employment", "Rivera-Assets", "PUT", "asset-depletion", plain(obj{"income": obj{"grossAnnualIncome": 96000}}), 200, 400},
			{"income without gross pay", "Rivera-Assets", "PUT", "asset-depletion", plain(obj{"income": obj{"employmentType": "RETIRED", "savingsAmount": 1}}), 200, 400},
			{"an employment that is no text", "Rivera-Assets", "PUT", "asset-depletion", plain(obj{"income": obj{"employmentType": 4, "grossAnnualIncome": 96000}}), 400, 400},
			{"income without async", "Rivera-Assets", "PUT", "asset-depletion", plain(obj{"request": originator, "income": income}), 200, 400},
			{"all of the income", "Rivera-Assets", "PUT", "asset-depletion", plain(obj{"income": income}), 200, 200},
			{"add-income without gross pay", "Rivera-Assets", "PUT", "add-income", plain(obj{"income": obj{"employmentType": "RETIRED", "savingsAmount": 1}}), 200, 400},
			{"add-income without an employment", "Rivera-Assets", "PUT", "add-income", plain(obj{"income": obj{"grossAnnualIncome": 96000}}), 200, 400},
			{"add-income without async", "Rivera-Assets", "PUT", "add-income", plain(obj{"request": originator, "income": income}), 200, 400},
			{"all of add-income", "Rivera-Assets", "PUT", "add-income", plain(obj{"income": income}), 200, 200},
		}
		for _, row := range rows {
			want := row.documented
			if dialect == Live {
				want = row.live
			}
			id := g.start(g.payload(row.lastName))
			if got := g.act(row.method, id, row.operation, row.body(id)); got != want {
				t.Errorf("%s, %s: got %d, want %d", dialect, row.name, got, want)
			}
		}
	}
}

// TestGate: the gateway speaks first, with a body of its own and a request id.
func TestGate(t *testing.T) {
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
		g := open(t, Config{Dialect: row.dialect})
		w := g.raw("GET", row.path, nil, row.header)
		if w.Code != row.want || w.Header().Get("X-Kong-Request-Id") == "" {
			t.Errorf("%s %v %s: got %d, request id %q, want %d and one", row.dialect, row.header, row.path, w.Code, w.Header().Get("X-Kong-Request-Id"), row.want)
		}
		var body map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Errorf("body: %v", err)
		}
		if _, says := body["message"]; row.want != 200 && (!says || len(body) != 1) {
			t.Errorf("%v: got %v, want only message", row.header, body)
		}
	}
}

// TestOperationRefusals: everything that the contract refuses once an inquiry stands.
func TestOperationRefusals(t *testing.T) {
	const ghost = "99999999-2222-4333-8444-555555555555"
	for _, dialect := range []Dialect{Documented, Live} {
		g := open(t, Config{Dialect: dialect})
		stranger := obj{"loanOriginatorUuid": ghost, "async": true}
		offers := g.start(g.payload("Rivera"))
		offer := g.app(offers)["underwriting"].(obj)["offers"].([]any)[0].(obj)["uuid"]
		ineligible := g.app(offers)["ddpDetails"].(obj)["existingLiabilities"].(obj)["ineligible"].([]any)[0].(obj)["id"]
		account := g.account(offers)
		matching := g.start(g.payload("Rivera-Match"))
		liens := g.start(g.payload("Rivera-Liens"))
		payoff := g.start(g.payload("Rivera-Payoff"))
		units := g.start(g.payload("Rivera-Unit"))
		vague := g.start(g.payload("Rivera-Vague"))
		pick := func(change obj) obj {
			body := obj{"offer": obj{"offerUuid": offer, "selectedOfferAmount": 50000, "selectedDiscounts": []string{}, "selectedAccountsToPayoff": []string{}}}
			for k, v := range change {
				if k == "request" {
					body[k] = v
				} else {
					body["offer"].(obj)[k] = v
				}
			}
			return body
		}
		rows := []struct {
			name, method, id, operation string
			body                        obj
			want                        int
		}{
			{"an application that is not", "PUT", ghost, "cancel", obj{}, 404},
			{"an application that is no UUID", "PUT", "x", "cancel", obj{}, 404},
			{"cancel by a stranger", "PUT", offers, "cancel", obj{"request": stranger}, 403},
			{"select by a stranger", "PUT", offers, "select-offer", pick(obj{"request": stranger}), 403},
			{"an offer never supplied", "PUT", offers, "select-offer", pick(obj{"offerUuid": ghost}), 400},
			{"more than the offer", "PUT", offers, "select-offer", pick(obj{"selectedOfferAmount": 900000}), 400},
			{"less than the offer", "PUT", offers, "select-offer", pick(obj{"selectedOfferAmount": 100}), 400},
			{"no amount", "PUT", offers, "select-offer", pick(obj{"selectedOfferAmount": nil}), 400},
			{"payoff without async", "PUT", offers, "select-offer", pick(obj{"request": obj{"loanOriginatorUuid": g.actor, "async": false}, "selectedAccountsToPayoff": []string{account}}), 400},
			{"payoff of what cannot be paid", "PUT", offers, "select-offer", pick(obj{"selectedAccountsToPayoff": []any{ineligible}}), 400},
			{"an answer to another step", "PUT", offers, "verify-liens", obj{"liens": []obj{}}, 409},
			{"an offer where there is none", "PUT", matching, "select-offer", pick(nil), 409},
			{"a plain SSN", "PUT", matching, "add-ssn", obj{"applicant": obj{"ssn": "512449981"}}, 400},
			{"a bad JWE", "PUT", matching, "add-ssn", obj{"encrypted": "a.b.c.d.e"}, 400},
			{"three segments", "PUT", matching, "add-ssn", obj{"encrypted": "a.b.c"}, 400},
			{"an SSN of letters", "PUT", matching, "add-ssn", g.sealed(obj{"request": g.request(), "applicant": obj{"ssn": "abc"}}), 400},
			{"an SSN from a stranger", "PUT", matching, "add-ssn", g.sealed(obj{"request": stranger, "applicant": obj{"ssn": "512449981"}}), 403},
			{"no liens at all", "PUT", liens, "verify-liens", obj{}, 400},
			{"a lien that is no object", "PUT", liens, "verify-liens", obj{"liens": []string{"one"}}, 400},
			{"nothing paid off", "PUT", payoff, "asset-depletion", obj{"income": obj{"employmentType": "RETIRED", "grossAnnualIncome": 1}}, 400},
			{"income at payoff", "PUT", payoff, "add-income", obj{"income": obj{"employmentType": "RETIRED", "grossAnnualIncome": 1}}, 409},
			{"a property not matched", "PUT", units, "select-property", obj{"property": obj{"propertyId": "prop-none"}}, 400},
			{"no property", "PUT", units, "select-property", obj{}, 400},
			{"a property of a vague address", "PUT", vague, "select-property", obj{"property": obj{"propertyId": "prop-none"}}, 400},
			{"attributions as numbers", "PATCH", offers, "attributions", obj{"attributions": obj{"utmParameters": obj{"source": 4}}}, 400},
			{"attributions by a stranger", "PATCH", offers, "attributions", obj{"request": stranger}, 403},
		}
		for _, row := range rows {
			if got := g.act(row.method, row.id, row.operation, row.body); got != row.want {
				t.Errorf("%s, %s: got %d, want %d", dialect, row.name, got, row.want)
			}
		}
		if status, _ := g.ask("GET", "/products/heloc/v1/inquiry/"+vague+"/properties", nil); status != http.StatusUnprocessableEntity {
			t.Errorf("properties of a vague address: got %d, want 422", status)
		}
		for path, want := range map[string]int{
			"details/" + ghost: 404, "document/" + ghost + "/list": 404, "document/" + ghost + "/download": 404,
			"document/" + offers + "/download/" + ghost: 404, "inquiry/" + offers + "/direct-debt-payoff-offers": 400,
			"inquiry/" + offers + "/direct-debt-payoff-offers?accountId=none": 400,
		} {
			if status, _ := g.ask("GET", "/products/heloc/v1/"+path, nil); status != want {
				t.Errorf("GET %s: got %d, want %d", path, status, want)
			}
		}
	}
}

// TestReassign stays inside the organization and the broker company.
func TestReassign(t *testing.T) {
	g := open(t, Config{})
	id := g.start(g.payload("Rivera"))
	alone := ""
	for _, o := range g.s.Originators() {
		if o.Broker == nil {
			alone = o.Email
		}
	}
	for _, row := range []struct {
		to   string
		want int
	}{
		{idOf(g.s, "piotr@lakeside.test"), 403}, {idOf(g.s, alone), 403}, {"11111111-2222-4333-8444-555555555555", 403}, {"", 400},
		{idOf(g.s, "marcus@summit.test"), 200},
	} {
		status, _ := g.ask("PATCH", "/products/heloc/v1/lead/"+id+"/reassign", obj{"newLoanOriginatorUuid": row.to})
		if status != row.want {
			t.Errorf("reassign to %s: got %d, want %d", row.to, status, row.want)
		}
	}
	_, answer := g.ask("GET", "/products/heloc/v1/details/"+id, nil)
	lead := answer["data"].(obj)["loanOriginatorData"].(obj)
	if got, want := lead["loanOriginatorUuid"], idOf(g.s, "marcus@summit.test"); got != want {
		t.Errorf("originator after reassignment: got %v, want %v", got, want)
	}
}

// TestEndedIsEnded: nothing happens to an inquiry that is over.
func TestEndedIsEnded(t *testing.T) {
	g := open(t, Config{})
	id := g.start(g.payload("Rivera"))
	g.deed(id, "cancel")
	if got := g.deed(id, "cancel"); got != 409 {
		t.Errorf("cancel again: got %d, want 409", got)
	}
	if got := g.event(id, "convert"); got != 409 {
		t.Errorf("convert after cancel: got %d, want 409", got)
	}
	if got := g.event(id, "no-such-event"); got != 409 {
		t.Errorf("unknown event: got %d, want 409", got)
	}
}

// TestUnknownDiscountsAreIgnored (interface.md section 4.4).
func TestUnknownDiscountsAreIgnored(t *testing.T) {
	g := open(t, Config{})
	id := g.start(g.payload("Rivera"))
	offer := g.app(id)["underwriting"].(obj)["offers"].([]any)[0].(obj)
	g.act("PUT", id, "select-offer", obj{"offer": obj{
		"offerUuid": offer["uuid"], "selectedOfferAmount": 50000, "selectedDiscounts": []string{"VETERAN", "AUTOPAY"},
	}})
	selected := g.app(id)["underwriting"].(obj)["selectedOffer"].(obj)
	discounts := selected["selectedDiscounts"].([]any)
	if len(discounts) != 1 || discounts[0].(obj)["type"] != "AUTOPAY" {
		t.Errorf("discounts: got %v, want AUTOPAY alone", discounts)
	}
	if got, want := selected["rate"].(float64), offer["rate"].(float64)-0.25; got != want {
		t.Errorf("rate: got %v, want %v", got, want)
	}
}
