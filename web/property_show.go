package web

import (
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
)

// showProperty maps the home, its value and its liens.
func showProperty(d heloc.Details, homes *heloc.MatchedProperties) views.PropertyView {
	a, p, value := d.App, d.App.Property, d.App.Value
	v := views.PropertyView{
		Address: linesOf(a.PropertyAddress), County: p.County, UsedAs: said(string(p.PropertyType), words.Property),
		OwnedAs: said(string(a.OwnershipType), words.Ownership), Purpose: said(string(a.FinancingPurpose), words.Purpose),
		Parcel: p.PropertyID, PropertyUUID: p.PropertyUUID, LotFeet: decimal(p.LotSquareFeet), FloodZone: p.FloodZone,
		LandUse: p.LandUseDescription, LandUseCode: p.LandUseCode, BuildingArea: decimal(p.BuildingGrossArea), Acres: decimal(p.Acres),
		Stated: dollars(value.BorrowerEstimated), AVM: dollars(value.AVM), PreCLTV: percent(value.PreLoanCLTV), PostCLTV: percent(value.PostLoanCLTV),
		PreAdj: percent(value.PreLoanAdjCLTV), PostAdj: percent(value.PostLoanAdjCLTV), PostAdjMin: percent(value.PostLoanAdjMinCLTV),
		Homes: showHomes(homes),
	}
	for _, l := range a.Liens {
		v.Liens = append(v.Liens, views.LienRow{
			Position: ordinal(l.Position), Lender: l.LenderName, Opened: calendar(l.OriginationDate), Original: dollars(l.OriginalBalance),
			Balance: dollars(l.CurrentBalance), Payment: dollars(l.MonthlyPayment), ID: l.LienUUID,
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
		h := views.HomeChoice{ID: p.ID, Address: strings.Join(linesOf(p.Address), ", "), Parcel: p.APN}
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

// said puts a value into words; a value that is not there stays empty, because the
// view has its own sign for that.
func said(value string, in func(string) string) string {
	if value == "" {
		return ""
	}
	return in(value)
}
