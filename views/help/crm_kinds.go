package help

import "hearthline/views/to"

// The sections that are specific to one kind of CRM, step by step.

func helpCRMCustom(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Steps: []string{
			"Make a key on your server (Ed25519, P-256, or RSA of 2048 bits and more) and print its public half with keys.mjs.",
			"Give the portal’s administrator the issuer you will write, that public set and the exact origins of your pages. They choose “Token of its own (JWT)” and give you the address, /launch/jwt/{client}.",
			"When a person opens a record, let your server sign a token for them and put it into the form of the page; the form posts it to that address, with the frame as its target.",
			"Answer portal.resize, portal.changed and portal.expired as desk.js does.",
			"Try it: open a record, press “Connect in a new tab”, sign in, type the four letters. Open it once more: “Continue as …”.",
		}},
		{ID: "claims", Title: "The token", Text: []string{
			"A JWT in compact form, signed with EdDSA, ES256 or RS256 by a key of your set. Its header has typ launch+jwt and, if your set has several keys, kid.",
			"It must have iss as agreed; aud, the full address you post to; sub, the person’s id, which never passes to another; jti, never used before; iat and exp, at most 120 seconds apart. If you like: name, email, origin, record {type, id}, and prefill, an object of the intake’s controls, such as applicant.name.firstName or property.address.zip.",
			"The record’s type is the name of its table, such as contact or deal, in capitals or not. Name it in every launch: contact 900 and deal 900 are two records, and a record without a type is a third. The id of a contact, person, account, customer, client, company or borrower goes to the lender as its customer number, any other as a reference.",
			"The record’s id and what is filled in are text or whole numbers; another value is left out, and the intake says so. An SSN, a consent or a confirmation in it is left out.",
		}, Code: []File{Sample("keys.mjs"), Sample("launch.mjs"), Sample("LaunchToken.cs")}},
		{ID: "page", Title: "The page", Code: []File{Sample("page.html"), Sample("desk.js")}},
	}
}

func helpCRMSalesforce(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "A token from Apex", Steps: []string{
			"Setup, Certificate and Key Management: create a self-signed certificate of 2048 bits with the unique name Hearthline_Launch, and download it. Print its public half with keys.mjs and the key id k1.",
			"Give the portal’s administrator that set, the issuer (https://yourdomain.my.salesforce.com), and the exact origins around the frame: https://yourdomain.lightning.force.com; for a Visualforce page also its https://yourdomain--c.vf.force.com host and https://yourdomain.my.salesforce.com. They choose “Token of its own (JWT)” and the key salesforce.",
			"Setup, Trusted URLs: add the portal’s address with frame-src.",
			"Add the Apex class with the portal’s address and your domains in its first lines, and give it to the profiles that may use it.",
			"A Lightning web component on the record page calls launch with the record’s id when it is shown, and posts token as launch_token to address, with its frame as the target, as page.html does.",
		}, Code: []File{Sample("HearthlineLaunch.cls"), Sample("keys.mjs"), Sample("page.html")}},
		{ID: "canvas", Title: "An existing Canvas app", Text: []string{
			"New connected apps come by a package or by Salesforce’s support alone, so this is for those who have one.",
		}, Steps: []string{
			"In the app choose the access method Signed Request (POST), the Canvas App URL https://desk.example/launch/canvas/{client}, and “Admin approved users are pre-authorized”; a self-authorized app is not supported.",
			"The portal’s administrator chooses “Signed request (Salesforce Canvas)” and enters the app’s consumer secret, the organization id as it stands in the request (18 characters), and the origins as above.",
			"Put recordType, recordId, prefill and origin into the app’s parameters. Without recordId the record of the page is taken, with the name of its object as the type (Contact, Opportunity); a recordId of another record needs its recordType.",
			"A signed request carries no end, so each is taken once as long as the consumer secret holds: let Salesforce make a new one at each view. To change the secret enter the next one, then press “End the former secret”.",
		}},
	}
}

func helpCRMHubSpot(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Steps: []string{
			"The portal’s administrator chooses “Signed call of its server (HubSpot)” and enters your app’s client secret, your HubSpot account’s id, and the origins https://app.hubspot.com and your region’s host, such as https://app-eu1.hubspot.com.",
			"In your app’s permittedUrls list the portal’s address under fetch and under iframe.",
			"Add an app card to the record. It calls /launch/hubspot/{client} with hubspot.fetch; the body is a JSON object with record {type, id} – as type the object’s name or context.crm.objectTypeId, of which 0-1, 0-2, 0-3 and 0-5 are contact, company, deal and ticket – prefill and, where the frame’s messages are wanted, origin.",
			"The answer is {\"url\": …}, good once and for a minute: open it at once with actions.openIframeModal.",
			"The window asks “Continue as …”; from then on it is the desk.",
		}, Code: []File{Sample("card.jsx")}},
		{ID: "who", Title: "Who is logged in", Text: []string{
			"HubSpot signs the call with your app’s secret (version 3) and adds to its address who is logged in: userId, portalId, userEmail. Nobody is recognised by what the body says, and a card that puts one of these names into the address itself is refused.",
			"The signature covers method, address, body and time, and is good for five minutes. HubSpot repeats a call that failed; the same call gives the same launch while nobody has gone on with it.",
		}},
	}
}

func helpCRMDynamics(to.Base) []Section {
	return []Section{
		{ID: "steps", Title: "Step by step", Text: []string{
			"Parameters in the address of a form’s frame are not signed, and anybody can write them. So your server signs a token as for a CRM of your own.",
		}, Steps: []string{
			"Make an RSA key of 2048 bits, keep it where your server code reads it (a key vault), and print its public half with keys.mjs.",
			"Give the portal’s administrator that set, the issuer (https://yourorg.crm.dynamics.com) and that same address as origin. They choose “Token of its own (JWT)”.",
			"Write a Custom API in Dataverse, whose plug-in or the service behind it signs the token: sub is the systemuserid of the calling user from the plug-in’s context, never a parameter; the record is read with the caller’s rights, its type is the table’s logical name, such as contact or opportunity.",
			"Add an HTML web resource to the form that calls this Custom API for the record and posts the token as launch_token to /launch/jwt/{client}, with its frame as the target, as page.html does.",
			"On the web resource’s properties turn “Restrict cross-frame scripting, where supported” off: it puts an empty sandbox attribute around the frame.",
			"Frames with a log-in are not supported in the mobile app: offer a link to the portal there.",
		}, Code: []File{Sample("LaunchToken.cs"), Sample("page.html")}},
	}
}
