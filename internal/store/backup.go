package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store/internal/dbcopy"
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
func (q Queries) BackupTime(ctx context.Context) (at time.Time, exact bool, err error) {
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

// ErrUsed is returned when a database cannot be replaced because a process has it open.
var ErrUsed = sqldb.ErrUsed

// CopyBackup checks that a file is a complete, undamaged SQLite database and copies it beside the database that it
// will replace. It returns the path of the copy, which Open can migrate, and which ReplaceWith puts in place. The
// copy of an earlier call is overwritten.
func CopyBackup(ctx context.Context, from, address string) (copied string, err error) {
	if err := sqldb.CheckFile(ctx, from); err != nil {
		return "", err
	}
	if address, err = realPath(address); err != nil {
		return "", err
	}
	copied = address + ".restoring"
	if err := sqldb.CopyFile(from, copied, address); err != nil {
		return "", errors.Join(err, sqldb.RemoveFile(copied))
	}
	return copied, nil
}

// DropCopy deletes a copy that CopyBackup has made, if it exists.
func DropCopy(copied string) error { return sqldb.RemoveFile(copied) }

// ReplaceWith replaces the database at an address with a closed copy made by CopyBackup, and keeps the old database
// under a new name in the same folder. A process that is killed during the call leaves one of the two databases in
// place, complete; only if the replaced one is damaged, it may leave none. It returns ErrUsed, and changes nothing,
// while somebody has either database open. replaced reports whether the copy is in place, even if there is an error.
func ReplaceWith(ctx context.Context, copied, address, kept string) (replaced bool, err error) {
	if err := sqldb.Detach(ctx, copied); err != nil {
		return false, err
	}
	path, err := realPath(address)
	if err != nil {
		return false, err
	}
	return sqldb.Replace(ctx, path, copied, filepath.Join(filepath.Dir(path), kept))
}

// realPath resolves links to a file. The file need not exist.
func realPath(path string) (string, error) {
	followed, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return followed, err
}

// Restored is what PrepareRestored has changed.
type Restored struct {
	Leads         int64 // due to be read from the lender
	Repulls       int64 // planned re-pulls that were stopped
	Reassignments int64 // of runs, likewise
}

// RestoredReason is why leads of a run were not reassigned.
const RestoredReason = "The database was restored from a backup"

// PrepareRestored prepares a restored database for use. It makes every lead due to be read from the lender, whose
// answers since the backup are missing. It stops whatever the portal would send to the lender without a user, because
// it may have been sent since: the users of planned re-pulls are notified when the portal starts, as after an
// interruption.
func (tx *Tx) PrepareRestored(ctx context.Context) (r Restored, err error) {
	now := Millis(tx.now())
	if err := tx.exec(ctx, `DELETE FROM settings WHERE name = ?`, backupTime); err != nil {
		return r, err
	}
	if r.Leads, err = tx.execRows(ctx, `UPDATE leads SET refresh_at = ?`, now); err != nil {
		return r, err
	}
	r.Repulls, err = tx.execRows(ctx, `UPDATE repulls SET state = ?, tried_at = 1, due_at = ? WHERE state = ?`,
		lead.RepullTrying, now, lead.RepullWaiting)
	if err != nil {
		return r, err
	}
	r.Reassignments, err = tx.execRows(ctx, `UPDATE job_rows SET state = ?, reason = ? WHERE state = ?
		AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.id = job_rows.op_id)`,
		lead.JobRowStopped, RestoredReason, lead.JobRowWaiting)
	return r, err
}

// NotInBackup is what the replaced database has and the restored one does not.
type NotInBackup struct {
	Operations []OperationState // that were sent, or whose outcome became known; oldest first
	Leads      []heloc.AppID
	Webhooks   []heloc.AppID // named by webhooks of the last days
}

// OperationState is what is known about an operation, without its content.
type OperationState struct {
	ID    string          `db:"id"`
	Kind  heloc.Operation `db:"kind"`
	App   heloc.AppID     `db:"app"` // empty if the operation has no lead
	State lead.OpState    `db:"state"`
}

// CompareReplaced compares the database at an address, of any release, with the restored one. The result is what
// could be read, even if there is an error.
func CompareReplaced(ctx context.Context, address string, restored *Store) (missing NotInBackup, err error) {
	db, err := connectExisting(ctx, address)
	if err != nil {
		return missing, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	replaced := Queries{conn: sqldb.Readers(db)}
	var failed [3]error
	missing.Operations, failed[0] = newOperations(ctx, replaced, restored.Queries)
	missing.Leads, failed[1] = newApps(ctx, replaced, restored.Queries, `SELECT app AS id, app FROM leads ORDER BY app`)
	missing.Webhooks, failed[2] = newApps(ctx, replaced, restored.Queries,
		`SELECT digest AS id, app FROM webhook_inbox ORDER BY received_at`)
	return missing, errors.Join(failed[:]...)
}

// newOperations lists the operations that were sent, according to one database, and that the other one does not have
// in the same state.
func newOperations(ctx context.Context, replaced, restored Queries) (missing []OperationState, err error) {
	known, err := mapOf[string, lead.OpState](ctx, restored, `SELECT id, state FROM operations`)
	if err != nil {
		return nil, err
	}
	all, err := list[OperationState](ctx, replaced, `SELECT id, kind, app, state FROM operations
		WHERE state <> ? ORDER BY created_at`, lead.OpNotSent)
	for _, op := range all {
		if known[op.ID] != op.State {
			missing = append(missing, op)
		}
	}
	return missing, err
}

// newApps lists, without duplicates, the applications of rows whose ids are in one database but not in the other.
func newApps(ctx context.Context, replaced, restored Queries, query string) (missing []heloc.AppID, err error) {
	known, err := mapOf[string, heloc.AppID](ctx, restored, query)
	if err != nil {
		return nil, err
	}
	type row struct {
		ID  string      `db:"id"`
		App heloc.AppID `db:"app"`
	}
	all, err := list[row](ctx, replaced, query)
	listed := map[heloc.AppID]bool{}
	for _, one := range all {
		if _, ok := known[one.ID]; !ok && !listed[one.App] {
			listed[one.App] = true
			missing = append(missing, one.App)
		}
	}
	return missing, err
}

// CopyOptions configure CopyTo.
type CopyOptions = dbcopy.Options

// Copied is what CopyTo has copied.
type Copied struct {
	Tables []dbcopy.Table // in the order of copying
	Audit  int            // verified rows of the audit
}

// Why a database is not copied.
var (
	ErrUnfinishedCopy = dbcopy.ErrUnfinished
	ErrTargetNotEmpty = dbcopy.ErrTargetNotEmpty
	ErrSourceChanged  = dbcopy.ErrSourceChanged
	ErrSourceInUse    = dbcopy.ErrSourceInUse
	ErrAuditBroken    = errors.New("the audit log does not verify: see portal audit verify")
)

// CopyTo copies everything into an empty database of either kind, and checks that both are the same then. Meanwhile
// nobody writes to this store; nobody should afterwards, because those changes are not in the copy. After a failure at
// any moment the next call continues; until then Open returns ErrUnfinishedCopy for the target.
func (s *Store) CopyTo(ctx context.Context, address string, options CopyOptions) (copied Copied, err error) {
	if copied.Audit, err = s.verifyAudit(ctx); err != nil {
		return Copied{}, err
	}
	target, err := sqldb.Connect(ctx, address)
	if err != nil {
		return Copied{}, fmt.Errorf("the new database %s cannot be opened: %w", AddressForDisplay(address), err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	copied.Tables, err = dbcopy.Copy(ctx, s.database, target, options, func(ctx context.Context) error {
		_, err := newStore(target, s.Options).verifyAudit(ctx)
		return err
	})
	return copied, err
}

// verifyAudit returns the number of rows of an intact audit.
func (s *Store) verifyAudit(ctx context.Context) (int, error) {
	_, rows, ok, err := s.BrokenAudit(ctx)
	if err == nil && !ok {
		err = ErrAuditBroken
	}
	return rows, err
}
