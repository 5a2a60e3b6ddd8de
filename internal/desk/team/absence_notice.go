package team

import (
	"context"

	"hearthline/internal/account"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// announce audits an absence that was entered or changed, and notifies the absent user and the deputies, except the
// user who did it. Before is the absence as it was, without an ID for a new one. What the former notifications promised
// no longer holds, so the new ones replace them.
func (a *Absences) announce(ctx context.Context, tx *store.Tx, before, next lead.Absence) error {
	told := lead.NoticeAbsence
	if before.ID != "" {
		told = lead.NoticeAbsenceChanged
	}
	newDeputy := before.DeputyID != next.DeputyID || before.CoverEndsAt < before.EndsAt
	if newDeputy || before.Days() != next.Days() {
		if before.ID != "" {
			if err := a.withdrawCover(ctx, tx, before, newDeputy); err != nil {
				return err
			}
			if err := tx.DropAbsenceNotices(ctx, before); err != nil {
				return err
			}
		}
		if err := a.tell(ctx, tx, next, next.DeputyID, lead.NoticeDeputy, next.Name+", "+next.Days()); err != nil {
			return err
		}
		former := ""
		if !newDeputy {
			former = before.Days()
		}
		if err := a.emailCoverAsked(ctx, tx, next, former); err != nil {
			return err
		}
		if err := a.tell(ctx, tx, next, next.UserID, told, next.DeputyName+", "+next.Days()); err != nil {
			return err
		}
	}
	return a.audit(ctx, tx, store.ActionAbsence, next,
		"deputy:"+next.DeputyID+" "+string(next.FirstDay)+" "+string(next.LastDay))
}

// announceEnd notifies the deputy and the absent user that an absence was ended early or deleted.
func (a *Absences) announceEnd(ctx context.Context, tx *store.Tx, of lead.Absence, kind lead.NoticeKind) error {
	if err := a.withdrawCover(ctx, tx, of, true); err != nil {
		return err
	}
	if err := tx.DropAbsenceNotices(ctx, of); err != nil {
		return err
	}
	return a.tell(ctx, tx, of, of.UserID, kind, of.Days())
}

// withdrawCover drops the notification that asked the deputy to cover and, unless they still cover on other days, tells
// them that they no longer do.
func (a *Absences) withdrawCover(ctx context.Context, tx *store.Tx, of lead.Absence, ended bool) error {
	if err := tx.DropCoverNotices(ctx, of); err != nil || !ended || of.CoverEndsAt <= store.Millis(a.d.Now()) {
		return err
	}
	if err := tx.ReadCoveredNotices(ctx, of); err != nil {
		return err
	}
	if err := a.tell(ctx, tx, of, of.DeputyID, lead.NoticeCoverEnded, of.Name+", "+of.Days()); err != nil ||
		of.DeputyID == a.d.Actor.UserID {
		return err
	}
	return a.d.Accounts.SendCoverEnded(ctx, tx, of, a.d.Actor.Name)
}

// emailCoverAsked emails the deputy of an absence, unless they are the user. Former is the days before a change of
// them.
func (a *Absences) emailCoverAsked(ctx context.Context, tx *store.Tx, of lead.Absence, former string) error {
	if of.DeputyID == a.d.Actor.UserID {
		return nil
	}
	deputy, err := tx.User(ctx, of.DeputyID)
	if err != nil {
		return err
	}
	return a.d.Accounts.SendCoverAsked(ctx, tx,
		account.CoverMail{To: deputy, Absence: of, Before: former, By: a.d.Actor.Name})
}

func (a *Absences) tell(ctx context.Context, tx *store.Tx, of lead.Absence, who string, kind lead.NoticeKind,
	about string) error {
	if who == a.d.Actor.UserID {
		return nil
	}
	return tx.NotifyOfAbsence(ctx, of, lead.Notice{UserID: who, Kind: kind, About: about, ByName: a.d.Actor.Name})
}
