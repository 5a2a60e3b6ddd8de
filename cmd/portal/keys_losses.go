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
		{b.Search, "1 lead is found by its name alone from then on", "%d leads are found by their names alone from then on"},
		{b.References, "1 lead or draft is not found from its record in a CRM any more", "%d leads or drafts are not found from their records in a CRM any more"},
		{b.Duplicates, "1 open inquiry is not told as a duplicate of a new one any more", "%d open inquiries are not told as duplicates of new ones any more"},
		{b.Links, "1 log-in of a CRM must be connected to its account anew", "%d log-ins of a CRM must be connected to their accounts anew"},
		{b.SignInFailures, "1 count of wrong log-ins begins anew (ends by itself within a day)", "%d counts of wrong log-ins begin anew (end by themselves within a day)"},
		{b.MailedLinks, "1 mailed link is not ended by a newer one (ends by itself within three days)", "%d mailed links are not ended by newer ones (end by themselves within three days)"},
		{b.Forms, "1 form, sent once more, is refused instead of being given its first result (ends within a day)", "%d forms, sent once more, are refused instead of being given their first result (ends within a day)"},
		{b.Launches, "1 record that is open in a CRM may have to be opened again (ends within a day)", "%d records that are open in a CRM may have to be opened again (ends within a day)"},
		{b.Notices, "1 thing that somebody was told may be told once more", "%d things that people were told may be told once more"},
		{b.Webhooks, "1 webhook, sent once more, is read once more", "%d webhooks, sent once more, are read once more"},
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
	why.WriteString("the older keys are still needed, and nothing was changed. Retiring them now would mean:\n")
	printList(&why, retireLosses(b))
	if b.Permanent() > 0 {
		why.WriteString("The words behind a lead’s phone, e-mail and references go with its draft, thirty days after its inquiry ended or was completed; a CRM’s log-in is renewed when it is used next. Keep the older keys as long as you like: they cost a second look at each search. ")
	} else {
		why.WriteString("All of this ends by itself: wait for it. ")
	}
	why.WriteString("With --let-go this is accepted, and the older keys go.")
	return errors.New(why.String())
}

func printList(to io.Writer, lines []string) {
	for _, l := range lines {
		fmt.Fprintln(to, "  - "+l)
	}
}
