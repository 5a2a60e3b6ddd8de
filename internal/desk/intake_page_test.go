package desk_test

import (
	"errors"
	"testing"

	"hearthline/internal/desk/intake"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

func TestIntakePage_NewDraftAndSent(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		in := g.intake(g.olivia)
		f := g.form(in, "Rivera")
		request := intake.PageRequest{Inquiry: func(lead.FormValues) heloc.Inquiry { return f.Inquiry }}
		empty, err := drafts.Page(t.Context(), request)
		if err != nil || empty.DraftID == "" || empty.OperationID == "" || !empty.MayStart || len(empty.Typed) != 0 ||
			empty.Record != nil || len(empty.Senders) == 0 {
			t.Errorf("a new inquiry: got %+v, %v", empty, err)
		}
		at, err := drafts.Save(t.Context(), f.DraftID, lead.FormValues{"property.address.state": {"CO"}})
		g.must(err)
		request.DraftID = f.DraftID
		saved, err := drafts.Page(t.Context(), request)
		if err != nil || saved.DraftID != f.DraftID || saved.Stored.SavedAt.UnixMilli() != at.UnixMilli() ||
			saved.License == nil || saved.License.State != "CO" || saved.Restart != nil || len(saved.Stored.Transfers) > 0 {
			t.Errorf("a saved draft: got %+v, %v", saved, err)
		}
		request.Typed, request.OperationID = lead.FormValues{"property.address.state": {"UT"}}, f.OperationID
		again, err := drafts.Page(t.Context(), request)
		if err != nil || again.License.State != "UT" || again.OperationID != f.OperationID ||
			again.Stored.Typed.Value("property.address.state") != "CO" {
			t.Errorf("a submitted form: got %+v, %v", again, err)
		}
		result, err := in.Submit(t.Context(), f)
		if err != nil || result.Operation.State != lead.OpSucceeded || result.Cancellation.ID != "" ||
			result.NotCanceled != "" {
			t.Fatalf("got %+v, %v", result, err)
		}
		request.Typed = nil
		if _, err := drafts.Page(t.Context(), request); !errors.As(err, new(*intake.DraftSentError)) {
			t.Errorf("a draft that was sent: got %v", err)
		}
		duplicate := g.form(in, "Rivera")
		result, err = in.Submit(t.Context(), duplicate)
		if wantField(t, err, "confirm.duplicate"); len(result.Duplicates) != 1 || result.Operation.App != "" {
			t.Errorf("a duplicate: got %+v", result)
		}
	})
}

func TestSubmit_Correction_CancelsReplaced(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		old := g.start(g.olivia, "Rivera")
		in, replaced := g.intake(g.olivia), g.openLead(g.olivia, old)
		draft, err := replaced.Clone(t.Context())
		g.must(err)
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		p, err := drafts.Page(t.Context(), intake.PageRequest{DraftID: draft})
		if err != nil || p.Restart == nil || p.Restart.Lead.App() != old || !p.Restart.CanCancel {
			t.Fatalf("got %+v, %v, want the inquiry that the draft corrects", p.Restart, err)
		}
		f := g.form(in, "Rivera")
		f.DraftID, f.CancelsReplaced, f.CancelOperationID = draft, true, replaced.NewOperationID(heloc.OpCancel)
		result, err := in.Submit(t.Context(), f)
		if err != nil || result.Operation.App == old || result.Cancellation.State != lead.OpSucceeded ||
			result.Cancellation.App != old || result.NotCanceled != "" {
			t.Errorf("got %+v, %v", result, err)
		}
	})
}
