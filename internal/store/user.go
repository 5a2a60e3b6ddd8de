package store

import (
	"cmp"
	"context"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// worksForSQL lists for whom an assistant u works, as access.Covers does: all originators of the company, or those of
// the chosen ones who belong to the company of u now and whose leads somebody can work on. It is read with every user,
// so that nobody sees the leads of an originator who has left.
var worksForSQL = `CASE WHEN u.role = 'assistant' THEN coalesce((SELECT string_agg(a.originator, ' '
	ORDER BY a.originator) FROM assisted_originators a LEFT JOIN originators ao ON ao.uuid = a.originator
	WHERE a.user_id = u.id AND (a.originator = '` + string(access.AllOriginators) + `'
		OR ao.broker_id = coalesce(o.broker_id, u.broker_id)
		AND (ao.broker_id <> '' OR ao.organization = coalesce(o.organization, u.organization))
		AND ` + canWorkSQL("a.originator") + ` = 1)), '') ELSE '' END AS works_for`

// userColumns are the columns of an access.User. They prefer the directory to the account's own values: a move to
// another broker company takes effect with the user's next request. Whom the user covers for is read only where a
// query adds coveringSQL.
var userColumns = `u.id AS user_id, u.email, u.name, u.role, u.originator AS originator_uuid, u.time_zone,
	u.session_epoch, u.shortcuts_off, u.plain_titles, u.opens_view,
	trim(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, '')) AS originator_name, coalesce(o.nmls, '') AS nmls,
	coalesce(o.broker_id, u.broker_id) AS broker_id, coalesce(o.broker_name, u.broker_name) AS broker_name,
	coalesce(o.organization, u.organization) AS organization, CASE WHEN u.disabled_at <> 0 THEN 1 ELSE 0 END AS disabled,
	u.reassigns, ` + worksForSQL

const userTables = `users u LEFT JOIN originators o ON o.uuid = u.originator AND u.originator <> ''`

var userSelect = `SELECT ` + userColumns + ` FROM ` + userTables

// UserByEmail finds a user and the hash of their password.
func (q Queries) UserByEmail(ctx context.Context, email string) (access.User, string, error) {
	type row struct {
		access.User
		PasswordHash string `db:"password_hash"`
	}
	r, err := get[row](ctx, q, `SELECT `+userColumns+`, u.password_hash FROM `+userTables+` WHERE u.email = ?`, email)
	return r.User, r.PasswordHash, err
}

// UserByOriginator finds the user with an open account for an originator.
func (q Queries) UserByOriginator(ctx context.Context, originator string) (access.User, error) {
	return get[access.User](ctx, q, userSelect+` WHERE u.originator = ? AND u.disabled_at = 0 LIMIT 1`, originator)
}

// HasOriginator reports whether any account, open or closed, belongs to an originator: a user whose account
// was closed cannot sign in another way.
func (q Queries) HasOriginator(ctx context.Context, originator string) (bool, error) {
	if originator == "" {
		return false, nil
	}
	return q.has(ctx, `SELECT count(*) FROM users WHERE originator = ?`, originator)
}

// checkSoleAccount returns an error when the originator has another open account.
func (tx *Tx) checkSoleAccount(ctx context.Context, userID, originator string) error {
	other, err := tx.has(ctx, `SELECT count(*) FROM users WHERE originator = ? AND originator <> ''
		AND disabled_at = 0 AND id <> ?`, originator, userID)
	if err == nil && other {
		return fault.New(fault.Conflict, "Another active account belongs to this originator. Disable that account first.")
	}
	return err
}

// User finds a user by id, with the originators that they cover for now.
func (q Queries) User(ctx context.Context, id string) (access.User, error) {
	now := Millis(q.now())
	return get[access.User](ctx, q, `SELECT `+userColumns+`, `+coveringSQL+` FROM `+userTables+` WHERE u.id = ?`,
		now, now, id)
}

// Users lists every account, by email.
func (q Queries) Users(ctx context.Context) ([]access.User, error) {
	return list[access.User](ctx, q, userSelect+` ORDER BY u.email`)
}

// AddUser stores a new account; fault.Conflict when the email is taken, or its originator has another open
// account.
func (s *Store) AddUser(ctx context.Context, user access.User, passwordHash string) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.AddUser(ctx, user, passwordHash) })
}

// AddUser stores a new account; fault.Conflict when the email is taken, or its originator has another open
// account.
func (tx *Tx) AddUser(ctx context.Context, user access.User, passwordHash string) error {
	if err := tx.checkSoleAccount(ctx, user.UserID, user.OriginatorUUID); err != nil {
		return err
	}
	err := tx.exec(ctx, `INSERT INTO users (id, email, name, role, password_hash, originator, broker_id, broker_name,
		organization, time_zone, created_at, reassigns)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, user.UserID, user.Email, user.Name, user.Role, passwordHash,
		user.OriginatorUUID,
		user.BrokerID, user.BrokerName, user.Organization, user.TimeZone, Millis(tx.now()), user.Reassigns)
	if err != nil {
		return tx.unlessTaken(err, "Another account has this email.")
	}
	if err := tx.addWorksFor(ctx, user.UserID, user.WorksFor); err != nil {
		return err
	}
	return tx.auditUser(ctx, ActionUserAdd, user.UserID, string(user.Role))
}

// SetAssistant chooses, in the name of by, for whom an assistant works and whether they may reassign leads. Their next
// request sees it.
func (tx *Tx) SetAssistant(ctx context.Context, by access.Actor, userID string, worksFor access.Covers,
	reassigns bool) error {
	detail := "originators:" + strconv.Itoa(len(worksFor.All()))
	if worksFor == access.AllOriginators {
		detail = "originators:all"
	}
	if reassigns {
		detail += " reassigns"
	}
	return cmp.Or(
		tx.changeUser(ctx, by, AuditEntry{Action: ActionUserAssists, Object: "user:" + userID, Detail: detail},
			`UPDATE users SET reassigns = ? WHERE id = ? AND disabled_at = 0 AND role = ?`, reassigns, userID,
			access.Assistant),
		tx.exec(ctx, `DELETE FROM assisted_originators WHERE user_id = ?`, userID),
		tx.addWorksFor(ctx, userID, worksFor))
}

func (tx *Tx) addWorksFor(ctx context.Context, userID string, worksFor access.Covers) error {
	for _, originator := range worksFor.All() {
		if err := tx.exec(ctx, `INSERT INTO assisted_originators (user_id, originator) VALUES (?, ?)`, userID,
			originator); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) auditUser(ctx context.Context, act AuditAction, userID, detail string) error {
	return tx.Audit(ctx, AuditEntry{ActorID: "system", Action: act, Object: "user:" + userID, Outcome: "done",
		Detail: detail})
}

// AuditOwn audits what a user did to their own account.
func (tx *Tx) AuditOwn(ctx context.Context, userID string, act AuditAction, detail string) error {
	return tx.Audit(ctx, AuditEntry{ActorID: userID, Action: act, Object: "user:" + userID, Outcome: "done",
		Detail: detail})
}

// SetPassword replaces a user's password hash; an empty one removes the password.
func (tx *Tx) SetPassword(ctx context.Context, userID, hash string) error {
	return tx.exec(ctx, `UPDATE users SET password_hash = ? WHERE id = ?`, hash, userID)
}

func noAccount() error { return fault.New(fault.NotFound, "This account doesn’t exist.") }

// SetEmail gives an open account another email; fault.Conflict when another account has it.
func (tx *Tx) SetEmail(ctx context.Context, userID, email string) error {
	err := tx.mustChange(ctx, noAccount(), `UPDATE users SET email = ? WHERE id = ? AND disabled_at = 0`, email, userID)
	return tx.unlessTaken(err, "Another account has this email.")
}

// SetTimeZone stores the IANA name of the time zone in which times are displayed to a user.
func (tx *Tx) SetTimeZone(ctx context.Context, userID, zone string) error {
	return tx.exec(ctx, `UPDATE users SET time_zone = ? WHERE id = ?`, zone, userID)
}

// SetPlainTitles stores whether the titles of a user's pages name leads by their short ID.
func (tx *Tx) SetPlainTitles(ctx context.Context, userID string, plain bool) error {
	return tx.exec(ctx, `UPDATE users SET plain_titles = ? WHERE id = ?`, plain, userID)
}

// SetShortcutsOff stores whether a user has turned off single-key shortcuts.
func (tx *Tx) SetShortcutsOff(ctx context.Context, userID string, off bool) error {
	return tx.exec(ctx, `UPDATE users SET shortcuts_off = ? WHERE id = ?`, off, userID)
}

// UserNames returns the names of accounts, also disabled ones: id → name.
func (q Queries) UserNames(ctx context.Context, ids []string) (map[string]string, error) {
	return mapOf[string, string](ctx, q, `SELECT id, name FROM users WHERE id IN `+placeholders(len(ids)), toAny(ids)...)
}

// PasswordHash reads the hash of a user's password, empty when they have none.
func (q Queries) PasswordHash(ctx context.Context, userID string) (string, error) {
	return get[string](ctx, q, `SELECT password_hash FROM users WHERE id = ?`, userID)
}

// RefreshPassword replaces a password hash by another hash of the same password; sessions continue. It does
// nothing when the password has changed meanwhile.
func (s *Store) RefreshPassword(ctx context.Context, userID, before, hash string) error {
	return s.Write(ctx, func(tx *Tx) error {
		replaced, err := tx.changed(ctx, `UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?
			AND disabled_at = 0`, hash, userID, before)
		if err != nil || !replaced {
			return err
		}
		return tx.auditUser(ctx, ActionUserRehash, userID, "")
	})
}

// SetUserRole changes the role from the command line, also of a closed account; the next request sees it.
func (s *Store) SetUserRole(ctx context.Context, userID string, role access.Role) error {
	return s.Write(ctx, func(tx *Tx) error {
		if err := cmp.Or(tx.endForRoleChange(ctx, userID),
			tx.mustChange(ctx, noAccount(), `UPDATE users SET role = ? WHERE id = ?`, role, userID),
			tx.auditUser(ctx, ActionUserRole, userID, string(role))); err != nil {
			return err
		}
		return tx.leaveLeads(ctx, access.Operator().Actor, userID)
	})
}

// endForRoleChange prepares a user for another role. It ends what they have in progress and their sessions in
// CRM frames, which a new launch restarts with one click. Sessions of the portal itself continue, under a new
// token from their next request; an earlier step-up in them no longer counts.
func (tx *Tx) endForRoleChange(ctx context.Context, userID string) error {
	return cmp.Or(
		tx.execEach(ctx, []any{userID}, `UPDATE sessions SET stepped_up_at = 0 WHERE user_id = ?`,
			`DELETE FROM sessions WHERE user_id = ? AND client <> ''`),
		tx.EndLaunchesOf(ctx, userID), tx.EndPending(ctx, userID, ""))
}

// AccountCreatedAt is when a user's account was created.
func (q Queries) AccountCreatedAt(ctx context.Context, userID string) (int64, error) {
	return get[int64](ctx, q, `SELECT created_at FROM users WHERE id = ?`, userID)
}

// MarkUpdatesSeen records that a user has dismissed the updates.
func (s *Store) MarkUpdatesSeen(ctx context.Context, userID string) error {
	return s.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `UPDATE users SET updates_seen_at = ? WHERE id = ?`, Millis(tx.now()), userID)
	})
}

// CalendarFeedCreated returns when a user's calendar feed got its current URL, in milliseconds; 0 without a feed.
func (q Queries) CalendarFeedCreated(ctx context.Context, userID string) (int64, error) {
	return get[int64](ctx, q, `SELECT calendar_created_at FROM users WHERE id = ?`, userID)
}

// UserByCalendarFeed finds the user with an open account to whom the hash of a feed's token belongs.
// fault.NotFound when there is none.
func (q Queries) UserByCalendarFeed(ctx context.Context, tokenHash string) (access.User, error) {
	return get[access.User](ctx, q, userSelect+` WHERE u.calendar_token_hash = ? AND u.calendar_token_hash <> ''
		AND u.disabled_at = 0`, tokenHash)
}

// SaveCalendarFeed gives a user's feed another token, so that the previous URL ends.
func (tx *Tx) SaveCalendarFeed(ctx context.Context, userID, tokenHash string) error {
	return tx.exec(ctx, `UPDATE users SET calendar_token_hash = ?, calendar_created_at = ? WHERE id = ?`,
		tokenHash, Millis(tx.now()), userID)
}

// EndCalendarFeed deletes a user's feed and reports whether there was one.
func (tx *Tx) EndCalendarFeed(ctx context.Context, userID string) (bool, error) {
	return tx.changed(ctx, `UPDATE users SET calendar_token_hash = '', calendar_created_at = 0
		WHERE id = ? AND calendar_token_hash <> ''`, userID)
}

// MonthlyReport reports whether a user receives the monthly summary by email.
func (q Queries) MonthlyReport(ctx context.Context, userID string) (bool, error) {
	return get[bool](ctx, q, `SELECT monthly_report FROM users WHERE id = ?`, userID)
}

// SetMonthlyReport turns a user's monthly summary on or off. The first one is about the month after last, "2026-10".
func (tx *Tx) SetMonthlyReport(ctx context.Context, userID string, on bool, last string) error {
	return tx.exec(ctx, `UPDATE users SET monthly_report = ?, monthly_report_of = ? WHERE id = ? AND monthly_report <> ?`,
		on, last, userID, on)
}

const monthlyReportsSQL = `SELECT id FROM users WHERE monthly_report = 1 AND monthly_report_of < ? AND disabled_at = 0
	ORDER BY monthly_report_of LIMIT ?`

// MonthlyReportsBefore lists users whose last summary was about a month before this one.
func (q Queries) MonthlyReportsBefore(ctx context.Context, month string, limit int) ([]string, error) {
	return list[string](ctx, q, monthlyReportsSQL, month, limit)
}

// ClaimMonthlyReport records that a user's summary of a month is written; false when it was written before.
func (tx *Tx) ClaimMonthlyReport(ctx context.Context, userID, month string) (bool, error) {
	return tx.changed(ctx, `UPDATE users SET monthly_report_of = ? WHERE id = ? AND monthly_report = 1
		AND monthly_report_of < ?`, month, userID, month)
}
