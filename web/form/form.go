package form

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/internal/pii"
	"hearthline/views/ui"

	"github.com/google/uuid"

	"hearthline/internal/lead"
)

// The limits of forms.
const (
	MaxRows       = 50   // in a repeated group
	maxTextLength = 2000 // characters in one control
	MaxControls   = 1000 // in one form
	// MaxMoney is more than any home price or income, so that a typing error is caught.
	MaxMoney = heloc.Money(1_000_000_000_00)
)

// Form is a posted form while it is parsed: reading a control returns its typed value, or records
// an error beside it. A handler that finds errors shows the form again as it is; nothing is
// validated twice.
type Form struct {
	Values      url.Values
	OperationID string
	FieldErrors []fault.Field
	Corrections map[string]string // corrected values by control, as they will be sent
	Changes     map[string]string // what was removed or changed in a control's text: "Removed an invisible character"
	FormError   string            // for the form as a whole
	ErrorTitle  string            // what FormError means for a form to the lender; empty if nothing was sent
	LiveDialect bool              // the lender speaks the live dialect, which has more employment types
	ErrorStatus int               // HTTP status of FormError; 0 means 422
}

// DropExcessRows deletes rows beyond the maximum of a group. They would be rejected anyway, and
// showing them again would make a page of many megabytes.
func DropExcessRows(values url.Values) {
	for name := range values {
		for part := range strings.SplitSeq(name, ".") {
			if n, err := strconv.Atoi(part); err == nil && (n < 0 || n >= MaxRows) {
				delete(values, name)
			}
		}
	}
}

// AddError records an error for a control. Only the first error of a control counts.
func (f *Form) AddError(name, message string) {
	if slices.ContainsFunc(f.FieldErrors, func(w fault.Field) bool { return w.Name == name }) {
		return
	}
	f.FieldErrors = append(f.FieldErrors, fault.Field{Name: name, Message: message})
}

// HasErrors reports whether any control has an error.
func (f *Form) HasErrors() bool { return len(f.FieldErrors) > 0 }

// Required returns a control's text, and records an error if it is missing.
func (f *Form) Required(name, missing string) string {
	s := f.Text(name)
	if s == "" {
		f.AddError(name, missing)
	}
	return s
}

// IsChecked reports whether a checkbox is checked.
func (f *Form) IsChecked(name string) bool { return f.Values.Get(name) == "true" }

// RequireCheck adds an error unless a checkbox is checked.
func (f *Form) RequireCheck(name, message string) {
	if !f.IsChecked(name) {
		f.AddError(name, message)
	}
}

// HasAny reports whether any control whose name begins with prefix has text.
func (f *Form) HasAny(prefix string) bool {
	for name, values := range f.Values {
		if strings.HasPrefix(name, prefix) && strings.TrimSpace(strings.Join(values, "")) != "" {
			return true
		}
	}
	return false
}

// UniqueValues returns the nonempty values of a control that repeats, without duplicates.
func (f *Form) UniqueValues(name string) []string {
	var all []string
	for _, v := range f.Values[name] {
		if v = strings.TrimSpace(v); v != "" && len(v) <= maxTextLength && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all[:min(len(all), MaxRows)]
}

// Money returns an amount, or nil if the control is empty.
func (f *Form) Money(name string) *heloc.Money {
	typed := f.Text(name)
	if typed == "" {
		return nil
	}
	m, problem := ParseMoney(typed)
	if problem != "" {
		f.AddError(name, input.Join(unusableSigns(typed, "$,.-()"), problem))
		return nil
	}
	return &m
}

// PositiveMoney returns an amount that is required and must be more than zero.
func (f *Form) PositiveMoney(name, missing string) *heloc.Money {
	before := len(f.FieldErrors)
	m := f.Money(name)
	if len(f.FieldErrors) == before && (m == nil || *m == 0) {
		f.AddError(name, missing)
		return nil
	}
	return m
}

// PastDate returns a date that is not in the future, or an empty date if the control is empty.
func (f *Form) PastDate(name string, today heloc.Date) heloc.Date {
	return f.date(name, yearsAgo{today, 0, recentYears})
}

// LastDay returns the last day of a period, which can be up to a year ahead, or an empty date if the control is empty.
func (f *Form) LastDay(name string, today heloc.Date) heloc.Date {
	day, _ := today.Time()
	return f.date(name, yearsAgo{heloc.DateOf(day.AddDate(1, 0, 0)), 0, recentYears})
}

// date returns a date that is not in the future. The period decides the century of a two-digit year.
func (f *Form) date(name string, period yearsAgo) heloc.Date {
	typed := f.Text(name)
	if typed == "" {
		return ""
	}
	d, problem := parseDate(typed, period)
	if problem != "" {
		f.AddError(name, input.Join(unusableSigns(typed, "/-,."), problem))
		return ""
	}
	if year := string(d[:4]); f.Corrections != nil && !strings.Contains(typed, year) {
		f.Corrections[name] = DateText(string(d)) // so that the form shows the year
	}
	return d
}

// DateText formats a date for a control, mm/dd/yyyy. It returns a text that is not a date unchanged.
func DateText(value string) string {
	d, err := heloc.ParseDate(value)
	if err != nil {
		return value
	}
	t, _ := d.Time()
	return t.Format("01/02/2006")
}

// NormalDate returns a date as DateText formats it, also one that is typed with a two-digit year.
func NormalDate(control, value string, today heloc.Date) string {
	period := yearsAgo{today, 0, recentYears}
	if control == "applicant.dob" {
		period = yearsAgo{today, minBorrowerAge, 100}
	}
	if d, problem := parseDate(value, period); problem == "" {
		return DateText(string(d))
	}
	return DateText(value)
}

// IsDateControl reports whether a control of the intake contains a date.
func IsDateControl(name string) bool {
	return name == "applicant.dob" || strings.HasSuffix(name, ".originationDate")
}

// Rate returns a percentage up to 100, or nil if the control is empty.
func (f *Form) Rate(name string) *heloc.Rate {
	typed := f.Text(name)
	if typed == "" {
		return nil
	}
	r, err := heloc.ParseRate(input.Plain(typed))
	if err != nil || r < 0 || r > heloc.Percent(100) {
		f.AddError(name, input.Join(unusableSigns(typed, "%,.-"), "Enter a percentage from 0 to 100"))
		return nil
	}
	return &r
}

// Choice returns one of the offered values. Any other value is an error.
func (f *Form) Choice(name string, offered [][2]string) string {
	typed := f.Text(name)
	if typed != "" && !slices.ContainsFunc(offered, func(o [2]string) bool { return o[0] == typed }) {
		f.AddError(name, "Choose from the list")
		return ""
	}
	return typed
}

// RequiredYesNo returns a required yes or no.
func (f *Form) RequiredYesNo(name, missing string) *bool {
	switch f.Text(name) {
	case "true":
		return new(true)
	case "false":
		return new(false)
	default:
		f.AddError(name, missing)
		return nil
	}
}

// Ssn reads a Social Security number and wraps it at once. It is required if missing is not empty.
func (f *Form) Ssn(name, missing string) pii.Secret[string] {
	typed := strings.TrimSpace(f.Values.Get(name))
	if typed == "" {
		if missing != "" {
			f.AddError(name, missing)
		}
		return pii.Secret[string]{}
	}
	s := heloc.NormalizeSSN(typed)
	if !s.OK {
		f.AddError(name, cmp.Or(s.Problem, "Enter all 9 digits"))
		return pii.Secret[string]{}
	}
	return pii.Wrap(s.Sent)
}

// RowIndexes returns the indexes of the rows in a repeated group that have any text, in order.
func (f *Form) RowIndexes(group string) []string {
	var found []int
	for name := range f.Values {
		rest, ok := strings.CutPrefix(name, group+".")
		if !ok {
			continue
		}
		index, control, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(index)
		if err != nil || n < 0 || strconv.Itoa(n) != index || control == "" || slices.Contains(found, n) ||
			f.Text(name) == "" {
			continue
		}
		found = append(found, n)
	}
	slices.Sort(found)
	if len(found) > MaxRows {
		f.AddError(group, "Enter up to 50 rows")
		found = found[:MaxRows]
	}
	rows := make([]string, len(found))
	for i, n := range found {
		rows[i] = strconv.Itoa(n)
	}
	return rows
}

// Consent returns what the form states about the borrower's consent.
func (f *Form) Consent() lead.ConsentForm {
	return lead.ConsentForm{Attested: f.IsChecked("consent.attested"), Method: f.Text("consent.method"),
		Version: f.Text("consent.version")}
}

// ApplyRowButtons applies the buttons that add or remove a row, which browsers without scripts
// submit. It reports whether one of them was used.
func (f *Form) ApplyRowButtons() bool {
	if group := f.Values.Get("row.add"); group != "" {
		next := 0
		for name := range f.Values {
			if rest, ok := strings.CutPrefix(name, group+"."); ok {
				index, _, _ := strings.Cut(rest, ".")
				if n, err := strconv.Atoi(index); err == nil && n < MaxRows {
					next = max(next, n+1)
				}
			}
		}
		f.Values.Set(group+"."+strconv.Itoa(next)+".lenderName", "")
		return true
	}
	row := f.Values.Get("row.remove")
	if row == "" {
		return false
	}
	maps.DeleteFunc(f.Values, func(name string, _ []string) bool { return strings.HasPrefix(name, row+".") })
	return true
}

// View maps the form to be shown again under this operation id. It omits secrets, and controls that
// belong to a single rendering.
func (f *Form) View(operationID string) ui.Form {
	v := ViewForm(f.Values, f.Corrections)
	for i := range v.Values {
		v.Values[i].Changed = f.Changes[v.Values[i].Name]
	}
	v.OperationID, v.FormError, v.ErrorTitle, v.FieldErrors = operationID, f.FormError, f.ErrorTitle,
		ViewErrors(f.FieldErrors)
	return v
}

// ViewErrors maps field errors.
func ViewErrors(fields []fault.Field) []ui.FieldError {
	mapped := make([]ui.FieldError, len(fields))
	for i, field := range fields {
		mapped[i] = ui.FieldError{Name: field.Name, Text: field.Message}
	}
	return mapped
}

// LabeledErrors maps errors of fields that have their own labels and ids on the page.
func LabeledErrors(fieldErrors []fault.Field, fields []ui.Field) []ui.FieldError {
	all := ViewErrors(fieldErrors)
	for i := range all {
		if at := slices.IndexFunc(fields, func(f ui.Field) bool { return f.Name == all[i].Name }); at >= 0 {
			all[i].ID, all[i].Label = fields[at].ID, fields[at].Label
		}
	}
	return all
}

// ViewForm maps values to controls in a stable order. sent has the corrections.
func ViewForm(values map[string][]string, sent map[string]string) ui.Form {
	var v ui.Form
	for name, all := range values {
		if IsSecretControl(name) || IsPasswordControl(name) || name == "operation" || name == "draft" ||
			name == "consent.version" || name == "cancelOld.operation" || strings.HasPrefix(name, "row.") {
			continue
		}
		for _, value := range all {
			v.Values = append(v.Values, ui.SubmittedValue{Name: name, Value: value, Corrected: sent[name]})
		}
	}
	slices.SortStableFunc(v.Values, func(a, b ui.SubmittedValue) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name)) // so that row 10 follows row 9
	})
	return v
}

// IsSecretControl reports whether a control contains an SSN, which is never shown again.
func IsSecretControl(name string) bool { return strings.HasSuffix(strings.ToLower(name), "ssn") }

// IsPasswordControl reports whether a control contains a password.
func IsPasswordControl(name string) bool {
	return name == "password" || strings.HasPrefix(name, "password.")
}

// DraftIDOrNew returns the draft's id, or a new one if the form has none.
func DraftIDOrNew(draftID string) string {
	if id, err := uuid.Parse(draftID); err == nil && len(draftID) == 36 {
		return id.String()
	}
	return uuid.Must(uuid.NewV7()).String()
}
