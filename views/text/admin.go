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

var launchRejections = map[string]string{
	"form":      "Wrong format: the algorithm, the typ or the JSON",
	"signature": "Not signed with a key or secret of this CRM, or signed for a different URL",
	"time":      "Too old, valid for too long, or a clock is wrong",
	"claims":    "exp, iat or jti is missing",
	"issuer":    "Wrong issuer (iss)",
	"audience":  "Wrong audience (aud)",
	"company":   "From a different organization or portal",
	"person":    "Names no user, or more than one user",
	"page":      "Its origin isn’t registered for this CRM",
	"record":    "The record’s ID is neither text nor a whole number",
	"way":       "Sent to the URL of a different signing method",
	"used":      "Sent or opened a second time, or too late",
	"often":     "More than 60 launches by one user in a minute",
}

// LaunchRejection returns why launches from a CRM were rejected, for the users who maintain it.
func LaunchRejection(cause string) string { return lookup(launchRejections, cause) }
