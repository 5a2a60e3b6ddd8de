package pipeline_test

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestLeadsCSV_FailsOnSecondPage_DownloadBroken lets an export fail after its first 500 leads: the download ends with
// an error, so nobody takes the file for a complete one.
func TestLeadsCSV_FailsOnSecondPage_DownloadBroken(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya, olivia := h.People["maya"], h.People["olivia"]
	h.AddLeads(bench.Data{
		Leads: 1003, Company: access.Owner{BrokerID: maya.BrokerID, Organization: maya.Organization},
		Originators: []heloc.OriginatorID{heloc.OriginatorID(olivia.OriginatorUUID)}, NoDetails: true, Now: time.Now(),
	})
	v := h.SignInAs("maya")
	if rows, err := countRows(v, h.HTTPServer.URL+"/leads.csv?view=all&sort=oldest"); err != nil || rows != 1003 {
		t.Fatalf("got %d rows, %v, want all 1003", rows, err)
	}
	h.RefuseUpdates("lead_exports", `NEW.app = '`+string(bench.App(700))+`'`, "the disk is full")
	if rows, err := countRows(v, h.HTTPServer.URL+"/leads.csv?view=all&sort=oldest"); err == nil || rows < 400 ||
		rows > 501 {
		t.Errorf("got %d rows and no error, want the first 500 rows and a broken download", rows)
	}
}
