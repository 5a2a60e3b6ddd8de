package demo_test

import (
	"testing"

	"hearthline/web/page"
	"hearthline/web/webtest"
)

// filledSamples is a demo control whose sample has values.
type filledSamples struct{ sampleControl }

func (filledSamples) Samples() []page.Sample {
	return []page.Sample{{Key: "Rivera-Match", Values: map[string][]string{
		"applicant.name.lastName": {"Rivera-Match"}, "partnerDataRequest.externalReferenceId": {"of the sample"}}}}
}

// TestSample_InFrame_FillsOverCRMValues: a sample replaces what the CRM filled in, but not the record's reference.
func TestSample_InFrame_FillsOverCRMValues(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, DemoControl: filledSamples{}})
	launch := webtest.LaunchFor("51")
	launch.Prefill = map[string]string{"applicant.name.firstName": "Noah", "applicant.name.lastName": "Lindqvist"}
	crm := webtest.NewCRM(t, h)
	crm.ConnectUser("olivia")
	crm.Attest()
	f := crm.OpenFrame(launch)
	got := f.Get("/leads/new?sample=Rivera-Match")
	for control, want := range map[string]string{"applicant.name.firstName": "Noah",
		"applicant.name.lastName": "Rivera-Match", "partnerDataRequest.externalReferenceId": "51"} {
		if value := got.Find(`[name="`+control+`"]`).AttrOr("value", ""); value != want {
			t.Errorf("%s is %q, want %q", control, value, want)
		}
	}
}
