package heloc

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// TestPricedOffer_EqualsReference compares every figure with testdata/schedules.csv, which another program computed
// with exact decimals (testdata/schedules.py).
func TestPricedOffer_EqualsReference(t *testing.T) {
	t.Parallel()
	for i, row := range readReference(t) {
		p := PricedOffer{
			Draw: row.money("draw"), Fee: row.rate("fee"), Rate: row.rate("rate"), Months: row.number("months"),
			Method: FeeMethod(row.text["method"]), DrawMonths: row.number("draw_months"),
		}
		p.InterestOnly = p.DrawMonths > 0
		higher := p
		higher.Fee, higher.Rate = row.rate("higher_fee"), row.rate("lower_rate")
		month, _ := BreakEven(p, higher)
		balances := p.Balances()
		if len(balances) != p.Months+1 {
			t.Fatalf("row %d: got %d balances, want %d", i, len(balances), p.Months+1)
		}
		for name, got := range map[string]Money{
			"fee_amount": p.FeeAmount(), "loan": p.Loan(), "cash": p.NetCash(), "payment": p.Payment(),
			"afterward": p.Afterward(), "total_interest": p.TotalInterest(), "balance_1": balances[1],
			"balance_middle": balances[p.Months/2], "balance_before_last": balances[p.Months-1],
		} {
			if want := row.money(name); got != want {
				t.Errorf("row %d, %s: got %v, want %v", i, name, got, want)
			}
		}
		if want := row.number("break_even"); month != want {
			t.Errorf("row %d, break-even: got month %d, want %d", i, month, want)
		}
	}
}

type referenceRow struct {
	t    *testing.T
	text map[string]string
}

func readReference(t *testing.T) []referenceRow {
	t.Helper()
	f, err := os.Open("testdata/schedules.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 200 {
		t.Fatalf("got %d rows: %v", len(lines), err)
	}
	rows := make([]referenceRow, 0, len(lines)-1)
	for _, line := range lines[1:] {
		row := referenceRow{t: t, text: map[string]string{}}
		for i, name := range lines[0] {
			row.text[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func (r referenceRow) money(name string) Money {
	m, err := ParseMoney(r.text[name])
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return m
}

func (r referenceRow) rate(name string) Rate {
	v, err := parseScaled(r.text[name], 4)
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return Rate(v)
}

func (r referenceRow) number(name string) int {
	n, err := strconv.Atoi(r.text[name])
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return n
}
