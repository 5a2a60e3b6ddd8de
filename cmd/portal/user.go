package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// user runs the user subcommands.
func (i *installation) user(ctx context.Context, command string, args config.UserArgs) error {
	accounts := newAccounts(i.db, i.vault, i.cfg.Portal, time.Now)
	switch command {
	case "add":
		return i.addUser(ctx, accounts, args)
	case "disable":
		email := args.Disable.Email
		if err := i.report(accounts.Disable(ctx, email), "%s is disabled and signed out everywhere.\n", email); err != nil {
			return err
		}
		return i.printOpenWork(ctx, email)
	case "sign-out":
		return i.signOut(ctx, accounts, args.SignOut.Email, args.SignOut.All)
	case "role":
		role, err := parseRole(args.Role.Role)
		if err == nil {
			err = accounts.SetRole(ctx, args.Role.Email, role)
		}
		return i.report(err, "%s now has the role %s.\n", args.Role.Email, role)
	default:
		link, err := accounts.ResetAccount(ctx, access.Operator(), args.Reset.Email, args.Reset.Shut)
		return i.report(err, "%s is signed out everywhere. With this link they set up their sign-in again; "+
			"send it only to them. It works once and expires in three days:\n%s\n"+
			"The same link is emailed to them if PORTAL_SMTP_URL is set.\n", args.Reset.Email, link)
	}
}

// addUser adds a user with a password from standard input or, if the operator gives none, a new one.
func (i *installation) addUser(ctx context.Context, accounts *account.Service, args config.UserArgs) error {
	u := args.Add
	role, err := parseRole(u.Role)
	if err != nil {
		return err
	}
	if u.Originator != "" && uuid.Validate(u.Originator) != nil {
		return errors.New("--originator must be the person's UUID in the lender's directory, " +
			"such as 0f0e0d0c-0000-4000-8000-000000000001")
	}
	password := account.NewPassword()
	if u.PasswordStdin {
		line, err := bufio.NewReader(i.in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		password = strings.TrimRight(line, "\r\n")
	}
	who := access.Actor{Name: u.Name, Email: u.Email, Role: role, OriginatorUUID: strings.ToLower(u.Originator),
		BrokerID: u.Broker, Organization: u.Organization}
	if role == access.Assistant { // a manager can narrow it in the portal
		who.WorksFor, who.Reassigns = access.AllOriginators, true
	}
	_, err = accounts.Add(ctx, access.User{Actor: who}, password)
	if err == nil && !u.PasswordStdin {
		fmt.Fprintf(i.out, "Password (shown once): %s\n", password)
	}
	if err == nil && role == access.Assistant {
		fmt.Fprintln(i.out, "They work for all originators of the company and may reassign leads. "+
			"A manager changes that under Team, People.")
	}
	return i.report(err, "Added %s.\n", u.Email)
}

func parseRole(text string) (access.Role, error) {
	role, ok := access.ParseRole(text)
	if !ok {
		return role, fmt.Errorf("%q is not a role: use originator, assistant, manager or admin", text)
	}
	return role, nil
}

// printOpenWork reports what a disabled user leaves behind. Managers and administrators reassign it, because the lender
// is asked about each lead in somebody's name.
func (i *installation) printOpenWork(ctx context.Context, email string) error {
	user, _, err := i.db.UserByEmail(ctx, account.FoldEmail(email))
	if err != nil {
		return err
	}
	in := store.UserScopeOf(user.Actor)
	leads, err := i.db.DepartedLeads(ctx, in.Company, heloc.OriginatorID(user.OriginatorUUID))
	if err != nil {
		return err
	}
	drafts, err := i.db.CountTransferableDrafts(ctx, in)
	if err != nil || len(leads)+drafts == 0 {
		return err
	}
	page := "/admin/users/" + user.UserID
	if base := i.cfg.Portal.BaseURL; base != nil {
		page = base.JoinPath(page).String()
	}
	fmt.Fprintf(i.out, "To reassign: %s, now unassigned, and %s. "+
		"A manager of the company can do it, or an administrator at %s\n",
		countOf(len(leads), "open lead"), countOf(drafts, "draft"), page)
	return nil
}

// signOut ends the sessions of one user, or of all users.
func (i *installation) signOut(ctx context.Context, accounts *account.Service, email string, all bool) error {
	switch {
	case all == (email != ""):
		return errors.New("specify an email address or --all")
	case all:
		n, err := accounts.SignOutAll(ctx, access.Operator())
		return i.report(err, "All users are signed out; sessions ended: %d.\n", n)
	default:
		n, err := accounts.SignOut(ctx, access.Operator(), email)
		return i.report(err, "%s is signed out; sessions ended: %d.\n", email, n)
	}
}
