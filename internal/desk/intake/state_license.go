package intake

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/lead"
)

// StateLicense says whether an originator may act in a state, and which colleagues may instead.
type StateLicense struct {
	State              string
	Own                lead.LicenseStatus
	Company            lead.LicenseStatus
	LicensedColleagues []lead.Originator // colleagues who have a license there
}

// License returns what is known about this user's own license in a state, before they type any borrower data.
func (in *Intake) License(ctx context.Context, state string) (StateLicense, error) {
	if err := in.d.May(access.StartInquiry); err != nil {
		return StateLicense{}, err
	}
	d, l := in.d, StateLicense{State: state}
	var err error
	if l.Own, err = core.LicenseStatus(ctx, d.Store, d.Actor.OriginatorUUID, state); err != nil {
		return l, err
	}
	if l.Company, err = core.LicenseStatus(ctx, d.Store, d.Actor.BrokerID, state); err != nil {
		return l, err
	}
	if l.Own == lead.LicenseHeld {
		return l, nil
	}
	colleagues, err := d.Colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	if err != nil {
		return l, err
	}
	for _, o := range colleagues {
		status, err := core.LicenseStatus(ctx, d.Store, string(o.UUID), state)
		if err != nil {
			return l, err
		}
		other := o.RemovedAt == 0 && string(o.UUID) != d.Actor.OriginatorUUID
		if status == lead.LicenseHeld && other && len(l.LicensedColleagues) < 3 {
			l.LicensedColleagues = append(l.LicensedColleagues, o)
		}
	}
	return l, nil
}
