package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/config"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/jobs"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/lendersync"
	"hearthline/internal/mail"
	"hearthline/internal/notify"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/push"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
	"hearthline/static"
	"hearthline/views/text"
)

// portal holds the connected services of a running portal.
type portal struct {
	name         string // identifies this process among others on the database
	now          store.Clock
	cfg          config.Config
	log          *slog.Logger
	store        *store.Store
	vault        *vault.Vault
	accounts     *account.Service
	lender       *partner.Client
	lenderHealth *lendersync.LenderHealth
	desks        *desk.Service
	lenderSync   *lendersync.Service
	pubsub       *pubsub.Hub
	journal      *journal.Journal
	journalFile  *journal.File
	embeds       *embed.Service
	notify       *notify.Service
	jobs         *jobs.Runner
	metrics      *metrics
	tracer       *trace.Tracer // nil without a collector
	heads        *auditHeads   // nil if there is no destination, or before startBackground
	certificates *certificates // of the portal's own TLS; nil without
	background   sync.WaitGroup
	stop         context.CancelCauseFunc // ends the process; nil if nothing may
}

// openJournalFile opens the file that keeps the lender's answers while the database cannot store them.
func openJournalFile(path string) (*journal.File, error) {
	file, err := journal.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("the journal file %s cannot be opened (%w): check PORTAL_JOURNAL_FILE, and the space and "+
			"permissions of its folder", path, err)
	}
	return file, nil
}

// newPortal opens the stores and builds the services. Nothing runs in the background until startBackground.
func newPortal(ctx context.Context, cfg config.Config, log *slog.Logger, now store.Clock) (*portal, error) {
	s, v, err := openOrCreate(ctx, cfg, now)
	if err != nil {
		return nil, err
	}
	file, err := openJournalFile(cfg.Portal.JournalFile)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	h := &portal{
		journalFile: file, name: processName(), now: now, cfg: cfg, log: log, store: s, vault: v, pubsub: s.Hub,
		metrics: newMetrics(),
	}
	if cfg.Tracing {
		if h.tracer, err = trace.New(ctx, trace.Options{Version: version, Instance: h.name, Log: log}); err != nil {
			return nil, errors.Join(err, file.Close(), s.Close())
		}
	}
	h.accounts = newAccounts(s, v, cfg.Portal, now)
	health := &lendersync.LenderHealth{}
	h.lenderHealth = health
	if h.lender, err = newLenderClient(cfg.Partner,
		func(c partner.Call) { health.Observe(c); h.metrics.observeLenderCall(c) }, h.metrics.observeLenderWait); err != nil {
		return nil, errors.Join(err, file.Close(), s.Close())
	}
	h.metrics.observeLenderQueue(h.lender.Queue)
	consent, err := consentText(cfg.Portal.ConsentFile)
	if err == nil {
		err = errors.Join(s.SaveConsentText(ctx, consent.Version, consent.Text), s.SaveStaticFiles(ctx, static.Files()))
	}
	keys := reencrypt.New(s, v, now)
	if err == nil {
		err = useKeys(ctx, s, v, keys)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close(), s.Close())
	}
	h.journal = journal.New(s, v, now, h.name)
	h.journal.Log = log
	h.journal.UseFile(file)
	h.lenderSync = lendersync.New(lendersync.Deps{
		Store: s, Vault: v, Lender: h.lender, Journal: h.journal, Hub: h.pubsub, LenderHealth: health, CoverMail: h.accounts,
		Now: now, Log: log, Owner: h.name,
		Retention: time.Duration(cfg.Portal.RetentionMonths) * 31 * 24 * time.Hour,
	})
	if h.notify, err = newNotify(h); err != nil {
		return nil, errors.Join(err, file.Close(), s.Close())
	}
	h.embeds = embed.New(s, v, embed.Options{Now: now, Base: cfg.Portal.BaseURL,
		ReservedReference: cfg.Partner.ReferenceField, Notify: h.accounts.NotifyChange,
		NotifyAdmin: h.accounts.NotifyAdmin})
	h.desks = desk.New(desk.Deps{
		Store: s, Vault: v, Lender: h.lender, Journal: h.journal, Hub: h.pubsub, Refresher: h.lenderSync,
		LenderHealth: health, Now: now, Consent: consent, Payments: paymentModel(cfg.Partner),
		CompanyLimits: desk.CompanyLimits{Exports: cfg.Portal.CompanyExports, Reveals: cfg.Portal.CompanyReveals},
		Accounts:      h.accounts, Notify: h.notify, Embeds: h.embeds, EstimateAccess: estimateAccess(cfg.Partner),
		BorrowerLink: desk.BorrowerLink{ApplyURL: cfg.Partner.ApplyURL, Sealer: h.lender.Sealer()},
		Webhooks:     cfg.Partner.WebhookTokens.Set(),
	})
	h.accounts.Directory = h.desks.FetchOriginator
	h.jobs = jobs.New(jobs.Deps{Store: s, Desks: h.desks, Now: now, Log: log, Owner: h.name,
		Mail: h.accounts.Deliver, Notices: h.notify.Deliver, Events: h.embeds.DeliverEvent, Reencrypt: keys.Step})
	return h, nil
}

func paymentModel(cfg config.Partner) heloc.PaymentModel {
	return heloc.PaymentModel{
		Fee: heloc.FeeMethod(cfg.FeeMethod), Term: heloc.TermUnit(cfg.TermUnit),
		Variable: heloc.VariablePayment(cfg.Variable), DrawYears: cfg.DrawYears,
	}
}

// newAccounts configures the account service. Without PORTAL_SMTP_URL, mails wait in the outbox.
func newAccounts(s *store.Store, v *vault.Vault, cfg config.Portal, now store.Clock) *account.Service {
	options := account.Options{Now: now, SecondFactorRequired: cfg.MFA == config.MFARequired, Base: cfg.BaseURL}
	if cfg.SMTPURL.Set() {
		options.Sender = mail.NewSMTP(cfg.SMTPURL.Value, cfg.BaseURL.Hostname())
	}
	options.SSO = newSSO(cfg.OIDC)
	return account.New(s, v, options)
}

// newNotify configures how users are told about notifications.
func newNotify(h *portal) (*notify.Service, error) {
	deps := notify.Deps{Store: h.store, Vault: h.vault, Mail: h.accounts, Base: h.cfg.Portal.BaseURL, Now: h.now,
		Words: func(n lead.Notice) string { return text.Notice(string(n.Kind), n.About, n.N).Title }}
	if path := h.cfg.Portal.PushKeyFile; path != "" {
		key, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sender, err := push.New(key, h.cfg.Portal.BaseURL)
		if err != nil {
			return nil, fmt.Errorf("PORTAL_PUSH_KEY_FILE: %w", err)
		}
		deps.Push = sender
	}
	return notify.New(deps), nil
}

// newSSO returns the organization's single sign-on provider, or nil when none is configured.
func newSSO(cfg config.OIDC) *account.SSO {
	if cfg.Issuer == nil {
		return nil
	}
	return account.NewSSO(account.SSOSettings{
		Name: cfg.Name, Issuer: cfg.Issuer.String(), ClientID: cfg.ClientID, Secret: cfg.ClientSecret.Value,
		Strong: cfg.MFAValues,
	})
}

// estimateAccess returns how estimates are requested; the zero value means that there are none.
func estimateAccess(cfg config.Partner) desk.EstimateAccess {
	if cfg.Prequalify == "off" {
		return desk.EstimateAccess{}
	}
	return desk.EstimateAccess{Affiliate: cfg.AffiliateID, Unencrypted: cfg.Prequalify == "v1"}
}

// processName identifies this process among others that use the same database.
func processName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:6])
}

// startBackground runs the lender sync and the background jobs until the context ends.
func (p *portal) startBackground(ctx context.Context) {
	ctx = p.tracer.Context(ctx)
	p.background.Go(func() { p.journal.Run(ctx) })
	p.background.Go(func() { p.lenderSync.Run(ctx) })
	p.background.Go(func() { p.jobs.Run(ctx) })
	p.background.Go(func() { p.reportReplica(ctx) })
	if heads := newAuditHeads(p.store, p.cfg.Portal.AuditHeads.Value(), p.log); heads != nil {
		p.heads = heads
		p.background.Go(func() { heads.run(ctx) })
	} else if err := p.store.ForgetHeadDelivery(ctx); err != nil {
		p.log.Warn("the status of earlier audit head deliveries could not be cleared", "cause", err.Error())
	}
	if p.store.Shared() {
		relay := pubsub.NewRelay(p.pubsub, p.store, p.store.ProcessName(), p.log)
		p.background.Go(func() { relay.Run(ctx) })
	}
}

// close waits for the background work, sends the last spans and closes the database.
func (p *portal) close() error {
	p.background.Wait()
	if p.heads != nil {
		p.heads.sendNow(context.Background()) // nothing writes to the audit log anymore
	}
	last, cancel := context.WithTimeout(context.Background(), traceShutdown)
	defer cancel()
	if err := p.tracer.Shutdown(last); err != nil {
		p.log.Warn("the last traces were not sent", "cause", err.Error())
	}
	return errors.Join(p.journalFile.Close(), p.store.Close())
}

// newLenderClient builds the lender client from its settings.
func newLenderClient(cfg config.Partner, observe func(partner.Call),
	observeWait func(partner.Wait)) (*partner.Client, error) {
	inv := partner.Config{
		BaseURL: cfg.BaseURL.String(), Dialect: partner.Dialect(cfg.Dialect),
		ReferenceField: partner.ReferenceField(cfg.ReferenceField), Timeout: cfg.Timeout, Rate: cfg.Rate, Version: version,
		Observe: observe, ObserveWait: observeWait,
		APIKeys: func() []string {
			keys := []string{cfg.APIKey.Value()}
			if cfg.APIKeyNext.Set() {
				keys = append(keys, cfg.APIKeyNext.Value())
			}
			return keys
		},
	}
	if cfg.PublicKeyFile != "" {
		sealer, err := readSealer(cfg.PublicKeyFile)
		if err != nil {
			return nil, err
		}
		inv.Sealer = sealer
	}
	if cfg.PrivateKeyFile != "" {
		pem, err := os.ReadFile(cfg.PrivateKeyFile)
		if err != nil {
			return nil, err
		}
		if inv.Opener, err = jwe.NewOpener(pem); err != nil {
			return nil, err
		}
	}
	return partner.New(inv)
}

// readSealer reads the lender's public key.
func readSealer(path string) (*jwe.LocalSealer, error) {
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return jwe.NewLocalSealer(pem)
}

// newLogger returns a logger. The text format is for reading in a terminal, JSON for machines.
func newLogger(format string, to io.Writer) *slog.Logger {
	if format == "text" {
		return slog.New(trace.LogHandler(slog.NewTextHandler(to, nil)))
	}
	return slog.New(trace.LogHandler(slog.NewJSONHandler(to, nil)))
}

// traceShutdown limits how long the last spans may take to be sent.
const traceShutdown = 3 * time.Second

// shutdownTimeout limits how long running requests may take to finish.
const shutdownTimeout = 5 * time.Second

// defaultConsent returns the text that is used until the organization supplies the lender's own
// (PORTAL_CONSENT_FILE).
func defaultConsent() desk.ConsentText {
	return desk.ConsentText{
		Version: "2026-10-01",
		Text: "You authorize the lender to obtain your credit report from one or more credit bureaus, " +
			"for prequalification only. " +
			"This is a soft inquiry: it is not seen by other lenders and does not affect your score. " +
			"A hard inquiry follows only if you apply. Do you agree?",
	}
}

// consentText reads the organization's text. The first line is its version; the rest is read to the borrower.
func consentText(path string) (desk.ConsentText, error) {
	if path == "" {
		return defaultConsent(), nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return desk.ConsentText{}, fmt.Errorf("PORTAL_CONSENT_FILE: %w", err)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n")
	text := desk.ConsentText{Version: strings.TrimSpace(first), Text: strings.Join(strings.Fields(rest), " ")}
	if text.Version == "" || len(text.Version) > 40 || text.Text == "" {
		return desk.ConsentText{}, errors.New("PORTAL_CONSENT_FILE needs the version on its first line and the text below it")
	}
	return text, nil
}
