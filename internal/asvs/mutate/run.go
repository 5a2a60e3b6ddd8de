package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// runLimit limits one mutant, including compilation.
const runLimit = 15 * time.Minute

// readByTests lists the extensions of files that are not compiled: tests read them from the tree.
var readByTests = []string{".templ", ".md"}

// run runs the tests of a mutant. It returns what the failing tests said, and an error unless all of them fail.
func (m mutant) run(ctx context.Context, root string, tests map[string][]testFunc) (string, error) {
	changed, err := m.apply(root)
	if err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // a leftover in the temporary directory is harmless
	ctx, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	cmd := m.command(ctx, tests)
	cmd.Dir, cmd.Env = root, os.Environ()
	cmd.WaitDelay = time.Second
	if slices.ContainsFunc(m.patches, func(p patch) bool { return slices.Contains(readByTests, filepath.Ext(p.path)) }) {
		cmd.Dir = temp
		if err := copyTree(root, temp, changed); err != nil {
			return "", err
		}
	} else {
		overlay, err := writeOverlay(root, temp, changed)
		if err != nil {
			return "", err
		}
		cmd.Env = append(cmd.Env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	output, err := cmd.Output() // an error is normal: tests fail
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	} else if err != nil && len(exit.Stderr) > 0 {
		return "", fmt.Errorf("%s: go test: %s", m.name, exit.Stderr)
	}
	return m.judge(output)
}

// command runs the tests of a mutant in their packages.
func (m mutant) command(ctx context.Context, tests map[string][]testFunc) *exec.Cmd {
	args := []string{"test", "-json", "-vet=off", "-ldflags=-w", "-count=1", "-timeout", "5m",
		"-run", "^(" + strings.Join(m.tests, "|") + ")$"}
	for _, name := range m.tests {
		for _, one := range tests[name] {
			if dir := "./" + one.dir; !slices.Contains(args, dir) {
				args = append(args, dir)
			}
		}
	}
	return exec.CommandContext(ctx, "go", args...) //nolint:gosec // the names are those of tests in this module
}

// judge reads the output of go test -json.
func (m mutant) judge(output []byte) (string, error) {
	failed, said := map[string]bool{}, map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var e struct{ Action, Test, Output, FailedBuild string }
		if err := decoder.Decode(&e); err != nil {
			return "", fmt.Errorf("%s: go test: %w", m.name, err)
		}
		top, _, _ := strings.Cut(e.Test, "/")
		switch {
		case e.FailedBuild != "" || e.Action == "build-fail":
			return "", fmt.Errorf("%s does not compile:\n%s", m.name, buildOutput(output))
		case e.Action == "output" && strings.Contains(e.Output, "panic: test timed out"):
			return "", fmt.Errorf("%s: the tests timed out", m.name)
		case e.Action == "output" && said[top] == "" && strings.Contains(e.Output, "_test.go:"):
			said[top] = strings.TrimSpace(e.Output)
		case e.Action == "fail":
			failed[e.Test] = true
		}
	}
	var details []string
	for _, name := range m.tests {
		if !failed[name] {
			return "", fmt.Errorf("%s does not fail %s", m.name, name)
		}
		details = append(details, name+": "+said[name])
	}
	return strings.Join(details, "; "), nil
}

// buildOutput returns what the compiler said.
func buildOutput(output []byte) string {
	var said strings.Builder
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var e struct{ Action, Output string }
		if decoder.Decode(&e) != nil {
			break
		}
		if e.Action == "build-output" {
			said.WriteString(e.Output)
		}
	}
	return said.String()
}

// writeOverlay writes the changed files to temp and returns the path of a file for the go command's -overlay.
func writeOverlay(root, temp string, changed map[string]string) (string, error) {
	replace := map[string]string{}
	for path, text := range changed {
		file := filepath.Join(temp, fmt.Sprint(len(replace), filepath.Ext(path)))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		absolute, err := filepath.Abs(filepath.Join(root, path))
		if err != nil {
			return "", err
		}
		replace[absolute] = file
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(temp, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

// copyTree copies the module to temp, with the changed files.
func copyTree(root, temp string, changed map[string]string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		from, to := filepath.Join(root, e.Name()), filepath.Join(temp, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."): // the repository and tools
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		default:
			var data []byte
			if data, err = os.ReadFile(from); err == nil { //nolint:gosec // a path that ReadDir found
				err = os.WriteFile(to, data, 0o600) //nolint:gosec // below temp
			}
		}
		if err != nil {
			return err
		}
	}
	for path, text := range changed {
		if err := os.WriteFile(filepath.Join(temp, path), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
