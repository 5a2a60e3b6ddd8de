package sandbox

import "hearthline/internal/heloc"

// borrower is PII, included only on request. A jointly owned home has a second signer after conversion.
func (v detailsView) borrower() object {
	a := v.Inquiry.Applicant
	primary := v.signer(a.Name, "primary")
	primary["email"], primary["phoneNumber"] = orNull(a.Email), orNull(a.Phone)
	primary["dob"], primary["address"] = orNull(string(a.DateOfBirth)), address(a.HomeAddress)
	signers := []object{}
	if v.Inquiry.Property.OwnershipType == heloc.OwnershipJoint && v.Converted {
		second := v.signer(heloc.Name{Prefix: "Mr", First: "Jordan", Middle: "Lee", Last: a.Name.Last, Suffix: "Jr"},
			"second")
		second["email"], second["phoneNumber"] = "jordan@borrower.test", "3035550143"
		second["dob"], second["address"] = "1982-11-30", address(a.HomeAddress)
		signers = append(signers, second)
	}
	return object{"primary": primary, "additionalSigners": signers}
}

func (v detailsView) signer(n heloc.Name, role string) object {
	s := object{
		"identityUuid": derivedID(v.ID, "signer", role),
		"firstName":    orNull(n.First), "middleName": orNull(n.Middle), "lastName": orNull(n.Last),
	}
	if v.live {
		s["prefix"], s["suffix"] = orNull(n.Prefix), orNull(string(n.Suffix))
	}
	return s
}

// demographics are sent by default, as the live service does, to test that a partner handles
// them correctly. They are invented and describe no real person.
func (v detailsView) demographics() object {
	roll := stableNumber("demographics", v.ID)
	d := object{
		"hispanicOrLatinoEthnicityType": roll%5 == 0, "notHispanicOrLatino": roll%5 != 0, "ethnicityRefusal": false,
		"genderRefusal": false, "raceRefusal": false, "tribeName": nil,
		"ethnicityCollectedBasedOnVisualObservationOrSurname": false,
		"genderCollectedBasedOnVisualObservationOrName":       false,
		"raceCollectedBasedOnVisualObservationOrSurname":      false,
		"ethnicityOriginTypes":                                []string{}, "raceDesignationTypes": []string{},
		"genderTypes": []string{[]string{"FEMALE", "MALE"}[roll/5%2]},
	}
	switch roll / 10 % 5 {
	case 0:
		d["raceTypes"] = []string{"WHITE"}
	case 1:
		d["raceTypes"], d["raceDesignationTypes"] = []string{"ASIAN"}, []string{"KOREAN"}
	case 2:
		d["raceTypes"] = []string{"BLACK_OR_AFRICAN_AMERICAN"}
	case 3:
		d["raceTypes"], d["tribeName"] = []string{"AMERICAN_INDIAN_OR_ALASKA_NATIVE"}, "Not a real tribe"
	default:
		d["raceTypes"], d["raceDesignationTypes"] = []string{"NATIVE_HAWAIIAN_OR_OTHER_ISLANDER"}, []string{"SAMOAN"}
	}
	if roll%5 == 0 {
		d["ethnicityOriginTypes"] = []string{"PUERTO_RICAN"}
	}
	for _, name := range []string{"otherEthnicityDescription", "raceAsianAdditionalDescription",
		"racePacificIslanderAdditionalDescription"} {
		d[name] = false
		if v.live {
			d[name] = "Not given"
		}
	}
	return d
}

// externalID is the partner's own id of an originator; null for the few that have no NMLS number.
func externalID(o heloc.Originator) any {
	if o.NMLS == "" {
		return nil
	}
	return "LO-" + o.NMLS
}

// originator describes the lead's current originator and the licenses.
func (v detailsView) originator() object {
	o, state := v.lead, v.Inquiry.Property.Address.State
	var brokerID, brokerName, brokerNMLS string
	licenses := object{
		"lenderLicense": license(heloc.LicenseHolder{
			Type: holderLender, UUID: derivedID("lender"), Name: "Evergreen Lending", NMLS: "1717824",
		}, state),
		"loanOriginatorLicense": license(heloc.LicenseHolder{
			Type: holderLoanOfficer, UUID: string(o.ID), Name: o.FirstName + " " + o.LastName, NMLS: o.NMLS,
		}, state),
		"brokerLicense": nil,
	}
	if b := o.Broker; b != nil {
		brokerID, brokerName, brokerNMLS = b.ID, b.Name, b.NMLS
		licenses["brokerLicense"] = license(heloc.LicenseHolder{
			Type: holderBroker, UUID: b.ID, Name: b.Name, NMLS: b.NMLS,
		}, state)
	}
	data := object{
		"loanOriginatorUuid": o.ID, "brokerUuid": orNull(brokerID), "nmls": orNull(o.NMLS), "externalId": externalID(o),
		"companyDbaName": orNull(brokerName), "licenses": licenses,
	}
	if v.live {
		data["companyNmls"], data["email"] = orNull(brokerNMLS), o.Email
	}
	return data
}
