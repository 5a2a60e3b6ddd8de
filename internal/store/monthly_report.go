package store

import "context"

// MonthlyReport reports whether a user receives the monthly summary by email.
func (q queries) MonthlyReport(ctx context.Context, userID string) (bool, error) {
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
func (q queries) MonthlyReportsBefore(ctx context.Context, month string, limit int) ([]string, error) {
	return list[string](ctx, q, monthlyReportsSQL, month, limit)
}

// ClaimMonthlyReport records that a user's summary of a month is written; false when it was written before.
func (tx *Tx) ClaimMonthlyReport(ctx context.Context, userID, month string) (bool, error) {
	return tx.changed(ctx, `UPDATE users SET monthly_report_of = ? WHERE id = ? AND monthly_report = 1
		AND monthly_report_of < ?`, month, userID, month)
}
