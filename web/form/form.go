package form

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/views"
	"hearthline/views/ui"

	"github.com/google/uuid"
)

const (
	MaxRows       = 50   // of a repeated group
	maxTextLength = 2000 // characters in one control
	MaxControls   = 1000 // controls of one form
	// MaxMoney is above any house or income, so that a slip of a key is caught.
	MaxMoney = heloc.Money(1_000_000_000_00)
)

// Form is what was posted while it is being read: reading a control gives its typed
// value, or notes a complaint beside it. A handler that finds complaints hands the
// form back as it is; nothing is judged twice.
type Form struct {
	Values      url.Values
	OperationID string
	FieldErrors []fault.Field
	Corrections map[string]string // what a safe correction sends instead, by control
	FormError   string            // of the form as a whole
}

// DropExcessRows forgets rows beyond the most that a group may have. They would be refused
// anyway, and shown again they would make a page of many megabytes.
func DropExcessRows(values url.Values) {
	for name := range values {
		for part := range strings.SplitSeq(name, ".") {
			if n, err := strconv.Atoi(part); err == nil && (n < 0 || n >= MaxRows) {
				delete(values, name)
			}
		}
	}
}

// AddError notes the first thing that is wrong with a control.
func (f *Form) AddError(name, message string) {
	if slices.ContainsFunc(f.FieldErrors, func(w fault.Field) bool { return w.Name == name }) {
		return
	}
	f.FieldErrors = append(f.FieldErrors, fault.Field{Name: name, Message: message})
}

func (f *Form) HasErrors() bool { return len(f.FieldErrors) > 0 }

// Text is what stands in a control, without blanks around it.
func (f *Form) Text(name string) string {
	s := strings.TrimSpace(strings.ToValidUTF8(f.Values.Get(name), ""))
	if len(s) > maxTextLength {
		f.AddError(name, "This is too long")
		return ""
	}
	return s
}

// Required is text that must not be missing.
func (f *Form) Required(name, missing string) string {
	s := f.Text(name)
	if s == "" {
		f.AddError(name, missing)
	}
	return s
}

func (f *Form) IsChecked(name string) bool { return f.Values.Get(name) == "true" }

// HasAny says whether any control under a prefix has something in it.
func (f *Form) HasAny(prefix string) bool {
	for name := range f.Values {
		if strings.HasPrefix(name, prefix) && f.Text(name) != "" {
			return true
		}
	}
	return false
}

// UniqueValues is every value of a control that repeats, each once and no empty one.
func (f *Form) UniqueValues(name string) []string {
	var all []string
	for _, v := range f.Values[name] {
		if v = strings.TrimSpace(v); v != "" && len(v) <= maxTextLength && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all[:min(len(all), MaxRows)]
}

// Normalized mends what can safely be mended, and remembers what it mended. Nothing
// typed is nothing sent.
func (f *Form) Normalized(name string, spell func(string) heloc.Normalized, wrong string) string {
	typed := f.Text(name)
	if typed == "" {
		return ""
	}
	s := spell(typed)
	if !s.OK {
		f.AddError(name, wrong)
		return ""
	}
	if s.Sent != typed && !SameDigits(s.Sent, typed) {
		f.Corrections[name] = s.Sent
	}
	return s.Sent
}

// SameDigits says whether two texts are one number, written with other signs between: a
// phone number without its brackets is no correction, one without its country code is.
func SameDigits(a, b string) bool {
	digits := func(s string) (kept string, number bool) {
		for _, r := range s {
			if unicode.IsLetter(r) {
				return "", false
			}
			if unicode.IsDigit(r) {
				kept += string(r)
			}
		}
		return kept, kept != ""
	}
	x, isX := digits(a)
	y, isY := digits(b)
	return isX && isY && x == y
}

// Money is an amount; nil when nothing was typed.
func (f *Form) Money(name string) *heloc.Money {
	typed := f.Text(name)
	if typed == "" {
		return nil
	}
	m, err := heloc.ParseMoney(typed)
	switch {
	case err != nil:
		f.AddError(name, "Enter an amount in dollars")
	case m < 0:
		f.AddError(name, "An amount is never below zero")
	case m > MaxMoney:
		f.AddError(name, "This is more than an amount can be")
	default:
		return &m
	}
	return nil
}

// PositiveMoney is an amount that must be given and be more than nothing.
func (f *Form) PositiveMoney(name, missing string) *heloc.Money {
	before := len(f.FieldErrors)
	m := f.Money(name)
	if len(f.FieldErrors) == before && (m == nil || *m == 0) {
		f.AddError(name, missing)
		return nil
	}
	return m
}

// PastDate is a day that is not in the future; empty when nothing was typed.
func (f *Form) PastDate(name string, today heloc.Date) heloc.Date {
	typed := f.Text(name)
	if typed == "" {
		return ""
	}
	d, err := heloc.ParseDate(typed)
	switch {
	case err != nil:
		f.AddError(name, "Enter a date as mm/dd/yyyy")
	case d.After(today):
		f.AddError(name, "This day has not come yet")
	case d < "1850-01-01":
		f.AddError(name, "Check the year")
	default:
		return d
	}
	return ""
}

// Rate is a percentage up to 100; nil when nothing was typed.
func (f *Form) Rate(name string) *heloc.Rate {
	typed := f.Text(name)
	if typed == "" {
		return nil
	}
	r, err := heloc.ParseRate(typed)
	if err != nil || r < 0 || r > heloc.Percent(100) {
		f.AddError(name, "Enter a percentage from 0 to 100")
		return nil
	}
	return &r
}

// Choice is one of the values on offer; anything else was made up.
func (f *Form) Choice(name string, offered [][2]string) string {
	typed := f.Text(name)
	if typed != "" && !slices.ContainsFunc(offered, func(o [2]string) bool { return o[0] == typed }) {
		f.AddError(name, "Choose one of the list")
		return ""
	}
	return typed
}

// RequiredYesNo is a yes or no that must be given.
func (f *Form) RequiredYesNo(name, missing string) *bool {
	switch f.Text(name) {
	case "true":
		yes := true
		return &yes
	case "false":
		no := false
		return &no
	default:
		f.AddError(name, missing)
		return nil
	}
}

// Ssn reads a Social Security number into its wrapping at once. It must be given
// when missing says so.
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
		f.AddError(name, "Enter all nine digits")
		return pii.Secret[string]{}
	}
	return pii.Wrap(s.Sent)
}

// RowIndexes are the indexes of a repeated group in which something stands, in order.
func (f *Form) RowIndexes(group string) []string {
	var found []int
	for name := range f.Values {
		rest, ok := strings.CutPrefix(name, group+".")
		if !ok {
			continue
		}
		index, control, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(index)
		if err != nil || n < 0 || strconv.Itoa(n) != index || control == "" || slices.Contains(found, n) || f.Text(name) == "" {
			continue
		}
		found = append(found, n)
	}
	slices.Sort(found)
	if len(found) > MaxRows {
		f.AddError(group, "These are more rows than the lender takes")
		found = found[:MaxRows]
	}
	rows := make([]string, len(found))
	for i, n := range found {
		rows[i] = strconv.Itoa(n)
	}
	return rows
}

// Consent is what the form says of the borrower's consent.
func (f *Form) Consent() desk.Consent {
	return desk.Consent{Attested: f.IsChecked("consent.attested"), Method: f.Text("consent.method"), Version: f.Text("consent.version")}
}

// ApplyRowButtons says whether the press was for one more row or one less, which
// browsers without script send, and changes the rows so.
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
	for name := range f.Values {
		if strings.HasPrefix(name, row+".") {
			delete(f.Values, name)
		}
	}
	return true
}

// View is the form as it goes back to the person, under this ticket. What is secret,
// and what belongs to one rendering, stays behind.
func (f *Form) View(ticket string) views.Form {
	v := ViewForm(f.Values, f.Corrections)
	v.OperationID, v.FormError, v.FieldErrors = ticket, f.FormError, ViewErrors(f.FieldErrors)
	return v
}

func ViewErrors(fields []fault.Field) []views.FieldError {
	wrong := make([]views.FieldError, len(fields))
	for i, w := range fields {
		wrong[i] = views.FieldError{Name: w.Name, Text: w.Message}
	}
	return wrong
}

// LabeledErrors are complaints about fields that a page describes in words and ids of its own.
func LabeledErrors(wrong []fault.Field, fields []ui.Field) []views.FieldError {
	all := ViewErrors(wrong)
	for i := range all {
		if at := slices.IndexFunc(fields, func(f ui.Field) bool { return f.Name == all[i].Name }); at >= 0 {
			all[i].ID, all[i].Label = fields[at].ID, fields[at].Label
		}
	}
	return all
}

// ViewForm puts values into controls, in an order that does not change.
func ViewForm(values map[string][]string, sent map[string]string) views.Form {
	var v views.Form
	for name, all := range values {
		if IsSecretControl(name) || IsPasswordControl(name) || name == "operation" || name == "draft" || name == "consent.version" || name == "cancelOld.operation" || strings.HasPrefix(name, "row.") {
			continue
		}
		for _, value := range all {
			v.Values = append(v.Values, views.SubmittedValue{Name: name, Value: value, Corrected: sent[name]})
		}
	}
	slices.SortStableFunc(v.Values, func(a, b views.SubmittedValue) int {
		if d := cmp.Compare(len(a.Name), len(b.Name)); d != 0 {
			return d // so that row 10 follows row 9
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return v
}

// IsSecretControl names the controls that are never shown again.
func IsSecretControl(name string) bool { return strings.HasSuffix(strings.ToLower(name), "ssn") }

func IsPasswordControl(name string) bool {
	return name == "password" || strings.HasPrefix(name, "password.")
}

// DraftIDOrNew keeps a draft's number, or makes one when a form came without.
func DraftIDOrNew(given string) string {
	if id, err := uuid.Parse(given); err == nil && len(given) == 36 {
		return id.String()
	}
	return uuid.Must(uuid.NewV7()).String()
}
