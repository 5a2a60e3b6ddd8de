package web_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestDirectoryMovesAbsentUser_DeputyIsEmailed: when the lender's directory, and not a manager, ends a cover, the
// deputy gets the same email. It names the colleague and the days only.
func TestDirectoryMovesAbsentUser_DeputyIsEmailed(t *testing.T) {
	t.Parallel()
	d := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: d.Middleware, NoSync: true})
	maya, olivia, marcus, now := h.People["maya"], h.People["olivia"], h.People["marcus"], time.Now()
	of := lead.Absence{
		ID: "absence", Company: store.UserScopeOf(maya.Actor).Company, UserID: olivia.UserID,
		Originator: heloc.OriginatorID(olivia.OriginatorUUID), DeputyID: marcus.UserID,
		FirstDay: heloc.DateOf(now.AddDate(0, 0, -1)), LastDay: heloc.DateOf(now.AddDate(0, 0, 4)),
		StartsAt: store.Millis(now.AddDate(0, 0, -1)), EndsAt: store.Millis(now.AddDate(0, 0, 5)),
		CoverEndsAt: store.Millis(now.AddDate(0, 0, 5)), CreatedBy: maya.UserID,
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.AddAbsence(t.Context(), of) }))
	moveUser(d, h, "olivia", "piotr")
	all, err := h.AccountService.Outbox(t.Context())
	h.Must(err)
	if len(all) != 1 || all[0].To != marcus.Email || all[0].Subject != "You no longer cover for "+olivia.Name {
		t.Fatalf("got the emails %+v, want one to the deputy", all)
	}
	if text := all[0].Text; !strings.Contains(text, olivia.Name) || !strings.Contains(text, of.Days()) ||
		strings.Contains(text, olivia.Email) || strings.Contains(text, "Lakeside") || strings.Contains(text, "changed by") {
		t.Errorf("the email says %q, want the colleague and the days only", text)
	}
}
