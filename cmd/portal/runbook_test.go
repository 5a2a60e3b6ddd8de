package main

import (
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
	"hearthline/internal/store/storetest"
)

// runbookCommands returns the commands of a section of the runbook.
func runbookCommands(t *testing.T, heading string) string {
	t.Helper()
	text := string(mustReadFile(t, "RUNBOOK.md"))
	_, section, ok := strings.Cut(text, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("the runbook has no section %q", heading)
	}
	if next := regexp.MustCompile(`(?m)^##+ `).FindStringIndex(section); next != nil {
		section = section[:next[0]]
	}
	var commands strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		commands.WriteString(block[1])
	}
	if commands.Len() == 0 {
		t.Fatalf("the section %q has no commands", heading)
	}
	return commands.String()
}

// addAnswer writes an answer to a start into the journal file, as a killed portal leaves it.
func (p *processes) addAnswer(operation string, app heloc.AppID) {
	p.t.Helper()
	f, err := os.OpenFile(filepath.Join(p.dir, "portal.journal"), os.O_WRONLY, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	line := fmt.Sprintf(`{"operation":%q,"app":%q,"state":"succeeded","status":200,"sentAt":1,"at":2}`, operation, app)
	slot := fmt.Sprintf("%-511s\n", fmt.Sprintf("%08x %s", crc32.ChecksumIEEE([]byte(line)), line))
	if _, err := f.WriteAt([]byte(slot), 0); err != nil {
		p.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// TestRunbook_SQLiteLost_RestoredByItsCommands backs up a database as the runbook says, kills the portal, damages the
// database, and follows the commands for restoring it. The restored portal starts and reads every lead.
func TestRunbook_SQLiteLost_RestoredByItsCommands(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	box, err := sandbox.Open(sandbox.Config{Dir: t.TempDir(), APIKey: "key", Log: slog.New(slog.DiscardHandler),
		PrivateKeyFile: "../../internal/sandbox/testdata/service.pem"})
	if err != nil {
		t.Fatal(err)
	}
	var reads sync.Map // of leads, by path
	lender := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads.Store(r.URL.Path, true)
		box.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		lender.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	// The key that wraps the keys is kept elsewhere, and "portal" is the program with the installation's settings.
	bin, kept := t.TempDir(), t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\" --data '%s'\n", os.Args[0], p.dir)
	if err := os.WriteFile(filepath.Join(bin, "portal"), []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	p.env = append(p.env, "PARTNER_BASE_URL="+lender.URL, "PORTAL_KEK_FILE="+filepath.Join(t.TempDir(), "kek"),
		"PATH="+bin+":"+os.Getenv("PATH"))
	follow := func(heading string) string {
		t.Helper()
		commands := strings.ReplaceAll(runbookCommands(t, heading), "/backup/", kept+"/")
		c := exec.CommandContext(t.Context(), "sh", "-eu", "-c", commands) //nolint:gosec // the runbook's commands
		c.Env = p.env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", heading, err, commands, out)
		}
		return string(out)
	}

	addAdmin(p)
	for n := 1; n <= 3; n++ {
		p.addLead(n)
	}
	running := p.start("listens on", "serve")
	head := regexp.MustCompile(`(?m)^\d+:\S+$`).FindString(follow("## SQLite: what to keep"))
	p.mustRun("user", "add", "bea@broker.test", "--name", "Bea", "--role", "admin")
	newer := strings.TrimSpace(p.mustRun("audit", "head"))
	p.kill(running)
	p.addOperation("op-new", 2, lead.OpSucceeded)
	p.addAnswer("op-answered", appOf(4))

	got := follow("### SQLite")
	for _, want := range []string{"when the portal starts: 3 leads.", "op-new", "portal.journal was not changed",
		"op-answered  " + string(appOf(4)) + "  succeeded", "ok     Journal file: 1 unsaved answer",
		"ok     Encrypted values"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %q", got, want)
		}
	}
	if strings.Contains(got, "wrong ") {
		t.Errorf("doctor: got %s", got)
	}
	p.mustRun("audit", "verify", "--head", head)
	if got, code := p.run("audit", "verify", "--head", newer); code != 1 {
		t.Errorf("a head that is newer than the backup: got %d, %s, want it refused", code, got)
	}
	// The killed portal held a duty when the backup was made. Other portals wait a few seconds until its lease expires.
	storetest.Exec(t, p.database(), `DELETE FROM leases`)
	running = p.start("listens on", "serve")
	eventually(t, "the leads are not read from the lender", func() bool {
		read := map[heloc.AppID]bool{}
		reads.Range(func(path, _ any) bool {
			for n := 1; n <= 3; n++ {
				if strings.Contains(path.(string), string(appOf(n))) {
					read[appOf(n)] = true
				}
			}
			return true
		})
		return len(read) == 3
	})
	p.kill(running)
}
