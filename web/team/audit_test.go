package team_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestLeadAudit_NamesWhoLookedAtABorrower has a manager search for a borrower and read who did what, for a period and
// as a file. Somebody who acted while another company had the lead stays unnamed.
func TestLeadAudit_NamesWhoLookedAtABorrower(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	app := strings.TrimPrefix(lead, "/leads/")
	write := func(actor, company string, at time.Time) {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.Audit(t.Context(), store.AuditEntry{ActorID: h.People[actor].UserID, Company: company, Outcome: "opened",
				Action: store.ActionDownload, Object: "lead:" + app, At: store.Millis(at)})
		}))
	}
	write("piotr", h.People["piotr"].BrokerID, time.Now())
	olivia.Get(lead)

	olivia.Get("/leads.csv?view=all")

	maya := h.SignInAs("maya")
	found := maya.Post("/team/audit", url.Values{"q": {"river"}})
	found.WantText("Is this the borrower?", "Rivera", "Olivia Bennett")
	audit, _ := found.Find("ul a.hit").Attr("href")
	page := maya.Get(audit)
	page.WantText("Who looked at", "Olivia Bennett", "Opened a lead", "A user of another company",
		"Exported lists with this lead")
	if text := page.MainText(); strings.Contains(text, h.People["piotr"].Name) {
		t.Errorf("another company's user is named: %s", text)
	}
	again := maya.Get(audit)
	if !strings.Contains(textOf(again.Find("#actions tbody")), "Maya Lindqvist") {
		t.Errorf("the manager's own look is missing: %s", again.MainText())
	}
	if rows := again.Find(`#actions tbody tr:contains("Maya Lindqvist"):contains("Opened a lead")`); rows.Length() != 0 {
		t.Errorf("the audit counts as opening the lead: %s", textOf(rows))
	}
	before := time.Now().AddDate(0, 0, -2).Format("01/02/2006") // in every time zone before today
	maya.Get(audit + "?to=" + url.QueryEscape(before)).WantText("No actions in this period.")
	wrong := maya.Get(audit + "?from=13%2F45%2F2026")
	typed := wrong.Find(`input[name="from"]`).AttrOr("value", "")
	if wrong.Status != http.StatusUnprocessableEntity || typed != "13/45/2026" {
		t.Errorf("a wrong date: got %d, want 422 with what was typed", wrong.Status)
	}

	href, _ := page.Find(`a[href$="/audit.csv"]`).Attr("href")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(maya.Get(href).Body, "\ufeff"))).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("got %q, %v", rows, err)
	}
	first := strings.Join(rows[len(rows)-1], " ")
	if strings.Contains(first, "Rivera") || !strings.Contains(first, "Olivia") {
		t.Errorf("got %q, want the first action, by Olivia, without the borrower's name", first)
	}
}
