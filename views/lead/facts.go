package lead

import (
	"strings"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// facts pairs labels with values, in order; an empty value becomes a dash.
func facts(pairs ...string) []ui.Fact {
	out := make([]ui.Fact, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, ui.FactOrDash(pairs[i], pairs[i+1]))
	}
	return out
}

func (p PropertyView) home() []ui.Fact {
	return facts("County", p.County, "Used as", p.UsedAs, "Owned as", p.OwnedAs, "Purpose of the line", p.Purpose,
		"Lot, square feet", p.LotFeet, "Acres", p.Acres, "Building, square feet", p.BuildingArea,
		"Flood zone", p.FloodZone, "Land use", p.LandUse, "Land use code", p.LandUseCode, "Data vendor’s id", p.Parcel, "Property id", p.PropertyUUID)
}

func (p PropertyView) value() []ui.Fact {
	return facts("Stated value", p.StatedValue, "Model value (AVM)", p.AVM, "CLTV before this line", p.PreCLTV, "CLTV after this line", p.PostCLTV,
		"Adjusted CLTV before", p.PreAdj, "Adjusted CLTV after", p.PostAdj, "Adjusted CLTV after, least draw", p.PostAdjMin)
}

func (u UnderwritingView) decision() []ui.Fact {
	return facts("Decision", u.Decision, "Smallest amount", u.MinAmount, "Largest amount", u.MaxAmount, "Lowest rate", u.MinRate, "Highest rate", u.MaxRate,
		"Priced as of", u.PricedAsOf, "Guideline version", u.Guideline)
}

func (u UnderwritingView) credit() []ui.Fact {
	return facts("Soft inquiry, bureau", u.Soft.Bureau, "Soft inquiry, score", u.Soft.Score, "Soft inquiry, date", u.Soft.When,
		"Hard inquiry, bureau", u.Hard.Bureau, "Hard inquiry, score", u.Hard.Score, "Hard inquiry, date", u.Hard.When, "Credit as of", u.CreditAsOf)
}

func (u UnderwritingView) income() []ui.Fact {
	return facts("Employment", u.Employment, "Income, a month", u.MonthlyIncome, "Stated income, a month", u.StatedIncome,
		"DTI before this line", u.PreDTI, "DTI after this line", u.PostDTI, "Stated DTI", u.StatedDTI)
}

func (u UnderwritingView) home() []ui.Fact {
	return facts("Co-deed", u.CoDeed, "Insured against flood", u.FloodInsured, "Homeowners insured", u.HomeownersInsured,
		"For sale, by the listing service", u.ListedMLS, "For sale, as the borrower says", u.ListedAttested)
}

func (p PayoffView) facts() []ui.Fact {
	return facts("Paid off so far", p.Paid, "To be paid off", p.Total, "Allocated, counts for DTI", p.AllocatedDTI,
		"Allocated, does not count for DTI", p.AllocatedOther, "Lien position afterwards", p.LienPositionAfter)
}

func (f FundingView) closing() []ui.Fact {
	return facts("Disclosures sent", f.Disclosures, "Signing", f.Signing, "Agreement e-signed", f.AgreementSigned, "Rescission ends", f.RescissionEnd,
		"First payment due", f.FirstPayment, "Payoff expected", f.ExpectedPayoff, "Completed", f.Completed)
}

func (f FundingView) notary() []ui.Fact {
	out := facts("Kind", f.NotaryType, "Fee", f.NotaryFee, "Appointment", f.NotaryAppointment, "Completed", f.NotaryCompleted)
	if f.ManualNotaryDate != "" || f.ManualNotaryFee != "" {
		out = append(out, facts("By hand, date", f.ManualNotaryDate, "By hand, fee", f.ManualNotaryFee)...)
	}
	return out
}

func (h HistoryView) status() []ui.Fact {
	return facts("Status", h.Status, "Overall", h.Overall, "Next step", h.NextStep, "Next step, the lender’s name", h.NextRaw,
		"Still an inquiry", h.Inquiry, "Began as an inquiry", h.Started, "Bridge loan", h.Bridge, "Autopay", h.Autopay)
}

func (h HistoryView) costs() []ui.Fact {
	out := make([]ui.Fact, 0, len(h.Costs)+1)
	for _, c := range h.Costs {
		label := c.Name
		if !c.Fixed {
			label += ", by the offer"
		}
		out = append(out, ui.FactOrDash(label, c.Amount))
	}
	return append(out, ui.FactOrDash("In all", h.CostTotal))
}

func (h HistoryView) originator() []ui.Fact {
	return facts("Name", h.Originator, "NMLS", h.NMLS, "E-mail", h.OriginatorEmail, "Company", h.Company, "Company NMLS", h.CompanyNMLS,
		"Originator id", h.OriginatorUUID, "Broker company id", h.BrokerUUID, "External id", h.ExternalID)
}

func (h HistoryView) ids() []ui.Fact {
	return facts("Short id", h.ShortID, "Application id", h.App, "Organization", h.Organization, "This portal’s number", h.ApplicationID,
		"Your reference", h.ReferenceID, "Your customer number", h.CustomerID, "People of the lender on the file", strings.Join(h.Users, ", "))
}

func (h HistoryView) source() []ui.Fact {
	return facts("Source", h.Source, "Medium", h.Medium, "Campaign", h.Campaign, "Term", h.Term, "Content", h.Content, "Test variants", strings.Join(h.Variants, ", "))
}

func (b BusinessView) facts() []ui.Fact {
	return facts("Company", b.Name, "Kind", b.Type, "Share owned", b.Ownership, "Revenue, a month", b.Revenue, "EIN", b.EIN,
		"Registered in", words.State(b.State), "Address", strings.Join(b.Address, ", "))
}

func (v WorkspaceView) zip() []ui.Action {
	if !v.Documents.Can || len(v.Documents.Rows) < 2 {
		return nil
	}
	return []ui.Action{{Label: "All as zip", Icon: "download", Href: v.Page.Base.DocumentsZip(v.App)}}
}
