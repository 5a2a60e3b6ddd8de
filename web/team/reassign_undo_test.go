package team_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// reassignTo starts a run of leads to several people and returns its page when it has ended.
func reassignTo(h *webtest.Harness, v *webtest.Browser, apps []string, people ...string) *webtest.Response {
	h.T.Helper()
	run := v.Post("/reassignments", url.Values{"app": apps, "newLoanOriginatorUuid": idsOf(h, people...),
		"confirm.reassign": {"true"}, "handOver.line": {"Call the overdue ones first"}})
	return waitForRun(h, v, run)
}

func waitForRun(h *webtest.Harness, v *webtest.Browser, run *webtest.Response) *webtest.Response {
	h.T.Helper()
	if !strings.HasPrefix(run.Path, "/reassignments/") {
		h.T.Fatalf("got %d at %s: %s", run.Status, run.Path, run.MainText())
	}
	h.WaitUntil("the run is done", func() bool { return strings.Contains(v.Get(run.Path).Find(".note").Text(), "Done.") })
	return v.Get(run.Path)
}

// ownersOf counts the leads of each user by the lender's answer.
func ownersOf(h *webtest.Harness, apps []string) map[string]int {
	owners := map[string]int{}
	for _, app := range apps {
		for name, who := range h.People {
			if who.OriginatorUUID != "" && h.LeadRow(heloc.AppID(app)).Originator == heloc.OriginatorID(who.OriginatorUUID) {
				owners[name]++
			}
		}
	}
	return owners
}

func TestBulkReassign_SeveralOriginators_OneNotificationEach(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	apps := startMany(h, 6)
	maya, olivia, marcus, piotr := h.SignInAs("maya"), h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("piotr")
	done := reassignTo(h, maya, apps, "marcus", "maya")
	done.WantText("Reassignment to 2 originators", "6 of 6 reassigned", "Undo all 6")
	if got := ownersOf(h, apps); got["marcus"] != 3 || got["maya"] != 3 {
		t.Errorf("got %v, want three each", got)
	}
	for name, tt := range map[string]struct {
		browser *webtest.Browser
		want    []string
	}{
		"the recipient":      {marcus, []string{"3 leads assigned to you"}},
		"the former one":     {olivia, []string{"6 leads reassigned"}},
		"the one who did it": {maya, nil},
		"another company":    {piotr, nil},
	} {
		var batches []string
		for _, title := range tt.browser.NotificationTitles() {
			if strings.Contains(title, "assigned") {
				batches = append(batches, title)
			}
		}
		if strings.Join(batches, ", ") != strings.Join(tt.want, ", ") {
			t.Errorf("%s: got %q, want %q", name, batches, tt.want)
		}
	}
	inbox := marcus.Get("/notifications")
	if got := inbox.Find(`table.notices a[href="` + done.Path + `"]`).Length(); got == 0 {
		t.Error("the notification does not lead to the leads")
	}
	if text := inbox.Find("#inbox").Text() + olivia.Get("/notifications").Find("#inbox").
		Text(); strings.Contains(text, "Other originators") || strings.Contains(text, "Review the note") {
		t.Errorf("the notifications claim what they cannot know: %q", text)
	}
	received := marcus.Get(done.Path)
	received.WantText("3 leads assigned to you", "By Maya Lindqvist", "Call the overdue ones first")
	if got := received.Find("table.leads tbody tr").Length(); got != 3 {
		t.Errorf("got %d leads, want the 3 that the notification counts", got)
	}
	if got := marcus.Get("/notifications").Find("#bell .count").Length(); got != 0 {
		t.Errorf("%d notifications are unread after the leads were opened", got)
	}
	for name, v := range map[string]*webtest.Browser{"the former originator": olivia, "another company": piotr} {
		if got := v.Get(done.Path); got.Status != 404 {
			t.Errorf("%s: got %d, want 404", name, got.Status)
		}
	}
}

func TestUndoBulkReassign_ActedOn_StaysAndIsListed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	apps := startMany(h, 4)
	maya, marcus := h.SignInAs("maya"), h.SignInAs("marcus")
	done := reassignTo(h, maya, apps, "marcus")
	marcus.Post("/leads/"+apps[1]+"/note", url.Values{"note": {"Called, wants to think about it"}})
	marcus.Get("/leads/" + apps[2]) // reading a lead is no action
	again := maya.Get(done.Path)
	again.WantText("Undo all 3", "without the 1 lead that others have acted on since",
		"Marcus Reyes has acted on it since.")
	form := again.Form("form#form-undo-all")
	undone := waitForRun(h, maya, maya.Send(form))
	undone.WantText("Undo reassignment of 4 leads", "3 of 4 returned, 1 not returned", "Not returned",
		"has acted on the lead since. Nothing was sent.")
	if undone.Find("#form-retry").Length() != 0 {
		t.Error("a retry is offered that cannot succeed")
	}
	if got := ownersOf(h, apps); got["olivia"] != 3 || got["marcus"] != 1 {
		t.Errorf("got %v, want three back with olivia", got)
	}
	if twice := maya.Send(form); twice.Path != undone.Path {
		t.Errorf("the same form again: got %s, want the same run", twice.Path)
	}
	after := maya.Get(done.Path)
	after.WantText("1 reassigned, 3 undone")
	if strings.Contains(after.Find(".acts").Text(), "Refresh") {
		t.Error("a run that is done offers a refresh")
	}
	if after.Find("#form-undo-all").Length() != 0 || strings.Count(after.Find("table").Text(), "Undone") != 3 {
		t.Errorf("afterwards the run shows %s", after.MainText())
	}
	maya.Get("/leads").WantText("Undo reassignment of 4 leads")
	if n := h.LenderCallCount("/reassign"); n != 7 {
		t.Errorf("the lender got %d calls, want 4 and 3", n)
	}
	for name, v := range map[string]*webtest.Browser{"the recipient": marcus, "another company": h.SignInAs("piotr")} {
		if got := v.Post(done.Path+"/undo", url.Values{"run": form.Values["run"]}); got.Status != 404 {
			t.Errorf("%s undoes it: got %d, want 404", name, got.Status)
		}
	}
	if back := h.SignInAs("olivia").NotificationTitles(); len(back) == 0 || back[0] != "3 leads returned to you" {
		t.Errorf("olivia got %q, want one notification for the three", back)
	}
	h.SignInAs("olivia").Get(undone.Path).WantText("3 leads returned to you", "By Maya Lindqvist")
	marcus.Get(done.Path).WantText("1 of 4 leads assigned to you", "3 leads are no longer with you.")
}

func TestBulkReassign_NobodyLicensed_ListedAndOthersMove(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	apps := startMany(h, 2)
	setLicense(h, "marcus", "ID", false)
	maya := h.SignInAs("maya")
	done := reassignTo(h, maya, apps[:1], "marcus")
	done.WantText("0 of 1 reassigned, 1 not reassigned",
		"This originator isn’t licensed in the property’s state. Nothing was sent.", "Choose someone else…")
	if n := h.LenderCallCount("/reassign"); n != 0 {
		t.Errorf("the lender got %d calls, want none", n)
	}
	other := maya.Send(done.Form("form#form-failed"))
	other.WantText("1 of 1 can be reassigned")
	run := waitForRun(h, maya, maya.Send(other.Form("form#form-many").With("newLoanOriginatorUuid",
		h.People["maya"].OriginatorUUID).With("confirm.reassign", "true")))
	run.WantText("Reassignment to Maya Lindqvist", "1 of 1 reassigned")
}

func TestTeamPage_ReassignFromRow_SelectsOpenLeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	startMany(h, 3)
	addLeads(h, "", "AZ", "FL")
	maya := h.SignInAs("maya")
	team := maya.Get("/team")
	row := team.Find("#originator-" + h.People["olivia"].OriginatorUUID + " .c-act a:first-child")
	if got := strings.Join(strings.Fields(row.Text()), " "); got != "Reassign 3… Olivia Bennett" {
		t.Fatalf("got the link %q", got)
	}
	page := maya.Get(row.AttrOr("href", ""))
	page.WantText("3 of 3 can be reassigned", "Current originator: Olivia Bennett")
	if got := page.Find(`.planned input[name="app"][checked]`).Length(); got != 3 {
		t.Errorf("got %d leads selected, want all 3", got)
	}
	if team.Find("#originator-"+h.People["marcus"].OriginatorUUID+" .c-act a").Length() != 0 {
		t.Error("a link for an originator without open leads")
	}
	queue := maya.Get("/team/unassigned")
	all := queue.Find(`.head .acts a:contains("Assign all")`)
	if got := strings.TrimSpace(all.Text()); got != "Assign all 2…" {
		t.Fatalf("got the link %q", got)
	}
	assign := maya.Get(all.AttrOr("href", ""))
	assign.WantText("2 of 2 can be reassigned", "Unassigned")
	if got := assign.Find(".targets").Text(); !strings.Contains(got, "Olivia Bennett") {
		t.Error("Olivia cannot be chosen for unassigned leads")
	}
}

// TestUndoReassign_LeadMovedAgain_NotOffered: the lead was reassigned again, back to where the first reassignment
// found it.
func TestUndoReassign_LeadMovedAgain_NotOffered(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	maya.Send(maya.ReassignForm(path, "marcus"))
	offered := maya.Get("/leads").Find("#handed form")
	if offered.Length() != 1 {
		t.Fatalf("got %d forms, want the undo", offered.Length())
	}
	first := maya.Get("/leads").Form("#handed form")
	maya.Send(maya.ReassignForm(path, "olivia"))
	if got := maya.Get("/leads").Find("#handed"); got.Find("li").Length() != 2 || got.Find("form").Length() != 1 ||
		got.Find(`form[action="`+first.Action+`"]`).Length() != 0 {
		t.Errorf("got %q, want both reassignments and only the undo of the last", got.Text())
	}
	calls := h.LenderCallCount("/reassign")
	if got := maya.Send(first); got.Status != http.StatusConflict ||
		!strings.Contains(got.Text(), "The lead has since been reassigned again. Nothing was sent.") {
		t.Errorf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	if n := h.LenderCallCount("/reassign"); n != calls {
		t.Errorf("the lender got %d calls, want %d", n, calls)
	}
}
