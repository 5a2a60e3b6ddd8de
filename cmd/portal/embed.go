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

// manageEmbeds carries out the embed subcommands.
func manageEmbeds(ctx context.Context, told config.Invocation, s streams) error {
	db, v, err := keeping(ctx, told.Config, time.Now)
	if err != nil {
		return err
	}
	known := accounts(db, v, told.Config.Portal, time.Now)
	service := crms{embed.New(db, v, embed.Options{Base: told.Config.Portal.BaseURL, Tell: known.Tell}), known}
	return errors.Join(changeEmbed(ctx, service, told, s), db.Close())
}

// crms are what the embed subcommands change, and whose log-ins they cut.
type crms struct {
	*embed.Service
	people *account.Service
}

func changeEmbed(ctx context.Context, service crms, told config.Invocation, s streams) error {
	e := told.Embed
	switch told.Command {
	case "embed add":
		setup := embed.Setup{
			Key: e.Key, Name: e.Name, BrokerID: e.Broker, Kind: launch.Kind(e.Kind), Origins: e.Origins, Issuer: e.Issuer, Organization: e.Organization,
			Aim: embed.Add,
		}
		if e.Replace {
			setup.Aim = embed.Change
		}
		var err error
		if setup.Keys, err = fileOrNothing(e.KeysFile); err != nil {
			return err
		}
		if setup.Secret, err = fileOrNothing(e.SecretFile); err != nil {
			return err
		}
		return said(s, service.Save(ctx, access.Operator(), setup), "%s may frame the desk. Its launches go to %s.\n", e.Name,
			told.Config.Portal.BaseURL.JoinPath("launch", e.Kind, e.Key))
	case "embed retire":
		return said(s, service.Retire(ctx, access.Operator(), e.Key), "The former secret of %s holds no more.\n", e.Key)
	case "embed attest":
		if strings.EqualFold(strings.TrimSpace(e.By), "nobody") {
			return said(s, service.Unattest(ctx, access.Operator(), e.Key), "The log-in of %s is one factor again.\n", e.Key)
		}
		return said(s, service.Attest(ctx, access.Operator(), e.Key, e.By), "The log-in of %s counts as a second factor, as %s approved.\n", e.Key, strings.TrimSpace(e.By))
	case "embed close":
		return said(s, service.Close(ctx, access.Operator(), e.Key), "%s is shut out.\n", e.Key)
	case "embed open":
		return said(s, service.Open(ctx, access.Operator(), e.Key), "%s is let in again.\n", e.Key)
	case "embed disconnect":
		person, err := service.people.Find(ctx, e.Email)
		if err == nil {
			err = service.DisconnectAll(ctx, access.Operator(), person.UserID, e.Key)
		}
		return said(s, err, "%s's log-in of %s belongs to no account any more.\n", e.Email, e.Key)
	default:
		return listEmbeds(ctx, service.Service, s)
	}
}

func fileOrNothing(path string) (string, error) {
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
		if c.Closed {
			state = "closed"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Key, c.Name, c.Kind, c.BrokerID, strings.Join(c.Origins, " "), factor, state)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return listRefusals(ctx, service, all, s)
}

// listRefusals says why launches failed of late, each cause with its last time.
func listRefusals(ctx context.Context, service *embed.Service, all []embed.Client, s streams) error {
	for _, c := range all {
		refused, err := service.Refusals(ctx, c.Key)
		if err != nil {
			return err
		}
		for _, r := range refused {
			fmt.Fprintf(s.out, "%s: a %s was refused at %s: %s\n", c.Key, r.Door, r.At.UTC().Format(time.RFC3339), words.Refusal(string(r.Cause)))
		}
	}
	return nil
}
