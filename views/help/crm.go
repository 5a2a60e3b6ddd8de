package help

import (
	"hearthline/static"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// helpQuickStart leads from nothing to a page with the frame, a list and events. A test does the same.
func helpQuickStart(base to.Base) Section {
	return Section{ID: "start", Title: "Quick start for developers", Text: []string{
		"In about 15 minutes: a small CRM with two contacts that shows Hearthline, lists the status of each contact’s " +
			"lead and receives events. You need Node 20 or later, an administrator of Hearthline and an originator’s " +
			"account.",
	}, Steps: []string{
		"In a new folder, run the first two commands below. They download hearthline.mjs and server.mjs, create a " +
			"private key in launch-key.pem, which stays with you, and print its public half.",
		"Choose the origin of your pages. On the computer that runs Hearthline it can be http://127.0.0.1:8090. " +
			"Otherwise have an https host name lead to port 8090, and use that as the origin, such as https://crm.example.",
		"The administrator opens Administration, CRMs, Add a CRM, enters a key, a name, your company, " +
			"“Signed token (JWT)”, your origin both as Origins of its pages and as Token issuer, and as Public keys " +
			"everything that was printed. Then the new CRM’s panel has the launch URL, such as " +
			"https://desk.example/launch/jwt/acme.",
		"The administrator selects Events in that panel and “Create secret”, and sends you the secret, " +
			"which begins with whsec_, and the launch URL.",
		"Run the other commands below with your values, and open your origin in a browser. " +
			"The first contact is open, with the frame below the list.",
		"On the Events page, the administrator enters your origin followed by /hearthline/events as URL and selects " +
			"“Send test event and enable”.",
		"In the frame, select “Connect in a new tab”, sign in to Hearthline as an originator, and enter the four " +
			"letters. Back in the frame, continue: a new inquiry opens with the contact’s name. " +
			"If the frame asks you to confirm that it’s you, do so in a new tab.",
		"Complete the inquiry and send it. The server prints each event, and when you reload the page, " +
			"the list has the lead’s step, and a task once there are offers.",
		"Now make server.mjs yours: user returns who is signed in to your CRM, record what they may see, onLead stores a " +
			"status, onEvent starts your automations, and store keeps a few values in your database. Leave hearthline.mjs " +
			"as it is. In an existing server, call handle before anything reads the request’s body.",
	}, Code: []File{Sample("start.sh")}, More: []ui.NavLink{
		{Label: "hearthline.mjs", Href: to.HelpFile("hearthline.mjs")},
		{Label: "server.mjs", Href: to.HelpFile("server.mjs")},
		{Label: "Both to read, and other languages", Href: base.Help("crm-custom")},
		{Label: "HubSpot, without a server of your own", Href: base.Help("crm-hubspot")},
		{Label: "Salesforce, without a server of your own", Href: base.Help("crm-salesforce")},
	}}
}

// helpCRM is for CRM administrators and applies to every CRM. Separate pages have the steps for each kind.
func helpCRM(base to.Base) []Section {
	return []Section{
		helpQuickStart(base),
		{ID: "how", Title: "How it works", Text: []string{
			"A page of your CRM embeds Hearthline in a frame next to a record. " +
				"Your CRM signs who is using it and which record is open. " +
				"The frame asks “Continue as …” once in a browser session and opens the record’s lead, or a new inquiry " +
				"prefilled from the record. Other records then open without a click. If a draft was started for the record, " +
				"it opens with the user’s entries unchanged. A launch without a record ID opens the user’s leads.",
			"The first time, each user connects their CRM account: they open Hearthline in a new tab, sign in, " +
				"and enter the four letters shown in the frame. The frame then continues. " +
				"Unless your CRM’s sign-in is approved as a second factor, " +
				"they confirm their identity every twelve hours in each browser, " +
				"and after signing out in the frame or closing the browser: with a passkey in a tab that closes when it’s " +
				"done, or in the same way as the first time.",
			"A user can’t connect a CRM account that has a colleague’s email. " +
				"A CRM account that is connected to one user can be connected to another only after the first user’s " +
				"account is disabled. Users see and disconnect their CRM accounts under Account and sign-in; " +
				"administrators do so on the user’s page.",
			"The record’s ID is sent to the lender as a reference, so never use a borrower’s name, " +
				"email or phone number as an ID. Leads are found by CRM, record type and record ID: " +
				"the same ID in two CRMs, or in two tables of one CRM, are two records.",
			"If a lead was started in Hearthline and has the record’s ID as its reference, the frame offers to link it. " +
				"To unlink a lead from the wrong record, use “In the CRM” on the lead. What was sent to the lender doesn’t " +
				"change.",
			"If you merge two records in your CRM, the remaining record isn’t linked to the other record’s lead. " +
				"Change “Your reference” of the lead under History to the remaining record’s ID. " +
				"When the lender shows the new number, the record’s new inquiry page offers to link the lead.",
		}, More: []ui.NavLink{
			{Label: "Your own CRM: a token that your server signs", Href: base.Help("crm-custom")},
			{Label: "Salesforce: a Lightning component and a token from Apex, or an existing Canvas app",
				Href: base.Help("crm-salesforce")},
			{Label: "HubSpot: an app card with the lead’s status that opens a window", Href: base.Help("crm-hubspot")},
			{Label: "Dynamics and Power Apps: a token from the server", Href: base.Help("crm-dynamics")},
		}},
		{ID: "let-in", Title: "Add a CRM", Steps: []string{
			"A Hearthline administrator opens Administration, CRMs, or runs portal embed add on the server. " +
				"Each CRM belongs to one broker company, and only that company’s users can use it.",
			"Enter the exact origins of its pages, such as https://crm.example: the scheme, the host and a nonstandard " +
				"port, without a path or a wildcard. Include the origin of every page around the frame, " +
				"including any page that frames your page.",
			"Choose the signing method. For a signed token (JWT), enter its issuer and its public keys, or the https URL " +
				"where your CRM publishes them as a JSON Web Key Set. " +
				"For Canvas or HubSpot, enter the shared secret and the ID of your organization or portal.",
			"To let leads link to their records, enter the URL of a record, such as https://crm.example/{type}/{record}. " +
				"It must begin with one of the origins. {record} becomes the record’s ID and {type} its type in lower case. " +
				"The link is on the lead under “In the CRM”, and in the frame also under More actions, " +
				"if the lender returns the record’s ID with the lead.",
			"Enter a key for URLs: lowercase letters, digits and dashes. Then copy the launch URL that the page shows.",
			"If your CRM’s sign-in always requires two factors, the person responsible for your information security " +
				"program can approve it in writing; enter their name and request the approval. Otherwise, " +
				"users confirm their identity in a new tab every twelve hours. " +
				"The approval takes effect after another administrator agrees under Administration, Requests.",
		}},
		{ID: "rotate", Title: "Rotate keys and secrets", Text: []string{
			"If your CRM publishes its keys at a URL, replace them there; nothing changes in Hearthline and no one is " +
				"signed out. Hearthline reads the URL again when a launch is signed with an unknown key, at most once a " +
				"minute, and otherwise at most an hour after the last time. So a key that you remove can be used for up to " +
				"an hour, or up to a day while the URL can’t be read. To revoke it at once, an administrator selects Edit and " +
				"Save, which reads the URL; disabling the CRM also signs its users out.",
			"The URL must return 200 without a redirect, within 5 seconds and from a public address: up to 20 keys and " +
				"64 KB. Keys for other purposes are skipped. A set with a private or symmetric key is rejected. If the URL " +
				"fails, the last keys are used for a day, and the page under Administration shows since when it fails.",
			"To rotate pasted keys, enter the current and the next key together as one set, start signing with the next " +
				"key, and then enter the next key alone. With server.mjs, HEARTHLINE_KEY_FILES names both files, the signing " +
				"key first, and GET /hearthline/keys returns the set. To rotate the shared secret of Canvas or HubSpot, enter " +
				"the new one; both are valid until you select “Retire the previous secret”. A retired secret can’t be used " +
				"again. The signing secret of events is replaced on the Events page and signs no one out.",
			"When you add or replace a pasted key, the URL of the keys or a secret, the approval of the CRM’s sign-in " +
				"ends, everyone who signed in through it is signed out, and users connect their CRM accounts again. " +
				"They and all administrators are notified. " +
				"To avoid this, the server’s operator can enter the keys and secrets with portal embed add --replace.",
			"When you remove a pasted key, a secret or an origin, give or withdraw an approval, change what identifies the " +
				"CRM, or disable it, everyone who signed in through it is signed out and open launches end. " +
				"Their entries are saved for the next launch of the same record. Renaming a CRM or adding an origin " +
				"signs no one out.",
		}},
		{ID: "another", Title: "Change what identifies a CRM", Text: []string{
			"If you change a CRM’s issuer, signing method, organization or company, Hearthline treats it as a different " +
				"CRM: its approval ends, users connect their CRM accounts again, and its records are no longer linked to " +
				"their leads. The leads stay with their originators, and a lead that has the record’s ID as its reference " +
				"is offered again.",
			"If it’s the same system and you are only correcting its issuer, signing method or organization, " +
				"check “Keep its records linked to their leads”. A change of company always ends the links.",
		}},
		{ID: "frame", Title: "The frame", Text: []string{
			"If the frame has a sandbox attribute, it needs: " +
				"allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads. " +
				"Hearthline fits frames that are 300 to 1200 pixels wide.",
			"If your page has a Content-Security-Policy, script-src, frame-src and form-action must allow Hearthline’s " +
				"origin. A Cross-Origin-Embedder-Policy of require-corp blocks the frame.",
			"To let “Copy link” work, allow clipboard access for Hearthline’s origin by name: " +
				"allow=\"clipboard-write https://desk.example\". Without an origin, the permission applies to your own page, " +
				"because the frame has no src. Where copying isn’t allowed, the link is selected instead.",
			"Documents, offer sheets and lists are downloaded from the frame, which requires allow-downloads.",
			"If you entered more than one origin, name the origin of the frame’s page in each launch. " +
				"Without it the frame opens, but it doesn’t know which page to send messages to.",
			"Don’t cover the frame. Selecting an offer, canceling, reassigning and showing borrower details aren’t " +
				"possible in the frame when the browser can’t verify that the button is visible; users are offered a new " +
				"tab instead. In browsers that support this check, the same applies to sending an inquiry or an SSN, " +
				"re-pulling credit and creating a borrower link.",
			"“Continue as …” is valid for half an hour and can be used once. It’s asked again after half an hour without " +
				"activity, after eight hours, after signing out in the frame, and for another CRM account. " +
				"If a browser doesn’t allow signing in inside frames, it’s asked for each record, " +
				"and Hearthline opens in a new tab.",
		}},
		helpPrefill(),
		helpMessages(),
		helpCard(),
		helpStatuses(),
		helpEvents(),
		{ID: "codes", Title: "Codes", Text: []string{
			"Codes are never changed or removed. New ones may be added, so your code must accept unknown codes.",
		}, Table: Table{Columns: []string{"Field", "Code", "Meaning"}, Rows: text.CRMCodes()}},
		helpTrouble(),
	}
}

func helpMessages() Section {
	return Section{ID: "messages", Title: "Messages, version 1", Text: []string{
		"<hearthline-desk> is one script without dependencies. Its URL and integrity are those of this version; " +
			"earlier ones stay available. Its events are change (with event.detail.step), select (an offer was selected), " +
			"expired (before it launches again, unless you call preventDefault) and error (token-url returned no token; a " +
			"frame that had another record is removed). " +
			"To show another record, change its token or token-url.",
		"It handles these messages, which the frame sends to your page with postMessage. They contain no personal data. " +
			"If you handle them yourself, accept them only from Hearthline’s origin and from your own frame, " +
			"and ignore messages with another v. New messages will have new types in version 1, or another v.",
	}, Terms: []ui.Fact{
		{Label: `{v: 1, type: "portal.resize", h: 840}`,
			Value: "The height in pixels that the content needs, from 200 to 8000."},
		{Label: `{v: 1, type: "portal.changed", step: "offers_available"}`,
			Value: "The record has an inquiry now, or its lead changed. Reload your card. The step is a code, and empty " +
				"without a lead."},
		{Label: `{v: 1, type: "portal.selected"}`, Value: "An offer was selected."},
		{Label: `{v: 1, type: "portal.expired"}`,
			Value: "The page in the frame has expired. Sign a new launch and load it into the frame, once for each message."},
		{Label: `{v: 1, type: "portal.ping"}`, Value: "From your page to the frame: requests the height again."},
		{Label: `{v: 1, type: "host.viewport", top: 0, bottom: 640}`,
			Value: "From your page to the frame: the part of the frame that is in sight, in pixels from its top. " +
				"Buttons at the bottom of a page stay within it."},
	}, Code: []File{Sample("page.html")}}
}

func helpCard() Section {
	return Section{ID: "card", Title: "A card without a frame", Text: []string{
		"GET /api/embed/{client}/records/{record}?type={type} returns {\"found\", \"shortId\", \"step\", " +
			"\"changed\"} and nothing else about a lead; step is display text. Sign it in the same way as launches. " +
			"A signature can be reused while it is valid: up to two minutes for a token, and five minutes for a signed " +
			"request.",
		"Escape the record’s ID as encodeURIComponent does, and sign the URL exactly as you call it, with its query. " +
			"Use the record type that your launches name. Without a type, records of every type are searched; " +
			"if more than one has a lead, the response is 409.",
		"With a token for the full URL of the card, as Authorization: " +
			"Bearer, your server can request every lead of the company that is linked to your CRM’s records, " +
			"so your server decides who sees the response. For a Canvas app, your server signs in the same way as HubSpot, " +
			"with the app’s secret: X-HubSpot-Request-Timestamp with the time in milliseconds, " +
			"and X-HubSpot-Signature-v3 with the base64 of HMAC-SHA256 over method, full URL and time.",
		"From a HubSpot card, use hubspot.fetch. The user sees the leads that they can open in Hearthline. " +
			"\"connected\": false means that their CRM account isn’t connected yet; they connect it when they first open " +
			"a record.",
		"404 with {\"found\": false} means that this user has no inquiry for the record. " +
			"403 means that your CRM didn’t sign the request. 429 means more than 600 requests in a minute for one user, " +
			"or many unsigned requests. Responses can’t be cached. Errors are returned as {\"error\", \"reference\"}, " +
			"also by the launch endpoint for HubSpot.",
	}}
}

func helpStatuses() Section {
	return Section{ID: "statuses", Title: "The status of many leads", Text: []string{
		"GET /api/embed/{client}/leads returns the leads that are linked to your CRM’s records, up to 500 at a time: " +
			"IDs, codes, times and a link to the lead, without names, amounts or scores. Sign it in the same way as a card.",
		"The first call has no parameters. The response has a cursor: store it, and send it as changed_since to get what " +
			"changes next. If \"more\" is true, call again at once. A lead that changes is listed again as it is then, and " +
			"no change of a lead is skipped. A lead that is unlinked from your record, or moves to another company, is no " +
			"longer listed, and you aren’t notified: read the whole list again once a day, as rebuild in hearthline.mjs " +
			"does.",
		"With ?record={record}&type={type} it returns the leads of one record, open leads first, without a cursor. " +
			"Hearthline doesn’t store record IDs in readable form: \"records\" has the ID only if the lender returns it.",
		"Each response has an ETag. If you send it back as If-None-Match to the same URL and nothing changed, " +
			"the response is 304 without a body.",
		"Cards and statuses together are limited to 600 requests in a minute for one user. " +
			"429 has the seconds to wait in Retry-After.",
	}, More: []ui.NavLink{{Label: "OpenAPI 3.1 description (openapi.json)", Href: to.HelpOpenAPI()}}}
}

func helpEvents() Section {
	return Section{ID: "events", Title: "Events", Text: []string{
		"Hearthline can tell your server when something happens to a lead that is linked to one of your CRM’s records. " +
			"An administrator opens Administration, CRMs, Events, creates a signing secret and enters an https URL. " +
			"A signed test event, with type \"test\", is sent first, and the URL is used only if your server accepts it. " +
			"The URL must lead to a public address; only a Hearthline on your own computer also accepts http://127.0.0.1. " +
			"Redirects aren’t followed.",
		"Each event is a POST with a JSON body, signed as Standard Webhooks describes. webhook-id is the event’s ID and " +
			"the same for every attempt. webhook-timestamp is the time of the attempt, in Unix seconds. webhook-signature " +
			"has one or more signatures separated by spaces: v1, a comma, and the base64 of HMAC-SHA256 over ID, time and " +
			"body, joined by periods. The key is the base64 after whsec_. Verify the bytes that you received, accept any one " +
			"signature, and reject times that are more than five minutes off. verify and receive in hearthline.mjs do this.",
		"Store the event and answer with 200 to 299 within 10 seconds; the body of your response is ignored. " +
			"The same event can arrive more than once, so ignore an ID that you already have.",
		"The events of one lead arrive in order: each one waits until you accept the one before it, " +
			"or until Hearthline gives up on it. number rises from event to event of a lead. An event that an " +
			"administrator sends again keeps its number, so ignore one with a lower number than the last you applied. " +
			"Events for different leads can arrive in any order.",
		"After a failure, Hearthline retries after about 5 seconds, 30 seconds, 5 minutes, 30 minutes, " +
			"2, 5, 10, 14, 20 and 20 hours, each up to a fifth shorter. After 11 attempts or three days, the event is listed " +
			"as not delivered. Administrators are notified once a day and can send it again until it is 30 days old. " +
			"While events are paused, none are queued.",
		"The fields are those of the status of a lead without changed, and the codes are the same. step, lane, move, " +
			"outcome, due and amounts are as of the event; records are those linked when it is sent. New fields and codes " +
			"may be added, so ignore those that you don’t know. records has the ID from your launches and the type in " +
			"lower case; the ID is missing if the lead no longer has it as its reference or customer number. amounts, in " +
			"dollars, are sent only if the administrator includes them. Events have no names, contact details, addresses " +
			"or scores.",
		"For one day after you replace the secret, both secrets sign every event.",
	}, Terms: []ui.Fact{
		{Label: "lead.started", Value: "An inquiry was started for a record, or a lead was linked to one."},
		{Label: "lead.step_changed", Value: "The step, the lane, who has to act next or when it is due changed."},
		{Label: "lead.offers_ready", Value: "Offers are available."},
		{Label: "lead.offer_selected", Value: "An offer or a different amount was selected."},
		{Label: "lead.condition_changed", Value: "A condition was added, or the number of open conditions changed."},
		{Label: "lead.reassigned", Value: "The lead was assigned to another originator, or to no one."},
		{Label: "lead.funded", Value: "The lead was funded."},
		{Label: "lead.ended", Value: "The lead ended without funding. outcome says how."},
	}, Code: []File{Sample("event.json"), Sample("verify-event.sh")}}
}

// helpTrouble is sorted by symptom, in the order in which users meet them.
func helpTrouble() Section {
	return Section{ID: "trouble", Title: "Troubleshooting", Table: Table{
		Columns: []string{"What you see", "Cause", "What to do"},
		Rows: [][]string{
			{"An empty frame; the browser reports frame-ancestors", "The origin of a page around the frame isn’t registered, " +
				"or the CRM is disabled.", "Compare location.origin of every page around the frame with the origins that the " +
				"administrator entered, character by character."},
			{"“Your CRM couldn’t be verified”", "The signature, issuer, audience or organization doesn’t match, " +
				"a clock is wrong, the token is valid for more than 120 seconds, or a launch was posted twice.",
				"Administration, CRMs shows the recent rejections; Hearthline’s log has details under the reference that the " +
					"page shows. The audience is the full URL you post to, with the scheme and host of Hearthline’s own URL. " +
					"Sign a new launch each time the page is shown."},
			{"“This page expired or was already used”", "“Continue as …” and the one-time URL can be used once and for a " +
				"limited time.", "Open the record again, and handle portal.expired."},
			{"“This record was opened too long ago or was closed”",
				"The launch is older than twelve hours, the user signed out in the frame, or the CRM was changed or disabled.",
				"Open the record again, and handle portal.expired."},
			{"“Page not found”", "The key or the signing method in the URL is wrong, or the CRM is disabled.",
				"Copy the launch URL from Administration, CRMs."},
			{"“Too many records were opened at once”",
				"More than 60 launches by one user, or more than 60 rejected launches from one network, in a minute.",
				"Launch when a user opens a record, not for each row of a list."},
			{"“Connect …” again and again", "sub, or the user’s ID, changes between launches, or the user’s account was reset.",
				"Send an ID that never changes and is never reused for another person."},
			{"“This CRM belongs to a different company than you”",
				"The user’s account belongs to a different broker company than the CRM.",
				"Add the CRM a second time for that company, under its own key."},
			{"“This CRM user has a colleague’s email”", "The launch has the email of another user in the company.",
				"Correct the email in the CRM. If it’s shared, don’t include it in the launch."},
			{"Names are hidden", "The CRM’s sign-in is only one factor.",
				"Users confirm their identity every twelve hours, or the CRM’s sign-in is approved as a second factor."},
			{"“Your browser doesn’t allow signing in inside this page”", "The browser blocks all cookies of other sites.",
				"Use the new tab that is offered, or allow cookies for Hearthline."},
			{"Buttons do nothing, or every click ends in an error",
				"The sandbox attribute lacks allow-forms, allow-scripts or allow-same-origin. Without allow-popups, " +
					"nothing opens in a new tab.", "Add all six values to the sandbox attribute, or remove the attribute."},
			{"“Not copied”", "The frame has no allow attribute, or its attribute names no origin.",
				"Add allow=\"clipboard-write\" with Hearthline’s origin, as under The frame."},
			{"Downloads don’t start", "The sandbox attribute lacks allow-downloads.",
				"Add all six values to the sandbox attribute, or remove the attribute."},
			{"“Continue in a new tab”", "Something covered the button, or it was clicked right after it appeared.",
				"Keep banners and chat windows off the frame, and try again."},
			{"The height doesn’t change", "There are several origins and the launch names none, " +
				"or your page ignores the messages.", "Include origin in the launch, and compare event.origin with Hearthline’s."},
			{"The new inquiry reports values that weren’t filled in",
				"A value was neither text nor a whole number, or longer than 200 characters.", "Send each value as text."},
			{"A card returns 409", "Records of more than one type have this ID, and the URL names no type.",
				"Add ?type= with the type that your launches name, and sign the URL with it."},
			{"A card returns 403", "The signed URL differs from the requested URL in its scheme, host, path or query.",
				"Sign Hearthline’s public URL, as the administrator entered it, and the path exactly as you call it: " +
					"urn%3A5 and urn:5 are two URLs of one record."},
		},
	}}
}

// The sections that are specific to one kind of CRM, step by step.

func helpCRMCustom(base to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Steps: []string{
			"If your server runs on Node, use hearthline.mjs as the quick start shows. On .NET, use LaunchToken.cs. " +
				"Anywhere else, a JWT library and the rules below are enough.",
			"Create a key on your server (Ed25519, P-256, or RSA with at least 2048 bits) and print its public half with " +
				"node hearthline.mjs keys FILE, which also reads an existing key or certificate in PEM.",
			"Send the Hearthline administrator the issuer of your tokens, the public key set and the exact origins of your " +
				"pages. They choose “Signed token (JWT)” and send you the launch URL, /launch/jwt/{client}.",
			"Load the script of <hearthline-desk> from Hearthline, as page.html does. It creates the frame, posts a token, " +
				"and handles every message. It requests a token from token-url when the page opens and whenever another one " +
				"is needed: your server signs it for the signed-in user and the record, and returns it as text.",
			"To test it, open a record, select “Connect in a new tab”, sign in, and enter the four letters. " +
				"The frame then opens the record.",
		}, Code: []File{Sample("page.html")}, More: []ui.NavLink{
			{Label: "Quick start, with hearthline.mjs", Href: base.Help("crm") + "#start"}}},
		{ID: "claims", Title: "The token", Text: []string{
			"A JWT in compact form, signed with EdDSA, ES256 or RS256 by a key of your set. " +
				"Its header has typ launch+jwt and, if your set has several keys, kid.",
			"Required claims: iss, as agreed; aud, the full URL you post to; sub, the user’s ID, " +
				"which must never be reused for another person; jti, never used before; iat and exp, at most 120 seconds " +
				"apart. Optional claims: name, email, origin, record {type, id}, and prefill, " +
				"an object with the fields that a launch can fill in, listed on the page For CRM administrators. " +
				"Except for the record’s ID, which has up to 200 characters, and prefill, claims are text. " +
				"A form posts the token as launch_token.",
			"The record’s type is the name of its table, such as contact or deal, in upper or lower case. " +
				"Include it in every launch: contact 900 and deal 900 are two records, and 900 without a type is a third " +
				"record. The ID of a contact, person, account, customer, client, company or borrower is sent to the lender as " +
				"its customer number, any other ID as a reference.",
			"The record’s ID and prefill values must be text or whole numbers. Other values and unknown names are ignored; " +
				"the new inquiry and the CRM’s page under Administration list them. A street address with several lines is " +
				"split into street and unit. An SSN, a consent or a confirmation is always ignored.",
		}, Code: []File{Sample("hearthline.mjs"), Sample("server.mjs"), Sample("LaunchToken.cs")}},
	}
}

func helpCRMSalesforce(to.Base) []Section {
	element, _ := static.DeskElement()
	return []Section{
		{ID: "steps", Title: "A Lightning component, with a token from Apex", Text: []string{
			"These files weren’t run in Salesforce. Salesforce’s own compiler accepts the component, a parser accepts the " +
				"Apex class, and Hearthline accepts tokens with the claims and the algorithm of the class. " +
				"Custom elements in Lightning components are a beta feature of Salesforce and need Lightning Web Security, " +
				"not Lightning Locker.",
			"When the page is shown, the component loads the script of <hearthline-desk> from a static resource, because " +
				"Lightning pages load scripts only from your org. It has Apex sign a token for the record and sets it on the " +
				"element. When the page in the frame has expired, it sets another one.",
			"Lists and events need a server of yours, such as server.mjs with HEARTHLINE_ISSUER set to your issuer. " +
				"The administrator enters its public key and the certificate’s together, as one set.",
		}, Steps: []string{
			"Download and unpack salesforce.zip. Save the script of <hearthline-desk> in it as " +
				"force-app/main/default/staticresources/hearthlineDesk.js. It keeps working when there is a newer version.",
			"In Setup, Certificate and Key Management, create a self-signed certificate with 2048 bits and the unique name " +
				"Hearthline_Launch, and download it. Print its public half with node hearthline.mjs keys " +
				"Hearthline_Launch.crt k1.",
			"Send the Hearthline administrator that key set, the issuer (https://yourdomain.my.salesforce.com), " +
				"and the exact origins around the frame: https://yourdomain.lightning.force.com and, for a Visualforce page, " +
				"its https://yourdomain--c.vf.force.com host and https://yourdomain.my.salesforce.com. " +
				"They choose “Signed token (JWT)” and the key salesforce.",
			"In Setup, Session Settings, check that “Use Lightning Web Security for Lightning web components” is on.",
			"In HearthlineLaunch.cls, enter your domains in the first lines. " +
				"The trusted URL among the files lets your pages frame Hearthline (frame-src).",
			"Deploy the folder with sf project deploy start, assign the class to the profiles that may use it, and add " +
				"Hearthline to the record page in the Lightning App Builder.",
		}, More: []ui.NavLink{
			{Label: "salesforce.zip: all files of the project", Href: to.HelpFile("salesforce.zip")},
			{Label: "The script of <hearthline-desk>", Href: element},
			{Label: "hearthline.mjs, for step 2", Href: to.HelpFile("hearthline.mjs")},
		}, Code: []File{Sample("salesforce/force-app/main/default/classes/HearthlineLaunch.cls"),
			Sample("salesforce/force-app/main/default/lwc/hearthlineRecord/hearthlineRecord.html"),
			Sample("salesforce/force-app/main/default/lwc/hearthlineRecord/hearthlineRecord.js")}},
		{ID: "canvas", Title: "An existing Canvas app", Text: []string{
			"Salesforce creates new connected apps only through a package or its support, " +
				"so this is for organizations that already have one.",
		}, Steps: []string{
			"In the app, choose the access method Signed Request (POST), " +
				"the Canvas App URL https://desk.example/launch/canvas/{client}, and “Admin approved users are " +
				"pre-authorized”. Self-authorized apps aren’t supported.",
			"The Hearthline administrator chooses “Signed request (Salesforce Canvas)” and enters the app’s consumer " +
				"secret, the 18-character organization ID in the request, and the origins as above.",
			"Add recordType, recordId, prefill and origin to the app’s parameters. " +
				"Without recordId, the page’s record is used, with the name of its object as the type (Contact, " +
				"Opportunity). If recordId is another record, recordType is required.",
			"Each signed request is accepted once, and within five minutes of its issuedAt if it has one: " +
				"have Salesforce create a new one for each view. " +
				"To change the secret, enter the new one, and then select “Retire the previous secret”.",
		}},
	}
}

func helpCRMHubSpot(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Text: []string{
			"The project is a private app for HubSpot’s developer platform 2026.09 with a card on contacts: " +
				"it shows the status of the contact’s leads and opens Hearthline in a window.",
			"It was checked with HubSpot’s own packages: ESLint with HubSpot’s rules, the types of the UI extensions SDK, " +
				"the parser of projects, the build of cards, and the test renderer with answers of Hearthline. " +
				"It wasn’t uploaded to HubSpot, so neither HubSpot’s checks of an upload nor the window were tried in an " +
				"account.",
		}, Steps: []string{
			"Download hubspot.zip and unpack it. Change objectTypes in desk-card-hsmeta.json if the card is for other " +
				"records than contacts, and then also PREFILL and the scope in app-hsmeta.json.",
			"With HubSpot’s CLI, run hs account auth and hs project upload in the folder, and install the app. " +
				"permittedUrls already has this Hearthline for fetch and iframe.",
			"Send the Hearthline administrator the app’s client secret, which is on its Auth page in HubSpot, " +
				"and your HubSpot account’s ID.",
			"The administrator adds a CRM with the key hubspot, “Signed request (HubSpot)”, the secret, the account’s ID, " +
				"and the origins https://app.hubspot.com and your region’s host, such as https://app-eu1.hubspot.com. " +
				"With another key, change CLIENT in DeskCard.tsx and upload again.",
			"On a contact, select Customize, open a tab, add the card HELOC and save.",
			"Select “Open in Hearthline”. The window asks “Continue as …” once in a browser session. The first time, " +
				"connect your account in a new tab; the card shows leads from then on.",
		}, More: []ui.NavLink{
			{Label: "hubspot.zip: all files of the project", Href: to.HelpFile("hubspot.zip")},
		}, Code: samplesIn("hubspot")},
		{ID: "calls", Title: "What the card calls", Text: []string{
			"hubspot.fetch sends a call through HubSpot’s servers, which sign it with the app’s client secret. " +
				"The card’s code, which runs in the browser, has no credential, and you need no server of your own.",
			"GET /api/embed/{client}/leads?record={record}&type={type} returns the status of the leads that the user can " +
				"open in Hearthline. connected is false until they have connected their account.",
			"POST /launch/hubspot/{client} takes a JSON object with record {type, id}, prefill and, to receive the frame’s " +
				"messages, origin. The type is the object’s name or context.crm.objectTypeId: 0-1 is contact, 0-2 company, " +
				"0-3 deal and 0-5 ticket. The response is {\"url\": …}. The URL works once and for one minute: " +
				"open it right away with actions.openIframeModal.",
			"An app with sensitive data scopes can’t use hubspot.fetch. Events go to a server of yours, " +
				"which needs only their signing secret.",
		}},
		{ID: "who", Title: "How users are identified", Text: []string{
			"HubSpot signs the request with your app’s secret (version 3) and adds the signed-in user to its URL: " +
				"userId, portalId and userEmail. Values in the body don’t identify anyone, " +
				"and a request whose own URL already contains one of these names is rejected.",
			"The signature covers method, URL, body and time, and is valid for five minutes. HubSpot repeats failed " +
				"requests; until a user continues, the same request returns the same launch.",
		}},
	}
}

func helpCRMDynamics(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Text: []string{
			"URL parameters of a form’s frame aren’t signed, and anyone can change them. " +
				"Your server therefore signs a token, as for your own CRM.",
			"These steps weren’t tried in Dynamics, and LaunchToken.cs wasn’t compiled. " +
				"Hearthline accepts tokens with its claims and its algorithm.",
		}, Steps: []string{
			"Create an RSA key with 2048 bits, store it where your server code reads it (a key vault), " +
				"and print its public half with node hearthline.mjs keys FILE.",
			"Send the Hearthline administrator that key set and the issuer (https://yourorg.crm.dynamics.com), " +
				"which is also the origin. They choose “Signed token (JWT)”.",
			"Write a Custom API in Dataverse whose plug-in calls a service of yours (.NET 6 or later), which signs the " +
				"token. Take sub, the systemuserid of the calling user, from the plug-in’s context, never from a parameter. " +
				"Read the record with the caller’s permissions. Its type is the table’s logical name, " +
				"such as contact or opportunity.",
			"Add an HTML web resource to the form, with the script and the element of page.html but without token-url. " +
				"It calls this Custom API for the record and sets the token attribute of the element to the result. " +
				"On the element’s event expired, it calls preventDefault and sets another token.",
			"In the web resource’s properties, turn off “Restrict cross-frame scripting, where supported”, " +
				"which puts an empty sandbox attribute on the frame.",
			"The mobile app doesn’t support frames that sign in. Show a link to Hearthline there.",
		}, More: []ui.NavLink{{Label: "hearthline.mjs, for step 1", Href: to.HelpFile("hearthline.mjs")}},
			Code: []File{Sample("LaunchToken.cs"), Sample("page.html")}},
	}
}
