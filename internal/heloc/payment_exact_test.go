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
		loan, rate, months := Money(1+random.Int64N(1<<random.IntN(44))), Rate(1+random.Int64N(1<<random.IntN(24))),
			1+random.IntN(1200)
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

// TestApproximatePayment_MiddleBetweenCents_NotOK: one payment of a loan of 800 cents with 6.25 % a month is 850, one
// of a loan of 8 cents 8.5.
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
		a, b, d := random.Int64N(1<<random.IntN(62)+1), random.Int64N(1<<random.IntN(32)+1),
			1+random.Int64N(1<<random.IntN(30))
		if random.IntN(4) == 0 {
			a = -a
		}
		want := divHalfUp(new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), d)
		if got := mulDivHalfUp(a, b, d); got != want {
			t.Fatalf("%d × %d ÷ %d: got %d, want %d", a, b, d, got, want)
		}
	}
}
