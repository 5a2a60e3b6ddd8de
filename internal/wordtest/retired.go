package wordtest

import (
	"regexp"
	"sync"
)

// british lists British spellings with the American ones. The endings are part of the pattern.
var british = [][2]string{
	{`licen[c](?:e|es|ed|ing)`, "license"}, {`cancell(?:ed|ing|able)`, "canceled"}, {`programmes?`, "program"},
	{`e-mail(?:s|ed|ing)?`, "email"},
	{`(?:col|fav|behavi|hon|lab|neighb|flav|harb|end[e]av|rum|vap)our(?:s|ed|ing|ite|ites|able|al|hood|ly)?`, "-or"},
	{`(?:cent|met|theat|fib|lit|calib)re(?:s|d)?`, "-er"}, {`(?:def|off|pret)ence`, "-ense"}, {`grey(?:s|ed)?`, "gray"},
	{`cheques?`, "check"}, {`whilst|amongst`, "while, among"}, {`towards`, "toward"},
	{`enquir(?:y|ies|e|es|ed|ing)`, "inquiry"}, {`post ?codes?`, "ZIP code"},
	{`(?:organ|author|recogn|summar|final|normal|priorit|util|real|custom|minim|maxim|apolog|standard|initial|item|` +
		`emphas|categor|capital|amort|special|synchron|visual|central)is(?:e|es|ed|ing|ation|ations|er|ers)`, "-ize"},
	{`(?:anal|paral|catal)ys(?:e|ed|ing)`, "-yze"},
	{`(?:label|travel|model|level|signal|total|channel|fuel|counsel)l(?:ed|ing|er|ers)`, "one l"},
	{`fulfil(?:s|ment)?|instalments?|enrol(?:s|ment)?`, "ll"},
	{`judgement|acknowledgement|ageing|catalogue`, "judgment, acknowledgment, aging, catalog"},
	{`learnt|spelt|burnt`, "-ed"}, {`per cent`, "percent"}, {`log-?ins?|logged in`, "sign-in"},
	{`fortnight(?:ly)?`, "two weeks"},
}

// phrases lists retired phrases with what to write instead: those of the glossary's history, and phrases of
// translated or archaic English. Patterns match whole words, in any case; an apostrophe is a straight one.
var phrases = [][2]string{
	// Sign-in and account
	{`by post`, "by mail"}, {`present password`, "current password"}, {`times are in`, "Times in Mountain Time"},
	{`the desk for home equity`, "HELOC origination for brokers"},
	{`forgot the password`, "Forgot password?"}, {`first time here|your first visit`, "First time signing in?"},
	{`mail me`, "Email me a link"}, {`code from a mail|in the mail|a mail\b`, "email"},
	{`(?:choose )?another password`, "Reset your password"}, {`code that the app shows`, "6-digit code from your app"},
	{`set up and go in`, "Finish setup"}, {`from now on`, "say when"},
	{`opens nothing|makes no passkeys`, "say what happens"},
	{`(?:not|\w+n't) as usual|that is not usual`, "Unusual activity"}, {`sixth browser`, "five browsers at a time"},
	{`time zone in which`, "Time zone"}, {`we write of this`, "We send this at most once a day"},

	// Lists
	{`wants \$`, "Requested $"}, {`last contact: not yet`, "Not contacted"}, {`everybody`, "everyone"},
	{`(?:un)?tick(?:s|ed|ing)?`, "check, uncheck"}, {`(?:hand|hands|handed|handing)[ -]over`, "reassign"},
	{`getting old`, "Upcoming dates"}, {`for your calendar`, "Subscribe to calendar"},
	{`no lead fits|look through all|take a filter away`, "No leads match. Clear filters."},
	{`add by id`, "Add by application ID"}, {`chase`, "follow up"}, {`more assets`, "Income/assets needed"},
	{`the (?:newest|last one|latest) first`, "(newest first)"},

	// Inquiry
	{`(?:not|\w+n't) touch (?:the|your)`, "won't affect the credit score"},
	{`(?:used|owned) as`, "Occupancy, Title held as"}, {`stays here, sets`, "Not sent to the lender"},
	{`amount wanted`, "Requested amount"}, {`pays a month`, "Monthly payment"},
	{`finds the credit file`, "Helps match the credit file"}, {`by a link i sent`, "Through a link I sent"},
	{`recorded with my`, "are recorded"}, {`\d+ to fill`, "2 missing"}, {`all the same`, "anyway"},
	{`(?:if|unless) you mean it`, "name the consequence"}, {`by itself|by themselves`, "automatically"},
	{`what you begin`, "New inquiries are saved"},
	{`businesses? only if`, "Business-purpose line"},

	// Leads and blocked steps
	{`when the answer is there`, "This page updates automatically."}, {`something wrong in it`, "Need to fix something?"},
	{`we stop here`, "Close lead"}, {`treat as no offers`, "Close lead"},
	{`ask for (?:credit|this quote) ?(?:again)?`, "Re-pull credit, Get quote"},
	{`still stands|it stands|stands here|as it stands`, "is open, as shown"}, {`another way:`, "Send income only"},
	{`lender can go on`, "The lender can proceed"}, {`go on with the`, "open, continue"},
	{`holds you up`, "Is anything holding you up?"}, {`say neither`, "Don't say … or give reasons."},
	{`what was typed`, "Entry errors"}, {`for good`, "permanently"}, {`since you looked`, "Since your last visit"},
	{`noted as a contact|only note it`, "Log only"}, {`withheld`, "hidden"},
	{`make sure whom`, "To verify identity"}, {`kept nowhere`, "Not stored"},
	{`been in touch`, "No contact yet."}, {`own way in`, "private sign-in link"}, {`not known yet`, "—"},
	{`makes an application of`, "becomes an application"}, {`by now`, "drop it"},
	{`of its own|on its own|of their own`, "drop it"}, {`when the law gives`, "if it applies"},
	{`a paper or two`, "documents"}, {`insured against`, "Flood insurance"},
	{`what is left`, "Remaining equity"}, {`soft inquiry, score`, "Soft-pull score"},
	{`as the (?:lender|borrower) says|by the lender's model`, "AVM value, Stated value, Lender-quoted payment"},
	{`income, a month`, "Monthly income"}, {`go ahead and`, "drop it"},

	// Offers
	{`what it is made of`, "Select an offer to see the breakdown."}, {`without the fee`, "excludes fee"},
	{`if nothing changes`, "Total interest"}, {`pays back: `, "Break-even"}, {`room below`, "Fee cap remaining"},
	{`what is owed`, "Balance over time"}, {`quotes? kept`, "Quote history"},
	{`offers there are|was asked for`, "drop it"}, {`floating`, "variable"},

	// Receipts, outage, errors
	{`does(?: not|n't) answer`, "doesn't respond, is unreachable"}, {`sending waits`, "Sending is paused."},
	{`it is known`, "say what is known"}, {`sent twice`, "We never resend automatically."},
	{`give it up`, "Mark as not received"}, {`the lender's people`, "the lender"},
	{`nothing is here|is not yours|isn't yours|yours to (?:do|see)`, "You don't have access"},
	{`does not work this way`, "That link can't be opened directly."}, {`go to the start`, "Go to leads"},
	{`[\d,]+ dollars`, "$15,000"}, {`nnn-nn-nnnn`, "XXX-XX-XXXX"},

	// Team and administration
	{`who takes (?:it|them)`, "Reassign to"}, {`has nobody`, "Not listed?"},
	{`not known to be licensed`, "No license on file"}, {`one line to go along`, "Note to new originator"},
	{`look again|take it back`, "Refresh, Undo"}, {`any ?more`, "no longer"}, {`who began`, "started this"},
	{`begun`, "Started"}, {`is yours now`, "Assigned to you by"},
	{`nothing to tell|nobody is waiting|has its originator`, "No notifications."}, {`fares`, "System status"},
	{`what waits|what is kept|that seals|audit is whole`, "Queues, Storage, Active key, Audit log verified"},
	{`took a list`, "Exported leads"}, {`who may do what|the very table`, "Roles and permissions"},
	{`writ(?:e|es|ten|ing) (?:it |them |the approval |a license )?down`, "Save, Record, Add"},
	{`change nothing`, "Cancel"},

	// Names of days are capitalized wherever they are
	{`(?-i:(?:mon|tue|wed|thu|fri|sat|sun), [A-Z][a-z]{2} \d+)`, "Fri, Nov 20"},

	// Archaic and translated English
	{`deeds?`, "action"}, {`anew|thereby|thereof|herewith|hereby|henceforth|hence|whence|thus|likewise`, "say it plainly"},
	{`shall`, "must, will"}, {`kindly`, "drop it"}, {`besides`, "also"},
	{`nobody|somebody|anybody`, "no one, someone, anyone"}, {`as yet|ere|upon|amidst`, "yet, before, on"},
	{`thrice|oftentimes`, "say it plainly"}, {`it is to be|is to be`, "must be"},
	{`whereas|wherein|whereby`, "say it plainly"}, {`in vain`, "failed"},

	// Spanish, as an earlier version had it
	{`consulta suave`, "consulta que no afecta su puntaje de crédito (soft inquiry)"},
	{`cargo inicial`, "Cargo por originación"}, {`en meses iguales`, "en pagos mensuales iguales"},
	{`línea sobre el valor de su casa`, "línea de crédito sobre el valor de la vivienda (HELOC)"},
	{`monto que retira`, "Monto del retiro"}, {`precios con fecha`, "Tasas al"}, {`versión en papel`, "Descargar PDF"},
}

// labels lists texts that are retired only as a whole label: inside a sentence the words are fine.
var labels = [][2]string{
	{`every (?:step|state)`, "All steps, All states"}, {`order`, "Sort by"}, {`came`, "Received"},
	{`in all`, "Total"}, {`give it up…?`, "Mark as not received…"},
	{`keep it`, "Keep inquiry"}, {`keep`, "Save"}, {`left: .*`, "Still needed: …"}, {`place`, "Property"},
	{`a year`, "Annual"}, {`if (?:any|known)`, "(optional)"}, {`not yet`, "Not contacted, —"},
	{`hand over`, "Reassign"}, {`who takes it`, "Reassign to"},
	{`inquiry ?/ ?inquiry|application ?/ ?application`, "drop the repeated label"}, {`at or`, "Time"},
	{`what about`, "Note"},
}

// allowed lists the words around a phrase that make it right.
var allowed = map[string]string{
	`deeds?`:              `(?i)co-deed|deed of trust|deeds? (?:book|record)`,
	`log-?ins?|logged in`: `/login|#login|login/`,
	`withheld`:            `\[withheld\]`,
}

// retired compiles both lists once.
var retired = sync.OnceValue(func() []rule {
	var all []rule
	for _, l := range labels {
		all = append(all, newRule(`(?i)(?:^|¶ )(?:`+l[0]+`)(?:$| ¶)`, l[1]))
	}
	for _, list := range [][][2]string{british, phrases} {
		for _, p := range list {
			r := newRule(`(?i)(?:^|\b)(?:`+p[0]+`)(?:\b|$|[^\w])`, p[1])
			if around := allowed[p[0]]; around != "" {
				r.unless = regexp.MustCompile(around)
			}
			all = append(all, r)
		}
	}
	return all
})
