// Command sandbox runs the simulated lender as a separate process, for teams that integrate with the interface:
// internal/sandbox/README.md is its manual.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/sandbox"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run serves until ctx ends and returns the exit code: 0 after a graceful shutdown, 1 when the sandbox failed and 2
// when the command line or the configuration is invalid.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	settings, err := config.ParseSandbox(args, config.IO{Stdout: stdout, Stderr: stderr, Version: "sandbox"})
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	if settings.Done {
		return 0
	}
	if err := serve(ctx, settings.Config.Sandbox, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "sandbox:", err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, cfg config.Sandbox, stdout, stderr io.Writer) (err error) {
	s, err := sandbox.Open(settings(cfg, slog.New(slog.NewTextHandler(stderr, nil))))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(stdout, "sandbox (%s) listens on http://%s, control page /_sandbox/, partners encrypt with %s\n",
		cfg.Dialect, listener.Addr(), s.PublicKeyFile())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	return shutDown(server, ended)
}

// shutDown gives running calls some time to finish, then cuts them off.
func shutDown(server *http.Server, ended <-chan error) error {
	timeout, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(timeout); err != nil {
		_ = server.Close() // calls that are still running after the grace period are cut off
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func settings(cfg config.Sandbox, log *slog.Logger) sandbox.Config {
	result := sandbox.Config{
		Dir: cfg.Data, Dialect: sandbox.Dialect(cfg.Dialect), Processing: cfg.Processing,
		APIKey: cfg.APIKey.Value(), PrivateKeyFile: cfg.PrivateKeyFile, Log: log,
		FeeMethod: cfg.FeeMethod, DrawYears: cfg.DrawYears,
	}
	if cfg.WebhookURL != nil {
		result.WebhookURL = cfg.WebhookURL.String()
	}
	return result
}
