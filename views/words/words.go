// Package words is what Hearthline says: the words for every value of the
// interface, for every standing of a lead, and what the originator may say to
// the borrower in English and in Spanish. Screens of the desk speak English;
// Spanish is for what the borrower hears or reads.
//
//	words.go      the rule for values we do not know, and yes or no
//	enum.go       enumerations of interface.md 2.5 and interface-live.md 4
//	status.go   chip, card and sentences of each standing
//	spanish.go    what is said to the borrower, in Spanish
//	lane.go       the pipeline's lanes
//	operation.go  operations and their receipts
//	contact.go        reasons, contacts, what was planned, dates
//	error_page.go    the error page
//	state.go      the states
//	used_on.go  where the lender's interface is used
//	audit.go      what the audit writes down, roles and permissions
//
// The field's terms and the law bind here: "No offers" is never
// "denied"; cancelled, withdrawn, declined and expired are four words;
// nothing promises a date of funding.
package words

import "strings"

// Lang is a language: "en" or "es".
type Lang string

// The languages we speak.
const (
	English Lang = "en"
	Spanish Lang = "es"
)

// ParseLang reads a setting; anything but "es" is English.
func ParseLang(s string) Lang {
	if s == string(Spanish) {
		return Spanish
	}
	return English
}

// Dash stands where the lender says nothing.
const Dash = "—"

// NameUnreadable stands in the place of a borrower's name that was damaged where it is kept.
const NameUnreadable = "Name cannot be opened"

// acronyms are pieces of a name that keep their capitals.
var acronyms = map[string]string{
	"DTI": "DTI", "CLTV": "CLTV", "LLC": "LLC", "SSN": "SSN", "HELOC": "HELOC", "ACH": "ACH", "BPO": "BPO", "AVM": "AVM",
	"NOC": "NOC", "NMLS": "NMLS", "CA": "CA", "RMLA": "RMLA", "CFL": "CFL", "DRE": "DRE", "CORP": "corp", "ID": "ID", "EIN": "EIN",
}

// Name is an unknown value's own name in words: REVIEW_TITLE_TERMS becomes
// "Review title terms"; what already is a sentence stays as it is; nothing is
// a dash. The lender may add values at any time, and a page must say them.
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

// YesNo is a boolean that may be unknown.
func YesNo(v *bool) string {
	switch {
	case v == nil:
		return Dash
	case *v:
		return "Yes"
	default:
		return "No"
	}
}

// OrDash is the text, or a dash when there is none.
func OrDash(text string) string {
	if strings.TrimSpace(text) == "" {
		return Dash
	}
	return text
}
