package store

import (
	"context"
	"maps"
	"slices"
	"time"
)

const (
	staticFilesRenewed = 24 * time.Hour
	staticFilesKept    = 30 * 24 * time.Hour // after the last start of a release that has them
)

// SaveStaticFiles keeps the style sheets and scripts of this release, by URL, for the portals of other releases on the
// database. It deletes those of releases that were last started long ago.
func (s *Store) SaveStaticFiles(ctx context.Context, files map[string][]byte) error {
	now := s.now()
	fresh, err := list[string](ctx, s.queries, `SELECT url FROM static_files WHERE used_at > ?`,
		Millis(now.Add(-staticFilesRenewed)))
	if err != nil {
		return err
	}
	missing := maps.Clone(files)
	for _, url := range fresh {
		delete(missing, url)
	}
	if len(missing) == 0 {
		return nil
	}
	return s.Write(ctx, func(tx *Tx) error {
		if err := tx.exec(ctx, `DELETE FROM static_files WHERE used_at < ?`, Millis(now.Add(-staticFilesKept))); err != nil {
			return err
		}
		for _, url := range slices.Sorted(maps.Keys(missing)) {
			if err := tx.exec(ctx, `INSERT INTO static_files (url, body, used_at) VALUES (?, ?, ?) ON CONFLICT (url) DO UPDATE
				SET used_at = excluded.used_at`,
				url, files[url], Millis(now)); err != nil {
				return err
			}
		}
		return nil
	})
}

// StaticFile returns what SaveStaticFiles kept, or a NotFound error.
func (q queries) StaticFile(ctx context.Context, url string) ([]byte, error) {
	return get[[]byte](ctx, q, `SELECT body FROM static_files WHERE url = ?`, url)
}
