// Command portal is Hearthline: the desk of a loan originator for home equity lines.
//
//	main.go     the subcommands, and the smallest of them: approve, hold; errors in plain lines
//	open.go     opens the keys and the database; which commands migrate it, create it, or need exclusive use of it
//	wire.go     builds and connects the services; the text that is read to borrowers
//	serve.go    listening, TLS certificates, readiness and graceful shutdown
//	exposure.go file checks for a portal that other machines can reach
//	demo*.go    the portal with the sandbox: users and marker, seed data, demo control, sample CRM
//	user.go, doctor.go, backup.go (also restore), migrate.go, audit.go, keys.go, embed.go   the other subcommands;
//	            audit.go also sends the signed head of the audit chain elsewhere
//	health.go   asks the portal that runs on this machine whether it responds
//	metrics.go  the /metrics listener, and what a scrape reads
//	monitoring  the dashboard and the alerts for these metrics
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/approval"
	"hearthline/internal/config"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// version appears in the User-Agent and in the output of --version.
const version = "0.1.0"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the process's standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run returns the exit code: 0 when all went well, 1 when something failed and 2 when the command line or the
// configuration is invalid.
func run(ctx context.Context, args []string, s streams) int {
	inv, err := config.ParsePortal(args, config.IO{Stdout: s.out, Stderr: s.err, Version: version})
	if inv.Done {
		return 0
	}
	if inv.Command == "doctor" {
		return doctor(ctx, inv, err, s)
	}
	if err != nil {
		fmt.Fprintln(s.err, err)
		return 2
	}
	if err := dispatch(ctx, inv, s); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(s.err, "portal:", errorText(err))
		return 1
	}
	return 0
}

func dispatch(ctx context.Context, inv config.Invocation, s streams) error {
	cfg := inv.Config
	switch inv.Command {
	case "demo":
		return createAlone(cfg, "demo", func() error { return demo(ctx, cfg, s) })
	case "serve":
		return createAlone(cfg, "serve", func() error { return serve(ctx, cfg, s) })
	case "health":
		return health(ctx, cfg.Portal, inv.Args.Health.Ready, s)
	case "restore":
		return restore(ctx, cfg, inv.Args.Restore.From, s)
	case "migrate":
		if inv.MigrateTo.Set() {
			return copyDatabase(ctx, inv, s)
		}
		return createAlone(cfg, "migrate", func() error {
			db, _, err := openOrCreate(ctx, cfg, time.Now)
			if err != nil {
				return err
			}
			return s.report(db.Close(), "The database is up to date.\n")
		})
	case "backup":
		return backup(ctx, cfg, inv.Args.Backup.To, s)
	case "user add":
		if err := createForUser(ctx, cfg); err != nil {
			return err
		}
	}
	if inv.Command == "keys rewrap" {
		cfg.Portal.KEK = inv.OldKEK
	}
	db, v, err := openExisting(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	i := &installation{cfg: inv.Config, db: db, vault: v, streams: s}
	return errors.Join(i.run(ctx, inv), db.Close())
}

// installation is what commands use that need the database and the keys but no running portal.
type installation struct {
	cfg   config.Config
	db    *store.Store
	vault *vault.Vault
	streams
}

func (i *installation) run(ctx context.Context, inv config.Invocation) error {
	command, sub, _ := strings.Cut(inv.Command, " ")
	switch command {
	case "user":
		return i.user(ctx, sub, inv.Args.User)
	case "approve":
		return i.approve(ctx, inv.Args.Approve.ID)
	case "keys":
		return i.keys(ctx, sub, inv)
	case "embed":
		return i.embed(ctx, sub, inv.Args.Embed)
	case "hold":
		return i.hold(ctx, sub, inv.Args.Hold.Add.Lead+inv.Args.Hold.Lift.Lead) // only one of them is set
	case "audit":
		return i.audit(ctx, sub, inv.Args)
	default:
		return fmt.Errorf("unknown command %q", inv.Command)
	}
}

// report prints what a command has done, unless it failed.
func (s streams) report(err error, format string, args ...any) error {
	if err == nil {
		fmt.Fprintf(s.out, format, args...)
	}
	return err
}

// errorText formats an error for the operator, one line for each problem. For invalid input it uses the text that a
// page would show; for a failure of the system it adds the cause.
func errorText(err error) string {
	var lines []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // one that wraps others speaks for them
		for _, one := range joined.Unwrap() {
			lines = append(lines, errorText(one))
		}
		return strings.Join(lines, "\n")
	}
	shown, ok := errors.AsType[*fault.Error](err)
	if !ok || shown.Public == "" {
		return err.Error()
	}
	for _, f := range fault.FieldsOf(err) {
		lines = append(lines, f.Name+": "+f.Message)
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	switch shown.Kind {
	case fault.Invalid, fault.Denied, fault.NotFound, fault.Conflict:
		return shown.Public
	default:
		if shown.Err == nil {
			return shown.Public
		}
		return shown.Public + " The cause: " + shown.Err.Error()
	}
}

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

// hold puts a lead under legal hold, lifts the hold, or lists the leads that are on hold.
func (i *installation) hold(ctx context.Context, command, lead string) error {
	if command == "list" {
		return i.listHolds(ctx)
	}
	app, err := heloc.ParseAppID(lead)
	if err != nil {
		if app, err = i.db.AppOfShortID(ctx, lead); err != nil {
			return fmt.Errorf("no lead has the id %q", lead)
		}
	}
	at, act, done := time.Now(), store.ActionLegalHold, "is held"
	if command == "lift" {
		at, act, done = time.Time{}, store.ActionLegalHoldLift, "is no longer on hold"
	}
	err = i.db.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.SetLegalHold(ctx, app, at)
		if err == nil && !known {
			err = fmt.Errorf("no lead has the id %q", lead)
		}
		if err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: act, Object: "lead:" + string(app), Outcome: "done"})
	})
	return i.report(err, "%s %s.\n", lead, done)
}

func (i *installation) listHolds(ctx context.Context) error {
	all, err := i.db.LegalHolds(ctx)
	for _, h := range all {
		fmt.Fprintf(i.out, "%s  %s  since %s\n", h.ShortID, h.App, store.Instant(h.At).Format(time.DateOnly))
	}
	return err
}
