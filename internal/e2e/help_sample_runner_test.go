package e2e

import (
	"crypto/ed25519"
	"crypto/x509"
	"embed"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// script is a program for Node: its files, the main file, and its arguments and environment.
type script struct {
	files map[string]string
	main  string
	args  []string
	env   map[string]string
}

// runInChromiumAndNode runs a script in Chromium, which always runs the help's samples here, and in Node where it is
// installed, and checks what each prints.
func (s script) runInChromiumAndNode(t *testing.T, check func(t *testing.T, printed string)) {
	t.Helper()
	t.Run("Chromium", func(t *testing.T) { check(t, s.inChromium(t)) })
	if program, err := exec.LookPath("node"); err == nil {
		t.Run("Node", func(t *testing.T) { check(t, s.runInNode(t, program)) })
	}
}

func (s script) runInNode(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range s.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), program, append([]string{s.main}, s.args...)...)
	command.Dir, command.Env = dir, os.Environ()
	for name, value := range s.env {
		command.Env = append(command.Env, name+"="+value)
	}
	out, err := command.Output()
	if err != nil {
		t.Fatalf("node %s: %v", s.main, err)
	}
	return strings.TrimSpace(string(out))
}

//go:embed testdata/node
var nodeStandIns embed.FS

// inChromium runs the script unchanged. Its imports of Node modules are stand-ins: they check what the code computes
// and signs, but not that Node works as documented.
func (s script) inChromium(t *testing.T) string {
	t.Helper()
	chromium(t)
	server := httptest.NewServer(s.server())
	t.Cleanup(server.Close)
	w := (&demo{t: t, url: server.URL}).openBrowser(t)
	w.visit("/")
	w.waitUntil("the script has ended", "globalThis.ended")
	if failed := evaluate[string](w, "ended.failed"); failed != "" {
		t.Fatalf("%s: %s", s.main, failed)
	}
	return evaluate[string](w, "ended.printed")
}

func (s script) server() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		encoded, _ := json.Marshal([]any{s.main, s.args, s.env}) // strings can always be marshaled
		_, _ = fmt.Fprintf(w, `<!doctype html><script type="importmap">
			{"imports": {"node:crypto": "/node/crypto.js", "node:fs": "/node/fs.js"}}</script>
			<script src="/node/globals.js"></script><script>run(...%s)</script>`, encoded)
	})
	mux.HandleFunc("GET /node/{file}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, nodeStandIns, path.Join("testdata/node", r.PathValue("file")))
	})
	mux.HandleFunc("GET /{file}", func(w http.ResponseWriter, r *http.Request) {
		text, ok := s.files[r.PathValue("file")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(text))
	})
	mux.HandleFunc("POST /node/public", standInHandler(publicKey))
	mux.HandleFunc("POST /node/sign", standInHandler(sign))
	return mux
}

// standInRequest is a computation that a stand-in requests.
type standInRequest struct {
	PEM       string
	Format    string
	Algorithm *string
	Data      []int
}

// standInHandler answers the requests of a stand-in.
func standInHandler(f func(standInRequest) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var a standInRequest
		err := json.NewDecoder(r.Body).Decode(&a)
		var answer any
		if err == nil {
			answer, err = f(a)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// publicKey returns the public key of a private key or certificate, as a JSON Web Key.
func publicKey(a standInRequest) (any, error) {
	block, _ := pem.Decode([]byte(a.PEM))
	if block == nil || a.Format != "jwk" {
		return nil, fmt.Errorf("not PEM, or the format is %q", a.Format)
	}
	if block.Type == "CERTIFICATE" {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		return jose.JSONWebKey{Key: c.PublicKey}, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	jwk := jose.JSONWebKey{Key: key}
	return jwk.Public(), nil
}

// sign returns the signature of bytes by an Ed25519 key, for which Node takes no algorithm.
func sign(a standInRequest) (any, error) {
	block, _ := pem.Decode([]byte(a.PEM))
	if block == nil || a.Algorithm != nil {
		return nil, fmt.Errorf("not PEM, or an algorithm was given")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("a key of another kind: %T", key)
	}
	return toNumbers(ed25519.Sign(private, toBytes(a.Data))), nil
}

func toBytes(numbers []int) []byte {
	all := make([]byte, len(numbers))
	for i, n := range numbers {
		all[i] = byte(n)
	}
	return all
}

func toNumbers(bytes []byte) []int {
	all := make([]int, len(bytes))
	for i, b := range bytes {
		all[i] = int(b)
	}
	return all
}
