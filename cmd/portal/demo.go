package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/config"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/push"
	"hearthline/internal/samplecrm"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/static"
	"hearthline/views/text"
	"hearthline/web"
)

// demoClock is the clock that the portal and the sandbox share. It shows real time, except while the leads of the
// last months are created: then it is set back.
type demoClock struct{ offset atomic.Int64 }

func (c *demoClock) now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

func (c *demoClock) set(t time.Time) { c.offset.Store(int64(time.Until(t))) }

func (c *demoClock) reset() { c.offset.Store(0) }

// demo runs the portal and the sandbox in one process, with real HTTP between them.
func demo(ctx context.Context, cfg config.Config, s streams) error {
	setCollector()
	fmt.Fprintf(s.out, "Hearthline %s demo. (The first build compiles SQLite and takes a minute or two; "+
		"later builds take seconds.)\n", version)
	if err := checkDemoDatabase(ctx, cfg, time.Now); err != nil {
		return err
	}
	log := newLogger(cfg.Portal.LogFormat, s.err)
	running, stop := context.WithCancel(ctx)
	defer stop()

	portal, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Portal.Addr)
	if err != nil {
		return fmt.Errorf("the portal cannot listen: %w; choose another address with --addr", err)
	}
	lender, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Sandbox.Addr)
	if err != nil {
		return errors.Join(fmt.Errorf("the sandbox cannot listen: %w; choose another address with --sandbox-addr", err),
			portal.Close())
	}
	token := rand.Text() + rand.Text()
	cfg = withRunValues(cfg, portal, lender, token)

	clock := &demoClock{}
	box, err := sandbox.Open(sandbox.Config{
		Dir: cfg.Sandbox.Data, Dialect: sandbox.Dialect(cfg.Sandbox.Dialect), Processing: cfg.Sandbox.Processing,
		APIKey: cfg.Sandbox.APIKey.Value(), WebhookURL: cfg.Sandbox.WebhookURL.String(),
		PrivateKeyFile: cfg.Sandbox.PrivateKeyFile, AffiliateID: cfg.Partner.AffiliateID,
		FeeMethod: cfg.Sandbox.FeeMethod, DrawYears: cfg.Sandbox.DrawYears,
		Now: clock.now, Log: log,
	})
	if err != nil {
		return errors.Join(err, portal.Close(), lender.Close())
	}
	lenderServer := &http.Server{Handler: box.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = lenderServer.Serve(lender) }() // Close below ends it
	if cfg.Partner.PublicKeyFile == "" {
		cfg.Partner.PublicKeyFile = box.PublicKeyFile()
	}

	if err := createPushKey(&cfg); err != nil {
		return errors.Join(err, portal.Close(), lenderServer.Close(), box.Close())
	}
	h, err := newPortal(ctx, cfg, log, clock.now)
	if err == nil {
		h.notify.Demo = true
		if err = h.saveDemoAddresses(ctx, withPort(cfg.Portal.Addr, portal), withPort(cfg.Sandbox.Addr, lender)); err == nil {
			err = h.runDemo(running, demoRun{sandbox: box, clock: clock, listener: portal, out: s.out})
		}
		stop()
		err = errors.Join(err, h.close())
	}
	return errors.Join(err, lenderServer.Close(), box.Close())
}

// createPushKey creates the key for browser notifications, if the demo is configured without one.
func createPushKey(cfg *config.Config) error {
	if cfg.Portal.PushKeyFile != "" {
		return nil
	}
	cfg.Portal.PushKeyFile = filepath.Join(cfg.Data, "push.pem")
	if _, err := os.Stat(cfg.Portal.PushKeyFile); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	key, err := push.NewKey()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return err
	}
	return os.WriteFile(cfg.Portal.PushKeyFile, key, 0o600)
}

// demoAffiliate is the affiliate of a demo that is configured without one. The sandbox accepts any.
const demoAffiliate = "6f2d0c57-8f4e-4a39-9c0b-2f5f3f6f7a11"

// withRunValues fills in what only the running demo knows: the ports that it was assigned, and a webhook token for
// this run only.
func withRunValues(cfg config.Config, portal, lender net.Listener, token string) config.Config {
	if cfg.Partner.BaseURL.Host == cfg.Sandbox.Addr {
		cfg.Partner.BaseURL = &url.URL{Scheme: "http", Host: withPort(cfg.Sandbox.Addr, lender)}
	}
	if cfg.Portal.BaseURL.Host == cfg.Portal.Addr {
		cfg.Portal.BaseURL = &url.URL{Scheme: cfg.Portal.BaseURL.Scheme, Host: withPort(cfg.Portal.Addr, portal)}
	}
	cfg.Partner.Rate = 0 // the sandbox has no other clients
	if cfg.Partner.ApplyURL == nil {
		cfg.Partner.ApplyURL, _ = url.Parse(sandbox.DefaultApplyURL) // a constant that parses
	}
	if cfg.Partner.AffiliateID == "" {
		cfg.Partner.AffiliateID = demoAffiliate
	}
	if !cfg.Partner.WebhookTokens.Set() {
		cfg.Partner.WebhookTokens = config.NewSecret(token)
	}
	if cfg.Sandbox.WebhookURL == nil {
		cfg.Sandbox.WebhookURL = cfg.Portal.BaseURL.JoinPath("hooks", "partner", cfg.Partner.WebhookTokens.Values()[0])
	}
	return cfg
}

// withPort returns the requested address with the port that the listener was assigned.
func withPort(requested string, l net.Listener) string {
	host, _, _ := net.SplitHostPort(requested)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return net.JoinHostPort(host, port)
}

// demoRun is what a demo has in addition to its portal.
type demoRun struct {
	sandbox  *sandbox.Sandbox
	clock    *demoClock
	listener net.Listener
	out      interface{ Write([]byte) (int, error) }
}

// seededSetting is the setting that counts how many leads of the plan exist. It also marks a database as a demo's.
const seededSetting = "demo.seeded"

func (p *portal) runDemo(ctx context.Context, d demoRun) error {
	var ready atomic.Bool
	deps := p.webDeps()
	deps.DemoPeople = demoSignInList(p.cfg.Portal.DemoPassword)
	deps.Outbox = p.notify
	deps.DemoControl = &demoControl{sandbox: d.sandbox}
	deps.Ready = func(ctx context.Context) error {
		if !ready.Load() {
			return fault.New(fault.Unavailable, "The demo is still starting.")
		}
		return p.ready(ctx)
	}
	server := web.New(deps)
	tlsCfg, err := p.tlsConfig()
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- listen(ctx, d.listener, tlsCfg, server) }()

	fmt.Fprintf(d.out, "The sandbox simulates the lender on %s (control page: /_sandbox/).\n", p.cfg.Partner.BaseURL)
	stopCRM, err := p.startDemo(ctx, d, server)
	defer stopCRM()
	if err != nil {
		if ctx.Err() == nil {
			return err // nothing has asked the server to stop
		}
		return errors.Join(err, <-ended)
	}
	p.startBackground(ctx)
	ready.Store(true)
	fmt.Fprintf(d.out, "Ready: %s  Sign in as olivia@summit.test with %s (the sign-in page lists all demo users).\n",
		p.cfg.Portal.BaseURL, p.cfg.Portal.DemoPassword)
	return <-ended
}

// startDemo creates what the demo does not have yet, and starts the sample CRM.
func (p *portal) startDemo(ctx context.Context, d demoRun, server *web.Server) (stopCRM func(), err error) {
	stopCRM = func() {}
	began := time.Now()
	made, err := p.seed(ctx, d)
	if err != nil {
		return stopCRM, fmt.Errorf("the demo could not be created: %w", err)
	}
	if made > 0 {
		fmt.Fprintf(d.out, "Created %d leads in %s.\n", made, time.Since(began).Round(100*time.Millisecond))
	}
	if err := p.serveMetrics(ctx, server); err != nil {
		return stopCRM, err
	}
	crmServer, sample, err := p.serveSampleCRM(ctx, d.listener)
	if err == nil {
		stopCRM = func() { _ = crmServer.Close() }
		err = p.addSampleCRM(ctx, sample)
	}
	if err != nil {
		return stopCRM, fmt.Errorf("the sample CRM could not be created: %w", err)
	}
	fmt.Fprintf(d.out, "A sample CRM embeds the portal on %s (connect Olivia's account there once).\n", sample.Origin)
	return stopCRM, p.sendSampleEvents(ctx, d, sample)
}

// sendSampleEvents sends events to the sample CRM, and lets it rebuild its list, because the database may be another
// one than at the last start.
func (p *portal) sendSampleEvents(ctx context.Context, d demoRun, sample *samplecrm.CRM) error {
	secret, err := p.embeds.NewEventSecret(ctx, access.Operator(), samplecrm.Key)
	if err != nil {
		return err
	}
	sample.SetEventSecret(secret)
	err = p.embeds.EnableEvents(ctx, access.Operator(), samplecrm.Key, sample.EventsURL(), false)
	if fault.Is(err, fault.Invalid) { // only a portal that this machine alone reaches sends to this machine
		fmt.Fprintf(d.out, "The sample CRM receives no events: %v\n", err)
		return nil
	}
	return errors.Join(err, sample.Rebuild(ctx))
}

// seed creates the users and leads that do not exist yet, and resets the clock to real time.
func (p *portal) seed(ctx context.Context, d demoRun) (made int, err error) {
	defer func() {
		d.clock.reset()
		d.sandbox.SetProcessing(p.cfg.Sandbox.Processing)
	}()
	if err := p.lenderSync.SyncDirectory(ctx); err != nil {
		return 0, err
	}
	if err := p.addDemoUsers(ctx, d.out); err != nil {
		return 0, err
	}
	if made, err = p.seedLeads(ctx, d); err != nil {
		return made, err
	}
	d.clock.reset()
	if err := p.requestDemoChange(ctx); made == 0 || err != nil {
		return made, err
	}
	return made, p.startRehearsals(ctx)
}

// startRehearsals counts only what the demo's users send from now on, and not what the seed sent in their names. Most
// of that is older than their accounts, but not when a start was interrupted and continued days later.
func (p *portal) startRehearsals(ctx context.Context) error {
	for _, one := range demoUsers() {
		user, _, err := p.store.UserByEmail(ctx, one.email)
		if err != nil {
			return err
		}
		if !user.Can(access.ActOnLead) {
			continue
		}
		rehearsal, err := p.desks.For(user.Actor).Rehearsal()
		if err == nil {
			err = rehearsal.StartOver(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// saveSeeded stores how many leads of the plan exist, so that an interrupted start can continue.
func (p *portal) saveSeeded(ctx context.Context, n int) error {
	return p.store.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, seededSetting, fmt.Sprint(n)) })
}

// serveSampleCRM runs the demo's CRM on a different site than the portal: the portal is on localhost, the CRM on
// 127.0.0.1. The CRM listens on the portal's port plus two, or on any free port.
func (p *portal) serveSampleCRM(ctx context.Context, portal net.Listener) (*http.Server, *samplecrm.CRM, error) {
	_, assigned, _ := net.SplitHostPort(portal.Addr().String())
	port, _ := strconv.Atoi(assigned)
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port+2))
	if err != nil {
		if l, err = new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
			return nil, nil, err
		}
	}
	base := p.cfg.Portal.BaseURL
	script, integrity := static.DeskElement()
	words := map[string]string{}
	for _, row := range text.CRMCodes() {
		words[row[0]+" "+row[1]] = row[2]
	}
	origin := base.Scheme + "://" + base.Host
	sample, err := samplecrm.New(samplecrm.Config{Portal: origin, Origin: "http://" + l.Addr().String(),
		File: filepath.Join(p.cfg.Data, "sample-crm.json"), Script: origin + script, Integrity: integrity, Words: words})
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: sample.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // Close ends it
	return server, sample, nil
}

// addSampleCRM creates the sample's clients at the portal, for olivia's company.
func (p *portal) addSampleCRM(ctx context.Context, sample *samplecrm.CRM) error {
	olivia, _, err := p.store.UserByEmail(ctx, "olivia@summit.test")
	if err != nil {
		return err
	}
	keys, err := sample.Keys()
	if err != nil {
		return err
	}
	for _, kind := range samplecrm.Kinds() {
		for _, attested := range []bool{false, true} {
			e := embed.Setup{
				Key: samplecrm.ClientKey(kind, attested), Name: samplecrm.ClientName(kind, attested), BrokerID: olivia.BrokerID,
				Kind: launch.Kind(kind), Origins: []string{sample.Origin},
			}
			switch e.Kind {
			case launch.KindToken:
				e.Issuer, e.Keys = sample.Origin, keys
			case launch.KindCanvas:
				e.Organization, e.Secret = samplecrm.Organization, sample.Secret()
			default:
				e.Organization, e.Secret = strconv.Itoa(samplecrm.HubSpotPortal), sample.Secret()
			}
			if err := p.embeds.Save(ctx, access.Operator(), e); err != nil {
				return err
			}
			client, err := p.embeds.Client(ctx, e.Key)
			if err != nil {
				return err
			}
			if client.Attested() == attested {
				continue
			}
			if attested {
				err = p.embeds.Attest(ctx, access.Operator(), e.Key, "The demo")
			} else {
				err = p.embeds.RevokeAttestation(ctx, access.Operator(), e.Key)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
