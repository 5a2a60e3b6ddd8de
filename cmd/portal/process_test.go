package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearthline/internal/store/storetest"
)

// processEnv makes the test binary act as the portal, so that tests can start and kill processes.
const processEnv = "PORTAL_TEST_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(processEnv) != "" {
		main()
	}
	os.Exit(m.Run())
}

// processes starts commands on one folder, each in its own process.
type processes struct {
	t   *testing.T
	dir string
	env []string
}

func newProcesses(t *testing.T) *processes {
	t.Helper()
	return &processes{t: t, dir: storetest.TempDir(t), env: []string{
		processEnv + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PORTAL_ADDR=127.0.0.1:0",
		"PARTNER_BASE_URL=https://127.0.0.1:1", "PARTNER_API_KEY=key", "SANDBOX_ADDR=127.0.0.1:0",
	}}
}

func (p *processes) database() string { return filepath.Join(p.dir, "portal.db") }

func (p *processes) command(args ...string) *exec.Cmd {
	p.t.Helper()
	//nolint:gosec // this test's own program
	c := exec.CommandContext(p.t.Context(), os.Args[0], append(args, "--data", p.dir)...)
	c.Env = p.env
	return c
}

// run runs a command to completion. A command that does not exit is killed, so that a portal that should have been
// refused fails the test.
func (p *processes) run(args ...string) (output string, code int) {
	p.t.Helper()
	c := p.command(args...)
	late := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
	defer late.Stop()
	out, err := c.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return string(out), 0
}

// mustRun runs a command that must succeed.
func (p *processes) mustRun(args ...string) string {
	p.t.Helper()
	out, code := p.run(args...)
	if code != 0 {
		p.t.Fatalf("%q: got %d, %s", args, code, out)
	}
	return out
}

// start starts a command and waits until it prints something.
func (p *processes) start(printed string, args ...string) *exec.Cmd {
	p.t.Helper()
	c := p.command(args...)
	var failures bytes.Buffer
	c.Stderr = &failures
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), printed) {
			return c
		}
	}
	_ = c.Wait()
	p.t.Fatalf("%q ended without %q: %s", args, printed, failures.String())
	return nil
}

// kill kills a process immediately.
func (p *processes) kill(c *exec.Cmd) {
	p.t.Helper()
	if err := c.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	_ = c.Wait()
}

// state is everything in the files of a folder, except the locks.
func (p *processes) state() map[string]string {
	p.t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") && !entry.IsDir() {
			files[entry.Name()] = string(mustReadFile(p.t, filepath.Join(p.dir, entry.Name())))
		}
	}
	return files
}
