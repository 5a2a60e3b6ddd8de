package lead

import "hearthline/internal/heloc"

// StartSnapshot is what a start stores for its future lead: the data that the lender does not return, in the
// borrower's own spelling.
type StartSnapshot struct {
	Name            heloc.Name    `json:"name"`
	Phone           string        `json:"phone"`
	Email           string        `json:"email"`
	Address         heloc.Address `json:"address"`
	RequestedAmount heloc.Money   `json:"requestedAmount"`
	References      []string      `json:"references,omitempty"`   // record ids of other systems
	DuplicateKey    DuplicateKey  `json:"duplicateKey,omitempty"` // for the blind index that finds duplicates
}

// Describes reports whether an inquiry at the lender, with this borrower and property, can be the one that was started:
// the borrower has the same first and last name, and the property's parts that both sides have are the same. Spelling
// that the lender may change does not count: case, accents, punctuation, "Ave" for "Avenue", the unit and the last four
// digits of a ZIP+4.
func (s StartSnapshot) Describes(name heloc.Name, at heloc.Address) bool {
	who := func(n heloc.Name) string { return heloc.FoldForSearch(n.First + " " + n.Last) }
	if who(s.Name) == "" || who(name) != who(s.Name) {
		return false
	}
	zip := func(a heloc.Address) string { return a.ZIP[:min(len(a.ZIP), 5)] }
	parts := [][2]string{
		{s.Address.State, at.State}, {s.Address.Street1, at.Street1}, {s.Address.City, at.City}, {zip(s.Address), zip(at)},
	}
	// a ZIP code can have several city names
	if ours, theirs := s.Address.Building(), at.Building(); ours != "" && theirs != "" {
		parts = append(parts[:1], [2]string{ours, theirs})
	}
	for _, part := range parts {
		ours, theirs := heloc.FoldForSearch(part[0]), heloc.FoldForSearch(part[1])
		if ours != "" && theirs != "" && ours != theirs {
			return false
		}
	}
	return true
}
