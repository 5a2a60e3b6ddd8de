package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/config"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/mail"
	"hearthline/internal/partner"
	"hearthline/internal/renewal"
	"hearthline/internal/seal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
	"hearthline/internal/watch"
	"hearthline/internal/work"
)

// house is the rooms of a running portal, wired.
type house struct {
	cfg      config.Config
	log      *slog.Logger
	store    *store.Store
	vault    *vault.Vault
	accounts *account.Service
	lender   *partner.Client
	desks    *desk.Rooms
	watch    *watch.Watch
	hub      *hub.Hub
	journal  *journal.Journal
	embeds   *embed.Service
	work     *work.Work
	metrics  *metrics
	watching sync.WaitGroup
}

// keeping opens what lies on disk: the folder, the keys, the database. Where there is none it
// makes none: a new installation at a mistyped place would only be praised as whole.
func keeping(ctx context.Context, cfg config.Config, now store.Clock) (*store.Store, *vault.Vault, error) {
	if path := databasePath(cfg); !holds(path) {
		return nil, nil, fmt.Errorf("there is no database at %s: look at --data and PORTAL_DATABASE_URL; serve, demo, migrate and user add begin a new one", path)
	}
	return making(ctx, cfg, now)
}

// making opens it as well, and begins a new installation where there is none.
func making(ctx context.Context, cfg config.Config, now store.Clock) (*store.Store, *vault.Vault, error) {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, nil, fmt.Errorf("the folder %s cannot be made (%w): look at --data, which names a folder", cfg.Data, err)
	}
	path := databasePath(cfg)
	// Keys are made for a new database alone: beside one that holds sealed rows, new
	// keys would open nothing of it and seal what comes next apart from it.
	v, err := vault.Open(vault.Files{Keyset: cfg.Portal.KeysetFile, KEK: cfg.Portal.KEKFile, Create: !holds(path)})
	if err != nil {
		return nil, nil, err
	}
	s, err := store.Open(ctx, path, store.Options{MAC: v.MAC, Check: v.VerifyMAC, Now: now})
	if err != nil {
		return nil, nil, fmt.Errorf("the database %s does not open (%w): look at its rights, at --data and at PORTAL_DATABASE_URL", path, err)
	}
	return s, v, nil
}

// databasePath is the file of the database.
func databasePath(cfg config.Config) string {
	if path := cfg.Portal.DatabaseURL.Value(); path != "" {
		return path
	}
	return filepath.Join(cfg.Data, "portal.db")
}

// holds reports whether a database file has anything in it.
func holds(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// build opens the house. Nothing runs in it before start.
func build(ctx context.Context, cfg config.Config, log *slog.Logger, now store.Clock) (*house, error) {
	s, v, err := making(ctx, cfg, now)
	if err != nil {
		return nil, err
	}
	h := &house{cfg: cfg, log: log, store: s, vault: v, hub: &hub.Hub{}, metrics: newMetrics()}
	h.accounts = accounts(s, v, cfg.Portal, now)
	pulse := &watch.Pulse{}
	if h.lender, err = client(cfg.Partner, func(c partner.Call) { pulse.Observe(c); h.metrics.called(c) }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	consent, err := consentText(cfg.Portal.ConsentFile)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.KeepText(ctx, consent.Version, consent.Text); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	keys := renewal.New(s, v, now)
	if err := useKeys(ctx, s, v, keys); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	us := owner()
	h.journal = journal.New(s, v, now, us)
	h.journal.Log = log
	h.watch = watch.New(watch.Rooms{
		Store: s, Vault: v, Lender: h.lender, Journal: h.journal, Hub: h.hub, Pulse: pulse, Now: now, Log: log,
		Retention: time.Duration(cfg.Portal.RetentionMonths) * 31 * 24 * time.Hour,
	})
	h.desks = &desk.Rooms{
		Store: s, Vault: v, Lender: h.lender, Journal: h.journal, Hub: h.hub, Watch: h.watch, Pulse: pulse, Now: now,
		Consent: consent, Fee: heloc.FeeMethod(cfg.Partner.FeeMethod), Term: heloc.TermUnit(cfg.Partner.TermUnit),
		Accounts: h.accounts, Estimate: estimates(cfg.Partner), HandOff: desk.HandOff{ApplyURL: cfg.Partner.ApplyURL, Sealer: h.lender.Sealer()},
	}
	h.accounts.Directory = h.desks.AskDirectory
	h.embeds = embed.New(s, v, embed.Options{Now: now, Base: cfg.Portal.BaseURL, Taken: cfg.Partner.ReferenceField, Tell: h.accounts.Tell})
	h.desks.Embeds = h.embeds
	h.work = work.New(work.Rooms{Store: s, Desks: h.desks, Now: now, Log: log, Owner: us, Mail: h.accounts, Keys: keys})
	return h, nil
}

// accounts knows people by the settings. Without PORTAL_SMTP_URL mails wait.
func accounts(s *store.Store, v *vault.Vault, cfg config.Portal, now store.Clock) *account.Service {
	options := account.Options{Now: now, Required: cfg.MFA == config.MFARequired, Base: cfg.BaseURL}
	if cfg.SMTPURL.Set() {
		options.Sender = mail.NewSMTP(cfg.SMTPURL.Value, cfg.BaseURL.Hostname())
	}
	options.SSO = signOn(cfg.OIDC)
	return account.New(s, v, options)
}

// signOn is the organization's provider; nil when none is set.
func signOn(cfg config.OIDC) *account.SSO {
	if cfg.Issuer == nil {
		return nil
	}
	return account.NewSSO(account.SSOSettings{
		Name: cfg.Name, Issuer: cfg.Issuer.String(), ClientID: cfg.ClientID, Secret: cfg.ClientSecret.Value, Strong: cfg.Strong,
	})
}

// estimates is how the quick estimate is asked for, or that there is none.
func estimates(cfg config.Partner) desk.EstimateAccess {
	if cfg.Prequalify == "off" {
		return desk.EstimateAccess{}
	}
	return desk.EstimateAccess{Affiliate: cfg.AffiliateID, Plain: cfg.Prequalify == "v1"}
}

// owner names this process among others on the same database.
func owner() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:6])
}

// start watches the leads and does background work until the context ends.
func (h *house) start(ctx context.Context) {
	h.watching.Go(func() { h.watch.Run(ctx) })
	h.watching.Go(func() { h.work.Run(ctx) })
}

// close waits for what runs and closes the database.
func (h *house) close() error {
	h.watching.Wait()
	return h.store.Close()
}

// client makes the lender's client of its settings.
func client(cfg config.Partner, observe func(partner.Call)) (*partner.Client, error) {
	told := partner.Config{
		BaseURL: cfg.BaseURL.String(), Dialect: partner.Dialect(cfg.Dialect), ReferenceField: partner.ReferenceField(cfg.ReferenceField),
		Timeout: cfg.Timeout, Idle: cfg.Timeout, Rate: cfg.Rate, PersonRate: max(1, cfg.Rate/2), Version: version, Observe: observe,
		APIKeys: func() []string {
			keys := []string{cfg.APIKey.Value()}
			if cfg.APIKeyNext.Set() {
				keys = append(keys, cfg.APIKeyNext.Value())
			}
			return keys
		},
	}
	if cfg.PublicKeyFile != "" {
		pem, err := os.ReadFile(cfg.PublicKeyFile)
		if err != nil {
			return nil, err
		}
		if told.Sealer, err = seal.NewLocal(pem); err != nil {
			return nil, err
		}
	}
	if cfg.PrivateKeyFile != "" {
		pem, err := os.ReadFile(cfg.PrivateKeyFile)
		if err != nil {
			return nil, err
		}
		if told.Opener, err = seal.NewOpener(pem); err != nil {
			return nil, err
		}
	}
	return partner.New(told)
}

// logger writes what happens; demo lines are for people, others for machines.
func logger(format string, to io.Writer) *slog.Logger {
	if format == "text" {
		return slog.New(slog.NewTextHandler(to, nil))
	}
	return slog.New(slog.NewJSONHandler(to, nil))
}

// patience is how long running requests may take to end.
const patience = 5 * time.Second
