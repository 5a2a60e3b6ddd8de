package sandbox

import "time"

// date is a calendar day, or null.
func date(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.DateOnly)
}

// stamp is a date in the contract and a date-time in the field.
func (v shown) stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	if v.live {
		return t.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return date(t)
}

// keyDates spells what each dialect spells: the contract leaves a letter out.
func (v shown) keyDates() obj {
	rescission := "recissionEndDate"
	if v.live {
		rescission = "rescissionEndDate"
	}
	dates := obj{
		"createdDate": v.stamp(v.Created), "expirationDate": v.stamp(v.Life.Expiration),
		rescission: v.stamp(v.Life.Rescission), "signingDate": v.stamp(v.Life.Signing),
		"completedDate": v.stamp(v.Life.Completed), "canceledDate": v.stamp(v.Life.Canceled),
		"declinedDate": v.stamp(v.Life.Declined), "summaryDisclosureDate": v.stamp(v.Life.Disclosed),
		"productAgreementESignedTimestamp": v.stamp(v.Life.ESigned),
		"firstPaymentDueDate":              v.stamp(v.Life.FirstDue), "expectedPayoffDate": v.stamp(v.Life.Payoff),
	}
	if v.live {
		dates["lastStatusUpdateDate"] = v.stamp(v.History[len(v.History)-1].At)
	}
	return dates
}

func (v shown) history() []obj {
	lines := make([]obj, 0, len(v.History))
	for _, h := range v.History {
		lines = append(lines, obj{"overallStatus": h.Overall, "status": h.Status, "timestamp": v.stamp(h.At)})
	}
	return lines
}

func (v shown) conditions() []obj {
	lines := make([]obj, 0, len(v.Open))
	for _, c := range v.Open {
		lines = append(lines, obj{
			"active": c.Active, "name": c.Name, "createdDate": v.stamp(c.Created), "lastUpdateDate": v.stamp(c.Updated),
		})
	}
	return lines
}

// notary is the signing appointment, once the application stands.
func (v shown) notary() obj {
	n := obj{"type": "NOT_APPLICABLE", "fee": nil, "appointmentDate": nil, "completedDate": nil}
	if v.Converted {
		n = obj{
			"type": v.notaryType(), "fee": notaryFee, "appointmentDate": v.stamp(v.Life.Appointment),
			"completedDate": v.stamp(v.Life.Notarized),
		}
	}
	if !v.live {
		return n
	}
	n["manualNotary"] = nil
	if v.Converted && v.notaryType() == "MANUAL" {
		n["manualNotary"] = obj{"manualNotaryDate": v.stamp(v.Life.Appointment), "manualNotaryFee": notaryFee}
	}
	return n
}
