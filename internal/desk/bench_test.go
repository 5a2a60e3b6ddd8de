package desk_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// addManyLeads adds n leads of olivia's.
func (h *harness) addManyLeads(b *testing.B, n int) {
	b.Helper()
	owner := access.Owner{BrokerID: h.olivia.BrokerID, Organization: h.olivia.Organization}
	bench.Fill(b, h.address, h.deskDeps.Vault, bench.Data{Leads: n, Company: owner,
		Originators: []heloc.OriginatorID{heloc.OriginatorID(h.olivia.OriginatorUUID)}, Now: time.Now()})
}

// BenchmarkList compares a page of the pipeline with its queries alone, at two sizes, and a search with a page.
func BenchmarkList(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		g := newHarness(b)
		g.addManyLeads(b, n)
		p, err := g.service.For(g.olivia).Pipeline()
		check(b, err)
		scope := g.olivia.Scope()
		bare := timePerRun(func() {
			ctx := context.Background()
			_, err := g.store.Leads(ctx, scope, lead.Query{Lane: heloc.LaneBlocked})
			check(b, err)
			_, err = g.store.ListCounts(ctx, store.TodayScope{Scope: scope}, store.Millis(time.Now()))
			check(b, err)
			_, err = g.store.Waits(ctx, heloc.OpStart, 100)
			check(b, err)
		})
		for name, f := range map[string]func() error{
			"page": func() error {
				_, err := p.Page(context.Background(), lead.Query{Lane: heloc.LaneBlocked}, "")
				return err
			},
			"search": func() error {
				_, err := p.Page(context.Background(), lead.Query{}, "riveraaa")
				return err
			},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					check(b, f())
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bare), "of-bare")
			})
		}
		g.stop()
		check(b, g.store.Close())
		check(b, g.lender.Close())
	}
}

// timePerRun returns the mean duration of f.
func timePerRun(f func()) time.Duration {
	f()
	began, n := time.Now(), 0
	for time.Since(began) < 300*time.Millisecond {
		f()
		n++
	}
	return time.Since(began) / time.Duration(n)
}

func BenchmarkView(b *testing.B) {
	g := newHarness(b)
	in, err := g.service.For(g.olivia).Intake()
	check(b, err)
	op, err := in.Start(context.Background(), g.form(in, "Rivera"))
	check(b, err)
	check(b, g.sync.Refresh(context.Background(), op.App, lead.PartDocuments))
	for b.Loop() {
		l, err := g.service.For(g.olivia).Lead(context.Background(), string(op.App))
		check(b, err)
		_, err = l.Snapshot(context.Background())
		check(b, err)
	}
	check(b, g.store.Close())
	check(b, g.lender.Close())
}
