package sandbox

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// allDetails returns the details with every part that is included only on request.
func (g *harness) allDetails(id string) object {
	g.t.Helper()
	status, answer := g.call("GET",
		"/products/heloc/v1/details/"+id+"?include=CONDITIONS,FUNDING_REPORT,BORROWER_DETAILS", nil)
	if status != 200 {
		g.t.Fatalf("details: got %d, want 200", status)
	}
	return answer["data"].(object)
}

// fullAppData returns appData of the details with every part.
func (g *harness) fullAppData(id string) object { return g.allDetails(id)["appData"].(object) }

// atPath follows a dotted path; a number is an index of a list.
func atPath(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case object:
			v = at[name]
		case []any:
			if len(at) == 0 {
				return nil
			}
			v = at[0]
		default:
			return nil
		}
	}
	return v
}

// TestDates_AreOfLenderZone: a date is the lender's calendar day (interface.md section 2: YYYY-MM-DD), also in
// the evening, when it is already the next day in UTC. The live service sends most of them as date-times
// (interface-live.md section 3), whose calendar day is the same, so that both decode into the same value.
func TestDates_AreOfLenderZone(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, 12, 1, 2, 30, 0, 0, time.UTC) // November 30, 9:30 PM
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect, Now: func() time.Time { return evening }})
		id := g.completeApplication()
		app := g.fullAppData(id)
		rescission := inDialect(dialect, "keyDates.recissionEndDate", "keyDates.rescissionEndDate")
		days := map[string]string{ // date-times in the live service
			"keyDates.createdDate": "2026-11-30", "keyDates.expirationDate": "2026-12-30", "keyDates.signingDate": "2026-11-30",
			rescission: "2026-12-03", "keyDates.completedDate": "2026-11-30", "keyDates.summaryDisclosureDate": "2026-11-30",
			"keyDates.productAgreementESignedTimestamp": "2026-11-30", "keyDates.firstPaymentDueDate": "2027-01-01",
			"keyDates.expectedPayoffDate": "2031-12-01", "statusHistory.0.timestamp": "2026-11-30",
			"conditions.0.createdDate": "2026-11-30", "conditions.0.lastUpdateDate": "2026-11-30",
			"underwriting.softCredit.timestamp": "2026-11-30", "underwriting.hardCredit.timestamp": "2026-11-30",
			"notary.appointmentDate": "2026-11-30", "notary.completedDate": "2026-11-30",
			"fundingTransactionReport.transactions.0.initiatedAt": "2026-11-30",
			"fundingTransactionReport.transactions.0.sentAt":      "2026-11-30",
		}
		for path, want := range days {
			got, _ := atPath(app, path).(string)
			if kind := inDialect(dialect, "date", "date-time"); textFormat(got) != kind || !strings.HasPrefix(got, want) {
				t.Errorf("%s, %s: got %q, want a %s of %s", dialect, path, got, kind, want)
			}
			if at, err := time.Parse(time.RFC3339, got); dialect == Live && (err != nil || at.Format("-07:00") != "-05:00") {
				t.Errorf("%s, %s: got %q, want an offset of -05:00", dialect, path, got)
			}
		}
		for path, want := range map[string]string{ // dates in both
			"underwriting.pricingAsOfDate": "2026-11-30", "underwriting.creditAsOfDate": "2026-11-30",
			"fundingTransactionReport.transactions.0.effectiveDate": "2026-11-30",
			"propertyLiens.0.originationDate":                       "2019-05-01", "borrowerDetails.primary.dob": "1984-03-09",
		} {
			if got := atPath(app, path); got != want {
				t.Errorf("%s, %s: got %v, want %s", dialect, path, got, want)
			}
		}
		if created, _ := atPath(app, "keyDates.createdDate").(string); dialect == Live &&
			created != "2026-11-30T21:30:00.000-05:00" {
			t.Errorf("createdDate: got %q, want the instant in the lender's zone", created)
		}
		if short := g.allDetails(id)["appShortId"]; short != "1-26334-001" {
			t.Errorf("%s, appShortId: got %v, want 1-26334-001, November 30", dialect, short)
		}
		for event, field := range map[string]string{"expire": "expirationDate", "decline": "declinedDate"} {
			id := g.start(g.payload("Rivera"))
			g.playEvent(id, event)
			if got, _ := atPath(g.appData(id), "keyDates."+field).(string); !strings.HasPrefix(got, "2026-11-30") {
				t.Errorf("%s, %s: got %q, want 2026-11-30", dialect, field, got)
			}
		}
		canceled := g.start(g.payload("Rivera"))
		g.submitAnswer(canceled, "cancel")
		if got, _ := atPath(g.appData(canceled), "keyDates.canceledDate").(string); !strings.HasPrefix(got, "2026-11-30") {
			t.Errorf("%s, canceledDate: got %q, want 2026-11-30", dialect, got)
		}
	}
}

// TestDates_Restarted_Unchanged: the state file preserves the lender's days.
func TestDates_Restarted_Unchanged(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, 7, 1, 1, 30, 0, 0, time.UTC) // June 30, in daylight time
	for _, dialect := range []Dialect{Documented, Live} {
		cfg := Config{Dir: t.TempDir(), PrivateKeyFile: "testdata/service.pem", Dialect: dialect, Now: func() time.Time {
			return evening
		}}
		s, err := Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		g := &harness{t: t, s: s, actor: originatorID(s, "olivia@summit.test")}
		id := g.completeApplication()
		before := g.fullAppData(id)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		after := (newHarness(t, cfg)).fullAppData(id)
		for name, day := range before["keyDates"].(object) {
			if got := after["keyDates"].(object)[name]; got != day {
				t.Errorf("%s, %s: got %v after a restart, want %v", dialect, name, got, day)
			}
		}
		if got, _ := before["keyDates"].(object)["createdDate"].(string); !strings.HasPrefix(got, "2026-06-30") {
			t.Errorf("%s, createdDate: got %s, want 2026-06-30", dialect, got)
		}
	}
}

// TestManualNotary_BesideNotary: the live service sends the deprecated manualNotary in appData, beside notary
// (interface-live.md section 3); the contract has none.
func TestManualNotary_BesideNotary(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect, Now: func() time.Time { return at }})
		for kind, manual := range map[string]bool{"PRIMARY": false, "INVESTMENT": true} {
			payload := g.payload("Rivera")
			withField("property", "propertyType", kind)(payload)
			id := g.start(payload)
			g.submitAnswer(id, "offer")
			g.playEvent(id, "complete")
			app := g.appData(id)
			if fields := slices.Sorted(maps.Keys(app["notary"].(object))); !slices.Equal(fields,
				[]string{"appointmentDate", "completedDate", "fee", "type"}) {
				t.Errorf("%s, %s: fields of notary: got %v", dialect, kind, fields)
			}
			got, given := app["manualNotary"]
			if given != (dialect == Live) || (got != nil) != (manual && dialect == Live) {
				t.Errorf("%s, %s: manualNotary: got %v, given %v", dialect, kind, got, given)
			}
			if got != nil {
				if day, _ := atPath(got, "manualNotaryDate").(string); !strings.HasPrefix(day, "2026-11-23") ||
					textFormat(day) != "date-time" || atPath(got, "manualNotaryFee") != 150.0 {
					t.Errorf("%s, %s: manualNotary: got %v, want the date-time of 2026-11-23 and 150", dialect, kind, got)
				}
			}
		}
	}
}

// TestFund_KeepsRescissionEnd: money does not change when the right of rescission ended (interface.md section
// 2.3, keyDates; interface-live.md section 6: three business days after signing).
func TestFund_KeepsRescissionEnd(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	for _, dialect := range []Dialect{Documented, Live} {
		field := inDialect(dialect, "keyDates.recissionEndDate", "keyDates.rescissionEndDate")
		for kind, signing := range map[string]string{"PRIMARY": "2026-11-20", "INVESTMENT": "2026-11-20"} {
			g := newHarness(t, Config{Dialect: dialect, Now: func() time.Time { return at }})
			payload := g.payload("Rivera")
			withField("property", "propertyType", kind)(payload)
			id := g.start(payload)
			g.submitAnswer(id, "offer")
			g.playEvent(id, "complete")
			before := atPath(g.appData(id), field)
			g.playEvent(id, "fund")
			app := g.appData(id)
			if after := atPath(app, field); after != before || (before == nil) != (kind == "INVESTMENT") {
				t.Errorf("%s, %s: end of rescission: got %v after funding, want %v as before", dialect, kind, after, before)
			}
			// A loan is not funded before it is signed.
			if got, _ := atPath(app, "keyDates.signingDate").(string); !strings.HasPrefix(got, signing) {
				t.Errorf("%s, %s: signing: got %v, want %s", dialect, kind, got, signing)
			}
		}
	}
}

// TestCoDeed_EveryStatus: the co-deed of a jointly owned home has the three statuses of interface-live.md
// section 4; an owner who is alone has none.
func TestCoDeed_EveryStatus(t *testing.T) {
	t.Parallel()
	const field = "underwriting.coDeedStatus"
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, kind := range []string{"PRIMARY", "INVESTMENT"} {
			joint := func() string {
				payload := g.payload("Rivera")
				withField("property", "ownershipType", "JOINT")(payload)
				withField("property", "propertyType", kind)(payload)
				return g.start(payload)
			}
			id, funded := joint(), joint()
			g.submitAnswer(id, "offer")
			for _, row := range []struct {
				event  string
				status int
				want   string
			}{
				{"condition", 200, "INITIAL"}, {"co-deed-signed", 409, "INITIAL"}, {"complete", 200, "IN_PROGRESS"},
				{"co-deed-signed", 200, "COMPLETE"}, {"co-deed-signed", 409, "COMPLETE"}, {"fund", 200, "COMPLETE"},
			} {
				if status := g.playEvent(id, row.event); status != row.status {
					t.Errorf("%s, %s, %s: got %d, want %d", dialect, kind, row.event, status, row.status)
				}
				if got := atPath(g.appData(id), field); got != row.want {
					t.Errorf("%s, %s, after %s: got %v, want %s", dialect, kind, row.event, got, row.want)
				}
			}
			g.playEvent(funded, "fund")
			if got := atPath(g.appData(funded), field); got != "COMPLETE" {
				t.Errorf("%s, %s, funded without a signed co-deed: got %v, want COMPLETE", dialect, kind, got)
			}
		}
		sole := g.start(g.payload("Rivera"))
		g.playEvent(sole, "convert")
		if status := g.playEvent(sole, "co-deed-signed"); status != 409 || atPath(g.appData(sole), field) != nil {
			t.Errorf("%s, sole owner: got %d and %v, want 409 and null", dialect, status, atPath(g.appData(sole), field))
		}
	}
}
