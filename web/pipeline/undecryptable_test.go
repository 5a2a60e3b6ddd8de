package pipeline_test

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// A name that was changed in the database, or copied there from another lead, cannot be decrypted.
func TestPipeline_UndecryptableName_StillRenders(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	intact, broken := olivia.StartLead("Okafor"), olivia.StartLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(broken, "/leads/"))
	h.ExecSQL(`UPDATE leads SET borrower = (SELECT borrower FROM leads WHERE app = ?) WHERE app = ?`,
		strings.TrimPrefix(intact, "/leads/"), app)

	list := olivia.Get("/leads?view=all")
	list.WantText("Okafor", "Name unavailable")
	if strings.Contains(list.Body, "Rivera") {
		t.Error("the damaged name is in the list")
	}
	if n := olivia.Get("/leads?q=Rivera").Find("a.nm").Length(); n != 0 {
		t.Errorf("a search by the damaged name finds %d leads", n)
	}
	olivia.Get(broken).WantText("Name unavailable")
	if got := olivia.Get("/leads").Status; got != 200 {
		t.Errorf("today: got %d", got)
	}
	health := admin.Get("/admin/health").Find(".note.fail").Text()
	if !strings.Contains(health, "1 borrower’s name can’t be decrypted") || !strings.Contains(health, string(app)) {
		t.Errorf("got %q, want the lead whose name cannot be decrypted", health)
	}
}
