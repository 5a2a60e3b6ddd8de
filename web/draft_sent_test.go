package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// draftRequests returns every kind of request that changes a draft.
func draftRequests(h *webtest.Harness, id, to string) []probe {
	return []probe{
		{path: "/leads/new?draft=" + id},
		{"/drafts/" + id, url.Values{"applicant.name.lastName": {"Overwritten"}}},
		{"/drafts/" + id + "/hand", url.Values{"draft.originator": {h.People[to].OriginatorUUID}}},
		{"/drafts/" + id + "/hand", url.Values{"draft": {id}, "applicant.name.lastName": {"Overwritten"},
			"draft.originator": {h.People[to].OriginatorUUID}}},
		{"/drafts/" + id + "/link", url.Values{}},
		{"/drafts/" + id + "/link", url.Values{"applicant.name.lastName": {"Overwritten"}}},
		{"/drafts/" + id + "/delete", url.Values{}},
	}
}

// TestSentDraft_LeadReassigned_NotFound sends a draft. From then on the draft redirects to its lead, and when the
// lead is reassigned to a colleague, its author can open neither.
func TestSentDraft_LeadReassigned_NotFound(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{BorrowerLink: webtest.BorrowerLink(t)})
	olivia, marcus, maya := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("maya")
	form := olivia.IntakeForm("Rivera")
	id := form.Values.Get("draft")
	lead := olivia.Send(form).Path
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(lead, "/leads/"))
	before, err := h.Store.DraftOfLead(t.Context(), app)
	h.Must(err)

	for _, request := range draftRequests(h, id, "marcus") {
		got := sendProbe(olivia, request)
		if strings.HasSuffix(request.path, "/delete") {
			if got.Status != http.StatusConflict || !strings.Contains(got.Body, "is now a lead") {
				t.Errorf("%s: got %d, want 409 with the reason", request.path, got.Status)
			}
			continue
		}
		if got.Path != lead || got.Status != http.StatusOK {
			t.Errorf("%s %v, while the lead is hers: got %d at %s, want the lead",
				request.path, request.form, got.Status, got.Path)
		}
		got.WantNoText(webtest.BorrowerSecrets)
	}
	if got := olivia.Post("/drafts/"+id, url.Values{"amountWanted": {"1"}},
		"HX-Request", "true"); got.Status != http.StatusConflict {
		t.Errorf("its autosave: got %d, want 409, because nothing was saved", got.Status)
	}
	for who, v := range map[string]*webtest.Browser{"marcus": marcus, "maya": maya} {
		for _, request := range draftRequests(h, id, "olivia") {
			if got := sendProbe(v, request); got.Status != http.StatusNotFound && !strings.HasSuffix(got.Path, "/hand") {
				t.Errorf("%s at %s: got %d, want 404", who, request.path, got.Status)
			}
		}
	}

	maya.Send(maya.ReassignForm(lead, "marcus"))
	h.WaitUntil("the lead is marcus's", func() bool {
		return string(h.LeadRow(app).Originator) == h.People["marcus"].OriginatorUUID
	})
	for _, request := range draftRequests(h, id, "marcus") {
		got := sendProbe(olivia, request)
		if got.Status != http.StatusNotFound {
			t.Errorf("%s %v, once the lead is gone: got %d at %s, want 404", request.path, request.form, got.Status, got.Path)
		}
		got.WantNoText(webtest.BorrowerSecrets)
	}
	olivia.Send(form).WantNoText(webtest.BorrowerSecrets)
	start, err := h.Store.StartOf(t.Context(), app)
	h.Must(err)
	olivia.Get("/operations/" + start.ID).WantNoText(append(webtest.BorrowerSecrets, "Larkspur"))
	after, err := h.Store.DraftOfLead(t.Context(), app)
	h.Must(err)
	if after.ID != id || after.OwnerID != before.OwnerID || after.Version != before.Version ||
		string(after.Sealed) != string(before.Sealed) {
		t.Errorf("the sent draft has changed: got version %d of %s, want %d of %s",
			after.Version, after.OwnerID, before.Version, before.OwnerID)
	}
}

// TestCloneDraft_LeadReassigned_NotFound: a draft that was filled from a lead contains its borrower.
func TestCloneDraft_LeadReassigned_NotFound(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{BorrowerLink: webtest.BorrowerLink(t)})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	lead := olivia.StartLead("Rivera-None")
	olivia.WaitFor(lead, `form[action$="/clone"]`)
	id := olivia.Send(olivia.Get(lead).Form(`form[action$="/clone"]`)).Form("form#intake").Values.Get("draft")
	if n := olivia.Get("/drafts").Find("tbody tr").Length(); n != 1 {
		t.Fatalf("got %d drafts, want the correction", n)
	}
	maya.Send(maya.ReassignForm(lead, "marcus"))
	app := heloc.AppID(strings.TrimPrefix(lead, "/leads/"))
	h.WaitUntil("the lead is marcus's", func() bool {
		return string(h.LeadRow(app).Originator) == h.People["marcus"].OriginatorUUID
	})
	for _, request := range draftRequests(h, id, "marcus") {
		got := sendProbe(olivia, request)
		if got.Status != http.StatusNotFound {
			t.Errorf("%s %v: got %d at %s, want 404", request.path, request.form, got.Status, got.Path)
		}
		got.WantNoText(webtest.BorrowerSecrets)
	}
	list := olivia.Get("/drafts")
	if list.Find("tbody tr").Length() != 0 || strings.Contains(list.Body, "Rivera") {
		t.Error("her drafts still list it")
	}
	maya.Send(maya.ReassignForm(lead, "olivia"))
	h.WaitUntil("the lead is hers again", func() bool {
		return string(h.LeadRow(app).Originator) == h.People["olivia"].OriginatorUUID
	})
	if got := olivia.Get("/leads/new?draft=" + id); got.Status != http.StatusOK {
		t.Errorf("after the lead came back: got %d, want her correction", got.Status)
	}
}

// TestDeleteDraft_Audited: only the draft's owner can delete it, and the audit contains only its number.
func TestDeleteDraft_Audited(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	form := olivia.IntakeForm("Rivera")
	id := form.Values.Get("draft")
	olivia.Post("/drafts/"+id, form.Values)
	if got := marcus.Post("/drafts/"+id+"/delete", nil); got.Status != http.StatusNotFound {
		t.Errorf("another user's draft: got %d, want 404", got.Status)
	}
	if got := olivia.Post("/drafts/"+id+"/delete", nil); got.Path != "/drafts" || got.Find("tbody tr").Length() != 0 {
		t.Errorf("her own: got %d at %s, want it gone from the list", got.Status, got.Path)
	}
	h.WantAudited("user-olivia draft.delete draft:" + id + " done")
	if got := olivia.Post("/drafts/"+id+"/delete", nil); got.Status != http.StatusNotFound {
		t.Errorf("again: got %d, want 404", got.Status)
	}
}
