package text

// usedOn maps each method of the client to the screen that uses it.
var usedOn = map[string]string{
	"Start": "New inquiry", "Quote": "A lead’s offers", "Details": "Every lead, behind the page",
	"Signers": "Borrower panel, when details are shown", "SelectOffer": "A lead’s offers", "Cancel": "A lead, cancel",
	"SetAttributions": "A lead’s history, source and references", "Reassign": "Reassign, one or several leads",
	"PayoffOffers": "A lead’s offers, payoff planner", "BorrowerCosts": "A lead’s offers, costs",
	"Properties": "A lead, property match", "SelectProperty": "A lead, property match", "AddSSN": "A lead, SSN needed",
	"RepullCredit": "A lead, credit frozen", "VerifyLiens": "A lead, verify liens",
	"AddIncome":      "A lead, income/assets needed, when no debts are paid off",
	"AssetDepletion": "A lead, income/assets needed and payoff", "AddPropertyEstimate": "A lead, property value",
	"Documents": "A lead’s documents", "Document": "A lead’s documents, one", "DocumentsZip": "A lead’s documents, all",
	"Prequalify": "Quick estimate", "PrequalifyPlain": "Quick estimate, when PARTNER_PREQUALIFY is v1",
	"Originators": "Directory, hourly and by email", "Seal": "Every payload, when there is no public key",
}

// UsedOn returns the screen on which a method of the lender's client is used.
func UsedOn(method string) string { return usedOn[method] }
