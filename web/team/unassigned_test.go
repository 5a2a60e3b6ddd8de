package team_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestUnassigned_Reason_AsKnown reads why leads have no originator: the one who had it is no longer listed, moved to
// another company, or is unknown.
func TestUnassigned_Reason_AsKnown(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	listed := addLeadAt(h, 1, "olivia", heloc.StepLienMatching, 50*time.Hour)
	moved := addLeadAt(h, 2, "marcus", heloc.StepLienMatching, 50*time.Hour)
	unknown := addLeadAt(h, 3, "maya", heloc.StepLienMatching, 50*time.Hour)
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for id, broker := range map[heloc.AppID]string{moved: "elsewhere", unknown: ""} {
			l, err := tx.AnyLead(t.Context(), id)
			if err != nil {
				return err
			}
			if broker == "" {
				l.Originator = ""
				if err := tx.SaveLead(t.Context(), &l, time.Now(), true); err != nil {
					return err
				}
				continue
			}
			o, err := tx.Originator(t.Context(), l.Originator)
			if err != nil {
				return err
			}
			if err := tx.SaveOriginator(t.Context(), heloc.Originator{ID: o.UUID, Email: o.Email, FirstName: o.FirstName,
				LastName: o.LastName, NMLS: o.NMLS, Organization: o.Organization,
				Broker: &heloc.BrokerCompany{ID: broker, Name: "Elsewhere Lending"}}, time.Now()); err != nil {
				return err
			}
		}
		return tx.MarkRemoved(t.Context(), heloc.OriginatorID(h.People["olivia"].OriginatorUUID), time.Now())
	}))
	maya := h.SignInAs("maya")
	page := maya.Get("/team/unassigned")
	for app, want := range map[heloc.AppID]string{
		listed: "Olivia Bennett is no longer in the lender’s directory since",
		moved:  "Marcus Reyes moved to another company since", unknown: "No originator on record since",
	} {
		if got := textOf(page.Find("#lead-" + string(app) + " .c-own")); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if strings.Contains(page.Body, "Elsewhere") {
		t.Error("the page names the other company")
	}
	page.WantText("3 without an originator")
}
