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

func TestImport_ManyFiles_NewDraftEachNothingSent(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		file, err := os.ReadFile("../mismo/testdata/arive.xml")
		g.must(err)
		drafts, err := g.service.For(g.olivia).Drafts()
		g.must(err)
		calls := g.transport.count("")
		first, err := drafts.Import(t.Context(), intake.LoanImport{File: file, DraftID: drafts.New(), Format: unformatted})
		g.must(err)
		time.Sleep(time.Minute)
		second, err := drafts.Import(t.Context(), intake.LoanImport{File: file, DraftID: first,
			Typed: lead.FormValues{"applicant.name.lastName": {"Silva"}, "applicant.ssn": {"123-45-6789"}}, Format: unformatted})
		g.must(err)
		before, err := drafts.Find(t.Context(), first)
		g.must(err)
		after, err := drafts.Find(t.Context(), second)
		g.must(err)
		if before.Typed.Value("applicant.name.lastName") != "Silva" || before.Typed.Value("applicant.ssn") != "" ||
			before.Import == nil {
			t.Errorf("the open draft: got %v, report %v", before.Typed, before.Import)
		}
		if after.Typed.Value("applicant.name.lastName") != "Okafor" || after.Typed.Value("amountWanted") != "60,000" ||
			after.Import == nil || !after.Import.SavedBefore || after.Import.Liens != 1 {
			t.Errorf("the new draft: got %v, report %+v", after.Typed, after.Import)
		}
		if got := g.transport.count("") - calls; got != 0 {
			t.Errorf("the import made %d calls to the lender", got)
		}
		g.must(drafts.CloseImportReport(t.Context(), second))
		if closed, err := drafts.Find(t.Context(), second); err != nil || closed.Import != nil ||
			closed.Typed.Value("applicant.name.lastName") != "Okafor" {
			t.Errorf("closed: got %+v, %v", closed, err)
		}
		his, err := g.service.For(g.piotr).Drafts()
		g.must(err)
		if err := his.CloseImportReport(t.Context(), first); !fault.Is(err, fault.NotFound) {
			t.Errorf("another company: got %v, want not found", err)
		}
		if _, err := his.Import(t.Context(), intake.LoanImport{
			File: file, DraftID: first, Typed: lead.FormValues{"applicant.name.lastName": {"Overwritten"}}, Format: unformatted,
		}); !fault.Is(err, fault.NotFound) {
			t.Errorf("over another company's draft: got %v, want not found", err)
		}
		if _, err := drafts.Import(t.Context(), intake.LoanImport{File: []byte("EH "), Format: unformatted}); !fault.Is(err,
			fault.Invalid) {
			t.Errorf("another format: got %v, want invalid", err)
		}
	})
}
