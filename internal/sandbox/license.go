package sandbox

import (
	"fmt"

	"hearthline/internal/heloc"
)

// The holders of licenses.
const (
	holderLender      heloc.LicenseHolderType = "LENDER"
	holderBroker      heloc.LicenseHolderType = "BROKER"
	holderLoanOfficer heloc.LicenseHolderType = "LOAN_OFFICER"
)

// licensed reports whether a broker may lend in a state. Four states have no license, so that
// the rejection can be tested.
func licensed(state string) bool {
	switch state {
	case "HI", "ND", "VT", "WV":
		return false
	default:
		return heloc.IsState(state)
	}
}

// license builds one of the three licenses of a line.
func license(holder heloc.LicenseHolder, state string) object {
	number := fmt.Sprintf("%s-%06d", state, stableNumber("license", holder.Name, state)%1_000_000)
	kind, name := stateLicenseType(holder.Type, state)
	return object{
		"licenseHolder": object{
			"type": holder.Type, "uuid": orNull(holder.UUID), "name": orNull(holder.Name), "nmls": orNull(holder.NMLS),
		},
		"stateLicense": object{
			"type": kind, "uuid": derivedID("license", holder.UUID, state), "licenseNumber": number,
			"licenseName": name, "state": state,
		},
	}
}

// stateLicenseType returns the type and name of a license: California has special types.
func stateLicenseType(holder heloc.LicenseHolderType, state string) (heloc.LicenseStateType, string) {
	if state != "CA" {
		return "UNSPECIFIED", state + " Mortgage License"
	}
	switch holder {
	case holderLender:
		return "CA_CFL_STATE_LICENSE", "California Financing Law License"
	case holderBroker:
		return "CA_DRE_STATE_LICENSE", "California Real Estate Corporation License"
	default:
		return "CA_RMLA_STATE_LICENSE", "California Mortgage Loan Originator License"
	}
}
