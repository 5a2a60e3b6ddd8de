package words

var launchRejections = map[string]string{
	"form":      "Not of the form that its kind has: the algorithm, the typ or the JSON",
	"signature": "Signed with no key or secret of this CRM, or for another address",
	"time":      "Too old, good for too long, or one of the clocks is wrong",
	"claims":    "exp, iat or jti is missing",
	"issuer":    "From another issuer (iss)",
	"audience":  "Made for another address (aud)",
	"company":   "Speaks for another organization or portal",
	"person":    "Names nobody, or more than one person",
	"page":      "Its origin is not among the pages of this CRM",
	"record":    "The record’s id is neither text nor a whole number",
	"way":       "Sent to the address of another way of signing",
	"used":      "Sent, or its one-time address opened, a second time or too late",
	"often":     "More than 60 launches of one log-in in a minute",
}

// LaunchRejection returns why launches from a CRM were rejected, for the users who maintain it.
func LaunchRejection(cause string) string {
	if text, ok := launchRejections[cause]; ok {
		return text
	}
	return Name(cause)
}
