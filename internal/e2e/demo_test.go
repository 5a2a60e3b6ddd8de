package e2e

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const password = "kettle-lantern-orchard"

// buildProgram builds the program under test, once for all tests.
var buildProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hearthline-e2e-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "portal")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "hearthline/cmd/portal").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

// runTwiceAsMany lets twice as many tests run at once as there are processors, because tests also wait: for the
// lender, for an update, until the browser accepts a click. The flag -parallel wins.
func runTwiceAsMany() error {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
}

// TestMain closes the browser that the tests shared.
func TestMain(m *testing.M) {
	if err := runTwiceAsMany(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	if shared := startedBrowser.Load(); shared != nil {
		shared.close()
	}
	if path, err := buildProgram(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// demo is a running demo.
type demo struct {
	t        *testing.T
	url      string
	sandbox  string
	dir      string
	cmd      *exec.Cmd
	sessions map[string]seededSessions // that its folder had at the start, by email
	log      *outputBuffer
	ended    chan struct{}
}

// startTimeout limits the start of a demo. It is generous because seeding PostgreSQL takes a minute on a busy machine.
const startTimeout = 4 * time.Minute

// startDemo runs a demo in a folder and waits until it reports that it is ready.
func startDemo(t *testing.T, dir string, env ...string) *demo {
	t.Helper()
	d, err := runDemo(dir, env)
	if err != nil {
		t.Fatal(err)
	}
	d.t = t
	t.Cleanup(d.stop)
	return d
}

// runDemo is startDemo without a test. The caller stops the demo.
func runDemo(dir string, env []string) (*demo, error) {
	path, err := buildProgram()
	if err != nil {
		return nil, err
	}
	return runDemoOf(path, dir, env)
}

// runDemoOf is runDemo of a program that may be another release.
func runDemoOf(path, dir string, env []string) (*demo, error) {
	d := &demo{dir: dir, log: &outputBuffer{}, ended: make(chan struct{})}
	args := []string{"demo", "--addr", "localhost:0", "--data", dir}
	if !slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "SANDBOX_ADDR=") }) {
		args = append(args, "--sandbox-addr", "localhost:0")
	}
	d.cmd = exec.Command(path, args...)
	// Demos live briefly and there are many: they collect garbage less often than the program does by default.
	d.cmd.Env = append(os.Environ(), append([]string{"SANDBOX_PROCESSING=300ms", "GOGC=400"}, env...)...)
	d.cmd.Stderr = d.log
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go func() {
		defer close(d.ended)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			_, _ = d.log.Write([]byte(scan.Text() + "\n"))
			if found := regexp.MustCompile(`simulates the lender on (http://\S+)`).
				FindStringSubmatch(scan.Text()); found != nil {
				d.sandbox = found[1]
			}
			if found := regexp.MustCompile(`^Ready: (http://\S+)`).FindStringSubmatch(scan.Text()); found != nil {
				d.url = found[1]
				close(ready)
			}
		}
	}()
	select {
	case <-ready:
	case <-d.ended:
		return nil, fmt.Errorf("the demo ended before it was ready:\n%s", d.log)
	case <-time.After(startTimeout):
		d.stop()
		return nil, fmt.Errorf("the demo is not ready:\n%s", d.log)
	}
	return d, nil
}

// stop ends the demo as an operator does, and waits for it.
func (d *demo) stop() {
	if d.cmd.ProcessState != nil {
		return
	}
	_ = d.cmd.Process.Signal(syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	go func() {
		<-ctx.Done()
		if ctx.Err() == context.DeadlineExceeded {
			_ = d.cmd.Process.Kill()
		}
	}()
	<-d.ended
	_ = d.cmd.Wait()
}

// outputBuffer stores what the program wrote.
type outputBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *outputBuffer) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *outputBuffer) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// waitFor waits until a condition is true, and fails after the limit. It looks less and less often.
func waitFor(t *testing.T, limit time.Duration, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for pause := 20 * time.Millisecond; !condition(); pause = min(pause*3/2, 250*time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", limit, what)
		}
		time.Sleep(pause)
	}
}
