package core

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// licenseReader is the database or a transaction.
type licenseReader interface {
	LicensesOf(ctx context.Context, holder string) ([]lead.License, error)
}

// LicenseStatus returns what is known about the right of a holder to act in a state.
func LicenseStatus(ctx context.Context, from licenseReader, holder, state string) (lead.LicenseStatus, error) {
	all, err := from.LicensesOf(ctx, holder)
	return lead.LicenseStatusIn(state, all), err
}

// CheckMayActIn reports whether the originator may act in a state: false only when somebody has recorded that they
// may not.
func CheckMayActIn(ctx context.Context, from licenseReader, originator heloc.OriginatorID, state string) (bool, error) {
	status, err := LicenseStatus(ctx, from, string(originator), state)
	return status != lead.LicenseMissing, err
}

// RequireLicense returns an error for a control when somebody has recorded that this user may not act in the state in
// their own name. An empty state is always allowed.
func (d Desk) RequireLicense(ctx context.Context, state, control string) error {
	may, err := CheckMayActIn(ctx, d.Store, heloc.OriginatorID(d.Actor.OriginatorUUID), state)
	if err == nil && !may {
		err = fault.InvalidFields(fault.Field{Name: control,
			Message: "You aren’t licensed in this state. A licensed colleague must start the inquiry"})
	}
	return err
}
