package views

// helpCRM is for whoever looks after a CRM.
func helpCRM() []HelpSection {
	return []HelpSection{
		{ID: "how", Title: "How it works", Text: []string{
			"A page of your CRM frames the desk beside a record. Your CRM signs who is logged in and which record it is; the frame asks “Continue as …”, and one press opens the record's lead, or a new inquiry filled from the record.",
			"The first time, each person connects their log-in in a new tab. Unless your log-in was approved as a second factor, they also confirm there once in twelve hours.",
			"The record's id goes to the lender as a reference and finds the lead again, so it must be unique in your company. Send no name, e-mail or number of a borrower in its place.",
		}},
		{ID: "frame", Title: "The frame", Text: []string{
			"Give the portal's administrator the exact origins of your pages; every page around the frame counts, and there are no wildcards. If that is more than one, let each launch say in origin which of them holds the frame: it opens without that too, but sends no messages, for it sends them to one page alone.",
			"If the frame has a sandbox attribute it needs: allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads.",
			"The frame says {v: 1, type: \"portal.resize\", h: 840} when it wants another height (200 to 4000), {v: 1, type: \"portal.changed\"} when the record has an inquiry or its lead has moved, and {v: 1, type: \"portal.expired\"} when the page in it leads on no more. Check that the origin is the portal's. You may send {v: 1, type: \"portal.ping\"} to hear the height again. It is made for 400 to 1000 pixels of width.",
			"On portal.expired sign a new launch and put it into the frame, so that nobody finds a button that has run out. Do it once for each message, and never with the same token: a launch is good once. “Continue as …” may stand for half an hour.",
			"Nothing may lie over the frame: selecting, cancelling, handing over and revealing are refused there when the browser cannot see the button uncovered, and are offered in a window of their own. So are sending an inquiry or an SSN, pulling credit again and making the borrower's link, where the browser can tell.",
		}},
		{ID: "custom", Title: "A CRM of your own", Text: []string{
			"Post a form with the field launch_token to /launch/jwt/{client}, with the frame as its target. The token is a JWT signed with EdDSA, ES256 or RS256, its header typ is launch+jwt.",
			"Claims: iss as agreed; aud, the full address you post to; sub, the person's id; jti, never used before; iat and exp, at most 120 seconds apart. If you like: name, email, origin, record {type, id}, and prefill, an object of the intake's controls, such as applicant.name.firstName or property.address.zip. The record's id and what is filled in are text or whole numbers; another value is left out, and the intake says so. An SSN or a consent is left out too.",
		}},
		{ID: "salesforce", Title: "Salesforce", Text: []string{
			"A component whose Apex controller signs the token above is the usual way; list your lightning.force.com, my.salesforce.com and vf.force.com hosts exactly.",
			"An existing Canvas app works too: its signed_request goes to /launch/canvas/{client}. Choose “Admin approved users are pre-authorized”, and give the consumer secret and the organization id. Put recordType, recordId, prefill and origin into the app's parameters.",
		}},
		{ID: "hubspot", Title: "HubSpot", Text: []string{
			"An app card calls /launch/hubspot/{client} with hubspot.fetch, as JSON: record {type, id}, prefill and, where the frame's messages are wanted, origin. HubSpot signs the call with your app's secret (version 3) and adds to its address who is logged in: userId, portalId, userEmail. Nobody is recognised by what the body says, and a card that puts one of these names into the address itself is refused.",
			"The answer is {\"url\": …}, good once and for a minute. Open it with actions.openIframeModal. List https://app.hubspot.com, and your region's host, such as https://app-eu1.hubspot.com, as origins.",
		}},
		{ID: "dynamics", Title: "Dynamics and Power Apps", Text: []string{
			"Parameters in an address are not signed, so let a server-side plug-in make the token of a CRM of your own, and post it from a web resource. “Restrict cross-frame scripting” must be off for the frame. Frames with a log-in are not supported in the mobile app: open the desk in a tab there.",
		}},
		{ID: "card", Title: "A card without a frame", Text: []string{
			"GET /api/embed/{client}/records/{record} answers {\"found\", \"shortId\", \"step\", \"changed\"} and nothing else of a lead. Sign it as you sign launches.",
			"With a token for the full address of the card, as Authorization: Bearer, your server may ask for every lead of the company, so it decides who sees the answer. For a Canvas app your server signs the same way as HubSpot does, under the app's secret: X-HubSpot-Request-Timestamp with the time in milliseconds, and X-HubSpot-Signature-v3 with the base64 of HMAC-SHA256 over method, full address and time.",
			"From a HubSpot card use hubspot.fetch: whoever looks sees the leads that are within their reach in the portal. {\"found\": false, \"connected\": false} says that their log-in is not connected yet; it is, once they have opened a record.",
		}},
	}
}
