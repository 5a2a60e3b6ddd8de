package sandbox

import (
	"net/http"
	"strings"

	"hearthline/internal/heloc"
)

// details returns everything about an inquiry (sections 2.3 and 4.3).
func (s *Sandbox) details(r *http.Request) (any, error) {
	include := map[string]bool{}
	for _, given := range r.URL.Query()["include"] {
		for part := range strings.SplitSeq(given, ",") {
			include[strings.TrimSpace(part)] = true
		}
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) { return withData(s.buildDetails(q, include)), nil })
}

// detailsView presents a record as details; the dialect determines names and date formats.
type detailsView struct {
	*inquiryRecord
	live    bool
	include map[string]bool
	lead    heloc.Originator
	apply   string
}

// buildDetails builds the resource. It contains every field, null if unknown, except that
// conditions, funding and borrower details are included only on request.
func (s *Sandbox) buildDetails(q *inquiryRecord, include map[string]bool) object {
	v := detailsView{
		inquiryRecord: q, live: s.cfg.Dialect == Live, include: include,
		lead: s.directory.byID[q.Originator], apply: s.cfg.ApplyURL,
	}
	top := object{
		"organization": organization, "appUuid": q.ID, "appShortId": q.ShortID,
		"borrowerAppLink":    v.apply + "/heloc/resume/" + q.ID,
		"appData":            v.appData(s),
		"loanOriginatorData": v.originator(),
	}
	if v.live {
		top["testVariants"] = v.variants()
	}
	return top
}

func (v detailsView) appData(s *Sandbox) object {
	overall, status := v.status()
	app := object{
		"isInquiry": !v.Converted, "isBridgeLoan": false, "startedAsInquiry": true, "autopay": v.autopay(),
		"status": status, "overallStatus": overall, "nextInquiryStep": v.Step,
		"keyDates": v.keyDates(), "statusReasons": nonNil(v.Reasons), "statusHistory": v.history(),
		"propertyAddress": address(v.Inquiry.Property.Address), "propertyDetails": v.property(),
		"propertyLiens": v.propertyLiens(), "propertyValue": v.propertyValue(),
		"ownershipType": orNull(string(v.Inquiry.Property.OwnershipType)), "financingPurpose": v.purpose(),
		"costs": s.costsJSON(v.selectedCosts()), "ddpDetails": v.payoff(),
		"underwriting": v.underwriting(s), "notary": v.notary(),
		"assignedUsers": v.assigned(), "demographics": v.demographics(),
		"thirdPartyIntegrations": object{
			"externalPartnerApplicationId": orNull(v.ExternalIDs.ApplicationID),
			"externalPartnerReferenceId":   orNull(v.ExternalIDs.ReferenceID),
			"externalPartnerCustomerId":    orNull(v.ExternalIDs.CustomerID),
		},
		"utmParameters": object{
			"source": orNull(v.UTM.Source), "medium": orNull(v.UTM.Medium), "campaign": orNull(v.UTM.Campaign),
			"term": orNull(v.UTM.Term), "content": orNull(v.UTM.Content),
		},
		"businessInfo": v.business(),
	}
	if v.live {
		app["manualNotary"] = v.manualNotary()
	} else {
		app["testVariants"] = v.variants()
	}
	if v.include["CONDITIONS"] {
		app["conditions"] = v.conditions()
	}
	if v.include["FUNDING_REPORT"] {
		app["fundingTransactionReport"] = v.funding()
	}
	if v.include["BORROWER_DETAILS"] {
		app["borrowerDetails"] = v.borrower()
	}
	return app
}

// purpose derives the financing purpose, which the start payload does not contain: a
// company's line is for business and any other is personal.
func (v detailsView) purpose() string {
	switch {
	case v.Inquiry.Business != nil && v.live:
		return "SMALL_BUSINESS"
	case v.Inquiry.Business != nil:
		return "BUSINESS_OR_COMMERCIAL"
	case v.live:
		return "HOME_IMPROVEMENT"
	default:
		return "PERSONAL"
	}
}

func (v detailsView) variants() any {
	if v.Inquiry.TestVariants == nil {
		return object{"variants": []object{}}
	}
	names := []object{}
	for _, t := range v.Inquiry.TestVariants.Variants {
		names = append(names, object{"name": t.Name})
	}
	return object{"variants": names}
}

func (v detailsView) business() any {
	b := v.Inquiry.Business
	if b == nil {
		return nil
	}
	var at any
	if b.Address != nil {
		at = address(*b.Address)
	}
	return object{
		"entityName": orNull(b.EntityName), "entityType": orNull(string(b.EntityType)),
		"ownershipPercentage": b.OwnershipPercentage, "totalMonthlyRevenue": b.TotalMonthlyRevenue,
		"ein": orNull(b.EIN), "stateOfIncorporation": orNull(b.StateOfIncorporation), "address": at,
	}
}

// assigned lists the lender's employees on the file: one in operations from the selection
// on, and a closer from conversion on.
func (v detailsView) assigned() []object {
	users := []object{}
	if v.Selection != nil {
		users = append(users, object{"userUuid": derivedID("staff", "operations")})
	}
	if v.Converted {
		users = append(users, object{"userUuid": derivedID("staff", "closing")})
	}
	return users
}

func (v detailsView) autopay() bool {
	if v.Selection == nil {
		return false
	}
	for _, d := range v.Selection.Discounts {
		if d.Type == discountAutopay {
			return true
		}
	}
	return false
}

func address(a heloc.Address) object {
	return object{
		"street1": orNull(a.Street1), "street2": orNull(a.Street2), "city": orNull(a.City),
		"state": orNull(a.State), "zip": orNull(a.ZIP),
	}
}

// nonNil replaces a nil list with an empty one, so that it is never written as null.
func nonNil(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
