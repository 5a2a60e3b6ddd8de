package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

func appOf(n int) heloc.AppID { return heloc.AppID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-%012d", n)) }

// write writes to the database of a folder as the portal does.
func (p *processes) write(f func(v *vault.Vault, tx *store.Tx) error) {
	p.t.Helper()
	inv, err := config.ParsePortal([]string{"--data", p.dir, "doctor"}, config.IO{})
	if inv.Config.Data != p.dir {
		p.t.Fatal(err)
	}
	for _, setting := range p.env {
		if path, ok := strings.CutPrefix(setting, "PORTAL_KEK_FILE="); ok {
			inv.Config.Portal.KEK.File = path
		}
	}
	withDatabase(p.t, inv.Config, func(db *store.Store, v *vault.Vault) {
		if err := db.Write(p.t.Context(), func(tx *store.Tx) error { return f(v, tx) }); err != nil {
			p.t.Fatal(err)
		}
	})
}

// addLead adds a lead whose next refresh is far in the future.
func (p *processes) addLead(n int) {
	p.t.Helper()
	p.write(func(v *vault.Vault, tx *store.Tx) error {
		name, err := v.SealName(appOf(n), heloc.Name{First: "Elena", Last: "Rivera"})
		if err != nil {
			return err
		}
		l := lead.Row{App: appOf(n), ShortID: fmt.Sprint("1-26325-00", n), Originator: "o1", Company: "B1", Borrower: name}
		return tx.AddLead(p.t.Context(), &l, time.Now())
	})
	storetest.Exec(p.t, p.database(), `UPDATE leads SET refresh_at = 9000000000000000000`)
}

func (p *processes) saveOperation(id string, n int, state lead.OpState, save func(*store.Tx, lead.Operation) error) {
	p.t.Helper()
	op := lead.Operation{ID: id, Kind: heloc.OpStart, ActorID: "ann", Company: "B1", State: state,
		CreatedAt: store.Millis(time.Now())}
	if n > 0 {
		op.App = appOf(n)
	}
	p.write(func(_ *vault.Vault, tx *store.Tx) error { return save(tx, op) })
}

func (p *processes) addOperation(id string, n int, state lead.OpState) {
	p.t.Helper()
	p.saveOperation(id, n, state, func(tx *store.Tx, op lead.Operation) error {
		return tx.AddOperation(p.t.Context(), op)
	})
}

func (p *processes) addWebhook(digest string, n int) {
	p.t.Helper()
	p.write(func(_ *vault.Vault, tx *store.Tx) error {
		_, err := tx.AddWebhook(p.t.Context(), store.Webhook{Digest: digest, App: appOf(n), Sealed: []byte("x"),
			ReceivedAt: store.Millis(time.Now())})
		return err
	})
}

// signIn adds a session of the administrator.
func (p *processes) signIn() {
	p.t.Helper()
	p.write(func(_ *vault.Vault, tx *store.Tx) error {
		user, _, err := tx.UserByEmail(p.t.Context(), "ann@broker.test")
		if err != nil {
			return err
		}
		now := time.Now()
		return tx.AddSession(p.t.Context(), access.Session{IDHash: "hash", UserID: user.UserID, Created: now, LastSeen: now,
			Expires: now.Add(time.Hour), SessionEpoch: user.SessionEpoch})
	})
}

// backedUp returns a folder with two leads, an operation in flight, a webhook and a session, and a backup of
// it.
func backedUp(t *testing.T) (p *processes, backup string) {
	t.Helper()
	p = newProcesses(t)
	addAdmin(p)
	p.addLead(1)
	p.addLead(2)
	p.addOperation("op-known", 1, lead.OpSucceeded)
	p.addOperation("op-under-way", 2, lead.OpSent)
	p.addWebhook("d1", 1)
	p.signIn()
	p.write(func(_ *vault.Vault, tx *store.Tx) error {
		due := store.Millis(time.Now().Add(time.Hour))
		return errors.Join(
			tx.PlanRepull(t.Context(), lead.Repull{ID: "r1", App: appOf(1), UserID: "ann", State: lead.RepullWaiting,
				DueAt: due}),
			tx.AddJob(t.Context(), lead.Job{ID: "j1", ActorID: "ann", Sealed: []byte("x")}, []lead.JobRow{
				{JobID: "j1", N: 0, App: appOf(1), State: lead.JobRowWaiting},
				{JobID: "j1", N: 1, App: appOf(2), State: lead.JobRowWaiting, OpID: "op-under-way"},
				{JobID: "j1", N: 2, App: appOf(2), State: lead.JobRowSent},
			}))
	})
	backup = filepath.Join(t.TempDir(), "backup.db")
	p.mustRun("backup", backup)
	return p, backup
}

// goOn does what a portal does after a backup.
func (p *processes) goOn() {
	p.t.Helper()
	p.saveOperation("op-under-way", 2, lead.OpConfirmed,
		func(tx *store.Tx, op lead.Operation) error { return tx.SaveOperation(p.t.Context(), op) })
	p.addLead(3)
	p.addOperation("op-new", 3, lead.OpSucceeded)
	p.addOperation("op-unknown", 0, lead.OpUnknown)
	p.addOperation("op-not-sent", 1, lead.OpNotSent)
	p.addWebhook("d2", 3)
	p.addWebhook("d3", 4)
	p.mustRun("user", "add", "bea@broker.test", "--name", "Bea", "--role", "admin")
}

// replacedFile returns the file under which a restore has kept the database.
func (p *processes) replacedFile(output string) string {
	p.t.Helper()
	found := regexp.MustCompile(`The replaced database is (\S+)\.\n`).FindStringSubmatch(output)
	if found == nil {
		p.t.Fatalf("got %s, want the name of the replaced database", output)
	}
	return found[1]
}

func TestRestore_SaysWhatIsMissingAndQueuesLeads(t *testing.T) {
	t.Parallel()
	p, backup := backedUp(t)
	p.goOn()
	replaced := storetest.Rows(t, p.database())
	began := store.Millis(time.Now())
	got := p.mustRun("restore", "--from", backup)
	for _, want := range []string{
		backup + " was restored. The audit log is verified.\n",
		"The backup was made on " + time.Now().UTC().Format("2006-01-"),
		"Everyone is signed out.", "since the backup: 1 planned re-pull, 1 reassignment of a run.\n",
		"when the portal starts: 2 leads.\n", "since the backup: 3 operations",
		"  op-under-way  start  " + string(appOf(2)) + "  confirmed\n",
		"  op-new  start  " + string(appOf(3)) + "  succeeded\n",
		"  op-unknown  start  -  unknown\n", "to be added by application ID: 1\n  " + string(appOf(3)) + "\n",
		"webhooks named since the backup: 2\n  " + string(appOf(3)) + "\n  " + string(appOf(4)) + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %q", got, want)
		}
	}
	for _, other := range []string{"op-known", "op-not-sent", "Rivera", "ann@", "Ann"} {
		if strings.Contains(got, other) {
			t.Errorf("got %s, which has %q", got, other)
		}
	}
	for what, query := range map[string]string{
		"sessions": `SELECT count(*) FROM sessions`, "users of later": `SELECT count(*) - 1 FROM users`,
		"leads that are not due": fmt.Sprint(`SELECT count(*) FROM leads
			WHERE refresh_at NOT BETWEEN `, began, ` AND `, store.Millis(time.Now())),
		"the time of the backup": `SELECT count(*) FROM settings WHERE name = 'backup.at'`,
		"audit rows besides one": `SELECT count(*) - 1 FROM audit WHERE action = 'database.restore'
			AND detail LIKE 'backup:2% leads:2 operations:3'`,
		"plans that are due": `SELECT count(*) FROM repulls
			WHERE state <> 'trying' OR tried_at <> 1`,
		"rows that wait besides the one that was sent": `SELECT count(*) - 1 FROM job_rows WHERE state = 'waiting' AND n = 1`,
		"rows that were stopped besides one": `SELECT count(*) - 1 FROM job_rows
			WHERE state = 'stopped' AND n = 0 AND reason <> ''`,
		"operations besides two":  `SELECT count(*) - 2 FROM operations`,
		"users with an old epoch": `SELECT count(*) FROM users WHERE session_epoch = 0`,
	} {
		if n := storetest.Count(t, p.database(), query); n != 0 {
			t.Errorf("%s: got %d", what, n)
		}
	}
	if kept := p.replacedFile(got); !maps.EqualFunc(storetest.Rows(t, kept), replaced, slices.Equal) {
		t.Errorf("%s has other rows than the database had", kept)
	}
	for path := range p.state() {
		if strings.HasSuffix(path, ".restoring") {
			t.Errorf("left %s", path)
		}
	}
	p.mustRun("audit", "verify")
	p.kill(p.start("listens on", "serve"))

	// To undo a restore, restore the database that it kept.
	got = p.mustRun("restore", "--from", p.replacedFile(got))
	if !strings.Contains(got, "portal backup did not make this file") ||
		storetest.Count(t, p.database(), `SELECT count(*) FROM leads`) != 3 {
		t.Errorf("the replaced database: got %s", got)
	}
}

func TestRestore_Unusable_NothingChanged(t *testing.T) {
	t.Parallel()
	p, backup := backedUp(t)
	p.goOn()
	dir := t.TempDir()
	variant := func(name string, change func(path string)) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, mustReadFile(t, backup), 0o600); err != nil {
			t.Fatal(err)
		}
		change(path)
		return path
	}
	whole := mustReadFile(t, backup)
	_, foreignBackup := backedUp(t)
	before := p.state()
	for want, from := range map[string]string{
		"check --from":    filepath.Join(dir, "nothing"),
		"is not a file":   dir,
		"database itself": p.database(),
		"not a database":  variant("text", func(path string) { _ = os.WriteFile(path, []byte("x"), 0o600) }),
		"malformed":       variant("short", func(path string) { _ = os.WriteFile(path, whole[:len(whole)/2], 0o600) }),
		"of the portal": variant("foreign", func(path string) {
			_ = os.Remove(path)
			storetest.Exec(t, path, `CREATE TABLE x (y)`)
		}),
		"do not belong": foreignBackup,
		"too old": variant("newer", func(path string) {
			storetest.Exec(t, path, `UPDATE installation SET oldest_schema = 998000`)
		}),
		"audit log does not": variant("audit", func(path string) {
			storetest.Exec(t, path, `DROP TRIGGER audit_no_update`)
			storetest.Exec(t, path, `UPDATE audit SET detail = 'x'`)
		}),
	} {
		got, code := p.run("restore", "--from", from)
		if code != 1 || !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %d, %s, want %q", from, code, got, want)
		}
		checkPlainText(t, []string{"restore"}, got)
	}
	if after := p.state(); !maps.Equal(before, after) {
		t.Errorf("got the files %v, want %v, unchanged", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}

// TestRestore_DatabaseLostOrDamaged_Restored: whatever is left of the database is kept, and the output claims nothing
// about it.
func TestRestore_DatabaseLostOrDamaged_Restored(t *testing.T) {
	t.Parallel()
	for want, damage := range map[string]func(p *processes) error{
		"There was no database to be compared": func(p *processes) error { return os.Remove(p.database()) },
		"could not be read completely": func(p *processes) error {
			return os.WriteFile(p.database(), []byte(strings.Repeat("no database", 1000)), 0o600)
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			p, backup := backedUp(t)
			if err := damage(p); err != nil {
				t.Fatal(err)
			}
			got := p.mustRun("restore", "--from", backup)
			if !strings.Contains(got, want) || !strings.Contains(got, "What happened since the backup is missing") ||
				strings.Contains(got, "has no operations") {
				t.Errorf("got %s, want %q", got, want)
			}
			p.mustRun("audit", "verify")
			if n := storetest.Count(t, p.database(), `SELECT count(*) FROM leads`); n != 2 {
				t.Errorf("got %d leads", n)
			}
		})
	}
}

// TestRestore_Killed_OldOrNew kills restores at several moments. The database is the old one or the restored one,
// with everything that a restore writes, and is usable.
func TestRestore_Killed_OldOrNew(t *testing.T) {
	t.Parallel()
	p, backup := backedUp(t)
	p.goOn()
	exists := func(pattern string) bool {
		found, err := filepath.Glob(p.database() + pattern)
		return err == nil && len(found) > 0
	}
	for i, moment := range []struct {
		what string
		came func(before os.FileInfo) bool
	}{
		{"the copy begins", func(os.FileInfo) bool { return exists(".restoring") }},
		{"the copy is written to", func(os.FileInfo) bool { return exists(".restoring-wal") }},
		{"the database has a second name", func(os.FileInfo) bool { return exists(".replaced-*") }},
		{"the database is another file", func(before os.FileInfo) bool {
			now, err := os.Stat(p.database())
			return err == nil && !os.SameFile(before, now)
		}},
	} {
		p.addLead(5 + i)
		before, err := os.Stat(p.database())
		if err != nil {
			t.Fatal(err)
		}
		c := p.command("restore", "--from", backup)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, moment.what, func() bool { return moment.came(before) })
		p.kill(c)
		p.mustRun("audit", "verify")
		due := storetest.Count(t, p.database(), `SELECT count(*) FROM leads WHERE refresh_at < 9000000000000000000`)
		if restored := storetest.Count(t, p.database(), `SELECT count(*) FROM leads`) == 2; restored && due != 2 {
			t.Errorf("%s: a restored database with %d leads to read", moment.what, due)
		} else {
			t.Logf("%s: restored %v", moment.what, restored)
		}
		p.mustRun("restore", "--from", backup)
		if exists(".restoring*") {
			t.Errorf("%s: the copy of the killed restore is left", moment.what)
		}
		found, err := filepath.Glob(p.database() + ".replaced-*")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestRestore_PostgreSQL_Refused(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	p.env = append(p.env, "PORTAL_DATABASE_URL=postgres://portal@127.0.0.1:1/portal")
	if got, code := p.run("restore", "--from", "x"); code != 1 || !strings.Contains(got, "pg_restore") {
		t.Errorf("got %d, %s", code, got)
	}
}

// TestRestore_Running_OtherCommandsWait: not even commands that can run beside a portal open a database that is being
// replaced.
func TestRestore_Running_OtherCommandsWait(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	addAdmin(p)
	inv, _ := config.ParsePortal([]string{"--data", p.dir, "doctor"}, config.IO{})
	err := runAlone(inv.Config, "restore", func() error {
		for _, command := range []string{"audit verify", "doctor", "hold list",
			"backup " + filepath.Join(t.TempDir(), "x.db")} {
			if got, code := p.run(strings.Fields(command)...); code != 1 || !strings.Contains(got, "in use by portal restore") {
				t.Errorf("%s: got %d, %s", command, code, got)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.mustRun("audit", "verify")
}
