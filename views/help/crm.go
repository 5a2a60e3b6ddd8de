package help

import (
	"hearthline/views/to"
	"hearthline/views/ui"
)

// helpCRM is for CRM administrators and applies to every CRM. Separate pages have the steps for each kind.
func helpCRM(base to.Base) []Section {
	return []Section{
		{ID: "how", Title: "How it works", Text: []string{
			"A page of your CRM frames the desk beside a record. Your CRM signs who is logged in and which record it is; the frame asks “Continue as …”, and one press opens the record’s lead, or a new inquiry filled from the record. A draft that was begun for the record is gone on with; what the CRM gives otherwise by then is said, and what was typed is kept.",
			"The first time, each person connects their log-in: they open the portal in a new tab, sign in there, and type the four letters that the frame shows. Unless your log-in was approved as a second factor they do so again in each browser once in twelve hours, and after signing out in the frame or closing the browser. Nobody may connect a log-in to which the CRM gives a colleague’s e-mail, and a log-in that belongs to one person passes to another only when the first has left. Each person sees and cuts their connections under Account and sign-in; administrators do so on the person’s page.",
			"The record’s id goes to the lender as a reference. Leads are found again by CRM, type and id of the record, so two CRMs may count alike, and so may two tables of one. A lead that only carries the number, because it was started in the portal itself, is offered in the frame and taken by a press. A lead that is of the wrong record is taken off it where the lead shows “In the CRM”, in the frame or in the full desk; what went to the lender stays there. Send no name, e-mail or number of a borrower in place of an id.",
			"Where two records become one in your CRM, the surviving one knows nothing of the other’s lead. Whoever works the lead changes the reference or customer number that the lender keeps, under History, to the surviving record’s id; once the lender shows it, the record’s intake offers the lead, one press makes it the record’s, and under “In the CRM” it is taken off the one that is gone.",
		}, More: []ui.NavLink{
			{Label: "A CRM of your own: a token that your server signs", Href: base.Help("crm-custom")},
			{Label: "Salesforce: a token from Apex, or an existing Canvas app", Href: base.Help("crm-salesforce")},
			{Label: "HubSpot: an app card that opens a window", Href: base.Help("crm-hubspot")},
			{Label: "Dynamics and Power Apps: a token from the server", Href: base.Help("crm-dynamics")},
		}},
		{ID: "let-in", Title: "Letting a CRM in", Steps: []string{
			"The portal’s administrator opens Administration, CRMs, or runs portal embed add on the server. A CRM belongs to one broker company, whose people alone come by it.",
			"Enter the exact origins of its pages, such as https://crm.example: scheme, host and, where it is unusual, port; no path and no *. Every page around the frame counts, also one that frames your page.",
			"Choose how it signs: with a token (JWT) enter its issuer and its public keys; with Canvas or HubSpot the secret that both sides hold, and the id of your organization or portal there.",
			"Key in addresses: small letters, digits and dashes. Launches go to the address that the page then shows.",
			"If your log-in always asks for two factors, whoever is responsible for your information security may approve it in writing; enter their name. Else leave it: each person confirms outside, once in twelve hours.",
		}},
		{ID: "rotate", Title: "Changing keys", Text: []string{
			"Of a token’s keys, enter the former and the next together as one set, sign with the next, then enter the next alone. Of a secret, enter the next; both hold until “End the former secret” is pressed. A secret that was ended is never taken again.",
			"When a key, a secret or an origin goes, when an approval is given or taken back, and when the CRM is another than before, who came by it is signed out at once, and launches that wait end; what was being typed waits for the next launch of its record. Another name, one more key or one more origin ends nothing. Shutting it out does so too, and nothing frames the portal any more.",
		}},
		{ID: "another", Title: "Another system under the same key", Text: []string{
			"A CRM whose issuer, way of signing, organization or company is changed is another to the portal: its approval ends, each person connects their log-in anew, and its records lose their leads, so that a record opens its intake and its card answers 404. The leads themselves stay with their people. A lead that carries the record’s number is offered there again.",
			"Where the system is the one it was and only its issuer, way of signing or organization was corrected, tick “Its records keep their leads”. A change of company always ends them.",
		}},
		{ID: "frame", Title: "The frame", Text: []string{
			"If the frame has a sandbox attribute it needs: allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads. It is made for 400 to 1000 pixels of width.",
			"So that “Copy the link” can copy, allow it for the portal’s origin by name: allow=\"clipboard-write https://desk.example\". Without an origin the permission is your own page’s, because the frame has no src. Where copying is not allowed the link is selected instead.",
			"Documents, offer sheets and lists are downloaded from the frame, for which allow-downloads is needed.",
			"If you gave more than one origin, let each launch say in origin which of them holds the frame: it opens without that too, but messages go to one page alone.",
			"Nothing may lie over the frame: selecting, cancelling, handing over and revealing are refused there when the browser cannot see the button uncovered, and are offered in a window of their own. So are sending an inquiry or an SSN, pulling credit again and making the borrower’s link, where the browser can tell.",
			"“Continue as …” waits for half an hour and is pressed once. Where a browser keeps no sign-in inside frames, the desk opens in a tab of its own.",
		}},
		helpMessages(),
		helpCard(),
		helpTrouble(),
	}
}

func helpMessages() Section {
	return Section{ID: "messages", Title: "Messages, version 1", Text: []string{
		"The frame says these to your page by postMessage, and nothing of anybody. Believe them only from the portal’s origin and from your own frame, and drop what has another v. What is new will come as other types in version 1, or under another v.",
	}, Terms: []ui.Fact{
		{Label: `{v: 1, type: "portal.resize", h: 840}`, Value: "It would like to be so many pixels high, 200 to 4000."},
		{Label: `{v: 1, type: "portal.changed"}`, Value: "The record has an inquiry now, or its lead has moved: read your card anew."},
		{Label: `{v: 1, type: "portal.expired"}`, Value: "The page in it leads on no more. Sign a new launch and put it into the frame, once for each message."},
		{Label: `{v: 1, type: "portal.ping"}`, Value: "The other way: you ask to hear the height again."},
	}, Code: []File{Sample("page.html"), Sample("desk.js")}}
}

func helpCard() Section {
	return Section{ID: "card", Title: "A card without a frame", Text: []string{
		"GET /api/embed/{client}/records/{record}?type={type} answers {\"found\", \"shortId\", \"step\", \"changed\"} and nothing else of a lead. Sign it as you sign launches. A signature may be used again while it is good: two minutes at most for a token, five for a call.",
		"The record’s id is escaped as encodeURIComponent does it, and the address is signed letter by letter as it is called, its query included. The type is the one your launches name. Without it records of every type are looked through: where more than one of them has a lead, the answer is 409 and asks for the type.",
		"With a token for the full address of the card, as Authorization: Bearer, your server may ask for every lead of the company that belongs to your CRM’s records, so it decides who sees the answer. For a Canvas app your server signs the same way as HubSpot does, under the app’s secret: X-HubSpot-Request-Timestamp with the time in milliseconds, and X-HubSpot-Signature-v3 with the base64 of HMAC-SHA256 over method, full address and time.",
		"From a HubSpot card use hubspot.fetch: whoever looks sees the leads that are within their reach in the portal. \"connected\": false says that their log-in is not connected yet; it is, once they have opened a record.",
		"404 with {\"found\": false} says that there is no inquiry for who asks, for whatever reason; 403 that the call is not signed by your CRM; 429 that there were more than 600 in a minute for one log-in, or many that were not signed. Answers are kept nowhere on the way. What goes wrong comes as {\"error\", \"reference\"}, here and to a call for a one-time address.",
	}}
}
