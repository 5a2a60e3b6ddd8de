package lead

import (
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// presentProperty maps the home, its value and its liens.
func presentProperty(d heloc.Details, homes *heloc.MatchedProperties) *view.PropertyView {
	a, p, value := d.App, d.App.Property, d.App.Value
	v := &view.PropertyView{
		Address: text.AddressLines(a.PropertyAddress),
		Home: ui.FactsOrDash("County", p.County, "Occupancy", text.DisplayText(string(p.PropertyType), text.Property),
			"Title held as", text.DisplayText(string(a.OwnershipType), text.Ownership), "Loan purpose",
			text.DisplayText(string(a.FinancingPurpose), text.Purpose), "Lot size (sq ft)", text.Decimal(p.LotSquareFeet),
			"Acres", text.Decimal(p.Acres), "Building size (sq ft)", text.Decimal(p.BuildingGrossArea),
			"Flood zone", p.FloodZone, "Land use", p.LandUseDescription, "Land use code", p.LandUseCode),
		Value: ui.FactsPanelView{ID: "value", Title: "Value and ratios", Facts: ui.FactsOrDash(
			"Stated value", text.Dollars(value.BorrowerEstimated), "AVM value", text.Dollars(value.AVM),
			"CLTV before this line", text.Percent(value.PreLoanCLTV), "CLTV after this line", text.Percent(value.PostLoanCLTV),
			"Adjusted CLTV before", text.Percent(value.PreLoanAdjCLTV), "Adjusted CLTV after",
			text.Percent(value.PostLoanAdjCLTV),
			"Adjusted CLTV after, minimum draw", text.Percent(value.PostLoanAdjMinCLTV))},
		Homes: presentHomes(homes),
	}
	for _, l := range a.Liens {
		v.Liens = append(v.Liens, view.LienRow{
			Position: text.CountOrdinal(l.Position), Lender: l.LenderName,
			OriginationDate: text.Date(l.OriginationDate), OriginalBalance: text.Dollars(l.OriginalBalance),
			Balance: text.Dollars(l.CurrentBalance), Payment: text.Dollars(l.MonthlyPayment),
		})
	}
	return v
}

// presentHomes maps the lender's matches for an ambiguous address.
func presentHomes(found *heloc.MatchedProperties) []view.HomeChoice {
	if found == nil {
		return nil
	}
	var homes []view.HomeChoice
	for _, p := range found.Properties {
		homes = append(homes, view.HomeChoice{ID: p.ID, Address: strings.Join(text.AddressLines(p.Address), ", "),
			Parcel: p.APN})
	}
	return homes
}
