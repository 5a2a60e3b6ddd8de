package workspace

import (
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
)

// TestEventTitle_EveryKindHasWords: no row of the activity shows the stored name of its kind.
func TestEventTitle_EveryKindHasWords(t *testing.T) {
	t.Parallel()
	for _, kind := range []lead.EventKind{
		lead.EventStarted, lead.EventAdopted, lead.EventStep, lead.EventAskedAgain, lead.EventStatus,
		lead.EventConverted, lead.EventFunded, lead.EventDocuments, lead.EventCondition,
		lead.EventSent, lead.EventRejected, lead.EventUnknown, lead.EventSettled, lead.EventReassigned, lead.EventSetAside,
		lead.EventNoAnswer, lead.EventRevealed, lead.EventContact, lead.EventNote, lead.EventFollowUp, lead.EventFollowUpDone,
		lead.EventRepullPlanned, lead.EventRepullCanceled, lead.EventRepullSkipped,
	} {
		title, icon := eventTitle(lead.Event{Kind: kind, StepAfter: heloc.StepLienMatching},
			text.OperationOf(string(heloc.OpVerifyLiens)))
		if title == "" || icon == "" || title == text.Name(string(kind)) {
			t.Errorf("%s: got the title %q and the icon %q", kind, title, icon)
		}
	}
	got, _ := eventTitle(lead.Event{Kind: lead.EventUnknown}, text.OperationOf("add-ssn"))
	if got != "SSN: sent, not confirmed" {
		t.Errorf("unknown, for any reason: got %q", got)
	}
	if got, _ := eventTitle(lead.Event{Kind: lead.EventNudged}, text.Operation{}); got != "Follow-up requested" {
		t.Errorf("asked by a manager: got %q", got)
	}
	for detail, want := range map[string]string{"": "Reassigned", "unassigned": "Became unassigned",
		"returned": "Assigned to its originator again"} {
		if got, _ := eventTitle(lead.Event{Kind: lead.EventReassigned, Detail: detail}, text.Operation{}); got != want {
			t.Errorf("reassigned, %q: got %q, want %q", detail, got, want)
		}
	}
}

// TestPresentChanges_Abandoned_NotCheckedWithLender: a user can mark an operation without asking anybody.
func TestPresentChanges_Abandoned_NotCheckedWithLender(t *testing.T) {
	t.Parallel()
	e := lead.Event{Kind: lead.EventSettled, Operation: heloc.OpAddSSN, OpID: "hl-1", ActorID: "olivia", At: 9}
	l := desklead.Snapshot{
		Events: []lead.Event{e}, Operations: []lead.Operation{{ID: "hl-1", Kind: heloc.OpAddSSN, State: lead.OpAbandoned}},
	}
	got := presentChanges(text.Viewer{Zone: time.UTC}, l, 1)
	if len(got.Items) != 1 || got.Items[0].Label != "SSN: marked as not received" {
		t.Errorf("got %+v", got.Items)
	}
}
