package help

import (
	"hearthline/views/to"
	"hearthline/views/ui"
)

// helpCRM is for CRM administrators and applies to every CRM. Separate pages have the steps for each kind.
func helpCRM(base to.Base) []Section {
	return []Section{
		{ID: "how", Title: "How it works", Text: []string{
			"A page of your CRM embeds Hearthline in a frame next to a record. " +
				"Your CRM signs who is using it and which record is open. " +
				"The frame asks “Continue as …”, and one click opens the record’s lead, or a new inquiry prefilled from the " +
				"record. If a draft was started for the record, it opens with the user’s entries unchanged.",
			"The first time, each user connects their CRM account: they open Hearthline in a new tab, sign in, " +
				"and enter the four letters shown in the frame. Unless your CRM’s sign-in is approved as a second factor, " +
				"they confirm their identity in the same way every twelve hours in each browser, " +
				"and after signing out in the frame or closing the browser.",
			"A user can’t connect a CRM account that has a colleague’s email. " +
				"A CRM account that is connected to one user can be connected to another only after the first user’s account is " +
				"disabled. Users see and disconnect their CRM accounts under Account and sign-in; " +
				"administrators do so on the user’s page.",
			"The record’s ID is sent to the lender as a reference, so never use a borrower’s name, " +
				"email or phone number as an ID. Leads are found by CRM, record type and record ID: " +
				"the same ID in two CRMs, or in two tables of one CRM, are two records.",
			"If a lead was started in Hearthline and has the record’s ID as its reference, the frame offers to link it. " +
				"To unlink a lead from the wrong record, use “In the CRM” on the lead. What was sent to the lender doesn’t change.",
			"If you merge two records in your CRM, the remaining record isn’t linked to the other record’s lead. " +
				"Change the reference or customer number of the lead under History to the remaining record’s ID. " +
				"When the lender shows the new number, the record’s new inquiry page offers to link the lead.",
		}, More: []ui.NavLink{
			{Label: "Your own CRM: a token that your server signs", Href: base.Help("crm-custom")},
			{Label: "Salesforce: a token from Apex, or an existing Canvas app", Href: base.Help("crm-salesforce")},
			{Label: "HubSpot: an app card that opens a window", Href: base.Help("crm-hubspot")},
			{Label: "Dynamics and Power Apps: a token from the server", Href: base.Help("crm-dynamics")},
		}},
		{ID: "let-in", Title: "Add a CRM", Steps: []string{
			"A Hearthline administrator opens Administration, CRMs, or runs portal embed add on the server. " +
				"Each CRM belongs to one broker company, and only that company’s users can use it.",
			"Enter the exact origins of its pages, such as https://crm.example: the scheme, the host and a nonstandard port, " +
				"without a path or a wildcard. Include the origin of every page around the frame, " +
				"including any page that frames your page.",
			"Choose the signing method. For a signed token (JWT), enter its issuer and public keys. " +
				"For Canvas or HubSpot, enter the shared secret and the ID of your organization or portal.",
			"Enter a key for URLs: lowercase letters, digits and dashes. Then copy the launch URL that the page shows.",
			"If your CRM’s sign-in always requires two factors, the person responsible for your information security program " +
				"can approve it in writing; enter their name and request the approval. Otherwise, " +
				"users confirm their identity in a new tab every twelve hours. " +
				"The approval takes effect after another administrator agrees under Administration, Requests.",
		}},
		{ID: "rotate", Title: "Rotate keys and secrets", Text: []string{
			"To rotate token keys, enter the current and the next key together as one set, start signing with the next key, " +
				"and then enter the next key alone. To rotate a secret, enter the new secret; " +
				"both are valid until you select “Retire the previous secret”. A retired secret can’t be used again.",
			"When you add or replace a key or a secret, the approval of the CRM’s sign-in ends, everyone who signed in through it " +
				"is signed out, and users connect their CRM accounts again. They and all administrators are notified. " +
				"To avoid this, the server’s operator can enter the keys and secrets with portal embed add --replace.",
			"When you remove a key, a secret or an origin, give or withdraw an approval, change what identifies the CRM, " +
				"or disable it, everyone who signed in through it is signed out and open launches end. " +
				"Their entries are saved for the next launch of the same record. Renaming a CRM or adding an origin " +
				"signs no one out.",
		}},
		{ID: "another", Title: "Change what identifies a CRM", Text: []string{
			"If you change a CRM’s issuer, signing method, organization or company, Hearthline treats it as a different CRM: " +
				"its approval ends, users connect their CRM accounts again, and its records are no longer linked to their leads. " +
				"The leads stay with their originators, and a lead that has the record’s ID as its reference is offered again.",
			"If it’s the same system and you are only correcting its issuer, signing method or organization, " +
				"check “Keep its records linked to their leads”. A change of company always ends the links.",
		}},
		{ID: "frame", Title: "The frame", Text: []string{
			"If the frame has a sandbox attribute, it needs: " +
				"allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads. " +
				"Hearthline fits frames that are 400 to 1000 pixels wide.",
			"To let “Copy link” work, allow clipboard access for Hearthline’s origin by name: " +
				"allow=\"clipboard-write https://desk.example\". Without an origin, the permission applies to your own page, " +
				"because the frame has no src. Where copying isn’t allowed, the link is selected instead.",
			"Documents, offer sheets and lists are downloaded from the frame, which requires allow-downloads.",
			"If you entered more than one origin, name the origin of the frame’s page in each launch. " +
				"Without it the frame opens, but it doesn’t know which page to send messages to.",
			"Don’t cover the frame. Selecting an offer, canceling, reassigning and showing borrower details aren’t possible " +
				"in the frame when the browser can’t verify that the button is visible; users are offered a new tab instead. " +
				"The same applies to sending an inquiry or an SSN, re-pulling credit and creating a borrower link in browsers " +
				"that can verify it.",
			"“Continue as …” is valid for half an hour and can be used once. " +
				"If a browser doesn’t allow signing in inside frames, Hearthline opens in a new tab.",
		}},
		helpMessages(),
		helpCard(),
		helpTrouble(),
	}
}

func helpMessages() Section {
	return Section{ID: "messages", Title: "Messages, version 1", Text: []string{
		"The frame sends these messages to your page with postMessage. They contain no personal data. " +
			"Accept them only from Hearthline’s origin and from your own frame, and ignore messages with another v. " +
			"New messages will have new types in version 1, or another v.",
	}, Terms: []ui.Fact{
		{Label: `{v: 1, type: "portal.resize", h: 840}`,
			Value: "The height in pixels that the content needs, from 200 to 4000."},
		{Label: `{v: 1, type: "portal.changed"}`,
			Value: "The record has an inquiry now, or its lead changed. Reload your card."},
		{Label: `{v: 1, type: "portal.expired"}`,
			Value: "The page in the frame has expired. Sign a new launch and load it into the frame, once for each message."},
		{Label: `{v: 1, type: "portal.ping"}`, Value: "From your page to the frame: requests the height again."},
	}, Code: []File{Sample("page.html"), Sample("desk.js")}}
}

func helpCard() Section {
	return Section{ID: "card", Title: "A card without a frame", Text: []string{
		"GET /api/embed/{client}/records/{record}?type={type} returns {\"found\", \"shortId\", \"step\", " +
			"\"changed\"} and nothing else about a lead. Sign it in the same way as launches. " +
			"A signature can be reused while it is valid: up to two minutes for a token, and five minutes for a signed request.",
		"Escape the record’s ID as encodeURIComponent does, and sign the URL exactly as you call it, with its query. " +
			"Use the record type that your launches name. Without a type, records of every type are searched; " +
			"if more than one has a lead, the response is 409.",
		"With a token for the full URL of the card, as Authorization: " +
			"Bearer, your server can request every lead of the company that is linked to your CRM’s records, " +
			"so your server decides who sees the response. For a Canvas app, your server signs in the same way as HubSpot, " +
			"with the app’s secret: X-HubSpot-Request-Timestamp with the time in milliseconds, " +
			"and X-HubSpot-Signature-v3 with the base64 of HMAC-SHA256 over method, full URL and time.",
		"From a HubSpot card, use hubspot.fetch. The user sees the leads that they can open in Hearthline. \"connected\": " +
			"false means that their CRM account isn’t connected yet; they connect it when they first open a record.",
		"404 with {\"found\": false} means that this user has no inquiry for the record. " +
			"403 means that your CRM didn’t sign the request. 429 means more than 600 requests in a minute for one user, " +
			"or many unsigned requests. Responses can’t be cached. Errors are returned as {\"error\", \"reference\"}, " +
			"also by the launch endpoint for HubSpot.",
	}}
}
