package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
)

// doctor reports problems with configuration, keys, database and lender, and how to fix them. It returns 0 when it
// finds none.
func doctor(ctx context.Context, inv config.Invocation, configErr error, s streams) int {
	d := &diagnosis{streams: s}
	db, v, err := openExisting(ctx, inv.Config, time.Now)
	if err == nil {
		d.demo = isDemo(ctx, db)
	}
	if d.demo {
		inv, configErr = config.ParsePortal([]string{"--data", inv.Config.Data, "demo"}, config.IO{Stdout: s.out, Stderr: s.err, Version: version})
	}
	d.check("Configuration", configErr, "every setting makes sense", "mend the settings named")
	d.check("Keys and database", err, "they open", "look at the paths and the rights of the files; keyset and key-encryption key belong together")
	if err := checkKEKSeparate(inv.Config); err != nil && inv.Config.Portal.BaseURL != nil && isLoopback(inv.Config.Portal.BaseURL.Hostname()) {
		fmt.Fprintf(s.out, "note   Key-encryption key: %v. On this machine alone that may do.\n", err)
	} else {
		d.check("Key-encryption key", err, "it lies away from the database and the keyset", "move PORTAL_KEK_FILE: who copies the folder has both the lock and the key")
	}
	if err == nil {
		_, rows, intact, err := db.BrokenAudit(ctx)
		if err == nil && !intact {
			err = errors.New("the chain is broken")
		}
		base, baseErr := db.AuditBase(ctx)
		d.check("Audit", errors.Join(err, baseErr), fmt.Sprintf("the chain is whole, %d rows%s", rows, startText(base)), "run portal audit verify; compare with a backup")
		d.demoAccounts(ctx, db, inv.Config.Portal)
		echo, _ := db.Setting(ctx, "lender.echo")
		if echo == "no" {
			d.check("Lender's echo", errors.New("the lender does not give our reference back"), "",
				"lost starts are then found by a pasted id; try another PARTNER_REFERENCE_FIELD")
		}
		keys := reencrypt.New(db, v, time.Now)
		d.encryptedValues(ctx, keys)
		d.keys(ctx, keys, v.HasOlderKeys())
		err = db.Close()
		d.check("Database closes", err, "yes", "look at the disk")
	}
	d.certificate(inv.Config.Portal, time.Now())
	if sso := newSSO(inv.Config.Portal.OIDC); sso != nil {
		d.check("Single sign-on", sso.Check(ctx), "the provider answers", "look at PORTAL_OIDC_ISSUER; it must be the issuer letter by letter")
	}
	if !inv.Config.Portal.SMTPURL.Set() {
		fmt.Fprintln(s.out, "note   Without PORTAL_SMTP_URL mails wait: nobody can activate or reset an account by themselves.")
	}
	if inv.Config.Partner.BaseURL != nil {
		d.lender(ctx, inv.Config.Partner)
	}
	if d.failed {
		return 1
	}
	return 0
}

type diagnosis struct {
	streams streams
	demo    bool // the database is a demo's, which has its own settings
	failed  bool
}

func (d *diagnosis) check(what string, err error, good, fix string) {
	if err == nil {
		fmt.Fprintf(d.streams.out, "ok     %s: %s\n", what, good)
		return
	}
	d.failed = true
	fmt.Fprintf(d.streams.out, "wrong  %s: %s\n       %s\n", what, strings.ReplaceAll(err.Error(), "\n", "\n       "), fix)
}

// certificate checks the certificate that the portal presents when it serves TLS itself.
func (d *diagnosis) certificate(cfg config.Portal, now time.Time) {
	if cfg.TLSCertFile == "" || cfg.TLSKeyFile == "" {
		return
	}
	const fix = "get the certificate anew; the portal reads the files again by itself"
	pair, err := tls.LoadX509KeyPair(cfg.TLSCertFile, cfg.TLSKeyFile)
	if err == nil && cfg.BaseURL != nil {
		err = pair.Leaf.VerifyHostname(cfg.BaseURL.Hostname())
	}
	if err != nil {
		d.check("Certificate", err, "", fix)
		return
	}
	until := pair.Leaf.NotAfter
	validity := "it holds until " + until.UTC().Format("2006-01-02 15:04 MST")
	switch remaining := until.Sub(now); {
	case remaining <= 0:
		d.check("Certificate", errors.New("it ran out on "+until.UTC().Format(time.DateOnly)), "", fix)
	case now.Before(pair.Leaf.NotBefore):
		d.check("Certificate", errors.New("it holds only from "+pair.Leaf.NotBefore.UTC().Format(time.DateOnly)), "", "look at the clock of this machine")
	case remaining < renewalWindow:
		fmt.Fprintf(d.streams.out, "note   Certificate: %s, less than two weeks. Whatever renews it has not; the portal reads the files again by itself.\n", validity)
	default:
		d.check("Certificate", nil, validity, "")
	}
}

// renewalWindow is how long before expiry a certificate that is renewed automatically should have been renewed.
const renewalWindow = 14 * 24 * time.Hour

// demoAccounts looks for demo users.
func (d *diagnosis) demoAccounts(ctx context.Context, db *store.Store, cfg config.Portal) {
	open, err := openDemoAccounts(ctx, db)
	switch {
	case err == nil && len(open) > 0 && isLoopbackOnly(cfg):
		fmt.Fprintf(d.streams.out, "note   Accounts: %v. On this machine alone that may do.\n", errDemoAccounts(open))
		return
	case err == nil && len(open) > 0:
		err = errDemoAccounts(open)
	}
	d.check("Accounts", err, "none is a demo's", "close each with portal user disable")
}

// encryptedValues decrypts every encrypted value.
func (d *diagnosis) encryptedValues(ctx context.Context, keys *reencrypt.Runner) {
	result, err := keys.CheckDecryption(ctx)
	if err == nil && result.Failed > 0 {
		err = fmt.Errorf("of %d, %d do not open: they were changed, moved from where they belong, or lost their key. The first:\n%s", result.Checked, result.Failed, strings.Join(result.Locations, "\n"))
	}
	d.check("Sealed values", err, fmt.Sprintf("all open, %d of them", result.Checked), "keep this database as it is, and compare it with a backup")
}

// keys reports how much has been re-encrypted under the current keys.
func (d *diagnosis) keys(ctx context.Context, keys *reencrypt.Runner, older bool) {
	r, err := keys.Progress(ctx)
	switch {
	case err != nil || !older:
		d.check("Older keys", err, "none are kept", "look at the database")
	case r.DoneAt == 0 && r.BegunAt == 0:
		fmt.Fprintln(d.streams.out, "note   Older keys: the portal has not been started since keys were rotated. Restart it.")
	case r.DoneAt == 0:
		fmt.Fprintf(d.streams.out, "note   Older keys: being renewed, %s leads and %s values are left to look at. portal keys finish does it at once.\n", countText(r.Pending.Leads), countText(r.Pending.Values))
	case r.Remaining > 0:
		fmt.Fprintf(d.streams.out, "note   Older keys: what can be renewed is; some words are gone, and something is found by an older key alone, of leads: %d. portal keys finish says what.\n", r.Remaining)
	default:
		fmt.Fprintln(d.streams.out, "note   Older keys: everything is renewed. portal keys retire deletes them.")
	}
}

// countText formats a count that stops at a limit.
func countText(n int) string {
	if n >= lead.CountLimit {
		return fmt.Sprintf("%d+", lead.CountLimit-1)
	}
	return strconv.Itoa(n)
}

// lender asks the directory for one entry. This succeeds only if the key, the address and the clock are right.
func (d *diagnosis) lender(ctx context.Context, cfg config.Partner) {
	c, err := newLenderClient(cfg, nil)
	if err == nil {
		var got partner.Result[partner.OriginatorPage]
		got, err = c.Originators(ctx, partner.OriginatorQuery{Limit: 1})
		if d.demo && err != nil {
			fmt.Fprintf(d.streams.out, "note   Lender: nothing answers at %s. A demo's lender runs while the demo does.\n", cfg.BaseURL.Host)
			return
		}
		d.check("Lender", err, fmt.Sprintf("answers; %d originators in the directory", got.Value.Total),
			"look at PARTNER_BASE_URL and PARTNER_API_KEY; a 401 means the key is refused")
	} else {
		d.check("Lender", err, "", "mend the settings named")
	}
	if cfg.PublicKeyFile == "" {
		fmt.Fprintln(d.streams.out, "note   Without PARTNER_PUBLIC_KEY_FILE payloads are encrypted by the lender's own endpoint.")
		return
	}
	pem, err := os.ReadFile(cfg.PublicKeyFile)
	fingerprint := ""
	if err == nil {
		var local *jwe.LocalSealer
		if local, err = jwe.NewLocalSealer(pem); err == nil {
			fingerprint = local.Fingerprint()
		}
	}
	d.check("Lender's public key", err, "fingerprint "+fingerprint+"; compare it with the lender's", "get the PEM file anew")
}

// checkKEKSeparate rejects a key-encryption key in the same folder as the data that it protects.
func checkKEKSeparate(cfg config.Config) error {
	kek := filepath.Dir(cfg.Portal.KEKFile)
	for what, path := range map[string]string{"the database": databasePath(cfg), "the keyset": cfg.Portal.KeysetFile} {
		if same, err := filepath.Rel(kek, filepath.Dir(path)); err == nil && same == "." {
			return fmt.Errorf("it lies in the folder of %s", what)
		}
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
