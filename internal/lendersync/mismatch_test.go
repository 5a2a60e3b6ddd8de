package lendersync

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const unknownOriginator = heloc.OriginatorID("99999999-9999-4999-8999-999999999999")

// nameOriginator makes the lender's details name an originator for a lead, and its directory return the result of
// directory; an empty result means the sandbox's own answer.
func (h *harness) nameOriginator(app heloc.AppID, originator string, directory func() string) {
	h.t.Helper()
	h.transport.set(nil, nil)
	answer := h.detailsJSON(app)
	field := `"loanOriginatorUuid":"` + string(h.lead(app).Originator) + `"`
	if !strings.Contains(answer, field) {
		h.t.Fatalf("no originator in %s", answer)
	}
	answer = strings.Replace(answer, field, `"loanOriginatorUuid":`+originator, 1)
	h.transport.set(nil, func(r *http.Request) string {
		switch {
		case strings.Contains(r.URL.Path, "/details/"):
			return answer
		case strings.Contains(r.URL.Path, "/loan-originator") && directory != nil:
			return directory()
		}
		return ""
	})
}

func (h *harness) mismatchOf(app heloc.AppID) lead.Mismatch {
	h.t.Helper()
	all, err := h.store.Mismatches(h.t.Context())
	h.must(err)
	for _, m := range all {
		if m.App == app {
			return m
		}
	}
	return lead.Mismatch{}
}

func TestRefresh_MalformedOriginator_LeadStays(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]lead.MismatchReason{
		`17`: lead.MismatchMalformed, `"<script>alert(1)</script>"`: lead.MismatchMalformed,
		`"olivia@summit.test"`: lead.MismatchMalformed, `{"id":1}`: lead.MismatchMalformed, `["x"]`: lead.MismatchMalformed,
		`true`: lead.MismatchMalformed, `"{18947e86-562a-5618-a596-768f2db46679}"`: lead.MismatchMalformed,
		`""`: "", `null`: "",
	} {
		t.Run(sent, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				app := g.startAndRead("Rivera")
				g.nameOriginator(app, sent, nil)
				before := g.eventKinds(app)
				g.must(g.service.Refresh(t.Context(), app))
				if l := g.lead(app); l.Originator != g.originators[0].ID || g.eventKinds(app) != before {
					t.Errorf("the lead has %q after %q, want the former originator", l.Originator, g.eventKinds(app))
				}
				if m := g.mismatchOf(app); m.Reason != want || m.Named != "" {
					t.Errorf("got mismatch %+v, want the reason %q without the sent value", m, want)
				}
				if log := g.log.String(); strings.Contains(log, "script") ||
					want != "" && !strings.Contains(log, "loanOriginatorUuid") {
					t.Errorf("the log contains the sent value, or lacks the field: %s", log)
				}
				g.transport.set(nil, nil)
				g.must(g.service.Refresh(t.Context(), app))
				if m := g.mismatchOf(app); m.Reason != "" {
					t.Errorf("got mismatch after a correct response: %+v", m)
				}
			})
		})
	}
}

func TestRefresh_OriginatorTheDirectoryDoesNotList_LeadStays(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.nameOriginator(app, `"`+string(unknownOriginator)+`"`, nil)
		for range 5 {
			time.Sleep(10 * time.Second)
			g.must(g.service.Refresh(t.Context(), app))
		}
		if l := g.lead(app); l.Originator != g.originators[0].ID {
			t.Errorf("the lead has %q, want the former originator", l.Originator)
		}
		if m := g.mismatchOf(app); m.Reason != lead.MismatchUnknown || m.Named != unknownOriginator {
			t.Errorf("got mismatch %+v", m)
		}
		if n := g.transport.count("/loan-originator"); n != 2 {
			t.Errorf("got %d directory requests, want one for each of the two pages", n)
		}
	})
}

func TestRefresh_OriginatorNewInTheDirectory_TakesTheLead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		company int // which originator's company, by index
		want    heloc.OriginatorID
	}{"of the company": {0, unknownOriginator}, "of another company": {2, ""}} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				app := g.startAndRead("Rivera")
				fresh := g.originators[tt.company]
				fresh.ID, fresh.Email = unknownOriginator, "new@summit.test"
				all := append(g.lender.Originators(), fresh)
				g.nameOriginator(app, `"`+strings.ToUpper(string(unknownOriginator))+`"`,
					func() string { return g.page(all[len(all)-1:], 0) })
				g.readTwice(app)
				if l := g.lead(app); l.Originator != tt.want || l.Company != g.originators[0].Broker.ID {
					t.Errorf("the lead has %q of %q, want %q of its company", l.Originator, l.Company, tt.want)
				}
				if m := g.mismatchOf(app); m.Reason != "" {
					t.Errorf("got mismatch %+v", m)
				}
			})
		})
	}
}

func TestRefresh_DirectoryUnreachable_LeadStaysUntilTheyAreListed(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{loops: true}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		fresh := g.originators[1]
		fresh.ID, fresh.Email = unknownOriginator, "new@summit.test"
		all := append(g.lender.Originators(), fresh)
		g.nameOriginator(app, `"`+string(unknownOriginator)+`"`, nil)
		g.transport.mu.Lock()
		details := g.transport.replace
		g.transport.intercept = func(r *http.Request) error {
			if strings.Contains(r.URL.Path, "/loan-originator") {
				return errors.New("connection refused")
			}
			return nil
		}
		g.transport.mu.Unlock()
		g.must(g.service.Refresh(t.Context(), app))
		if l, m := g.lead(app), g.mismatchOf(app); l.Originator != g.originators[0].ID ||
			m.Reason != lead.MismatchUnreachable {
			t.Errorf("the lead has %q, and the mismatch is %+v", l.Originator, m)
		}
		g.transport.set(nil, func(r *http.Request) string {
			if !strings.Contains(r.URL.Path, "/loan-originator") {
				return details(r)
			}
			if r.URL.Query().Get("offset") != "" {
				return g.page(all, 100)
			}
			return g.page(all, 0)
		})
		time.Sleep(5 * time.Minute)
		if l, m := g.lead(app), g.mismatchOf(app); l.Originator != unknownOriginator || m.Reason != "" {
			t.Errorf("once they are listed the lead has %q, and the mismatch is %+v", l.Originator, m)
		}
	})
}

func TestRefresh_RemovedColleagueNamed_HasTheLeadWhenListedAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app, marcus := g.startAndRead("Rivera"), g.originators[1]
		g.setDirectory(g.without(marcus))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.nameOriginator(app, `"`+string(marcus.ID)+`"`, nil)
		for range 2 {
			g.readTwice(app)
			if l := g.lead(app); l.Originator != "" || l.FormerOriginator != marcus.ID {
				t.Errorf("the lead has %q, before %q; want nobody, before %q", l.Originator, l.FormerOriginator, marcus.ID)
			}
		}
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if l := g.lead(app); l.Originator != marcus.ID {
			t.Errorf("listed again, and the lead has %q", l.Originator)
		}
	})
}

func TestLookUp_ManyUnknownOriginators_DirectoryIsReadOnceAMinute(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{loops: true}, func(t *testing.T, g *harness) {
		time.Sleep(10 * time.Minute)
		g.transport.set(nil, nil)
		for i := range 10 * 60 {
			id := heloc.OriginatorID(fmt.Sprintf("%08d%s", i, unknownOriginator[8:]))
			if why, err := g.service.lookUp(t.Context(), id); err != nil || why != lead.MismatchUnknown {
				t.Fatalf("got %q, %v, want an unknown originator", why, err)
			}
			time.Sleep(time.Second)
		}
		if n := g.transport.count("/loan-originator"); n > 2*11 {
			t.Errorf("two pages were asked for %d times in ten minutes, want at most once a minute", n/2)
		}
	})
}
