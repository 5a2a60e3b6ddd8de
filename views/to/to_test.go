package to

import "testing"

func TestURLs_EscapeParameters(t *testing.T) {
	for got, want := range map[string]string{
		Full.Lead("a/b?c#d"):                               "/leads/a%2Fb%3Fc%23d",
		Full.Document("a", "../x"):                         "/leads/a/documents/..%2Fx",
		Full.NewLead("d&x=1"):                              "/leads/new?draft=d%26x%3D1",
		SignIn("/leads?q=a b"):                             "/login?next=%2Fleads%3Fq%3Da+b",
		Embed("crm/1", "l 2").Lead("a"):                    "/e/crm%2F1/l%202/leads/a",
		Full.Leads(LeadsQuery{Q: "Núñez & Co", State: ""}): "/leads?q=N%C3%BA%C3%B1ez+%26+Co",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestBase_Embedded(t *testing.T) {
	b := Embed("acme", "L1")
	for got, want := range map[string]string{
		b.Home(): "/e/acme/L1/", b.Leads(LeadsQuery{}): "/e/acme/L1/leads", b.Events(): "/e/acme/L1/events",
		b.LeadTab("a", Offers):   "/e/acme/L1/leads/a/offers",
		b.LeadTab("a", Overview): "/e/acme/L1/leads/a",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if !b.Embedded() || Full.Embedded() {
		t.Error("Embedded returned the wrong result")
	}
}

func TestLeadsQuery(t *testing.T) {
	q := LeadsQuery{View: "today", Q: "rivera", Step: "offers", State: "ID", Originator: "u1", Sort: "due", After: "k1"}
	if got, want := Full.Leads(q),
		"/leads?view=today&q=rivera&step=offers&state=ID&originator=u1&sort=due&after=k1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Full.Leads(q.InView("offers")),
		"/leads?view=offers&q=rivera&step=offers&state=ID&originator=u1&sort=due"; got != want {
		t.Errorf("another lane: got %s, want %s", got, want)
	}
	if got := q.AfterKey("").After; got != "" {
		t.Errorf("first page: got %q", got)
	}
	if !q.Filtered() || (LeadsQuery{View: "all", Sort: "due"}).Filtered() {
		t.Error("Filtered returned the wrong result")
	}
}
