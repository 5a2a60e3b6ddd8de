package lead

import (
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentProperty maps the home, its value and its liens.
func presentProperty(d heloc.Details, homes *heloc.MatchedProperties) views.PropertyView {
	a, p, value := d.App, d.App.Property, d.App.Value
	v := views.PropertyView{
		Address: format.AddressLines(a.PropertyAddress), County: p.County, UsedAs: format.DisplayText(string(p.PropertyType), words.Property),
		OwnedAs: format.DisplayText(string(a.OwnershipType), words.Ownership), Purpose: format.DisplayText(string(a.FinancingPurpose), words.Purpose),
		Parcel: p.PropertyID, PropertyUUID: p.PropertyUUID, LotFeet: format.FormatDecimal(p.LotSquareFeet), FloodZone: p.FloodZone,
		LandUse: p.LandUseDescription, LandUseCode: p.LandUseCode, BuildingArea: format.FormatDecimal(p.BuildingGrossArea), Acres: format.FormatDecimal(p.Acres),
		StatedValue: format.FormatDollars(value.BorrowerEstimated), AVM: format.FormatDollars(value.AVM), PreCLTV: format.FormatPercent(value.PreLoanCLTV), PostCLTV: format.FormatPercent(value.PostLoanCLTV),
		PreAdj: format.FormatPercent(value.PreLoanAdjCLTV), PostAdj: format.FormatPercent(value.PostLoanAdjCLTV), PostAdjMin: format.FormatPercent(value.PostLoanAdjMinCLTV),
		Homes: presentHomes(homes),
	}
	for _, l := range a.Liens {
		v.Liens = append(v.Liens, views.LienRow{
			Position: format.FormatOrdinal(l.Position), Lender: l.LenderName, OriginationDate: format.FormatDate(l.OriginationDate), OriginalBalance: format.FormatDollars(l.OriginalBalance),
			Balance: format.FormatDollars(l.CurrentBalance), Payment: format.FormatDollars(l.MonthlyPayment), ID: l.LienUUID,
		})
	}
	return v
}

// presentHomes maps the lender's candidates for an ambiguous address.
func presentHomes(found *heloc.MatchedProperties) []views.HomeChoice {
	if found == nil {
		return nil
	}
	var homes []views.HomeChoice
	for _, p := range found.Properties {
		h := views.HomeChoice{ID: p.ID, Address: strings.Join(format.AddressLines(p.Address), ", "), Parcel: p.APN}
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
