package lead

import (
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentProperty maps the home, its value and its liens.
func presentProperty(d heloc.Details, homes *heloc.MatchedProperties) *view.PropertyView {
	a, p, value := d.App, d.App.Property, d.App.Value
	v := &view.PropertyView{
		Address: format.AddressLines(a.PropertyAddress),
		Home: format.Facts("County", p.County, "Occupancy", format.DisplayText(string(p.PropertyType), words.Property),
			"Title held as", format.DisplayText(string(a.OwnershipType), words.Ownership), "Loan purpose", format.DisplayText(string(a.FinancingPurpose), words.Purpose),
			"Lot size (sq ft)", format.Decimal(p.LotSquareFeet), "Acres", format.Decimal(p.Acres), "Building size (sq ft)", format.Decimal(p.BuildingGrossArea),
			"Flood zone", p.FloodZone, "Land use", p.LandUseDescription, "Land use code", p.LandUseCode),
		Value: ui.FactsPanelView{ID: "value", Title: "Value and ratios", Facts: format.Facts(
			"Stated value", format.Dollars(value.BorrowerEstimated), "AVM value", format.Dollars(value.AVM),
			"CLTV before this line", format.Percent(value.PreLoanCLTV), "CLTV after this line", format.Percent(value.PostLoanCLTV),
			"Adjusted CLTV before", format.Percent(value.PreLoanAdjCLTV), "Adjusted CLTV after", format.Percent(value.PostLoanAdjCLTV),
			"Adjusted CLTV after, minimum draw", format.Percent(value.PostLoanAdjMinCLTV))},
		Homes: presentHomes(homes),
	}
	for _, l := range a.Liens {
		v.Liens = append(v.Liens, view.LienRow{
			Position: format.Ordinal(l.Position), Lender: l.LenderName, OriginationDate: format.Date(l.OriginationDate), OriginalBalance: format.Dollars(l.OriginalBalance),
			Balance: format.Dollars(l.CurrentBalance), Payment: format.Dollars(l.MonthlyPayment),
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
		homes = append(homes, view.HomeChoice{ID: p.ID, Address: strings.Join(format.AddressLines(p.Address), ", "), Parcel: p.APN})
	}
	return homes
}
