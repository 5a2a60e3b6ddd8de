package intake

import (
	"hearthline/internal/access"
	"hearthline/internal/lead"
)

// CheckConsent returns the error of a consent that Start would refuse, for a form that has other errors too.
func (in *Intake) CheckConsent(c lead.ConsentForm) error {
	if err := in.d.May(access.StartInquiry); err != nil {
		return err
	}
	_, err := in.d.CheckConsent(c)
	return err
}
