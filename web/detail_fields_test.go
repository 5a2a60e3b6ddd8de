package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// detailField is one field of the details resource, with a value that no other field has and the text that the page
// shows for it. Booleans have a separate test.
type detailField struct {
	path  string
	value any
	shown string
}

// textFields, dateFields, moneyFields and percentFields return fields with unique values.
func textFields(from int, paths ...string) []detailField {
	var all []detailField
	for i, p := range paths {
		v := "zq" + strconv.Itoa(from+i) + "x"
		switch p[strings.LastIndexByte(p, '.')+1:] {
		case "lienUuid", "offerUuid", "brokerUuid": // otherwise they are read as absent
			v = fmt.Sprintf("5e57a1e1-0000-4000-8000-%012d", from+i)
		}
		all = append(all, detailField{p, v, v})
	}
	return all
}

func dateFields(from int, paths ...string) []detailField {
	var all []detailField
	for i, p := range paths {
		d := time.Date(2031, 1, from+i, 0, 0, 0, 0, time.UTC)
		all = append(all, detailField{p, d.Format(time.DateOnly), d.Format("Jan 2, 2006")})
	}
	return all
}

func moneyFields(from int, paths ...string) []detailField {
	var all []detailField
	for i, p := range paths {
		v := from + i
		all = append(all, detailField{p, v, "$" + heloc.Dollars(int64(v)).Whole()})
	}
	return all
}

func percentFields(from int, paths ...string) []detailField {
	var all []detailField
	for i, p := range paths {
		v := 60 + float64(from+i)/100
		all = append(all, detailField{p, v, fmt.Sprintf("%.2f%%", v)})
	}
	return all
}

// withPrefix adds a prefix to paths.
func withPrefix(prefix string, paths ...string) []string {
	for i := range paths {
		paths[i] = prefix + paths[i]
	}
	return paths
}

const (
	eligiblePath   = "appData.ddpDetails.existingLiabilities.eligible.0."
	ineligiblePath = "appData.ddpDetails.existingLiabilities.ineligible.0."
	lienPath       = "appData.propertyLiens.0."
	offerPath      = "appData.underwriting.offers.0."
	selectedPath   = "appData.underwriting.selectedOffer."

	fieldTestApp   = "5e57a1e1-0000-4000-8000-00000000abcd"
	fieldTestOffer = "5e57a1e1-0000-4000-8000-00000000ffff"
)

// detailFields returns every field of section 2.3 except booleans, PII and demographics.
func detailFields() []detailField {
	all := concatFields(
		textFields(100, "organization", "appShortId"),
		textFields(110, withPrefix("appData.", "status", "overallStatus", "nextInquiryStep", "statusReasons.0",
			"ownershipType", "financingPurpose", "assignedUsers.0.userUuid")...),
		dateFields(1, withPrefix("appData.keyDates.", "createdDate", "expirationDate", "recissionEndDate", "signingDate",
			"completedDate", "summaryDisclosureDate",
			"productAgreementESignedTimestamp", "firstPaymentDueDate", "expectedPayoffDate")...),
		dateFields(28, "appData.keyDates.canceledDate", "appData.keyDates.declinedDate"),
		textFields(130, withPrefix("appData.propertyAddress.", "street1", "street2", "city", "state", "zip")...),
		textFields(140, withPrefix("appData.propertyDetails.", "county", "propertyType", "acmePropertyId", "propertyUuid",
			"propertyFloodZone", "landUseDescription", "landUseCode")...),
		[]detailField{
			{"appData.propertyDetails.lotSquareFeet", 71001, "71,001"},
			{"appData.propertyDetails.buildingGrossArea", 71002.5, "71,002.5"},
			{"appData.propertyDetails.propertyAcres", 7.125, "7.125"},
		},
		textFields(150, "appData.costs.fixedCosts.0.type", "appData.costs.dynmaicCosts.0.type"),
		moneyFields(81000, "appData.costs.fixedCosts.0.borrowerPaidAmount",
			"appData.costs.dynmaicCosts.0.borrowerPaidAmount"),
		moneyFields(82000, withPrefix("appData.ddpDetails.", "paidLiabilityPayoffAmount", "totalLiabilityPayoffAmount",
			"liabilityPayoffAllocatedAmountDtiImpacting", "liabilityPayoffAllocatedAmountNonDtiImpacting")...),
		[]detailField{{"appData.ddpDetails.lienPositionAfterPayoff", 14, "14th"}},
		textFields(160, withPrefix(eligiblePath, "rateType", "liabilitySubType", "lastDigitsOfAccountNumber", "creditorName",
			"liabilityType")...),
		textFields(170, eligiblePath+"id", ineligiblePath+"id"),
		moneyFields(83000, eligiblePath+"monetaryBalance", ineligiblePath+"monetaryBalance"),
		percentFields(100, eligiblePath+"interestRatePercentage", ineligiblePath+"interestRatePercentage"),
		textFields(180, withPrefix(ineligiblePath, "rateType", "liabilitySubType", "lastDigitsOfAccountNumber",
			"creditorName", "liabilityType",
			"reasons.0.unavailableReason", "reasons.0.description")...),
		textFields(190, withPrefix("appData.statusHistory.0.", "overallStatus", "status")...),
		dateFields(11, "appData.statusHistory.0.timestamp", "appData.conditions.0.createdDate",
			"appData.conditions.0.lastUpdateDate"),
		textFields(200, "appData.conditions.0.name"),
		textFields(210, withPrefix("appData.thirdPartyIntegrations.", "externalPartnerApplicationId",
			"externalPartnerReferenceId", "externalPartnerCustomerId")...),
		textFields(220, withPrefix("appData.utmParameters.", "source", "medium", "campaign", "term", "content")...),
		textFields(230, withPrefix("appData.fundingTransactionReport.transactions.0.", "id", "paymentRail", "status",
			"messageUuid", "batchingCategory")...),
		moneyFields(84000, "appData.fundingTransactionReport.transactions.0.amount"),
		dateFields(15, withPrefix("appData.fundingTransactionReport.transactions.0.", "initiatedAt",
			"effectiveDate", "sentAt")...),
		textFields(240, withPrefix(lienPath, "lienUuid", "lenderName")...),
		dateFields(18, lienPath+"originationDate"),
		moneyFields(85000, withPrefix(lienPath, "originalBalance", "currentBalance", "monthlyPayment")...),
		[]detailField{{lienPath + "lienPosition", 13, "13th"}},
	)
	return append(all, underwritingFields()...)
}

func underwritingFields() []detailField {
	return concatFields(
		textFields(250, withPrefix("appData.underwriting.", "decision", "softCredit.provider", "hardCredit.provider",
			"coDeedStatus", "employmentType", "guidelineVersion")...),
		moneyFields(86000, withPrefix("appData.underwriting.", "minOfferAmount", "maxOfferAmount", "monthlyIncome",
			"statedMonthlyIncome")...),
		percentFields(110, withPrefix("appData.underwriting.", "minOfferRate", "maxOfferRate", "preLoanDti", "postLoanDti",
			"statedDti")...),
		[]detailField{{"appData.underwriting.softCredit.score", 711, "711"},
			{"appData.underwriting.hardCredit.score", 722, "722"}},
		dateFields(19, withPrefix("appData.underwriting.", "softCredit.timestamp", "hardCredit.timestamp", "pricingAsOfDate",
			"creditAsOfDate")...),
		[]detailField{{offerPath + "uuid", fieldTestOffer, fieldTestOffer}, {offerPath + "term", 61, "61 mo"},
			{offerPath + "rateType", "FIXED", "fixed"}},
		moneyFields(20000, offerPath+"minAmount"),
		moneyFields(87000, offerPath+"maxAmount", offerPath+"appliedOriginationFeeCapAmount"),
		percentFields(120, offerPath+"rate", offerPath+"primeRate"),
		[]detailField{{offerPath + "originationFeePercent", 3.17, "3.17%"}},
		textFields(260, offerPath+"discountList.0.type"), percentFields(130, offerPath+"discountList.0.rateDiscountAmount"),
		textFields(270, selectedPath+"offerUuid", selectedPath+"rateType", selectedPath+"selectedDiscounts.0.type"),
		moneyFields(88000, withPrefix(selectedPath, "loanAmount", "drawAmount", "estimatedMonthlyPayment", "creditLine")...),
		percentFields(140, withPrefix(selectedPath, "rate", "primeRate", "originationFeePercent",
			"selectedDiscounts.0.rateDiscountAmount")...),
		[]detailField{{selectedPath + "term", 73, "73 months"}},
		moneyFields(90000, "appData.propertyValue.borrowerEstimatedValue"),
		moneyFields(640001, "appData.propertyValue.propertyAvmValue"),
		percentFields(150, withPrefix("appData.propertyValue.", "preLoanCltv", "postLoanCltv", "preLoanAdjCltv",
			"postLoanAdjCltv", "postLoanAdjMinCltv")...),
		textFields(280, "appData.notary.type"), moneyFields(91000, "appData.notary.fee"),
		dateFields(23, "appData.notary.appointmentDate", "appData.notary.completedDate"),
		textFields(290, "appData.testVariants.variants.0.name"),
		textFields(300, withPrefix("appData.businessInfo.", "entityName", "entityType", "ein", "stateOfIncorporation",
			"address.street1", "address.street2",
			"address.city", "address.state", "address.zip")...),
		percentFields(160, "appData.businessInfo.ownershipPercentage"),
		moneyFields(92000, "appData.businessInfo.totalMonthlyRevenue"),
		textFields(310, withPrefix("loanOriginatorData.", "brokerUuid", "nmls", "externalId", "companyDbaName")...),
		licenseFields(),
	)
}

func licenseFields() []detailField {
	var all []detailField
	for i, side := range []string{"lenderLicense", "loanOriginatorLicense", "brokerLicense"} {
		all = append(all, textFields(400+20*i, withPrefix("loanOriginatorData.licenses."+side+".", "licenseHolder.type",
			"licenseHolder.uuid", "licenseHolder.name",
			"licenseHolder.nmls", "stateLicense.type", "stateLicense.uuid", "stateLicense.licenseNumber",
			"stateLicense.licenseName", "stateLicense.state")...)...)
	}
	return all
}

// liveOnlyFields returns the fields that only the live service sends.
func liveOnlyFields() []detailField {
	return concatFields(
		dateFields(25, "appData.keyDates.lastStatusUpdateDate", "appData.notary.manualNotary.manualNotaryDate"),
		moneyFields(93000, "appData.costs.totalPaidByBorrower", "appData.notary.manualNotary.manualNotaryFee",
			selectedPath+"originationFeeAmount"),
		percentFields(170, eligiblePath+"interestRatePercentageMin", eligiblePath+"interestRatePercentageMax",
			offerPath+"preDiscountOriginationFee", selectedPath+"originationFee"),
		textFields(500, eligiblePath+"payOffStatus", "loanOriginatorData.companyNmls", "loanOriginatorData.email"),
	)
}

func concatFields(groups ...[]detailField) []detailField {
	var all []detailField
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// allTabs returns the contents of all pages of a lead, with markup.
func allTabs(v *webtest.Browser, app string) string {
	v.H.T.Helper()
	var all strings.Builder
	for _, tab := range []string{"", "/offers?offer.offerUuid=" + fieldTestOffer + "&rateType=FIXED", "/property",
		"/underwriting", "/documents", "/funding", "/history", "/activity"} {
		page := v.Get("/leads/" + app + tab)
		if page.Status != http.StatusOK {
			v.H.T.Errorf("%s: got %d", tab, page.Status)
		}
		all.WriteString(page.Body)
	}
	return strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&amp;", "&").Replace(all.String())
}

// inquiryFields returns the fields again, for an inquiry whose offers can be selected.
func inquiryFields(fields []detailField) []detailField {
	var selectable []detailField
	for _, f := range fields {
		if !strings.HasSuffix(f.path, "canceledDate") && !strings.HasSuffix(f.path, "declinedDate") &&
			f.path != "appData.nextInquiryStep" {
			selectable = append(selectable, f)
		}
	}
	return append(selectable, detailField{"appData.isInquiry", true, "Yes"},
		detailField{"appData.nextInquiryStep", "OFFERS_AVAILABLE", "OFFERS_AVAILABLE"})
}

// TestDetailFields_AllShown gives every field a unique value. One lead is a closed application, the other an inquiry
// with offers: only its pages have the ids for choosing an offer.
func TestDetailFields_AllShown(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			fields := detailFields()
			if dialect == "live" {
				fields = append(fields, liveOnlyFields()...)
			}
			ended := webtest.New(t, webtest.Options{Dialect: dialect, Lender: lenderWithFields(dialect, fields...)})
			addFieldTestLead(ended, fieldTestApp)
			olivia := ended.SignInAs("olivia")
			ended.WaitUntil("conditions", func() bool {
				return strings.Contains(olivia.Get("/leads/"+fieldTestApp+"/funding").Body, "zq200x")
			})
			pages := allTabs(olivia, fieldTestApp)
			wantNoForbiddenFields(ended, t, pages)
			if strings.Contains(pages, "zq999link") {
				t.Error("the borrower link is on a page without being requested")
			}
			pages += olivia.Get("/leads/" + fieldTestApp + "/borrower-link").Body
			open := webtest.New(t, webtest.Options{Dialect: dialect,
				Lender: lenderWithFields(dialect, inquiryFields(fields)...)})
			addFieldTestLead(open, fieldTestApp)
			pages += allTabs(open.SignInAs("olivia"), fieldTestApp)
			for _, f := range fields {
				if !strings.Contains(pages, f.shown) {
					t.Errorf("%s: %q is on no page", f.path, f.shown)
				}
			}
			for _, want := range []string{fieldTestApp, "https://apply.lender.test/zq999link",
				string(webtest.SummitDirectory()[0].ID)} {
				if !strings.Contains(pages, want) {
					t.Errorf("%q is on no page", want)
				}
			}
		})
	}
}

// wantNoForbiddenFields checks that no page, log or row contains a forbidden field.
func wantNoForbiddenFields(h *webtest.Harness, t *testing.T, pages string) {
	t.Helper()
	places := map[string]string{"a page": pages, "the log": h.Log.String()}
	maps.Copy(places, h.Stored())
	for _, f := range forbiddenFields() {
		for place, text := range places {
			if strings.Contains(text, f.shown) || strings.Contains(text, fmt.Sprint(f.value)) {
				t.Errorf("%s is in %s", f.path, place)
			}
		}
	}
}

// TestDetailFields_BooleansDiffer inverts each boolean of the details and expects a difference on the pages.
func TestDetailFields_BooleansDiffer(t *testing.T) {
	t.Parallel()
	flags := append(withPrefix("appData.", "isInquiry", "isBridgeLoan", "startedAsInquiry", "autopay",
		"underwriting.floodInsured", "underwriting.homeownersInsured",
		"underwriting.homeForSaleMlsResponse", "underwriting.homeForSaleBorrowerAttested", "conditions.0.active"),
		eligiblePath+"providesDtiCredit", eligiblePath+"providesCltvCredit", eligiblePath+"providesLienPositionCredit")
	for _, path := range flags {
		var saw [2]string
		for i, value := range []bool{true, false} {
			h := webtest.New(t, webtest.Options{Lender: lenderWithFields("documented",
				append(detailFields(), detailField{path, value, ""})...)})
			addFieldTestLead(h, fieldTestApp)
			olivia := h.SignInAs("olivia")
			funding := ""
			h.WaitUntil("the lead is refreshed", func() bool {
				funding = olivia.Get("/leads/" + fieldTestApp + "/funding").Find("main").Text()
				return path != "appData.conditions.0.active" || strings.Contains(funding, "zq200x")
			})
			for _, tab := range []string{"/underwriting", "/history"} {
				saw[i] += olivia.Get("/leads/" + fieldTestApp + tab).Find("main .cols > .stack").First().Text()
			}
			saw[i] += funding
		}
		if saw[0] == saw[1] {
			t.Errorf("%s: true and false look the same", path)
		}
	}
}

// TestDetailFields_NullOrUnknown_StillRender has one lender that sends null for everything, and one that sends
// unknown values.
func TestDetailFields_NullOrUnknown_StillRender(t *testing.T) {
	t.Parallel()
	unknown := []detailField{
		{"appData.nextInquiryStep", "REVIEW_TITLE_TERMS", "Review title terms"}, {"appData.isInquiry", true, ""},
		{"appData.underwriting.offers.0.rateType", "STEPPED_RATE", ""}, {"appData.underwriting.offers.0.uuid", "u-1", ""},
		{"appData.underwriting.coDeedStatus", "WAITING_FOR_GODOT", "Waiting for godot"},
		{"appData.propertyDetails.propertyType", "HOUSE_BOAT", "House boat"},
		{"appData.ddpDetails.existingLiabilities.eligible.0.liabilityType", "ACME_SERVICING_HELOC",
			"Home equity line, serviced by the lender"},
		{"appData.notary.type", "BY_PIGEON", "By pigeon"},
	}
	for name, lender := range map[string]http.Handler{
		"strange": lenderWithFields("documented", unknown...),
		"null": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			webtest.WriteJSON(w, map[string]any{"data": nullDetails(), "messages": nil, "total": 0, "count": 0,
				"documents": nil})
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{Lender: lender, NeverFetched: name == "null"})
			addFieldTestLead(h, fieldTestApp)
			pages := allTabs(h.SignInAs("olivia"), fieldTestApp)
			if name == "strange" {
				for _, f := range unknown {
					if f.shown != "" && !strings.Contains(pages, f.shown) {
						t.Errorf("%s: %q is on no page", f.path, f.shown)
					}
				}
			}
			for _, nonsense := range []string{"%!", "<nil>", "0001-01", ", 0001", ">NaN", "$NaN", "$0<"} {
				if strings.Contains(pages, nonsense) {
					t.Errorf("a page contains %q", nonsense)
				}
			}
		})
	}
}
