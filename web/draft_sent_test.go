package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
)

// draftRequests returns every kind of request that changes a draft.
func draftRequests(h *harness, id, to string) []probe {
	return []probe{
		{path: "/leads/new?draft=" + id},
		{"/drafts/" + id, url.Values{"applicant.name.lastName": {"Overwritten"}}},
		{"/drafts/" + id + "/hand", url.Values{"draft.originator": {h.people[to].OriginatorUUID}}},
		{"/drafts/" + id + "/hand", url.Values{"draft": {id}, "applicant.name.lastName": {"Overwritten"}, "draft.originator": {h.people[to].OriginatorUUID}}},
		{"/drafts/" + id + "/link", url.Values{}},
		{"/drafts/" + id + "/link", url.Values{"applicant.name.lastName": {"Overwritten"}}},
		{"/drafts/" + id + "/delete", url.Values{}},
	}
}

// borrowerSecrets is what the intake fixture contains and no page of a lead shows without a reveal.
var borrowerSecrets = []string{"05/17/1979", "1979-05-17", "555-0147", "elena@borrower.test", "124,600"}

func (p *response) wantNoText(secrets []string) {
	p.t.Helper()
	for _, secret := range secrets {
		if strings.Contains(p.body, secret) {
			p.t.Errorf("%s (%d) shows %q", p.path, p.status, secret)
		}
	}
}

// TestSentDraft_LeadReassigned_NotFound sends a draft. From then on the draft redirects to its lead, and when the
// lead is reassigned to a colleague, its author can open neither.
func TestSentDraft_LeadReassigned_NotFound(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{borrowerLink: testBorrowerLink(t)})
	olivia, marcus, maya := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("maya")
	form := olivia.intakeForm("Rivera")
	id := form.values.Get("draft")
	lead := olivia.send(form).path
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(lead, "/leads/"))
	before, err := h.store.DraftOfLead(t.Context(), app)
	h.must(err)

	for _, request := range draftRequests(h, id, "marcus") {
		got := olivia.sendProbe(request)
		if strings.HasSuffix(request.path, "/delete") {
			if got.status != http.StatusConflict || !strings.Contains(got.body, "is now a lead") {
				t.Errorf("%s: got %d, want 409 with the reason", request.path, got.status)
			}
			continue
		}
		if got.path != lead || got.status != http.StatusOK {
			t.Errorf("%s %v, while the lead is hers: got %d at %s, want the lead", request.path, request.form, got.status, got.path)
		}
		got.wantNoText(borrowerSecrets)
	}
	if got := olivia.post("/drafts/"+id, url.Values{"amountWanted": {"1"}}, "HX-Request", "true"); got.status != http.StatusConflict {
		t.Errorf("its autosave: got %d, want 409, because nothing was saved", got.status)
	}
	for who, v := range map[string]*testBrowser{"marcus": marcus, "maya": maya} {
		for _, request := range draftRequests(h, id, "olivia") {
			if got := v.sendProbe(request); got.status != http.StatusNotFound && !strings.HasSuffix(got.path, "/hand") {
				t.Errorf("%s at %s: got %d, want 404", who, request.path, got.status)
			}
		}
	}

	maya.send(maya.reassignForm(lead, "marcus"))
	h.waitUntil("the lead is marcus's", func() bool { return string(h.leadRow(app).Originator) == h.people["marcus"].OriginatorUUID })
	for _, request := range draftRequests(h, id, "marcus") {
		got := olivia.sendProbe(request)
		if got.status != http.StatusNotFound {
			t.Errorf("%s %v, once the lead is gone: got %d at %s, want 404", request.path, request.form, got.status, got.path)
		}
		got.wantNoText(borrowerSecrets)
	}
	olivia.send(form).wantNoText(borrowerSecrets)
	start, err := h.store.StartOf(t.Context(), app)
	h.must(err)
	olivia.get("/operations/" + start.ID).wantNoText(append(borrowerSecrets, "Larkspur"))
	after, err := h.store.DraftOfLead(t.Context(), app)
	h.must(err)
	if after.ID != id || after.OwnerID != before.OwnerID || after.Version != before.Version || string(after.Sealed) != string(before.Sealed) {
		t.Errorf("the sent draft has changed: got version %d of %s, want %d of %s", after.Version, after.OwnerID, before.Version, before.OwnerID)
	}
}

// TestCloneDraft_LeadReassigned_NotFound: a draft that was filled from a lead contains its borrower.
func TestCloneDraft_LeadReassigned_NotFound(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{borrowerLink: testBorrowerLink(t)})
	olivia, maya := h.signInAs("olivia"), h.signInAs("maya")
	lead := olivia.startLead("Rivera-None")
	olivia.waitFor(lead, `form[action$="/clone"]`)
	id := olivia.send(olivia.get(lead).form(`form[action$="/clone"]`)).form("form#intake").values.Get("draft")
	if n := olivia.get("/drafts").Find("tbody tr").Length(); n != 1 {
		t.Fatalf("got %d drafts, want the correction", n)
	}
	maya.send(maya.reassignForm(lead, "marcus"))
	app := heloc.AppID(strings.TrimPrefix(lead, "/leads/"))
	h.waitUntil("the lead is marcus's", func() bool { return string(h.leadRow(app).Originator) == h.people["marcus"].OriginatorUUID })
	for _, request := range draftRequests(h, id, "marcus") {
		got := olivia.sendProbe(request)
		if got.status != http.StatusNotFound {
			t.Errorf("%s %v: got %d at %s, want 404", request.path, request.form, got.status, got.path)
		}
		got.wantNoText(borrowerSecrets)
	}
	list := olivia.get("/drafts")
	if list.Find("tbody tr").Length() != 0 || strings.Contains(list.body, "Rivera") {
		t.Error("her drafts still list it")
	}
	maya.send(maya.reassignForm(lead, "olivia"))
	h.waitUntil("the lead is hers again", func() bool { return string(h.leadRow(app).Originator) == h.people["olivia"].OriginatorUUID })
	if got := olivia.get("/leads/new?draft=" + id); got.status != http.StatusOK {
		t.Errorf("after the lead came back: got %d, want her correction", got.status)
	}
}

// TestDeleteDraft_Audited: only the draft's owner can delete it, and the audit contains only its number.
func TestDeleteDraft_Audited(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	olivia, marcus := h.signInAs("olivia"), h.signInAs("marcus")
	form := olivia.intakeForm("Rivera")
	id := form.values.Get("draft")
	olivia.post("/drafts/"+id, form.values)
	if got := marcus.post("/drafts/"+id+"/delete", nil); got.status != http.StatusNotFound {
		t.Errorf("another user's draft: got %d, want 404", got.status)
	}
	if got := olivia.post("/drafts/"+id+"/delete", nil); got.path != "/drafts" || got.Find("tbody tr").Length() != 0 {
		t.Errorf("her own: got %d at %s, want it gone from the list", got.status, got.path)
	}
	h.wantAudited("user-olivia draft.delete draft:" + id + " done")
	if got := olivia.post("/drafts/"+id+"/delete", nil); got.status != http.StatusNotFound {
		t.Errorf("again: got %d, want 404", got.status)
	}
}
