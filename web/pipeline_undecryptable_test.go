package web

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/heloc"
)

// execSQL changes the database file in ways that the portal never does.
func (h *harness) execSQL(statement string, args ...any) {
	h.t.Helper()
	file, err := sql.Open("sqlite3", filepath.Join(h.dir, "portal.db"))
	h.must(err)
	_, err = file.ExecContext(h.t.Context(), statement, args...)
	h.must(errors.Join(err, file.Close()))
}

// A name that was changed in the database, or copied there from another lead, cannot be decrypted.
func TestPipeline_UndecryptableName_StillRenders(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, admin := h.signInAs("olivia"), h.signInAs("admin")
	intact, broken := olivia.startLead("Okafor"), olivia.startLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(broken, "/leads/"))
	h.execSQL(`UPDATE leads SET borrower = (SELECT borrower FROM leads WHERE app_uuid = ?) WHERE app_uuid = ?`, strings.TrimPrefix(intact, "/leads/"), app)

	list := olivia.get("/leads?view=all")
	list.wantText("Okafor", "Name unavailable")
	if strings.Contains(list.body, "Rivera") {
		t.Error("the damaged name is in the list")
	}
	if n := olivia.get("/leads?q=Rivera").Find("a.nm").Length(); n != 0 {
		t.Errorf("a search by the damaged name finds %d leads", n)
	}
	olivia.get(broken).wantText("Name unavailable")
	if got := olivia.get("/leads").status; got != 200 {
		t.Errorf("today: got %d", got)
	}
	health := admin.get("/admin/health").Find(".note.fail").Text()
	if !strings.Contains(health, "1 borrower’s name can’t be decrypted") || !strings.Contains(health, string(app)) {
		t.Errorf("got %q, want the lead whose name cannot be decrypted", health)
	}
}
