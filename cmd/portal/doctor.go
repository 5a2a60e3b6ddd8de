package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/journal"
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
		var args []string
		if args, err = demoArgs(ctx, db, inv.Config.Data); err == nil {
			inv, configErr = config.ParsePortal(args, config.IO{Stdout: s.out, Stderr: s.err, Version: version})
		}
	}
	d.check("Configuration", configErr, "all settings are valid", "correct the settings listed")
	d.check("Keys and database", err, "both open",
		"check the paths and permissions of the files; the keyset must belong to the key-encryption key")
	d.files(inv.Config)
	if err == nil {
		d.database(ctx, &installation{cfg: inv.Config, db: db, vault: v})
		d.check("Database", db.Close(), "closed without errors", "check the disk")
	}
	d.journalFile(inv.Config)
	d.certificate(inv.Config.Portal, time.Now())
	if sso := newSSO(inv.Config.Portal.OIDC); sso != nil {
		d.check("Single sign-on", sso.Check(ctx), "the provider responds",
			"check PORTAL_OIDC_ISSUER; it must match the issuer exactly")
	}
	if !inv.Config.Portal.SMTPURL.Set() {
		d.note("PORTAL_SMTP_URL is not set, so email is not sent: users cannot activate or reset their accounts.")
	}
	if inv.Config.Partner.BaseURL != nil {
		d.lender(ctx, inv.Config.Partner)
	}
	if d.failed {
		return 1
	}
	return 0
}

// files checks who can read the keys and change the database.
func (d *diagnosis) files(cfg config.Config) {
	err := checkFiles(cfg)
	if err != nil && cfg.Portal.Local() {
		d.note("Key and database files: %s. This is acceptable only on a personal machine.",
			strings.ReplaceAll(err.Error(), "\n", ". "))
		return
	}
	d.check("Key and database files", err,
		"keys are stored apart from the data, and other users can't read the keys or write to the database",
		"a portal that other machines can reach won't start with this setup")
	if k := cfg.Portal.KEK; err == nil && k.Token == "" && filepath.Dir(k.File) == filepath.Dir(cfg.Portal.KeysetFile) {
		d.note("Key and database files: the key-encryption key is in the same folder as the keyset. " +
			"Store their backups separately.")
	}
}

// journalFile checks the space for the journal file and the database, and looks for answers that are not stored.
func (d *diagnosis) journalFile(cfg config.Config) {
	unsaved, err := journal.ReadFiles(cfg.Portal.JournalFile)
	if err == nil {
		err = checkFreeSpace(cfg.Data, cfg.Portal.MinFree)
	}
	d.check("Journal file", err, countOf(len(unsaved), "unsaved answer"),
		"make the file readable by this user, and free up disk space: without the file, the portal sends nothing")
}

// database checks the content of the database.
func (d *diagnosis) database(ctx context.Context, i *installation) {
	_, rows, intact, err := i.db.BrokenAudit(ctx)
	if err == nil && !intact {
		err = errors.New("the audit log does not verify")
	}
	base, baseErr := i.db.AuditBase(ctx)
	d.check("Audit log", errors.Join(err, baseErr), fmt.Sprintf("verified, %d rows%s", rows, startText(base)),
		"run portal audit verify and compare with a backup")
	d.demoAccounts(ctx, i.db, i.cfg.Portal)
	if echo, _ := i.db.Setting(ctx, "lender.echo"); echo == "no" {
		d.check("Lender's echo", errors.New("the lender does not return our reference"), "",
			"users must paste the id of an inquiry whose response was lost; try another PARTNER_REFERENCE_FIELD")
	}
	keys := reencrypt.New(i.db, i.vault, time.Now)
	d.encryptedValues(ctx, keys)
	d.keys(ctx, keys, i.vault.HasOlderKeys())
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

func (d *diagnosis) note(format string, args ...any) {
	fmt.Fprintf(d.streams.out, "note   "+format+"\n", args...)
}

// certificate checks the certificate that the portal presents when it serves TLS itself.
func (d *diagnosis) certificate(cfg config.Portal, now time.Time) {
	if cfg.TLSCertFile == "" || cfg.TLSKeyFile == "" {
		return
	}
	const fix = "renew the certificate; the portal reloads the files automatically"
	pair, err := tls.LoadX509KeyPair(cfg.TLSCertFile, cfg.TLSKeyFile)
	if err == nil && cfg.BaseURL != nil {
		err = pair.Leaf.VerifyHostname(cfg.BaseURL.Hostname())
	}
	if err != nil {
		d.check("Certificate", err, "", fix)
		return
	}
	until := pair.Leaf.NotAfter
	validity := "valid until " + until.UTC().Format("2006-01-02 15:04 MST")
	switch remaining := until.Sub(now); {
	case remaining <= 0:
		d.check("Certificate", errors.New("expired on "+until.UTC().Format(time.DateOnly)), "", fix)
	case now.Before(pair.Leaf.NotBefore):
		d.check("Certificate", errors.New("not valid before "+pair.Leaf.NotBefore.UTC().Format(time.DateOnly)), "",
			"check this machine's clock")
	case remaining < renewalWindow:
		d.note("Certificate: %s, in less than two weeks. Renew it; the portal reloads the files automatically.", validity)
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
	case err == nil && len(open) > 0 && cfg.Local():
		d.note("Accounts: %v. This is acceptable only on a personal machine.", errDemoAccounts(open))
		return
	case err == nil && len(open) > 0:
		err = errDemoAccounts(open)
	}
	d.check("Accounts", err, "no demo accounts", "disable each with portal user disable")
}

// encryptedValues decrypts every encrypted value.
func (d *diagnosis) encryptedValues(ctx context.Context, keys *reencrypt.Runner) {
	result, err := keys.CheckDecryption(ctx)
	if err == nil && result.Failed > 0 {
		err = fmt.Errorf("of %d values, %d cannot be decrypted: they were changed, moved to another row, "+
			"or their key is missing. The first ones:\n%s", result.Checked, result.Failed, strings.Join(result.Locations, "\n"))
	}
	d.check("Encrypted values", err, fmt.Sprintf("all %d can be decrypted", result.Checked),
		"keep this database unchanged and compare it with a backup")
}

// keys reports how much has been re-encrypted under the current keys.
func (d *diagnosis) keys(ctx context.Context, keys *reencrypt.Runner, older bool) {
	r, err := keys.Progress(ctx)
	switch {
	case err != nil || !older:
		d.check("Older keys", err, "none", "check the database")
	case r.DoneAt == 0 && r.BegunAt == 0:
		d.note("Older keys: the portal has not been restarted since the keys were rotated. Restart it.")
	case r.DoneAt == 0:
		d.note("Older keys: re-encryption is under way; %s and %s remain. To finish now, run portal keys finish.",
			limitedCount(r.Pending.Leads, "lead"), limitedCount(r.Pending.Values, "value"))
	case r.Remaining > 0:
		d.note("Older keys: re-encryption is done except for %s that can be found only through an older key. "+
			"For details, run portal keys finish.", countOf(r.Remaining, "lead"))
	default:
		d.note("Older keys: everything is re-encrypted. To delete them, run portal keys retire.")
	}
}

// limitedCount is countOf for a count that stops at store.CountLimit.
func limitedCount(n int, thing string) string {
	if n >= lead.CountLimit {
		return fmt.Sprintf("%d+ %ss", lead.CountLimit-1, thing)
	}
	return countOf(n, thing)
}

// lender asks the directory for one entry. This succeeds only if the key, the address and the clock are right.
func (d *diagnosis) lender(ctx context.Context, cfg config.Partner) {
	c, err := newLenderClient(cfg, nil, nil)
	if err == nil {
		var got partner.Result[partner.OriginatorPage]
		got, err = c.Originators(ctx, partner.OriginatorQuery{Limit: 1})
		if d.demo && err != nil {
			d.note("Lender: no response from %s, the address of the demo's lender. It runs only while the demo runs.",
				cfg.BaseURL.Host)
			return
		}
		d.check("Lender", err, fmt.Sprintf("responds; %d originators in the directory", got.Value.Total),
			"check PARTNER_BASE_URL and PARTNER_API_KEY; 401 means the key was refused")
	} else {
		d.check("Lender", err, "", "correct the settings listed")
	}
	if cfg.PublicKeyFile == "" {
		d.note("PARTNER_PUBLIC_KEY_FILE is not set: the lender's endpoint encrypts the payloads.")
		return
	}
	sealer, err := readSealer(cfg.PublicKeyFile)
	fingerprint := ""
	if err == nil {
		fingerprint = sealer.Fingerprint()
	}
	d.check("Lender's public key", err, "fingerprint "+fingerprint+"; compare it with the lender's",
		"request the PEM file from the lender again")
}
