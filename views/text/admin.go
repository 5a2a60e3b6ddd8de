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
	"form":      "Wrong format: the algorithm, typ or JSON is wrong, or a claim isn’t text of up to 200 characters",
	"signature": "Not signed with a key or secret of this CRM, or signed for a different URL",
	"time":      "Too old, valid for too long, or a clock is wrong",
	"claims":    "exp, iat or jti is missing",
	"issuer":    "Wrong issuer (iss)",
	"audience":  "Wrong audience (aud)",
	"company":   "From a different organization or portal",
	"person":    "Names no user, or more than one user",
	"page":      "Its origin isn’t registered for this CRM",
	"record":    "The record’s type or ID is neither a whole number nor text of up to 200 characters",
	"way":       "Sent to the URL of a different signing method",
	"used":      "Sent or opened a second time, or too late",
	"keys":      "Its public keys couldn’t be read from its URL for a day",
	"key-id":    "Its key ID (kid) matches none of this CRM’s keys",
	"often":     "More than 60 launches by one user in a minute",
}

// launchChecks names the conditions of a launch by the cause of its rejection.
var launchChecks = map[string]string{
	"form": "Format", "signature": "Signature", "claims": "Required claims", "time": "Times", "issuer": "Issuer",
	"audience": "Audience", "company": "Organization", "person": "User", "page": "Origin", "record": "Record",
	"used": "Used once",
}

// LaunchCheck returns the name of a condition of a launch.
func LaunchCheck(cause string) string { return lookup(launchChecks, cause) }

var launchFieldUses = map[string]string{
	"used":      "Filled in",
	"empty":     "Ignored: it’s empty",
	"reserved":  "Ignored: only the borrower or the user can enter it",
	"unknown":   "Ignored: a new inquiry has no field with this name",
	"type":      "Ignored: it’s neither text nor a whole number",
	"long":      "Ignored: it’s longer than 200 characters",
	"character": "Ignored: it has a control character",
	"many":      "Ignored: there are more than 200 fields",
	"value":     "Ignored: the field doesn’t accept this value",
	"reference": "Ignored: the field has the record’s ID or Hearthline’s own number",
}

// LaunchFieldUse describes what becomes of a field of a launch.
func LaunchFieldUse(use string) string { return lookup(launchFieldUses, use) }

// LaunchRejection returns why launches from a CRM were rejected, for the users who maintain it.
func LaunchRejection(cause string) string { return lookup(launchRejections, cause) }
