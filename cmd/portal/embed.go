package main

import (
	"context"
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
	"hearthline/internal/store"
	"hearthline/views/text"
)

// embed runs the embed subcommands.
func (i *installation) embed(ctx context.Context, command string, args config.EmbedArgs) error {
	accounts := newAccounts(i.db, i.vault, i.cfg.Portal, time.Now)
	embeds := i.newEmbeds(accounts)
	operator := access.Operator()
	switch command {
	case "add":
		return i.addEmbed(ctx, embeds, args)
	case "retire":
		return i.report(embeds.RetireSecret(ctx, operator, args.Retire.Key),
			"The previous secret of %s is no longer valid.\n", args.Retire.Key)
	case "attest":
		key, by := args.Attest.Key, strings.TrimSpace(args.Attest.By)
		if strings.EqualFold(by, "nobody") {
			return i.report(embeds.RevokeAttestation(ctx, operator, key),
				"A sign-in through %s no longer counts as a second factor.\n", key)
		}
		return i.report(embeds.Attest(ctx, operator, key, args.Attest.By),
			"A sign-in through %s counts as a second factor, approved by %s.\n", key, by)
	case "close":
		return i.report(embeds.Disable(ctx, operator, args.Close.Key), "%s is disabled.\n", args.Close.Key)
	case "open":
		return i.report(embeds.Enable(ctx, operator, args.Open.Key), "%s is enabled.\n", args.Open.Key)
	case "disconnect":
		person, err := accounts.Find(ctx, args.Disconnect.Email)
		if err == nil {
			err = embeds.DisconnectAll(ctx, operator, person.UserID, args.Disconnect.Key)
		}
		return i.report(err, "The account of %s is disconnected from %s.\n", args.Disconnect.Email, args.Disconnect.Key)
	default:
		return i.listEmbeds(ctx, embeds)
	}
}

func (i *installation) newEmbeds(accounts *account.Service) *embed.Service {
	return embed.New(i.db, i.vault, embed.Options{Base: i.cfg.Portal.BaseURL, Notify: accounts.NotifyChange,
		NotifyAdmin: accounts.NotifyAdmin})
}

func (i *installation) addEmbed(ctx context.Context, embeds *embed.Service, args config.EmbedArgs) error {
	e := args.Add
	setup := embed.Setup{
		Key: e.Key, Name: e.Name, BrokerID: e.Broker, Kind: launch.Kind(e.Kind), Origins: e.Origin, Issuer: e.Issuer,
		Organization: e.Organization, KeysURL: e.KeysURL, RecordURL: e.RecordURL,
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
	return i.report(embeds.Save(ctx, access.Operator(), setup), "%s may embed the portal. It launches at %s.\n", e.Name,
		i.cfg.Portal.BaseURL.JoinPath("launch", e.Kind, e.Key))
}

func readOptionalFile(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names it
	return strings.TrimSpace(string(text)), err
}

func (i *installation) listEmbeds(ctx context.Context, embeds *embed.Service) error {
	all, err := embeds.Clients(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(i.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tNAME\tKIND\tBROKER\tORIGINS\tSECOND FACTOR\tSTATE")
	for _, c := range all {
		factor, state := "no", "open"
		if c.Attested() {
			factor = c.AttestedBy + ", " + c.AttestedAt.Format(time.DateOnly)
		}
		if c.Disabled {
			state = "closed"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Key, c.Name, c.Kind, c.BrokerID, strings.Join(c.Origins, " "),
			factor, state)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, c := range all {
		if from := c.KeySource; from.FailingAt != 0 {
			fmt.Fprintf(i.out, "%s: reading its keys has failed since %s: %s\n", c.Key,
				store.Instant(from.FailingAt).UTC().Format(time.RFC3339), from.Failure)
		}
	}
	// Why recent launches failed: each cause with its latest time.
	for _, c := range all {
		refused, _, err := embeds.Rejections(ctx, c.Key)
		if err != nil {
			return err
		}
		for _, r := range refused {
			fmt.Fprintf(i.out, "%s: a %s was refused at %s: %s\n",
				c.Key, r.Endpoint, r.At.UTC().Format(time.RFC3339), text.LaunchRejection(string(r.Cause)))
		}
	}
	return nil
}
