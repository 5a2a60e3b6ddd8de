package intake

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// presentIntake maps the page of an inquiry with its form. The caller sets what the settings of the portal decide.
func presentIntake(v text.Viewer, p deskintake.Page, f *form.Form) view.IntakeView {
	progress, parsed := intakeProgressOf(v, f, p.Unit)
	f.Corrections, f.Changes = parsed.Corrections, parsed.Changes // also of values that nobody has typed here
	model := view.IntakeView{
		Draft: p.DraftID, SavedText: savedText(v, p.Stored, f), CanSend: p.MayStart, LiveDialect: p.LiveDialect,
		Consent: page.PresentConsent(v, p.Consent, ""), TransferTo: senderOptions(v, p.Senders),
		Prepared: presentPreparedBy(v, p.Stored.Transfers, f),
		Form:     f.View(p.OperationID), Duplicates: presentDuplicates(v, p.Duplicates, borrowerNameIn(f)),
		Progress: progress, References: p.References, Import: presentImport(p.Stored.Import),
	}
	if len(f.FieldErrors) > 0 && f.FieldErrors[0].Name != deskintake.ImportField && p.Unit != "" &&
		!f.IsChecked(form.ConfirmNoUnit) && model.Form.ErrorOf(form.ConfirmNoUnit) == "" {
		// the desk checks it last
		model.Form.FieldErrors = append(model.Form.FieldErrors,
			ui.FieldError{Name: form.ConfirmNoUnit, Text: deskintake.MsgNoUnit})
	}
	sortErrors(model.Form.FieldErrors)
	model.Form.FocusOn = focusOf(model.Form, f.Values.Get("row.add"))
	if p.Restart != nil {
		model.Restart = presentRestart(v, *p.Restart, f)
	}
	if p.License != nil {
		model.License = presentStateLicense(*p.License)
	}
	if p.Record != nil {
		model.CRMRecord = presentCRMRecord(v, *p.Record)
		model.UnusedCRMFields = view.UnusedCRMFieldsView{CRM: p.Record.CRM, Controls: p.Record.Unused,
			Unknown: p.Record.Unknown}
		if p.Record.Lead != nil {
			model.StatusToken = page.StatusToken(p.Record.Lead.Row)
		}
	}
	return model
}

// focusOf returns the control that has the focus when the page opens: the first of a row that was just added, the first
// with an error, or the first of the form.
func focusOf(f ui.Form, addedTo string) string {
	if rows := f.RowIndexes(addedTo); addedTo != "" && len(rows) > 0 {
		return addedTo + "." + rows[len(rows)-1] + ".lenderName"
	}
	if len(f.FieldErrors) > 0 {
		return f.FieldErrors[0].Name
	}
	return "property.address.zip"
}

// sortErrors puts the errors in the order of the page, and names in the summary what a question is about.
func sortErrors(all []ui.FieldError) {
	about := map[string]string{form.ConfirmNoUnit: "Unit", form.ConfirmLienBalance: "Current balance",
		form.ConfirmLiensAboveValue: "Liens and stated value"}
	for i := range all {
		all[i].Label = about[all[i].Name]
	}
	sections := []string{"", "property", "borrower", "income", "liens", "business", "reference", "consent", "ssn"}
	slices.SortStableFunc(all, func(a, b ui.FieldError) int {
		return cmp.Compare(slices.Index(sections, form.SectionOf(a.Name)), slices.Index(sections, form.SectionOf(b.Name)))
	})
}

// borrowerNameIn returns the borrower's name as typed so far.
func borrowerNameIn(f *form.Form) string {
	return strings.Join(strings.Fields(f.Values.Get("applicant.name.firstName")+" "+
		f.Values.Get("applicant.name.lastName")), " ")
}

// intakeProgressOf parses the form as if it were submitted, to find out what is missing and what must be corrected. The
// parsed form has the corrections and changes of all controls. The desk knows whether the address may need a unit.
func intakeProgressOf(v text.Viewer, f *form.Form, unit deskintake.UnitReason) (p view.Progress, parsed *form.Form) {
	trial := &form.Form{Values: f.Values, Corrections: map[string]string{}, LiveDialect: f.LiveDialect}
	in, snapshot := trial.Inquiry(v.Today())
	p.Entered, p.Questions = presentEntered(f, in, snapshot.RequestedAmount), intakeQuestions(in, unit)
	p.MonthlyGross, p.Corrections = form.MonthlyText(in.Applicant.Income.GrossAnnual), correctionNotes(trial)
	if unit != "" && !f.IsChecked(form.ConfirmNoUnit) {
		trial.AddError(form.ConfirmNoUnit, unitQuestion(unit))
	}
	missing, invalid, unanswered := map[string]int{}, map[string]int{}, map[string]int{}
	for _, field := range trial.FieldErrors {
		section := form.SectionOf(field.Name)
		if strings.HasPrefix(field.Name, "confirm.") {
			unanswered[section]++
			continue
		}
		if strings.TrimSpace(trial.Values.Get(field.Name)) == "" {
			missing[section]++
			continue
		}
		invalid[section]++
		p.Problems = append(p.Problems, view.DraftNote{Name: field.Name, Text: field.Message})
	}
	for _, section := range []string{"property", "borrower", "income", "liens", "business"} {
		switch {
		case missing[section]+invalid[section]+unanswered[section] > 0:
			p.Needs = append(p.Needs, view.Need{Section: section,
				Text: needText(missing[section], invalid[section], unanswered[section])})
			p.Missing = append(p.Missing, section)
		case section == "property" || section == "borrower" || section == "income" || trial.HasAny(sectionPrefix(section)):
			p.Done = append(p.Done, section)
		}
	}
	switch consent := f.Consent(); {
	case !v.Who.Can(access.StartInquiry): // the originator who sends the inquiry records the consent
	case consent.Attested && text.IsConsent(consent.Method):
		p.Done = append(p.Done, "consent")
	default:
		p.Missing = append(p.Missing, "consent")
	}
	return p, trial
}

// correctionNotes says which entries are sent differently.
func correctionNotes(f *form.Form) (all []view.DraftNote) {
	notes := f.CorrectionNotes()
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		all = append(all, view.DraftNote{Name: name, Text: notes[name]})
	}
	return all
}

// needText counts what a section still needs, "2 missing, 1 to correct".
func needText(missing, invalid, unanswered int) string {
	var texts []string
	if missing > 0 {
		texts = append(texts, strconv.Itoa(missing)+" missing")
	}
	if invalid > 0 {
		texts = append(texts, strconv.Itoa(invalid)+" to correct")
	}
	if unanswered > 0 {
		texts = append(texts, strconv.Itoa(unanswered)+" to confirm")
	}
	return strings.Join(texts, ", ")
}

// presentDraftStatus maps what the page's script shows after it saved the form.
func presentDraftStatus(v text.Viewer, f *form.Form, unit deskintake.UnitReason, savedAt time.Time) view.DraftStatus {
	progress, _ := intakeProgressOf(v, f, unit)
	status := view.IntakeView{CanSend: v.Who.Can(access.StartInquiry), SavedText: form.SavedText(v, savedAt),
		Progress: progress}.Status()
	status.Places = view.NotNil(placesOf(f, intakeAddresses()...))
	return status
}

// sectionPrefix returns the prefix of the control names in an optional section.
func sectionPrefix(section string) string {
	if section == "liens" {
		return "property.liens."
	}
	return "businessInfo."
}

// presentDuplicates lists the leads that the inquiry would duplicate. About a colleague's lead, it
// reveals only that it exists.
func presentDuplicates(v text.Viewer, found []deskintake.Duplicate, borrower string) []view.DuplicateRow {
	var rows []view.DuplicateRow
	for _, d := range found {
		switch {
		case d.Lead != nil:
			rows = append(rows, view.DuplicateRow{Text: text.JoinNonEmpty(", ", borrower,
				text.LowerFirst(text.LeadStatus(d.Lead).Chip), text.ShortID(d.Lead)), Href: v.Base.Lead(string(d.Lead.App))})
		case d.Pending != nil:
			row := view.DuplicateRow{Text: "Sent " + v.DateTimeInText(text.TimeOfMillis(d.Pending.CreatedAt)) +
				", not confirmed", Sent: true, Lost: d.Pending.State == lead.OpUnknown}
			if row.Lost {
				row.Text += ". " + text.LostStart{Status: d.Pending.HTTPStatus}.Answer()
			}
			if d.Pending.State == lead.OpAbandoned {
				row.Text = "Sent " + v.DateTimeInText(text.TimeOfMillis(d.Pending.CreatedAt)) + ", marked as not received"
			}
			if d.Pending.ActorID == v.Who.UserID {
				row.Href = v.Base.Operation(d.Pending.ID)
			}
			rows = append(rows, row)
		default:
			rows = append(rows, view.DuplicateRow{Text: "A colleague’s lead in your company"})
		}
	}
	return rows
}

// draftExpiryNotice is how long before its deletion a draft's row shows a notice.
const draftExpiryNotice = 14 * 24 * time.Hour

func presentDraft(v text.Viewer, d deskintake.Draft) view.DraftRow {
	f := &form.Form{Values: url.Values(d.Typed), Corrections: map[string]string{}}
	from := ""
	if d.Restart {
		from = "Copied from an inquiry"
	}
	if n := len(d.Transfers); n > 0 {
		from = "Prepared by " + d.Transfers[0].By + ", transferred " + v.DateTimeInText(d.Transfers[n-1].At)
	}
	notice := ""
	if d.ExpiresAt.Sub(v.Now) < draftExpiryNotice {
		notice = "Will be deleted after " + v.DayLabel(d.ExpiresAt) + " unless it’s edited or transferred"
	}
	progress, _ := intakeProgressOf(v, f, "")
	return view.DraftRow{
		SentText: draftSentText(v, d), DeletionNotice: notice, TransferredFrom: from, ID: d.ID, Name: borrowerNameIn(f),
		CityState: text.CityState(d.Typed.Value("property.address.city"), d.Typed.Value("property.address.state")),
		SavedAt:   v.DateTime(d.SavedAt), Missing: strings.Join(progress.Missing, ", "),
	}
}

// draftSentText says that a draft was sent, and what is not known of that.
func draftSentText(v text.Viewer, d deskintake.Draft) string {
	if d.LastStart == nil {
		return ""
	}
	words := "Sent " + v.DateTimeInText(text.TimeOfMillis(d.LastStart.CreatedAt)) + ". "
	if d.LastStart.State == lead.OpAbandoned {
		return words + "Marked as not received; the lender may have it."
	}
	return words + "Not confirmed by the lender."
}

func presentSamples(all []page.Sample) []ui.Option {
	var options []ui.Option
	for _, s := range all {
		options = append(options, ui.Option{Value: s.Key, Label: text.OrDash(s.Label)})
	}
	return options
}

// unbroken is a space at which the browser does not break a line.
const unbroken = "\u00a0"

// presentEntered maps what was entered so far, by section, for the summary beside the form. An entry that cannot be
// sent as it is is left out, and so is the SSN.
func presentEntered(f *form.Form, in heloc.Inquiry, requested heloc.Money) []view.Entered {
	var all []view.Entered
	add := func(section string, lines ...string) {
		kept := lines[:0]
		for _, line := range lines {
			if line != "" {
				kept = append(kept, line)
			}
		}
		if len(kept) > 0 {
			all = append(all, view.Entered{Section: section, Lines: kept})
		}
	}
	typed := func(name string) string { return f.Text("property.address." + name) }
	wanted, occupancy := "", ""
	if requested > 0 {
		wanted = text.Money(requested) + unbroken + "requested"
	}
	if in.Property.PropertyType != "" {
		occupancy = text.Property(string(in.Property.PropertyType))
	}
	street := text.JoinNonEmpty(" ", typed("street1"), typed("street2"))
	add("property", text.JoinNonEmpty(", ", street, typed("city"),
		text.JoinNonEmpty(unbroken, typed("state"), typed("zip"))), text.JoinNonEmpty(" · ", occupancy, wanted))
	add("borrower", borrowerNameIn(f))
	if pay := in.Applicant.Income.GrossAnnual; pay != nil {
		add("income", "Annual gross pay "+text.Money(*pay))
	}
	add("liens", liensText(in.Property.Liens))
	add("business", f.Text("businessInfo.entityName"))
	if method := f.Consent().Method; text.IsConsent(method) {
		add("consent", text.Consent(method))
	}
	return all
}

// liensText counts the liens and adds up their balances.
func liensText(liens []heloc.LienInput) string {
	if len(liens) == 0 {
		return ""
	}
	var sum heloc.Money
	for _, l := range liens {
		if l.CurrentBalance != nil {
			sum += *l.CurrentBalance
		}
	}
	return text.JoinNonEmpty(" · ", text.Pluralize(len(liens), "lien", "liens"), text.MoneyOrEmpty(sum))
}

// intakeQuestions returns what the form asks about unlikely entries, answered or not.
func intakeQuestions(in heloc.Inquiry, unit deskintake.UnitReason) []view.DraftNote {
	var asked []view.DraftNote
	if unit != "" {
		asked = append(asked, view.DraftNote{Name: form.ConfirmNoUnit, Text: unitQuestion(unit)})
	}
	for _, q := range form.Questions(in) {
		asked = append(asked, view.DraftNote{Name: q.Control, Text: q.Text})
	}
	return asked
}

// unitQuestion asks for the unit, and says why.
func unitQuestion(reason deskintake.UnitReason) string {
	switch reason {
	case deskintake.UnitNumberRange:
		return "This address has a range of street numbers. Which unit is it?"
	case deskintake.UnitNoNumber:
		return "This address mentions a unit or a multi-unit building but has no unit number. Which unit is it?"
	case deskintake.UnitMatched:
		return "The lender found several units at this street number for another inquiry. Which unit is it?"
	default:
		return "Another inquiry at this street number has a unit. Which unit is it?"
	}
}
