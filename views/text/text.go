// Package text holds the text that Hearthline displays and that is not in a template: for every value of the
// interface, for every status of a lead, for dates and amounts, and for what the originator may say to the borrower
// in English and in Spanish. The portal's screens are in English; Spanish is for what the borrower hears or reads.
//
//	glossary.go          the product's terms, each once
//	text.go              the rule for unknown values; yes or no
//	enum.go              enumerations of interface.md 2.5 and interface-live.md 4; options of forms
//	status.go            chip, card and sentences of each status; lead_status.go chooses them for a lead,
//	                     and says whose move it is, for a viewer
//	time.go              dates, times and durations in the viewer's time zone; texts that age
//	figures.go           amounts, rates, counts, names and addresses
//	operation.go         operations and their receipts
//	spanish.go           what is said to the borrower in Spanish
//	notice.go            notifications
//	contact.go           reasons, contacts, exports, dates
//	audit.go             audited actions, roles and permissions; audit_row.go adds sign-in alerts
//
// The industry's terms and the law apply here: "No offers" is never "denied"; canceled, withdrawn, declined
// and expired are four different texts; nothing promises a funding date.
package text

import "strings"

// Lang is a language: "en" or "es".
type Lang string

// The supported languages.
const (
	English Lang = "en"
	Spanish Lang = "es"
)

// Name is the language in English.
func (l Lang) Name() string {
	if l == Spanish {
		return "Spanish"
	}
	return "English"
}

// ParseLang parses a setting; anything but "es" is English.
func ParseLang(s string) Lang {
	if s == string(Spanish) {
		return Spanish
	}
	return English
}

// Dash is displayed where the lender gives no value.
const Dash = "—"

// NameUnreadable is displayed instead of a borrower's name whose stored value is damaged.
const NameUnreadable = "Name unavailable"

// acronyms lists the words that stay in capitals.
var acronyms = map[string]string{
	"DTI": "DTI", "CLTV": "CLTV", "LLC": "LLC", "SSN": "SSN", "HELOC": "HELOC", "ACH": "ACH", "BPO": "BPO", "AVM": "AVM",
	"NOC": "NOC", "NMLS": "NMLS", "CA": "CA", "RMLA": "RMLA", "CFL": "CFL", "DRE": "DRE", "CORP": "corp", "ID": "ID",
	"EIN": "EIN",
}

// Name turns an unknown value into text: REVIEW_TITLE_TERMS becomes "Review title terms". A value that
// already is a sentence is returned unchanged; an empty value becomes a dash. The lender may add values at
// any time, and a page must be able to display them.
func Name(value string) string {
	value = strings.TrimSpace(value)
	if value == "" {
		return Dash
	}
	if value != strings.ToUpper(value) {
		return value
	}
	pieces := strings.FieldsFunc(value, func(r rune) bool { return r == '_' || r == ' ' })
	if len(pieces) == 0 {
		return Dash
	}
	for i, p := range pieces {
		if s, ok := acronyms[p]; ok {
			pieces[i] = s
			continue
		}
		pieces[i] = strings.ToLower(p)
		if i == 0 {
			pieces[i] = p[:1] + pieces[i][1:]
		}
	}
	return strings.Join(pieces, " ")
}

// lookup looks a value up in a table and falls back to Name.
func lookup(table map[string]string, value string) string {
	if w, ok := table[value]; ok {
		return w
	}
	return Name(value)
}

// YesNo returns the text of a boolean; it is empty if unknown.
func YesNo(v *bool) string {
	switch {
	case v == nil:
		return ""
	case *v:
		return "Yes"
	default:
		return "No"
	}
}

// OrDash returns the text, or a dash if it is empty.
func OrDash(text string) string {
	if strings.TrimSpace(text) == "" {
		return Dash
	}
	return text
}

// LowerFirst converts the first letter to lower case for the middle of a sentence, unless the text
// begins with an abbreviation such as SSN.
func LowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
