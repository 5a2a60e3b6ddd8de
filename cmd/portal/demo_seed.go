package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	deskintake "hearthline/internal/desk/intake"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

// seedLeads carries out the plan. Each lead is started as its originator through the desk and continues through the
// sandbox's own interface, with the clock set back to the lead's time.
func (p *portal) seedLeads(ctx context.Context, d demoRun) (made int, err error) {
	saved, err := p.store.Setting(ctx, seededSetting)
	if err != nil {
		return 0, err
	}
	done, _ := strconv.Atoi(saved)
	leads := leadPlan(time.Now())
	if done >= len(leads) {
		return 0, nil
	}
	faults := d.sandbox.Faults()
	quiet := faults
	quiet.Webhooks = sandbox.WebhooksOff // events of months ago send no webhooks today
	if err := d.sandbox.SetFaults(quiet); err != nil {
		return 0, err
	}
	defer func() { _ = d.sandbox.SetFaults(faults) }()
	d.sandbox.SetProcessing(0)
	fmt.Fprintf(d.out, "Creating %d leads from the last five months …\n", len(leads)-done)
	for i, l := range leads[done:] {
		if err := p.playScenario(ctx, d, l); err != nil {
			return i, fmt.Errorf("lead %d (%s): %w", l.number, l.scenario.name, err)
		}
		if err := p.saveSeeded(ctx, done+i+1); err != nil {
			return i, err
		}
	}
	if err := p.addLicenses(ctx); err != nil {
		return len(leads) - done, err
	}
	return len(leads) - done, p.markOldRead(ctx)
}

// markOldRead marks notifications from before last night as read, as users who work every day would have done.
func (p *portal) markOldRead(ctx context.Context) error {
	people, err := p.store.Users(ctx)
	if err != nil {
		return err
	}
	var last ulid.ULID
	if err := last.SetTime(ulid.Timestamp(time.Now().Add(-12 * time.Hour))); err != nil {
		return err
	}
	return p.store.Write(ctx, func(tx *store.Tx) error {
		for _, who := range people {
			in := store.UserScope{UserID: who.UserID, Company: access.CompanyOf(who.BrokerID, who.Organization)}
			if _, err := tx.MarkNoticesRead(ctx, in, store.NoticeSelection{At: time.Now(), UpTo: last.String()}); err != nil {
				return err
			}
		}
		return nil
	})
}

// playScenario starts one lead and performs its actions, each some time after the one before.
func (p *portal) playScenario(ctx context.Context, d demoRun, s seedLead) error {
	user, _, err := p.store.UserByEmail(ctx, s.owner)
	if err != nil {
		return err
	}
	at := s.startedAt
	d.clock.set(at)
	// The demo's users are fictional, and so is their step-up: an SSN is sent in their name.
	user.ElevatedUntil = time.Now().Add(time.Hour)
	ownDesk := p.desks.For(user.Actor)
	intake, err := ownDesk.Intake()
	if err != nil {
		return err
	}
	typed := s.borrower()
	op, err := intake.Start(ctx, deskintake.StartForm{
		OperationID: intake.NewOperationID(), DraftID: uuid.NewString(), Typed: lead.FormValues{}, Inquiry: normalized(typed),
		Snapshot: lead.StartSnapshot{
			Name: typed.Applicant.Name, Phone: typed.Applicant.Phone, Email: typed.Applicant.Email,
			Address:         typed.Property.Address,
			RequestedAmount: heloc.Dollars(int64(45_000 + (s.number*7_500)%80_000)),
		},
		Consent:          lead.ConsentForm{Attested: true, Method: "recorded-call", Version: p.desks.ConsentVersion()},
		ConfirmDuplicate: true,
	})
	if err != nil {
		return err
	}
	if op.App == "" {
		return fmt.Errorf("the start is %s", op.State)
	}
	// The lender takes a few seconds; the usual wait is computed from these.
	d.clock.set(at.Add(time.Duration(30+s.number%40) * time.Second))
	if err := p.lenderSync.Refresh(ctx, op.App); err != nil {
		return err
	}
	pause := actionDelay(s)
	for _, action := range s.scenario.actions {
		at = notBefore(at, duringOfficeHours(at.Add(pause), time.Now()))
		if action == "fund" {
			at = onBankDay(at)
		}
		d.clock.set(at)
		if err := p.perform(ctx, d, demoAction{ownDesk, op.App, action}); err != nil {
			return fmt.Errorf("%s: %w", action, err)
		}
		d.clock.set(at.Add(time.Duration(25+s.number%30) * time.Second))
		if err := p.lenderSync.Refresh(ctx, op.App, lead.PartDocuments); err != nil {
			return err
		}
		if action == "expire" || action == "decline" { // only a second reading ends a lead
			d.clock.set(at.Add(2 * time.Minute))
			if err := p.lenderSync.Refresh(ctx, op.App); err != nil {
				return err
			}
		}
	}
	return nil
}

// notBefore preserves the order of actions that duringOfficeHours would otherwise reverse.
func notBefore(before, at time.Time) time.Time {
	if at.After(before) {
		return at
	}
	return before.Add(20 * time.Minute)
}

// actionDelay spreads the actions of a lead over the time since it began.
func actionDelay(s seedLead) time.Duration {
	span := time.Since(s.startedAt)
	if s.scenario.name == "chase" {
		return 10 * time.Minute // after that the borrower stopped responding
	}
	return min(span/time.Duration(len(s.scenario.actions)+2), 6*24*time.Hour)
}

type demoAction struct {
	desk *desk.Desk
	app  heloc.AppID
	name string
}

// perform performs one action: an originator's through the desk, the borrower's or the lender's through the sandbox's
// control interface.
func (p *portal) perform(ctx context.Context, d demoRun, what demoAction) error {
	l, err := what.desk.Lead(ctx, string(what.app))
	if err != nil {
		return err
	}
	kind := heloc.Operation(what.name)
	ticket := l.NewOperationID(kind)
	switch kind {
	case heloc.OpAddSSN:
		_, err = l.AddSSN(ctx, ticket, pii.Wrap("123-45-6789"))
	case heloc.OpPropertyValue:
		_, err = l.AddPropertyEstimate(ctx, ticket, heloc.Dollars(640_000))
	case heloc.OpVerifyLiens:
		err = verifyDetectedLiens(ctx, l, ticket)
	case heloc.OpSelectOffer:
		err = selectSomeOffer(ctx, l, ticket)
	case heloc.OpCancel:
		_, err = l.Cancel(ctx, ticket)
	case "set-aside":
		err = l.SetAside(ctx, true)
	case "call", "text":
		err = l.LogContact(ctx, desklead.Contact{Method: what.name})
	default:
		err = d.sandbox.Play(what.app, what.name)
	}
	return err
}

func verifyDetectedLiens(ctx context.Context, row *desk.Lead, ticket string) error {
	view, err := row.Snapshot(ctx)
	if err != nil {
		return err
	}
	var liens []heloc.LienInput
	for _, l := range view.Details.App.Liens {
		liens = append(liens, heloc.LienInput{
			LienUUID: l.LienUUID, OriginationDate: l.OriginationDate, LenderName: l.LenderName,
			OriginalBalance: l.OriginalBalance, CurrentBalance: l.CurrentBalance, MonthlyPayment: l.MonthlyPayment,
		})
	}
	_, err = row.VerifyLiens(ctx, ticket, liens, nil)
	return err
}

// selectSomeOffer selects the middle one of the fixed offers, with the requested amount if it fits.
func selectSomeOffer(ctx context.Context, l *desk.Lead, ticket string) error {
	view, err := l.Snapshot(ctx)
	if err != nil {
		return err
	}
	var fixed []heloc.Offer
	for _, o := range view.Details.App.Underwriting.Offers {
		if o.RateType == heloc.RateFixed && o.MaxAmount != nil && o.MinAmount != nil {
			fixed = append(fixed, o)
		}
	}
	if len(fixed) == 0 {
		return fmt.Errorf("no fixed offers among %d", len(view.Details.App.Underwriting.Offers))
	}
	offer := fixed[len(fixed)/2]
	amount := max(*offer.MinAmount, min(*offer.MaxAmount, view.Row.RequestedAmount))
	_, err = l.Offers().SelectOffer(ctx, ticket,
		heloc.OfferSelection{OfferUUID: offer.UUID, Amount: amount, Discounts: []string{}, AccountsToPayoff: []string{}})
	return err
}

// normalized returns the inquiry as it is sent, because the interface accepts no accents.
func normalized(in heloc.Inquiry) heloc.Inquiry {
	in.Applicant.Name.First = heloc.NormalizeName(in.Applicant.Name.First).Sent
	in.Applicant.Name.Last = heloc.NormalizeName(in.Applicant.Name.Last).Sent
	return in
}
