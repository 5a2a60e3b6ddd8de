package lead

import (
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentProperty maps the home, its value and its liens.
func presentProperty(d heloc.Details, homes *heloc.MatchedProperties) view.PropertyView {
	a, p, value := d.App, d.App.Property, d.App.Value
	v := view.PropertyView{
		Address: format.AddressLines(a.PropertyAddress), County: p.County, UsedAs: format.DisplayText(string(p.PropertyType), words.Property),
		OwnedAs: format.DisplayText(string(a.OwnershipType), words.Ownership), Purpose: format.DisplayText(string(a.FinancingPurpose), words.Purpose),
		Parcel: p.PropertyID, PropertyUUID: p.PropertyUUID, LotFeet: format.Decimal(p.LotSquareFeet), FloodZone: p.FloodZone,
		LandUse: p.LandUseDescription, LandUseCode: p.LandUseCode, BuildingArea: format.Decimal(p.BuildingGrossArea), Acres: format.Decimal(p.Acres),
		StatedValue: format.Dollars(value.BorrowerEstimated), AVM: format.Dollars(value.AVM), PreCLTV: format.Percent(value.PreLoanCLTV), PostCLTV: format.Percent(value.PostLoanCLTV),
		PreAdj: format.Percent(value.PreLoanAdjCLTV), PostAdj: format.Percent(value.PostLoanAdjCLTV), PostAdjMin: format.Percent(value.PostLoanAdjMinCLTV),
		Homes: presentHomes(homes),
	}
	for _, l := range a.Liens {
		v.Liens = append(v.Liens, view.LienRow{
			Position: format.Ordinal(l.Position), Lender: l.LenderName, OriginationDate: format.Date(l.OriginationDate), OriginalBalance: format.Dollars(l.OriginalBalance),
			Balance: format.Dollars(l.CurrentBalance), Payment: format.Dollars(l.MonthlyPayment), ID: l.LienUUID,
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
		h := view.HomeChoice{ID: p.ID, Address: strings.Join(format.AddressLines(p.Address), ", "), Parcel: p.APN}
		if p.Latitude != nil && p.Longitude != nil {
			h.Coordinates = formatDegrees(*p.Latitude, "N", "S") + ", " + formatDegrees(*p.Longitude, "E", "W")
		}
		homes = append(homes, h)
	}
	return homes
}

func formatDegrees(at float64, plus, minus string) string {
	half := plus
	if at < 0 {
		at, half = -at, minus
	}
	return strconv.FormatFloat(at, 'f', 2, 64) + " " + half
}
