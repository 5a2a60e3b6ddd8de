package admin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/desk"
	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// InterfacePage shows which endpoints of the lender's interface the portal uses, with statistics of
// the calls.
func (h *Handlers) InterfacePage(w http.ResponseWriter, r *http.Request, in *deskadmin.Installation) error {
	uses, err := in.EndpointUsage(r.Context())
	if err != nil {
		return err
	}
	model := view.TablesView{
		Admin: h.layout(r, "Lender interface",
			"The lender’s endpoints and how Hearthline uses them. Counts start when the server starts."),
		Tables: []view.Table{presentEndpointUsage(h.Viewer(r), uses)},
	}
	return h.Render(w, r, http.StatusOK, view.Tables(model))
}

func presentEndpointUsage(v text.Viewer, uses []deskadmin.EndpointUsage) view.Table {
	t := view.Table{
		ID: "endpoints", Title: "Endpoints", Sub: text.Pluralize(len(uses), "method", "methods"),
		Columns: []ui.Column{{Label: "Section"}, {Label: "Endpoint"}, {Label: "Method"}, {Label: "Used on"},
			{Label: "Last call"}, {Label: "Calls", Class: "num"}, {Label: "Median", Class: "num"},
			{Label: "Failed", Class: "num"}},
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
			{Text: u.Section}, endpoint, {Text: u.Func, Code: true}, {Text: text.UsedOn(u.Func)}, {Text: last},
			{Text: strconv.Itoa(u.Calls), Num: true}, {Text: median, Num: true},
			{Text: failed, Num: true, NeedsAttention: u.Calls > 0 && u.Failed*10 > u.Calls},
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

// renderHealth shows the health of the portal.
func (h *Handlers) renderHealth(w http.ResponseWriter, r *http.Request, in *deskadmin.Installation,
	f *form.Form) error {
	health, err := in.Health(r.Context())
	if err != nil {
		return err
	}
	model := view.HealthView{TablesView: presentHealth(h.Viewer(r), health),
		Estimates: presentEstimates(health.Payments, f.Text("rateType"))}
	for _, stopped := range model.Estimates.Stopped {
		model.Notes = append(model.Notes, ui.Notice{
			Kind: "yours", Icon: "triangle-alert", Title: "Payments of " + stopped.Name + " offers are not estimated.",
			Text:    stopped.Text,
			Actions: []ui.Action{{Label: "Review", Href: "#estimates"}},
		})
	}
	if !slices.ContainsFunc(model.Estimates.Stopped, func(e view.StoppedEstimates) bool { return e.Asked }) &&
		f.HasErrors() {
		f.FieldErrors, f.FormError = nil, deskadmin.PaymentsInUse // the form that the error belongs to is not on the page
	}
	model.Admin = h.layout(r, "System status", "Current state of the lender connection, the queues and the storage.")
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	return h.Render(w, r, page.FormStatus(f), view.Health(model))
}

// maxUndecryptableNamed limits how many leads with undecryptable names are listed.
const maxUndecryptableNamed = 5

// presentHealth maps the health of the portal. The caller sets Admin.
func presentHealth(v text.Viewer, f deskadmin.Health) view.TablesView {
	var model view.TablesView
	lender, refused := "Responding", "Not since the server started"
	if k := f.KeyRefusal; !k.Last.IsZero() {
		status := " (HTTP " + strconv.Itoa(k.Status) + ")"
		refused = v.DateTime(k.Last) + status
		if !k.Since.IsZero() && f.LenderDownSince.IsZero() {
			lender = "Refuses Hearthline’s key" + status + " since " + v.SinceText(k.Since)
			model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert",
				Title: "The lender refuses Hearthline’s key.",
				Text:  "Ask the lender why, and check PARTNER_API_KEY in the server’s settings."})
		}
	}
	if !f.LenderDownSince.IsZero() {
		lender = "Unreachable since " + v.SinceText(f.LenderDownSince)
	}
	if at := f.Storage.AuditBrokenAt; !f.Storage.At.IsZero() && !f.Storage.AuditIntact {
		model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert", Title: "The audit log was changed.",
			Text: "Row " + strconv.FormatInt(at, 10) + " was changed or removed. Don’t change this database or its backups, " +
				"and compare them."})
	}
	if since := f.HeadDelivery.FailedSince; since != 0 {
		model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert",
			Title: "The audit chain head isn’t being sent.",
			Text: "It hasn’t reached the destination in PORTAL_AUDIT_HEADS since " + v.SinceText(text.TimeOfMillis(since)) +
				". The server’s log has the cause."})
	}
	if n := len(f.Storage.Undecryptable); n > 0 {
		listed := make([]string, 0, maxUndecryptableNamed)
		for _, app := range f.Storage.Undecryptable[:min(n, maxUndecryptableNamed)] {
			listed = append(listed, string(app))
		}
		model.Notes = append(model.Notes, ui.Notice{Kind: "fail", Icon: "triangle-alert",
			Title: text.Pluralize(n, "borrower’s name can’t be decrypted.", "borrowers’ names can’t be decrypted."),
			Text: "Affected leads: " + strings.Join(listed, ", ") + ". The stored value was changed or moved, " +
				"or its key is missing. Don’t change this database, and compare it with a backup."})
	}
	model.Notes = append(model.Notes, directoryNotes(f)...)
	echo := map[string]string{"yes": "Returned by the lender. An inquiry whose response was lost can be found by it",
		"no": "Not returned by the lender. To find an inquiry whose response was lost, paste its application ID"}[f.Echo]
	count := text.CappedCount
	model.Panels = []view.FactsPanel{
		{ID: "lender-health", Title: "Lender", Facts: ui.FactsOrDash(
			"Interface", lender, "Key last refused", refused, "Interface version", dialectText(f.Dialect),
			"Our reference in the lender’s data", echo,
			"Directory", text.Pluralize(f.Originators, "originator", "originators"), "Last full update", v.AgeText(f.ReadAt),
		)},
		{ID: "work", Title: "Queues", Facts: ui.FactsOrDash(
			"Leads stored", count(f.Leads), "Updates more than a minute late", count(f.Due),
			"Leads that can’t be updated", count(f.Failing), "Submissions not confirmed", count(f.UnknownOperations),
			"Bulk reassignments in progress", count(f.Jobs), "Lender calls waiting on this server", WaitingCallsText(f),
			"Webhooks, last 24 hours", count(f.Webhooks), "Unknown applications", count(f.UnknownApplications),
			"Unassigned leads", count(f.Unassigned), "Leads on legal hold", count(f.LegalHolds),
		)},
		{ID: "kept", Title: "Storage", Facts: ui.FactsOrDash(
			"Audit log", auditText(f), "Last checked", checkedText(v, f.Storage), "Audit chain head", f.AuditHead.MAC,
			"Head last sent", headSentText(v, f), "Active key", f.CurrentKey, "Older keys", ReencryptionText(f),
		)},
	}
	return model
}

// WaitingCallsText says how many calls wait for PARTNER_RATE.
func WaitingCallsText(f deskadmin.Health) string {
	q := f.WaitingCalls
	n := q.Interactive + q.Background
	if n == 0 {
		return "None"
	}
	return text.CappedCount(n) + ", " + strconv.Itoa(q.Background) + " of them in the background; the first for " +
		latencyText(q.Oldest)
}

// headSentText says when the head of the audit chain was last sent elsewhere, and at which row.
func headSentText(v text.Viewer, f deskadmin.Health) string {
	if f.HeadDelivery.SentAt == 0 {
		return ""
	}
	return v.DateTime(text.TimeOfMillis(f.HeadDelivery.SentAt)) + ", row " + strconv.FormatInt(f.HeadDelivery.Seq, 10)
}

// auditText says what the last check found.
func auditText(f deskadmin.Health) string {
	switch {
	case f.Storage.At.IsZero():
		return strconv.FormatInt(f.AuditHead.Seq-f.AuditBase.Seq, 10) + " rows, not checked yet"
	case !f.Storage.AuditIntact:
		return "Not valid from row " + strconv.FormatInt(f.Storage.AuditBrokenAt, 10)
	default:
		return "Verified, " + strconv.Itoa(f.Storage.AuditRows) + " rows"
	}
}

// checkedText says when the audit log and the borrowers' names were last checked.
func checkedText(v text.Viewer, c desk.StorageCheck) string {
	if c.At.IsZero() {
		return "A check is running. Reload this page in a minute"
	}
	return v.DateTimeInText(c.At)
}

// ReencryptionText describes the progress of re-encrypting data from older keys.
func ReencryptionText(f deskadmin.Health) string {
	r := f.Reencryption
	switch {
	case !f.HasOlderKeys:
		return "None"
	case r.DoneAt == 0:
		return "Re-encrypting: " + text.CappedCount(r.Pending.Leads) + " leads and " + text.CappedCount(r.Pending.Values) +
			" values left"
	case r.Undecryptable > 0:
		return "Re-encrypted except " + text.Pluralize(r.Undecryptable, "value that can’t be decrypted",
			"values that can’t be decrypted") + ". Run portal doctor to list them"
	case r.Remaining > 0:
		return "Re-encrypted except search data of " + text.Pluralize(r.Remaining, "lead", "leads") + " for deleted text"
	default:
		return "Re-encryption complete. Older keys can be deleted"
	}
}

// mismatchesNamed limits how many leads with unknown originators are listed.
const mismatchesNamed = 5

// directoryNotes lists problems with the lender's directory that need an administrator.
func directoryNotes(f deskadmin.Health) []ui.Notice {
	var notes []ui.Notice
	if f.Unread != "" {
		notes = append(notes, unreadDirectory(f.Unread))
	}
	review := func(title, affected, more string) {
		notes = append(notes, ui.Notice{Kind: "yours", Icon: "users", Title: title, Text: affected, More: more,
			Actions: []ui.Action{{Label: "Review", Href: to.Full.Admin("originators")}}})
	}
	if f.Held > 0 {
		review("The lender’s directory lists many new people:", text.Decimal(new(float64(f.Held)))+".",
			"They aren’t in Hearthline until an administrator adds them.")
	}
	if f.Waiting > 0 {
		review("A change in the lender’s directory needs review:",
			text.Pluralize(f.Waiting, "user is affected.", "users are affected."),
			"Nothing has changed for them in Hearthline.")
	}
	if n := len(f.Mismatches); n > 0 {
		var listed []string
		for _, m := range f.Mismatches[:min(n, mismatchesNamed)] {
			listed = append(listed, string(m.App)+" ("+text.Mismatch(string(m.Reason))+")")
		}
		notes = append(notes, ui.Notice{
			Kind: "fail", Icon: "triangle-alert", Title: "The lender reports an unknown originator for " + text.Pluralize(n,
				"lead:", "leads:"),
			Text: strings.Join(listed, ", ") + ".", More: "These leads stay with their current originators.",
		})
	}
	return notes
}

// dialectText explains which version of its interface the lender speaks.
func dialectText(dialect string) string {
	if dialect == "live" {
		return "Live: as the lender’s service behaves"
	}
	return "Documented: as the lender’s reference describes it"
}

// confirmPayments resumes the payment estimates of a rate type after the administrator has confirmed them.
func confirmPayments(r *http.Request, in *deskadmin.Installation, f *form.Form) error {
	if !f.IsChecked("confirm.payments") {
		return fault.InvalidFields(fault.Field{Name: "confirm.payments",
			Message: "Check this box to estimate these payments again"})
	}
	return in.ConfirmPayments(r.Context(), heloc.OfferRateType(f.Text("rateType")))
}

// presentEstimates maps how our estimates compare with what the lender booked; submitted is the rate type whose form
// was rejected.
func presentEstimates(counts []lead.FigureCounts, submitted string) view.EstimatesPanel {
	p := view.EstimatesPanel{Table: view.Table{
		ID: "estimates", Title: "Payment estimates", Sub: "selected offers, all companies",
		Columns: []ui.Column{{Label: "Rate type"}, {Label: "Compared", Class: "num"}, {Label: "Matched", Class: "num"},
			{Label: "Differed", Class: "num"}, {Label: "Not comparable", Class: "num"}, {Label: "Estimates"}},
	}}
	for _, c := range counts {
		number := func(n int) view.Cell { return view.Cell{Text: strconv.Itoa(n), Num: true} }
		name := text.RateType(string(c.RateType))
		p.Table.Rows = append(p.Table.Rows, []view.Cell{
			{Text: name}, number(c.Compared()), number(c.Matched), number(c.Differed), number(c.Incomparable), estimatesCell(c),
		})
		if c.Stopped {
			lower := text.LowerFirst(name)
			p.Stopped = append(p.Stopped, view.StoppedEstimates{
				RateType: string(c.RateType), Name: lower, Asked: string(c.RateType) == submitted,
				Text: "The lender’s figures differed from the estimates for three leads in a row, " +
					"so these offers are shown without payments. " +
					"Compare PARTNER_FEE_METHOD, PARTNER_TERM_UNIT, PARTNER_VARIABLE_PAYMENT and PARTNER_DRAW_YEARS with what the " +
					"lender charges, and correct the server’s settings first.",
			})
		}
	}
	return p
}

func estimatesCell(c lead.FigureCounts) view.Cell {
	switch {
	case c.Stopped:
		return view.Cell{Text: "Not in use", NeedsAttention: true}
	case !c.Modeled:
		return view.Cell{Text: "None"}
	default:
		return view.Cell{Text: "In use"}
	}
}
