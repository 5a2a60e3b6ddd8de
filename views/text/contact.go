package text

import "cmp"

// revealReasons lists the reasons to view a borrower's details, by key, the most frequent first.
var revealReasons = map[string]string{
	"callback":  "The borrower asked to be called back",
	"identity":  "To verify identity",
	"correct":   "To review or correct the inquiry",
	"documents": "To help with documents or signing",
	"lender":    "The lender requested it",
	"contact":   "To contact the borrower",
	"restart":   "To copy to a new inquiry",
	"prefill":   "Filled in to send to the lender again",
	"loan-file": "To export to an LOS",
	"typed":     "Other reason",
}

// RevealReasons returns the reasons as value and text; none is preselected.
func RevealReasons() [][2]string {
	return options(revealReasons, "callback", "identity", "correct", "documents", "lender")
}

// RevealReason returns the text of a reason, including reasons that users cannot choose from the list.
func RevealReason(key string) string { return lookup(revealReasons, key) }

var contactMethods = map[string]string{"call": "Call", "text": "Text", "email": "Email", "link": "Link sent",
	"in-person": "In person"}

// Contact returns the text for how the borrower was contacted.
func Contact(how string) string { return lookup(contactMethods, how) }

var contactsMade = map[string]string{
	"call": "Called the borrower", "text": "Texted the borrower", "email": "Emailed the borrower",
	"link": "Sent the borrower a link", "in-person": "Met the borrower in person",
}

// ContactMade returns the text of a contact that was logged.
func ContactMade(how string) string {
	return cmp.Or(contactsMade[how], "Contacted the borrower: "+LowerFirst(Contact(how)))
}

// ContactMessage returns the initial text of a text message or email to the borrower: the step's script, and
// the sender's signature with the licenses that the first written contact must name. The user can edit it
// before sending it.
func ContactMessage(lang Lang, first, script, signature string) string {
	greeting := "Hello"
	if lang == Spanish {
		greeting = "Hola"
	}
	if first != "" {
		greeting += " " + first
	}
	return greeting + ",\n\n" + script + "\n\n" + signature
}

// ContactSubject returns the subject of an email. It does not mention the borrower's credit: others may see
// it on a locked screen.
func ContactSubject(lang Lang) string {
	if lang == Spanish {
		return "Sobre su línea de crédito"
	}
	return "About your home equity line"
}

var repullSkipReasons = map[string]string{
	"step":        "The lead was no longer at this step, or was closed.",
	"owner":       "The lead was reassigned. To schedule it again, get a new consent.",
	"person":      "The person who scheduled it no longer has access to this lead.",
	"consent":     "The consent text changed. Read the current text to the borrower.",
	"over":        "The lift had ended. Ask the borrower to lift the freeze again.",
	"hand":        "Someone re-pulled credit manually.",
	"busy":        "The lender was processing another request.",
	"unconfirmed": "An earlier request wasn’t confirmed. Check its receipt before you re-pull credit.",
	"down":        "The lender could not be reached. Nothing was sent.",
	"refused":     "The lender didn’t accept it. Any message from the lender is on the Activity tab.",
	"unknown":     "It was sent, but not confirmed. Check its receipt before you re-pull credit again.",
	"interrupted": "It was interrupted. The receipts on the Activity tab show whether anything was sent.",
}

// RepullSkipped returns why a planned re-pull was not requested.
func RepullSkipped(why string) string { return lookup(repullSkipReasons, why) }

var dateKinds = map[string]string{
	"expiration": "Inquiry expires",
	"notary":     "Notary appointment",
	"rescission": "Rescission ends",
	"pricing":    "Pricing as of",
	"credit":     "Credit as of",
	"follow-up":  "Reminder",
}

// DateKind returns the text for a kind of upcoming date.
func DateKind(kind string) string { return lookup(dateKinds, kind) }

var exports = map[string]string{
	"document": "a document", "documents": "all documents", "sheet": "the offer sheet or borrower’s page",
	"loan-file": "the loan file for an LOS",
	"list":      "exported a list that includes this lead",
}

// Exported describes what was exported from a lead; a document is named if its name is known.
func Exported(what, name string) string {
	if what == "document" && name != "" {
		return "document “" + name + "”"
	}
	return lookup(exports, what)
}
