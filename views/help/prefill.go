package help

import "hearthline/views/text"

// helpPrefill lists the fields that a launch can fill in, from the table by which launches are read.
func helpPrefill() Section {
	return Section{ID: "prefill", Title: "Fields that a launch can fill in", Text: []string{
		"A launch may have prefill, an object with any of these names. Users see the values in a new inquiry and can " +
			"change them; nothing is sent to the lender until they send the inquiry. Each value is text of up to 200 " +
			"characters or a whole number. # is the number of a lien, from 0 to 49.",
		"Two references are ignored: the one that Hearthline uses for its own number, which is externalAppId unless your " +
			"operator chose another, and, in the reference that holds the record’s ID, any other value.",
		"An administrator can paste a launch under Administration, CRMs, Test a launch, to see which fields were used.",
	}, Table: Table{Columns: []string{"Name", "Value", "Example"}, Rows: text.LaunchFields()}}
}
