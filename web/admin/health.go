package admin

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/desk"
	view "hearthline/views/admin"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// InterfacePage shows which endpoints of the lender's interface the portal uses, with statistics of
// the calls.
func (s *Handlers) InterfacePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	in, err := d.Installation()
	if err != nil {
		return err
	}
	uses, err := in.EndpointUsage(r.Context())
	if err != nil {
		return err
	}
	model := view.TablesView{
		Admin:  s.layout(r, "Interface", "Every endpoint of the lender, the method that calls it and where it is used. Counted since this process began."),
		Tables: []view.Table{presentEndpointUsage(s.Viewer(r), uses)},
	}
	return s.Render(w, r, http.StatusOK, view.Tables(model))
}

func presentEndpointUsage(v format.Viewer, uses []desk.EndpointUsage) view.Table {
	t := view.Table{
		ID: "endpoints", Title: "Endpoints", Sub: format.Pluralize(len(uses), "method", "methods"),
		Columns: []ui.Column{{Label: "Section"}, {Label: "Endpoint"}, {Label: "Method"}, {Label: "Used on"}, {Label: "Last call"}, {Label: "Calls", Class: "num"}, {Label: "Median", Class: "num"}, {Label: "Failed", Class: "num"}},
	}
	for _, u := range uses {
		endpoint := view.Cell{Text: u.Endpoint.Method + " " + u.Path, Code: true}
		if u.Deprecated {
			endpoint.Sub = "deprecated by the lender"
		}
		last, median, failed := "", "", ""
		if u.Calls > 0 {
			last, median = v.AgeText(u.Last), latencyText(u.Median)
			failed = fmt.Sprintf("%.1f%%", 100*float64(u.Failed)/float64(u.Calls))
		}
		t.Rows = append(t.Rows, []view.Cell{
			{Text: u.Section}, endpoint, {Text: u.Func, Code: true}, {Text: words.UsedOn(u.Func)}, {Text: last},
			{Text: strconv.Itoa(u.Calls), Num: true}, {Text: median, Num: true}, {Text: failed, Num: true, NeedsAttention: u.Calls > 0 && u.Failed*10 > u.Calls},
		})
	}
	return t
}

func latencyText(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// HealthPage shows the health of the portal.
func (s *Handlers) HealthPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	in, err := d.Installation()
	if err != nil {
		return err
	}
	f, err := in.Health(r.Context())
	if err != nil {
		return err
	}
	model := presentHealth(s.Viewer(r), f)
	model.Admin = s.layout(r, "Health", "How the portal fares at this moment.")
	return s.Render(w, r, http.StatusOK, view.Tables(model))
}

// maxUndecryptableNamed limits how many leads with undecryptable names are listed.
const maxUndecryptableNamed = 5

// presentHealth maps the health of the portal. The caller sets Admin.
func presentHealth(v format.Viewer, f desk.Health) view.TablesView {
	var model view.TablesView
	lender := "answers"
	if !f.LenderDownSince.IsZero() {
		lender = "has not answered since " + v.SinceText(f.LenderDownSince)
		model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "cloud-off", Title: "The lender does not answer", Text: "since " + v.SinceText(f.LenderDownSince) + ". Lists and pages show what is known; nothing is sent twice."})
	}
	audit := "whole, " + strconv.FormatInt(f.AuditHead.Seq-f.AuditBase.Seq, 10) + " rows"
	if !f.AuditIntact {
		audit = "broken at row " + strconv.FormatInt(f.AuditBrokenAt, 10)
		model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert", Title: "The audit is broken", Text: "at row " + strconv.FormatInt(f.AuditBrokenAt, 10) + ": it was changed or cut there. Keep this database and its backups as they are, and compare."})
	}
	if n := len(f.Undecryptable); n > 0 {
		listed := make([]string, 0, maxUndecryptableNamed)
		for _, app := range f.Undecryptable[:min(n, maxUndecryptableNamed)] {
			listed = append(listed, string(app))
		}
		model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert", Title: format.Pluralize(n, "borrower’s name does not open", "borrowers’ names do not open"),
			Text: "Lead " + strings.Join(listed, ", ") + ": what is kept there was changed, moved from another row, or lost its key. Keep this database as it is, and compare it with a backup."})
	}
	model.Notes = append(model.Notes, directoryNotes(f)...)
	echo := map[string]string{"yes": "gives our reference back", "no": "does not give our reference back: lost starts are found by a pasted id"}[f.Echo]
	count := func(n int) string { return format.CappedCount(n) }
	model.Panels = []view.FactsPanel{
		{ID: "lender", Title: "The lender", Facts: []ui.Fact{
			{Label: "Interface", Value: lender}, {Label: "Dialect", Value: f.Dialect}, {Label: "Echo", Value: words.OrDash(echo)},
			{Label: "Directory", Value: format.Pluralize(f.Originators, "originator", "originators")}, {Label: "Last complete read", Value: words.OrDash(v.AgeText(f.ReadAt))},
		}},
		{ID: "work", Title: "What waits", Facts: []ui.Fact{
			{Label: "Leads kept", Value: count(f.Leads)}, {Label: "Readings late by a minute", Value: count(f.Due)}, {Label: "Leads that cannot be read", Value: count(f.Failing)},
			{Label: "Writes with an unknown outcome", Value: count(f.UnknownOperations)}, {Label: "Runs not finished", Value: count(f.Jobs)},
			{Label: "Webhooks within a day", Value: count(f.Webhooks)}, {Label: "Unknown applications", Value: count(f.UnknownApplications)},
			{Label: "Leads without an originator", Value: count(f.Unassigned)}, {Label: "Leads under a legal hold", Value: count(f.LegalHolds)},
		}},
		{ID: "kept", Title: "What is kept", Facts: []ui.Fact{
			{Label: "Audit", Value: audit}, {Label: "Its head", Value: words.OrDash(f.AuditHead.MAC)}, {Label: "Key that seals", Value: f.CurrentKey}, {Label: "Older keys", Value: ReencryptionText(f)},
		}},
	}
	return model
}

// ReencryptionText describes the progress of re-encrypting data from older keys.
func ReencryptionText(f desk.Health) string {
	r := f.Reencryption
	switch {
	case !f.HasOlderKeys:
		return "none"
	case r.DoneAt == 0:
		return "being renewed: " + format.CappedCount(r.Pending.Leads) + " leads and " + format.CappedCount(r.Pending.Values) + " values to look at"
	case r.Undecryptable > 0:
		return "all renewed but " + format.Pluralize(r.Undecryptable, "value that no key opens", "values that no key opens") + "; portal doctor names them"
	case r.Remaining > 0:
		return "all renewed but what " + format.Pluralize(r.Remaining, "lead keeps", "leads keep") + " of words that are gone"
	default:
		return "all renewed: they can be retired"
	}
}

// mismatchesNamed limits how many leads with unknown originators are listed.
const mismatchesNamed = 5

// directoryNotes lists problems with the lender's directory that need an administrator.
func directoryNotes(f desk.Health) []ui.Notice {
	var notes []ui.Notice
	if f.Unread != "" {
		notes = append(notes, unreadDirectory(f.Unread))
	}
	if f.Waiting > 0 {
		notes = append(notes, ui.Notice{
			Kind: "yours", Icon: "users", Title: "A change of the lender’s directory needs your decision:", Text: format.Pluralize(f.Waiting, "person is affected.", "people are affected."),
			More: "Nothing has changed for them here.", Actions: []ui.Action{{Label: "Review", Href: to.Full.Admin("originators")}},
		})
	}
	if n := len(f.Mismatches); n > 0 {
		var listed []string
		for _, m := range f.Mismatches[:min(n, mismatchesNamed)] {
			listed = append(listed, string(m.App)+" ("+words.Mismatch(string(m.Reason))+")")
		}
		notes = append(notes, ui.Notice{
			Kind: "fail", Icon: "triangle-alert", Title: "The lender names an originator who was not found, for " + format.Pluralize(n, "lead:", "leads:"),
			Text: strings.Join(listed, ", ") + ".", More: "These leads stay with whoever has them.",
		})
	}
	return notes
}
