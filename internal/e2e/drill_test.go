package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"hearthline/internal/store/storetest"
)

// TestDrill_DatabaseLost_Restored rehearses what cmd/portal/RUNBOOK.md says: portals work on PostgreSQL, are killed
// together with the database, whose data is deleted, and start again on what a way of keeping it has kept.
func TestDrill_DatabaseLost_Restored(t *testing.T) {
	if os.Getenv("PORTAL_TEST_DRILL") == "" {
		t.Skip("a drill takes minutes: set PORTAL_TEST_DRILL=1")
	}
	for _, tt := range []struct {
		name   string
		method func(*clusters) drillMethod
	}{{"Standby", newStandby}, {"LogStream", newLogStream}, {"LogArchive", newLogArchive}, {"Dump", newDump}} {
		t.Run(tt.name, func(t *testing.T) {
			cs := newClusters(t)
			newDrill(t, cs, tt.method(cs)).run()
		})
	}
}

// drillMethod is a way of keeping a database, and of having it again.
type drillMethod interface {
	// primary returns the server on which the portals work first.
	primary() *cluster
	// keep begins to keep the database while the portals work.
	keep()
	// restore returns the server with what was kept, and the place in the old server's log up to which nothing may be
	// missing.
	restore() (*cluster, position)
	// complete reports whether nothing that was acknowledged may be missing, so that users can send again what got no
	// answer.
	complete() bool
}

// drill is one rehearsal.
type drill struct {
	*replicas
	cs       *clusters
	method   drillMethod
	started  atomic.Int64
	mu       sync.Mutex
	answered []answer
}

// answer is what a user got for an inquiry.
type answer struct {
	lastName, path string
	at             position // of the database's log, after the answer; the end of time if the database was gone
}

const unknownPosition = ^position(0)

func newDrill(t *testing.T, cs *clusters, method drillMethod) *drill {
	t.Helper()
	first := method.primary()
	first.start()
	cs.run("createdb", "-h", cs.home, "-p", first.port, "-U", "portal", "portal")
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	return &drill{replicas: startReplicasOn(t, program, 2, first.address("portal")), cs: cs, method: method}
}

// startLoad starts inquiries as three users until the context ends.
func (d *drill) startLoad(ctx context.Context) *sync.WaitGroup {
	var users sync.WaitGroup
	for range 3 {
		users.Go(func() {
			u := d.newUser()
			if err := u.signIn(ctx); err != nil {
				if ctx.Err() == nil {
					d.t.Error(err)
				}
				return
			}
			for ctx.Err() == nil {
				lastName := "Kowalski" + letters(int(d.started.Add(1)))
				path, err := u.startInquiry(ctx, lastName)
				if err != nil {
					continue
				}
				d.mu.Lock()
				database := d.database
				d.mu.Unlock()
				one := answer{lastName, path, logPosition(database)}
				d.mu.Lock()
				d.answered = append(d.answered, one)
				d.mu.Unlock()
			}
		})
	}
	return &users
}

// logPosition returns the place up to which the database's log is on its disk.
func logPosition(database string) position {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, database)
	if err != nil {
		return unknownPosition
	}
	defer func() { _ = c.Close(ctx) }()
	var text string
	if err := c.QueryRow(ctx, `SELECT pg_current_wal_flush_lsn()::text`).Scan(&text); err != nil {
		return unknownPosition
	}
	at, err := parsePosition(text)
	if err != nil {
		return unknownPosition
	}
	return at
}

func (d *drill) answers() []answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.answered)
}

// awaitAnswers waits until users got some more answers.
func (d *drill) awaitAnswers(more int) {
	d.t.Helper()
	wanted := len(d.answers()) + more
	waitFor(d.t, 3*time.Minute, fmt.Sprintf("%d inquiries are answered", wanted),
		func() bool { return len(d.answers()) >= wanted })
}

func (d *drill) run() {
	t := d.t
	ctx, disaster := context.WithCancel(t.Context())
	defer disaster()
	users := d.startLoad(ctx)
	d.awaitAnswers(8)
	d.method.keep()
	d.awaitAnswers(16)
	head := strings.TrimSpace(d.portal("audit", "head"))
	d.awaitAnswers(2)

	keys := d.saveKeys()
	if !d.method.complete() {
		disaster() // users without an answer must not send again, because nobody knows what the restored database knows
	}
	for i := range d.running {
		d.kill(i)
	}
	d.method.primary().destroy()
	if err := os.RemoveAll(filepath.Join(d.dir, "keyset.json")); err != nil {
		t.Fatal(err)
	}
	if !d.method.complete() {
		users.Wait()
	}
	var atLender []inquiry
	d.lender.callControl(http.MethodGet, "inquiries", nil, &atLender)
	before := d.answers()

	begin := time.Now()
	restored, until := d.method.restore()
	d.mu.Lock()
	d.database, d.dir = restored.address("portal"), keys
	d.env = append(d.env, "PORTAL_DATABASE_URL="+d.database)
	d.mu.Unlock()
	t.Logf("the database is back after %s", time.Since(begin).Round(100*time.Millisecond))
	for _, line := range strings.Split(strings.TrimSpace(d.portal("doctor")), "\n") {
		if !strings.HasPrefix(line, "ok ") {
			t.Log(line)
		}
	}
	verify := []string{"audit", "verify"}
	if d.method.complete() {
		verify = append(verify, "--head", head) // noted elsewhere before the end
	}
	d.portal(verify...)
	changed := d.changeAtLender(before)
	for i := range d.running {
		d.start(i)
	}
	if d.method.complete() {
		d.awaitAnswers(6) // the same users, in the same browsers
		disaster()
		users.Wait()
	}
	lost := d.check(before, until, changed)
	if !d.method.complete() {
		d.checkLender(len(atLender))
	}
	d.addAgain(lost)
	d.portal("doctor")
	d.portal("audit", "verify")
	t.Logf("%d inquiries were acknowledged before the end, %d of them had to be added again, "+
		"%d were acknowledged after it", len(before), len(lost), len(d.answers())-len(before))
}

// portal runs a command of the program, which must be content.
func (d *drill) portal(args ...string) string {
	d.t.Helper()
	path, err := buildProgram()
	if err != nil {
		d.t.Fatal(err)
	}
	c := exec.Command(path, append(args, "--data", d.dir)...)
	c.Env = d.env
	out, err := c.CombinedOutput()
	if err != nil {
		d.t.Fatalf("portal %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// saveKeys copies the keys to another folder, as an operator did when the portal was installed.
func (d *drill) saveKeys() (dir string) {
	dir = d.t.TempDir()
	for _, name := range []string{"keyset.json", "kek"} {
		text, err := os.ReadFile(filepath.Join(d.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	return dir
}

// changeAtLender ends the first inquiry at the lender, while no portal hears of it.
func (d *drill) changeAtLender(before []answer) (app string) {
	d.lender.setFaults(map[string]any{"webhooks": "off"})
	app = strings.TrimPrefix(before[0].path, "/leads/")
	d.lender.playEvent(app, "expire")
	d.lender.setFaults(map[string]any{"webhooks": "on"})
	return app
}

// check checks the restored portal: no inquiry exists twice, nothing that was acknowledged is missing up to a place
// in the log, and what happened at the lender meanwhile is known. It returns the applications that are missing after
// that place.
func (d *drill) check(before []answer, until position, changed string) (lost []string) {
	t := d.t
	t.Helper()
	waitFor(t, 2*time.Minute, "no operation is on its way", func() bool {
		return storetest.Count(t, d.database, `SELECT count(*) FROM operations WHERE state = 'sent'`) == 0
	})
	kept := 0
	for i, one := range d.answers() {
		if at := len(d.lender.inquiriesByLastName(one.lastName)); at > 1 ||
			at == 0 && strings.HasPrefix(one.path, "/leads/") {
			t.Errorf("%s, whose start led to %s: the lender has %d inquiries, want 1", one.lastName, one.path, at)
		}
		table, column, id := "leads", "app", strings.TrimPrefix(one.path, "/leads/")
		if strings.HasPrefix(one.path, "/operations/") {
			table, column, id = "operations", "id", strings.TrimPrefix(one.path, "/operations/")
		}
		switch there := storetest.Count(t, d.database, `SELECT count(*) FROM `+table+` WHERE `+column+` = ?`, id) == 1; {
		case there:
			kept++
		case i >= len(before) || one.at <= until:
			t.Errorf("%s was acknowledged with %s at %x, and is missing; everything up to %x was kept",
				one.lastName, one.path, one.at, until)
		case table == "leads":
			lost = append(lost, id)
		}
	}
	guaranteed := 0
	for _, one := range before {
		if one.at <= until {
			guaranteed++
		}
	}
	t.Logf("%d of %d answers are there; nothing of the first %d could be missing", kept, len(d.answers()), guaranteed)
	if guaranteed < 8 {
		t.Errorf("only %d answers were kept for certain: the drill proves nothing", guaranteed)
	}
	u := d.newUser()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := u.signIn(ctx); err != nil {
		t.Fatal(err)
	}
	if _, _, err := u.ask(ctx, "/leads/"+changed+"/refresh", url.Values{}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, time.Minute, "the lender's change is known", func() bool {
		return storetest.Count(t, d.database, `SELECT count(*) FROM leads WHERE app = ? AND step = 'INQUIRY_WITHDRAWN'`,
			changed) == 1
	})
	return lost
}

// checkLender checks that the restored portals started nothing on their own.
func (d *drill) checkLender(before int) {
	d.t.Helper()
	var all []inquiry
	d.lender.callControl(http.MethodGet, "inquiries", nil, &all)
	if len(all) != before {
		d.t.Errorf("the lender has %d inquiries, want the %d that it had before", len(all), before)
	}
}

// addAgain adds what the restored database does not know by its application ID, as an originator does. The lender has
// no list of inquiries, and a webhook for an unknown one adds nothing.
func (d *drill) addAgain(lost []string) {
	t := d.t
	t.Helper()
	if len(lost) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	webhooks := storetest.Count(t, d.database, `SELECT count(*) FROM webhook_inbox`)
	// The operations of the first ones may be in the backup as sent, and then a webhook tells what became of them.
	d.lender.playEvent(lost[len(lost)-1], "expire")
	waitFor(t, time.Minute, "the webhook is judged", func() bool {
		return storetest.Count(t, d.database, `SELECT count(*) FROM webhook_inbox`) > webhooks &&
			storetest.Count(t, d.database, `SELECT count(*) FROM unknown_applications`) == 0
	})
	u := d.newUser()
	if err := u.signIn(ctx); err != nil {
		t.Fatal(err)
	}
	for _, app := range lost {
		if storetest.Count(t, d.database, `SELECT count(*) FROM leads WHERE app = ?`, app) != 0 {
			t.Errorf("%s is back without having been added; the runbook says that it is not", app)
		}
		doc, _, err := u.ask(ctx, "/leads", nil)
		if err != nil {
			t.Fatal(err)
		}
		f := (&page{Document: doc, t: t}).form(`form[action="/leads/adopt"]`)
		f.values.Set("appUuid", app)
		if _, path, err := u.ask(ctx, "/leads/adopt", f.values); err != nil || path != "/leads/"+app {
			t.Errorf("adding %s again led to %s, %v", app, path, err)
		}
	}
}
