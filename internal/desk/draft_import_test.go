package desk_test

import (
	"os"
	"testing"
	"time"

	"hearthline/internal/desk/intake"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

func unformatted(_, value string) string { return value }

// TestReadLoanFile_ReviewThenDraft_OwnAndOnce reads a file over an open form, and uses its review twice and as another
// user.
func TestReadLoanFile_ReviewThenDraft_OwnAndOnce(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		file, err := os.ReadFile("../mismo/testdata/arive.xml")
		g.must(err)
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		his, err := g.service.For(g.piotr).Drafts()
		g.must(err)
		calls := g.transport.count("")
		open := drafts.New()
		in := intake.LoanImport{File: file, FileName: "1003 529-12-3456.xml", DraftID: open, Format: unformatted,
			Typed: lead.FormValues{"applicant.name.lastName": {"Silva"}, "applicant.ssn": {"123-45-6789"}}}
		id, err := drafts.ReadLoanFile(t.Context(), in)
		g.must(err)
		before, err := drafts.Find(t.Context(), open)
		g.must(err)
		if before.Typed.Value("applicant.name.lastName") != "Silva" || before.Typed.Value("applicant.ssn") != "" {
			t.Errorf("the open draft: got %v", before.Typed)
		}
		if _, _, err := his.Review(t.Context(), id); !fault.Is(err, fault.NotFound) {
			t.Errorf("another user: got %v, want not found", err)
		}
		review, used, err := drafts.Review(t.Context(), id)
		if err != nil || used || !review.SavedBefore || review.FileName != "1003 XXX-XX-XXXX.xml" ||
			!review.ExpiresAt.Equal(time.Now().Add(time.Hour)) {
			t.Fatalf("got used %v, %+v, %v", used, review, err)
		}
		for range 2 { // the second is the same form again
			g.must(drafts.UseReview(t.Context(), id, review.ImportReview, review.Preselected(), in))
		}
		if _, used, err := drafts.Review(t.Context(), id); err != nil || !used {
			t.Errorf("used: got %v, %v", used, err)
		}
		after, err := drafts.Find(t.Context(), id)
		g.must(err)
		if after.Typed.Value("applicant.name.lastName") != "Okafor" || after.Typed.Value("amountWanted") != "75,000" {
			t.Errorf("the new draft: got %v", after.Typed)
		}
		if got := g.transport.count("") - calls; got != 0 {
			t.Errorf("the import made %d calls to the lender", got)
		}
		if _, err := his.ReadLoanFile(t.Context(), in); !fault.Is(err, fault.NotFound) {
			t.Errorf("over another company's draft: got %v, want not found", err)
		}
		if _, err := drafts.ReadLoanFile(t.Context(), intake.LoanImport{File: []byte("EH "),
			Format: unformatted}); !fault.Is(err, fault.Invalid) {
			t.Errorf("another format: got %v, want invalid", err)
		}
		in.Typed = nil
		late, err := drafts.ReadLoanFile(t.Context(), in)
		g.must(err)
		time.Sleep(time.Hour)
		if _, _, err := drafts.Review(t.Context(), late); !fault.Is(err, fault.NotFound) {
			t.Errorf("after an hour: got %v, want not found", err)
		}
	})
}
