package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// MonthlyReport reports whether the user receives the monthly summary; offered is whether they may.
func (a *Account) MonthlyReport(ctx context.Context) (on, offered bool, err error) {
	if err := a.may(); err != nil || !a.d.Actor.Can(access.SeeTeam) {
		return false, false, err
	}
	on, err = a.d.Store.MonthlyReport(ctx, a.d.Actor.UserID)
	return on, true, err
}

// SetMonthlyReport turns the monthly summary on or off. The first one is the next that becomes due.
func (a *Account) SetMonthlyReport(ctx context.Context, on bool) error {
	if err := a.may(); err != nil {
		return err
	}
	if err := a.d.May(access.SeeTeam); on && err != nil {
		return err
	}
	zone, err := a.d.Store.CompanyZone(ctx, a.d.Company())
	if err != nil {
		return err
	}
	last := lead.LastSummary(a.d.Now().In(zone))
	return a.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetMonthlyReport(ctx, a.d.Actor.UserID, on, last) })
}
