package webtest

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
)

// DenverViewer returns a viewer in Denver. It is 2:15 pm there on Friday, November 20, 2026.
func DenverViewer(t testing.TB) text.Viewer {
	t.Helper()
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	return text.Viewer{Now: time.Date(2026, 11, 20, 14, 15, 0, 0, zone), Zone: zone,
		Who: access.Actor{UserID: "olivia", Role: access.Originator, OriginatorUUID: "o-1"}}
}

// SampleLeadRow returns a lead with a status.
func SampleLeadRow(status heloc.StatusKey, mover heloc.Mover, lane heloc.Lane) lead.Row {
	return lead.Row{App: OwnLead, ShortID: "1-26324-021", City: "Boise", State: "ID", Originator: "o-1", StatusKey: status,
		WhoseMove: mover, Lane: lane, Revision: 7}
}

// SampleOffer returns a fixed offer for draws between from and to, in dollars.
func SampleOffer(uuid string, term heloc.Count, fee float64, from, to int64) heloc.Offer {
	percent, rate, lowest, highest := heloc.Percent(fee), heloc.Percent(8.2), heloc.Dollars(from), heloc.Dollars(to)
	return heloc.Offer{UUID: uuid, Term: &term, OriginationFeePercent: &percent, Rate: &rate, MinAmount: &lowest,
		MaxAmount: &highest, RateType: heloc.RateFixed}
}
