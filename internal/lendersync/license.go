package lendersync

import (
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// saveLicenses stores the licenses that the lender returns with a lead: the holder and the state.
func (w *Service) saveLicenses(ctx context.Context, tx *store.Tx, r reading) error {
	o := r.details.Originator
	for _, one := range []struct {
		party   store.Party
		holder  string
		license *heloc.License
	}{{store.PartyOriginator, string(o.UUID), o.Licenses.LoanOriginator}, {store.PartyBroker, o.BrokerUUID, o.Licenses.Broker}} {
		if one.license == nil || one.holder == "" || len(one.license.State.State) != 2 {
			continue
		}
		err := tx.SaveLenderLicense(ctx, store.License{
			Holder: one.holder, Party: one.party, State: one.license.State.State, Number: one.license.State.Number, At: store.Millis(r.at),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
