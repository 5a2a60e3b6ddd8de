package words

// Status is the text for the status of a lead: one row of the table behind chips, cards and notices.
// internal/heloc decides which step leads to which status; the keys are shared.
type Status struct {
	Key      string
	Chip     string // "Verify liens"
	Icon     string
	Tone     string // yours (amber), offers (green) or ""
	Title    string // of the next-step card
	Happened string // what happened, in one sentence
	Next     string // what happens next
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
		s.Title = "The lender asks for: " + s.Chip
	}
	return s
}

// StatusKeys lists the keys in the order in which a lead reaches them, for filters.
func StatusKeys() []string {
	return []string{
		"in-progress", "choose-property", "ssn-needed", "credit-frozen", "repull-due", "verify-liens", "more-assets", "payoff", "property-value",
		"offers", "no-offers", "borrower-sign-in", "chase-sign-in", "broker-documents", "chase-documents",
		"application", "disclosures", "signing", "rescission", "funded", "cancelled", "declined", "expired", "withdrawn", "refinance", "other",
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
	{"in-progress", "In progress", "hourglass", "", "The lender is working on it", "The inquiry is with the lender, who answers by itself.",
		"Offers, or one question. This page changes when the answer is there.", "It is with the lender now. I will be back to you as soon as I see the answer."},
	{"offers", "Offers ready", "circle-check", "offers", "Choose an offer with the borrower", "The lender priced the line. Payments are our estimate until an offer is selected.",
		"When you select one, the borrower gets a link to sign in.", "Your offers are in. Shall we look first at what you would pay a month, or at how soon it is paid off?"},
	{"choose-property", "Choose property", "house", "yours", "Choose the property", "The address matches more than one property, often a building with units.",
		"The lender goes on with the property you choose.", "There is more than one home at that address. Which unit is yours, as it stands on the tax bill?"},
	{"ssn-needed", "SSN needed", "user-round", "yours", "The bureau needs the SSN", "It could not find the borrower by name and address.",
		"Usually offers, or one more question.", "The bureau could not find you by name. With your Social Security number it can. This check does not touch your score."},
	{"credit-frozen", "Credit frozen", "snowflake", "", "The borrower’s credit is frozen", "The bureau cannot show the report until the borrower lifts the freeze, which is free and takes up to an hour by phone or online.",
		"When the borrower has lifted it, credit is asked for once more.", "Your credit is frozen, which keeps you safe. Could you lift it for a day with each bureau, online or by phone? It is free. I never need your password or PIN."},
	{"repull-due", "Re-pull due", "refresh-cw", "yours", "Ask for credit again", "The borrower says the freeze is lifted.",
		"Usually offers, or one more question.", "Thank you for lifting the freeze. May I ask for your report once more? It is a soft inquiry and does not touch your score."},
	{"verify-liens", "Verify liens", "triangle-alert", "yours", "Verify the liens on this property", "The lender needs every loan on the home confirmed before it can price the line.",
		"The lender prices the line. A lien that was paid off is sent with a balance of 0.", "Some loans show on your home. Could you read me today’s balance on each, from the statement or the app?"},
	{"more-assets", "More assets", "landmark", "yours", "Add income or assets", "What was given is not enough to price the line.",
		"The lender counts them and answers with offers, or one more question.", "The lender would like to see more of your income or savings. Is there a pension, an investment or business income we have not counted?"},
	{"payoff", "Payoff", "link", "yours", "Choose debts to pay off", "The lender can go on when some debts are paid off from the line.",
		"The lender prices the line with those debts paid at funding.", "There is a way forward: the line would pay off some of your debts at closing. Shall we see which make sense for you?"},
	{"property-value", "Property value", "building-2", "yours", "Give the property’s value", "The lender could not value the home by itself and asks what the borrower thinks it is worth.",
		"The lender checks the value and prices the line.", "What do you think your home would sell for today? Your best estimate is fine."},
	{"no-offers", "No offers", "circle-dashed", "", "No offers for these inputs", "The lender has no offers for what was sent. It sends any notice that is due.",
		"Change what can be changed, or set the lead aside.", "The lender has no offers for what we sent. You will hear from the lender in writing if anything is due. Some things can be changed; shall we look at them?"},
	{"borrower-sign-in", "Borrower sign-in", "user-round", "", "The borrower signs in", "An offer is selected. The borrower signs in with the lender to go on.",
		"After signing in the borrower signs the broker documents.", "Your offer is selected. You have a link from me to sign in and go on. It takes about ten minutes."},
	{"chase-sign-in", "Chase sign-in", "send", "yours", "Remind the borrower to sign in", "The borrower has not signed in yet.",
		"After signing in the borrower signs the broker documents.", "You still have my link to sign in for your offer. Is there anything that holds you up? I can send it again."},
	{"broker-documents", "Broker documents", "file-text", "", "The borrower signs the broker documents", "The borrower signed in. The broker agreement still waits for a signature.",
		"When it is signed, the lender makes an application of the inquiry.", "You are signed in, thank you. The broker agreement is waiting for your signature in the same place."},
	{"chase-documents", "Chase documents", "send", "yours", "Remind the borrower to sign", "The broker agreement is not signed yet.",
		"When it is signed, the lender makes an application of the inquiry.", "The broker agreement still waits for your signature. Shall we go through it together?"},
	{"refinance", "Refinance offer", "circle-help", "", "The lender has a refinance offer", "The lender answered with a step that this portal cannot take for you.",
		"Ask your account executive, or note what you agreed.", "The lender has a suggestion that I would like to check before we go on. I will call you back today."},
	{"other", "Next step", "circle-help", "", "The lender asks for something new", "The lender names a step that this portal does not know yet. Nothing is lost.",
		"Ask the lender again, note what you learn, or cancel.", "The lender has one more step for us. I am finding out what it needs and will call you back."},
}

// Closing leads: the application.
var applicationStatuses = []Status{
	{"application", "Application", "file-text", "", "The application is with the lender", "The inquiry became an application. A hard inquiry is part of it.",
		"The lender sends disclosures, then a date to sign.", "Your application is with the lender. You may be asked for a paper or two; please look at your e-mail."},
	{"disclosures", "Disclosures", "mail", "", "Disclosures are out", "The lender sent the disclosures to the borrower.",
		"A date to sign.", "The lender has sent you the terms to read. Take your time, and ask me anything."},
	{"signing", "Signing", "pencil", "", "Signing", "The papers are to be signed before a notary.",
		"After signing, the days of rescission, when the law gives them.", "Your signing is set. Please have your identification at hand."},
	{"rescission", "Rescission", "calendar", "", "Rescission", "The borrower signed and may still change their mind until the date that the lender gives.",
		"The lender sends the money after it, on a day of its own.", "You have signed, and the law gives you some days to think it over. After that the lender sends the money."},
}

// Ended leads: the four ways to end without funding have four different texts.
var endedStatuses = []Status{
	{"funded", "Funded", "check", "", "Funded", "The lender sent the money.", "", "The money is on its way to you. Thank you for letting me help."},
	{"cancelled", "Cancelled", "circle-x", "", "Cancelled", "A person cancelled the inquiry. The lender closed it for good.",
		"To go on later, start a new one with a new consent.", "Your inquiry is cancelled as you asked. If you wish to go on later, we start a new one."},
	{"declined", "Declined", "circle-x", "", "Declined", "The lender declined the application and writes to the borrower about it.",
		"The reasons stand in the lender’s letter.", "The lender has decided and writes to you about it. That letter has the reasons and whom to ask."},
	{"expired", "Expired", "clock", "", "Expired", "The time for this inquiry ran out.",
		"To go on, start a new one with a new consent.", "The time for your inquiry ran out. If you are still interested we can start again."},
	{"withdrawn", "Withdrawn", "circle-x", "", "Withdrawn", "The lender’s system withdrew the inquiry. No person decided it.",
		"To go on, start a new one with a new consent.", "Your inquiry was withdrawn by the system. If you are still interested we can start again."},
}
