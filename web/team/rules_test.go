package team_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// rulesForm returns the form of the rules as the page offers it, with these people with one share each in the first
// rule, and this limit.
func rulesForm(h *webtest.Harness, page *webtest.Response, limit string, people ...string) webtest.Form {
	form := page.Form("#form-rules")
	form.Values["rule.0.person"] = []string{""} // browsers send those who do not take part, too
	for _, who := range people {
		form.Values.Add("rule.0.person", h.People[who].UserID+" 1")
	}
	form.Values.Set("active", "true")
	form.Values.Set("limit", limit)
	return form
}

// chosenShares counts the people who take part in a rule of the form.
func chosenShares(page *webtest.Response, rule string) int {
	return page.Find(`#form-rules select[name="` + rule + `.person"] option[selected]`).
		FilterFunction(func(_ int, o *webtest.Selection) bool { return o.AttrOr("value", "") != "" }).Length()
}

func TestRules_Manager_SetsPausesResumes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	maya.Get("/team/unassigned").WantText("Assignment rules: off")
	page := maya.Get("/team/rules")
	page.WantText("Off", "Unassigned leads wait until someone assigns them.", "Olivia Bennett", "Marcus Reyes",
		"No assignments by rule.")
	if chosenShares(page, "rule.0") != 0 || page.Find(`#form-rules input[name="active"]:checked`).Length() != 0 {
		t.Error("something is chosen before anybody chose")
	}
	if text := page.MainText(); strings.Contains(text, "Piotr") {
		t.Error("a person of another company is offered")
	}

	for limit, name := range map[string]string{"0": "limit", "2.5": "limit", "many": "limit", "-3": "limit"} {
		wrong := maya.Send(rulesForm(h, page, limit, "olivia"))
		if wrong.Status != 422 || wrong.Find(`input[name="limit"]`).AttrOr("value", "") != limit ||
			chosenShares(wrong, "rule.0") != 1 {
			t.Errorf("limit %q: got %d, want 422 at %s with what was typed", limit, wrong.Status, name)
		}
	}
	none := maya.Send(rulesForm(h, page, ""))
	if none.WantText("Choose at least one person"); none.Status != 422 {
		t.Errorf("nobody: got %d", none.Status)
	}
	if other := maya.Send(rulesForm(h, page, "", "piotr")); other.Status != 422 {
		t.Errorf("a person of another company: got %d, want 422", other.Status)
	}

	saved := maya.Send(rulesForm(h, page, "12", "olivia", "marcus"))
	saved.WantText("On", "assigned automatically, in your name", "Last changed by you")
	if saved.Find(`input[name="limit"]`).AttrOr("value", "") != "12" ||
		chosenShares(saved, "rule.0") != 2 {
		t.Errorf("the rules are not shown as they were saved: %s", saved.MainText())
	}
	maya.Get("/team/unassigned").WantText("Assignment rules: on")
	paused := maya.Send(saved.Form("#status form"))
	paused.WantText("Paused since", "by you", "Nothing is assigned")
	if chosenShares(paused, "rule.0") != 2 {
		t.Error("a pause does not keep the settings")
	}
	maya.Get("/team/unassigned").WantText("Assignment rules: paused")
	if again := maya.Send(rulesForm(h, paused, "13", "olivia")); !strings.Contains(again.MainText(), "Paused since") {
		t.Error("saving paused rules resumed them")
	}
	maya.Send(paused.Form("#status form")).WantText("in your name", "Last changed by you")
}

// TestRules_Errors_NamedAsLabeled saves rules with a limit that is no number, and without anybody.
func TestRules_Errors_NamedAsLabeled(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	maya.Send(rulesForm(h, maya.Get("/team/rules"), "many", "olivia")).
		WantText("1 field needs attention: Most open leads per person")
	maya.Send(rulesForm(h, maya.Get("/team/rules"), "")).WantText("1 field needs attention: 1st rule, who takes part")
	maya.Send(rulesForm(h, maya.Get("/team/rules"), "many")).
		WantText("2 fields need attention: 1st rule, who takes part, Most open leads per person")
}

func TestRules_NotManager_Forbidden(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	for _, who := range []string{"olivia", "ada", "admin"} {
		if h.People[who].UserID == "" {
			continue
		}
		b := h.SignInAs(who)
		if got := b.Get("/team/rules"); got.Status != 403 {
			t.Errorf("%s: got %d, want 403", who, got.Status)
		}
		for _, path := range []string{"/team/rules", "/team/rules/pause", "/team/rules/resume", "/team/rules/dry-run"} {
			form := url.Values{"active": {"true"}, "rule.0.person": {h.People["olivia"].UserID + " 1"}}
			if got := b.Post(path, form); got.Status != 403 {
				t.Errorf("%s, POST %s: got %d, want 403", who, path, got.Status)
			}
		}
	}
	rules, err := h.Store.AssignmentRules(t.Context(), "org:")
	if err != nil || rules.Active {
		t.Errorf("got %+v, %v", rules, err)
	}
}

// addRuleDecision stores a decision of the rules about a lead, with the row of its job.
func addRuleDecision(h *webtest.Harness, id, app, to string, row lead.JobRow, why string) {
	h.T.Helper()
	maya, who := h.People["maya"], h.People[to]
	company := store.UserScopeOf(maya.Actor).Company
	row.JobID, row.App, row.Target = "job-"+id, heloc.AppID(app), heloc.OriginatorID(who.OriginatorUUID)
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		job := lead.Job{ID: row.JobID, Kind: lead.JobRule, ActorID: maya.UserID, Company: company, Sealed: []byte{},
			CreatedAt: store.Millis(time.Now()), EndedAt: 1}
		if err := tx.AddJob(h.T.Context(), job, []lead.JobRow{row}); err != nil {
			return err
		}
		return tx.AddRuleAssignment(h.T.Context(), lead.RuleAssignment{
			ID: id, Company: company, App: row.App, UserID: who.UserID, Originator: row.Target, JobID: row.JobID,
			SetBy: maya.UserID, Why: why, At: store.Millis(time.Now()),
		})
	}))
}

func TestRules_WaitingAndLog_SayWhy(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	apps := addLeads(h, "", "TX", "NV", "CO")
	setLicense(h, "olivia", "TX", false)
	setLicense(h, "marcus", "TX", false)
	maya.Send(rulesForm(h, maya.Get("/team/rules"), "", "olivia", "marcus"))
	skipped := `{"skipped":[{"user":"` + h.People["marcus"].UserID + `","reason":"absent","until":"2026-11-30"},` +
		`{"user":"gone","reason":"limit","open":20}],"state":"NV","unlicensed":true}`
	addRuleDecision(h, "01", apps[1], "olivia",
		lead.JobRow{State: lead.JobRowStopped, ShortID: "1-1", Reason: "The rules were paused or changed first. " +
			"Nothing was sent."}, skipped)
	licensed := `{"skipped":[{"user":"` + h.People["marcus"].UserID + `","reason":"limit","open":22,"licensed":true},` +
		`{"user":"gone","reason":"absent","until":"2026-11-30"}],"state":"WA","unlicensed":true}`
	addRuleDecision(h, "00", apps[1], "maya",
		lead.JobRow{State: lead.JobRowStopped, ShortID: "1-2", Reason: "Nothing was sent."}, licensed)
	page := maya.Get("/team/rules")
	page.WantText(
		"No one can take it: Marcus Reyes isn’t licensed in TX, Olivia Bennett isn’t licensed in TX.",
		"Its assignment to Olivia Bennett was stopped", "The rules try again after",
		"Next in turn; 2 were skipped: Marcus Reyes is absent through Nov 30, 2026, "+
			"A former user has reached the limit with 20 open leads. No license on file in NV.",
		"No one with a license on file in WA was available: Marcus Reyes has reached the limit with 22 open leads. "+
			"Next in turn among the others; 1 was skipped: A former user is absent through Nov 30, 2026. "+
			"No license on file in WA.",
		"Not assigned", "The rules were paused or changed first. Nothing was sent.",
	)
	if n := page.Find("#waiting tbody tr").Length(); n != 2 {
		t.Errorf("%d leads wait, want 2: the one in Colorado can be assigned", n)
	}
	h.Must(h.Store.DisableUser(t.Context(), h.People["marcus"].UserID))
	maya.Get("/team/rules").WantText("No longer able to get leads here: Marcus Reyes.",
		"Marcus Reyes has no active account here")
}

func TestRules_PausedByPortal_SaysWhy(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	company := store.UserScopeOf(h.People["maya"].Actor).Company
	for why, want := range map[lead.RulePauseReason]string{
		lead.RulePauseAccount: "Olivia Bennett, in whose name leads were assigned, no longer has an active account.",
		lead.RulePauseCompany: "Olivia Bennett, in whose name leads were assigned, is no longer at this company.",
		lead.RulePauseRole: "Olivia Bennett, in whose name leads were assigned, " +
			"no longer has a role that can assign the company’s leads.",
	} {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SaveAssignmentRules(t.Context(), lead.AssignmentRules{
				Company: company, Active: true, SetBy: h.People["olivia"].UserID, SetAt: 1, PausedAt: store.Millis(time.Now()),
				PauseReason: why, Rules: []lead.AssignmentRule{{
					People: []lead.RuleShare{{UserID: h.People["marcus"].UserID, Weight: 1}}}},
			})
		}))
		maya.Get("/team/rules").WantText("Paused since", "automatically", want,
			"Once you resume, leads are assigned in your name.")
	}
}

func TestRules_Log_Pages(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	app := addLeads(h, "", "NV")[0]
	for i := range 30 {
		addRuleDecision(h, string(rune('A'+i/10))+string(rune('0'+i%10)), app, "olivia",
			lead.JobRow{State: lead.JobRowStopped, ShortID: "1-1"}, `{}`)
	}
	first := maya.Get("/team/rules")
	next := maya.Get(first.Find(`#log .foot a[href*="after="]`).AttrOr("href", ""))
	if a, b := first.Find("#log tbody tr").Length(), next.Find("#log tbody tr").Length(); a != 25 || b != 5 {
		t.Errorf("got %d and %d rows, want 25 and 5", a, b)
	}
	if first.Find(`#log .foot a:contains("First page")`).Length() != 0 {
		t.Error("the first page links to itself")
	}
	again := maya.Get(next.Find(`#log .foot a:contains("First page")`).AttrOr("href", ""))
	if n := again.Find("#log tbody tr").Length(); again.Path != "/team/rules" || n != 25 {
		t.Errorf("the link to the first page leads to %s with %d rows, want 25", again.Path, n)
	}
}

// TestRules_Log_SaysWhoGotItAndResult reads decisions that the lender accepted, refused and never got, and one about a
// lead that has moved to another company since.
func TestRules_Log_SaysWhoGotItAndResult(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	apps := addLeads(h, "", "NV", "CO", "AZ", "WA")
	h.EditLead(heloc.AppID(apps[0]), func(l *lead.Row) {
		l.Originator = heloc.OriginatorID(h.People["olivia"].OriginatorUUID)
	})
	piotr := h.People["piotr"]
	h.EditLead(heloc.AppID(apps[3]), func(l *lead.Row) {
		l.Originator, l.Company = heloc.OriginatorID(piotr.OriginatorUUID), piotr.BrokerID
	})
	for i, verdict := range []lead.OpState{lead.OpSucceeded, lead.OpRejected, "", lead.OpSucceeded} {
		row := lead.JobRow{State: lead.JobRowStopped, ShortID: "1-" + strconv.Itoa(i), Reason: "Nothing was sent."}
		if verdict != "" {
			row = lead.JobRow{State: lead.JobRowSent, ShortID: row.ShortID, OpID: "hl-" + strconv.Itoa(i)}
			h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.AddOperation(t.Context(), lead.Operation{ID: row.OpID, Kind: heloc.OpReassign, App: heloc.AppID(apps[i]),
					State: verdict, CreatedAt: store.Millis(time.Now())})
			}))
		}
		addRuleDecision(h, "0"+strconv.Itoa(i), apps[i], []string{"olivia", "marcus", "olivia", "marcus"}[i], row, `{}`)
	}
	rows := maya.Get("/team/rules").Find("#log tbody tr")
	for i, want := range []struct{ lead, to, result string }{
		{"", "Olivia Bennett", "Assigned"}, {"", "Marcus Reyes", "Refused by the lender"},
		{"", "Olivia Bennett", "Not assigned"}, {"A lead you can’t open", "Marcus Reyes", ""},
	} {
		row := rows.Eq(3 - i) // latest first
		text, link := textOf(row), row.Find("a.nm").AttrOr("href", "")
		if to := textOf(row.Find(`[data-of="Assigned to"]`)); to != want.to ||
			!strings.Contains(text, "1-"+strconv.Itoa(i)) || !strings.Contains(textOf(row.Find("td").Last()), want.result) {
			t.Errorf("got the row %q, want %s for %s", text, want.result, want.to)
		}
		if accessible := want.lead == ""; accessible && link != "/leads/"+apps[i] ||
			!accessible && (link != "" || !strings.Contains(text, want.lead)) {
			t.Errorf("the row %q links to %q", text, link)
		}
	}
}

// TestRules_LongQueue_ListedInParts lists leads that nobody can get, more than a part of the queue has.
func TestRules_LongQueue_ListedInParts(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	states := make([]string, 120)
	for i := range states {
		states[i] = "TX"
	}
	addLeads(h, "", states...)
	setLicense(h, "olivia", "TX", false)
	maya.Send(rulesForm(h, maya.Get("/team/rules"), "", "olivia"))
	listed, parts := map[string]bool{}, 0
	for path := "/team/rules?after=~"; path != ""; parts++ {
		page := maya.Get(path)
		page.Find("#waiting tbody a").Each(func(_ int, a *webtest.Selection) { listed[a.AttrOr("href", "")] = true })
		if first := page.Find(`#waiting nav a:contains("First page")`).AttrOr("href", ""); (first != "") != (parts > 0) {
			t.Errorf("part %d links to the first one at %q", parts, first)
		}
		if path = page.Find(`#waiting a[rel="next"]`).AttrOr("href", ""); path != "" && !strings.Contains(path, "after=~") &&
			!strings.Contains(path, "after=%7E") {
			t.Errorf("the next part forgets the page of the log: %s", path)
		}
	}
	if len(listed) != len(states) || parts < 2 {
		t.Errorf("%d parts list %d leads, want all %d", parts, len(listed), len(states))
	}
}

// TestRules_SeveralRules_ConditionsKeptMovedRemoved sets two rules, moves the second before the first, and removes it.
func TestRules_SeveralRules_ConditionsKeptMovedRemoved(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	olivia, marcus := h.People["olivia"].UserID, h.People["marcus"].UserID
	page := maya.Get("/team").Find(`#team a[href="/team/rules"]`)
	if page.Length() != 1 {
		t.Errorf("the team page links %d times to the rules, want once, also when nothing is unassigned", page.Length())
	}
	one := maya.Send(rulesForm(h, maya.Get("/team/rules"), "", "olivia"))
	form := one.Form("#form-rules").With("rule.1.states", "co, Texas", "rule.1.source", "crm", "rule.1.from", "50k",
		"rule.1.to", "49,999")
	form.Values["rule.1.person"] = []string{"", marcus + " 3"}
	maya.Send(form).WantText("1 field needs attention: 2nd rule, highest amount",
		"Enter an amount that isn’t below the lowest amount")
	maya.Send(form.With("rule.1.to", "", "rule.1.states", "TX CO")).WantText("2nd rule, property states")
	two := maya.Send(form.With("rule.1.to", ""))
	want := func(page *webtest.Response, rule, states, source, from, person string) {
		t.Helper()
		f := page.Form("#form-rules")
		if got := f.Values; got.Get(rule+".states") != states || got.Get(rule+".source") != source ||
			strings.ReplaceAll(got.Get(rule+".from"), ",", "") != from ||
			!strings.Contains(strings.Join(got[rule+".person"], ","), person) {
			t.Errorf("%s: got %v", rule, got)
		}
	}
	want(two, "rule.1", "CO, TX", "crm", "50000", marcus+" 3")
	moved := maya.Send(two.Form("#form-rules").With("rule.1.position", "1"))
	want(moved, "rule.0", "CO, TX", "crm", "50000", marcus+" 3")
	want(moved, "rule.1", "", "", "", olivia+" 1")
	left := maya.Send(moved.Form("#form-rules").With("rule.0.position", "remove"))
	want(left, "rule.0", "", "", "", olivia+" 1")
	if chosenShares(left, "rule.1") != 0 || left.Find(`[name="rule.1.position"]`).Length() != 0 {
		t.Error("the removed rule is still there")
	}
}

// TestRules_DryRun_ShowsByPersonWhyAndWritesNothing tries rules that are not saved on leads in three states.
func TestRules_DryRun_ShowsByPersonWhyAndWritesNothing(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	empty := rulesForm(h, maya.Get("/team/rules"), "", "olivia")
	empty.Action = "/team/rules/dry-run"
	maya.Send(empty).WantText("No lead was without an originator in the last 30 days.")
	apps := addLeads(h, "", "TX", "NV", "CO")
	setLicense(h, "olivia", "CO", true)
	setLicense(h, "marcus", "TX", true)
	setLicense(h, "olivia", "NV", false)
	form := rulesForm(h, maya.Get("/team/rules"), "1", "olivia", "marcus")
	form.Action = "/team/rules/dry-run"
	if bad := maya.Send(form.With("limit", "x")); bad.Status != 422 || bad.Find("#trial").Length() != 0 {
		t.Errorf("a limit that is no number: got %d", bad.Status)
	}
	before := h.Stored()["a column"]
	page := maya.Send(form)
	if after := h.Stored()["a column"]; after != before {
		t.Error("the trial wrote something")
	}
	page.WantText("Who would have gotten each lead", "tried on 3 leads", "Nothing was saved or assigned.")
	got := map[string]string{}
	page.Find("#trial table").Each(func(_ int, table *webtest.Selection) {
		table.Find("tbody tr").Each(func(_ int, row *webtest.Selection) {
			who, _, _ := strings.Cut(textOf(table.Find("caption")), ",")
			got[row.Find("a").AttrOr("href", "")] = who + ": " + textOf(row.Find(`[data-of="Why"]`))
		})
	})
	for i, want := range []string{"Marcus Reyes: Next in turn",
		"No one: No one can take it: Olivia Bennett isn’t licensed in NV, " +
			"Marcus Reyes has reached the limit with 1 open lead.", "Olivia Bennett: Next in turn"} {
		if !strings.HasPrefix(got["/leads/"+apps[i]], want) {
			t.Errorf("lead %d: got %q, want %q", i, got["/leads/"+apps[i]], want)
		}
	}
	if chosenShares(page, "rule.0") != 2 || page.Find(`input[name="limit"]`).AttrOr("value", "") != "1" {
		t.Error("the form is not shown as it was typed")
	}
	if text := maya.Get("/team/rules").MainText(); strings.Contains(text, "Who would have gotten each lead") ||
		!strings.Contains(text, "Unassigned leads wait until someone assigns them.") {
		t.Error("the trial set the rules")
	}
}
