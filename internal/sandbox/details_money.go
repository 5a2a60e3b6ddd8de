package sandbox

import "hearthline/internal/heloc"

// notaryFee is the cost of a signing appointment.
const notaryFee = heloc.Money(150_00)

// cost is one cost that the borrower pays.
type cost struct {
	Type   string
	Amount heloc.Money
}

// costs of a loan: fixed ones, and those that depend on the loan amount and the state.
type costs struct{ fixed, dynamic []cost }

func (q *inquiryRecord) costs(loan heloc.Money) costs {
	c := costs{fixed: []cost{{"NOTARY_FEE", notaryFee}, {"RECORDING_FEE", 85_00}, {"TITLE_FEE", 215_00}}}
	if tax := recordingTax(q.Inquiry.Property.Address.State); tax > 0 {
		c.dynamic = append(c.dynamic, cost{"RECORDING_TAX", percentOf(loan, tax)})
	}
	if loan > valuationLine {
		c.dynamic = append(c.dynamic, cost{"BPO_FEE", 180_00})
	}
	return c
}

// recordingTax is the tax of some states on a recorded mortgage, in percent.
func recordingTax(state string) heloc.Rate {
	switch state {
	case "AL":
		return 1500
	case "FL":
		return 5500
	case "GA":
		return 3000
	case "MN":
		return 2300
	case "NY":
		return 1_0500
	case "TN":
		return 1150
	default:
		return 0
	}
}

// selectedCosts are the costs of the selected offer; empty before there is one.
func (q *inquiryRecord) selectedCosts() costs {
	if q.Selection == nil {
		return costs{}
	}
	return q.costs(q.Selection.Loan)
}

// costsJSON names the second list as the dialect does: the contract has "dynmaicCosts".
func (s *Sandbox) costsJSON(c costs) object {
	lines := func(of []cost) []object {
		list := make([]object, 0, len(of))
		for _, one := range of {
			list = append(list, object{"type": one.Type, "borrowerPaidAmount": one.Amount})
		}
		return list
	}
	if s.cfg.Dialect != Live {
		return object{"fixedCosts": lines(c.fixed), "dynmaicCosts": lines(c.dynamic)}
	}
	var total heloc.Money
	for _, one := range append(append([]cost{}, c.fixed...), c.dynamic...) {
		total += one.Amount
	}
	return object{"fixedCosts": lines(c.fixed), "dynamicCosts": lines(c.dynamic), "totalPaidByBorrower": total}
}

// payoff is the direct debt payoff: the selected debts and those that could be selected.
func (v detailsView) payoff() object {
	payoff := object{
		"paidLiabilityPayoffAmount": nil, "totalLiabilityPayoffAmount": nil,
		"liabilityPayoffAllocatedAmountDtiImpacting": nil, "liabilityPayoffAllocatedAmountNonDtiImpacting": nil,
		"lienPositionAfterPayoff": nil, "existingLiabilities": object{"eligible": []object{}, "ineligible": []object{}},
	}
	if !v.creditKnown() {
		return payoff
	}
	marked := map[string]bool{}
	for _, id := range v.PayoffAccounts {
		marked[id] = true
	}
	eligible, ineligible := []object{}, []object{}
	var unsecured, secured heloc.Money
	position := len(v.Liens) + 1
	for _, d := range v.debts() {
		line := v.liability(d, marked[d.ID])
		switch {
		case d.Reason != "":
			ineligible = append(ineligible, line)
			continue
		case marked[d.ID] && d.Lien:
			secured += d.Balance
			position--
		case marked[d.ID]:
			unsecured += d.Balance
		}
		eligible = append(eligible, line)
	}
	payoff["existingLiabilities"] = object{"eligible": eligible, "ineligible": ineligible}
	payoff["lienPositionAfterPayoff"] = position
	if len(v.PayoffAccounts) > 0 {
		payoff["totalLiabilityPayoffAmount"] = unsecured + secured
		payoff["liabilityPayoffAllocatedAmountDtiImpacting"] = unsecured
		payoff["liabilityPayoffAllocatedAmountNonDtiImpacting"] = secured
		payoff["paidLiabilityPayoffAmount"] = heloc.Money(0)
		if !v.Dates.Funded.IsZero() {
			payoff["paidLiabilityPayoffAmount"] = unsecured + secured
		}
	}
	return payoff
}

func (v detailsView) liability(d debt, marked bool) object {
	line := object{
		"id": d.ID, "rateType": d.RateType, "liabilitySubType": d.SubType, "lastDigitsOfAccountNumber": d.Digits,
		"monetaryBalance": d.Balance, "interestRatePercentage": d.Rate, "creditorName": d.Creditor, "liabilityType": d.Type,
		"providesDtiCredit": d.Reason == "", "providesCltvCredit": d.Lien, "providesLienPositionCredit": d.Lien,
	}
	if d.Reason != "" {
		line["reasons"] = []object{{"unavailableReason": d.Reason, "description": d.Why}}
	}
	if v.live {
		line["interestRatePercentageMin"], line["interestRatePercentageMax"] = d.Rate, d.Rate
		line["payOffStatus"] = nil
		switch {
		case marked && !v.Dates.Funded.IsZero():
			line["payOffStatus"] = "PAID_OFF"
		case marked:
			line["payOffStatus"] = "MARKED_FOR_PAYOFF"
		}
	}
	return line
}

// funding is the funding report.
func (v detailsView) funding() object {
	lines := make([]object, 0, len(v.Transfers))
	for _, t := range v.Transfers {
		lines = append(lines, object{
			"id": t.ID, "amount": t.Amount, "initiatedAt": v.dateOrTimestamp(t.At), "effectiveDate": date(t.At),
			"paymentRail": t.Rail, "status": t.Status, "messageUuid": t.Message, "sentAt": v.dateOrTimestamp(t.At),
			"batchingCategory": t.Category,
		})
	}
	return object{"transactions": lines}
}
