package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// seed is the folder of a new demo after its start. Tests copy it: the demo seeds an empty folder once for all of them.
// TestMainJob_PlainHTTP and a few others start with an empty one.
type seed struct {
	files    map[string][]byte         // by name
	signedIn map[string][]byte         // the same files after people have signed in
	sessions map[string]seededSessions // their sessions, by email
	sample   url.Values                // what the demo enters in a new inquiry for a sample borrower
}

// seeded has the seed in each dialect of the lender's interface.
var seeded = map[string]func() (seed, error){
	"documented": sync.OnceValues(func() (seed, error) { return newSeed("documented") }),
	"live":       sync.OnceValues(func() (seed, error) { return newSeed("live") }),
}

func newSeed(dialect string) (s seed, err error) {
	dir, err := os.MkdirTemp("", "hearthline-e2e-folder-")
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env := []string{"PARTNER_DIALECT=" + dialect}
	d, err := runDemo(dir, env)
	if err != nil {
		return s, err
	}
	d.stop()
	if s.files, err = readFiles(dir); err != nil {
		return s, err
	}
	if d, err = runDemo(dir, env); err != nil {
		return s, err
	}
	if s.sessions, err = d.signInUsualPeople(); err == nil {
		s.sample, err = d.sampleInquiry(s.sessions["olivia@summit.test"].plain)
	}
	d.stop()
	if err != nil {
		return s, err
	}
	s.signedIn, err = readFiles(dir)
	return s, err
}

// sampleInquiry returns the form of a new inquiry that the demo has filled in.
func (d *demo) sampleInquiry(session string) (url.Values, error) {
	get, err := http.NewRequest(http.MethodGet, d.url+"/leads/new?sample=Rivera", http.NoBody)
	if err != nil {
		return nil, err
	}
	get.AddCookie(&http.Cookie{Name: sessionCookie, Value: session})
	res, err := http.DefaultClient.Do(get)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	doc, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		return nil, err
	}
	found := doc.Find(`form[method="post"][action="/leads"]`)
	if found.Length() == 0 {
		return nil, fmt.Errorf("GET %s: %s without a form", get.URL, res.Status)
	}
	return formOf(found).values, nil
}

func readFiles(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	files := map[string][]byte{}
	for _, entry := range entries {
		content, readErr := os.ReadFile(filepath.Join(dir, entry.Name()))
		files[entry.Name()], err = content, errors.Join(err, readErr)
	}
	return files, err
}

func writeFiles(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = storetest.TempDir(t)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// seededFolder returns a folder with the people and leads of a new demo, for startDemo. Nobody has signed in yet.
func seededFolder(t *testing.T) string {
	t.Helper()
	s, err := seeded["documented"]()
	if err != nil {
		t.Fatal(err)
	}
	return writeFiles(t, s.files)
}

// startSeeded runs a demo in a folder with the people and leads of a new demo. The usual people are signed in already:
// signIn uses their sessions.
func startSeeded(t *testing.T, env ...string) *demo {
	t.Helper()
	return startSeededDialect(t, "documented", env...)
}

// startSeededDialect is startSeeded in a dialect of the lender's interface.
func startSeededDialect(t *testing.T, dialect string, env ...string) *demo {
	t.Helper()
	s, err := seeded[dialect]()
	if err != nil {
		t.Fatal(err)
	}
	d := startDemo(t, s.signedInFolder(t), append(env, "PARTNER_DIALECT="+dialect)...)
	d.sessions = s.sessions
	return d
}

// signedInFolder returns a seed folder whose users appear to have just signed in, because sessions end and a
// step-up expires.
func (s seed) signedInFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = writeFiles(t, s.signedIn)
	now := time.Now()
	storetest.Exec(t, filepath.Join(dir, "portal.db"), `UPDATE sessions
		SET created_at = ?, last_seen_at = ?, stepped_up_at = ?, expires_at = ?`,
		store.Millis(now), store.Millis(now), store.Millis(now), store.Millis(now.Add(12*time.Hour)))
	return dir
}
