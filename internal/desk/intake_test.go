package desk_test

import (
	"strings"
	"sync"
	"testing"

	"hearthline/internal/desk/intake"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
)

func TestStart_Duplicate_NeedsConfirmation(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		first := g.start(g.olivia, "Rivera")
		for _, who := range []struct {
			name  string
			in    *intake.Intake
			other bool
		}{{"her own", g.intake(g.olivia), false}, {"a colleague's", g.intake(g.marcus), true},
			{"the manager's", g.intake(g.maya), false}} {
			f := g.form(who.in, "Rivera")
			found, err := who.in.Duplicates(t.Context(), f.Inquiry)
			g.must(err)
			if len(found) != 1 || found[0].Colleague != who.other || !who.other && found[0].Lead.App != first ||
				who.other && found[0].Lead != nil {
				t.Errorf("%s: got %+v", who.name, found)
			}
			g.transport.setHanging(false)
			_, err = who.in.Start(t.Context(), f)
			wantField(t, err, "confirm.duplicate")
			if g.transport.count("/start") != 0 {
				t.Errorf("%s: it was sent anyway", who.name)
			}
		}
		in := g.intake(g.piotr)
		if found, err := in.Duplicates(t.Context(), g.form(in, "Rivera").Inquiry); err != nil || len(found) != 0 {
			t.Errorf("another company: got %+v, %v, want none", found, err)
		}
		f := g.form(g.intake(g.olivia), "Rivera")
		_, err := g.intake(g.olivia).Start(t.Context(), f)
		wantField(t, err, "confirm.duplicate")
		f.ConfirmDuplicate = true // the same form, with the checkbox selected
		if op, err := g.intake(g.olivia).Start(t.Context(), f); err != nil || op.App == "" || op.App == first {
			t.Errorf("confirmed: got %q, %v, want another lead", op.App, err)
		}
	})
}

func TestDuplicates_UnknownStart_Included(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		in := g.intake(g.olivia)
		op, err := in.Start(t.Context(), g.form(in, "Rivera-Lost"))
		g.must(err)
		if op.State != lead.OpUnknown {
			t.Fatalf("got %s", op.State)
		}
		found, err := in.Duplicates(t.Context(), g.form(in, "Rivera-Lost").Inquiry)
		g.must(err)
		if len(found) != 1 || found[0].Pending == nil || found[0].Pending.ID != op.ID {
			t.Errorf("got %+v, want the unknown start", found)
		}
		// For a colleague's inquiry, only its existence is returned.
		found, err = g.intake(g.marcus).Duplicates(t.Context(), g.form(in, "Rivera-Lost").Inquiry)
		g.must(err)
		if len(found) != 1 || found[0].Pending != nil || !found[0].Colleague {
			t.Errorf("a colleague: got %+v", found)
		}
		list, err := g.service.For(g.olivia).ListPage(t.Context(), pipeline.ListRequest{})
		if err != nil || len(list.Unsettled) != 1 {
			t.Errorf("got %d unsettled starts, %v, want 1", len(list.Unsettled), err)
		}
		// Its draft cannot be deleted, and its receipt names the borrower.
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		wantKind(t, drafts.Delete(t.Context(), op.DraftID), fault.Conflict)
		r, err := g.service.For(g.olivia).Receipt(t.Context(), op.ID)
		g.must(err)
		if name, err := r.Borrower(t.Context()); err != nil || name.Last != "Rivera-Lost" {
			t.Errorf("the receipt names %q, %v", name.Last, err)
		}
		wantField(t, r.Abandon(t.Context(), " "), "reason")
		wantField(t, r.Abandon(t.Context(), strings.Repeat("x", 500)), "reason")
		other, err := g.service.For(g.marcus).Receipt(t.Context(), op.ID)
		if wantKind(t, err, fault.NotFound); other != nil {
			t.Error("a colleague can open the receipt")
		}
		g.must(r.Abandon(t.Context(), "they never got it"))
		g.must(drafts.Delete(t.Context(), op.DraftID))
	})
}

// TestStart_EarlierStartGivenUp_NeedsConfirmation gives up a start that may have arrived, and
// sends the same borrower again.
func TestStart_EarlierStartGivenUp_NeedsConfirmation(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		in := g.intake(g.olivia)
		op, err := in.Start(t.Context(), g.form(in, "Rivera-Lost"))
		g.must(err)
		r, err := g.service.For(g.olivia).Receipt(t.Context(), op.ID)
		g.must(err)
		g.must(r.Abandon(t.Context(), "they do not find it"))
		found, err := in.Duplicates(t.Context(), g.form(in, "Rivera-Lost").Inquiry)
		g.must(err)
		if len(found) != 1 || found[0].Pending == nil || found[0].Pending.State != lead.OpAbandoned {
			t.Errorf("got %+v, want the start that was given up", found)
		}
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		if d, err := drafts.Find(t.Context(), op.DraftID); err != nil || d.LastStart == nil || d.LastStart.ID != op.ID {
			t.Errorf("the draft was sent as %+v, %v", d.LastStart, err)
		}
		g.transport.setHanging(false)
		f := g.form(in, "Rivera-Lost")
		sent := g.transport.count("/start")
		_, err = in.Start(t.Context(), f)
		wantField(t, err, "confirm.duplicate")
		if g.transport.count("/start") != sent {
			t.Error("it was sent a second time without a confirmation")
		}
		f.ConfirmDuplicate = true
		if _, err := in.Start(t.Context(), f); err != nil {
			t.Errorf("confirmed: %v", err)
		}
	})
}

func TestStart_Concurrent_SentOnce(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		in := g.intake(g.olivia)
		g.transport.setHanging(false)
		for _, same := range []bool{true, false} {
			first := g.form(in, map[bool]string{true: "Rivera", false: "Okafor"}[same])
			var all sync.WaitGroup
			results := make(chan error, 5)
			apps := make(chan heloc.AppID, 5)
			for range 5 {
				f := first
				if !same {
					f.OperationID, f.DraftID = in.NewOperationID(), g.form(in, "x").DraftID
				}
				all.Go(func() {
					op, err := in.Start(t.Context(), f)
					results <- err
					apps <- op.App
				})
			}
			all.Wait()
			close(results)
			went := 0
			for err := range results {
				if err == nil {
					went++
				} else {
					wantField(t, err, "confirm.duplicate")
				}
			}
			if want := map[bool]int{true: 5, false: 1}[same]; went != want {
				t.Errorf("same form %v: got %d of five accepted, want %d", same, went, want)
			}
		}
		if n := g.transport.count("/start"); n != 2 {
			t.Errorf("got %d calls to the lender, want one per borrower", n)
		}
	})
}

func TestDraft_OtherUser_NotFound(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		mine, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		id := mine.New()
		_, err = mine.Save(t.Context(), id, lead.FormValues{
			"applicant.name.lastName": {"Rivera"}, "applicant.name.firstName": {"Elena 078-05-1120"},
			"applicant.ssn": {"078-05-1120"}, "consent.method": {"link"},
		})
		g.must(err)
		d, err := mine.Find(t.Context(), id)
		if err != nil || d.Typed.Value("applicant.name.lastName") != "Rivera" || len(d.Typed) != 2 ||
			strings.Contains(d.Typed.Value("applicant.name.firstName"), "1120") {
			t.Errorf("got %+v, %v, want the name without SSN and consent", d.Typed, err)
		}
		if all, err := mine.List(t.Context()); err != nil || len(all) != 1 {
			t.Errorf("got drafts %v, %v, want 1", all, err)
		}
		theirs, err := g.service.For(g.marcus).Drafts()
		g.must(err)
		_, err = theirs.Find(t.Context(), id)
		wantKind(t, err, fault.NotFound)
		_, err = theirs.Save(t.Context(), id, lead.FormValues{"applicant.name.lastName": {"Overwritten"}})
		wantKind(t, err, fault.NotFound)
		// Nor can an inquiry be started from it: the lead would have the other user's borrower.
		in := g.intake(g.marcus)
		f := g.form(in, "Okafor")
		f.DraftID = id
		g.transport.setHanging(false)
		_, err = in.Start(t.Context(), f)
		wantKind(t, err, fault.NotFound)
		f.DraftID = "../x"
		_, err = in.Start(t.Context(), f)
		wantKind(t, err, fault.NotFound)
		if g.transport.count("/start") != 0 {
			t.Error("it was sent anyway")
		}
		if d, err := mine.Find(t.Context(), id); err != nil || d.Typed.Value("applicant.name.lastName") != "Rivera" {
			t.Errorf("got %+v, %v, want what its owner typed", d.Typed, err)
		}
	})
}

func TestStart_OutdatedConsent_Invalid(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		in := g.intake(g.olivia)
		for name, spoil := range map[string]func(*lead.ConsentForm){
			"consent.attested": func(c *lead.ConsentForm) { c.Attested = false },
			"consent.method":   func(c *lead.ConsentForm) { c.Method = "telepathy" },
		} {
			f := g.form(in, "Rivera")
			spoil(&f.Consent)
			_, err := in.Start(t.Context(), f)
			wantField(t, err, name)
		}
		f := g.form(in, "Rivera")
		f.Consent.Version = "2019-01"
		_, err := in.Start(t.Context(), f)
		wantField(t, err, "consent.attested")
		app := g.start(g.olivia, "Rivera")
		consents, err := g.store.Consents(t.Context(), app)
		if err != nil || len(consents) != 1 || consents[0].Method != "in-person" || consents[0].TextVersion != "2026-11" {
			t.Errorf("got consents %+v, %v", consents, err)
		}
	})
}

// After a complete life cycle of a lead, the disk and the log contain nothing of the SSN and no plaintext borrower
// data.
func TestLead_DiskAndLog_HaveNoPII(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Quetzalcoatl-Match")
		l := g.openLead(g.olivia, app)
		if l.Row().Step == heloc.StepCreditMatch {
			_, err := l.AddSSN(t.Context(), l.NewOperationID(heloc.OpAddSSN), pii.Wrap("219-09-9999"))
			g.must(err)
		}
		lost := g.intake(g.olivia)
		_, err := lost.Start(t.Context(), g.form(lost, "Quetzalcoatl-Lost"))
		g.must(err)
		bad := g.intake(g.olivia)
		f := g.form(bad, "Quetzalcoatl")
		f.Inquiry.Property.Address.State, f.ConfirmDuplicate = "ND", true // in a state where nobody is licensed
		if _, err := bad.Start(t.Context(), f); err == nil {
			t.Error("got no error, want one")
		}
		g.must(g.openLead(g.olivia, app).SaveLastView(t.Context(), true))
		if _, err := g.openLead(g.olivia, app).Snapshot(t.Context()); err != nil {
			t.Error(err)
		}
		all := strings.ToLower(g.diskAndLog())
		if !strings.Contains(all, "golden") {
			t.Fatal("the test read the wrong database files")
		}
		for _, secret := range []string{"078-05-1120", "078051120", "219-09-9999", "219099999", "quetzalcoatl", "xochitl",
			"borrower.test", "9195550142", "1984-03-09", "418 alder", "meridian"} {
			if strings.Contains(all, secret) {
				t.Errorf("%q is stored as plaintext", secret)
			}
		}
	})
}
