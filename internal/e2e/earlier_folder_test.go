package e2e

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// unpackFolder unpacks the data folder of an earlier build: a demo of 60 leads with a quote, a
// note and a reminder, its keys included. They protect nothing else.
func unpackFolder(t *testing.T, archive string) string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(header.Name)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEarlierFolder_Opens runs today's program on the folder of an earlier build, and reads what is
// stored encrypted there: names, details, drafts, quotes, notes, reminders.
func TestEarlierFolder_Opens(t *testing.T) {
	t.Parallel()
	d := startDemo(t, unpackFolder(t, "folder-49.tar.gz"))
	olivia := d.signIn(t, "olivia@summit.test")
	list := olivia.get("/leads?view=all")
	if rows := list.Find("[data-row-of]").Length(); rows != 24 {
		t.Errorf("got %d leads in the list, want 24", rows)
	}
	if text := list.Text(); strings.Contains(text, "cannot be") {
		t.Errorf("a name is not decrypted: %s", text)
	}
	const quoted = "/leads/d8b014cc-55e8-42d2-8a22-d2b4b61d1acf"
	activity := olivia.get(quoted + "/activity").Text()
	for _, want := range []string{"Called about the appraisal", "Ask about the flood policy"} {
		if !strings.Contains(activity, want) {
			t.Errorf("the activity has no %q", want)
		}
	}
	if offers := olivia.get(quoted + "/offers").Text(); !strings.Contains(offers, "$42,000") {
		t.Error("the quote of $42,000 is gone")
	}
	list.Find("[data-row-of] a[href^='/leads/']").Each(func(_ int, link *goquery.Selection) {
		path, _ := link.Attr("href")
		if got := olivia.get(path); got.status != 200 {
			t.Errorf("%s: got %d", path, got.status)
		}
	})
	if got := d.runCommand(t, "audit", "verify"); !strings.Contains(got, "whole") && !strings.Contains(got, "verified") {
		t.Errorf("audit verify: got %s", got)
	}
	d.runCommand(t, "doctor") // decrypts everything that is stored
	d.checkLogHasNoPII(t)
}
