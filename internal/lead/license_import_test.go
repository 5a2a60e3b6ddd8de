package lead_test

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// licensesOnFile are two people, a company, two people who share a number, and what is on file for the first.
func licensesOnFile() lead.LicensesOnFile {
	person := func(id, name, nmls string) lead.LicenseHolder {
		return lead.LicenseHolder{ID: id, Name: name, NMLS: nmls, Party: lead.PartyOriginator}
	}
	held := func(state, number string, expires heloc.Date) lead.License {
		return lead.License{Holder: "o1", State: state, Party: lead.PartyOriginator, Number: number, Allowed: true,
			ExpiresOn: expires}
	}
	barred := held("NV", "", "")
	barred.Allowed = false
	return lead.LicensesOnFile{
		Holders: []lead.LicenseHolder{person("o1", "Olivia Bennett", "1847220"), person("o2", "Uma Castillo", "1900805"),
			person("o3", "Ann Ray", "555"), person("o4", "Ann Ray", "555"), person("o5", "No Number", ""),
			{ID: "b1", Name: "Summit", NMLS: "312440", Party: lead.PartyBroker}},
		Licenses: []lead.License{held("ID", "MLO-1", "2026-12-31"), held("AZ", "77", "2027-12-31"), held("GA", "", ""),
			barred},
		Today: "2026-11-20",
	}
}

func TestLicensesOnFile_Plan_EachRow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"new":            {"1900805,UT,118,2027-12-31", "new o2 UT 118 2027-12-31"},
		"renews":         {"1847220,ID,MLO-1,12/31/2027", "renews o1 ID MLO-1 2027-12-31"},
		"keeps number":   {"1847220,ID,,12/31/2027", "renews o1 ID MLO-1 2027-12-31"},
		"adds a date":    {"1847220,GA,9,1/2/2027", "renews o1 GA 9 2027-01-02"},
		"same":           {"1847220,AZ,77,2027-12-31", "same o1 AZ 77 2027-12-31"},
		"was barred":     {"1847220,NV,1,2027-12-31", "new o1 NV 1 2027-12-31"},
		"state by name":  {"1900805,new hampshire,1,2027-12-31", "new o2 NH 1 2027-12-31"},
		"company":        {"312440,CO,1,2027-12-31", "new b1 CO 1 2027-12-31"},
		"semicolons":     {"1900805;UT;1,5;2027-12-31", "new o2 UT 1,5 2027-12-31"},
		"tabs":           {"1900805\tUtah\t\t12/31/2027", "new o2 UT  2027-12-31"},
		"quotes":         {`"1900805","UT","A ""1"", B","2027-12-31"`, `new o2 UT A "1", B 2027-12-31`},
		"quote in space": {`1900805, "UT", 1, "2027-12-31"`, "new o2 UT 1 2027-12-31"},
		"BOM":            {"\ufeff1900805,UT,1,2027-12-31\r\n", "new o2 UT 1 2027-12-31"},
		"prefix":         {"NMLS# 1900805,UT,1,2027-12-31", "new o2 UT 1 2027-12-31"},
		"header": {"Expiration date,State,License number,NMLS ID\n2027-12-31,UT,1,1900805",
			"new o2 UT 1 2027-12-31"},
		"header with others": {"Name;NMLS ID;State;License type;Number;Status;Expires\nUma;1900805;UT;MLO;1;OK;2027-12-31",
			"new o2 UT 1 2027-12-31"},
		"blank lines": {"\n ,,,\n1900805,UT,1,2027-12-31\n\n", "new o2 UT 1 2027-12-31"},
		"twice": {"1900805,UT,1,2027-12-31\n1900805,Utah,2,2028-12-31",
			"new o2 UT 1 2027-12-31\nnot used: line 1 is for the same person and state"},
		"stray quote": {"1900805,UT,\"1,2027-12-31\n1900805,NV,1,2027-12-31",
			"not used: no expiration date\nnew o2 NV 1 2027-12-31"},
		"unknown":      {"42,UT,1,2027-12-31", "not used: no one here has NMLS 42"},
		"no number":    {",UT,1,2027-12-31", "not used: no NMLS ID"},
		"not a number": {"Uma,UT,1,2027-12-31", "not used: “Uma” isn’t an NMLS ID"},
		"two people":   {"555,UT,1,2027-12-31", "not used: 2 people here have NMLS 555"},
		"not a state":  {"1900805,Uta,1,2027-12-31", "not used: “Uta” isn’t a state"},
		"no state":     {"1900805,,1,2027-12-31", "not used: no state"},
		"not a date":   {"1900805,UT,1,Approved-Inactive", "not used: “Approved-Inactive” isn’t a date"},
		"no such day":  {"1900805,UT,1,02/30/2027", "not used: “02/30/2027” isn’t a date"},
		"day first":    {"1900805,UT,1,31/12/2027", "not used: “31/12/2027” isn’t a date"},
		"no date":      {"1900805,UT,1", "not used: no expiration date"},
		"expired":      {"1900805,UT,1,2026-11-19", "not used: expired"},
		"has expired":  {"1847220,GA,9,2026-11-19", "expired o1 GA 9 2026-11-19"},
		"was later":    {"1847220,AZ,77,2026-11-19", "not used: the license on file expires later"},
		"barred still": {"1847220,NV,1,2026-11-19", "not used: expired"},
		"today":        {"1900805,UT,1,2026-11-20", "new o2 UT 1 2026-11-20"},
		"far away":     {"1900805,UT,1,2207-12-31", "not used: expires more than 10 years from now"},
		"earlier":      {"1847220,AZ,77,2026-12-31", "not used: the license on file expires later"},
		"long number": {"1900805,UT," + strings.Repeat("9", 41) + ",2027-12-31",
			"not used: the number is longer than 40 characters"},
		"all wrong": {"1,2,3,4", "not used: no one here has NMLS 1; “2” isn’t a state; “4” isn’t a date"},
		"nothing":   {" \n", ""},
	} {
		var got []string
		for _, change := range licensesOnFile().Plan(c.text) {
			l := change.License
			if change.Kind == lead.LicenseNotUsed {
				got = append(got, "not used: "+change.Reason)
				continue
			}
			got = append(got, strings.Join([]string{string(change.Kind), l.Holder, l.State, l.Number,
				string(l.ExpiresOn)}, " "))
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s: got %q, want %q", name, text, c.want)
		}
	}
}

func TestLicensesOnFile_Plan_RowLimit(t *testing.T) {
	t.Parallel()
	plan := licensesOnFile().Plan(strings.Repeat("1,UT,1,2027-12-31\n", lead.MaxLicenseRows+5))
	if len(plan) != lead.MaxLicenseRows+1 || plan.Changes() != 0 || !strings.Contains(plan[lead.MaxLicenseRows].Reason,
		"only the first") {
		t.Errorf("got %d rows, want the limit and one that says so", len(plan))
	}
}

// TestLicensePlan_Fingerprint_CoversWhatItReplaces: a plan of the same text is another one once the license on file
// changed.
func TestLicensePlan_Fingerprint_CoversWhatItReplaces(t *testing.T) {
	t.Parallel()
	text := "1847220,ID,MLO-1,12/31/2027"
	before, after := licensesOnFile(), licensesOnFile()
	after.Licenses[0].At = 5
	if before.Plan(text).Fingerprint() != licensesOnFile().Plan(text).Fingerprint() {
		t.Error("the same plan has another digest")
	}
	if before.Plan(text).Fingerprint() == after.Plan(text).Fingerprint() {
		t.Error("a plan that replaces another entry has the same digest")
	}
}
