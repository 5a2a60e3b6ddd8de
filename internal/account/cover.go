package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// CoverMail is an email to a covering originator.
type CoverMail struct {
	To      access.User
	Absence lead.Absence
	Before  string // the days of the absence before they changed; empty for no change
	By      string // who entered, changed or ended it; empty when an account was disabled or moved
}

func (s *Service) coverOf(m CoverMail) mail.Cover {
	return mail.Cover{To: m.To.Email, Name: m.To.Name, Absent: m.Absence.Name, By: m.By, Days: m.Absence.Days(),
		FormerDays: m.Before, AbsencesURL: s.pageURL("/team/absences")}
}

// SendCoverAsked emails a user that they are to cover, in the transaction that records it.
func (s *Service) SendCoverAsked(ctx context.Context, tx *store.Tx, m CoverMail) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.CoverAsked(s.coverOf(m)))
}

// SendCoverEnded emails the former deputy of an absence that they no longer cover, in the transaction that records it,
// unless their own account is closed. By is who ended it, or empty when an account was closed or moved.
func (s *Service) SendCoverEnded(ctx context.Context, tx *store.Tx, of lead.Absence, by string) error {
	deputy, err := tx.User(ctx, of.DeputyID)
	if fault.Is(err, fault.NotFound) || err == nil && deputy.Disabled {
		return nil
	}
	if err != nil {
		return err
	}
	return enqueueMail(ctx, s, tx, store.MailMessage,
		mail.CoverEnded(s.coverOf(CoverMail{To: deputy, Absence: of, By: by})))
}

// Close closes an account in the name of by, and emails everyone whose cover for the user ends.
func (s *Service) Close(ctx context.Context, tx *store.Tx, by access.Actor, userID string) error {
	if err := tx.CloseUser(ctx, by, userID); err != nil {
		return err
	}
	return s.SendCoversEnded(ctx, tx)
}

// SendCoversEnded emails everyone whose cover ended because this transaction closed the absent user's account, or moved
// it to another company.
func (s *Service) SendCoversEnded(ctx context.Context, tx *store.Tx) error {
	for _, of := range tx.CoversEnded {
		if err := s.SendCoverEnded(ctx, tx, of, ""); err != nil {
			return err
		}
	}
	return nil
}
