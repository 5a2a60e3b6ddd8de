package heloc

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestPayment_AnyFigures_EqualsExactPayment: the fast way never changes a cent, also where the exact payment is
// close to the middle between two cents.
func TestPayment_AnyFigures_EqualsExactPayment(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	approximated := 0
	for range 4_000 {
		loan, rate, months := Money(1+random.Int64N(1<<random.IntN(44))), Rate(1+random.Int64N(1<<random.IntN(24))), 1+random.IntN(1200)
		want := exactPayment(loan, rate, months)
		if got := Payment(loan, rate, months); got != want {
			t.Fatalf("Payment(%d, %d, %d) = %d, want %d", loan, rate, months, got, want)
		}
		if _, ok := approximatePayment(float64(loan), float64(rate)/(12*1_000_000), float64(months)); ok {
			approximated++
		}
	}
	if approximated < 3_800 {
		t.Errorf("%d of 4,000 payments are fast", approximated)
	}
}

// TestApproximatePayment_MiddleBetweenCents_NotOK: one payment of a loan of 800 cents with 6.25 % a month is 850, one of a loan
// of 8 cents 8.5.
func TestApproximatePayment_MiddleBetweenCents_NotOK(t *testing.T) {
	t.Parallel()
	if pay, ok := approximatePayment(800, 0.0625, 1); !ok || pay != 850 {
		t.Errorf("a whole amount: got %d, %v", pay, ok)
	}
	if pay, ok := approximatePayment(8, 0.0625, 1); ok {
		t.Errorf("the middle: got %d", pay)
	}
	if got := Payment(8, 750_000, 1); got != 9 {
		t.Errorf("the middle, exact: got %d, want 9", got)
	}
}

func TestMulDivHalfUp_AnyFactors_EqualsBigInt(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range 4_000 {
		a, b, d := random.Int64N(1<<random.IntN(62)+1), random.Int64N(1<<random.IntN(32)+1), 1+random.Int64N(1<<random.IntN(30))
		if random.IntN(4) == 0 {
			a = -a
		}
		want := divHalfUp(new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), d)
		if got := mulDivHalfUp(a, b, d); got != want {
			t.Fatalf("%d × %d ÷ %d: got %d, want %d", a, b, d, got, want)
		}
	}
}

// TestBreakEven_AnyOffers_EqualsSchedules compares with the two schedules of balances.
func TestBreakEven_AnyOffers_EqualsSchedules(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 17))
	found := 0
	for range 3000 {
		months := random.IntN(361)
		method := []FeeMethod{FeeAdded, FeeDeducted}[random.IntN(2)]
		offer := func() PricedOffer {
			return PricedOffer{Draw: Money(random.Int64N(30_000_000)), Fee: Rate(random.Int64N(60_000)), Rate: Rate(random.Int64N(150_000)), Months: months, Method: method}
		}
		lower, higher := offer(), offer()
		if random.IntN(5) > 0 {
			higher.Draw, higher.Rate = lower.Draw, max(0, lower.Rate-Rate(random.Int64N(20_000)))
		}
		if random.IntN(20) == 0 {
			higher.Months++
		}
		month, ok := BreakEven(lower, higher)
		wantMonth, wantOK := breakEvenOfSchedules(lower, higher)
		if month != wantMonth || ok != wantOK {
			t.Fatalf("%+v, %+v: got month %d, %v, want %d, %v", lower, higher, month, ok, wantMonth, wantOK)
		}
		if ok {
			found++
		}
	}
	if found < 300 {
		t.Errorf("%d of 3,000 pairs break even", found)
	}
}

func breakEvenOfSchedules(lower, higher PricedOffer) (month int, ok bool) {
	a, b := lower.Balances(), higher.Balances()
	if len(a) == 0 || len(a) != len(b) || higher.FeeAmount() <= lower.FeeAmount() {
		return 0, false
	}
	payA, payB := lower.Payment(), higher.Payment()
	cash := higher.NetCash() - lower.NetCash()
	for m := 1; m < len(a); m++ {
		if payB*Money(m)+b[m]-cash < payA*Money(m)+a[m] {
			return m, true
		}
	}
	return 0, false
}
