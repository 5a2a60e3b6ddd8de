package intake_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestTransferDraft_AssistantPrepares_OriginatorSends covers the whole process: an assistant enters a draft and
// transfers it, the originator changes and attests it, and the lead names both.
func TestTransferDraft_AssistantPrepares_OriginatorSends(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	ada, olivia, piotr := h.SignInAs("ada"), h.SignInAs("olivia"), h.SignInAs("piotr")
	form := ada.IntakeForm("Rivera", "consent.attested", "true", "applicant.ssn", "123-45-6789")
	id := form.Values.Get("draft")
	if got := ada.Post("/leads", form.Values); got.Status != http.StatusForbidden {
		t.Fatalf("an assistant's start: got %d, want 403", got.Status)
	}
	page := ada.Get("/leads/new")
	if page.Find(`button[formaction$="/hand"]`).Length() != 1 ||
		page.Find(`#intake .dock button.pri:contains("Send")`).Length() != 0 {
		t.Error("the assistant's page offers to send, or does not offer to transfer")
	}
	// An assistant records no consent and sends no SSN, so the page asks for neither.
	page.WantText("The originator who sends the inquiry records the consent and enters the SSN.")
	page.WantNoText([]string{"Your name", "How did the borrower agree", "Encrypted for the lender", ", consent"})
	if page.Find(`[name^="consent."], [name="applicant.ssn"], #consent, #ssn, a[href="#consent"]`).Length() != 0 {
		t.Error("the assistant's page asks for the consent or the SSN")
	}
	saved := ada.Post("/drafts/"+id, form.Values, "HX-Request", "true")
	if !strings.Contains(saved.Body, `"needed"`) || strings.Contains(saved.Body, "consent") {
		t.Errorf("what the script shows names the consent: %s", saved.Body)
	}
	for to, want := range map[string]int{"": 422, h.People["piotr"].OriginatorUUID: 422, "nonsense": 422} {
		if got := ada.Send(webtest.Form{Action: "/drafts/" + id + "/hand",
			Values: form.With("draft.originator", to).Values}); got.Status != want || !strings.Contains(got.Body, "Rivera") {
			t.Errorf("transferred to %q: got %d, want %d and the unchanged form", to, got.Status, want)
		}
	}
	got := ada.Send(webtest.Form{Action: "/drafts/" + id + "/hand",
		Values: form.With("draft.originator", h.People["olivia"].OriginatorUUID).Values})
	if got.Status != http.StatusOK || got.Path != "/drafts" || strings.Contains(got.Body, "Rivera") {
		t.Fatalf("transferred: got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	h.WantAudited("user-ada draft.hand draft:" + id + " done")
	for who, v := range map[string]*webtest.Browser{"ada": ada, "piotr": piotr} {
		if got := v.Get("/leads/new?draft=" + id); got.Status != http.StatusNotFound {
			t.Errorf("%s opens it: got %d, want 404", who, got.Status)
		}
	}
	olivia.Get("/drafts").WantText("Elena Rivera", "Prepared by Ada Assist, transferred today")
	intake := olivia.Get("/leads/new?draft=" + id)
	intake.WantText("Prepared by Ada Assist.", "No changes since it was prepared.")
	typed := intake.Form("#intake")
	if typed.Values.Get("applicant.ssn") != "" || typed.Values.Get("consent.attested") != "" ||
		typed.Values.Get("consent.method") != "" {
		t.Errorf("the transferred draft has an SSN or a consent: %v", typed.Values)
	}
	typed = typed.With("amountWanted", "75,000")
	if got := olivia.Send(typed); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without the consent: got %d, want 422", got.Status)
	} else {
		got.WantText("Changed: requested amount")
	}
	sent := olivia.Send(typed.With("consent.attested", "true", "consent.method", "recorded-call"))
	if !strings.HasPrefix(sent.Path, "/leads/") {
		t.Fatalf("sent: got %d at %s: %s", sent.Status, sent.Path, sent.MainText())
	}
	olivia.Get(sent.Path + "/activity").WantText("Prepared by Ada Assist, changed by Olivia Bennett before it was sent.")
	if got := ada.Send(webtest.Form{Action: "/drafts/" + id + "/hand",
		Values: url.Values{"draft.originator": {h.People["marcus"].OriginatorUUID}}}); got.Status != http.StatusNotFound {
		t.Errorf("transferred again by the previous owner: got %d, want 404", got.Status)
	}
}

// TestCompanyChange_LeadsBecomeUnassigned moves olivia to another company in the directory: none of her leads, counts
// or dates move with her, and maya finds them in her queue.
func TestCompanyChange_LeadsBecomeUnassigned(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, maya, piotr := h.SignInAs("olivia"), h.SignInAs("maya"), h.SignInAs("piotr")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	before, err := h.Store.AnyLead(t.Context(), app)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := h.Store.Originator(t.Context(), heloc.OriginatorID(h.People["olivia"].OriginatorUUID))
	if err != nil {
		t.Fatal(err)
	}
	there, err := h.Store.Originator(t.Context(), heloc.OriginatorID(h.People["piotr"].OriginatorUUID))
	if err != nil {
		t.Fatal(err)
	}
	err = h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{
			ID: gone.UUID, Email: gone.Email, FirstName: gone.FirstName, LastName: gone.LastName, NMLS: gone.NMLS,
			Organization: there.Organization,
			Broker:       &heloc.BrokerCompany{ID: there.BrokerID, Name: there.BrokerName, NMLS: there.BrokerNMLS},
		}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	for who, v := range map[string]*webtest.Browser{"olivia": olivia, "piotr": piotr} {
		if got := v.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s opens it: got %d, want 404", who, got.Status)
		}
		for _, list := range []string{"/leads?view=all", "/leads?q=Rivera&view=all", "/leads.ics"} {
			if got := v.Get(list); strings.Contains(got.Body, string(app)) ||
				before.ShortID != "" && strings.Contains(got.Body, before.ShortID) {
				t.Errorf("%s sees it on %s", who, list)
			}
		}
		if got := v.Get("/team/unassigned"); got.Status != http.StatusForbidden {
			t.Errorf("%s at the queue: got %d, want 403", who, got.Status)
		}
	}
	after, err := h.Store.AnyLead(t.Context(), app)
	if err != nil || after.Originator != "" || after.Company != before.Company || after.Revision <= before.Revision {
		t.Errorf("got %q of %s at %d, %v, want it unassigned in the same company, with a new revision",
			after.Originator, after.Company, after.Revision, err)
	}
	queue := maya.Get("/team/unassigned")
	queue.WantText("1 without an originator", "Elena Rivera")
	many := maya.Post("/reassignments", url.Values{"app": {string(app)}})
	many.WantText("Reassign leads", "Elena Rivera")
	h.WantAudited("system lead.unassign lead:" + string(app) + " done")
}

// TestTransferDraft_ShowsChangesByOthers transfers a draft from its assistant to an originator, to a colleague and
// back. Each of them sees what changed since they last saw it, and who changed it.
func TestTransferDraft_ShowsChangesByOthers(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	ada, olivia, marcus := h.SignInAs("ada"), h.SignInAs("olivia"), h.SignInAs("marcus")
	form := ada.IntakeForm("Rivera", "applicant.ssn", "123-45-6789")
	id := form.Values.Get("draft")
	hand := func(from *webtest.Browser, f webtest.Form, to string) {
		t.Helper()
		got := from.Send(webtest.Form{Action: "/drafts/" + id + "/hand",
			Values: f.With("draft.originator", h.People[to].OriginatorUUID).Values})
		if got.Path != "/drafts" || got.Status != http.StatusOK {
			t.Fatalf("transferred to %s: got %d at %s: %s", to, got.Status, got.Path, got.MainText())
		}
	}
	rows := func(v *webtest.Browser) (all []string) {
		t.Helper()
		v.Get("/leads/new?draft=" + id).Find("#changes tbody tr").Each(func(_ int, s *webtest.Selection) {
			all = append(all, strings.Join(s.Find("td").Map(func(_ int, cell *webtest.Selection) string { return cell.Text() }),
				" "))
		})
		return all
	}
	hand(ada, form, "olivia")
	inbox := olivia.Get("/notifications")
	inbox.WantText("A draft was transferred to you", "By Ada Assist.")
	link := inbox.Find("table.notices a").First().AttrOr("href", "")
	if link != "/leads/new?draft="+id || inbox.Find("#bell .count").Text() != "1" {
		t.Errorf("the entry links to %q with %q unread, want the draft, unread", link, inbox.Find("#bell .count").Text())
	}
	if got := rows(olivia); len(got) != 0 {
		t.Errorf("right after the transfer: got changes %q", got)
	}
	if n := olivia.Get("/notifications").Find("tr.unread").Length(); n != 0 {
		t.Errorf("after opening the draft: got %d unread, want none", n)
	}
	typed := olivia.Get("/leads/new?draft="+id).Form("#intake").
		With("amountWanted", "75,000", "property.propertyType", "SECONDARY")
	hand(olivia, typed, "marcus")
	if n := len(olivia.NotificationTitles()); n != 1 {
		t.Errorf("got %d notifications, want only the previous one", n)
	}
	if got := olivia.Get("/notifications").Find("table.notices a").Length(); got != 0 {
		t.Error("another user's draft is still linked")
	}
	if got, want := rows(marcus), []string{"Requested amount 60,000 75,000 Olivia Bennett",
		"Occupancy Primary Secondary Olivia Bennett"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("marcus sees %q, want %q", got, want)
	}
	typed = marcus.Get("/leads/new?draft="+id).Form("#intake").
		With("amountWanted", "90,000", "applicant.name.firstName", "Elen")
	hand(marcus, typed, "olivia")
	back := olivia.Get("/leads/new?draft=" + id)
	back.WantText("Prepared by Ada Assist.", "Transferred by Marcus Reyes, today", "since you transferred it")
	if got, want := rows(olivia), []string{"Requested amount 75,000 90,000 Marcus Reyes",
		"First name Elena Elen Marcus Reyes"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("olivia sees %q, want %q", got, want)
	}
	if webtest.HasDigits(back.Body, "6789") {
		t.Error("the page contains an SSN")
	}
	if n := len(olivia.NotificationTitles()); n != 2 {
		t.Errorf("transferred back: got %d notifications, want one more", n)
	}
	back.WantText("A second home isn’t where the borrower lives.")
	sent := olivia.Send(back.Form("#intake").With(webtest.OtherHome("applicant.name.firstName", "Elena",
		"consent.attested", "true", "consent.method", "recorded-call")...))
	olivia.Get(sent.Path + "/activity").WantText("Prepared by Ada Assist, changed by Olivia Bennett before it was sent.")
}
