package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// licensedColleagues is how many originators of each company of the demo have licenses on file besides the demo's
// users. The others have none, so that the demo shows both.
const licensedColleagues = 2

// addLicenses records that the demo's users, a few of their colleagues and their companies may act in the states of the
// demo's leads and of the intake samples, as an installation in use would have learned from their leads.
func (p *portal) addLicenses(ctx context.Context) error {
	holders, err := p.licensedOriginators(ctx)
	if err != nil {
		return err
	}
	return p.store.Write(ctx, func(tx *store.Tx) error {
		for _, o := range holders {
			for holder, party := range map[string]lead.Party{string(o.UUID): lead.PartyOriginator,
				o.BrokerID: lead.PartyBroker} {
				if err := addLicenses(ctx, tx, lead.License{Holder: holder, Party: party, Number: o.NMLS}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// addLicenses records a holder's licenses, except in states for which the lender has reported one already. The number
// is a part of each license's.
func addLicenses(ctx context.Context, tx *store.Tx, of lead.License) error {
	known, err := tx.LicensesOf(ctx, of.Holder)
	for i, state := range demoStates() {
		if err == nil && !slices.ContainsFunc(known, func(k lead.License) bool { return k.State == state }) {
			l := of
			l.State, l.Number, l.At = state, fmt.Sprintf("%s-%s%02d", state, of.Number, i), store.Millis(time.Now())
			err = tx.SaveLenderLicenses(ctx, l)
		}
	}
	return err
}

// licensedOriginators lists the demo's users who are originators, and the first colleagues of each of their companies.
func (p *portal) licensedOriginators(ctx context.Context) (holders []lead.Originator, err error) {
	users, wanted := map[string]bool{}, map[string]int{} // wanted: how many more, by company
	for _, one := range demoUsers() {
		users[one.email] = true
		if o, err := p.store.OriginatorByEmail(ctx, one.email); err == nil {
			wanted[o.BrokerID] = licensedColleagues
		} else if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
	}
	all, err := p.store.AllOriginators(ctx)
	for _, o := range all {
		if users[o.Email] || wanted[o.BrokerID] > 0 {
			holders = append(holders, o)
		}
		if !users[o.Email] {
			wanted[o.BrokerID]--
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
