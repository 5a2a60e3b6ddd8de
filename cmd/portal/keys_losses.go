package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"hearthline/internal/store"
)

// retireLosses lists the consequences of retiring the older keys, one line each.
func retireLosses(b store.OldKeyDependents) (lines []string) {
	for _, l := range []struct {
		n         int
		one, many string
	}{
		{b.Search, "1 lead can be found only by name", "%d leads can be found only by name"},
		{b.References, "1 lead or draft can no longer be found from its CRM record",
			"%d leads or drafts can no longer be found from their CRM records"},
		{b.Duplicates, "1 open inquiry is no longer detected as a duplicate of a new one",
			"%d open inquiries are no longer detected as duplicates of new ones"},
		{b.Links, "1 CRM user must connect to their account again", "%d CRM users must connect to their accounts again"},
		{b.SignInFailures, "1 count of failed sign-ins starts over (resolves within a day)",
			"%d counts of failed sign-ins start over (resolves within a day)"},
		{b.MailedLinks, "1 emailed link is not replaced by a newer one (resolves within three days)",
			"%d emailed links are not replaced by newer ones (resolves within three days)"},
		{b.Forms, "1 form is refused if it is submitted again, instead of showing its first result (resolves within a day)",
			"%d forms are refused if they are submitted again, instead of showing their first result (resolves within a day)"},
		{b.Launches, "1 record that is open in a CRM may have to be reopened (resolves within a day)",
			"%d records that are open in a CRM may have to be reopened (resolves within a day)"},
		{b.Notices, "1 notification may be sent a second time", "%d notifications may be sent a second time"},
		{b.Webhooks, "1 webhook is processed again if the lender resends it",
			"%d webhooks are processed again if the lender resends them"},
	} {
		switch {
		case l.n == 1:
			lines = append(lines, l.one)
		case l.n > 1:
			lines = append(lines, fmt.Sprintf(l.many, l.n))
		}
	}
	return lines
}

// errKeysNeeded explains why the older keys are still needed, and what the operator can do about it.
func errKeysNeeded(b store.OldKeyDependents) error {
	var why strings.Builder
	why.WriteString("the older keys are still needed, and nothing was changed. If you retire them now:\n")
	printList(&why, retireLosses(b))
	if b.Permanent() > 0 {
		why.WriteString("Search data for a lead's phone, email and references is deleted with its draft, " +
			"thirty days after the inquiry ended or was completed; a CRM connection is updated when it is next used. " +
			"You can keep the older keys as long as needed: each search then runs once per key. ")
	} else {
		why.WriteString("All of this resolves without action if you wait. ")
	}
	why.WriteString("To accept this and delete the older keys, add --let-go.")
	return errors.New(why.String())
}

func printList(to io.Writer, lines []string) {
	for _, l := range lines {
		fmt.Fprintln(to, "  - "+l)
	}
}
