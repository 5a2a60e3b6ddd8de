package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// CoverMail is an email to a covering originator.
type CoverMail struct {
	To      access.User
	Absence lead.Absence
	Before  string // the days of the absence before they changed; empty for no change
	By      string // who entered, changed or ended it; empty when an account was disabled
}

func (s *Service) coverOf(m CoverMail) mail.Cover {
	return mail.Cover{To: m.To.Email, Name: m.To.Name, Absent: m.Absence.Name, By: m.By, Days: m.Absence.Days(), FormerDays: m.Before, AbsencesURL: s.pageURL("/team/absences")}
}

// SendCoverAsked emails a user that they are to cover, in the transaction that records it.
func (s *Service) SendCoverAsked(ctx context.Context, tx *store.Tx, m CoverMail) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.CoverAsked(s.coverOf(m)))
}

// SendCoverEnded emails a user that they no longer cover, in the transaction that records it.
func (s *Service) SendCoverEnded(ctx context.Context, tx *store.Tx, m CoverMail) error {
	return enqueueMail(ctx, s, tx, store.MailMessage, mail.CoverEnded(s.coverOf(m)))
}
