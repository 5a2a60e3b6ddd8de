package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/approval"
)

// approve approves a request as the second person, or lists the pending ones if no ID is given.
func (i *installation) approve(ctx context.Context, id string) error {
	accounts := newAccounts(i.db, i.vault, i.cfg.Portal, time.Now)
	requests := approval.Service{Store: i.db, Vault: i.vault, Now: time.Now, Accounts: accounts,
		Embeds: i.newEmbeds(accounts)}
	if id != "" {
		return i.report(requests.Approve(ctx, access.Operator(), id), "Approved. Everyone involved has been notified.\n")
	}
	all, err := requests.List(ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, one := range all {
		if !one.Waits(time.Now()) {
			continue
		}
		n++
		by, err := i.db.User(ctx, one.RequestedBy)
		if err != nil {
			return err
		}
		fmt.Fprintf(i.out, "%s\n  %s\n  Requested by %s. Expires %s.\n  Reason: %s\n", one.ID, one.Ask.What(), by.Name,
			time.UnixMilli(one.ExpiresAt).Format(time.RFC1123), one.Ask.Reason)
		if len(one.Namesakes) > 0 {
			fmt.Fprintf(i.out, "  Another account has this name: %s\n", strings.Join(one.Namesakes, ", "))
		}
		switch {
		case one.Outdated != "":
			fmt.Fprintf(i.out, "  Can’t be approved: %s\n", one.Outdated)
		case len(one.Deciders) > 0:
			var names []string
			for _, u := range one.Deciders {
				names = append(names, u.Name)
			}
			fmt.Fprintf(i.out, "  Approved in the portal by: %s\n", strings.Join(names, ", "))
		default:
			fmt.Fprintf(i.out, "  Approve it with: portal approve %s\n", one.ID)
		}
	}
	if n == 0 {
		fmt.Fprintln(i.out, "No requests are waiting.")
	}
	return nil
}
