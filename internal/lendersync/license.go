package lendersync

import (
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// saveLicenses stores the licenses that the lender returns with a lead: the holder and the state.
func (s *Service) saveLicenses(ctx context.Context, tx *store.Tx, r reading) error {
	o := r.details.Originator
	var reported []lead.License
	for _, one := range []struct {
		party   lead.Party
		holder  string
		license *heloc.License
	}{{lead.PartyOriginator, string(o.UUID), o.Licenses.LoanOriginator},
		{lead.PartyBroker, o.BrokerUUID, o.Licenses.Broker}} {
		if one.license == nil || one.holder == "" || len(one.license.State.State) != 2 {
			continue
		}
		if len(reported) > 0 && reported[0].Holder == one.holder {
			continue // one statement cannot write a row twice
		}
		reported = append(reported, lead.License{
			Holder: one.holder, Party: one.party, State: one.license.State.State, Number: one.license.State.Number,
			At: store.Millis(r.at),
		})
	}
	return tx.SaveLenderLicenses(ctx, reported...)
}
