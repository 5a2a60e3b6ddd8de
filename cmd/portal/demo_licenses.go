package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// licensedColleagues is how many originators of each company of the demo have licenses on file besides the demo's
// users. The others have none, so that the demo shows both.
const licensedColleagues = 2

// addLicenses records that the demo's users, a few of their colleagues and their companies may act in the states of the
// demo's leads and of the intake samples, as an installation in use would have learned from their leads.
func (h *portal) addLicenses(ctx context.Context) error {
	holders, err := h.licensedOriginators(ctx)
	if err != nil {
		return err
	}
	states := demoStates()
	return h.store.Write(ctx, func(tx *store.Tx) error {
		for _, o := range holders {
			for i, state := range states {
				one := lead.License{State: state, Number: fmt.Sprintf("%s-%s%02d", state, o.NMLS, i), At: store.Millis(time.Now())}
				one.Holder, one.Party = string(o.UUID), lead.PartyOriginator
				if err := addLicense(ctx, tx, one); err != nil {
					return err
				}
				one.Holder, one.Party = o.BrokerID, lead.PartyBroker
				if err := addLicense(ctx, tx, one); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// addLicense records a license unless the lender has reported one for that state already.
func addLicense(ctx context.Context, tx *store.Tx, l lead.License) error {
	known, err := tx.LicensesOf(ctx, l.Holder)
	if err != nil || slices.ContainsFunc(known, func(k lead.License) bool { return k.State == l.State }) {
		return err
	}
	return tx.SaveLenderLicense(ctx, l)
}

// licensedOriginators lists the demo's users who are originators, and the first colleagues of each of their companies.
func (h *portal) licensedOriginators(ctx context.Context) ([]lead.Originator, error) {
	var holders []lead.Originator
	users, wanted := map[heloc.OriginatorID]bool{}, map[string]int{} // wanted: how many more colleagues, by company
	for _, p := range demoUsers() {
		o, err := h.store.OriginatorByEmail(ctx, p.email)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		holders = append(holders, o)
		users[o.UUID], wanted[o.BrokerID] = true, licensedColleagues
	}
	all, err := h.store.AllOriginators(ctx)
	for _, o := range all {
		if !users[o.UUID] && wanted[o.BrokerID] > 0 {
			wanted[o.BrokerID]--
			holders = append(holders, o)
		}
	}
	return holders, err
}

// demoStates lists the states of the demo's leads and of the intake samples.
func demoStates() []string {
	states := sampleValues("")["property.address.state"]
	for _, l := range leadPlan(time.Now()) {
		states = append(states, l.borrower().Property.Address.State)
	}
	slices.Sort(states)
	return slices.Compact(states)
}
