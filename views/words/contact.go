package words

// Reasons to look at a borrower's details, by key, in the order of how often they are
// given.
var revealReasons = map[string]string{
	"callback":  "The borrower asked to be called back",
	"identity":  "To make sure whom I speak to",
	"correct":   "To check or correct what was sent",
	"documents": "To help with documents or signing",
	"lender":    "The lender asked about it",
	"contact":   "To be in touch",
	"restart":   "To begin the inquiry anew",
	"typed":     "In own words",
}

// RevealReasons are value and words; nothing is preselected.
func RevealReasons() [][2]string {
	return options(revealReasons, "callback", "identity", "correct", "documents", "lender")
}

// RevealReason says one of them, and those that are not chosen from the list.
func RevealReason(key string) string { return lookup(revealReasons, key) }

var contactMethods = map[string]string{"call": "Call", "text": "Text", "email": "E-mail", "link": "Link sent", "in-person": "In person"}

// Contact says how the borrower was reached.
func Contact(how string) string { return lookup(contactMethods, how) }

// ContactMessage is what a text or an e-mail to the borrower opens with: the step's words, and
// who writes, with the licences that the first written contact must name. It is there to
// be changed before it is sent.
func ContactMessage(lang Lang, first, say, signature string) string {
	hello := "Hello"
	if lang == Spanish {
		hello = "Hola"
	}
	if first != "" {
		hello += " " + first
	}
	return hello + ",\n\n" + say + "\n\n" + signature
}

// ContactSubject is that of an e-mail. It says nothing of the borrower's credit: others may see
// it on a locked screen.
func ContactSubject(lang Lang) string {
	if lang == Spanish {
		return "Sobre su línea de crédito"
	}
	return "About your home equity line"
}

var repullSkipReasons = map[string]string{
	"step":        "The lead had moved on, or was set aside.",
	"owner":       "The lead has another originator by now. Take a consent anew to plan it again.",
	"person":      "Who planned it may not act on this lead any more.",
	"consent":     "The consent text has changed since. Read today’s text to the borrower.",
	"over":        "The lift had ended by then. Ask the borrower to lift the freeze again.",
	"hand":        "Somebody asked by hand meanwhile.",
	"busy":        "The lender was working on something else.",
	"down":        "The lender could not be reached. Nothing was sent.",
	"refused":     "It was asked for, and the lender refused. Its words stand on the Activity tab.",
	"unknown":     "It was asked for, and it is not known whether that arrived. Look at its receipt before you ask again.",
	"interrupted": "The portal was interrupted while it was trying. The receipts on the Activity tab say whether anything was sent.",
}

// RepullSkipped says why a planned re-pull was not asked for.
func RepullSkipped(why string) string { return lookup(repullSkipReasons, why) }

var dateKinds = map[string]string{
	"expiration": "Inquiry expires",
	"notary":     "Notary appointment",
	"rescission": "Rescission ends",
	"pricing":    "Pricing as of",
	"credit":     "Credit as of",
	"follow-up":  "Follow-up",
}

// DateKind says what a date coming up is about.
func DateKind(kind string) string { return lookup(dateKinds, kind) }

var exports = map[string]string{
	"document": "a document", "documents": "all documents at once", "sheet": "the sheet for the borrower", "list": "a list with this lead in it",
}

// Exported says what was taken of a lead; a document by its name where that is known.
func Exported(what, name string) string {
	if what == "document" && name != "" {
		return "document “" + name + "”"
	}
	return lookup(exports, what)
}
