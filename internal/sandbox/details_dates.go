package sandbox

import "time"

// date is the lender's calendar day, or null.
func date(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.DateOnly)
}

// dateOrTimestamp is a date in the contract and a date-time in the live service. The date-time has the
// lender's offset from UTC, so that both have the same calendar day.
func (v detailsView) dateOrTimestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	if v.live {
		return t.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return date(t)
}

// keyDates uses the names of each dialect: the contract misspells the rescission date.
func (v detailsView) keyDates() object {
	rescission := "recissionEndDate"
	if v.live {
		rescission = "rescissionEndDate"
	}
	dates := object{
		"createdDate": v.dateOrTimestamp(v.Created), "expirationDate": v.dateOrTimestamp(v.Dates.Expiration),
		rescission: v.dateOrTimestamp(v.Dates.Rescission), "signingDate": v.dateOrTimestamp(v.Dates.Signing),
		"completedDate": v.dateOrTimestamp(v.Dates.Completed), "canceledDate": v.dateOrTimestamp(v.Dates.Canceled),
		"declinedDate": v.dateOrTimestamp(v.Dates.Declined), "summaryDisclosureDate": v.dateOrTimestamp(v.Dates.Disclosed),
		"productAgreementESignedTimestamp": v.dateOrTimestamp(v.Dates.ESigned),
		"firstPaymentDueDate":              v.dateOrTimestamp(v.Dates.FirstDue),
		"expectedPayoffDate":               v.dateOrTimestamp(v.Dates.Payoff),
	}
	if v.live {
		dates["lastStatusUpdateDate"] = v.dateOrTimestamp(v.History[len(v.History)-1].At)
	}
	return dates
}

func (v detailsView) history() []object {
	lines := make([]object, 0, len(v.History))
	for _, h := range v.History {
		lines = append(lines, object{"overallStatus": h.Overall, "status": h.Status, "timestamp": v.dateOrTimestamp(h.At)})
	}
	return lines
}

func (v detailsView) conditions() []object {
	lines := make([]object, 0, len(v.OpenConditions))
	for _, c := range v.OpenConditions {
		lines = append(lines, object{
			"active": c.Active, "name": c.Name, "createdDate": v.dateOrTimestamp(c.Created),
			"lastUpdateDate": v.dateOrTimestamp(c.Updated),
		})
	}
	return lines
}

// notary is the signing appointment, which exists only after conversion.
func (v detailsView) notary() object {
	if !v.Converted {
		return object{"type": "NOT_APPLICABLE", "fee": nil, "appointmentDate": nil, "completedDate": nil}
	}
	return object{
		"type": v.notaryType(), "fee": notaryFee, "appointmentDate": v.dateOrTimestamp(v.Dates.Appointment),
		"completedDate": v.dateOrTimestamp(v.Dates.Notarized),
	}
}

// manualNotary is the deprecated form of an appointment with a notary in person, which only the live service
// sends; null for any other.
func (v detailsView) manualNotary() any {
	if !v.Converted || v.notaryType() != notaryManual {
		return nil
	}
	return object{"manualNotaryDate": v.dateOrTimestamp(v.Dates.Appointment), "manualNotaryFee": notaryFee}
}
