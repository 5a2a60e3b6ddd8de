package partner

import (
	"context"
	"io"

	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

const (
	appID            heloc.AppID        = "0b8f6c1e-5d2a-4f39-9a77-3c1d20e4b001"
	originatorOlivia heloc.OriginatorID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	originatorMarcus heloc.OriginatorID = "550e8400-e29b-41d4-a716-446655440000"
	offerID                             = "11111111-2222-4333-8444-555555555555"
	testSSN                             = "123-45-6789"
)

func dollars(dollars int64) *heloc.Money { return new(heloc.Dollars(dollars)) }

func testInquiry() heloc.Inquiry {
	home := heloc.Address{Street1: "14 Harbor Street", Street2: "Apt 4", City: "Portland", State: "OR", ZIP: "97201"}
	return heloc.Inquiry{
		Applicant: heloc.Applicant{
			Name:        heloc.Name{First: "Elena", Last: "Rivera", Prefix: "Ms", Middle: "J", Suffix: "Jr"},
			DateOfBirth: "1980-02-29", Phone: "5035550142", Email: "elena@example.test", SSN: pii.Wrap("123456789"),
			HomeAddress: home,
			Income: heloc.Income{
				EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(120_000), OtherAnnual: dollars(0),
				RetirementAnnual: dollars(1), InvestmentAnnual: dollars(2), BusinessAnnual: dollars(3),
				Savings: new(heloc.Money(1_050)),
			},
		},
		Property: heloc.Property{
			Address: home, PropertyType: heloc.PropertyPrimary, IsListedForSale: new(false),
			OwnershipType: heloc.OwnershipJoint, EstimatedValue: dollars(640_000), Liens: testLiens()[1:],
		},
		PartnerData: &heloc.PartnerData{
			AppID: "overwritten", ReferenceID: "ref-7", CustomerID: "cust-9",
			UTM: &heloc.UTM{Source: "crm", Medium: "mail", Campaign: "spring", Term: "heloc", Content: "a"},
		},
		TestVariants: &heloc.TestVariants{Variants: []heloc.TestVariant{{Name: "variant-a"}}},
		Business: &heloc.BusinessInfo{
			EntityName: "Rivera LLC", EntityType: "SINGLE_OWNER_LLC", OwnershipPercentage: new(heloc.Percent(100)),
			TotalMonthlyRevenue: dollars(9_000), EIN: "12-3456789", StateOfIncorporation: "OR", Address: &home,
		},
	}
}

func testLiens() []heloc.LienInput {
	return []heloc.LienInput{
		{LienUUID: "22222222-2222-4222-8222-222222222222", OriginationDate: "2018-06-14", LenderName: "First Bank",
			OriginalBalance: dollars(300_000), CurrentBalance: dollars(250_000), MonthlyPayment: new(heloc.Money(154_321))},
		{OriginationDate: "2021-01-02", LenderName: "Second Bank", OriginalBalance: dollars(20_000)},
	}
}

func testPrequalification() heloc.Prequalification {
	return heloc.Prequalification{
		AffiliateID: "33333333-3333-4333-8333-333333333333", FirstName: "Elena", LastName: "Rivera", Suffix: "Jr",
		Email: "elena@example.test", Phone: "5035550142", RequestType: "OFFERS",
		LeadID: "L-77", SelfCreditRating: "GOOD", CampaignName: "spring", CampaignSubSource: "radio", QueryParams: "a=b",
		EmploymentStatus: "SELF_EMPLOYED",
		MailingAddress: &heloc.PrequalifyAddress{
			Address: heloc.Address{Street1: "PO Box 12", City: "Portland", State: "OR", ZIP: "97201"}, Type: "MAILING",
			Ownership: heloc.OwnershipTrust, OwnerLegalName: "Rivera Trust",
		},
		Address: &heloc.PrequalifyAddress{
			Address: heloc.Address{Street1: "14 Harbor Street", City: "Portland", State: "OR", ZIP: "97201"},
			Type:    "HOME", Ownership: heloc.OwnershipSole,
		},
		HouseholdIncome: dollars(120_000), DateOfBirth: "1980-02-29", RemarketingAllowed: true, PrivacyOptIn: true,
		AmountToBorrow: new(heloc.Count(250_000)), SSN: pii.Wrap(testSSN), LoanPurpose: "HOME_IMPROVEMENT",
		FICO: new(heloc.Count(740)), MonthlyExpenses: dollars(2_000), MortgageBalances: new(heloc.Count(180_000)),
		PropertyValue: dollars(640_000),
	}
}

// fixtureCalls maps the first word of a fixture's file name to the call that it tests.
func fixtureCalls() map[string]func(context.Context, *Client) (any, error) {
	return map[string]func(context.Context, *Client) (any, error){
		"start": func(ctx context.Context, c *Client) (any, error) {
			return c.Start(ctx, Start{Originator: originatorOlivia, Reference: "hl-01JTEST", Inquiry: testInquiry()})
		},
		"start-bare": func(ctx context.Context, c *Client) (any, error) {
			return c.Start(ctx, Start{Originator: originatorOlivia})
		},
		"calculate-offers": func(ctx context.Context, c *Client) (any, error) {
			return c.Quote(ctx, appID, heloc.QuoteRequest{
				Amount: dollars(85_000), OriginationFee: new(heloc.Percent(2.99)), LiabilityPayoff: dollars(12_000),
				AccountIDs: []string{"acc-1", "acc-2"}, AutopayDiscount: true,
			})
		},
		"details": func(ctx context.Context, c *Client) (any, error) {
			return c.Details(ctx, appID, Conditions, FundingReport)
		},
		"signers": func(ctx context.Context, c *Client) (any, error) { return c.Signers(ctx, appID) },
		"select-offer": func(ctx context.Context, c *Client) (any, error) {
			return c.SelectOffer(ctx, appID, originatorOlivia,
				heloc.OfferSelection{OfferUUID: offerID, Amount: heloc.Dollars(85_000)})
		},
		"select-offer-payoff": func(ctx context.Context, c *Client) (any, error) {
			return c.SelectOffer(ctx, appID, originatorOlivia, heloc.OfferSelection{
				OfferUUID: offerID, Amount: 8_500_050, Discounts: []string{"AUTOPAY"}, AccountsToPayoff: []string{"acc-1"},
			})
		},
		"cancel": func(ctx context.Context, c *Client) (any, error) { return c.Cancel(ctx, appID, originatorOlivia) },
		"attributions": func(ctx context.Context, c *Client) (any, error) {
			return c.SetAttributions(ctx, appID, originatorOlivia, heloc.Attributions{
				Source: heloc.Attribution{Change: true, Value: "crm"}, Medium: heloc.Attribution{Change: true},
				ReferenceID: heloc.Attribution{Change: true, Value: "ref-8"},
				CustomerID:  heloc.Attribution{Change: true, Value: "cust-9"},
			})
		},
		"reassign": func(ctx context.Context, c *Client) (any, error) { return c.Reassign(ctx, appID, originatorMarcus) },
		"direct-debt-payoff-offers": func(ctx context.Context, c *Client) (any, error) {
			return c.PayoffOffers(ctx, appID, []string{"acc-1", "acc 2"})
		},
		"properties": func(ctx context.Context, c *Client) (any, error) { return c.Properties(ctx, appID) },
		"select-property": func(ctx context.Context, c *Client) (any, error) {
			return c.SelectProperty(ctx, appID, originatorOlivia, "prop/7")
		},
		"add-ssn": func(ctx context.Context, c *Client) (any, error) {
			return c.AddSSN(ctx, appID, originatorOlivia, pii.Wrap(" 123 45 6789"))
		},
		"repull-credit": func(ctx context.Context, c *Client) (any, error) {
			return c.RepullCredit(ctx, appID, originatorOlivia)
		},
		"verify-liens": func(ctx context.Context, c *Client) (any, error) {
			return c.VerifyLiens(ctx, appID, originatorOlivia, testLiens())
		},
		"add-income": func(ctx context.Context, c *Client) (any, error) {
			return c.AddIncome(ctx, appID, originatorOlivia, testInquiry().Applicant.Income)
		},
		"asset-depletion": func(ctx context.Context, c *Client) (any, error) {
			return c.AssetDepletion(ctx, appID, originatorOlivia, heloc.AssetDepletion{
				Income:           heloc.Income{EmploymentType: "RETIRED", GrossAnnual: dollars(0), Savings: dollars(50_000)},
				AccountsToPayoff: []string{"acc-1"},
			})
		},
		"asset-depletion-income-payoff": func(ctx context.Context, c *Client) (any, error) {
			return c.AssetDepletion(ctx, appID, originatorOlivia, heloc.AssetDepletion{
				Income: testInquiry().Applicant.Income, AccountsToPayoff: []string{"acc-1", "acc-2"},
			})
		},
		"add-property-estimate": func(ctx context.Context, c *Client) (any, error) {
			return c.AddPropertyEstimate(ctx, appID, originatorOlivia, 64_000_050)
		},
		"document-list": func(ctx context.Context, c *Client) (any, error) { return c.Documents(ctx, appID) },
		"document": func(ctx context.Context, c *Client) (any, error) {
			return readDownload(c.Document(ctx, appID, heloc.Document{UUID: "44444444-4444-4444-8444-444444444444"}))
		},
		"documents-zip": func(ctx context.Context, c *Client) (any, error) {
			return readDownload(c.DocumentsZip(ctx, appID))
		},
		"pre-qualify": func(ctx context.Context, c *Client) (any, error) { return c.Prequalify(ctx, testPrequalification()) },
		"pre-qualify-v1": func(ctx context.Context, c *Client) (any, error) {
			return c.PrequalifyPlain(ctx, testPrequalification())
		},
		"loan-originator": func(ctx context.Context, c *Client) (any, error) {
			return c.Originators(ctx, OriginatorQuery{Emails: []string{"olivia@summit.test", "marcus@summit.test"},
				Offset: 100, Limit: 50})
		},
		"loan-originator-all": func(ctx context.Context, c *Client) (any, error) {
			return c.Originators(ctx, OriginatorQuery{})
		},
		"encrypt": func(ctx context.Context, c *Client) (any, error) {
			return c.Seal(ctx, []byte(`{"applicant":{"email":"elena@example.test"}}`))
		},
		"borrower-costs": func(ctx context.Context, c *Client) (any, error) {
			return c.BorrowerCosts(ctx, appID, offerID, 8_500_050)
		},
	}
}

// readDownload reads a download to the end.
func readDownload(d *Download, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(d.Body)
	closed := d.Body.Close()
	return struct {
		Body, ContentType, FileName, RequestID string
		Length                                 int64
		Closed                                 error
	}{string(body), d.ContentType, d.FileName, d.RequestID, d.Length, closed}, err
}
