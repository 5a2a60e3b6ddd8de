package account

import (
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

func TestInvite_ManagerOfOtherCompany_Invalid(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	addToDirectory(t, s, felix())
	admin := access.Operator()
	invite := func(broker, organization string) error {
		return s.Invite(t.Context(), admin, access.User{Actor: access.Actor{
			Email: felix().Email, Name: "Felix Hart", Role: access.Manager, BrokerID: broker, Organization: organization,
		}}, broker)
	}
	for what, err := range map[string]error{"another company": invite("lakeside", "Evergreen"),
		"the organization": invite("", "Evergreen")} {
		fields := fault.FieldsOf(err)
		if len(fields) != 1 || fields[0].Name != "broker" || !strings.Contains(fields[0].Message, "Summit Home Lending") {
			t.Errorf("%s: got %v, want a field error for the company that names the right one", what, err)
		}
	}
	if got := mailsTo(t, s, felix().Email); len(got) != 0 {
		t.Fatalf("got %d emails, want none", len(got))
	}
	if err := invite("summit", "Evergreen"); err != nil {
		t.Fatal(err)
	}
	if err := finishSetUp(t, s, mailsTo(t, s, felix().Email)[0]); fault.KindOf(err) == fault.Internal {
		t.Fatal(err)
	}
}

func TestInvite_EmailOfAccount_NamesItOnlyWithinItsCompany(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	addToDirectory(t, s, felix())
	o, err := s.store.OriginatorByEmail(t.Context(), felix().Email)
	if err != nil {
		t.Fatal(err)
	}
	known := access.User{Actor: access.Actor{
		UserID: "felix", Email: felix().Email, Name: o.Name(), Role: access.Originator, OriginatorUUID: string(o.UUID),
		BrokerID: o.BrokerID, BrokerName: o.BrokerName, Organization: o.Organization,
	}}
	if err := s.store.AddUser(t.Context(), known, ""); err != nil {
		t.Fatal(err)
	}
	for company, want := range map[string]string{known.BrokerID: known.Name + " already has an account",
		"lakeside": "The lender’s directory lists this email for a loan originator, " +
			"who signs in under “First time signing in?”"} {
		who := access.User{Actor: access.Actor{Email: known.Email, Name: "Somebody Else", Role: access.Assistant,
			BrokerID: company, Organization: known.Organization}}
		if fields := fault.FieldsOf(s.Invite(t.Context(), access.Operator(), who, company)); len(fields) != 1 ||
			fields[0].Name != "email" || fields[0].Message != want {
			t.Errorf("%s: got %v, want %q", company, fields, want)
		}
	}
}

func TestInvite_NameWithLink_Invalid(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"Olivia Bennett": true, "María-José Núñez O’Brien, Jr.": true, "J. R. (Bob) Smith 3rd": true, "李小龍": true,
		"Ph.D. Ada  Two": true, "Zoë": true, "": false, "   ": false, "Ada\nYour account is locked": false,
		"Ada\u2028Two": false, "Ada\u202eowT": false, "Ada\u200bTwo": false, "Ada\x00": false,
		strings.Repeat("a", 101): false, strings.Repeat("ä", 100): true, "Ada\xff": false,
		"call https://evil.test": false, "see evil.test": false, "write to a@b": false, "www.evil.example now": false,
		"<b>Ada</b>": false,
	} {
		if got := nameProblem(name) == ""; got != ok {
			t.Errorf("%q: got accepted %v, want %v", name, got, ok)
		}
	}
	s, _, _ := newTestService(t)
	admin := access.Operator()
	who := access.User{Actor: access.Actor{Email: "x@summit.test", Name: "X,\n\nyour password ends today",
		Role: access.Assistant, BrokerID: "summit"}}
	if fields := fault.FieldsOf(s.Invite(t.Context(), admin, who, "summit")); len(fields) != 1 ||
		fields[0].Name != "name" {
		t.Errorf("got %v, want a field error for the name", fields)
	}
}
