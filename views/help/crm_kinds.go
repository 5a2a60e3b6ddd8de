package help

import "hearthline/views/to"

// The sections that are specific to one kind of CRM, step by step.

func helpCRMCustom(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Steps: []string{
			"Create a key on your server (Ed25519, P-256, or RSA with at least 2048 bits) and print its public half with " +
				"keys.mjs.",
			"Send the Hearthline administrator the issuer of your tokens, the public key set and the exact origins of your " +
				"pages. They choose “Signed token (JWT)” and send you the launch URL, /launch/jwt/{client}.",
			"When a user opens a record, have your server sign a token for them and put it into the form of the page. " +
				"The form posts it to the launch URL, with the frame as its target.",
			"Handle portal.resize, portal.changed and portal.expired as desk.js does.",
			"To test it, open a record, select “Connect in a new tab”, sign in, and enter the four letters. " +
				"Open the record again: the frame shows “Continue as …”.",
		}},
		{ID: "claims", Title: "The token", Text: []string{
			"A JWT in compact form, signed with EdDSA, ES256 or RS256 by a key of your set. " +
				"Its header has typ launch+jwt and, if your set has several keys, kid.",
			"Required claims: iss, as agreed; aud, the full URL you post to; sub, the user’s ID, " +
				"which must never be reused for another person; jti, never used before; iat and exp, at most 120 seconds apart. " +
				"Optional claims: name, email, origin, record {type, id}, and prefill, " +
				"an object with the names of the new inquiry’s fields, such as applicant.name.firstName or property.address.zip.",
			"The record’s type is the name of its table, such as contact or deal, in upper or lower case. " +
				"Include it in every launch: contact 900 and deal 900 are two records, and a record without a type is a third. " +
				"The ID of a contact, person, account, customer, client, " +
				"company or borrower is sent to the lender as its customer number, any other ID as a reference.",
			"The record’s ID and prefill values must be text or whole numbers. Other values and unknown names are ignored; " +
				"the new inquiry and the CRM’s page under Administration list them. A street address with several lines is split " +
				"into street and unit. An SSN, a consent or a confirmation is always ignored.",
		}, Code: []File{Sample("keys.mjs"), Sample("launch.mjs"), Sample("LaunchToken.cs")}},
		{ID: "page", Title: "The page", Code: []File{Sample("page.html"), Sample("desk.js")}},
	}
}

func helpCRMSalesforce(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "A token from Apex", Steps: []string{
			"In Setup, Certificate and Key Management, create a self-signed certificate with 2048 bits and the unique name " +
				"Hearthline_Launch, and download it. Print its public half with keys.mjs and the key ID k1.",
			"Send the Hearthline administrator that key set, the issuer (https://yourdomain.my.salesforce.com), " +
				"and the exact origins around the frame: https://yourdomain.lightning.force.com and, for a Visualforce page, " +
				"its https://yourdomain--c.vf.force.com host and https://yourdomain.my.salesforce.com. " +
				"They choose “Signed token (JWT)” and the key salesforce.",
			"In Setup, Trusted URLs, add Hearthline’s URL with frame-src.",
			"Add the Apex class, with Hearthline’s URL and your domains in its first lines, " +
				"and assign it to the profiles that may use it.",
			"Add a Lightning web component to the record page. When the page is shown, it calls launch with the record’s ID " +
				"and posts token as launch_token to address, with its frame as the target, as page.html does.",
		}, Code: []File{Sample("HearthlineLaunch.cls"), Sample("keys.mjs"), Sample("page.html")}},
		{ID: "canvas", Title: "An existing Canvas app", Text: []string{
			"Salesforce creates new connected apps only through a package or its support, " +
				"so this is for organizations that already have one.",
		}, Steps: []string{
			"In the app, choose the access method Signed Request (POST), " +
				"the Canvas App URL https://desk.example/launch/canvas/{client}, and “Admin approved users are pre-authorized”. " +
				"Self-authorized apps aren’t supported.",
			"The Hearthline administrator chooses “Signed request (Salesforce Canvas)” and enters the app’s consumer secret, " +
				"the 18-character organization ID in the request, and the origins as above.",
			"Add recordType, recordId, prefill and origin to the app’s parameters. " +
				"Without recordId, the page’s record is used, with the name of its object as the type (Contact, Opportunity). " +
				"If recordId is another record, recordType is required.",
			"Each signed request is accepted once, and within five minutes of its issuedAt if it has one: " +
				"have Salesforce create a new one for each view. " +
				"To change the secret, enter the new one, and then select “Retire the previous secret”.",
		}},
	}
}

func helpCRMHubSpot(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Steps: []string{
			"The Hearthline administrator chooses “Signed request (HubSpot)” and enters your app’s client secret, " +
				"your HubSpot account’s ID, and the origins https://app.hubspot.com and your region’s host, " +
				"such as https://app-eu1.hubspot.com.",
			"In your app’s permittedUrls, list Hearthline’s URL under fetch and under iframe.",
			"Add an app card to the record. It calls /launch/hubspot/{client} with hubspot.fetch. " +
				"The body is a JSON object with record {type, id}, prefill and, to receive the frame’s messages, origin. " +
				"The type is the object’s name or context.crm.objectTypeId: 0-1 is contact, 0-2 company, 0-3 deal and 0-5 ticket.",
			"The response is {\"url\": …}. The URL works once and for one minute: " +
				"open it right away with actions.openIframeModal.",
			"The window asks “Continue as …” and then shows Hearthline.",
		}, Code: []File{Sample("card.jsx")}},
		{ID: "who", Title: "How users are identified", Text: []string{
			"HubSpot signs the request with your app’s secret (version 3) and adds the signed-in user to its URL: " +
				"userId, portalId and userEmail. Values in the body don’t identify anyone, " +
				"and a request whose own URL already contains one of these names is rejected.",
			"The signature covers method, URL, body and time, and is valid for five minutes. HubSpot repeats failed requests; " +
				"until a user continues, the same request returns the same launch.",
		}},
	}
}

func helpCRMDynamics(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Text: []string{
			"URL parameters of a form’s frame aren’t signed, and anyone can change them. " +
				"Your server therefore signs a token, as for your own CRM.",
		}, Steps: []string{
			"Create an RSA key with 2048 bits, store it where your server code reads it (a key vault), " +
				"and print its public half with keys.mjs.",
			"Send the Hearthline administrator that key set and the issuer (https://yourorg.crm.dynamics.com), " +
				"which is also the origin. They choose “Signed token (JWT)”.",
			"Write a Custom API in Dataverse whose plug-in, or the service behind it, signs the token. " +
				"Take sub, the systemuserid of the calling user, from the plug-in’s context, never from a parameter. " +
				"Read the record with the caller’s permissions. Its type is the table’s logical name, " +
				"such as contact or opportunity.",
			"Add an HTML web resource to the form. It calls this Custom API for the record and posts the token as " +
				"launch_token to /launch/jwt/{client}, with its frame as the target, as page.html does.",
			"In the web resource’s properties, turn off “Restrict cross-frame scripting, where supported”, " +
				"which puts an empty sandbox attribute on the frame.",
			"The mobile app doesn’t support frames that sign in. Show a link to Hearthline there.",
		}, Code: []File{Sample("LaunchToken.cs"), Sample("page.html")}},
	}
}
