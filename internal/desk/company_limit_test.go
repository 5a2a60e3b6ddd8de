package desk_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	deskreports "hearthline/internal/desk/reports"
	"hearthline/internal/desk/team"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// export exports the user's list and returns the error.
func export(t *testing.T, s *desk.Service, who access.Actor) error {
	t.Helper()
	p, err := s.For(who).Pipeline()
	check(t, err)
	return p.Export(t.Context(), lead.Query{}, "", func([]lead.PipelineRow) error { return nil })
}

// wantRefused checks what a refused user reads, and how long they wait.
func wantRefused(t *testing.T, err error, wait time.Duration, text string) {
	t.Helper()
	soon, ok := errors.AsType[interface {
		error
		RetryAfter() time.Duration
	}](err)
	if !ok || !fault.Is(err, fault.Unavailable) || soon.RetryAfter() > wait || soon.RetryAfter() < wait-5*time.Minute ||
		!strings.HasPrefix(fault.Public(err), text) {
		t.Errorf("got %v (%q), want a refusal for about %v that begins with %q", err, fault.Public(err), wait, text)
	}
}

func limitsAudited(t *testing.T, g *harness) (all []store.AuditEntry) {
	t.Helper()
	page, err := g.store.Audits(t.Context(), store.AuditQuery{Action: store.ActionLimit, Limit: 100})
	check(t, err)
	return page
}

// Exports of one company are limited over all processes; another company exports as before, and the message names
// neither users nor companies.
func TestCompanyLimits_Exports_RefusedUntilAnHourLater(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.deskDeps.CompanyLimits = desk.CompanyLimits{Exports: 4}
		one := desk.New(g.deskDeps)
		second, err := store.Open(t.Context(), g.address,
			store.Options{MAC: g.deskDeps.Vault.MAC, VerifyMAC: g.deskDeps.Vault.VerifyMAC})
		check(t, err)
		defer func() { check(t, second.Close()) }()
		deps := g.deskDeps
		deps.Store = second
		two := desk.New(deps)

		check(t, export(t, one, g.olivia))
		time.Sleep(20 * time.Minute)
		check(t, export(t, two, g.olivia))
		wantRefused(t, export(t, one, g.olivia), 40*time.Minute, "You exported lists of leads 2 times within an hour, "+
			"the most allowed. Nothing was exported. You can export again in ")
		check(t, export(t, two, g.marcus))
		check(t, export(t, one, g.marcus))
		wantRefused(t, export(t, two, g.maya), 40*time.Minute,
			"Your company’s users together exported lists of leads 4 times within an hour, the most allowed.")
		wantRefused(t, export(t, one, g.maya), 40*time.Minute, "Your company’s")
		check(t, export(t, one, g.piotr)) // of another company
		figures, err := one.For(g.maya).Reports()
		check(t, err)
		_, err = figures.Export(t.Context(), "funnel", deskreports.ReportFilter{}) // a report lists no leads
		check(t, err)

		var got []string
		for _, e := range limitsAudited(t, g) {
			got = append(got, e.ActorID+" "+e.Outcome+" "+e.Detail)
			if e.Company != g.olivia.BrokerID {
				t.Errorf("the audit names the company %q, want the user's", e.Company)
			}
		}
		if want := g.maya.UserID + " refused limit:exports company 4; " + g.olivia.UserID +
			" refused limit:exports user 2"; strings.Join(got, "; ") != want {
			t.Errorf("got the audit %q, want %q: each limit once", strings.Join(got, "; "), want)
		}
		for who, want := range map[*access.Actor]int{&g.maya: 1, &g.olivia: 0, &g.piotr: 0} {
			inbox, err := one.For(*who).Inbox()
			check(t, err)
			page, err := inbox.Page(t.Context(), "")
			check(t, err)
			n := 0
			for _, notice := range page.Notices {
				if notice.Kind == lead.NoticeLimit && notice.About == "exports" && notice.N == 4 {
					n++
				}
			}
			if n != want {
				t.Errorf("%s has %d notifications, want %d", who.Name, n, want)
			}
		}
		time.Sleep(45 * time.Minute)
		check(t, export(t, two, g.maya))
	})
}

// Reveals of all users of a company together are limited, besides those of each user.
func TestCompanyLimits_Reveals_RefusedForCompanyOnly(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		g.deskDeps.CompanyLimits = desk.CompanyLimits{Reveals: 2}
		s := desk.New(g.deskDeps)
		app := g.start(g.olivia, "Rivera")
		other := g.start(g.piotr, "Okafor")
		reveal := func(who access.Actor, app heloc.AppID) error {
			l, err := s.For(who).Lead(t.Context(), string(app))
			check(t, err)
			_, err = l.Reveal(t.Context(), desklead.RevealReason{Preset: "identity"})
			return err
		}
		check(t, reveal(g.olivia, app))
		check(t, reveal(g.maya, app))
		wantRefused(t, reveal(g.olivia, app), time.Hour,
			"Your company’s users together viewed borrower details 2 times within an hour, the most allowed. Nothing was shown.")
		check(t, reveal(g.piotr, other))
		if got := limitsAudited(t, g); len(got) != 1 || got[0].Detail != "limit:reveals company 2" {
			t.Errorf("got the audit %+v, want the refusal", got)
		}
		time.Sleep(time.Hour)
		check(t, reveal(g.olivia, app))
	})
}

// TestOwnLimits_UsedUp_RefusedUntilAnHourLater has one user repeat each limited action after most of the limit is used.
func TestOwnLimits_UsedUp_RefusedUntilAnHourLater(t *testing.T) {
	t.Parallel()
	for what, most := range map[string]int{
		core.UseDownloads: 120, core.UseChanges: 600, core.UseDrafts: 120, core.UseAbsences: 60,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, false, func(t *testing.T, g *harness) {
				mine, other := g.start(g.olivia, "Rivera"), g.start(g.marcus, "Stone")
				time.Sleep(5 * time.Second)
				next := 10
				act := func(who access.Actor, app heloc.AppID) error {
					switch what {
					case core.UseDownloads:
						got, err := g.openLead(who, app).DocumentsZip(t.Context())
						if err == nil {
							g.must(got.Body.Close())
						}
						return err
					case core.UseChanges:
						return g.openLead(who, app).Note(t.Context(), "Called back")
					case core.UseDrafts:
						drafts, err := g.service.For(who).Drafts()
						g.must(err)
						_, err = drafts.Save(t.Context(), drafts.New(), lead.FormValues{"applicant.name.firstName": {"Ana"}})
						return err
					default:
						next += 2
						return g.absences(who).Save(t.Context(), team.AbsenceRequest{Person: who.UserID, Deputy: g.maya.UserID,
							FirstDay: day(next), LastDay: day(next)})
					}
				}
				g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
					olivia := store.Usage{Subject: "user:" + g.olivia.UserID, Kind: what}
					for range most - 1 {
						g.must(tx.AddUse(t.Context(), olivia, time.Now()))
					}
					return nil
				}))
				g.must(act(g.olivia, mine))
				sent := g.transport.count("/download")
				wantKind(t, act(g.olivia, mine), fault.Unavailable)
				if now := g.transport.count("/download"); now != sent {
					t.Errorf("got %d requests to the lender, want none after the limit", now-sent)
				}
				g.must(act(g.marcus, other)) // who has a limit of their own
				time.Sleep(time.Hour + 5*time.Minute)
				g.olivia, g.marcus = g.current(g.olivia), g.current(g.marcus)
				g.must(act(g.olivia, mine))
			})
		})
	}
}
