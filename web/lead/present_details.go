package lead

import (
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	workspaceview "hearthline/views/workspace"
	"hearthline/web/workspace"
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

// presentUnderwriting maps the lender's underwriting so far.
func presentUnderwriting(d heloc.Details) *view.UnderwritingView {
	u := d.App.Underwriting
	return &view.UnderwritingView{
		Panels: []ui.FactsPanelView{
			{ID: "decision", Title: "Decision and range",
				Facts: ui.FactsOrDash("Decision", text.DisplayText(u.Decision, text.Name),
					"Minimum amount", text.Dollars(u.MinOfferAmount), "Maximum amount", text.Dollars(u.MaxOfferAmount), "Lowest rate",
					text.Percent(u.MinOfferRate), "Highest rate", text.Percent(u.MaxOfferRate), "Priced as of",
					text.Date(u.PricingAsOf), "Guideline version", u.GuidelineVersion)},
			{ID: "credit", Title: "Credit", Facts: slices.Concat(presentCredit("Soft-pull", u.SoftCredit),
				presentCredit("Hard-pull", u.HardCredit),
				ui.FactsOrDash("Credit as of", text.Date(u.CreditAsOf)))},
			{ID: "income", Title: "Income and DTI", Facts: ui.FactsOrDash("Employment",
				text.DisplayText(string(u.EmploymentType), text.Employment),
				"Monthly income", text.Dollars(u.MonthlyIncome), "Stated monthly income", text.Dollars(u.StatedMonthlyIncome),
				"DTI before this line", text.Percent(u.PreLoanDTI), "DTI after this line", text.Percent(u.PostLoanDTI),
				"Stated DTI", text.Percent(u.StatedDTI))},
			{ID: "insurance", Title: "Title, insurance and sale",
				Facts: ui.FactsOrDash("Co-owner on title", text.DisplayText(string(u.CoDeedStatus), text.CoDeed),
					"Flood insurance", text.YesNo(u.FloodInsured), "Homeowners insurance", text.YesNo(u.HomeownersInsured),
					"Listed for sale (MLS)", text.YesNo(u.ForSaleMLS), "Listed for sale (borrower)", text.YesNo(u.ForSaleAttested))},
		},
		Payoff: presentPayoff(d.App.Payoff), Debts: presentDebtsWithIDs(d.App.Payoff),
	}
}

func presentCredit(kind string, c *heloc.Credit) []ui.Fact {
	if c == nil {
		c = &heloc.Credit{}
	}
	return ui.FactsOrDash(kind+" bureau", text.DisplayText(string(c.Provider), text.Bureau), kind+" score",
		text.Count(c.Score), kind+" date", text.Date(c.Timestamp))
}

func presentPayoff(p heloc.PayoffDetails) []ui.Fact {
	return ui.FactsOrDash("Paid off so far", text.Dollars(p.Paid), "To be paid off", text.Dollars(p.Total),
		"Payoffs counted in DTI", text.Dollars(p.AllocatedDTI),
		"Payoffs not counted in DTI", text.Dollars(p.AllocatedOther), "Lien position after",
		text.CountOrdinal(p.LienPositionAfter))
}

// presentDebtsWithIDs includes the account ids, because the lender's support asks for them.
func presentDebtsWithIDs(p heloc.PayoffDetails) []workspaceview.DebtRow {
	debts := workspace.PresentDebts(p, nil)
	for i, d := range debts {
		if d.ID != "" {
			debts[i].Kind = text.JoinNonEmpty(" · ", d.Kind, "ID "+d.ID)
		}
	}
	return debts
}

// presentDocuments maps the list. Documents that arrived since the user's last view are new, but on
// the first visit none are.
func presentDocuments(v text.Viewer, d *workspace.Data, lists workspace.Lists) *view.DocumentsView {
	l := d.View
	m := &view.DocumentsView{URLs: to.LeadURLs{Base: v.Base, App: string(l.Row.App)}, Age: asOfText(v, l.DocumentsAt),
		Can: v.Who.Can(access.DownloadDocument), Ended: l.Row.StatusKey.Ended(),
		LoanFile: d.Can(access.RevealBorrower), Selected: l.Details.App.Underwriting.SelectedOffer != nil}
	if d.IsSubmitted("loan-file") {
		m.LoanFileError = d.RevealError
	}
	shown, next := workspace.DocumentsOf(lists, l)
	if len(shown) < len(l.Documents) {
		m.Pager = lists.Pager(workspace.DocumentsList, len(shown), "document", "documents", next)
	}
	for _, doc := range shown {
		m.Rows = append(m.Rows, view.DocumentRow{
			ID: doc.UUID, Name: text.OrDash(doc.FileName), Kind: text.DisplayText(doc.DocType, text.Name),
			Type: contentTypeLabel(doc.ContentType), ReceivedAt: v.DateTime(text.TimeOfMillis(doc.Since)),
			New: workspace.IsNewDocument(l, doc), Inline: OpensInline(doc.ContentType) && !v.Base.Embedded(),
		})
	}
	return m
}

// contentTypeLabel returns a short name of a content type, such as PDF or ZIP, or else its last
// part.
func contentTypeLabel(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	_, kind, found := strings.Cut(strings.TrimSpace(media), "/")
	if !found {
		return contentType
	}
	if last := strings.LastIndexAny(kind, ".-+"); last >= 0 {
		kind = kind[last+1:]
	}
	return strings.ToUpper(kind)
}
