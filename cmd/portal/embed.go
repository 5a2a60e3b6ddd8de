package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/config"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/views/words"
)

// runEmbed runs the embed subcommands.
func runEmbed(ctx context.Context, inv config.Invocation, s streams) error {
	db, v, err := openExisting(ctx, inv.Config, time.Now)
	if err != nil {
		return err
	}
	accounts := newAccounts(db, v, inv.Config.Portal, time.Now)
	service := embedServices{embed.New(db, v, embed.Options{Base: inv.Config.Portal.BaseURL, Notify: accounts.NotifyChange}), accounts}
	return errors.Join(applyEmbed(ctx, service, inv, s), db.Close())
}

// embedServices is what the embed subcommands change, and the accounts whose sign-ins they disconnect.
type embedServices struct {
	*embed.Service
	accounts *account.Service
}

func applyEmbed(ctx context.Context, service embedServices, inv config.Invocation, s streams) error {
	e := inv.Embed
	switch inv.Command {
	case "embed add":
		setup := embed.Setup{
			Key: e.Key, Name: e.Name, BrokerID: e.Broker, Kind: launch.Kind(e.Kind), Origins: e.Origins, Issuer: e.Issuer, Organization: e.Organization,
			Mode: embed.Add,
		}
		if e.Replace {
			setup.Mode = embed.Change
		}
		var err error
		if setup.Keys, err = readOptionalFile(e.KeysFile); err != nil {
			return err
		}
		if setup.Secret, err = readOptionalFile(e.SecretFile); err != nil {
			return err
		}
		return printIfOK(s, service.Save(ctx, access.Operator(), setup), "%s may embed the portal. It launches at %s.\n", e.Name,
			inv.Config.Portal.BaseURL.JoinPath("launch", e.Kind, e.Key))
	case "embed retire":
		return printIfOK(s, service.RetireSecret(ctx, access.Operator(), e.Key), "The previous secret of %s is no longer valid.\n", e.Key)
	case "embed attest":
		if strings.EqualFold(strings.TrimSpace(e.By), "nobody") {
			return printIfOK(s, service.RevokeAttestation(ctx, access.Operator(), e.Key), "A sign-in through %s no longer counts as a second factor.\n", e.Key)
		}
		return printIfOK(s, service.Attest(ctx, access.Operator(), e.Key, e.By), "A sign-in through %s counts as a second factor, approved by %s.\n", e.Key, strings.TrimSpace(e.By))
	case "embed close":
		return printIfOK(s, service.Disable(ctx, access.Operator(), e.Key), "%s is disabled.\n", e.Key)
	case "embed open":
		return printIfOK(s, service.Enable(ctx, access.Operator(), e.Key), "%s is enabled.\n", e.Key)
	case "embed disconnect":
		person, err := service.accounts.Find(ctx, e.Email)
		if err == nil {
			err = service.DisconnectAll(ctx, access.Operator(), person.UserID, e.Key)
		}
		return printIfOK(s, err, "The account of %s is disconnected from %s.\n", e.Email, e.Key)
	default:
		return listEmbeds(ctx, service.Service, s)
	}
}

func readOptionalFile(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names it
	return strings.TrimSpace(string(text)), err
}

func listEmbeds(ctx context.Context, service *embed.Service, s streams) error {
	all, err := service.Clients(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tNAME\tKIND\tBROKER\tORIGINS\tSECOND FACTOR\tSTATE")
	for _, c := range all {
		factor, state := "no", "open"
		if c.Attested() {
			factor = c.AttestedBy + ", " + c.AttestedAt.Format(time.DateOnly)
		}
		if c.Disabled {
			state = "closed"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Key, c.Name, c.Kind, c.BrokerID, strings.Join(c.Origins, " "), factor, state)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return listRejections(ctx, service, all, s)
}

// listRejections prints why recent launches failed: each cause with its latest time.
func listRejections(ctx context.Context, service *embed.Service, all []embed.Client, s streams) error {
	for _, c := range all {
		refused, err := service.Rejections(ctx, c.Key)
		if err != nil {
			return err
		}
		for _, r := range refused {
			fmt.Fprintf(s.out, "%s: a %s was refused at %s: %s\n", c.Key, r.Endpoint, r.At.UTC().Format(time.RFC3339), words.LaunchRejection(string(r.Cause)))
		}
	}
	return nil
}
