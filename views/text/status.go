package text

import (
	"slices"
	"strings"
)

// Status is the text for the status of a lead: one row of the table behind chips, cards and notices.
// internal/heloc decides which step leads to which status; the keys are shared.
type Status struct {
	Key      string
	Chip     string // "Verify liens"
	Icon     string
	Tone     string // yours (amber), offers (green) or ""
	Title    string // of the next-step card
	Happened string // what happened, in one sentence
	Next     string // what happens next; after the end, what the originator can do
	script   string
}

var movers = map[string]string{"you": "Originator", "borrower": "Borrower", "lender": "Lender"}

// Mover returns whose move it is in the third person, as in an exported file; "" means nobody's.
func Mover(who string) string { return movers[who] }

// Script is what the originator may say to the borrower, without quotation marks; "" if there is nothing to
// say.
func (s Status) Script(lang Lang) string {
	if lang == Spanish {
		return spanish[s.Key]
	}
	return s.script
}

// StatusOf returns the status with this key. For "other", "refinance" and unknown keys, the chip shows step's
// own name as text; otherwise step is ignored.
func StatusOf(key, step string) Status {
	s, ok := statuses[key]
	if !ok {
		s = statuses["other"]
	}
	if s.Key == "other" && step != "" {
		s.Chip = Name(step)
		s.Title = "The lender’s next step: " + s.Chip
	}
	return s
}

// HasStepHelp reports whether the help has a section about what the originator does at a status. Its id is the status's
// key.
func HasStepHelp(key string) bool {
	return slices.Contains([]string{
		"choose-property", "ssn-needed", "credit-frozen", "still-frozen", "repull-due", "verify-liens",
		"more-assets", "payoff", "property-value", "no-offers", "chase-sign-in", "chase-documents", "refinance",
		"other",
	}, key)
}

// StatusKeys lists the keys in the order in which a lead reaches them, for filters.
func StatusKeys() []string {
	return []string{
		"in-progress", "choose-property", "ssn-needed", "credit-frozen", "still-frozen",
		"repull-due", "verify-liens", "more-assets", "payoff", "property-value",
		"offers", "no-offers", "borrower-sign-in", "chase-sign-in", "broker-documents", "chase-documents",
		"complete", "application", "disclosures", "signing", "signed", "rescission", "funding", "funded", "cancelled",
		"declined", "expired", "withdrawn", "refinance", "other",
	}
}

var statuses = func() map[string]Status {
	m := make(map[string]Status, len(inquiryStatuses)+len(applicationStatuses)+len(endedStatuses))
	for _, table := range [][]Status{inquiryStatuses, applicationStatuses, endedStatuses} {
		for _, s := range table {
			m[s.Key] = s
		}
	}
	return m
}()

// Open leads: the inquiry.
var inquiryStatuses = []Status{
	{"in-progress", "In progress", "hourglass", "", "The lender is reviewing the inquiry",
		"The lender received the inquiry.",
		"Offers, no offers, or a request for more information. This page updates automatically.",
		"It’s with the lender now. I’ll get back to you as soon as I have an answer."},
	{"offers", "Offers ready", "circle-check", "offers", "Choose an offer with the borrower",
		"The lender priced the line. Payments are our estimate until an offer is selected.",
		"After you select one, the borrower signs in with the lender.",
		"Your offers are in. Would you rather start with the payment or with how soon it’s paid off?"},
	{"choose-property", "Property match", "house", "yours", "Choose the property",
		"The address matches more than one property, often a building with units.",
		"The lender continues with the property you choose.",
		"I’d like to confirm your exact address. Which unit is yours, as shown on the tax bill?"},
	{"ssn-needed", "SSN needed", "user-round", "yours", "SSN needed",
		"The bureau couldn’t find the borrower by name and address.",
		"Offers, no offers, or a request for more information.", "The bureau couldn’t find you by name. " +
			"With your Social Security number, it should be able to. This won’t affect your credit score."},
	{"credit-frozen", "Credit frozen", "snowflake", "", "The borrower’s credit is frozen",
		"The bureau can’t release the report until the borrower lifts the freeze.",
		"After the borrower lifts it, re-pull credit.",
		"Your credit is frozen, which protects you. Could you lift the freeze for a day with each bureau, " +
			"online or by phone? It’s free. I never need your password or PIN."},
	{"still-frozen", "Still frozen", "snowflake", "", "The credit is still frozen",
		"The lender re-pulled credit and the freeze was still in place.",
		"After the borrower lifts it, re-pull credit.", "I requested your report again, and your credit is still frozen. " +
			"Could you check the lift with each bureau, and when it starts? I never need your password or PIN."},
	{"repull-due", "Re-pull due", "refresh-cw", "yours", "Re-pull credit", "The borrower says the freeze is lifted.",
		"Offers, no offers, or a request for more information.", "Thank you for lifting the freeze. " +
			"May I request your report again? It’s a soft inquiry and won’t affect your credit score."},
	{"verify-liens", "Verify liens", "triangle-alert", "yours", "Verify the liens on this property",
		"The lender needs every loan secured by the home confirmed before it can price the line.",
		"Offers, no offers, or a request for more information.", "The lender needs to confirm the loans on your home. " +
			"Could you read me the current balance on each, from the statement or the app?"},
	{"more-assets", "Income/assets needed", "landmark", "yours", "Income or assets needed",
		"The lender needs more income or assets to price the line.",
		"Offers, no offers, or a request for more information.",
		"The lender needs more income or assets to price your line. " +
			"Do you have a pension, investments or business income we haven’t counted?"},
	{"payoff", "Payoff", "link", "yours", "Choose debts to pay off",
		"The lender can proceed if the line pays off some debts.",
		"Offers, no offers, or a request for more information.",
		"The lender can proceed if the line pays off some of your debts. Should we see which ones make sense for you?"},
	{"property-value", "Property value", "building-2", "yours", "Property value needed",
		"The lender couldn’t determine the home’s value and needs the borrower’s estimate.",
		"Offers, no offers, or a request for more information.",
		"What do you think your home would sell for today? Your best estimate is fine."},
	{"no-offers", "No offers", "circle-dashed", "", "No offers for this information",
		"The lender will send any required notice.",
		"Correct any errors in a new inquiry, or close the lead.", "The lender has no offers for the information we sent. " +
			"The lender will send you any required notice in writing. If anything we entered was wrong or left out, " +
			"we can correct it and start a new inquiry. Should we check?"},
	{"borrower-sign-in", "Borrower sign-in", "user-round", "", "Waiting for the borrower to sign in",
		"An offer is selected. The borrower signs in with the lender to continue.",
		"After signing in, the borrower signs the broker documents.",
		"Your offer is selected. To continue, sign in with the lender."},
	{"chase-sign-in", "Follow up: sign-in", "send", "yours", "Follow up on the sign-in",
		"The borrower hasn’t signed in yet.",
		"After signing in, the borrower signs the broker documents.", "Your offer is waiting for you to sign in with the " +
			"lender. Is anything holding you up? I can send you the link."},
	{"broker-documents", "Broker documents", "file-text", "", "Waiting for the borrower to sign the broker documents",
		"The borrower signed in. The broker agreement needs their signature.",
		"After the signature, the inquiry is complete.",
		"Thank you for signing in. The broker agreement is ready for your signature in the same place."},
	{"chase-documents", "Follow up: documents", "send", "yours", "Follow up on the documents",
		"The broker agreement isn’t signed yet.",
		"After the signature, the inquiry is complete.",
		"The broker agreement still needs your signature. Should we go through it together?"},
	{"refinance", "Refinance offer", "circle-help", "", "The lender has a refinance offer",
		"The lender returned a step that isn’t available in Hearthline.",
		"Contact your account executive, and note what you agree on.",
		"The lender has a suggestion that I’d like to check before we continue. I’ll call you back."},
	{"other", "Other step", "circle-help", "", "New lender step",
		"The lender returned a step that Hearthline doesn’t know yet.",
		"Contact the lender and note the answer, or cancel the inquiry.",
		"The lender has one more step for us. I’m finding out what it needs and will call you back."},
}

// Closing leads: the application.
var applicationStatuses = []Status{
	{"complete", "Inquiry complete", "file-text", "", "The inquiry is complete",
		"The borrower completed every step of the inquiry.",
		"The lender turns the inquiry into an application.",
		"You’ve completed every step for now. The lender takes it from here, and I’ll keep you posted."},
	{"application", "Application", "file-text", "", "The application is with the lender",
		"The inquiry became an application. A hard pull is part of it.",
		"Disclosures, then signing.",
		"Your application is with the lender. The lender may ask for documents; please watch your email."},
	{"disclosures", "Disclosures", "mail", "", "Disclosures sent", "The lender sent the disclosures to the borrower.",
		"Signing.", "The lender sent you the terms to review. Take your time, and ask me anything."},
	{"signing", "Signing", "pencil", "", "Signing", "The lender set a date for signing the closing documents.",
		"The rescission period, if it applies.", "Please have your ID with you when you sign."},
	{"signed", "Signing date passed", "pencil", "", "The signing date has passed",
		"The lender hasn’t reported the end of a rescission period or a transfer of funds.",
		"Rescission period, if it applies, then funding.",
		"Your signing date has passed. I’ll let you know as soon as the lender sets the next date."},
	{"rescission", "Rescission", "calendar", "", "Rescission",
		"The borrower can cancel until the rescission period ends.",
		"Funds go out after rescission ends; the lender sets the date.",
		"According to the lender’s dates, you’re in your rescission period, so you can still change your mind. " +
			"Funding comes after it ends; the lender sets the date."},
	{"funding", "Awaiting funding", "landmark", "", "Awaiting funding", "The rescission period has ended.",
		"The lender sets the funding date.", "According to the lender’s dates, your rescission period has ended. " +
			"The lender sets the funding date, and I’ll let you know when I see it."},
}

// Ended leads: the four ways to end without funding have four different texts.
var endedStatuses = []Status{
	{"funded", "Funded", "check", "", "Funded", "The lender sent the funds.", "",
		"The lender reports that your funds were sent. Thank you for letting me help."},
	{"cancelled", "Canceled", "circle-x", "", "Canceled",
		"The inquiry was canceled, and the lender closed it permanently.",
		"To continue later, start a new inquiry with a new consent.",
		"Your inquiry is canceled. If you’d like to continue later, we can start a new one."},
	{"declined", "Declined", "circle-x", "", "Declined", "The lender declined the inquiry.",
		"The lender’s notice, if one is required, tells the borrower how to get the reasons.",
		"The lender has made a decision and will send you any required notice in writing."},
	{"expired", "Expired", "clock", "", "Expired", "This inquiry expired.",
		"To continue, start a new inquiry with a new consent.",
		"Your inquiry expired. If you’re still interested, we can start again."},
	{"withdrawn", "Withdrawn", "circle-x", "", "Withdrawn", "The inquiry was withdrawn and is no longer active.",
		"To continue, start a new inquiry with a new consent.",
		"Your inquiry was withdrawn. If you’re still interested, we can start again."},
}

// Pending is the text of a lead for which the lender has not yet answered an operation, instead of that of a new
// inquiry. ok is false for a new inquiry.
func Pending(operation string) (s Status, ok bool) {
	s = statuses["in-progress"]
	switch operation {
	case "start", "":
		return s, false
	case "select-offer":
		s.Title, s.Next = "The lender is processing the selection",
			"The borrower signs in with the lender. This page updates automatically."
	case "cancel":
		s.Title, s.Next, s.script = "The lender is processing the cancellation",
			"The lender closes the inquiry. This page updates automatically.", ""
	case "repull-credit":
		s.Title = "The lender is processing the credit re-pull"
	default:
		s.Title = "The lender is reviewing " + OperationOf(operation).Noun
	}
	s.Happened = OperationOf(operation).Done + "."
	return s, true
}

// SaidOf returns what is said to the borrower about a lead that ended as an application: it names the application
// where the script names the inquiry.
func SaidOf(script string, application bool) string {
	if !application {
		return script
	}
	return strings.NewReplacer("Your inquiry", "Your application", "Su solicitud de información", "Su solicitud").
		Replace(script)
}

// EndOfApplication is what happened to an application, which is no longer an inquiry, at its end; "" for other
// statuses.
func EndOfApplication(status string) string {
	return map[string]string{
		"cancelled": "The application was canceled.", "declined": "The lender declined the application.",
		"expired": "The application expired.", "withdrawn": "The application was withdrawn and is no longer active.",
	}[status]
}

// LenderHasNoOffers is what happened to a lead without offers, where its title says something else.
const LenderHasNoOffers = "The lender has no offers for this information."

// scheduledRepull is the key of the Spanish script while a re-pull waits for its time.
const scheduledRepull = "repull-scheduled"

// WithScheduledRepull returns the texts of a status while a re-pull waits for its time. Nobody knows yet whether the
// borrower has lifted the freeze.
func (s Status) WithScheduledRepull() Status {
	s.Next = "At the scheduled time, we re-pull credit if the lender still needs it."
	s.script = "Please keep the freeze lifted until I’ve requested your report again. " +
		"It’s a soft inquiry and won’t affect your credit score."
	s.Key = scheduledRepull
	return s
}

// NextWithOpenConditions is what happens next while the borrower has to clear conditions, whatever the phase.
const NextWithOpenConditions = "After the open conditions are satisfied, the lender continues."
