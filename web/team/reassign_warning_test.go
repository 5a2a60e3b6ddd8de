package team_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestReassignReview_NoLicenseOrAccount_CountedInAmber: the bar that confirms says how many leads go to somebody
// without a license on file, and how many to somebody without an account, also to users who do not see the team.
func TestReassignReview_NoLicenseOrAccount_CountedInAmber(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addColleague(h, "uma", "Uma", "Castillo")
	apps := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ", "AZ", "FL", "FL")
	setLicense(h, "marcus", "AZ", true)
	setLicense(h, "uma", "AZ", true)
	none := withoutAccount(h)
	for _, who := range []string{"maya", "olivia"} {
		user := h.SignInAs(who)
		warning := func(to ...string) string {
			page := user.Post("/reassignments", url.Values{"app": apps, "newLoanOriginatorUuid": to, "dry": {"true"}})
			return page.Find(".selection-bar .late").Text()
		}
		for _, c := range []struct {
			to   []string
			want string
		}{
			{idsOf(h, "marcus", "uma"), "2 leads go to someone without a license on file."},
			{
				append(idsOf(h, "marcus"), none),
				"2 leads go to someone without a license on file. 2 leads go to someone without an account.",
			},
			{[]string{none}, "4 leads go to someone without a license on file. 4 leads go to someone without an account."},
		} {
			if got := warning(c.to...); got != c.want {
				t.Errorf("%s: got %q, want %q", who, got, c.want)
			}
		}
		setLicense(h, "marcus", "FL", true)
		if got := warning(idsOf(h, "marcus", "uma")...); got != "" {
			t.Errorf("%s: everybody is licensed: got %q, want no warning", who, got)
		}
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.DropLicense(t.Context(), h.People["marcus"].OriginatorUUID, "FL")
		}))
	}
}

// withoutAccount returns an originator of Olivia's company who has no account.
func withoutAccount(h *webtest.Harness) string {
	h.T.Helper()
	olivia := h.People["olivia"]
	all, err := h.Store.AllOriginators(h.T.Context())
	h.Must(err)
	for _, o := range all {
		taken := func(id string) bool { return id == string(o.UUID) }
		if o.BrokerID == olivia.BrokerID && !slices.ContainsFunc(idsOf(h, "olivia", "marcus", "maya", "uma"), taken) {
			return string(o.UUID)
		}
	}
	h.T.Fatal("everybody has an account")
	return ""
}

// TestReassign_Targets_LicensedFirstBarredLast: the originators for one lead are in the order of those for many, and
// nobody can choose one who is not licensed.
func TestReassign_Targets_LicensedFirstBarredLast(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	addColleague(h, "zoe", "Zoe", "Young")
	app := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ")[0]
	setLicense(h, "zoe", "AZ", true)
	setLicense(h, "marcus", "AZ", false)
	page := h.SignInAs("maya").Get("/leads/" + app + "/reassign")
	radios := page.Find(`#form-reassign input[name="newLoanOriginatorUuid"]`)
	first, last := radios.First(), radios.Last()
	if got := first.AttrOr("value", ""); got != h.People["zoe"].OriginatorUUID {
		t.Errorf("the first one: got %q, want Zoe, who is licensed: %s", got, first.Parent().Text())
	}
	got, barred := last.AttrOr("value", ""), last.Filter("[disabled]").Length() == 1
	if got != h.People["marcus"].OriginatorUUID || !barred {
		t.Errorf("the last one: got %q, want Marcus, who is not licensed, disabled: %s", got, last.Parent().Text())
	}
	if n := radios.Filter("[disabled]").Length(); n != 1 {
		t.Errorf("got %d who cannot be chosen, want 1", n)
	}
	if second := radios.Eq(1).Parent().Text(); !strings.Contains(second, "Maya Lindqvist") {
		t.Errorf("the second one: got %q, want Maya, who has an account", second)
	}
	if third := radios.Eq(2).Parent().Text(); !strings.Contains(third, "No account") {
		t.Errorf("the third one: got %q, want somebody without an account", third)
	}
}

// TestReassign_AccountDisabled_NobodyCanChoose: a lead of somebody whose account is disabled would only become
// unassigned.
func TestReassign_AccountDisabled_NobodyCanChoose(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	app := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ")[0]
	setLicense(h, "marcus", "AZ", true)
	h.Must(h.Store.DisableUser(t.Context(), h.People["marcus"].UserID))
	marcus := h.People["marcus"].OriginatorUUID
	maya := h.SignInAs("maya")
	one := maya.Get("/leads/" + app + "/reassign?q=marcus")
	if one.Find(`input[value="`+marcus+`"]`).Length() != 0 || strings.Contains(one.MainText(), "Marcus Reyes") {
		t.Errorf("one lead: he is offered: %q", one.MainText())
	}
	many := maya.Post("/reassignments", url.Values{"app": {app}, "q": {"marcus"}, "find": {"true"}})
	if many.Find("#target-"+marcus).Length() != 0 {
		t.Errorf("many leads: he is offered: %q", many.Find(".targets").Text())
	}
	planned := maya.Post("/reassignments", url.Values{"app": {app}, "newLoanOriginatorUuid": {marcus}, "dry": {"true"}})
	planned.WantText("0 of 1 ready to reassign", "account is disabled")
	if h.LenderCallCount("/reassign") != 0 {
		t.Error("the lead was reassigned")
	}
}

// TestReassign_RoleWithoutLeads_NobodyCanChoose: the write would refuse every lead.
func TestReassign_RoleWithoutLeads_NobodyCanChoose(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	app := addLeads(h, h.People["olivia"].OriginatorUUID, "AZ")[0]
	setLicense(h, "marcus", "AZ", true)
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["maya"].Actor, h.People["marcus"].UserID, access.Assistant)
	}))
	many := h.SignInAs("maya").Post("/reassignments", url.Values{"app": {app}, "q": {"marcus"}, "find": {"true"}})
	if target := many.Find("#target-" + h.People["marcus"].OriginatorUUID); target.Length() != 0 {
		t.Errorf("he is offered: %q", target.Text())
	}
}

// TestReassign_EarlierUnsettled_SaysSo: the form names the reassignment that keeps it from being sent, or that it would
// repeat, with its receipt.
func TestReassign_EarlierUnsettled_SaysSo(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path := olivia.StartLead("Rivera")
	form := maya.ReassignForm(path, "marcus")
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{ErrorRate: 1}))
	receipt := maya.Send(form).Path
	for state, want := range map[string]string{
		"unknown":   "Reassignment: sent, not confirmed. Don’t reassign the lead again.",
		"absent":    "Reassignment: sent before, not found at the lender. Sending it again may submit it twice.",
		"abandoned": "Reassignment: sent before, marked as not received. Sending it again may submit it twice.",
		"confirmed": "",
	} {
		h.ExecSQL(`UPDATE operations SET state = ? WHERE kind = 'reassign'`, state)
		page := maya.Get(path + "/reassign")
		page.WantText(want)
		if n := page.Find(`main a[href="` + receipt + `"]`).Length(); (n == 1) != (want != "") {
			t.Errorf("%s: got %d links to the receipt %s: %s", state, n, receipt, page.MainText())
		}
	}
}
