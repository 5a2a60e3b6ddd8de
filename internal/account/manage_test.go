package account

import (
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	tests := []struct {
		password string
		ok       bool
	}{
		{goodPassword, true},
		{"kjq4 vw9z tr2m", true},
		{"492837465019", true}, // no rules of composition
		{"Ärger über Öl", true},
		{strings.Repeat("kettle lantern ", 8), true},
		{"short", false},
		{"kettle-lant", false},                        // eleven characters
		{strings.Repeat("kettle lantern ", 9), false}, // 135 characters
		{"aaaaaaaaaaaaaaaa", false},
		{"abcabcabcabcabc", false},
		{"Password1234!", false},
		{"P@ssw0rd2026!!", false},
		{"qwertyuiop123456", false},
		{"Hearthline2026!", false},                    // the product
		{"olivia.bennett1", false},                    // the user
		{"SummitHomeLending", false},                  // the company
		{"kettle-lantern\xff-orchard", false},         // invalid UTF-8
		{"correct horse battery staple", true},        // these four words are not a sequence on our list
		{"correct-horse-battery-staple", false},       // the famous one
		{"Bennett-kettle-lantern-orchard-2026", true}, // a known word with enough other characters
		{"winter2026summer2025", false},
		{"letmein-welcome-password", false},
		{"123456789012345678901234567890", false},
		{"01234567890123456789 kettle lantern", true},
		{"1qaz2wsx3edc4rfv", false},
		{"iloveyou12345678", false},
		{"administrator2026", false},
		{"michael-jordan-1990", false},
		{"correcthorsebatterystaple", false},
		{"mortgage-broker-loans", false},
		{strings.Repeat("k", 6) + "vwqxzptnbd", true},
		{"trustno1trustno1", false},
		{"counterstrike", false},       // on the list, and against no rule
		{"Scandinavian!", false},       // with a suffix that users often append
		{"contortionist2026", false},   // likewise
		{"contortionist kettle", true}, // enough other characters
		{"xK9!vQ2#zR7$", true},
	}
	for _, tt := range tests {
		err := CheckPassword(tt.password, "olivia.bennett@summit.test", "Olivia Bennett", "Summit Home Lending")
		if (err == nil) != tt.ok {
			t.Errorf("CheckPassword(%q) = %v, want accepted %v", tt.password, err, tt.ok)
		}
		if err != nil && (!fault.Is(err, fault.Invalid) || len(fault.FieldsOf(err)) != 1) {
			t.Errorf("CheckPassword(%q): got %v, want one field error", tt.password, err)
		}
		if err != nil && strings.Contains(err.Error(), tt.password) {
			t.Errorf("the error quotes the password %q", tt.password)
		}
	}
}

func TestTopPasswords_Sorted(t *testing.T) {
	t.Parallel()
	all := topPasswords()
	if len(all) < 3000 || !slices.IsSorted(all) {
		t.Fatalf("got %d passwords, sorted %v, want some thousands in order", len(all), slices.IsSorted(all))
	}
	for _, p := range all {
		if len(p) < minCharacters || p != strings.ToLower(p) {
			t.Errorf("%q can never be a password here", p)
		}
	}
}

func TestAdd_InvalidUser_FieldErrors(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	_, err := s.Add(t.Context(), access.User{Actor: access.Actor{Email: "Marcus <m@x.test>", Role: access.Originator}},
		goodPassword)
	var names []string
	for _, f := range fault.FieldsOf(err) {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "name email originator" {
		t.Errorf("field errors for %q, want name, email and originator", got)
	}
}

func TestAdd_NeitherCompanyNorOriginator_TakenFromDirectory(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	addToDirectory(t, s, felix())
	for what, tt := range map[string]struct {
		who  access.Actor
		want string // originator
	}{
		"a manager":        {access.Actor{Email: felix().Email, Role: access.Manager}, "o-felix"},
		"an originator":    {access.Actor{Email: felix().Email, Role: access.Originator}, "o-felix"},
		"an administrator": {access.Actor{Email: felix().Email, Role: access.Admin}, ""},
		"an assistant":     {access.Actor{Email: felix().Email, Role: access.Assistant}, ""},
		"a named company":  {access.Actor{Email: felix().Email, Role: access.Manager, BrokerID: "lakeside"}, ""},
		"nobody listed":    {access.Actor{Email: "lee@summit.test", Role: access.Manager}, ""},
	} {
		got, err := s.withDirectoryEntry(t.Context(), access.User{Actor: tt.who})
		if err != nil || got.OriginatorUUID != tt.want || tt.want != "" && got.BrokerName != "Summit Home Lending" {
			t.Errorf("%s: got %+v, %v, want the originator %q", what, got.Actor, err, tt.want)
		}
	}
}

func TestAdd_EmailTaken_Conflict(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	_, err := s.Add(t.Context(),
		access.User{Actor: access.Actor{Email: "OLIVIA@summit.test", Name: "Other", Role: access.Admin}}, goodPassword)
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}

func TestDisableAndReset_EndSessions(t *testing.T) {
	t.Parallel()
	s, rows, _ := newTestService(t)
	ctx := t.Context()
	ended := func(session access.Session) bool {
		_, _, err := rows.Session(ctx, session.IDHash)
		return fault.Is(err, fault.NotFound)
	}
	before := signIn(t, s, olivia(t, s), access.ByPassword)
	if _, err := s.ResetAccount(ctx, access.Operator(), "olivia@summit.test", false); err != nil {
		t.Fatal(err)
	}
	if !ended(before) {
		t.Error("a reset leaves a session valid")
	}
	again := signIn(t, s, olivia(t, s), access.ByPassword)
	if err := s.Disable(ctx, "olivia@summit.test"); err != nil {
		t.Fatal(err)
	}
	if !ended(again) {
		t.Error("a closed account leaves a session valid")
	}
}

func TestSetRole_Invalid_Refused(t *testing.T) {
	t.Parallel()
	s, store, _ := newTestService(t)
	ctx := t.Context()
	kim := access.User{Actor: access.Actor{Email: "kim@summit.test", Name: "Kim", Role: access.Assistant}}
	if _, err := s.Add(ctx, kim, goodPassword); len(fault.FieldsOf(err)) != 1 || fault.FieldsOf(err)[0].Name != "broker" {
		t.Errorf("an assistant without a company: got %v, want a field error for the company", err)
	}
	kim.BrokerID = "summit"
	if _, err := s.Add(ctx, kim, goodPassword); err != nil {
		t.Fatal(err)
	}
	if err := s.SetRole(ctx, "kim@summit.test", access.Originator); !fault.Is(err, fault.Invalid) {
		t.Errorf("an originator without an originator: got %v, want invalid", err)
	}
	if err := s.SetRole(ctx, "kim@summit.test", access.Manager); err != nil {
		t.Fatal(err)
	}
	if u, _, _ := store.UserByEmail(ctx, "kim@summit.test"); u.Role != access.Manager {
		t.Errorf("role is %q, want manager", u.Role)
	}
	if err := s.SetRole(ctx, "nobody@summit.test", access.Manager); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v, want not found", err)
	}
}

func TestNewPassword_PassesCheck(t *testing.T) {
	t.Parallel()
	a, b := NewPassword(), NewPassword()
	if a == b {
		t.Error("two generated passwords are equal")
	}
	if err := CheckPassword(a); err != nil {
		t.Errorf("%q: %v", a, err)
	}
}
