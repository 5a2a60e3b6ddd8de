package store

import (
	"context"
	"strconv"

	"hearthline/internal/lead"
)

// NotifyOfAbsence stores a notification about an absence. It sets its company, time and key.
func (tx *Tx) NotifyOfAbsence(ctx context.Context, of lead.Absence, n lead.Notice) error {
	n.Company, n.At = of.Company, Millis(tx.now())
	n.DedupKey = absenceKey(of) + string(n.Kind) + " " + strconv.FormatInt(n.At, 10)
	_, err := tx.Notify(ctx, n)
	return err
}

// absenceKey begins the keys of the notifications about an absence, by which they are found again whatever they say.
func absenceKey(of lead.Absence) string { return "absence " + of.ID + " " }

// DropCoverNotices deletes the notifications that ask the deputy of an absence to cover on its days.
func (tx *Tx) DropCoverNotices(ctx context.Context, of lead.Absence) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE user_id = ? AND company = ? AND kind = ? AND dedup_key LIKE ?`,
		of.DeputyID, of.Company, lead.NoticeDeputy, absenceKey(of)+"%")
}

// DropAbsenceNotices deletes the notifications that tell the absent user who covers on the days of an absence, or that
// nobody does.
func (tx *Tx) DropAbsenceNotices(ctx context.Context, of lead.Absence) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE user_id = ? AND company = ? AND kind IN (?, ?, ?)
		AND dedup_key LIKE ?`,
		of.UserID, of.Company, lead.NoticeAbsence, lead.NoticeAbsenceChanged, lead.NoticeUncovered, absenceKey(of)+"%")
}

// ReadCoveredNotices marks the deputy's notifications about the leads that they covered as read: they ask for nothing
// that the deputy can still do. A manager still sees these leads.
func (tx *Tx) ReadCoveredNotices(ctx context.Context, of lead.Absence) error {
	return tx.exec(ctx, `UPDATE notifications SET read_at = ? WHERE user_id = ? AND company = ? AND read_at = 0
		AND NOT EXISTS (SELECT 1 FROM users m WHERE m.id = user_id AND m.role = 'manager')
		AND (app IN (SELECT app FROM leads WHERE originator = ? AND originator <> '') OR kind = ? AND about = ?)`,
		Millis(tx.now()), of.DeputyID, of.Company, of.Originator, lead.NoticeLeadsCovered, of.Originator)
}

// tellCoverEnded tells the deputy or the absent user that the account of the other one has closed or moved.
func (tx *Tx) tellCoverEnded(ctx context.Context, of lead.Absence, closed string) error {
	if err := tx.DropCoverNotices(ctx, of); err != nil {
		return err
	}
	if err := tx.DropAbsenceNotices(ctx, of); err != nil {
		return err
	}
	if of.DeputyID == closed {
		return tx.NotifyOfAbsence(ctx, of, lead.Notice{UserID: of.UserID, Kind: lead.NoticeUncovered,
			About: of.DeputyName + ", " + of.Days()})
	}
	if of.CoverEndsAt <= Millis(tx.now()) {
		return nil
	}
	if err := tx.ReadCoveredNotices(ctx, of); err != nil {
		return err
	}
	tx.CoversEnded = append(tx.CoversEnded, of)
	return tx.NotifyOfAbsence(ctx, of, lead.Notice{UserID: of.DeputyID, Kind: lead.NoticeCoverEnded,
		About: of.Name + ", " + of.Days()})
}
