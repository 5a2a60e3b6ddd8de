package web

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
)

// sentinel is one field of the details resource with a value of its own, and what a
// person reads of it. Booleans stand in a test of their own.
type sentinel struct {
	path  string
	value any
	shown string
}

// texts, days, sums and shares make sentinels that no other field shares.
func texts(from int, paths ...string) []sentinel {
	var all []sentinel
	for i, p := range paths {
		v := "zq" + strconv.Itoa(from+i) + "x"
		switch p[strings.LastIndexByte(p, '.')+1:] {
		case "lienUuid", "offerUuid", "brokerUuid": // else they are read as absent
			v = fmt.Sprintf("5e57a1e1-0000-4000-8000-%012d", from+i)
		}
		all = append(all, sentinel{p, v, v})
	}
	return all
}

func days(from int, paths ...string) []sentinel {
	var all []sentinel
	for i, p := range paths {
		d := time.Date(2031, 1, from+i, 0, 0, 0, 0, time.UTC)
		all = append(all, sentinel{p, d.Format(time.DateOnly), d.Format("Jan 2, 2006")})
	}
	return all
}

func sums(from int, paths ...string) []sentinel {
	var all []sentinel
	for i, p := range paths {
		v := from + i
		all = append(all, sentinel{p, v, "$" + heloc.Dollars(int64(v)).Whole()})
	}
	return all
}

func shares(from int, paths ...string) []sentinel {
	var all []sentinel
	for i, p := range paths {
		v := 60 + float64(from+i)/100
		all = append(all, sentinel{p, v, fmt.Sprintf("%.2f%%", v)})
	}
	return all
}

// under puts a prefix before paths.
func under(prefix string, paths ...string) []string {
	for i := range paths {
		paths[i] = prefix + paths[i]
	}
	return paths
}

const (
	eligible   = "appData.ddpDetails.existingLiabilities.eligible.0."
	ineligible = "appData.ddpDetails.existingLiabilities.ineligible.0."
	lienPath   = "appData.propertyLiens.0."
	offerPath  = "appData.underwriting.offers.0."
	pickedPath = "appData.underwriting.selectedOffer."

	sentinelID    = "5e57a1e1-0000-4000-8000-00000000abcd"
	sentinelOffer = "5e57a1e1-0000-4000-8000-00000000ffff"
)

// sentinels are every field of section 2.3 but booleans, PII and demographics.
func sentinels() []sentinel {
	all := concatSentinels(
		texts(100, "organization", "appShortId"),
		texts(110, under("appData.", "status", "overallStatus", "nextInquiryStep", "statusReasons.0", "ownershipType", "financingPurpose", "assignedUsers.0.userUuid")...),
		days(1, under("appData.keyDates.", "createdDate", "expirationDate", "recissionEndDate", "signingDate", "completedDate", "summaryDisclosureDate",
			"productAgreementESignedTimestamp", "firstPaymentDueDate", "expectedPayoffDate")...),
		days(28, "appData.keyDates.canceledDate", "appData.keyDates.declinedDate"),
		texts(130, under("appData.propertyAddress.", "street1", "street2", "city", "state", "zip")...),
		texts(140, under("appData.propertyDetails.", "county", "propertyType", "acmePropertyId", "propertyUuid", "propertyFloodZone", "landUseDescription", "landUseCode")...),
		[]sentinel{
			{"appData.propertyDetails.lotSquareFeet", 71001, "71001"},
			{"appData.propertyDetails.buildingGrossArea", 71002.5, "71002.5"},
			{"appData.propertyDetails.propertyAcres", 7.125, "7.125"},
		},
		texts(150, "appData.costs.fixedCosts.0.type", "appData.costs.dynmaicCosts.0.type"),
		sums(81000, "appData.costs.fixedCosts.0.borrowerPaidAmount", "appData.costs.dynmaicCosts.0.borrowerPaidAmount"),
		sums(82000, under("appData.ddpDetails.", "paidLiabilityPayoffAmount", "totalLiabilityPayoffAmount",
			"liabilityPayoffAllocatedAmountDtiImpacting", "liabilityPayoffAllocatedAmountNonDtiImpacting")...),
		[]sentinel{{"appData.ddpDetails.lienPositionAfterPayoff", 14, "14th"}},
		texts(160, under(eligible, "rateType", "liabilitySubType", "lastDigitsOfAccountNumber", "creditorName", "liabilityType")...),
		texts(170, eligible+"id", ineligible+"id"),
		sums(83000, eligible+"monetaryBalance", ineligible+"monetaryBalance"),
		shares(100, eligible+"interestRatePercentage", ineligible+"interestRatePercentage"),
		texts(180, under(ineligible, "rateType", "liabilitySubType", "lastDigitsOfAccountNumber", "creditorName", "liabilityType",
			"reasons.0.unavailableReason", "reasons.0.description")...),
		texts(190, under("appData.statusHistory.0.", "overallStatus", "status")...),
		days(11, "appData.statusHistory.0.timestamp", "appData.conditions.0.createdDate", "appData.conditions.0.lastUpdateDate"),
		texts(200, "appData.conditions.0.name"),
		texts(210, under("appData.thirdPartyIntegrations.", "externalPartnerApplicationId", "externalPartnerReferenceId", "externalPartnerCustomerId")...),
		texts(220, under("appData.utmParameters.", "source", "medium", "campaign", "term", "content")...),
		texts(230, under("appData.fundingTransactionReport.transactions.0.", "id", "paymentRail", "status", "messageUuid", "batchingCategory")...),
		sums(84000, "appData.fundingTransactionReport.transactions.0.amount"),
		days(15, under("appData.fundingTransactionReport.transactions.0.", "initiatedAt", "effectiveDate", "sentAt")...),
		texts(240, under(lienPath, "lienUuid", "lenderName")...),
		days(18, lienPath+"originationDate"),
		sums(85000, under(lienPath, "originalBalance", "currentBalance", "monthlyPayment")...),
		[]sentinel{{lienPath + "lienPosition", 13, "13th"}},
	)
	return append(all, underwritingSentinels()...)
}

func underwritingSentinels() []sentinel {
	return concatSentinels(
		texts(250, under("appData.underwriting.", "decision", "softCredit.provider", "hardCredit.provider", "coDeedStatus", "employmentType", "guidelineVersion")...),
		sums(86000, under("appData.underwriting.", "minOfferAmount", "maxOfferAmount", "monthlyIncome", "statedMonthlyIncome")...),
		shares(110, under("appData.underwriting.", "minOfferRate", "maxOfferRate", "preLoanDti", "postLoanDti", "statedDti")...),
		[]sentinel{{"appData.underwriting.softCredit.score", 711, "711"}, {"appData.underwriting.hardCredit.score", 722, "722"}},
		days(19, under("appData.underwriting.", "softCredit.timestamp", "hardCredit.timestamp", "pricingAsOfDate", "creditAsOfDate")...),
		[]sentinel{{offerPath + "uuid", sentinelOffer, sentinelOffer}, {offerPath + "term", 61, "61 mo"}, {offerPath + "rateType", "FIXED", "fixed"}},
		sums(20000, offerPath+"minAmount"), sums(87000, offerPath+"maxAmount", offerPath+"appliedOriginationFeeCapAmount"),
		shares(120, offerPath+"rate", offerPath+"primeRate"),
		[]sentinel{{offerPath + "originationFeePercent", 3.17, "3.17%"}},
		texts(260, offerPath+"discountList.0.type"), shares(130, offerPath+"discountList.0.rateDiscountAmount"),
		texts(270, pickedPath+"offerUuid", pickedPath+"rateType", pickedPath+"selectedDiscounts.0.type"),
		sums(88000, under(pickedPath, "loanAmount", "drawAmount", "estimatedMonthlyPayment", "creditLine")...),
		shares(140, under(pickedPath, "rate", "primeRate", "originationFeePercent", "selectedDiscounts.0.rateDiscountAmount")...),
		[]sentinel{{pickedPath + "term", 73, "73 months"}},
		sums(90000, "appData.propertyValue.borrowerEstimatedValue"), sums(640001, "appData.propertyValue.propertyAvmValue"),
		shares(150, under("appData.propertyValue.", "preLoanCltv", "postLoanCltv", "preLoanAdjCltv", "postLoanAdjCltv", "postLoanAdjMinCltv")...),
		texts(280, "appData.notary.type"), sums(91000, "appData.notary.fee"),
		days(23, "appData.notary.appointmentDate", "appData.notary.completedDate"),
		texts(290, "appData.testVariants.variants.0.name"),
		texts(300, under("appData.businessInfo.", "entityName", "entityType", "ein", "stateOfIncorporation", "address.street1", "address.street2",
			"address.city", "address.state", "address.zip")...),
		shares(160, "appData.businessInfo.ownershipPercentage"), sums(92000, "appData.businessInfo.totalMonthlyRevenue"),
		texts(310, under("loanOriginatorData.", "brokerUuid", "nmls", "externalId", "companyDbaName")...),
		licenceSentinels(),
	)
}

func licenceSentinels() []sentinel {
	var all []sentinel
	for i, party := range []string{"lenderLicense", "loanOriginatorLicense", "brokerLicense"} {
		all = append(all, texts(400+20*i, under("loanOriginatorData.licenses."+party+".", "licenseHolder.type", "licenseHolder.uuid", "licenseHolder.name",
			"licenseHolder.nmls", "stateLicense.type", "stateLicense.uuid", "stateLicense.licenseNumber", "stateLicense.licenseName", "stateLicense.state")...)...)
	}
	return all
}

// fieldSentinels are what only the service in the field sends.
func fieldSentinels() []sentinel {
	return concatSentinels(
		days(25, "appData.keyDates.lastStatusUpdateDate", "appData.notary.manualNotary.manualNotaryDate"),
		sums(93000, "appData.costs.totalPaidByBorrower", "appData.notary.manualNotary.manualNotaryFee", pickedPath+"originationFeeAmount"),
		shares(170, eligible+"interestRatePercentageMin", eligible+"interestRatePercentageMax", offerPath+"preDiscountOriginationFee", pickedPath+"originationFee"),
		texts(500, eligible+"payOffStatus", "loanOriginatorData.companyNmls", "loanOriginatorData.email"),
	)
}

func concatSentinels(groups ...[]sentinel) []sentinel {
	var all []sentinel
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// everyTab is all that the pages of a lead say, markup included.
func (v *visitor) everyTab(app string) string {
	v.h.t.Helper()
	var all strings.Builder
	for _, tab := range []string{"", "/offers?offer.offerUuid=" + sentinelOffer + "&rateType=FIXED", "/property", "/underwriting", "/documents", "/funding", "/history", "/activity"} {
		page := v.get("/leads/" + app + tab)
		if page.status != http.StatusOK {
			v.h.t.Errorf("%s: got %d", tab, page.status)
		}
		all.WriteString(page.body)
	}
	return strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&amp;", "&").Replace(all.String())
}

// asInquiry are the fields again, of an inquiry whose offers can be selected.
func asInquiry(fields []sentinel) []sentinel {
	var kept []sentinel
	for _, f := range fields {
		if !strings.HasSuffix(f.path, "canceledDate") && !strings.HasSuffix(f.path, "declinedDate") && f.path != "appData.nextInquiryStep" {
			kept = append(kept, f)
		}
	}
	return append(kept, sentinel{"appData.isInquiry", true, "Yes"}, sentinel{"appData.nextInquiryStep", "OFFERS_AVAILABLE", "OFFERS_AVAILABLE"})
}

// TestEveryFieldOfTheDetailsIsFoundSomewhere gives every field its own value. One
// lead stands for a closed application, the other for an inquiry with offers, whose
// pages alone have the ids to choose by.
func TestEveryFieldOfTheDetailsIsFoundSomewhere(t *testing.T) {
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			fields := sentinels()
			if dialect == "live" {
				fields = append(fields, fieldSentinels()...)
			}
			ended := newHouse(t, furnished{dialect: dialect, lender: planted(dialect, fields...)})
			ended.adopted(sentinelID)
			olivia := ended.visit("olivia")
			ended.until("conditions", func() bool {
				return strings.Contains(olivia.get("/leads/"+sentinelID+"/funding").body, "zq200x")
			})
			pages := olivia.everyTab(sentinelID)
			ended.holdsNone(t, pages)
			if strings.Contains(pages, "zq999link") {
				t.Error("the borrower's link stands on a page without a press")
			}
			pages += olivia.get("/leads/" + sentinelID + "/borrower-link").body
			open := newHouse(t, furnished{dialect: dialect, lender: planted(dialect, asInquiry(fields)...)})
			open.adopted(sentinelID)
			pages += open.visit("olivia").everyTab(sentinelID)
			for _, f := range fields {
				if !strings.Contains(pages, f.shown) {
					t.Errorf("%s: %q is on no page", f.path, f.shown)
				}
			}
			for _, want := range []string{sentinelID, "https://apply.lender.test/zq999link", string(summitDirectory()[0].ID)} {
				if !strings.Contains(pages, want) {
					t.Errorf("%q is on no page", want)
				}
			}
		})
	}
}

// holdsNone looks for what must be nowhere.
func (h *house) holdsNone(t *testing.T, pages string) {
	t.Helper()
	places := map[string]string{"a page": pages, "the log": h.log.String()}
	files, _ := filepath.Glob(filepath.Join(h.dir, "portal.db*"))
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		places[filepath.Base(name)] = string(raw)
	}
	for _, f := range hiddenFields() {
		for place, text := range places {
			if strings.Contains(text, f.shown) || strings.Contains(text, fmt.Sprint(f.value)) {
				t.Errorf("%s stands in %s", f.path, place)
			}
		}
	}
}

// TestEveryYesAndNoIsSaid turns each boolean of the details and looks for a difference.
func TestEveryYesAndNoIsSaid(t *testing.T) {
	flags := append(under("appData.", "isInquiry", "isBridgeLoan", "startedAsInquiry", "autopay", "underwriting.floodInsured", "underwriting.homeownersInsured",
		"underwriting.homeForSaleMlsResponse", "underwriting.homeForSaleBorrowerAttested", "conditions.0.active"),
		eligible+"providesDtiCredit", eligible+"providesCltvCredit", eligible+"providesLienPositionCredit")
	for _, path := range flags {
		var saw [2]string
		for i, value := range []bool{true, false} {
			h := newHouse(t, furnished{lender: planted("documented", append(sentinels(), sentinel{path, value, ""})...)})
			h.adopted(sentinelID)
			olivia := h.visit("olivia")
			funding := ""
			h.until("the lead is read", func() bool {
				funding = olivia.get("/leads/" + sentinelID + "/funding").Find("main").Text()
				return path != "appData.conditions.0.active" || strings.Contains(funding, "zq200x")
			})
			for _, tab := range []string{"/underwriting", "/history"} {
				saw[i] += olivia.get("/leads/" + sentinelID + tab).Find("main .cols > .stack").First().Text()
			}
			saw[i] += funding
		}
		if saw[0] == saw[1] {
			t.Errorf("%s: yes and no look the same", path)
		}
	}
}

// TestNothingKnownAndNothingUnderstoodStillIsAPage has a lender that says null for
// everything, and one that says what nobody has heard of.
func TestNothingKnownAndNothingUnderstoodStillIsAPage(t *testing.T) {
	strange := []sentinel{
		{"appData.nextInquiryStep", "REVIEW_TITLE_TERMS", "Review title terms"}, {"appData.isInquiry", true, ""},
		{"appData.underwriting.offers.0.rateType", "STEPPED_RATE", ""}, {"appData.underwriting.offers.0.uuid", "u-1", ""},
		{"appData.underwriting.coDeedStatus", "WAITING_FOR_GODOT", "Waiting for godot"}, {"appData.propertyDetails.propertyType", "HOUSE_BOAT", "House boat"},
		{"appData.ddpDetails.existingLiabilities.eligible.0.liabilityType", "ACME_SERVICING_HELOC", "Home equity line, serviced by the lender"},
		{"appData.notary.type", "BY_PIGEON", "By pigeon"},
	}
	for name, lender := range map[string]http.Handler{
		"strange": planted("documented", strange...),
		"null": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asJSON(w, map[string]any{"data": nullDetails(), "messages": nil, "total": 0, "count": 0, "documents": nil})
		}),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, furnished{lender: lender})
			h.adopted(sentinelID)
			pages := h.visit("olivia").everyTab(sentinelID)
			if name == "strange" {
				for _, f := range strange {
					if f.shown != "" && !strings.Contains(pages, f.shown) {
						t.Errorf("%s: %q is on no page", f.path, f.shown)
					}
				}
			}
			for _, nonsense := range []string{"%!", "<nil>", "0001-01", ", 0001", "NaN", "$0<"} {
				if strings.Contains(pages, nonsense) {
					t.Errorf("a page says %q", nonsense)
				}
			}
		})
	}
}
