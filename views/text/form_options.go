package text

// The options of forms are in the order in which users look for them. Unknown is never offered, and the first
// option is "Choose…" unless a comment says otherwise.

func options(table map[string]string, values ...string) [][2]string {
	out := make([][2]string, 0, len(values)+1)
	out = append(out, [2]string{"", "Choose…"})
	for _, v := range values {
		out = append(out, [2]string{v, lookup(table, v)})
	}
	return out
}

// Employments returns values and text. The live dialect has three more, which go last because Reg B lets the
// borrower leave them unstated.
func Employments(live bool) [][2]string {
	values := []string{"FULL_TIME", "PART_TIME", "SELF_EMPLOYED", "RETIRED", "UNEMPLOYED",
		"SEPARATE_MAINTENANCE_PAYMENTS", "OTHER"}
	if live {
		values = append(values, "ALIMONY", "CHILD_SUPPORT", "PUBLIC_ASSISTANCE_PROGRAM")
	}
	all := options(employment, values...)
	for i, o := range all {
		if o[0] == "SEPARATE_MAINTENANCE_PAYMENTS" {
			all[i][1] += " (only if the borrower chooses to disclose it)"
		}
	}
	return all
}

// Properties returns the ways a property can be used.
func Properties() [][2]string { return options(property, "PRIMARY", "SECONDARY", "INVESTMENT") }

// Ownerships returns the ways a property can be owned.
func Ownerships() [][2]string {
	return options(ownership, "SOLE", "JOINT", "TRUST", "LLC", "OTHER")
}

// Entities returns the kinds of business.
func Entities() [][2]string {
	return options(entity, "SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "MULTI_OWNER_LLC", "PARTNERSHIP",
		"PARTNERSHIP_OR_LLC", "S_CORP")
}

// Suffixes returns the suggested name suffixes; the field accepts any text.
func Suffixes() [][2]string {
	return [][2]string{{"", Dash}, {"Jr", "Jr"}, {"Sr", "Sr"}, {"II", "II"}, {"III", "III"}, {"IV", "IV"}}
}

// Prefixes returns the suggested forms of address, without periods, as the lender accepts them; the field accepts any
// text.
func Prefixes() [][2]string {
	return [][2]string{{"", Dash}, {"Mr", "Mr."}, {"Mrs", "Mrs."}, {"Ms", "Ms."}, {"Mx", "Mx."}, {"Dr", "Dr."}}
}

var consent = map[string]string{"in-person": "In person", "recorded-call": "On a recorded call",
	"link": "Through a link I sent"}

// Consents returns the ways to consent; none is preselected, so the list has no "Choose…".
func Consents() [][2]string {
	return options(consent, "in-person", "recorded-call", "link")[1:]
}

// Consent returns the text of a way to consent.
func Consent(v string) string { return lookup(consent, v) }

// IsConsent reports whether v is a way to consent.
func IsConsent(v string) bool { _, ok := consent[v]; return ok }
