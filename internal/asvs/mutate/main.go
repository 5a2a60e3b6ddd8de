// Command mutate verifies the ASVS table: it removes one control at a time and expects the tests that the table names
// to fail. Run it in the root of the module while all tests pass: a test that fails anyway proves nothing.
//
//	go run ./internal/asvs/mutate               # all mutants
//	go run ./internal/asvs/mutate -only csp     # those whose name matches
//	go run ./internal/asvs/mutate -list         # list them without running them
//
// The mutants are in internal/asvs/mutants, and the results in internal/asvs/results.txt. The tree is not changed: the
// go command reads the changed files from a temporary directory, even when a test builds the program. Mutants of
// templates and documents, which tests read themselves, run in a copy of the tree.
//
//	mutant.go  reading and applying mutants
//	run.go     running the tests of a mutant
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"hearthline/internal/asvs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1) //nolint:gocritic // the signal handler needs no cleanup at the end of the process
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	only := flags.String("only", "", "run the mutants whose name matches this regular expression")
	list := flags.Bool("list", false, "list mutants and rows without running a test")
	if err := flags.Parse(args); err != nil {
		return err
	}
	selected, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	mutants, err := loadMutants(".")
	if err != nil {
		return err
	}
	tests, err := findTests(".")
	if err != nil {
		return err
	}
	if *list {
		listRows(out, mutants)
		return nil
	}
	start, failures := time.Now(), 0
	var results map[string]asvs.Result
	for _, m := range mutants {
		if !selected.MatchString(m.name) {
			continue
		}
		began := time.Now()
		result, detail := asvs.Result{Rows: m.rows}, ""
		if err = m.check(tableByNumber()); err == nil {
			detail, err = m.run(ctx, ".", tests)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failures++
			detail = "NOT PROVEN: " + err.Error()
		} else {
			result.Date, result.Digest = time.Now().Format(time.DateOnly), m.digest(tests)
		}
		fmt.Fprintf(out, "%s (%s): %s\n", m.name, time.Since(began).Round(time.Second), detail)
		if results, err = saveResult(".", m.name, result); err != nil {
			return err
		}
	}
	summarize(out, results)
	fmt.Fprintf(out, "%d mutants failed no test or did not apply; %s\n", failures, time.Since(start).Round(time.Second))
	if failures > 0 {
		return fmt.Errorf("%d controls are not proven", failures)
	}
	return nil
}

func tableByNumber() map[string]asvs.Requirement {
	table := map[string]asvs.Requirement{}
	for _, r := range asvs.Requirements() {
		table[r.Number] = r
	}
	return table
}

// resultsFile is the path of the results below the root of the module.
const resultsFile = "internal/asvs/results.txt"

// saveResult replaces the result of one mutant, drops those of mutants that no longer exist, and returns all.
func saveResult(root, name string, result asvs.Result) (map[string]asvs.Result, error) {
	mutants, err := loadMutants(root) // again: they may have changed during the run
	if err != nil {
		return nil, err
	}
	path := filepath.Join(root, resultsFile)
	text, err := os.ReadFile(path) //nolint:gosec // a constant below root
	if err != nil {
		return nil, err
	}
	before, all := asvs.ParseResults(string(text)), map[string]asvs.Result{}
	before[name] = result
	var b strings.Builder
	fmt.Fprintln(&b, "# Written by go run ./internal/asvs/mutate.")
	fmt.Fprintln(&b, "# mutant|rows|day when its tests failed, empty if they did not|digest of mutant and tests")
	for _, m := range mutants {
		r := before[m.name]
		r.Rows, all[m.name] = m.rows, r
		fmt.Fprintf(&b, "%s|%s|%s|%s\n", m.name, strings.Join(m.rows, " "), r.Date, r.Digest)
	}
	return all, os.WriteFile(path, []byte(b.String()), 0o600)
}

// listRows lists the rows that tests verify, each with its mutants and with the named tests that fail for none of them.
func listRows(out io.Writer, mutants []mutant) {
	for _, r := range asvs.Requirements() {
		if r.Kind != asvs.Tested {
			continue
		}
		var names []string
		idle := r.Tests()
		for _, m := range mutants {
			if slices.Contains(m.rows, r.Number) {
				names = append(names, m.name)
				idle = slices.DeleteFunc(idle, func(name string) bool { return slices.Contains(m.tests, name) })
			}
		}
		fmt.Fprintf(out, "%-7s %-60s %s", r.Number, r.Text, strings.Join(names, " "))
		if len(idle) > 0 {
			fmt.Fprintf(out, " (no mutant fails %s)", strings.Join(idle, " "))
		}
		fmt.Fprintln(out)
	}
}

// summarize prints how many rows are proven, and which are not.
func summarize(out io.Writer, results map[string]asvs.Result) {
	tested, proven, surviving, unproven := 0, 0, []string{}, []string{}
	covered := map[string]bool{}
	for _, r := range results {
		for _, number := range r.Rows {
			covered[number] = true
		}
	}
	proofs := asvs.Proofs(maps.Values(results))
	for _, r := range asvs.Requirements() {
		if r.Kind != asvs.Tested {
			continue
		}
		tested++
		switch {
		case proofs[r.Number] != "":
			proven++
		case covered[r.Number]:
			surviving = append(surviving, r.Number)
		default:
			unproven = append(unproven, r.Number)
		}
	}
	fmt.Fprintf(out, "rows marked test %d, proven %d, surviving or not run %d (%s), without a mutant %d (%s)\n",
		tested, proven, len(surviving), strings.Join(surviving, " "), len(unproven), strings.Join(unproven, " "))
}
