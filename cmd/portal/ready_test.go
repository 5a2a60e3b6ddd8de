package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

func TestReady_NothingCouldBeSaved_NotReady(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoil func(p *portal)
		cause string // empty if it stays ready
	}{
		"nothing":            {func(*portal) {}, ""},
		"little free space":  {func(p *portal) { p.cfg.Portal.MinFree = math.MaxUint64 }, "PORTAL_MIN_FREE"},
		"database locked":    {func(p *portal) { storetest.LockWriter(t, p.cfg.Data+"/portal.db") }, "locked"},
		"no journal file":    {func(p *portal) { _ = p.journalFile.Close() }, "journal file"},
		"database is closed": {func(p *portal) { _ = p.store.Close() }, "closed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &portal{}
			p.cfg.Data = t.TempDir()
			var err error
			if p.store, err = store.Open(t.Context(), filepath.Join(p.cfg.Data, "portal.db"), store.Options{}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = p.store.Close() })
			if p.journalFile, err = journal.OpenFile(filepath.Join(p.cfg.Data, "portal.journal")); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = p.journalFile.Close() })
			tt.spoil(p)
			err = p.ready(t.Context())
			if (err == nil) != (tt.cause == "") || err != nil && !strings.Contains(err.Error(), tt.cause) {
				t.Errorf("got %v, want %q", err, tt.cause)
			}
		})
	}
}
