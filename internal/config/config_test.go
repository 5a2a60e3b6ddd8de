package config

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// parsePortal parses a command line in an environment that contains only env.
func parsePortal(t *testing.T, env map[string]string, args ...string) (Invocation, error) {
	t.Helper()
	setEnv(t, env)
	return ParsePortal(args, IO{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Version: "test"})
}

func setEnv(t *testing.T, env map[string]string) {
	t.Helper()
	for _, s := range Settings() {
		t.Setenv(s.Name, "")
		if s.Secret {
			t.Setenv(s.Name+"_FILE", "")
		}
	}
	for name, value := range env {
		t.Setenv(name, value)
	}
}

// minimalEnv returns the minimal environment that serve needs, with more.
func minimalEnv(more ...string) map[string]string {
	env := map[string]string{"PARTNER_BASE_URL": "https://lender.example/api/", "PARTNER_API_KEY": "k-1"}
	for i := 0; i+1 < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

func TestParsePortal_Demo_NoSettings(t *testing.T) {
	data := t.TempDir()
	inv, err := parsePortal(t, nil, "demo", "--data", data, "--addr", "127.0.0.1:9000", "--sandbox-addr", "127.0.0.1:9001")
	if err != nil {
		t.Fatal(err)
	}
	c := inv.Config
	for what, pair := range map[string][2]string{
		"command":     {inv.Command, "demo"},
		"base URL":    {c.Portal.BaseURL.String(), "http://127.0.0.1:9000"},
		"database":    {c.Portal.DatabaseURL.Value(), data + "/portal.db"},
		"KEK":         {c.Portal.KEK.File, data + "/kek"},
		"MFA":         {string(c.Portal.MFA), "optional"},
		"log format":  {c.Portal.LogFormat, "text"},
		"lender":      {c.Partner.BaseURL.String(), "http://127.0.0.1:9001"},
		"partner key": {c.Partner.APIKey.Value(), c.Sandbox.APIKey.Value()},
		"sandbox":     {c.Sandbox.Data, data},
		"processing":  {c.Sandbox.Processing.String(), "1.5s"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
		}
	}
	if c.Portal.DemoPassword == "" || !c.Partner.APIKey.Set() {
		t.Error("the demo has no password or no partner key")
	}
}

func TestParsePortal_Demo_UsesEnvironment(t *testing.T) {
	inv, err := parsePortal(t, map[string]string{"PARTNER_DIALECT": "live", "SANDBOX_ADDR": "localhost:7001",
		"PORTAL_ADDR": "localhost:7000"}, "demo")
	if err != nil {
		t.Fatal(err)
	}
	if got := inv.Config.Sandbox.Dialect; got != Live {
		t.Errorf("the sandbox has the dialect %q, want the portal's", got)
	}
	if got := inv.Config.Partner.BaseURL.Host; got != "localhost:7001" {
		t.Errorf("the lender is at %s, want the sandbox's address", got)
	}
	inv, err = parsePortal(t, map[string]string{"PARTNER_DIALECT": "live", "SANDBOX_DIALECT": "documented"}, "demo")
	if err != nil || inv.Config.Sandbox.Dialect != Documented || inv.Config.Partner.Dialect != Live {
		t.Errorf("got %v, %v; want each dialect as configured", inv.Config.Sandbox.Dialect, err)
	}
}

// TestParse_PaymentModel_DemoSetsBothAlike: in the demo, the sandbox books what the portal estimates unless told
// otherwise.
func TestParse_PaymentModel_DemoSetsBothAlike(t *testing.T) {
	example := map[int]int{60: 2, 120: 3, 180: 4, 360: 5}
	for _, c := range []struct {
		name, command   string
		env             map[string]string
		fee, sandboxFee string
		years, sandbox  map[int]int
	}{
		{"demo", "demo", nil, "added", "added", example, example},
		{"demo, portal's settings", "demo", map[string]string{
			"PARTNER_FEE_METHOD": "deducted", "PARTNER_DRAW_YEARS": "120:3, 60:1",
		}, "deducted", "deducted", map[int]int{120: 3, 60: 1}, map[int]int{120: 3, 60: 1}},
		{"demo, sandbox's settings", "demo", map[string]string{"SANDBOX_FEE_METHOD": "deducted"}, "added", "deducted",
			example, example},
		{"serve", "serve", minimalEnv(), "added", "added", nil, example},
		{"serve, known", "serve", minimalEnv("PARTNER_DRAW_YEARS", "60:2"), "added", "added", map[int]int{60: 2}, example},
	} {
		inv, err := parsePortal(t, c.env, c.command)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p, s := inv.Config.Partner, inv.Config.Sandbox
		if p.FeeMethod != c.fee || s.FeeMethod != c.sandboxFee || p.Variable != "interest-only" {
			t.Errorf("%s: got fee %s, sandbox %s, variable %s", c.name, p.FeeMethod, s.FeeMethod, p.Variable)
		}
		if !maps.Equal(p.DrawYears, c.years) || !maps.Equal(s.DrawYears, c.sandbox) {
			t.Errorf("%s: got draw years %v, sandbox %v, want %v, %v", c.name, p.DrawYears, s.DrawYears, c.years, c.sandbox)
		}
	}
	for _, years := range []string{"60", "60:0", "60:5", "sixty:2", "60:2:1", "60:1,60:2", "2:60"} {
		if _, err := parsePortal(t, minimalEnv("PARTNER_DRAW_YEARS", years), "serve"); err == nil ||
			!strings.Contains(err.Error(), "PARTNER_DRAW_YEARS") {
			t.Errorf("%q: got %v, want an error about PARTNER_DRAW_YEARS", years, err)
		}
	}
}

func TestParsePortal_Serve_MinimalSettings(t *testing.T) {
	inv, err := parsePortal(t, minimalEnv(), "serve")
	if err != nil {
		t.Fatal(err)
	}
	c := inv.Config
	if c.Portal.MFA != MFARequired || c.Portal.LogFormat != "json" || c.Partner.Timeout != 15*time.Second ||
		c.Partner.BaseURL.String() != "https://lender.example/api" || c.Portal.RetentionMonths != 25 ||
		c.Portal.CompanyExports != 60 || c.Portal.CompanyReveals != 1000 {
		t.Errorf("got %+v", c)
	}
}

func TestParsePortal_ReportsAllErrors(t *testing.T) {
	_, err := parsePortal(t, map[string]string{
		"PORTAL_COMPANY_EXPORTS": "-1", "PORTAL_COMPANY_REVEALS": "many",
		"PORTAL_RETENTION_MONTHS": "3", "PARTNER_DIALECT": "klingon", "PARTNER_TIMEOUT": "soon",
		"SANDBOX_PROCESSING": "-1s", "PORTAL_TRUSTED_PROXIES": "10.0.0.0/8, proxy", "PORTAL_METRICS_ADDR": "nine",
		"PARTNER_PUBLIC_KEY_FILE": "/nowhere/key.pem", "PORTAL_MFA": "never",
		"PORTAL_DATABASE_URL": "mysql://u:secret@db/portal",
	}, "serve")
	if err == nil {
		t.Fatal("the invalid configuration was accepted")
	}
	for _, name := range []string{
		"PORTAL_COMPANY_EXPORTS", "PORTAL_COMPANY_REVEALS", "PORTAL_RETENTION_MONTHS", "PARTNER_DIALECT", "PARTNER_TIMEOUT",
		"SANDBOX_PROCESSING", "PORTAL_TRUSTED_PROXIES", "PORTAL_METRICS_ADDR", "PARTNER_PUBLIC_KEY_FILE", "PORTAL_MFA",
		"PORTAL_DATABASE_URL", "PARTNER_BASE_URL", "PARTNER_API_KEY",
	} {
		if n := strings.Count("\n"+err.Error(), "\n"+name); n != 1 {
			t.Errorf("%s begins %d lines, want 1, in\n%v", name, n, err)
		}
	}
}

func TestParsePortal_InvalidSettings_Rejected(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	token := func(more ...string) map[string]string {
		return minimalEnv(append([]string{"PORTAL_PKCS11_MODULE", key, "PORTAL_PKCS11_PIN", "1234"}, more...)...)
	}
	tests := []struct {
		what string
		env  map[string]string
		args string
		want string // part of the error; empty: accepted
	}{
		{"plain http on every address", minimalEnv("PORTAL_ADDR", ":8080"), "serve", "PORTAL_ADDR is :8080"},
		{"plain http by name", minimalEnv("PORTAL_BASE_URL", "http://portal.example"), "serve",
			"PORTAL_BASE_URL is plain http"},
		{"a proxy that terminates TLS", minimalEnv("PORTAL_ADDR", ":8080", "PORTAL_BASE_URL", "https://portal.example"),
			"serve", ""},
		{"the portal's own TLS", minimalEnv("PORTAL_ADDR", ":8443", "PORTAL_TLS_CERT_FILE", key, "PORTAL_TLS_KEY_FILE", key,
			"PORTAL_BASE_URL", "https://portal.example"), "serve", ""},
		{"only one TLS file", minimalEnv("PORTAL_TLS_CERT_FILE", key), "serve", "go together"},
		{"a path", minimalEnv("PORTAL_BASE_URL", "https://portal.example/desk"), "serve", "must not have a path"},
		{"optional MFA on loopback", minimalEnv("PORTAL_MFA", "optional"), "serve", ""},
		{"optional MFA on other addresses", minimalEnv("PORTAL_MFA", "optional", "PORTAL_BASE_URL", "https://portal.example"),
			"serve", "PORTAL_MFA is optional"},
		{"a demo that other machines can reach", nil, "demo --addr 0.0.0.0:8080", "PORTAL_ADDR is 0.0.0.0:8080"},
		{"a demo that other machines can reach over TLS", map[string]string{"PORTAL_BASE_URL": "https://demo.example"},
			"demo", "PORTAL_BASE_URL is one that others can reach"},
		{"a demo on loopback", nil, "demo --addr [::1]:8080", ""},
		{"a sandbox that other machines can reach", nil, "demo --sandbox-addr :8081", "SANDBOX_ADDR is :8081"},
		{"a lender with plain http", minimalEnv("PARTNER_BASE_URL", "http://lender.example"), "serve",
			"PARTNER_BASE_URL is plain http"},
		{"a lender on loopback", minimalEnv("PARTNER_BASE_URL", "http://127.0.0.1:9"), "serve", ""},
		{"short webhook tokens", minimalEnv("PARTNER_WEBHOOK_TOKENS", "abc"), "serve", "number 1"},
		{"three webhook tokens", minimalEnv("PARTNER_WEBHOOK_TOKENS", strings.Repeat(strings.Repeat("a", 32)+",", 3)),
			"serve", "at most two"},
		{"incomplete single sign-on", minimalEnv("PORTAL_OIDC_CLIENT_ID", "x"), "serve", "PORTAL_OIDC_ISSUER"},
		{"migrate without a lender", nil, "migrate", ""},
		{"migrate into another kind of database", nil, "migrate --to mysql://u:hunter2@db/portal",
			"--to must be the path of an SQLite file"},
		{"migrate to nowhere", nil, "migrate --to=", "--to is empty"},
		{"an unknown command", nil, "fly", "portal --help"},
		{"a secret as a flag", nil, "serve --partner-api-key k", "unknown flag"},
		{"a key in a token", token("PORTAL_PKCS11_KEY", "pkcs11:token=a%20b;object=kek"), "serve", ""},
		{"a key in no token", token("PORTAL_PKCS11_KEY", "pkcs11:object=kek"), "serve", "PORTAL_PKCS11_KEY must be"},
		{"a key by serial number", token("PORTAL_PKCS11_KEY", "pkcs11:token=a;object=kek;serial=1"), "serve",
			"PORTAL_PKCS11_KEY must be"},
		{"a key in a token without a PIN", token("PORTAL_PKCS11_KEY", "pkcs11:token=a;object=kek", "PORTAL_PKCS11_PIN", ""),
			"serve", "PORTAL_PKCS11_PIN"},
		{"a key in a token without a module", minimalEnv("PORTAL_PKCS11_KEY", "pkcs11:token=a;object=kek"), "serve",
			"PORTAL_PKCS11_MODULE is missing"},
		{"a token without a key", token(), "serve", "PORTAL_PKCS11_KEY is required"},
		{"a key that moves out of a token", token(), "keys rewrap --from pkcs11:token=a;object=kek", ""},
		{"a key that moves out of nowhere", token(), "keys rewrap --from pkcs11:a", "--from must be"},
		{"a fractional rate", minimalEnv("PARTNER_RATE", "1.5"), "serve", "PARTNER_RATE"},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			_, err := parsePortal(t, tt.env, strings.Fields(tt.args)...)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v, want it accepted", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestParsePortal_MigrateTo_FlagNotPrinted(t *testing.T) {
	const address = "postgres://u:hunter2@db/portal"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"migrate"}, ""},
		{[]string{"migrate", "--to", address}, address},
	} {
		inv, err := parsePortal(t, nil, tt.args...)
		if err != nil || inv.MigrateTo.Value() != tt.want {
			t.Errorf("%v: got %q, %v, want %q", tt.args, inv.MigrateTo.Value(), err, tt.want)
		}
		if printed := fmt.Sprintf("%v %+v", inv, inv); strings.Contains(printed, "hunter") {
			t.Errorf("the password is visible in %s", printed)
		}
	}
}

func TestErrorsAndPrints_HaveNoSecrets(t *testing.T) {
	inv, err := parsePortal(t, minimalEnv("PARTNER_API_KEY", "hunter2", "PARTNER_WEBHOOK_TOKENS", "hunter3",
		"PORTAL_SMTP_URL", "mailto:hunter4", "PORTAL_BASE_URL", "ftp://hunter5@x"), "serve")
	printed := fmt.Sprintf("%v %+v %#v %v", inv, inv, inv.Config.Partner.APIKey, err)
	if strings.Contains(printed, "hunter") {
		t.Errorf("a secret is visible in %s", printed)
	}
}

func TestAuditHeads_Destinations(t *testing.T) {
	for value, valid := range map[string]bool{
		"": true, "file:///var/log/heads": true, "syslog:": true, "https://siem.example/heads?token=hunter2": true,
		"https+private://siem.internal:8443/heads": true,
		"http://siem.example/heads":                false, "file:heads": false, "file://host/heads": false,
		"/var/log/heads":    false,
		"syslog://host:514": false, "https://": false, "https://hunter2@siem.example/": false, "ftp://siem.example": false,
	} {
		inv, err := parsePortal(t, minimalEnv("PORTAL_AUDIT_HEADS", value), "serve")
		if (err == nil) != valid || valid && inv.Config.Portal.AuditHeads.Value() != value ||
			err != nil && (!strings.Contains(err.Error(), "PORTAL_AUDIT_HEADS") || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%q: got %v, want valid %v", value, err, valid)
		}
	}
}

func TestSecret_FromFile_Reloads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "api-key")
	write := func(value string, at time.Time) {
		if err := os.WriteFile(path, []byte(value+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	write("first", start)
	env := minimalEnv("PARTNER_API_KEY", "", "PARTNER_API_KEY_FILE", path)
	inv, err := parsePortal(t, env, "serve")
	if err != nil {
		t.Fatal(err)
	}
	key := inv.Config.Partner.APIKey
	if got := key.Value(); got != "first" {
		t.Errorf("got %q, want the file's text without its line ending", got)
	}
	write("other", start.Add(time.Second))
	if got := key.Value(); got != "other" {
		t.Errorf("after a change: got %q, want the new key", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := key.Value(); got != "other" {
		t.Errorf("while the file is missing: got %q, want the last key", got)
	}
	if _, err := parsePortal(t, env, "serve"); err == nil || !strings.Contains(err.Error(), "PARTNER_API_KEY_FILE") {
		t.Errorf("a missing file: got %v", err)
	}
	env["PARTNER_API_KEY"] = "k"
	if _, err := parsePortal(t, env, "serve"); err == nil || !strings.Contains(err.Error(), "set twice") {
		t.Errorf("both set: got %v", err)
	}
}

func TestSettings_NamedAndExplainedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Settings() {
		if s.Name == "" || s.Meaning == "" || seen[s.Name] {
			t.Errorf("setting %+v has no name or no meaning, or is a duplicate", s)
		}
		seen[s.Name] = true
	}
	for _, name := range []string{"PORTAL_ADDR", "PARTNER_API_KEY_NEXT", "SANDBOX_PRIVATE_KEY_FILE"} {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestParsePortal_Doctor_KeepsInvalidConfig(t *testing.T) {
	inv, err := parsePortal(t, map[string]string{"PARTNER_RATE": "no"}, "doctor")
	if err == nil || inv.Command != "doctor" || inv.Config.Portal.BaseURL == nil {
		t.Errorf("got %+v, %v; want both", inv, err)
	}
}

func TestParsePortal_Subcommands(t *testing.T) {
	inv, err := parsePortal(t, nil, "user", "add", "kim@summit.test", "--name", "Kim Lee", "--role", "assistant",
		"--broker", "b-1")
	got, want := inv.Args.User.Add, UserArgs{}.Add
	want.Email, want.Name, want.Role, want.Broker = "kim@summit.test", "Kim Lee", "assistant", "b-1"
	if err != nil || inv.Command != "user add" || got != want {
		t.Errorf("got %q %+v, %v; want %+v", inv.Command, got, err, want)
	}
	for _, line := range []string{"user disable a@b.c", "user role a@b.c manager", "user reset a@b.c", "backup out.db",
		"audit verify", "migrate"} {
		if inv, err := parsePortal(t, nil, strings.Fields(line)...); err != nil || !strings.HasPrefix(line, inv.Command) {
			t.Errorf("%s: got %q, %v", line, inv.Command, err)
		}
	}
}

func TestParse_HelpAndVersion_Done(t *testing.T) {
	setEnv(t, nil)
	for _, args := range [][]string{{"--version"}, {"--help"}, {"demo", "--help"}} {
		var out bytes.Buffer
		inv, err := ParsePortal(args, IO{Stdout: &out, Stderr: &out, Version: "v1.2.3"})
		if err != nil || !inv.Done || out.Len() == 0 {
			t.Errorf("%v: got done %v, %v, %d bytes", args, inv.Done, err, out.Len())
		}
	}
}

// TestParse_Help_OneScreen: the program's help names every command and fits on one screen; a command's help lists the
// settings.
func TestParse_Help_OneScreen(t *testing.T) {
	setEnv(t, nil)
	help := func(args ...string) string {
		var out bytes.Buffer
		if _, err := ParsePortal(append(args, "--help"), IO{Stdout: &out, Stderr: &out}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	all := help()
	if lines := strings.Count(all, "\n"); lines > 30 {
		t.Errorf("the help has %d lines, want at most 30:\n%s", lines, all)
	}
	text := strings.Join(strings.Fields(all), " ")
	for _, want := range []string{
		"demo", "serve", "migrate", "health", "doctor", "backup", "add, disable, role, sign-out, reset.",
		"rotate, finish, retire, rewrap.", "add, list, retire, attest, close, open, disconnect.", "add, lift, list.",
		"verify, head.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the help lacks %q:\n%s", want, all)
		}
	}
	if serve := help("serve"); !strings.Contains(serve, "--portal-addr") || !strings.Contains(serve, "--partner-rate") {
		t.Errorf("the help of serve lacks settings:\n%s", serve)
	}
}

func TestParseSandbox(t *testing.T) {
	setEnv(t, map[string]string{"SANDBOX_DIALECT": "live", "SANDBOX_PROCESSING": "20ms"})
	inv, err := ParseSandbox(nil, IO{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	if err != nil {
		t.Fatal(err)
	}
	s := inv.Config.Sandbox
	if inv.Command != "sandbox" || s.Dialect != Live || s.Processing != 20*time.Millisecond || s.Addr != "localhost:8081" {
		t.Errorf("got %+v", inv)
	}
}
