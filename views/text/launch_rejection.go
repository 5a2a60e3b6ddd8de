package text

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
