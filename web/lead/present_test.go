package lead_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	weblead "hearthline/web/lead"
	"hearthline/web/webtest"
	"hearthline/web/workspace"
)

func TestDocuments_SafeTypesAndNames(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]string{
		"application/pdf": "application/pdf", "application/pdf; charset=x": "application/pdf",
		"text/html": "application/octet-stream", "image/svg+xml": "application/octet-stream", "": "application/octet-stream",
		"application/PDF": "application/pdf",
	} {
		if got := weblead.SafeContentType(contentType); got != want {
			t.Errorf("%q: got %q, want %q", contentType, got, want)
		}
	}
	for name, want := range map[string]string{
		"agreement.pdf": "agreement.pdf", "../../etc/passwd": "passwd", `c:\temp\a"b.pdf`: "a_b.pdf", "": "document",
		"..": "document", "x\r\ny.pdf": "x__y.pdf",
		"agreement\u202efdp.exe": "agreement_fdp.exe", "a\u2028b\u0085.pdf": "a_b_.pdf",
	} {
		if got := weblead.SafeFileName(name, "document"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if weblead.OpensInline("text/html") || weblead.OpensInline("image/png") || !weblead.OpensInline("application/pdf") {
		t.Error("a file other than a PDF opens in the browser")
	}
}

// TestUsualWait_OnlyForLenderSteps: no card may suggest that a borrower, or the money, usually takes seconds.
func TestUsualWait_OnlyForLenderSteps(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	for status, want := range map[heloc.StatusKey]bool{
		heloc.StatusInProgress: false, heloc.StatusVerifyLiens: true, heloc.StatusSSNNeeded: true,
		heloc.StatusBorrowerSignIn: false, heloc.StatusBrokerDocs: false,
		heloc.StatusRescission: false, heloc.StatusApplication: false, heloc.StatusFunded: false, heloc.StatusNoOffers: false,
	} {
		f := &workspace.Data{Can: v.Who.Can, NewOperationID: func(heloc.Operation) string { return "t" }}
		f.View.Row = webtest.SampleLeadRow(status, "", "")
		f.View.UsualWait = lead.UsualWait{Median: 50 * time.Second, P95: 4 * time.Minute, Known: true}
		if got := weblead.PresentNextStep(v, f).Card.Next; strings.Contains(got, "The lender usually takes") != want ||
			want && !strings.HasSuffix(got, " The lender usually takes about 50 seconds.") {
			t.Errorf("%s: got %q", status, got)
		}
		f.View.UsualWait.Known = false
		if got := weblead.PresentNextStep(v, f).Card.Next; strings.Contains(got, "The lender usually takes") {
			t.Errorf("%s, with too few records: got %q", status, got)
		}
	}
}
