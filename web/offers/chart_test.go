package offers

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/offersheet"
	"hearthline/views/text"
)

func TestPaymentChart_UsesSelectedFee(t *testing.T) {
	percent := func(p float64) *heloc.Rate { return new(heloc.Percent(p)) }
	offer := func(term heloc.Count, fee, rate float64) heloc.Offer {
		return heloc.Offer{UUID: strconv.Itoa(int(term)) + "-" + percent(fee).String(), Term: &term, Rate: percent(rate),
			OriginationFeePercent: percent(fee), RateType: heloc.RateFixed}
	}
	g := OfferGrid{Query: GridQuery{Draw: heloc.Dollars(145_000)},
		Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths}}
	chosen := offer(120, 2.99, 8.2)
	g.Offers = []heloc.Offer{offer(60, 1.5, 8.4), offer(60, 2.99, 7.85), chosen, offer(360, 2.99, 8.85)}
	c := g.paymentChart(chosen)
	if c.Fee != "fee 2.99%" || len(c.Bars) != 3 {
		t.Fatalf("got %+v", c)
	}
	for i, want := range []view.PaymentBar{
		{Term: "5 yr", LongTerm: "5 years", Payment: "$3,017", Exact: "$3,017.28", Height: "100.0"},
		{Term: "10 yr", LongTerm: "10 years", Payment: "$1,828", Exact: "$1,827.67", Chosen: true, Height: "60.6"},
		{Term: "30 yr", LongTerm: "30 years", Payment: "$1,186", Exact: "$1,185.50", Height: "39.3"},
	} {
		if b := c.Bars[i]; b.Term != want.Term || b.LongTerm != want.LongTerm || b.Payment != want.Payment ||
			b.Exact != want.Exact || b.Chosen != want.Chosen || b.Height != want.Height {
			t.Errorf("got %+v, want %+v", b, want)
		}
	}
}

// monthly is a schedule built from one amount per year, constant within each year.
func monthly(years ...heloc.Money) []heloc.Money {
	all := years[:1]
	for _, amount := range years[1:] {
		all = append(slices.Concat(all, slices.Repeat(all[len(all)-1:], 11)), amount)
	}
	return all
}

// The interest of the years adds up to the total, to the cent.
func TestBalanceChart_InterestAddsUp(t *testing.T) {
	c := newBalanceChart([]balanceLine{
		{"10 years", monthly(14933550, 13900000, 0), monthly(0, 1203407, 2100012)},
		{"5 years", monthly(14933550, 0), monthly(0, 500000)},
	})
	for year, want := range []string{"0||$149,336||$149,336", "1|$12,034.07|$139,000|$5,000.00|$0", "2|$8,966.05|$0||$0"} {
		if got := strings.Join(c.Rows[year], "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := c.Lines[0].TotalInterest + "|" + c.Lines[1].TotalInterest; got != "$21,000.12|$5,000.00" {
		t.Errorf("got totals %q", got)
	}
}

// TestBalanceChart_LinesEndApart_NamesBeside: names stand beside lines that end apart and cover no other name;
// otherwise a legend has them.
func TestBalanceChart_LinesEndApart_NamesBeside(t *testing.T) {
	line := func(years int) balanceLine {
		owed := make([]heloc.Money, years+1)
		for year := range owed {
			owed[year] = heloc.Money(10_000_000 * (years - year) / years)
		}
		return balanceLine{Name: strconv.Itoa(years) + " years fixed, fee 2.99%", Owed: monthly(owed...)}
	}
	for _, years := range [][]int{{10, 5, 15}, {10, 5}, {30, 5}, {15, 30}, {30, 20, 10, 5}} {
		var lines []balanceLine
		for _, one := range years {
			lines = append(lines, line(one))
		}
		c := newBalanceChart(lines)
		if !c.Direct {
			t.Errorf("lines of %v years have a legend", years)
		}
		var boxes []nameBox // in units of the drawing, whose y axis points down
		for _, l := range c.Lines {
			x, errX := strconv.ParseFloat(l.LabelX, 64)
			y, errY := strconv.ParseFloat(l.LabelY, 64)
			if errX != nil || errY != nil {
				t.Fatal(errX, errY)
			}
			width := 7 * float64(len(l.Name))
			if l.Below {
				x -= width
			}
			box := nameBox{x, y - 12, x + width, y + 3}
			if slices.ContainsFunc(boxes, box.overlaps) || box.left < chartLeft || box.right > chartRight+12 {
				t.Errorf("lines of %v years: the name %q is at %v, others at %v", years, l.Name, box, boxes)
			}
			boxes = append(boxes, box)
		}
	}
	if newBalanceChart([]balanceLine{line(10), line(10), line(5)}).Direct {
		t.Error("names are beside two lines that coincide")
	}
}

// TestBorrowerChart_NamesBesideLines_DoNotCollide draws the lines of every choice of terms: names that are beside
// lines cover no other name, in the narrowest chart and in the PDF too.
func TestBorrowerChart_NamesBesideLines_DoNotCollide(t *testing.T) {
	terms := []int{3, 5, 7, 10, 15, 20, 25, 30}
	beside := 0
	for choice := 1; choice < 1<<len(terms); choice++ {
		for _, interestOnly := range []bool{false, true} {
			var lines []balanceLine
			for i, years := range terms {
				if choice&(1<<i) != 0 {
					lines = append(lines, balanceOf(years*12, interestOnly))
				}
			}
			if len(lines) > len(borrowerDashes) {
				continue
			}
			c := newBorrowerChart(text.OfferSheet{}, lines)
			if !c.Direct {
				continue
			}
			beside++
			for i, l := range c.Lines {
				for _, other := range c.Lines[:i] {
					if collide(l, other) {
						t.Errorf("%b: %q at %.2f and %q at %.2f collide", choice, l.Name, l.Label, other.Name, other.Label)
					}
				}
			}
		}
	}
	if beside < 60 {
		t.Errorf("names are beside the lines of %d choices, want more", beside)
	}
	for _, years := range [][]int{{5, 10, 15}, {10, 15, 30}, {5, 10, 15, 30}} {
		var lines []balanceLine
		for _, n := range years {
			lines = append(lines, balanceOf(n*12, false))
		}
		if c := newBorrowerChart(text.OfferSheet{}, lines); !c.Direct {
			t.Errorf("%v years: the names are in a legend", years)
		}
	}
}

// collide reports whether the names of two lines cover each other.
func collide(a, b offersheet.Line) bool {
	beginning := func(l offersheet.Line) (x, y, width float64) {
		width = 0.021 * float64(len(l.Name))
		if l.Below {
			return l.Label.X - 0.013 - width, l.Label.Y - 0.145, width
		}
		return l.Label.X + 0.013, l.Label.Y + 0.03, width
	}
	ax, ay, aWidth := beginning(a)
	bx, by, bWidth := beginning(b)
	return ax < bx+bWidth && bx < ax+aWidth && math.Abs(ay-by) < 0.11
}

// balanceOf amortizes $100,000 at 8%, perhaps after a draw period.
func balanceOf(months int, interestOnly bool) balanceLine {
	b := balanceLine{Name: strconv.Itoa(months/12) + " years", Owed: []heloc.Money{10_000_000}}
	draw := 0
	if interestOnly {
		draw = months / 3
	}
	const rate = .08 / 12
	payment := 10_000_000 * rate / (1 - math.Pow(1+rate, -float64(months-draw)))
	owed := 10_000_000.0
	for month := 1; month <= months; month++ {
		if month > draw {
			owed = owed*(1+rate) - payment
		}
		b.Owed = append(b.Owed, heloc.Money(math.Round(max(0, owed))))
	}
	return b
}
