package e2e

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// quickStart returns the command blocks of a section of the operator's manual.
func quickStart(t *testing.T, heading string) []string {
	t.Helper()
	manual, err := os.ReadFile("../../cmd/portal/OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(manual), "\n### "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n##")
	var blocks []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		blocks = append(blocks, block[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("the manual has no commands under %q", heading)
	}
	return blocks
}

// freeAddress returns an address of this machine that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return "localhost:" + port
}

// newInstallation runs the quick start as it is written, on other ports and with further settings. It returns the
// portal with its folder, and the printed passwords of the administrator and the manager.
func newInstallation(t *testing.T, further string) (d *demo, admin, manager string) {
	t.Helper()
	portal, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(portal, filepath.Join(bin, "portal")); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "sandbox"), "hearthline/cmd/sandbox")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	at, lender := freeAddress(t), freeAddress(t)
	replaced := strings.NewReplacer("localhost:8080", at, "localhost:8081", lender, "\nEND\n", "\n"+further+"\nEND\n")
	group := 0 // of the processes that the script leaves in the background
	run := func(script string) (string, error) {
		shell := exec.CommandContext(t.Context(), "sh", "-eu", "-c", replaced.Replace(script))
		shell.Dir, shell.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
		var out strings.Builder
		shell.Stdout, shell.Stderr = &out, &out
		err := shell.Start()
		if err == nil && group == 0 {
			group = shell.Process.Pid
			t.Cleanup(func() { _ = syscall.Kill(-group, syscall.SIGKILL) })
		}
		if err == nil {
			err = shell.Wait()
		}
		return out.String(), err
	}
	blocks := quickStart(t, "On one machine, with the simulated lender")
	out, err := run(blocks[0])
	if err != nil || !strings.Contains(out, "originators in the directory") {
		t.Fatalf("%v\n%s", err, out)
	}
	settings := "set -a; . ./settings; set +a\n" // the second block runs in the same shell
	passwords := regexp.MustCompile(`Password \(shown once\): (\S+)`)
	var printed [][]string
	waitFor(t, stepTimeout, "the directory", func() bool {
		added, err := run(settings + blocks[1])
		printed = append(printed, passwords.FindAllStringSubmatch(added, -1)...)
		blocks[1] = regexp.MustCompile(`(?m)^portal user add ada.*\n`).ReplaceAllString(blocks[1], "")
		out = added
		return err == nil
	})
	if len(printed) != 2 {
		t.Fatalf("got %d passwords, want two:\n%s", len(printed), out)
	}
	return &demo{t: t, url: "http://" + at, sandbox: "http://" + lender, dir: filepath.Join(dir, "data")},
		printed[0][1], printed[1][1]
}

// TestQuickStart_FromNothingToTheFirstInquiry: the first administrator signs in with the printed password and creates a
// passkey, and the manager opens New inquiry.
func TestQuickStart_FromNothingToTheFirstInquiry(t *testing.T) {
	chromium(t)
	t.Parallel()
	d, first, second := newInstallation(t, "")
	admin := d.openBrowser(t)
	admin.withAuthenticator()
	admin.signInFirst("ada@summit.test", first)
	admin.checkAccessible("first sign-in")
	admin.screenshot("sign-in-first-passkey")
	admin.createPasskey()
	admin.visit("/admin/users")
	admin.waitForText("Maya Lindqvist")

	manager := d.openBrowser(t)
	manager.withAuthenticator()
	manager.signInFirst("maya@summit.test", second)
	manager.createPasskey()
	manager.visit("/leads/new")
	manager.waitUntil("the form of an inquiry", `document.querySelector('[name="applicant.name.firstName"]')`)
}

// signInFirst signs a user in who has no second factor, and waits until the portal asks for one.
func (w *window) signInFirst(email, password string) {
	w.t.Helper()
	w.visit("/login")
	w.typeInto(`input[name="email"]`, email)
	w.typeInto(`input[name="password"]`, password+"\r")
	w.waitUntil("a passkey can be created", `document.querySelector('[data-passkey="create"]')?.checkVisibility()`)
}

// createPasskey creates a passkey on the page that asks for a second factor.
func (w *window) createPasskey() {
	w.t.Helper()
	w.waitUntil("a passkey can be created", `document.querySelector('[data-passkey="create"]')?.checkVisibility()`)
	w.click("create a passkey", `[data-passkey="create"]`)
	w.waitForText("Save your recovery codes")
}

// TestQuickStart_ProductionSettings_Accepted starts an installation with the settings that the manual lists for
// production, with files in another place.
func TestQuickStart_ProductionSettings_Accepted(t *testing.T) {
	t.Parallel()
	portal, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	secrets := "etc/hearthline/secrets/"
	write(secrets+"smtp_url", "smtps://user:password@mail.example:465")
	write(secrets+"partner_key", "partner-key")
	write(secrets+"webhook_tokens", strings.Repeat("ab", 24))
	public, err := exec.CommandContext(t.Context(), "sh", "-c",
		"openssl genrsa 2048 2>/dev/null | openssl rsa -pubout 2>/dev/null").Output()
	if err != nil {
		t.Fatal(err)
	}
	write(secrets+"partner_public_key.pem", string(public))
	write("etc/hearthline/consent.txt", "2026-11-01\nThe borrower authorizes a soft credit inquiry.\n")
	write("etc/hearthline/keyset/.keep", "")
	write("var/lib/hearthline/.keep", "")

	block := quickStart(t, "In production, behind a proxy")[0]
	command := exec.CommandContext(t.Context(), portal, "user", "add", "ada@broker.example", "--name", "Ada Park",
		"--role", "admin", "--data", filepath.Join(dir, "var/lib/hearthline"))
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		name, value, _ := strings.Cut(line, "=")
		if strings.HasPrefix(value, "/") {
			value = dir + value
		}
		command.Env = append(command.Env, name+"="+value)
	}
	if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "Password (shown once)") {
		t.Errorf("%v\n%s", err, out)
	}
}
