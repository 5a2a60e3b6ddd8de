package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Staff lists every account, open ones first, by name.
func (q Queries) Staff(ctx context.Context) ([]access.Staff, error) {
	return list[access.Staff](ctx, q, `SELECT `+userColumns+`, u.created_at, u.disabled_at, u.signed_in_at,
		CASE WHEN o.removed_at <> 0 THEN 1 ELSE 0 END AS not_in_directory,
		CASE WHEN EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = u.id)
		OR EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id) THEN 0 ELSE 1 END AS one_factor,
		coalesce((SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id), 0) AS last_seen_at,
		`+outUntil+` AS out_until
		FROM `+userTables+` ORDER BY CASE WHEN u.disabled_at = 0 THEN 0 ELSE 1 END, u.name, u.id`)
}

// DisabledBy reads who disabled some accounts, by the account's id, as far as the audit knows.
func (q Queries) DisabledBy(ctx context.Context, ids []string) (map[string]AuditEntry, error) {
	// It is the first entry since shortly before the account was disabled, because the two were written in one
	// transaction.
	rows, err := list[AuditEntry](ctx, q, `SELECT `+auditColumns+` FROM audit
			WHERE seq IN (SELECT (SELECT min(b.seq) FROM audit b
			WHERE b.object = 'user:' || u.id AND b.action = ? AND b.at >= u.disabled_at - 60000)
		FROM users u WHERE u.id IN `+placeholders(len(ids))+` AND u.disabled_at <> 0)`,
		append([]any{ActionUserDisable}, toAny(ids)...)...)
	return byKey(rows, func(a AuditEntry) string { return strings.TrimPrefix(a.Object, "user:") }), err
}

// OpenLeadsOf lists the leads of an originator that have not ended, for the system itself.
func (q Queries) OpenLeadsOf(ctx context.Context, originator heloc.OriginatorID) ([]lead.Row, error) {
	if originator == "" {
		return nil, nil
	}
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE originator = ? AND lane <> 'ended'
		ORDER BY due_sort, app`, originator)
}

// SignOut ends a user's sessions and everything they have in progress, on behalf of by, and returns the
// number of sessions. The account does not change.
func (tx *Tx) SignOut(ctx context.Context, by access.Actor, userID string) (int64, error) {
	ended, err := tx.EndSessionsOf(ctx, userID, "")
	if err != nil {
		return 0, err
	}
	if err := tx.EndPending(ctx, userID, ""); err != nil {
		return 0, err
	}
	return ended, tx.auditUserChange(ctx, by, AuditEntry{Action: ActionUserSignOut, Object: "user:" + userID})
}

// ReopenUser reopens a closed account, with its password and factors unchanged, and returns the leads of its originator
// that nobody has received since. fault.Conflict when its originator has another open account by now.
func (tx *Tx) ReopenUser(ctx context.Context, by access.Actor, userID string) error {
	user, err := tx.User(ctx, userID)
	if err != nil {
		return err
	}
	if err := tx.checkSoleAccount(ctx, userID, user.OriginatorUUID); err != nil {
		return err
	}
	if err := cmp.Or(
		tx.changeUser(ctx, by, AuditEntry{Action: ActionUserReopen, Object: "user:" + userID},
			`UPDATE users SET disabled_at = 0, absent_at = 0 WHERE id = ? AND disabled_at <> 0`, userID),
		tx.dropDepartedNotices(ctx, userID)); err != nil {
		return err
	}
	id := heloc.OriginatorID(user.OriginatorUUID)
	if can, err := tx.CanWorkOnLeads(ctx, id); id == "" || err != nil || !can {
		return err
	}
	_, err = tx.ReturnLeads(ctx, by.UserID, id, tx.now(), everyLead)
	if fault.Is(err, fault.NotFound) {
		return nil // the directory does not know the originator, who then has no leads
	}
	return err
}

// ChangeRole changes a user's role on behalf of by; the user's next request sees it.
func (tx *Tx) ChangeRole(ctx context.Context, by access.Actor, userID string, role access.Role) error {
	return cmp.Or(tx.endForRoleChange(ctx, userID),
		tx.changeUser(ctx, by, AuditEntry{Action: ActionUserRole, Object: "user:" + userID, Detail: string(role)},
			`UPDATE users SET role = ? WHERE id = ? AND disabled_at = 0`, role, userID),
		tx.leaveLeads(ctx, by, userID))
}

// changeUser runs the statement of a change of an account, and audits it; fault.Conflict when no account was changed.
func (tx *Tx) changeUser(ctx context.Context, by access.Actor, a AuditEntry, query string, args ...any) error {
	if err := tx.mustChange(ctx, accountChanged(), query, args...); err != nil {
		return err
	}
	return tx.auditUserChange(ctx, by, a)
}

func accountChanged() error {
	return fault.New(fault.Conflict, "This account changed in the meantime. Reload the page.")
}

// auditUserChange audits a change of an account.
func (tx *Tx) auditUserChange(ctx context.Context, by access.Actor, a AuditEntry) error {
	a.ActorID, a.Outcome = by.UserID, "done"
	if by.UserID != access.Operator().UserID {
		a.Company = by.Company()
	}
	return tx.Audit(ctx, a)
}

// JobStates counts the rows of a job by state, for users who may not see the leads.
func (q Queries) JobStates(ctx context.Context, jobID string) (map[lead.JobRowState]int, error) {
	return mapOf[lead.JobRowState, int](ctx, q, `SELECT state, count(*) FROM job_rows WHERE job_id = ?
		GROUP BY state`, jobID)
}

// CompanyBrand is what a broker company puts on pages for borrowers. Nothing in it is confidential.
type CompanyBrand struct {
	Company    string `db:"company"` // as access.CompanyOf names it
	Color      string `db:"color"`   // "1d5b4f"; "" for none
	LogoDigest string `db:"logo_digest"`
	LogoWidth  int    `db:"logo_width"` // pixels
	LogoHeight int    `db:"logo_height"`
	SetBy      string `db:"set_by"`
	At         int64  `db:"at"`
	Logo       []byte `db:"logo"` // PNG; read only by CompanyLogo
}

const brandColumns = `company, color, logo_digest, logo_width, logo_height, set_by, at`

// SaveCompanyBrand writes a brand with its logo and replaces any stored one.
func (tx *Tx) SaveCompanyBrand(ctx context.Context, b CompanyBrand) error {
	return tx.upsert(ctx, "company_brands", `company`, brandColumns+`, logo`, b)
}

// DropCompanyBrand deletes a brand.
func (tx *Tx) DropCompanyBrand(ctx context.Context, company string) error {
	return tx.exec(ctx, `DELETE FROM company_brands WHERE company = ?`, company)
}

// CompanyBrand reads a company's brand without the logo; the zero value when it has none.
func (q Queries) CompanyBrand(ctx context.Context, company string) (CompanyBrand, error) {
	return findOrZero[CompanyBrand](ctx, q, `SELECT `+brandColumns+` FROM company_brands WHERE company = ?`, company)
}

// CompanyBrands lists all brands without their logos, by company.
func (q Queries) CompanyBrands(ctx context.Context) ([]CompanyBrand, error) {
	return list[CompanyBrand](ctx, q, `SELECT `+brandColumns+` FROM company_brands ORDER BY company`)
}

// CompanyLogo reads a logo by its digest; fault.NotFound when no company has it.
func (q Queries) CompanyLogo(ctx context.Context, digest string) ([]byte, error) {
	return get[[]byte](ctx, q, `SELECT logo FROM company_brands WHERE logo_digest = ? AND logo_digest <> ''
		LIMIT 1`, digest)
}

const licenseColumns = `holder, state, party, number, allowed, set_by, at, expires_on`

// SaveLenderLicenses stores licenses that the lender reported. It does not write one that is already stored,
// and it does not change one that a user set.
func (tx *Tx) SaveLenderLicenses(ctx context.Context, reported ...lead.License) error {
	if len(reported) == 0 {
		return nil
	}
	reported = slices.Clone(reported)
	for i := range reported {
		reported[i].Allowed, reported[i].SetBy = true, ""
	}
	return tx.execNamed(ctx, insertSQL("licenses", licenseColumns)+` ON CONFLICT (holder, state) DO UPDATE SET `+
		assignments(licenseColumns, `holder, state`, "excluded.")+`
		WHERE licenses.set_by = '' AND (licenses.number <> excluded.number OR licenses.allowed <> 1)`, reported)
}

// SaveLicense writes a license and replaces any stored one.
func (tx *Tx) SaveLicense(ctx context.Context, l lead.License) error {
	return tx.upsert(ctx, "licenses", `holder, state`, licenseColumns, l)
}

// DropLicense deletes a license, so that nothing is known about this holder and state.
func (tx *Tx) DropLicense(ctx context.Context, holder, state string) error {
	return tx.exec(ctx, `DELETE FROM licenses WHERE holder = ? AND state = ?`, holder, state)
}

// LicensesOf lists the licenses of one holder, by state.
func (q Queries) LicensesOf(ctx context.Context, holder string) ([]lead.License, error) {
	if holder == "" {
		return nil, nil
	}
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses WHERE holder = ? ORDER BY state`, holder)
}

// Licenses lists all licenses, by holder and state.
func (q Queries) Licenses(ctx context.Context) ([]lead.License, error) {
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses ORDER BY holder, state`)
}

// LicensesWithin lists what is known about the licenses of the originators within a scope.
func (q Queries) LicensesWithin(ctx context.Context, scope access.Scope) ([]lead.License, error) {
	where, args := originatorScopeCondition(scope)
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses
		WHERE holder IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY holder, state`, args...)
}
