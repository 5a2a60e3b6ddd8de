package desk_test

import (
	"testing"

	"hearthline/internal/desk/intake"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

func TestUnitReason_KnownUnits_AsksForTheUnit(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		drafts, err := g.service.For(g.marcus).Drafts()
		g.must(err)
		home := heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}
		reason := func(a heloc.Address) intake.UnitReason {
			t.Helper()
			got, err := drafts.UnitReason(t.Context(), a)
			g.must(err)
			return got
		}
		g.start(g.olivia, "Rivera")
		if got := reason(home); got != "" {
			t.Errorf("another inquiry without a unit: got %q", got)
		}
		in := g.intake(g.olivia)
		with := g.form(in, "Quill")
		with.Inquiry.Property.Address.Street2 = "Apt 4"
		op, err := in.Start(t.Context(), with)
		g.must(err)
		g.must(g.sync.Refresh(t.Context(), op.App))
		for _, tt := range []struct {
			change func(*heloc.Address)
			want   intake.UnitReason
		}{
			{func(*heloc.Address) {}, intake.UnitOtherLead},
			{func(a *heloc.Address) { a.Street1 = "418 alder way" }, intake.UnitOtherLead},
			{func(a *heloc.Address) { a.Street2 = "Apt 5" }, ""},
			{func(a *heloc.Address) { a.Street1 = "418 Alder Way Unit 2" }, ""},
			{func(a *heloc.Address) { a.Street1 = "420 Alder Way" }, ""},
			{func(a *heloc.Address) { a.ZIP = "80402" }, ""},
			{func(a *heloc.Address) { a.State = "ID" }, ""},
			{func(a *heloc.Address) { a.Street1 = "12-18 Elm St" }, intake.UnitNumberRange},
			{func(a *heloc.Address) { a.Street1 = "500 Main St Apt" }, intake.UnitNoNumber},
			{func(a *heloc.Address) { a.Street1, a.Street2 = "500 Main St", "Lakeside Condominium" }, intake.UnitNoNumber},
		} {
			a := home
			tt.change(&a)
			if got := reason(a); got != tt.want {
				t.Errorf("%v: got %q, want %q", a, got, tt.want)
			}
		}
		// Another company learns nothing.
		others, err := g.service.For(g.piotr).Drafts()
		g.must(err)
		if got, err := others.UnitReason(t.Context(), home); got != "" || err != nil {
			t.Errorf("another company: got %q, %v", got, err)
		}
	})
}

func TestStart_SeveralUnits_NeedsTheUnitOrConfirmation(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		in := g.intake(g.olivia)
		first := g.form(in, "Rivera-Unit")
		op, err := in.Start(t.Context(), first)
		g.must(err)
		g.must(g.sync.Refresh(t.Context(), op.App))
		if again, err := in.Start(t.Context(), first); err != nil || again.ID != op.ID {
			t.Errorf("the same form again: got %+v, %v, want its first result", again, err)
		}
		second := g.form(in, "Quill")
		_, err = in.Start(t.Context(), second)
		wantKind(t, err, fault.Invalid)
		wantField(t, err, "confirm.noUnit")
		second.NoUnit = true
		if _, err := in.Start(t.Context(), second); err != nil {
			t.Errorf("there is no unit: %v", err)
		}
		third := g.form(in, "Whitfield")
		third.Inquiry.Property.Address.Street2 = "2"
		if _, err := in.Start(t.Context(), third); err != nil {
			t.Errorf("with the unit: %v", err)
		}
	})
}
