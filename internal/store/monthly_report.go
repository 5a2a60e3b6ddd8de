package store

import "context"

// MonthlyReport reports whether a user receives the monthly summary by email.
func (q queries) MonthlyReport(ctx context.Context, userID string) (bool, error) {
	var on bool
	return on, q.get(ctx, &on, `SELECT monthly_report FROM users WHERE id = ?`, userID)
}

// SetMonthlyReport turns a user's monthly summary on or off. The first one is about the month after last, "2026-10".
func (tx *Tx) SetMonthlyReport(ctx context.Context, userID string, on bool, last string) error {
	_, err := tx.exec(ctx, `UPDATE users SET monthly_report = ?, monthly_report_of = ? WHERE id = ? AND monthly_report <> ?`, on, last, userID, on)
	return err
}

const monthlyReportsSQL = `SELECT id FROM users WHERE monthly_report = 1 AND monthly_report_of < ? AND disabled_at = 0 ORDER BY monthly_report_of LIMIT ?`

// MonthlyReportsBefore lists users whose last summary was about a month before this one.
func (q queries) MonthlyReportsBefore(ctx context.Context, month string, limit int) ([]string, error) {
	var ids []string
	return ids, q.list(ctx, &ids, monthlyReportsSQL, month, limit)
}

// ClaimMonthlyReport records that a user's summary of a month is written; false when it was written before.
func (tx *Tx) ClaimMonthlyReport(ctx context.Context, userID, month string) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE users SET monthly_report_of = ? WHERE id = ? AND monthly_report = 1 AND monthly_report_of < ?`, month, userID, month)
	return n == 1, err
}
