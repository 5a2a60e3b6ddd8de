package store

import (
	"context"
	"strconv"
	"time"

	"hearthline/internal/store/internal/sqldb"
)

// backupTime is the setting that records when a backup was made, in milliseconds.
const backupTime = "backup.at"

// Backup writes a consistent copy of the database to a file that must not exist, while the portal keeps running and
// writing, or returns ErrOwnBackup. Sealed columns stay sealed in the copy, which only this operating-system user can
// read. After a failure there is no file, even if the process was killed.
func (s *Store) Backup(ctx context.Context, path string) error {
	at := Millis(s.now())
	return sqldb.Backup(ctx, s.database, path, func(ctx context.Context, copied *sqldb.DB) error {
		return newStore(copied, s.Options).Write(ctx, func(tx *Tx) error {
			return tx.SaveSetting(ctx, backupTime, strconv.FormatInt(at, 10))
		})
	})
}

// BackupTime returns when a backup was made. For a database that Backup did not make, it is the time of the newest
// audit entry, and exact is false.
func (q queries) BackupTime(ctx context.Context) (at time.Time, exact bool, err error) {
	text, err := q.Setting(ctx, backupTime)
	if err != nil {
		return time.Time{}, false, err
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Instant(ms), true, nil
	}
	ms, err := get[int64](ctx, q, `SELECT coalesce((SELECT at FROM audit ORDER BY seq DESC LIMIT 1), 0)`)
	return Instant(ms), false, err
}
