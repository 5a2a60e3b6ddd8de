package lead

// ConsentForm is what the form contains about the borrower's consent to a credit pull.
type ConsentForm struct {
	Attested bool
	Method   string
	Version  string
}

// ConsentMethods lists the ways in which a borrower can consent.
func ConsentMethods() []string { return []string{"in-person", "recorded-call", "link"} }
