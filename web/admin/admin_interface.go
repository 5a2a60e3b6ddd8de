package admin

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// interfacePage is what the portal uses of the lender's interface, and how that went.
func (s *Handlers) InterfacePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	in, err := d.Installation()
	if err != nil {
		return err
	}
	uses, err := in.Uses(r.Context())
	if err != nil {
		return err
	}
	view := views.TablesView{
		Admin:  s.Admin(r, "Interface", "Every endpoint of the lender, the method that calls it and where it is used. Counted since this process began."),
		Tables: []views.AdminTable{showUses(s.Viewer(r), uses)},
	}
	return s.Show(w, r, http.StatusOK, views.Tables(view))
}

func showUses(v format.Viewer, uses []desk.Use) views.AdminTable {
	t := views.AdminTable{
		ID: "endpoints", Title: "Endpoints", Sub: format.Counted(len(uses), "method", "methods"),
		Columns: []ui.Column{{Label: "Section"}, {Label: "Endpoint"}, {Label: "Method"}, {Label: "Used on"}, {Label: "Last call"}, {Label: "Calls", Class: "num"}, {Label: "Median", Class: "num"}, {Label: "Failed", Class: "num"}},
	}
	for _, u := range uses {
		endpoint := views.Cell{Text: u.Endpoint.Method + " " + u.Path, Code: true}
		if u.Deprecated {
			endpoint.Sub = "deprecated by the lender"
		}
		last, median, failed := "", "", ""
		if u.Calls > 0 {
			last, median = v.Age(u.Last), took(u.Median)
			failed = fmt.Sprintf("%.1f%%", 100*float64(u.Failed)/float64(u.Calls))
		}
		t.Rows = append(t.Rows, []views.Cell{
			{Text: u.Section}, endpoint, {Text: u.Func, Code: true}, {Text: words.UsedOn(u.Func)}, {Text: last},
			{Text: strconv.Itoa(u.Calls), Num: true}, {Text: median, Num: true}, {Text: failed, Num: true, Late: u.Calls > 0 && u.Failed*10 > u.Calls},
		})
	}
	return t
}

func took(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// healthPage is how the portal fares.
func (s *Handlers) HealthPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	in, err := d.Installation()
	if err != nil {
		return err
	}
	f, err := in.Fares(r.Context())
	if err != nil {
		return err
	}
	view := showHealth(s.Viewer(r), f)
	view.Admin = s.Admin(r, "Health", "How the portal fares at this moment.")
	return s.Show(w, r, http.StatusOK, views.Tables(view))
}

// unopenedNamed bounds the leads that are named because of their borrowers' names.
const unopenedNamed = 5

// showHealth maps it. Admin is the caller's.
func showHealth(v format.Viewer, f desk.Fares) views.TablesView {
	var view views.TablesView
	lender := "answers"
	if !f.LenderDown.IsZero() {
		lender = "has not answered since " + v.Since(f.LenderDown)
		view.Notes = append(view.Notes, ui.Notice{Kind: "fail", Icon: "cloud-off", Title: "The lender does not answer", Text: "since " + v.Since(f.LenderDown) + ". Lists and pages show what is known; nothing is sent twice."})
	}
	audit := "whole, " + strconv.FormatInt(f.Head.Seq-f.Base.Seq, 10) + " rows"
	if !f.Whole {
		audit = "broken at row " + strconv.FormatInt(f.Broken, 10)
		view.Notes = append(view.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert", Title: "The audit is broken", Text: "at row " + strconv.FormatInt(f.Broken, 10) + ": it was changed or cut there. Keep this database and its backups as they are, and compare."})
	}
	if n := len(f.Unopened); n > 0 {
		first := make([]string, 0, unopenedNamed)
		for _, app := range f.Unopened[:min(n, unopenedNamed)] {
			first = append(first, string(app))
		}
		view.Notes = append(view.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert", Title: format.Counted(n, "borrower’s name does not open", "borrowers’ names do not open"),
			Text: "Lead " + strings.Join(first, ", ") + ": what is kept there was changed, moved from another row, or lost its key. Keep this database as it is, and compare it with a backup."})
	}
	view.Notes = append(view.Notes, directoryNotes(v, f)...)
	echo := map[string]string{"yes": "gives our reference back", "no": "does not give our reference back: lost starts are found by a pasted id"}[f.Echo]
	count := func(n int) string { return format.UpTo(n) }
	view.Panels = []views.FactsPanel{
		{ID: "lender", Title: "The lender", Facts: []ui.Fact{
			{Label: "Interface", Value: lender}, {Label: "Dialect", Value: f.Dialect}, {Label: "Echo", Value: words.Or(echo)},
			{Label: "Directory", Value: format.Counted(f.Directory, "originator", "originators")}, {Label: "Last complete read", Value: words.Or(v.Age(f.ReadAt))},
		}},
		{ID: "work", Title: "What waits", Facts: []ui.Fact{
			{Label: "Leads kept", Value: count(f.Leads)}, {Label: "Readings late by a minute", Value: count(f.Due)}, {Label: "Leads that cannot be read", Value: count(f.Failing)},
			{Label: "Writes with an unknown outcome", Value: count(f.Unknown)}, {Label: "Runs not finished", Value: count(f.Jobs)},
			{Label: "Webhooks within a day", Value: count(f.Hooks)}, {Label: "Unknown applications", Value: count(f.Strangers)},
			{Label: "Leads without an originator", Value: count(f.Unassigned)}, {Label: "Leads under a legal hold", Value: count(f.Held)},
		}},
		{ID: "kept", Title: "What is kept", Facts: []ui.Fact{
			{Label: "Audit", Value: audit}, {Label: "Its head", Value: words.Or(f.Head.MAC)}, {Label: "Key that seals", Value: f.Key}, {Label: "Older keys", Value: RenewalOf(f)},
		}},
	}
	return view
}

// renewalOf says how far what lies under older keys has been renewed.
func RenewalOf(f desk.Fares) string {
	r := f.Renewal
	switch {
	case !f.Older:
		return "none"
	case r.DoneAt == 0:
		return "being renewed: " + format.UpTo(r.Ahead.Leads) + " leads and " + format.UpTo(r.Ahead.Values) + " values to look at"
	case r.Unopened > 0:
		return "all renewed but " + format.Counted(r.Unopened, "value that no key opens", "values that no key opens") + "; portal doctor names them"
	case r.Remaining > 0:
		return "all renewed but what " + format.Counted(r.Remaining, "lead keeps", "leads keep") + " of words that are gone"
	default:
		return "all renewed: they can be retired"
	}
}

// mismatchesNamed bounds the leads that are named because of their originators.
const mismatchesNamed = 5

// directoryNotes say what about the lender's directory needs an administrator.
func directoryNotes(v format.Viewer, f desk.Fares) []ui.Notice {
	var notes []ui.Notice
	if f.Unread != "" {
		notes = append(notes, unreadDirectory(v, f.Unread))
	}
	if f.Waiting > 0 {
		notes = append(notes, ui.Notice{
			Kind: "yours", Icon: "users", Title: "A change of the lender’s directory needs your decision:", Text: format.Counted(f.Waiting, "person is affected.", "people are affected."),
			More: "Nothing has changed for them here.", Actions: []ui.Action{{Label: "Review", Href: to.Full.Admin("originators")}},
		})
	}
	if n := len(f.Mismatches); n > 0 {
		var first []string
		for _, m := range f.Mismatches[:min(n, mismatchesNamed)] {
			first = append(first, string(m.App)+" ("+words.Mismatch(string(m.Reason))+")")
		}
		notes = append(notes, ui.Notice{
			Kind: "fail", Icon: "triangle-alert", Title: "The lender names an originator who was not found, for " + format.Counted(n, "lead:", "leads:"),
			Text: strings.Join(first, ", ") + ".", More: "These leads stay with whoever has them.",
		})
	}
	return notes
}
