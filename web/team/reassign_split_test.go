package team_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// addColleague adds an originator of Olivia's company, with an account.
func addColleague(h *webtest.Harness, key, first, last string) {
	h.T.Helper()
	olivia := h.People["olivia"]
	id := fmt.Sprintf("0f0e0d0c-0000-4000-8000-0000000009%02d", len(h.People))
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(h.T.Context(), heloc.Originator{
			ID: heloc.OriginatorID(id), Email: key + "@summit.test", FirstName: first, LastName: last,
			NMLS: "19" + strconv.Itoa(len(h.People)), Organization: olivia.Organization,
			Broker: &heloc.BrokerCompany{ID: olivia.BrokerID, Name: olivia.BrokerName},
		}, time.Now())
	}))
	h.AddUser(key, access.Actor{
		Name: first + " " + last, Email: key + "@summit.test", Role: access.Originator, BrokerID: olivia.BrokerID,
		BrokerName: olivia.BrokerName, Organization: olivia.Organization, OriginatorUUID: id,
		OriginatorName: first + " " + last,
	})
}

// addLeads writes leads of an originator into the portal only, in these states; the lender does not know them.
func addLeads(h *webtest.Harness, owner string, states ...string) []string {
	h.T.Helper()
	var apps []string
	actor := h.People["olivia"]
	for i, state := range states {
		app := heloc.AppID(fmt.Sprintf("0f0e0d0c-0000-4000-9000-%012d", len(state)*1000+i))
		h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
			return tx.AddLead(h.T.Context(), &lead.Row{
				App: app, ShortID: fmt.Sprintf("1-26320-%03d", i), Originator: heloc.OriginatorID(owner), Company: actor.BrokerID,
				Organization: actor.Organization, State: state, City: "Town", Step: heloc.StepOffersAvailable,
				StepSince: store.Millis(time.Now()), RefreshAt: store.Millis(time.Now().AddDate(1, 0, 0)),
			}, time.Now())
		}))
		apps = append(apps, string(app))
	}
	return apps
}

func setLicense(h *webtest.Harness, who, state string, may bool) {
	h.T.Helper()
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		return tx.SaveLicense(h.T.Context(), lead.License{Holder: h.People[who].OriginatorUUID, State: state,
			Party: lead.PartyOriginator, Allowed: may, SetBy: "admin"})
	}))
}

func idsOf(h *webtest.Harness, people ...string) []string {
	var ids []string
	for _, who := range people {
		ids = append(ids, h.People[who].OriginatorUUID)
	}
	return ids
}

// destinations returns where each listed lead would go, in the order of the page.
func destinations(page *webtest.Response) []string {
	var all []string
	page.Find(".planned tbody tr").Each(func(_ int, row *webtest.Selection) {
		to := row.Find(".c-to select option[selected]")
		if to.Length() == 0 {
			to = row.Find(".c-to")
		}
		all = append(all, strings.Join(strings.Fields(to.Text()), " "))
	})
	return all
}

func TestReassignList_AllThatMatch_AcrossPages(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addLeads(h, h.People["olivia"].OriginatorUUID, slices.Repeat([]string{"ID"}, 60)...)
	maya := h.SignInAs("maya")
	list := maya.Get("/leads?view=all&state=ID")
	if got := strings.TrimSpace(list.Find("#many .every").Text()); got != "All 60 that match" {
		t.Fatalf("the bar offers %q, want all 60", got)
	}
	form := list.Form("form#many")
	var rows []string
	list.Find(".pick").Each(func(_ int, s *webtest.Selection) { rows = append(rows, s.AttrOr("value", "")) })
	form.Values["app"] = rows
	if got := maya.Send(form).Find(".planned tbody tr").Length(); got != 50 {
		t.Errorf("without the choice: got %d leads, want the 50 of the page", got)
	}
	all := maya.Send(form.With("match", "all"))
	if got := all.Find(".planned tbody tr").Length(); got != 60 {
		t.Errorf("all that match: got %d leads, want 60", got)
	}
	all.WantText("60 of 60 can be reassigned", "60 selected", "Current originator: Olivia Bennett")
	// Without script a row can be unchecked while the choice is still checked.
	form.Values["app"] = rows[:49]
	if got := maya.Send(form.With("match", "all")).Find(".planned tbody tr").Length(); got != 49 {
		t.Errorf("one row unchecked: got %d leads, want 49", got)
	}
	page := maya.Get("/reassignments?view=all&state=ID")
	if got := page.Find(".planned tbody tr").Length(); got != 60 {
		t.Errorf("the page of the list: got %d leads, want 60", got)
	}
	if got := h.SignInAs("piotr").Get("/reassignments?view=all&state=ID&originator=" +
		h.People["olivia"].OriginatorUUID); got.Find(".planned").Length() != 0 {
		t.Error("another company sees the leads")
	}
	if got := maya.Get("/reassignments"); got.Find(".planned").Length() != 0 {
		t.Error("without a list, leads are selected")
	} else {
		got.WantText("No leads selected")
	}
}

func TestReassignList_MoreThanLimit_RefusedWithNumber(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addLeads(h, h.People["olivia"].OriginatorUUID, slices.Repeat([]string{"ID"}, 203)...)
	maya := h.SignInAs("maya")
	list := maya.Get("/leads?view=all")
	list.WantText("More than 200 match. You can reassign up to 200 at a time.")
	if list.Find(`#many [name="match"]`).Length() != 0 {
		t.Error("the bar offers more than a run accepts")
	}
	for what, got := range map[string]*webtest.Response{
		"the page": maya.Get("/reassignments?view=all"),
		"the form": maya.Post("/reassignments", url.Values{"match": {"all"}, "list": {"view=all"},
			"newLoanOriginatorUuid": idsOf(h, "marcus"), "confirm.reassign": {"true"}}),
	} {
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.MainText(), "203 leads match") {
			t.Errorf("%s: got %d %q, want 422 with the number", what, got.Status, got.MainText())
		}
	}
	if h.LenderCallCount("/reassign") != 0 {
		t.Error("leads were reassigned")
	}
}

func TestReassignTargets_LicensedFirstThenOpenLeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addColleague(h, "uma", "Uma", "Castillo")
	addColleague(h, "grace", "Grace", "Liu")
	addColleague(h, "tom", "Tom", "Okafor")
	addColleague(h, "kira", "Kira", "Eriksen")
	apps := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ", "FL")
	addLeads(h, h.People["uma"].OriginatorUUID, "AZZ", "AZZ")
	for _, l := range []struct {
		who, state string
		may        bool
	}{{"uma", "AZ", true}, {"uma", "FL", true}, {"grace", "AZ", true}, {"grace", "FL", true}, {"tom", "FL", true},
		{"kira", "AZ", false}, {"kira", "FL", false}} {
		setLicense(h, l.who, l.state, l.may)
	}
	maya := h.SignInAs("maya")
	page := maya.Post("/reassignments", url.Values{"app": apps})
	var names []string
	page.Find(".target .nm2 b").Each(func(_ int, s *webtest.Selection) { names = append(names, s.Text()) })
	if want := "Grace Liu, Uma Castillo, Tom Okafor, Marcus Reyes, " +
		"Maya Lindqvist, "; !strings.HasPrefix(strings.Join(names, ", "), want) || len(names) != 12 {
		t.Errorf("got %q, want the first 12, beginning with %q", names, want)
	}
	if got := page.Find(".targets .grp").Last().Text(); !strings.HasPrefix(got, "First 12 of ") {
		t.Errorf("got %q, want how many there are", got)
	}
	if slices.Contains(names, "Olivia Bennett") {
		t.Error("the originator of all leads can be chosen")
	}
	kira := maya.Post("/reassignments", url.Values{"app": apps, "q": {"kira"}, "find": {"true"}}).
		Find("#target-" + h.People["kira"].OriginatorUUID)
	if !strings.Contains(kira.Text(), "Not licensed: AZ, FL") || kira.Find("input[disabled]").Length() != 1 {
		t.Errorf("not licensed anywhere: got %q, want it disabled with the reason", kira.Text())
	}
	if got := page.Find("#target-" + h.People["tom"].OriginatorUUID).
		Text(); !strings.Contains(got, "No license on file: AZ") || !strings.Contains(got, "Never signed in") {
		t.Errorf("got %q, want the missing state and the availability", got)
	}
	if got := page.Find("#target-" + h.People["uma"].OriginatorUUID + " .n").Text(); !strings.Contains(got, "2 open") {
		t.Errorf("got %q, want the open leads", got)
	}
	// Colleagues do not see each other's load and activity.
	if got := h.SignInAs("olivia").Post("/reassignments",
		url.Values{"app": apps}); strings.Contains(got.Find(".targets").Text(), "open") ||
		strings.Contains(got.Find(".targets").Text(), "signed in") {
		t.Errorf("an originator sees the team's load: %q", got.Find(".targets").Text())
	}
}

func TestReassignReview_ShowsWhoGetsWhichLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addColleague(h, "uma", "Uma", "Castillo")
	apps := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ", "FL", "AZ", "NH")
	setLicense(h, "marcus", "AZ", true)
	setLicense(h, "uma", "FL", true)
	setLicense(h, "uma", "AZ", true)
	maya := h.SignInAs("maya")
	form := url.Values{"app": apps, "newLoanOriginatorUuid": idsOf(h, "marcus", "uma"), "split": {"license"},
		"dry": {"true"}}
	page := maya.Post("/reassignments", form)
	if got, want := destinations(page), []string{"Marcus Reyes", "Uma Castillo",
		"Marcus Reyes"}; !slices.Equal(got[:3], want) {
		t.Errorf("by license: got %q, want %q", got, want)
	}
	page.WantText("4 selected: 2 to Marcus Reyes, 1 to Uma Castillo",
		"None of the originators you chose has a license on file in the property’s state", "3 of 4 ready to reassign",
		"Licensed in AZ", "1 lead can’t be reassigned. Each new originator gets one notification. "+
			"You can undo for 15 minutes.")
	form.Set("split", "even")
	even := maya.Post("/reassignments", form)
	even.WantText("4 selected: 2 to Marcus Reyes, 2 to Uma Castillo", "Even split · No license on file: NH")
	form["assign."+apps[0]] = idsOf(h, "uma")
	form["app"] = apps[:3]
	form["listed"] = apps
	chosen := maya.Post("/reassignments", form)
	chosen.WantText("3 selected", "Your choice · Licensed in AZ", "Not selected")
	if got := destinations(chosen)[0]; got != "Uma Castillo" {
		t.Errorf("the chosen one: got %q, want Uma", got)
	}
	if again := chosen.Form("form#form-many"); len(again.Values["app"]) != 3 || len(again.Values["listed"]) != 4 ||
		again.Values.Get("assign."+apps[0]) != h.People["uma"].OriginatorUUID {
		t.Errorf("the form lost its choices: %v", again.Values)
	}
	if h.LenderCallCount("/reassign") != 0 {
		t.Error("a preview reassigned leads")
	}
	r := maya.Request(http.MethodPost, "/reassignments",
		url.Values{"app": apps, "newLoanOriginatorUuid": idsOf(h, "marcus"), "confirm.reassign": {"true"}}, nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("HX-Request-Type", "partial")
	if got := maya.Do(r); got.Find("#review").Length() != 1 || got.Find("html head title").Length() != 0 ||
		h.LenderCallCount("/reassign") != 0 {
		t.Errorf("a fragment: got %d at %s, want only a preview", got.Status, got.Path)
	}
}

// TestReassignReview_ChangedSince_Rejected: between the preview and its confirmation, a license was withdrawn.
func TestReassignReview_ChangedSince_Rejected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addColleague(h, "uma", "Uma", "Castillo")
	apps := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ", "FL")
	maya := h.SignInAs("maya")
	page := maya.Post("/reassignments", url.Values{"app": apps, "newLoanOriginatorUuid": idsOf(h, "marcus", "uma"),
		"dry": {"true"}})
	form := page.Form("form#form-many").With("confirm.reassign", "true")
	setLicense(h, "marcus", "AZ", false)
	setLicense(h, "marcus", "FL", false)
	got := maya.Send(form)
	if got.Status != http.StatusConflict {
		t.Fatalf("got %d at %s, want 409", got.Status, got.Path)
	}
	got.WantText("Something changed since this preview", "0 to Marcus Reyes, 2 to Uma Castillo")
	if again := maya.Send(got.Form("form#form-many")); !strings.HasPrefix(again.Path, "/reassignments/") {
		t.Errorf("the new preview confirmed: got %d at %s", again.Status, again.Path)
	}
}
