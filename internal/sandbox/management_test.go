package sandbox

import "testing"

// TestDirectory: 120 originators with stable ids, filters and pages.
func TestDirectory(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	if got, want := originatorID(g.s, "olivia@summit.test"), "18947e86-562a-5618-a596-768f2db46679"; got != want {
		t.Errorf("Olivia's id: got %s, want %s, which must never change", got, want)
	}
	for query, want := range map[string][2]float64{
		"": {120, 100}, "?offset=100": {120, 20}, "?offset=500": {120, 0}, "?limit=7&offset=3": {120, 7},
		"?email=olivia@summit.test": {1, 1}, "?email=olivia@summit.test,piotr@lakeside.test": {2, 2},
		"?email=olivia@summit.test&email=maya@summit.test": {2, 2}, "?email=nobody@summit.test": {0, 0}, "?limit=0": {120, 0},
	} {
		status, answer := g.call("GET", "/management/v1/loan-originator"+query, nil)
		if got := [2]float64{answer["total"].(float64), answer["count"].(float64)}; status != 200 || got != want {
			t.Errorf("%q: got %d %v, want 200 %v", query, status, got, want)
		}
	}
	for _, query := range []string{"?limit=many", "?offset=-1"} {
		if status, _ := g.call("GET", "/management/v1/loan-originator"+query, nil); status != 400 {
			t.Errorf("%q: got %d, want 400", query, status)
		}
	}
	emails, noBroker := map[string]bool{}, 0
	for _, o := range g.s.Originators() {
		emails[o.Email] = true
		if o.Broker == nil {
			noBroker++
		}
	}
	if len(emails) != 120 || noBroker == 0 || noBroker > 12 {
		t.Errorf("directory: got %d emails and %d without a broker company", len(emails), noBroker)
	}
}

// TestAttributions: an absent field is unchanged, null unsets it, a value sets it.
func TestAttributions(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		id := g.start(g.payload("Rivera"))
		for _, patch := range []object{
			{"utmParameters": object{"source": "crm", "medium": "mail"}},
			{"utmParameters": object{"source": nil}, "externalReferenceData": object{"externalReferenceId": "R-8",
				"externalCustomerId": "C-10"}},
		} {
			if got := g.operate("PATCH", id, "attributions", object{"attributions": patch}); got != 200 {
				t.Fatalf("attributions: got %d, want 200", got)
			}
		}
		app := g.appData(id)
		utm, ids := app["utmParameters"].(object), app["thirdPartyIntegrations"].(object)
		if utm["source"] != nil || utm["medium"] != "mail" || ids["externalPartnerReferenceId"] != "R-8" ||
			ids["externalPartnerApplicationId"] != "hl-01J" {
			t.Errorf("%s: got %v and %v", dialect, utm, ids)
		}
		if want := map[Dialect]string{Documented: "C-9", Live: "C-10"}[dialect]; ids["externalPartnerCustomerId"] != want {
			t.Errorf("%s: customer id: got %v, want %s", dialect, ids["externalPartnerCustomerId"], want)
		}
	}
}
