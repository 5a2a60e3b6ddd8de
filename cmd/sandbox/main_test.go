package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRun starts the command on a free port, sends a request and stops it as a signal would.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SANDBOX_ADDR", "127.0.0.1:0")
	t.Setenv("SANDBOX_DATA", dir)
	t.Setenv("SANDBOX_API_KEY", "the-key-of-this-test")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	var complaints bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, nil, in, &complaints)
		_ = in.Close() // so that a sandbox that failed to start does not block the read below
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no output: %v %s", err, &complaints)
	}
	where := regexp.MustCompile(`http://[^,\s]+`).FindString(line)
	key := filepath.Join(dir, "sandbox-public.pem")
	if where == "" || !strings.Contains(line, key) || strings.Contains(line, "the-key-of-this-test") {
		t.Fatalf("got %q, want its address and %s", line, key)
	}
	if _, err := os.Stat(key); err != nil {
		t.Error(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, where+"/management/v1/loan-originator", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", "the-key-of-this-test")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the directory: got %d, want 200", response.StatusCode)
	}
	cancel()
	if got := <-code; got != 0 {
		t.Errorf("exit: got %d %s, want 0", got, &complaints)
	}
}

// TestRun_InvalidSettings_ReportsAll: all errors are reported, and the exit code is 2.
func TestRun_InvalidSettings_ReportsAll(t *testing.T) {
	t.Setenv("SANDBOX_DATA", t.TempDir())
	t.Setenv("SANDBOX_DIALECT", "klingon")
	t.Setenv("SANDBOX_PROCESSING", "soon")
	var complaints bytes.Buffer
	if got := run(t.Context(), nil, io.Discard, &complaints); got != 2 {
		t.Errorf("exit: got %d, want 2", got)
	}
	for _, want := range []string{"SANDBOX_DIALECT", "SANDBOX_PROCESSING"} {
		if !strings.Contains(complaints.String(), want) {
			t.Errorf("got %s, want a line about %s", &complaints, want)
		}
	}
}
