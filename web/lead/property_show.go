package lead

import (
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showProperty maps the home, its value and its liens.
func showProperty(d heloc.Details, homes *heloc.MatchedProperties) views.PropertyView {
	a, p, value := d.App, d.App.Property, d.App.Value
	v := views.PropertyView{
		Address: format.LinesOf(a.PropertyAddress), County: p.County, UsedAs: format.Said(string(p.PropertyType), words.Property),
		OwnedAs: format.Said(string(a.OwnershipType), words.Ownership), Purpose: format.Said(string(a.FinancingPurpose), words.Purpose),
		Parcel: p.PropertyID, PropertyUUID: p.PropertyUUID, LotFeet: format.Decimal(p.LotSquareFeet), FloodZone: p.FloodZone,
		LandUse: p.LandUseDescription, LandUseCode: p.LandUseCode, BuildingArea: format.Decimal(p.BuildingGrossArea), Acres: format.Decimal(p.Acres),
		Stated: format.Dollars(value.BorrowerEstimated), AVM: format.Dollars(value.AVM), PreCLTV: format.Percent(value.PreLoanCLTV), PostCLTV: format.Percent(value.PostLoanCLTV),
		PreAdj: format.Percent(value.PreLoanAdjCLTV), PostAdj: format.Percent(value.PostLoanAdjCLTV), PostAdjMin: format.Percent(value.PostLoanAdjMinCLTV),
		Homes: showHomes(homes),
	}
	for _, l := range a.Liens {
		v.Liens = append(v.Liens, views.LienRow{
			Position: format.Ordinal(l.Position), Lender: l.LenderName, Opened: format.Calendar(l.OriginationDate), Original: format.Dollars(l.OriginalBalance),
			Balance: format.Dollars(l.CurrentBalance), Payment: format.Dollars(l.MonthlyPayment), ID: l.LienUUID,
		})
	}
	return v
}

// showHomes maps the lender's candidates for an ambiguous address.
func showHomes(found *heloc.MatchedProperties) []views.HomeChoice {
	if found == nil {
		return nil
	}
	var homes []views.HomeChoice
	for _, p := range found.Properties {
		h := views.HomeChoice{ID: p.ID, Address: strings.Join(format.LinesOf(p.Address), ", "), Parcel: p.APN}
		if p.Latitude != nil && p.Longitude != nil {
			h.Place = degrees(*p.Latitude, "N", "S") + ", " + degrees(*p.Longitude, "E", "W")
		}
		homes = append(homes, h)
	}
	return homes
}

func degrees(at float64, plus, minus string) string {
	half := plus
	if at < 0 {
		at, half = -at, minus
	}
	return strconv.FormatFloat(at, 'f', 2, 64) + " " + half
}
