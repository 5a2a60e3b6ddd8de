package launch

import "testing"

func TestIsField_ControlsOfTheForm(t *testing.T) {
	for name, want := range map[string]bool{
		"applicant.name.firstName": true, "property.liens.0.lenderName": true,
		"property.liens.49.monthlyPayment": true, "partnerDataRequest.utmParameters.source": true,
		"amountWanted":       true,
		"applicant.nickname": false, "property.liens.0.lienUuid": false, "property.liens.50.lenderName": false,
		"property.liens.00.lenderName": false, "Applicant.phone": false, "applicant.ssn": false,
		"homeIsProperty": false, "consent.attested": false, "testVariantsRequest.variants": false, "": false,
		"amountWanted\n": false,
	} {
		if got := IsField(name); got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}
