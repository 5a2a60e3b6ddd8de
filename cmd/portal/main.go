// Command portal is Hearthline: the desk of a loan originator for home equity lines.
//
//	main.go     the subcommands
//	wire.go     builds and connects the services
//	serve.go    listening and graceful shutdown; certificate.go reloads TLS certificates; collector.go, garbage collection
//	demo*.go    the portal with the sandbox: marker, users, seed data, demo control, sample CRM
//	user.go, doctor.go, maintenance.go, migrate.go, audit.go, keys.go, hold.go, embed.go   the other subcommands
//	health.go   asks the portal that runs on this machine whether it responds
//	consent.go  the text that is read to borrowers; metrics.go, the /metrics listener; metrics_state.go, what a scrape reads;
//	monitoring  the dashboard and the alerts for these metrics
//	errors.go   errors in plain lines
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"hearthline/internal/config"
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
	switch inv.Command {
	case "demo":
		return demo(ctx, inv.Config, s)
	case "serve":
		return serve(ctx, inv.Config, s)
	case "health":
		return health(ctx, inv, s)
	case "migrate":
		return migrate(ctx, inv, s)
	case "user add", "user disable", "user role", "user sign-out", "user reset":
		return runUser(ctx, inv, s)
	case "backup":
		return backup(ctx, inv, s)
	case "audit verify":
		return verifyAudit(ctx, inv, s)
	case "keys rotate":
		return rotateKeys(ctx, inv.Config, s)
	case "keys finish":
		return finishKeys(ctx, inv.Config, s)
	case "keys retire":
		return retireKeys(ctx, inv, s)
	case "embed add", "embed list", "embed retire", "embed attest", "embed close", "embed open", "embed disconnect":
		return runEmbed(ctx, inv, s)
	case "hold add", "hold lift", "hold list":
		return runHold(ctx, inv, s)
	case "audit head":
		return printAuditHead(ctx, inv.Config, s)
	default:
		return fmt.Errorf("unknown command %q", inv.Command)
	}
}
