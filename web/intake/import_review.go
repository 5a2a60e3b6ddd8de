package intake

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-chi/chi/v5"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// ReadLoanFile reads the loan file that the intake form was sent with, and opens its review. If the file cannot be
// read, the form is shown again with everything that it contained.
func (h *Handlers) ReadLoanFile(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts,
	f *form.Form) error {
	launch, err := page.LaunchedRecord(r)
	if err != nil {
		return err
	}
	draft := form.DraftIDOrNew(f.Values.Get("draft"))
	posted := page.FormOf(r)
	id, err := drafts.ReadLoanFile(r.Context(), deskintake.LoanImport{
		File: posted.File, FileName: posted.Name, DraftID: draft, Typed: f.DraftValues(), Launch: launch,
		Format: form.ShownValue,
	})
	if page.Rejected(f, err) {
		return h.renderIntake(w, r, submittedIntake(draft, f))
	}
	if err != nil {
		return redirectToSentLead(w, r, err)
	}
	return page.Redirect(w, r, page.BaseOf(r).ImportReview(id))
}

// ReviewPage shows the review of a loan file. One that was used redirects to its draft.
func (h *Handlers) ReviewPage(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts) error {
	return h.review(w, r, drafts, func(review deskintake.LoanFileReview) error {
		return h.renderReview(w, r, review, review.Preselected(), page.NewForm(r, url.Values{}))
	})
}

// UseReview makes the draft of what is selected in a review, and opens it.
func (h *Handlers) UseReview(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts, f *form.Form) error {
	return h.review(w, r, drafts, func(review deskintake.LoanFileReview) error {
		selected := readSelection(f, review.ImportReview)
		if f.IsChecked("again") {
			f.FieldErrors = nil
		}
		if f.HasErrors() || f.IsChecked("again") {
			return h.renderReview(w, r, review, selected, f)
		}
		launch, err := page.LaunchedRecord(r)
		if err != nil {
			return err
		}
		id := chi.URLParam(r, "id")
		err = drafts.UseReview(r.Context(), id, review.ImportReview, selected,
			deskintake.LoanImport{Launch: launch, Format: form.ShownValue})
		return page.NavigateAfter(w, r, err, page.BaseOf(r).NewLead(id))
	})
}

// review opens the review in the URL.
func (h *Handlers) review(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts,
	answer func(deskintake.LoanFileReview) error) error {
	id := chi.URLParam(r, "id")
	review, used, err := drafts.Review(r.Context(), id)
	switch {
	case err != nil:
		return redirectToSentLead(w, r, err)
	case used:
		return page.NavigateTo(w, r, page.BaseOf(r).NewLead(id))
	default:
		return answer(review)
	}
}

// The controls of a review; a select of a row has the row's key after choiceControl.
const (
	applicantControl = "applicant"
	propertyControl  = "property"
	useControl       = "use"
	choiceControl    = "choice."
)

// readSelection reads what is selected. What the page asks must be answered.
func readSelection(f *form.Form, review lead.ImportReview) lead.ImportSelection {
	s := lead.ImportSelection{Rows: map[string]bool{}, Choices: map[string]string{}}
	s.Applicant = readOption(f, applicantControl, review.Applicants, "Choose the applicant")
	s.Property = readOption(f, propertyControl, review.Properties, "Choose the property, or none of them")
	for _, key := range f.Values[useControl] {
		s.Rows[key] = true
	}
	for _, row := range review.Rows {
		if row.Choice != "" {
			s.Choices[row.Key] = f.Text(choiceControl + row.Key)
		}
	}
	return s
}

// readOption returns the index of the chosen option; -1 for none of them.
func readOption(f *form.Form, name string, choice lead.ImportChoice, missing string) int {
	if len(choice.Options) < 2 {
		return choice.Chosen
	}
	typed := f.Text(name)
	if at, err := strconv.Atoi(typed); err == nil && at >= 0 && at < len(choice.Options) {
		return at
	}
	if typed != noOption || name != propertyControl {
		f.AddError(name, missing)
	}
	return -1
}

// noOption is the value of the option that takes none of the properties.
const noOption = "none"

func (h *Handlers) renderReview(w http.ResponseWriter, r *http.Request, review deskintake.LoanFileReview,
	selected lead.ImportSelection, f *form.Form) error {
	model := presentReview(h.Viewer(r), review, selected, f)
	model.Page, model.ID = h.Layout(r, "Review loan file"), chi.URLParam(r, "id")
	return h.Render(w, r, page.FormStatus(f), view.ImportReview(model))
}

// presentReview maps a review, with what is selected in it.
func presentReview(v text.Viewer, review deskintake.LoanFileReview, selected lead.ImportSelection,
	f *form.Form) view.ImportReviewView {
	m := view.ImportReviewView{
		Form: f.View(""), LoanNumber: visible(review.LoanNumber), Until: v.TimeOfDay(review.ExpiresAt),
		SavedBefore: review.SavedBefore, Meta: fileFacts(review.ImportReview),
		Applicant: presentChoice(f, applicantControl, "Who is the applicant?", review.Applicants,
			selected.Applicant),
		Property: presentChoice(f, propertyControl, "Which property is it?", review.Properties,
			selected.Property),
	}
	m.Applicant.Note = "Only this borrower’s details, incomes and addresses are used."
	m.Form.FieldErrors = form.LabeledErrors(f.FieldErrors, []ui.Field{
		{Name: applicantControl, ID: applicantControl, Label: "Applicant"},
		{Name: propertyControl, ID: propertyControl, Label: "Property"}})
	if len(m.Property.Options) > 0 {
		m.Property.Options = append(m.Property.Options, ui.Option{Value: noOption, Label: "None of these",
			Note: "Enter the property in the form", Selected: f.Text(propertyControl) == noOption})
	}
	for _, s := range reviewSections {
		if panels := presentPanels(review.ImportReview, selected, s); len(panels) > 0 {
			m.Sections = append(m.Sections, view.ImportSectionView{ID: s.id, Label: s.label, Panels: panels})
		}
	}
	for _, u := range review.Unusable {
		one := view.ImportUnusableView{Label: visible(u.Label), Says: visible(u.Says), Place: visible(u.Place),
			Reason: visible(u.Reason)}
		if u.Of != lead.AnyOption && len(m.Applicant.Options) > 0 {
			one.Fold = view.ImportFold(applicantControl, u.Of)
		}
		m.Unusable = append(m.Unusable, one)
	}
	m.Missing = missingText(review.ImportReview)
	unused := 0
	for _, u := range review.Unused {
		m.Unused = append(m.Unused, ui.Fact{Label: u.Label, Value: cmp.Or(visible(u.Says), valueCount(u.Values))})
		unused += u.Values
	}
	m.UnusedText = valueCount(unused)
	return m
}

// missingText says what was not found, which the file may have in a place that the reader doesn’t know.
func missingText(review lead.ImportReview) string {
	var missing []string
	for _, kind := range [][2]string{{"lien.", "liens"}, {"income.", "income"}} {
		if !slices.ContainsFunc(review.Rows, func(r lead.ImportRow) bool { return strings.HasPrefix(r.Key, kind[0]) }) {
			missing = append(missing, kind[1])
		}
	}
	if missing == nil {
		return ""
	}
	return "We couldn’t read any " + strings.Join(missing, " or ") + " from this file. Look under “Not used,” then fill " +
		"in what’s missing in the form."
}

func valueCount(n int) string {
	if n == 1 {
		return "1 value"
	}
	return strconv.Itoa(n) + " values"
}

// fileFacts are the file's name, version, size and encoding.
func fileFacts(review lead.ImportReview) []string {
	version := "version not stated"
	if review.Version != "" {
		version = review.Version
	}
	facts := text.JoinNonEmpty(", ", "MISMO "+version, strconv.FormatInt(max(review.Size>>10, 1), 10)+" KB",
		review.Encoding)
	if review.FileName == "" {
		return []string{facts}
	}
	return []string{visible(review.FileName), visible(facts)}
}

func presentChoice(f *form.Form, name, title string, choice lead.ImportChoice,
	chosen int) view.ImportChoiceView {
	if len(choice.Options) < 2 {
		return view.ImportChoiceView{}
	}
	c := view.ImportChoiceView{Name: name, Title: title,
		Count: strconv.Itoa(len(choice.Options)) + " on this loan"}
	for i, o := range choice.Options {
		c.Options = append(c.Options, ui.Option{Value: strconv.Itoa(i), Label: visible(o.Label), Note: visible(o.Note),
			Selected: i == chosen})
	}
	for _, e := range f.FieldErrors {
		if e.Name == name {
			c.Error = e.Message
		}
	}
	return c
}

// reviewSection is how a section of a review is shown.
type reviewSection struct {
	section         lead.ImportSection
	id, label, note string
	choice          string // the choice whose options have their own panels; "" for none
}

var reviewSections = []reviewSection{
	{lead.ImportApplicant, "s-applicant", "Applicant", "", applicantControl},
	{lead.ImportProperty, "s-property", "Property", "", propertyControl},
	{lead.ImportLiens, "s-liens", "Mortgages and liens", "Check what this home secures.", propertyControl},
	{lead.ImportIncome, "s-income", "Income", "By employer. Each amount counts once", applicantControl},
	{lead.ImportAddresses, "s-addresses", "Addresses", "", applicantControl},
	{lead.ImportReference, "s-reference", "Reference", "", ""},
}

// presentPanels makes a panel for what belongs to every option, and one for each option. Without a choice there is one.
func presentPanels(review lead.ImportReview, selected lead.ImportSelection, s reviewSection) []view.ImportPanelView {
	options := review.Applicants.Options
	if s.choice == propertyControl {
		options = review.Properties.Options
	}
	chosen := len(options) > 1
	panels := make([]view.ImportPanelView, len(options)+1)
	for i := range panels {
		panels[i] = view.ImportPanelView{ID: s.id + "-" + strconv.Itoa(i), Title: s.label, Sub: s.note}
		if chosen && i > 0 {
			panels[i].Fold, panels[i].Title = view.ImportFold(s.choice, i-1), s.label+": "+visible(options[i-1].Label)
		}
	}
	for _, row := range review.Rows {
		if row.Section != s.section {
			continue
		}
		p := &panels[0]
		if chosen && row.Of >= 0 {
			p = &panels[row.Of+1]
		}
		p.Rows = append(p.Rows, presentReviewRow(row, selected))
		p.Sums = nil
		controls, sums := review.Sums(selected, s.section, row.Of)
		for _, control := range controls {
			p.Sums = append(p.Sums, view.ImportSumView{Control: control, Label: ui.LabelOf(control),
				Amount: text.Money(sums[control])})
		}
	}
	return slices.DeleteFunc(panels, func(p view.ImportPanelView) bool { return len(p.Rows) == 0 })
}

func presentReviewRow(row lead.ImportRow, selected lead.ImportSelection) view.ImportRowView {
	m := view.ImportRowView{
		Key: row.Key, Label: visible(row.Label), Note: visible(row.Note), Says: visible(row.Says), Also: visible(row.Also),
		Place: visible(row.Place), Draft: visible(row.Draft), Why: visible(row.Why), Usable: row.Usable(),
		Checked: selected.Rows[row.Key],
	}
	if kind := row.Values.Value("property.propertyType"); kind != "" {
		m.Draft = text.Property(kind)
	}
	if kind := row.Values.Value("applicant.income.employmentType"); kind != "" {
		m.Draft = text.Employment(kind)
	}
	for control, amount := range row.Amounts {
		m.Control, m.Cents = control, strconv.FormatInt(int64(amount), 10)
	}
	if row.Choice != "" {
		m.ChoiceName = choiceControl + row.Key
		m.Options = ui.Choices(selected.Choices[row.Key], append([][2]string{{"", "Choose…"}}, text.Ownerships()...)...)
	}
	return m
}

// visible shows the characters of a file that have no shape by their numbers.
func visible(says string) string {
	var b strings.Builder
	for _, r := range says {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) && r != '\n' && r != '\t' {
			b.WriteString("‹U+" + fmt.Sprintf("%04X", r) + "›")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
