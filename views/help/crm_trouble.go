package help

// helpTrouble is sorted by symptom, in the order in which users meet them.
func helpTrouble() Section {
	return Section{ID: "trouble", Title: "When something is wrong", Table: Table{
		Columns: []string{"What you see", "Why", "What to do"},
		Rows: [][]string{
			{"An empty frame; the browser speaks of frame-ancestors", "The page around the frame, or one around that, is not among the origins, or the CRM is shut out.", "Compare location.origin of every page around it with the origins that the administrator entered, letter by letter."},
			{"“Your CRM could not be recognised”", "The signature, issuer, audience or organization does not fit, a clock is wrong, or the token lives longer than 120 seconds.", "Administration, CRMs shows why it was refused last; the portal’s log has it under the reference that the page shows. The audience is the full address you post to, with the scheme and host of the portal’s own address."},
			{"“This was opened before”", "The same token or signed request was posted twice, by a reload or a cache.", "Sign anew each time the page is shown; never keep a signed launch."},
			{"“This page has waited too long, or was used before”", "The press, or the one-time address, is good once and for a while.", "Open the record again, and answer portal.expired."},
			{"“opened too long ago, or was closed”", "The frame, or the tab opened from it, stood longer than a launch lasts (twelve hours), the person signed out in it, or the CRM was changed or shut out meanwhile.", "Open the record again, and answer portal.expired."},
			{"“There is nothing at this address”", "The key in the address is another, the kind of launch is another, or the CRM is shut out.", "Copy the address from Administration, CRMs."},
			{"“Too many records were opened at once”", "More than 60 launches by one user in a minute, or more than 60 from one network that were refused.", "Launch when a person opens a record, not for each row of a list."},
			{"“Connect … once”, again and again", "sub, or the user’s id, changes between launches, or the account was set up anew.", "Send an id that never changes and never passes to another person."},
			{"“belongs to another company than you do”", "The person’s account is of another broker company than the CRM.", "Add the CRM a second time, for that company, under a key of its own."},
			{"“a colleague’s e-mail”", "The CRM gives this log-in the e-mail of somebody else in the company.", "Correct the e-mail in the CRM; leave it out of the launch if it is shared."},
			{"Names stay hidden", "The CRM’s log-in alone is one factor.", "Each person presses “Confirm in a new tab” once in twelve hours, or the log-in is approved as a second factor."},
			{"“Your browser keeps no sign-in inside this page”", "Cookies of other sites are blocked altogether.", "Use the tab that is offered, or allow them for the portal."},
			{"Buttons do nothing, or every press ends in an error", "The sandbox attribute lacks allow-forms, allow-scripts or allow-same-origin; without allow-popups nothing opens in a new tab, “Confirm in a new tab” among it.", "Give the frame all six words, or no sandbox attribute."},
			{"“Not copied: the browser does not allow it here”", "The frame has no allow attribute, or one that names no origin.", "Give it allow=\"clipboard-write\" with the portal’s origin, as in the code under Messages."},
			{"A download does nothing", "The sandbox attribute lacks allow-downloads.", "Give the frame all six words, or no sandbox attribute."},
			{"“Do this in a window of its own”", "Something lay over the button, or it was pressed within a moment of being shown.", "Keep banners and chat windows off the frame; press once more."},
			{"The height does not follow", "Several origins, and the launch says in none which it is; or your page drops the messages.", "Send origin, and compare event.origin with the portal’s."},
			{"“Not everything was filled in”", "A value was neither text nor a whole number, or longer than 200 characters.", "Send each control’s value as text."},
			{"A card answers 409", "Records of more than one type have this number, and the address names no type.", "Add ?type= with the type that your launches name, and sign the address with it."},
			{"A card answers 403", "Another address was signed than was asked: scheme, host, path and query count.", "Sign the portal’s public address, as the administrator entered it, and the path as it is called: urn%3A5 and urn:5 are two addresses of one record."},
		},
	}}
}
