package team_test

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestActivity_FromAnotherCompany_NotNamed: a lead may have come from another company, whose people are not named.
func TestActivity_FromAnotherCompany_NotNamed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddEvent(t.Context(), lead.Event{
			App: app, Originator: heloc.OriginatorID(h.People["olivia"].OriginatorUUID), Kind: lead.EventReassigned,
			At:     h.LeadRow(app).CreatedAt + 1,
			Detail: "from " + h.People["piotr"].OriginatorUUID + " to " + h.People["olivia"].OriginatorUUID,
		})
	}))
	page := olivia.Get(path + "/activity")
	page.WantText("Reassigned to Olivia Bennett")
	page.WantNoText([]string{h.People["piotr"].Name, "Reassigned from"})
}
