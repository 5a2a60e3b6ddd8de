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

// runUser runs the user subcommands.
func runUser(ctx context.Context, inv config.Invocation, s streams) error {
	open := openExisting
	if inv.Command == "user add" { // the first user of a new installation
		open = openOrCreate
	}
	db, v, err := open(ctx, inv.Config, time.Now)
	if err != nil {
		return err
	}
	service := newAccounts(db, v, inv.Config.Portal, time.Now)
	return errors.Join(applyUser(ctx, userServices{service, db}, inv, s), db.Close())
}

// userServices is what the user subcommands read and change.
type userServices struct {
	*account.Service
	db *store.Store
}

func applyUser(ctx context.Context, service userServices, inv config.Invocation, s streams) error {
	u := inv.User
	switch inv.Command {
	case "user add":
		role, ok := access.ParseRole(u.Role)
		if !ok {
			return fmt.Errorf("%q is not a role: use originator, assistant, manager or admin", u.Role)
		}
		if u.Originator != "" && uuid.Validate(u.Originator) != nil {
			return errors.New("--originator must be the person's UUID in the lender's directory, such as 0f0e0d0c-0000-4000-8000-000000000001")
		}
		password, err := newPassword(u.PasswordStdin, s)
		if err != nil {
			return err
		}
		_, err = service.Add(ctx, access.User{Actor: access.Actor{
			Name: u.Name, Email: u.Email, Role: role, OriginatorUUID: strings.ToLower(u.Originator), BrokerID: u.Broker, Organization: u.Organization,
		}}, password)
		if err == nil && !u.PasswordStdin {
			fmt.Fprintf(s.out, "Password (shown once): %s\n", password)
		}
		return printIfOK(s, err, "Added %s.\n", u.Email)
	case "user disable":
		if err := printIfOK(s, service.Disable(ctx, u.Email), "%s is disabled and signed out everywhere.\n", u.Email); err != nil {
			return err
		}
		return service.printOpenWork(ctx, inv, s)
	case "user sign-out":
		return signOut(ctx, service.Service, u, s)
	case "user role":
		role, ok := access.ParseRole(u.Role)
		if !ok {
			return fmt.Errorf("%q is not a role: use originator, assistant, manager or admin", u.Role)
		}
		return printIfOK(s, service.SetRole(ctx, u.Email, role), "%s now has the role %s.\n", u.Email, role)
	default:
		link, err := service.ResetAccount(ctx, access.Operator(), u.Email, u.Lock)
		return printIfOK(s, err, "%s is signed out everywhere. With this link they set up their sign-in again; send it only to them. It works once and expires in three days:\n%s\n"+
			"The same link is emailed to them if PORTAL_SMTP_URL is set.\n", u.Email, link)
	}
}

// printOpenWork reports what a disabled user leaves behind. Managers and administrators reassign it, because the lender
// is asked about each lead in somebody's name.
func (p userServices) printOpenWork(ctx context.Context, inv config.Invocation, s streams) error {
	user, _, err := p.db.UserByEmail(ctx, account.FoldEmail(inv.User.Email))
	if err != nil {
		return err
	}
	in := store.UserScopeOf(user.Actor)
	leads, err := p.db.DepartedLeads(ctx, in.Company, heloc.OriginatorID(user.OriginatorUUID))
	if err != nil {
		return err
	}
	drafts, err := p.db.CountTransferableDrafts(ctx, in)
	if err != nil || len(leads)+drafts == 0 {
		return err
	}
	page := "/admin/users/" + user.UserID
	if base := inv.Config.Portal.BaseURL; base != nil {
		page = base.JoinPath(page).String()
	}
	fmt.Fprintf(s.out, "To reassign: %s, now unassigned, and %s. A manager of the company can do it, or an administrator at %s\n",
		countOf(len(leads), "open lead"), countOf(drafts, "draft"), page)
	return nil
}

// signOut ends the sessions of one user, or of all users.
func signOut(ctx context.Context, service *account.Service, u config.User, s streams) error {
	operator := access.Operator()
	switch {
	case u.All == (u.Email != ""):
		return errors.New("specify an email address or --all")
	case u.All:
		n, err := service.SignOutAll(ctx, operator)
		return printIfOK(s, err, "All users are signed out; sessions ended: %d.\n", n)
	default:
		n, err := service.SignOut(ctx, operator, u.Email)
		return printIfOK(s, err, "%s is signed out; sessions ended: %d.\n", u.Email, n)
	}
}

// newPassword reads a password from standard input, or generates one.
func newPassword(fromInput bool, s streams) (string, error) {
	if fromInput {
		line, err := bufio.NewReader(s.in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	return account.NewPassword(), nil
}

func printIfOK(s streams, err error, format string, args ...any) error {
	if err == nil {
		fmt.Fprintf(s.out, format, args...)
	}
	return err
}
