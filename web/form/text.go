package form

import (
	"strings"
	"unicode"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/views/ui"
)

// Text returns a control's text, cleaned and without surrounding whitespace. It records what was removed from it, so
// that the form can show that. A text with a control character is an error.
func (f *Form) Text(name string) string {
	return f.cleaned(name, input.Line)
}

// Email returns a control's text as an email address: Text without "mailto:" and quotation marks.
func (f *Form) Email(name string) string { return f.cleaned(name, input.Email) }

// Lines returns a control's text, which may have several lines, like Text. The desk limits its length.
func (f *Form) Lines(name string) string {
	c := input.Lines(f.Values.Get(name))
	f.recordChange(name, c.Changed)
	if c.Refused != "" {
		f.AddError(name, c.Refused)
	}
	return f.withoutSSN(name, c.Text)
}

// withoutSSN rejects a text with a Social Security number. The form is shown again without it. An id that the user
// chose from a list is not text: one that does not exist is rejected anyway.
func (f *Form) withoutSSN(name, text string) string {
	masked, found := heloc.MaskSSNs(text)
	if found && !strings.HasSuffix(name, "Uuid") {
		f.Values.Set(name, masked)
		f.AddError(name, "An SSN can’t be kept here, so we removed it. Check this entry and send it again")
	}
	return masked
}

func (f *Form) cleaned(name string, clean func(string) input.Cleaned) string {
	c := clean(f.Values.Get(name))
	switch {
	case len(c.Text) > maxTextLength:
		f.AddError(name, "Shorten this entry")
		return ""
	case c.Refused != "":
		f.AddError(name, c.Refused)
		return ""
	}
	f.recordChange(name, c.Changed)
	return f.withoutSSN(name, c.Text)
}

// recordChange records what was changed in a control's text, besides what was recorded before.
func (f *Form) recordChange(name, change string) {
	if change == "" {
		return
	}
	if f.Changes == nil {
		f.Changes = map[string]string{}
	}
	f.Changes[name] = input.Join(f.Changes[name], change)
}

// Normalized returns a control's text in the lender's format. It records safe corrections, so that
// the form can show them. An empty control stays empty.
func (f *Form) Normalized(name string, normalize func(string) heloc.Normalized, invalid string) string {
	typed := f.Text(name)
	if typed == "" {
		return ""
	}
	s := normalize(typed)
	if !s.OK {
		f.AddError(name, input.Join(s.Problem, invalid))
		return ""
	}
	f.recordChange(name, s.Changed)
	if s.Sent != typed && !SameDigits(s.Sent, typed) {
		f.Corrections[name] = s.Sent
	}
	return s.Sent
}

// CorrectionNotes returns what the form shows below the controls whose text was changed, by control.
func (f *Form) CorrectionNotes() map[string]string {
	notes := map[string]string{}
	for name, change := range f.Changes {
		notes[name] = ui.CorrectionText(change, f.Corrections[name])
	}
	for name, sent := range f.Corrections {
		notes[name] = ui.CorrectionText(f.Changes[name], sent)
	}
	return notes
}

// SameDigits reports whether two texts are the same number with different separators: dropping the
// parentheses of a phone number is not a correction, dropping its country code is.
func SameDigits(a, b string) bool {
	digits := func(s string) (found string, number bool) {
		for _, r := range s {
			if unicode.IsLetter(r) {
				return "", false
			}
			if unicode.IsDigit(r) {
				found += string(r)
			}
		}
		return found, found != ""
	}
	x, isX := digits(a)
	y, isY := digits(b)
	return isX && isY && x == y
}

// unusableSigns returns a sentence that names the signs in an amount, a date or a rate that are not among the usual
// ones.
func unusableSigns(typed, usual string) string {
	return input.Unusable(input.Plain(typed), func(r rune) bool {
		return r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(usual, r)
	})
}
