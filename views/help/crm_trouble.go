package help

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
				"Users select “Confirm in a new tab” every twelve hours, or the CRM’s sign-in is approved as a second factor."},
			{"“Your browser doesn’t allow signing in inside this page”", "The browser blocks all cookies of other sites.",
				"Use the new tab that is offered, or allow cookies for Hearthline."},
			{"Buttons do nothing, or every click ends in an error",
				"The sandbox attribute lacks allow-forms, allow-scripts or allow-same-origin. Without allow-popups, " +
					"nothing opens in a new tab.", "Add all six values to the sandbox attribute, or remove the attribute."},
			{"“Not copied”", "The frame has no allow attribute, or its attribute names no origin.",
				"Add allow=\"clipboard-write\" with Hearthline’s origin, as in the code under Messages."},
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
