package partner

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// documentedEndpoints returns the copied headings in the form "PUT /path (4.11)".
func documentedEndpoints(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/endpoints.txt")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile("`(GET|POST|PUT|PATCH) \\{base_url\\}([^`?]+)[^`]*`")
	var section string
	var found []string
	for row := range strings.Lines(string(text)) {
		if heading, ok := strings.CutPrefix(row, "### "); ok {
			section = strings.TrimSpace(heading)
			if !strings.HasPrefix(section, "live") {
				section, _, _ = strings.Cut(section, " ")
			}
		}
		if m := line.FindStringSubmatch(row); m != nil {
			found = append(found, m[1]+" "+m[2]+" ("+section+")")
		}
	}
	if len(found) != 24 {
		t.Fatalf("got %d endpoints, want the contract's 23 and borrower-costs", len(found))
	}
	slices.Sort(found)
	return found
}

func TestEndpoints_EachHasDocumentedMethod(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^// heloc: (.+)\nfunc \(c \*Client\) [A-Z]`)
	var got []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(string(source), -1) {
			got = append(got, m[1])
		}
		if count := strings.Count(string(source), "\n// heloc: "); count != len(line.FindAllString(string(source), -1)) {
			t.Errorf("%s: %d endpoint lines, not all of them above an exported method", file, count)
		}
	}
	slices.Sort(got)
	got = slices.Compact(got) // Details and Signers share an endpoint
	want := documentedEndpoints(t)
	for _, e := range want {
		if !slices.Contains(got, e) {
			t.Errorf("no method for %s", e)
		}
	}
	for _, e := range got {
		if !slices.Contains(want, e) {
			t.Errorf("there is a method for %s, which is not in the interface", e)
		}
	}
}

func TestEndpoints_EachHasFixture(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/calls/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var requests []string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasPrefix(file.Name, "request") {
				first, _, _ := strings.Cut(string(file.Data), "\n")
				first, _, _ = strings.Cut(first, "?")
				requests = append(requests, strings.TrimSuffix(first, " keyless"))
			}
		}
	}
	placeholder := regexp.MustCompile(`\\\{[a-zA-Z]+\\\}`)
	for _, endpoint := range documentedEndpoints(t) {
		line, _, _ := strings.Cut(endpoint, " (")
		pattern := regexp.MustCompile("^" + placeholder.ReplaceAllString(regexp.QuoteMeta(line), `[^/]+`) + "$")
		if !slices.ContainsFunc(requests, pattern.MatchString) {
			t.Errorf("no fixture for %s", endpoint)
		}
	}
}

// TestEndpoints_TableMatchesSource compares the table with the "heloc:" lines above the methods
// and checks that every endpoint has a name for its counts.
func TestEndpoints_TableMatchesSource(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^// heloc: (\w+) (\S+) \((.+)\)\nfunc \(c \*Client\) (\w+)\(`)
	deprecated := regexp.MustCompile(`(?s)// ([^\n]|\n// )*[Dd]eprecated([^\n]|\n//)*\n// heloc: [^\n]*$`)
	want := map[string]Endpoint{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatchIndex(string(source), -1) {
			text := func(i int) string { return string(source[m[2*i]:m[2*i+1]]) }
			above := string(source[:m[0]])
			comment := above[strings.LastIndex(above, "\n}\n")+1:] + "// heloc: x"
			want[text(4)] = Endpoint{Method: text(1), Path: text(2), Section: text(3), Func: text(4),
				Deprecated: deprecated.MatchString(comment)}
		}
	}
	got := Endpoints()
	if len(got) != len(want) {
		t.Errorf("got %d, want %d", len(got), len(want))
	}
	queries := map[string]callClass{ // sent with POST, and change nothing
		"Quote": classRead, "Seal": classRead, "Prequalify": classPrequalify, "PrequalifyPlain": classPrequalify,
	}
	for _, e := range got {
		class, isQuery := queries[e.Func]
		switch {
		case isQuery:
		case e.Method != "GET":
			class = classWrite
		case strings.Contains(e.Path, "/download"):
			class = classDownload
		}
		if e.class != class {
			t.Errorf("%s is of class %d, want %d", e.Func, e.class, class)
		}
		name := e.Name
		if e.Name, e.class = "", 0; e != want[e.Func] {
			t.Errorf("got %+v, want %+v", e, want[e.Func])
		}
		if name == "" {
			t.Errorf("%s has no name", e.Func)
		}
	}
}

func TestStats_CountsCalls(t *testing.T) {
	t.Parallel()
	var k callStats
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for i := range 300 {
		k.add(Call{Endpoint: "details", Status: 200, Duration: time.Duration(i) * time.Millisecond,
			At: at.Add(time.Duration(i) * time.Second)})
	}
	k.add(Call{Endpoint: "start", Status: 0, Duration: time.Second, At: at})
	k.add(Call{Endpoint: "start", Status: 503, Duration: 3 * time.Second, At: at})
	k.add(Call{Endpoint: "start", Status: 400, Duration: 5 * time.Second, At: at})
	if got, want := k.endpoint("details"),
		(EndpointStats{Calls: 300, Last: at.Add(299 * time.Second), Median: 250 * time.Millisecond}); got != want {
		t.Errorf("got %+v, want %+v: the median of the last hundred", got, want)
	}
	if got, want := k.endpoint("start"),
		(EndpointStats{Calls: 3, Failed: 3, Last: at, Median: 3 * time.Second}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := k.endpoint("never"); got != (EndpointStats{}) {
		t.Errorf("got %+v, want nothing", got)
	}
}
