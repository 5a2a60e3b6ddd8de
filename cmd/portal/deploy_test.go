package main

import (
	"bytes"
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/config"
)

// settingLine finds a setting in an example: in YAML, in a systemd unit, in an environment file, in a Containerfile.
var settingLine = regexp.MustCompile(`(?m)(?:^[ \t]*|^Environment=|^ENV |^ENV .* )((?:PORTAL|PARTNER|` +
	`SANDBOX)_[A-Z0-9_]+)(?:=|: +)(\S+)`)

// settingsIn returns the settings of example files.
func settingsIn(t *testing.T, paths ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range paths {
		for rest := readText(t, path); ; {
			at := settingLine.FindStringSubmatchIndex(rest)
			if at == nil {
				break
			}
			found[rest[at[2]:at[3]]] = rest[at[4]:at[5]]
			rest = rest[:at[2]] + rest[at[5]:] // the same line may have another one
		}
	}
	if len(found) == 0 {
		t.Fatalf("no setting in %v", paths)
	}
	return found
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// deployments are the examples, each with the files of its settings and the folder in which its secrets appear.
var deployments = map[string]struct {
	files   []string
	secrets string
}{
	// except the keyset, which is in another folder
	"compose": {[]string{"image/Containerfile", "deploy/compose.yaml"}, "/run/secrets/"},
	"systemd": {[]string{"deploy/systemd/portal.env", "deploy/systemd/portal-1.env", "deploy/systemd/portal@.service"},
		"%d/"},
}

func TestDeployments_SettingsExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, s := range config.Settings() {
		known[s.Name] = true
		known[s.Name+"_FILE"] = known[s.Name+"_FILE"] || s.Secret
	}
	for name, example := range deployments {
		for setting := range settingsIn(t, example.files...) {
			if !known[setting] {
				t.Errorf("%s: %s is not a setting", name, setting)
			}
		}
	}
}

// secretTexts are contents of the secrets, by the names that the examples give them.
var secretTexts = map[string]string{
	"database_url": "postgres://portal:password@database/portal?sslmode=disable",
	"smtp_url":     "smtps://user:password@mail.example:465", "partner_key": "key",
	"webhook_tokens": strings.Repeat("0123456789abcdef", 2), "kek": base64.StdEncoding.EncodeToString(make([]byte, 32)),
	"keyset": "{}", "partner_public_key": "PEM",
}

// TestDeployments_SettingsValid starts with the settings of each example, as far as the program validates them.
func TestDeployments_SettingsValid(t *testing.T) {
	for name, example := range deployments {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			used := map[string]bool{}
			for setting, value := range settingsIn(t, example.files...) {
				if setting == "PORTAL_KEYSET_FILE" && name == "compose" {
					if !strings.Contains(readText(t, "deploy/compose.yaml"), "- source: keyset\n      target: "+value+" ") {
						t.Errorf("no secret appears at %s", value)
					}
					value = example.secrets + "keyset"
				}
				if secret, ok := strings.CutPrefix(value, example.secrets); ok {
					text, known := secretTexts[secret]
					if !known {
						t.Errorf("%s is the secret %s, which this test does not know", setting, secret)
					}
					used[secret] = true
					value = filepath.Join(dir, secret)
					if err := os.WriteFile(value, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				t.Setenv(setting, value)
			}
			var output bytes.Buffer
			if _, err := config.ParsePortal([]string{"serve", "--data", dir},
				config.IO{Stdout: &output, Stderr: &output}); err != nil {
				t.Error(err)
			}
			if got, want := slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(secretTexts)); !slices.Equal(got, want) {
				t.Errorf("got the secrets %v, want %v", got, want)
			}
			text := readText(t, example.files[len(example.files)-1])
			for secret := range used {
				provided := regexp.MustCompile(`(?m)^(LoadCredential=` + secret + `:/|  ` + secret + `:)`)
				if !provided.MatchString(text) {
					t.Errorf("the secret %s is used and not provided", secret)
				}
			}
		})
	}
}

// TestDeployments_Proxies compares the proxies' settings with the portals that they lead to.
func TestDeployments_Proxies(t *testing.T) {
	t.Parallel()
	compose := readText(t, "deploy/compose.yaml")
	settings := settingsIn(t, "image/Containerfile", "deploy/compose.yaml")
	_, port, _ := strings.Cut(settings["PORTAL_ADDR"], ":")
	var portals []string
	for _, service := range regexp.MustCompile(`(?m)^  (portal-\d+):\n    <<: \*portal$`).
		FindAllStringSubmatch(compose, -1) {
		portals = append(portals, service[1]+":"+port)
	}
	if len(portals) < 2 {
		t.Fatalf("got the portals %v, want two", portals)
	}
	for _, path := range []string{"deploy/nginx.conf", "deploy/Caddyfile"} {
		got := regexp.MustCompile(`portal-\d+:\d+`).FindAllString(readText(t, path), -1)
		if !slices.Equal(got, portals) {
			t.Errorf("%s leads to %v, want %v", path, got, portals)
		}
	}
	if address := "ipv4_address: " + settings["PORTAL_TRUSTED_PROXIES"] + "\n"; !strings.Contains(compose, address) {
		t.Errorf("no service has the %s", address)
	}
	if conf := readText(t, "deploy/nginx.conf"); !strings.Contains(conf,
		"proxy_set_header X-Forwarded-For $remote_addr;") {
		t.Error("nginx.conf passes on what the client says about its address")
	}
}

// TestContainerfile_AgreesWithTheProgram compares what only the Containerfile says with the program and its module.
func TestContainerfile_AgreesWithTheProgram(t *testing.T) {
	t.Parallel()
	text := readText(t, "image/Containerfile")
	instruction := func(pattern string) string {
		found := regexp.MustCompile(`(?m)^` + pattern + `$`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("the Containerfile has no %s", pattern)
		}
		return found[1]
	}
	if !strings.Contains(text, `org.opencontainers.image.version="`+version+`"`) ||
		!strings.Contains(readText(t, "deploy/compose.yaml"), "image: hearthline:"+version+"\n") {
		t.Errorf("the image has another version than the program, which is %s", version)
	}
	if user := instruction(`USER (.*)`); !regexp.MustCompile(`^[1-9]\d{3,}:[1-9]\d{3,}$`).MatchString(user) ||
		!strings.Contains(text, "--chown="+user+" ") {
		t.Errorf("got the user %s, want the numbers of one who owns the data", user)
	}
	builder := instruction(`ARG BUILDER=.*:(\d+\.\d+)\.\d+-.*`)
	if module := readText(t, "../../go.mod"); !regexp.MustCompile(`(?m)^go ` + regexp.QuoteMeta(builder) + `(\.\d+)?$`).
		MatchString(module) {
		t.Errorf("the image is built with Go %s, and go.mod names another", builder)
	}
	words := func(list string) []string {
		return strings.Split(strings.NewReplacer(`"`, "", " ", "").Replace(list), ",")
	}
	for command, line := range map[string][]string{
		"health": words(instruction(`HEALTHCHECK .* CMD \[(.*)\]`)),
		"serve":  append(words(instruction(`ENTRYPOINT \[(.*)\]`)), words(instruction(`CMD \[(.*)\]`))...),
	} {
		var output bytes.Buffer
		inv, _ := config.ParsePortal(line[1:], config.IO{Stdout: &output, Stderr: &output})
		if inv.Command != command || line[0] != "/usr/local/bin/portal" || inv.Config.Data != "/data" {
			t.Errorf("%v runs %q on %s, want %s", line, inv.Command, inv.Config.Data, command)
		}
	}
	if addr := settingsIn(t, "image/Containerfile")["PORTAL_ADDR"]; addr != "0.0.0.0:"+instruction(`EXPOSE (\d+)`) {
		t.Errorf("the portal listens on %s, and another port is exposed", addr)
	}
}
