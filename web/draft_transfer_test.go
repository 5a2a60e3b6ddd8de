package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// TestTransferDraft_AssistantPrepares_OriginatorSends covers the whole process: an assistant enters a draft and
// transfers it, the originator changes and attests it, and the lead names both.
func TestTransferDraft_AssistantPrepares_OriginatorSends(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	ada, olivia, piotr := h.signInAs("ada"), h.signInAs("olivia"), h.signInAs("piotr")
	form := ada.intakeForm("Rivera", "consent.attested", "true", "applicant.ssn", "123-45-6789")
	id := form.values.Get("draft")
	if got := ada.post("/leads", form.values); got.status != http.StatusForbidden {
		t.Fatalf("an assistant's start: got %d, want 403", got.status)
	}
	page := ada.get("/leads/new")
	if page.Find(`button[formaction$="/hand"]`).Length() != 1 || page.Find(`#intake .dock button.pri:contains("Send")`).Length() != 0 {
		t.Error("the assistant's page offers to send, or does not offer to transfer")
	}
	for to, want := range map[string]int{"": 422, h.people["piotr"].OriginatorUUID: 422, "nonsense": 422} {
		if got := ada.send(postedForm{"/drafts/" + id + "/hand", form.with("draft.originator", to).values}); got.status != want || !strings.Contains(got.body, "Rivera") {
			t.Errorf("transferred to %q: got %d, want %d and the unchanged form", to, got.status, want)
		}
	}
	got := ada.send(postedForm{"/drafts/" + id + "/hand", form.with("draft.originator", h.people["olivia"].OriginatorUUID).values})
	if got.status != http.StatusOK || got.path != "/drafts" || strings.Contains(got.body, "Rivera") {
		t.Fatalf("transferred: got %d at %s: %s", got.status, got.path, got.text())
	}
	h.wantAudited("user-ada draft.hand draft:" + id + " done")
	for who, v := range map[string]*testBrowser{"ada": ada, "piotr": piotr} {
		if got := v.get("/leads/new?draft=" + id); got.status != http.StatusNotFound {
			t.Errorf("%s opens it: got %d, want 404", who, got.status)
		}
	}
	olivia.get("/drafts").wantText("Elena Rivera", "Prepared by Ada Assist, transferred today")
	intake := olivia.get("/leads/new?draft=" + id)
	intake.wantText("Prepared by Ada Assist.", "No changes since it was prepared.")
	typed := intake.form("#intake")
	if typed.values.Get("applicant.ssn") != "" || typed.values.Get("consent.attested") != "" || typed.values.Get("consent.method") != "" {
		t.Errorf("the transferred draft has an SSN or a consent: %v", typed.values)
	}
	typed = typed.with("amountWanted", "75,000")
	if got := olivia.send(typed); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without the consent: got %d, want 422", got.status)
	} else {
		got.wantText("Changed: requested amount")
	}
	sent := olivia.send(typed.with("consent.attested", "true", "consent.method", "recorded-call"))
	if !strings.HasPrefix(sent.path, "/leads/") {
		t.Fatalf("sent: got %d at %s: %s", sent.status, sent.path, sent.text())
	}
	olivia.get(sent.path + "/activity").wantText("Prepared by Ada Assist, changed by Olivia Bennett before it was sent.")
	if got := ada.send(postedForm{"/drafts/" + id + "/hand", url.Values{"draft.originator": {h.people["marcus"].OriginatorUUID}}}); got.status != http.StatusNotFound {
		t.Errorf("transferred again by the previous owner: got %d, want 404", got.status)
	}
}

// TestCompanyChange_LeadsBecomeUnassigned moves olivia to another company in the directory: none of her leads, counts
// or dates move with her, and maya finds them in her queue.
func TestCompanyChange_LeadsBecomeUnassigned(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, maya, piotr := h.signInAs("olivia"), h.signInAs("maya"), h.signInAs("piotr")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	before, err := h.store.AnyLead(t.Context(), app)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := h.store.Originator(t.Context(), heloc.OriginatorID(h.people["olivia"].OriginatorUUID))
	if err != nil {
		t.Fatal(err)
	}
	there, err := h.store.Originator(t.Context(), heloc.OriginatorID(h.people["piotr"].OriginatorUUID))
	if err != nil {
		t.Fatal(err)
	}
	err = h.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{
			ID: gone.UUID, Email: gone.Email, FirstName: gone.FirstName, LastName: gone.LastName, NMLS: gone.NMLS, Organization: there.Organization,
			Broker: &heloc.BrokerCompany{ID: there.BrokerID, Name: there.BrokerName, NMLS: there.BrokerNMLS},
		}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	for who, v := range map[string]*testBrowser{"olivia": olivia, "piotr": piotr} {
		if got := v.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s opens it: got %d, want 404", who, got.status)
		}
		for _, list := range []string{"/leads?view=all", "/leads?q=Rivera&view=all", "/leads.ics"} {
			if got := v.get(list); strings.Contains(got.body, string(app)) || before.ShortID != "" && strings.Contains(got.body, before.ShortID) {
				t.Errorf("%s sees it on %s", who, list)
			}
		}
		if got := v.get("/team/unassigned"); got.status != http.StatusForbidden {
			t.Errorf("%s at the queue: got %d, want 403", who, got.status)
		}
	}
	after, err := h.store.AnyLead(t.Context(), app)
	if err != nil || after.Originator != "" || after.Company != before.Company || after.Revision <= before.Revision {
		t.Errorf("got %q of %s at %d, %v, want it unassigned in the same company, with a new revision", after.Originator, after.Company, after.Revision, err)
	}
	queue := maya.get("/team/unassigned")
	queue.wantText("1 without an originator", "Elena Rivera")
	many := maya.post("/reassignments", url.Values{"app": {string(app)}})
	many.wantText("Reassign leads", "Elena Rivera")
	h.wantAudited("system lead.unassign lead:" + string(app) + " done")
}

// TestTransferDraft_ShowsChangesByOthers transfers a draft from its assistant to an originator, to a colleague and
// back. Each of them sees what changed since they last saw it, and who changed it.
func TestTransferDraft_ShowsChangesByOthers(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	ada, olivia, marcus := h.signInAs("ada"), h.signInAs("olivia"), h.signInAs("marcus")
	form := ada.intakeForm("Rivera", "applicant.ssn", "123-45-6789")
	id := form.values.Get("draft")
	hand := func(from *testBrowser, f postedForm, to string) {
		t.Helper()
		got := from.send(postedForm{"/drafts/" + id + "/hand", f.with("draft.originator", h.people[to].OriginatorUUID).values})
		if got.path != "/drafts" || got.status != http.StatusOK {
			t.Fatalf("transferred to %s: got %d at %s: %s", to, got.status, got.path, got.text())
		}
	}
	rows := func(v *testBrowser) (all []string) {
		t.Helper()
		v.get("/leads/new?draft=" + id).Find("#changes tbody tr").Each(func(_ int, s *selection) {
			all = append(all, strings.Join(s.Find("td").Map(func(_ int, cell *selection) string { return cell.Text() }), " "))
		})
		return all
	}
	hand(ada, form, "olivia")
	inbox := olivia.get("/notifications")
	inbox.wantText("A draft was transferred to you", "By Ada Assist.")
	link := inbox.Find("table.notices a").First().AttrOr("href", "")
	if link != "/leads/new?draft="+id || inbox.Find("#bell .count").Text() != "1" {
		t.Errorf("the entry links to %q with %q unread, want the draft, unread", link, inbox.Find("#bell .count").Text())
	}
	if got := rows(olivia); len(got) != 0 {
		t.Errorf("right after the transfer: got changes %q", got)
	}
	if n := olivia.get("/notifications").Find("tr.unread").Length(); n != 0 {
		t.Errorf("after opening the draft: got %d unread, want none", n)
	}
	typed := olivia.get("/leads/new?draft="+id).form("#intake").with("amountWanted", "75,000", "property.propertyType", "SECONDARY")
	hand(olivia, typed, "marcus")
	if n := len(olivia.notificationTitles()); n != 1 {
		t.Errorf("got %d notifications, want only the previous one", n)
	}
	if got := olivia.get("/notifications").Find("table.notices a").Length(); got != 0 {
		t.Error("another user's draft is still linked")
	}
	if got, want := rows(marcus), []string{"Requested amount 60,000 75,000 Olivia Bennett", "Occupancy Primary Secondary Olivia Bennett"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("marcus sees %q, want %q", got, want)
	}
	typed = marcus.get("/leads/new?draft="+id).form("#intake").with("amountWanted", "90,000", "applicant.name.firstName", "Elen")
	hand(marcus, typed, "olivia")
	back := olivia.get("/leads/new?draft=" + id)
	back.wantText("Prepared by Ada Assist.", "Transferred by Marcus Reyes, today", "since you transferred it")
	if got, want := rows(olivia), []string{"Requested amount 75,000 90,000 Marcus Reyes", "First name Elena Elen Marcus Reyes"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("olivia sees %q, want %q", got, want)
	}
	if strings.Contains(back.body, "6789") {
		t.Error("the page contains an SSN")
	}
	if n := len(olivia.notificationTitles()); n != 2 {
		t.Errorf("transferred back: got %d notifications, want one more", n)
	}
	sent := olivia.send(back.form("#intake").with("applicant.name.firstName", "Elena", "consent.attested", "true", "consent.method", "recorded-call"))
	olivia.get(sent.path + "/activity").wantText("Prepared by Ada Assist, changed by Olivia Bennett before it was sent.")
}
