package words

// What forms offer, in the order in which a person looks for it. Unknown is
// never offered, and nothing stands first by default but "Choose…".

func options(table map[string]string, values ...string) [][2]string {
	out := make([][2]string, 0, len(values)+1)
	out = append(out, [2]string{"", "Choose…"})
	for _, v := range values {
		out = append(out, [2]string{v, lookup(table, v)})
	}
	return out
}

// Employments are value and words; the live dialect knows three more, which
// go last because Reg B lets the borrower leave them unsaid.
func Employments(live bool) [][2]string {
	values := []string{"FULL_TIME", "PART_TIME", "SELF_EMPLOYED", "RETIRED", "UNEMPLOYED", "SEPARATE_MAINTENANCE_PAYMENTS", "OTHER"}
	if live {
		values = append(values, "ALIMONY", "CHILD_SUPPORT", "PUBLIC_ASSISTANCE_PROGRAM")
	}
	return options(employment, values...)
}

// Properties are what a property is used as.
func Properties() [][2]string { return options(property, "PRIMARY", "SECONDARY", "INVESTMENT") }

// Ownerships are how it is owned.
func Ownerships() [][2]string {
	return options(ownership, "SOLE", "JOINT", "TRUST", "LLC", "OTHER")
}

// Entities are kinds of a business.
func Entities() [][2]string {
	return options(entity, "SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "MULTI_OWNER_LLC", "PARTNERSHIP", "PARTNERSHIP_OR_LLC", "S_CORP")
}

// Suffixes are what forms offer; the field itself is free.
func Suffixes() [][2]string {
	return [][2]string{{"", Dash}, {"Jr", "Jr"}, {"Sr", "Sr"}, {"II", "II"}, {"III", "III"}, {"IV", "IV"}}
}

var consent = map[string]string{"in-person": "In person", "recorded-call": "On a recorded call", "link": "By a link I sent"}

// Consents are the ways to agree; nothing is preselected, so there is no
// "Choose…" among them.
func Consents() [][2]string {
	return options(consent, "in-person", "recorded-call", "link")[1:]
}

// Consent says one of them.
func Consent(v string) string { return lookup(consent, v) }
