package sandbox

import (
	"fmt"

	"hearthline/internal/heloc"
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
	number := fmt.Sprintf("%s-%06d", state, stableNumber("licence", holder.Name, state)%1_000_000)
	kind, name := stateLicenseType(holder.Type, state)
	return object{
		"licenseHolder": object{
			"type": holder.Type, "uuid": orNull(holder.UUID), "name": orNull(holder.Name), "nmls": orNull(holder.NMLS),
		},
		"stateLicense": object{
			"type": kind, "uuid": derivedID("licence", holder.UUID, state), "licenseNumber": number,
			"licenseName": name, "state": state,
		},
	}
}

// stateLicenseType returns the type and name of a license: California has special types.
func stateLicenseType(holder heloc.LicenseHolderType, state string) (heloc.LicenseStateType, string) {
	if state != "CA" {
		return heloc.LicenseUnspecified, state + " Mortgage License"
	}
	switch holder {
	case heloc.HolderLender:
		return heloc.LicenseCACFL, "California Financing Law License"
	case heloc.HolderBroker:
		return heloc.LicenseCADRE, "California Real Estate Corporation License"
	default:
		return heloc.LicenseCARMLA, "California Mortgage Loan Originator License"
	}
}
