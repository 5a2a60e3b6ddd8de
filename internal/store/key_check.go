package store

import (
	"context"
	"errors"
)

// ErrOtherKeys is returned when the keys do not belong to the database.
var ErrOtherKeys = errors.New("store: the keys do not belong to the database")

// keyCheck is the setting that holds a MAC made with the database's keys.
const keyCheck = "keys.check"

func keyCheckParts() []string { return []string{"keys check"} }

// CheckKeys returns ErrOtherKeys if the database was written with keys other than those in the options. Keys that
// were rotated since still match. For a database without that MAC, the newest entry in its audit log is checked
// instead; a database that has neither was never used with any keys.
func (s *Store) CheckKeys(ctx context.Context) error {
	code, err := s.Setting(ctx, keyCheck)
	if err != nil {
		return err
	}
	if code != "" {
		if !s.verifyMAC(code, keyCheckParts()...) {
			return ErrOtherKeys
		}
		return nil
	}
	last, ok, err := find[AuditEntry](ctx, s.queries, `SELECT `+auditColumns+` FROM audit ORDER BY seq DESC LIMIT 1`)
	if err == nil && ok && !s.verifyMAC(last.MAC, last.parts()...) {
		err = ErrOtherKeys
	}
	return err
}

// BindKeys binds a database to the keys unless it is already bound. CheckKeys must have accepted the keys. BindKeys
// returns ErrOtherKeys if another process has bound the database to different keys in the meantime.
func (s *Store) BindKeys(ctx context.Context) error {
	if code, err := s.Setting(ctx, keyCheck); err != nil || code != "" {
		return err
	}
	err := s.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, keyCheck,
			tx.mac(keyCheckParts()...))
	})
	if err != nil {
		return err
	}
	return s.CheckKeys(ctx)
}

// UsedWithKeys reports whether the database was ever used with keys, so that new ones could not read it.
func (q queries) UsedWithKeys(ctx context.Context) (bool, error) {
	n, err := get[int](ctx, q, `SELECT (SELECT count(*) FROM settings WHERE name = ?)
		+ (SELECT count(*) FROM (SELECT seq FROM audit LIMIT 1) a)`, keyCheck)
	return n > 0, err
}
