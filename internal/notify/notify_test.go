package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/push"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
	"hearthline/views/text"
)

// planted is the name of every borrower in these tests.
const planted = "Plantedname"

// fixture has a user, a few leads and a clock.
type fixture struct {
	*Service
	t    *testing.T
	now  time.Time
	sent []push.Message
	err  error // of the push service
	user access.User
	fact int
}

func (f *fixture) PublicKey() string { return "key" }

func (f *fixture) Send(_ context.Context, _ push.Subscription, m push.Message) error {
	if f.err != nil {
		return f.err
	}
	f.sent = append(f.sent, m)
	return nil
}

var denver = func() *time.Location {
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		panic(err)
	}
	return zone
}()

// wednesday is the Wednesday before Thanksgiving, at a time in Denver.
func wednesday(hour, minute int) time.Time {
	return time.Date(2026, 11, 25, hour, minute, 0, 0, denver)
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	keys, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, now: wednesday(10, 0)}
	now := func() time.Time { return f.now }
	s, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{MAC: keys.MAC, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	base := &url.URL{Scheme: "https", Host: "portal.test"}
	accounts := account.New(s, keys, account.Options{Now: now, Base: base,
		Cost: account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}})
	f.Service = New(Deps{Store: s, Vault: keys, Mail: accounts, Push: f, Base: base, Now: now, Demo: true,
		Words: func(n lead.Notice) string { return text.Notice(string(n.Kind), n.About, n.N).Title }})
	f.user = access.User{Actor: access.Actor{UserID: "olivia", Name: "Olivia Bennett", Email: "olivia@summit.test",
		Role: access.Originator, OriginatorUUID: "o1", BrokerID: "B1", TimeZone: "America/Denver"}}
	f.must(s.AddUser(t.Context(), f.user, ""))
	f.write(func(ctx context.Context, tx *store.Tx) error {
		for n := range 4 {
			row := lead.Row{App: app(n), ShortID: fmt.Sprintf("1-26334-%03d", n), Originator: "o1",
				Company: access.CompanyOf("B1", ""), Step: heloc.StepCreditMatch,
				StepSince: store.Millis(wednesday(9, 0).Add(-time.Duration(n) * time.Hour)), RefreshAt: 1}
			if n == 1 {
				row.ExpirationDate = "2026-11-28"
			}
			if row.Borrower, err = keys.SealName(row.App, heloc.Name{First: planted, Last: planted}); err != nil {
				return err
			}
			if err := tx.AddLead(ctx, &row, f.now); err != nil {
				return err
			}
		}
		return tx.AddPushSubscription(ctx, f.subscription("b1"))
	})
	return f
}

func app(n int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)) }

func (f *fixture) subscription(id string) store.PushSubscription {
	sealed, err := vault.SealJSON(f.Vault, vault.PushSubscriptionAAD(id),
		push.Subscription{Endpoint: "https://push.test/" + id})
	f.must(err)
	return store.PushSubscription{ID: id, UserID: "olivia", EndpointDigest: id, Sealed: sealed, Browser: "Chrome"}
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) write(do func(ctx context.Context, tx *store.Tx) error) {
	f.t.Helper()
	f.must(f.Store.Write(f.t.Context(), func(tx *store.Tx) error { return do(f.t.Context(), tx) }))
}

// choose changes the user's choices.
func (f *fixture) choose(change func(*lead.TellChoices)) {
	f.t.Helper()
	c := lead.DefaultTellChoices()
	change(&c)
	f.write(func(ctx context.Context, tx *store.Tx) error { return tx.SetTellChoices(ctx, "olivia", c) })
}

// happen notifies the user now; a negative lead means none.
func (f *fixture) happen(kind lead.NoticeKind, about string, n int) {
	f.t.Helper()
	f.fact++
	one := lead.Notice{UserID: "olivia", Company: access.CompanyOf("B1", ""), Kind: kind, About: about,
		DedupKey: fmt.Sprint("fact ", f.fact), At: store.Millis(f.now)}
	if n >= 0 {
		one.App, one.ShortID = app(n), fmt.Sprintf("1-26334-%03d", n)
	}
	f.write(func(ctx context.Context, tx *store.Tx) error { _, err := tx.Notify(ctx, one); return err })
}

// deliver processes what is due at an instant, and returns the emails and the notifications so far.
func (f *fixture) deliver(at time.Time) (emails []account.PendingMail, pushed []payload) {
	f.t.Helper()
	f.now = at
	for more := true; more; {
		var err error
		more, err = f.Deliver(f.t.Context())
		f.must(err)
	}
	all, err := f.Outbox(f.t.Context())
	f.must(err)
	copies := 0
	for _, m := range all {
		if strings.Contains(m.Subject+m.Text, planted) {
			f.t.Errorf("a message has the borrower's name: %+v", m)
		}
		if m.Browser {
			copies++
		} else {
			emails = append(emails, m)
		}
	}
	for _, m := range f.sent {
		var p payload
		f.must(json.Unmarshal(m.Payload, &p))
		if strings.Contains(string(m.Payload), planted) {
			f.t.Errorf("a notification has the borrower's name: %s", m.Payload)
		}
		pushed = append(pushed, p)
	}
	if copies < len(pushed) {
		f.t.Errorf("the demo displays %d of %d notifications", copies, len(pushed))
	}
	return emails, pushed
}

// kinds are the notifications of each event, with what they say.
var kinds = map[lead.TellEvent]struct {
	kind  lead.NoticeKind
	about string
	words string
}{
	lead.TellOffers:     {lead.NoticeOffersReady, "", "Offers ready"},
	lead.TellBlocked:    {lead.NoticeBlocked, "ssn-needed", "SSN needed"},
	lead.TellUnknown:    {lead.NoticeUnconfirmed, "add-ssn", "Sent, not confirmed: SSN"},
	lead.TellReassigned: {lead.NoticeLeadReceived, "", "Lead assigned to you"},
	lead.TellExpiring:   {lead.NoticeExpiring, "inquiry", "Expires soon"},
	lead.TellCondition:  {lead.NoticeCondition, "", "New condition"},
	lead.TellFollowUp:   {lead.NoticeFollowUpDue, "", "Follow-up due"},
	lead.TellOpened:     {lead.NoticeShareOpened, "", "Your shared quote was opened"},
	lead.TellSignedIn:   {lead.NoticeBorrowerSignedIn, "", "Borrower signed in"},
	lead.TellSigned:     {lead.NoticeDocumentsSigned, "", "Documents signed"},
	lead.TellDates:      {lead.NoticeDatesChanged, "signing", "Closing dates changed"},
	lead.TellFunded:     {lead.NoticeFunded, "", "Funded"},
	lead.TellEnded:      {lead.NoticeEnded, "declined", "Declined"},
}

// TestTell_EachEventAndChoice counts and reads what a user receives for each event, choice and channel.
func TestTell_EachEventAndChoice(t *testing.T) {
	t.Parallel()
	next := wednesday(10, 0).AddDate(0, 0, 1)
	thursday := time.Date(next.Year(), next.Month(), next.Day(), 7, 30, 0, 0, denver)
	for _, event := range lead.TellEvents() {
		t.Run(string(event), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			for _, tt := range []struct {
				when        lead.TellWhen
				email, push time.Time // when the entry of the outbox is due
			}{
				{lead.TellNow, wednesday(10, 2), wednesday(10, 0).Add(5 * time.Second)},
				{lead.TellHourly, wednesday(11, 1), wednesday(11, 0).Add(5 * time.Second)},
				{lead.TellDaily, thursday.Add(time.Minute), thursday.Add(5 * time.Second)},
				{lead.TellNever, time.Time{}, time.Time{}},
			} {
				emails, pushed := f.deliver(f.now)
				hadEmails, hadPushed := len(emails), len(pushed)
				f.now = wednesday(10, 0)
				f.choose(func(c *lead.TellChoices) { c.Email[event], c.Push[event] = tt.when, tt.when })
				k := kinds[event]
				f.happen(k.kind, k.about, 1)
				if tt.when == lead.TellNever {
					emails, pushed = f.deliver(wednesday(10, 0).AddDate(0, 0, 7))
					if len(emails) != hadEmails || len(pushed) != hadPushed {
						t.Errorf("never: got %d emails and %d notifications", len(emails)-hadEmails, len(pushed)-hadPushed)
					}
					continue
				}
				if _, pushed = f.deliver(tt.push.Add(-time.Millisecond)); len(pushed) != hadPushed {
					t.Errorf("%s: the browser is told too early", tt.when)
				}
				if _, pushed = f.deliver(tt.push); len(pushed) != hadPushed+1 {
					t.Fatalf("%s: got %d notifications, want one", tt.when, len(pushed)-hadPushed)
				}
				want := payload{Title: k.words, Body: "1-26334-001 · Hearthline", URL: "/leads/" + string(app(1)),
					Tag: string(app(1))}
				if got := pushed[len(pushed)-1]; got != want {
					t.Errorf("%s: got %+v, want %+v", tt.when, got, want)
				}
				if emails, _ = f.deliver(tt.email.Add(-time.Millisecond)); len(emails) != hadEmails {
					t.Errorf("%s: the email is too early", tt.when)
				}
				if emails, _ = f.deliver(tt.email); len(emails) != hadEmails+1 {
					t.Fatalf("%s: got %d emails, want one", tt.when, len(emails)-hadEmails)
				}
				subject := "Hearthline: 1 lead has an update"
				if event.NeedsUser() {
					subject = "Hearthline: 1 lead needs you"
				}
				text := "Hello Olivia Bennett,\n\n1-26334-001: " + k.words + "\nhttps://portal.test/leads/" + string(app(1)) +
					"\n\nChoose what we tell you and when:\nhttps://portal.test/account/notifications\n\nHearthline\n"
				if m := emails[0]; m.To != "olivia@summit.test" || m.Subject != subject || m.Text != text {
					t.Errorf("%s: got %+v, want %q and\n%s", tt.when, m, subject, text)
				}
			}
		})
	}
}

// TestTell_ExpiredBefore_NotTold: Monday's email doesn't list what expired on Saturday.
func TestTell_ExpiredBefore_NotTold(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.choose(func(c *lead.TellChoices) {
		c.Email[lead.TellExpiring], c.Push[lead.TellExpiring] = lead.TellDaily, lead.TellDaily
	})
	f.now = wednesday(17, 0).AddDate(0, 0, 2)
	f.happen(lead.NoticeExpiring, "inquiry", 1)
	if emails, pushed := f.deliver(wednesday(12, 0).AddDate(0, 0, 5)); len(emails)+len(pushed) > 0 {
		t.Errorf("got %v and %v", emails, pushed)
	}
}

// TestTell_Batch_OneEmail: events close together make one email and one notification, in the order of Today; those not
// about a single lead come last.
func TestTell_Batch_OneEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.happen(lead.NoticeOffersReady, "", 0)
	f.happen(lead.NoticeBlocked, "ssn-needed", 2)
	f.happen(lead.NoticeCondition, "", 2) // by email on Thursday
	f.happen(lead.NoticeWire, "RETURNED", 2)
	f.now = f.now.Add(50 * time.Second)
	f.write(func(ctx context.Context, tx *store.Tx) error {
		for n := 1; n <= 3; n++ {
			if _, err := tx.NotifyBatch(ctx, lead.Notice{UserID: "olivia", Company: access.CompanyOf("B1", ""),
				Kind: lead.NoticeLeadsReceived, About: "job", N: n, DedupKey: "job", At: store.Millis(f.now)}); err != nil {
				return err
			}
		}
		return nil
	})
	emails, pushed := f.deliver(wednesday(10, 3))
	if len(emails) != 1 {
		t.Fatalf("got %d emails, want one", len(emails))
	}
	const want = "1-26334-002: SSN needed, Wire returned\n" +
		"https://portal.test/leads/00000000-0000-4000-8000-000000000002\n\n" +
		"1-26334-000: Offers ready\nhttps://portal.test/leads/00000000-0000-4000-8000-000000000000\n\n" +
		"3 leads assigned to you\nhttps://portal.test/notifications\n\n"
	if m := emails[0]; m.Subject != "Hearthline: 5 leads need you" || !strings.Contains(m.Text, want) {
		t.Errorf("got %q\n%s", m.Subject, m.Text)
	}
	if len(pushed) != 1 || pushed[0] != (payload{Title: "5 leads need you", Body: "Hearthline", URL: "/notifications",
		Tag: "leads"}) {
		t.Errorf("got %+v", pushed)
	}
	f.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.NotifyBatch(ctx, lead.Notice{UserID: "olivia", Company: access.CompanyOf("B1", ""),
			Kind: lead.NoticeLeadsReceived, About: "job", N: 4, DedupKey: "job", At: store.Millis(f.now)})
		return err
	})
	if emails, _ = f.deliver(wednesday(12, 0)); len(emails) != 1 {
		t.Errorf("a batch that grows is told again: %d emails", len(emails))
	}
	if emails, _ = f.deliver(wednesday(12, 0).AddDate(0, 0, 1)); len(emails) != 2 ||
		!strings.Contains(emails[0].Text, "1-26334-002: New condition\n") {
		t.Errorf("got %d emails, want the daily one: %+v", len(emails), emails)
	}
}

// TestSummary_NoLeadAndNoCount_IsOne: a notification without a lead is about at least one.
func TestSummary_NoLeadAndNoCount_IsOne(t *testing.T) {
	t.Parallel()
	of := func(kind lead.NoticeKind, id heloc.AppID, n int) item {
		return item{Notice: lead.Notice{Kind: kind, App: id, N: n}}
	}
	for _, tt := range []struct {
		all  []item
		want string
	}{
		{[]item{of(lead.NoticeLeadReceived, "", 0)}, "1 lead needs you"},
		{[]item{of(lead.NoticeLeadReceived, "", 0), of(lead.NoticeBlocked, app(1), 0)}, "2 leads need you"},
		{[]item{of(lead.NoticeLeadsReceived, "", 3)}, "3 leads need you"},
		{[]item{of(lead.NoticeFunded, app(1), 0)}, "1 lead has an update"},
	} {
		if got := summary(tt.all); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.all, got, tt.want)
		}
	}
}

// TestTell_NoLongerOfInterest_NotTold: what was handled, or is no longer the user's, is in no message.
func TestTell_NoLongerOfInterest_NotTold(t *testing.T) {
	t.Parallel()
	in := store.UserScope{UserID: "olivia", Company: access.CompanyOf("B1", "")}
	for name, meanwhile := range map[string]func(ctx context.Context, f *fixture, tx *store.Tx) error{
		"read": func(ctx context.Context, f *fixture, tx *store.Tx) error {
			_, err := tx.MarkNoticesRead(ctx, in, store.NoticeSelection{At: f.now, App: app(1), Until: f.now})
			return err
		},
		"viewed": func(ctx context.Context, f *fixture, tx *store.Tx) error {
			return tx.SaveLastView(ctx, "olivia", app(1), f.now, false)
		},
		"shown by an open page": func(ctx context.Context, f *fixture, tx *store.Tx) error {
			if err := tx.SaveLastView(ctx, "olivia", app(1), f.now.Add(-time.Hour), false); err != nil {
				return err
			}
			return tx.SaveDisplayed(ctx, "olivia", app(1), f.now)
		},
		"handled": func(ctx context.Context, _ *fixture, tx *store.Tx) error {
			return tx.MarkHandled(ctx, app(1), lead.NoticeBlocked)
		},
		"reassigned": func(ctx context.Context, f *fixture, tx *store.Tx) error {
			row, err := tx.AnyLead(ctx, app(1))
			row.Originator = "o2"
			if err != nil {
				return err
			}
			return tx.SaveLead(ctx, &row, f.now, true)
		},
		"closed": func(ctx context.Context, _ *fixture, tx *store.Tx) error {
			return tx.CloseUser(ctx, access.Operator().Actor, "olivia")
		},
		"turned off": func(ctx context.Context, _ *fixture, tx *store.Tx) error {
			c := lead.DefaultTellChoices()
			c.Email[lead.TellBlocked], c.Push[lead.TellBlocked] = lead.TellNever, lead.TellNever
			return tx.SetTellChoices(ctx, "olivia", c)
		},
		"": func(context.Context, *fixture, *store.Tx) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.happen(lead.NoticeBlocked, "ssn-needed", 1)
			f.now = f.now.Add(time.Second)
			f.write(func(ctx context.Context, tx *store.Tx) error { return meanwhile(ctx, f, tx) })
			want := 0
			if name == "" {
				want = 1
			}
			if emails, pushed := f.deliver(wednesday(11, 0)); len(emails) != want || len(pushed) != want {
				t.Errorf("got %d emails and %d notifications, want %d", len(emails), len(pushed), want)
			}
		})
	}
}

// TestTell_PortalWasDown_NotInQuietHours: what was due in the evening does not wake the user when the portal is back at
// night.
func TestTell_PortalWasDown_NotInQuietHours(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.happen(lead.NoticeBlocked, "ssn-needed", 1)
	f.Demo = false
	f.now = wednesday(23, 0)
	for more := true; more; {
		var err error
		more, err = f.Deliver(t.Context())
		f.must(err)
	}
	f.Demo = true
	f.now = wednesday(10, 0).AddDate(0, 0, 1)
	if all, err := f.Outbox(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("at night: got %+v, %v", all, err)
	}
	if emails, pushed := f.deliver(f.now); len(emails) != 1 || len(pushed) != 1 {
		t.Errorf("in the morning: got %d emails and %d notifications", len(emails), len(pushed))
	}
}

// TestSendPush_Answers: a browser that is gone is deleted, and a push service that is down is tried again.
func TestSendPush_Answers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.err = fmt.Errorf("down: %w", push.ErrTemporary)
	f.happen(lead.NoticeOffersReady, "", 1)
	f.deliver(wednesday(10, 1))
	f.err = nil
	if _, pushed := f.deliver(wednesday(10, 1).Add(30 * time.Second)); len(pushed) != 0 {
		t.Error("tried again at once")
	}
	if _, pushed := f.deliver(wednesday(10, 3)); len(pushed) != 1 {
		t.Errorf("got %d notifications, want one after the push service is back", len(pushed))
	}
	f.err = push.ErrGone
	f.happen(lead.NoticeOffersReady, "", 2)
	f.deliver(wednesday(10, 5))
	if left, err := f.Browsers(t.Context(), "olivia"); err != nil || len(left) != 0 {
		t.Errorf("got %+v, %v, want the browser deleted", left, err)
	}
	if err := f.TestBrowser(t.Context(), "olivia", "b1"); !fault.Is(err, fault.Conflict) {
		t.Errorf("a test to a browser that is gone: got %v", err)
	}
}
