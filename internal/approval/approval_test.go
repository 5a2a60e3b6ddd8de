package approval

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// office is an installation with the administrators ann, bea and cat, the manager maya, and olivia, an originator of
// maya's company. dan is an administrator whose account is disabled.
type office struct {
	Service
	t      *testing.T
	path   string
	at     time.Time
	people map[string]access.User
}

func newOffice(t *testing.T, administrators ...string) *office {
	t.Helper()
	keys, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, path: storetest.NewDatabase(t), at: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
		people: map[string]access.User{}}
	now := func() time.Time { return o.at }
	rows, err := store.Open(t.Context(), o.path, store.Options{MAC: keys.MAC, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	accounts := account.New(rows, keys, account.Options{Now: now,
		Cost: account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1},
		SSO:  account.NewSSO(account.SSOSettings{Name: "acme", Issuer: "https://id.test", Strong: []string{"mfa"}})})
	embeds := embed.New(rows, keys, embed.Options{Now: now})
	o.Service = Service{Store: rows, Vault: keys, Accounts: accounts, Embeds: embeds, Now: now}
	o.saveCRM("https://crm.example")
	for _, name := range append(administrators, "dan", "maya", "olivia") {
		u := access.User{Actor: access.Actor{UserID: "user-" + name, Name: strings.ToUpper(name[:1]) + name[1:] + " Quill",
			Email: name + "@summit.test", Role: access.Admin}}
		switch name {
		case "maya":
			u.Role, u.BrokerID, u.BrokerName = access.Manager, "B1", "Summit Home Lending"
		case "olivia":
			u.Role, u.BrokerID, u.BrokerName, u.OriginatorUUID = access.Originator, "B1", "Summit Home Lending", "o1"
		}
		if err := rows.AddUser(t.Context(), u, "hash"); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.DisableUser(t.Context(), "user-dan"); err != nil {
		t.Fatal(err)
	}
	return o
}

// saveCRM adds or changes the CRM acme, as the operator.
func (o *office) saveCRM(issuer string) {
	o.t.Helper()
	o.must(o.Embeds.Save(o.t.Context(), access.Operator(), embed.Setup{Key: "acme", Name: "Acme CRM", BrokerID: "B1",
		Kind: launch.KindToken, Origins: []string{"https://crm.example"}, Issuer: issuer, Keys: `{"keys":[{"kty":"OKP",` +
			`"crv":"Ed25519","kid":"k1","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`}))
}

func (o *office) attested() bool {
	o.t.Helper()
	c, err := o.Embeds.Client(o.t.Context(), "acme")
	o.must(err)
	return c.Attested()
}

// user reads a user's current state.
func (o *office) user(name string) access.User {
	o.t.Helper()
	u, err := o.Store.User(o.t.Context(), "user-"+name)
	if err != nil {
		o.t.Fatal(err)
	}
	return u
}

func (o *office) by(name string) access.By {
	if name == "operator" {
		return access.Operator()
	}
	return access.By{Actor: o.user(name).Actor, Permission: access.ManagePeople}
}

func (o *office) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// ask requests a change in the name of ann, and returns its id.
func (o *office) ask(a Ask) string {
	o.t.Helper()
	a.Reason = "Confidential reason"
	o.must(o.Create(o.t.Context(), o.by("ann"), a))
	all, err := o.List(o.t.Context())
	o.must(err)
	return all[0].ID
}

func (o *office) state(id string) access.RequestState {
	o.t.Helper()
	r, err := o.Store.GrantRequest(o.t.Context(), id)
	o.must(err)
	return r.State
}

// asks is one request of each kind, with a check for its effect.
func asks(o *office) map[access.RequestKind]struct {
	ask    Ask
	effect func() bool
} {
	audited := func(action store.AuditAction) func() bool {
		return func() bool { return slices.Contains(o.actions(), action) }
	}
	type row = struct {
		ask    Ask
		effect func() bool
	}
	return map[access.RequestKind]row{
		access.RequestInvite: {Ask{Subject: access.User{Actor: access.Actor{Name: "Nora New", Email: "nora@summit.test",
			Role: access.Manager, BrokerID: "B1", BrokerName: "Summit Home Lending"}}}, func() bool {
			return len(o.mailsTo("nora@summit.test")) == 1
		}},
		access.RequestRole: {Ask{Subject: o.user("olivia"), Role: access.Manager}, func() bool {
			return o.user("olivia").Role == access.Manager
		}},
		access.RequestReset:     {Ask{Subject: o.user("maya")}, audited(store.ActionLinkAccountReset)},
		access.RequestReopen:    {Ask{Subject: o.user("dan")}, func() bool { return !o.user("dan").Disabled }},
		access.RequestLinkSSO:   {Ask{Subject: o.user("bea")}, audited(store.ActionSSOPermit)},
		access.RequestSSOValues: {Ask{Values: o.Accounts.SSOValues()}, audited(store.ActionSSOValues)},
		access.RequestCRMSignIn: {Ask{SignIn: embed.SignIn{Client: "acme", Approver: "Quinn Reed"}}, o.attested},
	}
}

func (o *office) actions() []store.AuditAction {
	o.t.Helper()
	rows, err := o.Store.Audits(o.t.Context(), store.AuditQuery{Limit: 100})
	o.must(err)
	slices.Reverse(rows)
	var all []store.AuditAction
	for _, r := range rows {
		all = append(all, r.Action)
	}
	return all
}

func (o *office) mailsTo(email string) (texts []string) {
	o.t.Helper()
	all, err := o.Accounts.Outbox(o.t.Context())
	o.must(err)
	for _, m := range slices.Backward(all) {
		if m.To == email {
			texts = append(texts, m.Subject+"\n"+m.Text)
		}
	}
	return texts
}

func (o *office) notices(name string) (kinds []lead.NoticeKind) {
	o.t.Helper()
	page, err := o.Store.Notices(o.t.Context(), store.UserScopeOf(o.user(name).Actor), "")
	o.must(err)
	for _, n := range slices.Backward(page.Notices) {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// TestApprove_WhoMay has everybody try to approve each kind of request. Only an administrator who neither made it nor
// benefits succeeds, and only then does anything change.
func TestApprove_WhoMay(t *testing.T) {
	t.Parallel()
	for _, kind := range access.RequestKinds() {
		o := newOffice(t, "ann", "bea", "cat")
		row := asks(o)[kind]
		row.ask.Kind = kind
		id := o.ask(row.ask)
		for _, who := range []string{"ann", "operator", "maya", "olivia"} {
			if err := o.Approve(t.Context(), o.by(who), id); !fault.Is(err, fault.Denied) {
				t.Errorf("%s by %s: got %v, want it denied", kind, who, err)
			}
		}
		if subject := row.ask.Subject.UserID; subject == "user-bea" {
			if err := o.Approve(t.Context(), o.by("bea"), id); !fault.Is(err, fault.Denied) {
				t.Errorf("%s by the one who benefits: got %v, want it denied", kind, err)
			}
		}
		if row.effect() || o.state(id) != access.RequestWaiting {
			t.Errorf("%s: it took effect without a second person", kind)
		}
		o.must(o.Approve(t.Context(), o.by("cat"), id))
		if !row.effect() || o.state(id) != access.RequestApproved {
			t.Errorf("%s: approved, and it has no effect", kind)
		}
		if err := o.Approve(t.Context(), o.by("cat"), id); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s a second time: got %v, want a conflict", kind, err)
		}
		actions := o.actions()
		asked, decided := slices.Index(actions, store.ActionRequest), slices.Index(actions, store.ActionRequestApprove)
		if asked < 0 || decided < asked || len(actions) <= decided+1 {
			t.Errorf("%s: the audit has %v, want request, decision and effect", kind, actions)
		}
	}
}

// TestApprove_OnlyAdministrator_Operator has nobody in the portal who can approve, so the server's operator does.
func TestApprove_OnlyAdministrator_Operator(t *testing.T) {
	t.Parallel()
	for name, administrators := range map[string][]string{"one": {"ann"}, "the other benefits": {"ann", "bea"}} {
		o := newOffice(t, administrators...)
		ask := Ask{Kind: access.RequestRole, Subject: o.user("olivia"), Role: access.Manager}
		if len(administrators) == 2 {
			ask = Ask{Kind: access.RequestReset, Subject: o.user("bea"), Lock: true}
		}
		id := o.ask(ask)
		if err := o.Approve(t.Context(), o.by("ann"), id); !fault.Is(err, fault.Denied) {
			t.Errorf("%s: alone: got %v, want it denied", name, err)
		}
		o.must(o.Approve(t.Context(), o.by("operator"), id))
		if o.state(id) != access.RequestApproved {
			t.Errorf("%s: got %s, want it approved", name, o.state(id))
		}
	}
}

func TestApprove_OutdatedOrOver_Conflict(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		meanwhile func(o *office, id string)
		why       string
	}{
		"expired":   {func(o *office, _ string) { o.at = o.at.Add(Lifetime) }, "expired"},
		"declined":  {func(o *office, id string) { o.must(o.Decline(t.Context(), o.by("bea"), id)) }, "decided"},
		"withdrawn": {func(o *office, id string) { o.must(o.Withdraw(t.Context(), o.by("ann"), id)) }, "withdrawn"},
		"the requester was disabled": {func(o *office, _ string) {
			o.must(o.Store.DisableUser(t.Context(), "user-ann"))
		}, "can no longer make it"},
		"the requester has another role": {func(o *office, _ string) {
			o.must(o.Store.SetUserRole(t.Context(), "user-ann", access.Assistant))
		}, "can no longer make it"},
		"the account was disabled": {func(o *office, _ string) {
			o.must(o.Store.DisableUser(t.Context(), "user-olivia"))
		}, "has changed"},
		"the account has another role": {func(o *office, _ string) {
			o.must(o.Store.SetUserRole(t.Context(), "user-olivia", access.Assistant))
		}, "has changed"},
		"the account has another email": {func(o *office, _ string) {
			o.must(o.Store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.SetEmail(t.Context(), "user-olivia", "other@summit.test")
			}))
		}, "has changed"},
	} {
		o := newOffice(t, "ann", "bea")
		id := o.ask(Ask{Kind: access.RequestRole, Subject: o.user("olivia"), Role: access.Manager})
		tt.meanwhile(o, id)
		before := o.user("olivia").Role
		err := o.Approve(t.Context(), o.by("bea"), id)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(fault.Public(err), tt.why) {
			t.Errorf("%s: got %v, want a conflict that says %q", name, err, tt.why)
		}
		if got := o.user("olivia").Role; got != before || got == access.Manager {
			t.Errorf("%s: she is %s now", name, got)
		}
		if strings.HasPrefix(tt.why, "has") || strings.HasPrefix(tt.why, "no") {
			if all, err := o.List(t.Context()); err != nil || !strings.Contains(all[0].Outdated, tt.why) {
				t.Errorf("%s: the list says %q, %v", name, all[0].Outdated, err)
			}
		}
	}
}

// TestApprove_ReopenedMeanwhile_Conflict disables the account again for a different reason than in the request.
func TestApprove_ReopenedMeanwhile_Conflict(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "ann", "bea")
	id := o.ask(Ask{Kind: access.RequestReopen, Subject: o.user("dan")})
	o.must(o.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ReopenUser(t.Context(), o.user("bea").Actor, "user-dan")
	}))
	o.must(o.Store.DisableUser(t.Context(), "user-dan"))
	if err := o.Approve(t.Context(), o.by("bea"), id); !fault.Is(err, fault.Conflict) || !o.user("dan").Disabled {
		t.Errorf("got %v, want a conflict and the account disabled", err)
	}
}

// TestApprove_CRMChangedMeanwhile_Conflict: the CRM's sign-in is approved only for what identified it when the request
// was made.
func TestApprove_CRMChangedMeanwhile_Conflict(t *testing.T) {
	t.Parallel()
	for why, meanwhile := range map[string]func(o *office){
		"have changed": func(o *office) { o.saveCRM("https://other.example") },
		"already approved": func(o *office) {
			o.must(o.Embeds.Attest(t.Context(), access.Operator(), "acme", "The operator"))
		},
	} {
		o := newOffice(t, "ann", "bea")
		id := o.ask(Ask{Kind: access.RequestCRMSignIn, SignIn: embed.SignIn{Client: "acme", Approver: "Quinn Reed"}})
		meanwhile(o)
		approved := o.attested()
		err := o.Approve(t.Context(), o.by("bea"), id)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(fault.Public(err), why) || o.attested() != approved {
			t.Errorf("%s: got %v, attested %v, want a conflict", why, err, o.attested())
		}
	}
	o := newOffice(t, "ann", "bea")
	for what, ask := range map[string]embed.SignIn{"no name": {Client: "acme"}, "two lines": {Client: "acme",
		Approver: "Quinn\nReed"}} {
		err := o.Create(t.Context(), o.by("ann"), Ask{Kind: access.RequestCRMSignIn, SignIn: ask})
		if fields := fault.FieldsOf(err); len(fields) != 2 || fields[0].Name != "approver" || fields[1].Name != "reason" {
			t.Errorf("%s: got %v, want errors of approver and reason", what, err)
		}
	}
	err := o.Create(t.Context(), o.by("ann"), Ask{Kind: access.RequestCRMSignIn, SignIn: embed.SignIn{Client: "none"}})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown CRM: got %v", err)
	}
}

// TestList_Namesakes_Identified: two accounts may have one name, so a request has the email of the one it is about, and
// those of the others.
func TestList_Namesakes_Identified(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "ann", "bea")
	sock := access.User{Actor: access.Actor{UserID: "sock", Name: "olivia  quill", Email: "sock@puppet.test",
		Role: access.Assistant, BrokerID: "B2", BrokerName: "Lakeside"}}
	o.must(o.Store.AddUser(t.Context(), sock, "hash"))
	for kind, row := range asks(o) {
		if row.ask.Subject.Name == "" || kind == access.RequestInvite {
			continue
		}
		row.ask.Kind = kind
		if what := row.ask.What(); !strings.Contains(what, "("+row.ask.Subject.Email+")") ||
			!strings.Contains(what, roleNames[row.ask.Subject.Role]) {
			t.Errorf("%s: %q has no email or role", kind, what)
		}
	}
	o.ask(Ask{Kind: access.RequestRole, Subject: sock, Role: access.Admin})
	all, err := o.List(t.Context())
	o.must(err)
	if want := "Make olivia quill (sock@puppet.test), now an assistant at Lakeside, an administrator"; all[0].Ask.What() !=
		want || !slices.Equal(all[0].Namesakes, []string{"olivia@summit.test"}) {
		t.Errorf("got %q with the namesakes %q, want %q", all[0].Ask.What(), all[0].Namesakes, want)
	}
}

func TestDeclineWithdraw_WhoMay(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "ann", "bea", "cat")
	id := o.ask(Ask{Kind: access.RequestReset, Subject: o.user("bea")})
	if err := o.Decline(t.Context(), o.by("ann"), id); !fault.Is(err, fault.Denied) {
		t.Errorf("the requester declines: got %v, want it denied", err)
	}
	if err := o.Withdraw(t.Context(), o.by("cat"), id); !fault.Is(err, fault.Denied) {
		t.Errorf("another one withdraws: got %v, want it denied", err)
	}
	o.must(o.Decline(t.Context(), o.by("bea"), id)) // who did not ask for it
	if o.state(id) != access.RequestDeclined {
		t.Errorf("got %s, want it declined", o.state(id))
	}
}

func TestCreate_Refused(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "ann", "bea")
	raise := Ask{Kind: access.RequestRole, Subject: o.user("olivia"), Role: access.Manager}
	for name, ask := range map[string]Ask{"no reason": raise, "a long reason": {Kind: raise.Kind, Subject: raise.Subject,
		Role: raise.Role, Reason: strings.Repeat("x", MaxReason+1)}} {
		if err := o.Create(t.Context(), o.by("ann"), ask); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: got %v, want it invalid", name, err)
		}
	}
	raise.Reason = "Runs the team"
	if err := o.Create(t.Context(), o.by("maya"), raise); !fault.Is(err, fault.Denied) {
		t.Errorf("by a manager: got %v, want it denied", err)
	}
	o.must(o.Create(t.Context(), o.by("ann"), raise))
	if err := o.Create(t.Context(), o.by("bea"), raise); !fault.Is(err, fault.Conflict) {
		t.Errorf("the same once more: got %v, want a conflict", err)
	}
	o.at = o.at.Add(Lifetime)
	o.must(o.Create(t.Context(), o.by("bea"), raise)) // the first one has expired
}

// TestRequest_EverybodyIsTold: every administrator and the user learn of the request and of the decision, and the
// company's manager learns of the new one before the role takes effect. Nobody is sent the reason or a link.
func TestRequest_EverybodyIsTold(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "ann", "bea", "cat")
	id := o.ask(Ask{Kind: access.RequestRole, Subject: o.user("olivia"), Role: access.Manager})
	o.at = o.at.Add(time.Hour)
	o.must(o.Approve(t.Context(), o.by("bea"), id))
	for name, want := range map[string][]lead.NoticeKind{
		"ann": {lead.NoticeRequest, lead.NoticeRequest}, "bea": {lead.NoticeRequest, lead.NoticeRequest},
		"cat": {lead.NoticeRequest, lead.NoticeRequest}, "olivia": {lead.NoticeOwnRequest, lead.NoticeOwnRequest},
		"maya": {lead.NoticeNewColleague},
	} {
		if got := o.notices(name); !slices.Equal(got, want) {
			t.Errorf("%s has the notifications %v, want %v", name, got, want)
		}
		mails := o.mailsTo(name + "@summit.test")
		if len(mails) != len(want) {
			t.Fatalf("%s has %d emails, want %d", name, len(mails), len(want))
		}
		if last := mails[len(mails)-1]; !strings.Contains(last, "Bea Quill approved: Make Olivia Quill "+
			"(olivia@summit.test), now an originator at Summit Home Lending, a manager") {
			t.Errorf("%s was told: %s", name, last)
		}
		for _, m := range mails {
			if strings.Contains(m, "Confidential") || strings.Contains(m, id) || strings.Contains(m, "#") {
				t.Errorf("%s: the email says too much: %s", name, m)
			}
		}
	}
	for location, text := range storetest.Stored(t, o.path) {
		if strings.Contains(text, "Confidential") {
			t.Errorf("%s has the reason in plain text", location)
		}
	}
}

// TestApprove_Raise_EndsSSOLink: as an originator, she was linked to single sign-on by her email alone.
func TestApprove_Raise_EndsSSOLink(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "ann", "bea")
	o.must(o.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddIdentity(t.Context(), "https://id.test", "subject", "user-olivia")
	}))
	o.must(o.Approve(t.Context(), o.by("bea"),
		o.ask(Ask{Kind: access.RequestRole, Subject: o.user("olivia"), Role: access.Manager})))
	if linked, err := o.Store.HasIdentity(t.Context(), "user-olivia"); err != nil || linked {
		t.Errorf("got linked %v, %v, want the link ended", linked, err)
	}
}
