package mismo_test

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/mismo"
)

// TestWrite_EveryFact_ReadBack reads a written file back to the same facts.
func TestWrite_EveryFact_ReadBack(t *testing.T) {
	t.Parallel()
	e := fullExport()
	f, err := mismo.Read(strings.NewReader(write(t, e)))
	if err != nil {
		t.Fatal(err)
	}
	got, app := factsOf(f), e.Details.App
	if got.Borrower != (person{First: "Daniel", Middle: "J", Last: "Okafor", Suffix: "Jr.", Prefix: "Dr.",
		BirthDate: "1984-11-02", Phone: "3035550182", Email: "d.okafor@borrower.test", Home: e.Signers.Primary.Address}) {
		t.Errorf("got the borrower %+v", got.Borrower)
	}
	if f.LoanNumber.Value != e.LoanNumber || f.Version != "3.4" || len(f.Unusable) > 0 || got.Income != (income{}) {
		t.Errorf("got the number %q, version %q, %+v and %+v", f.LoanNumber.Value, f.Version, f.Unusable, got.Income)
	}
	if p := got.Property; !sameFact(p.Value, app.Value.BorrowerEstimated) ||
		p.Usage != app.Property.PropertyType || p.Ownership != app.OwnershipType ||
		p.Address.Building() != app.PropertyAddress.Building() || p.Address.City != app.PropertyAddress.City {
		t.Errorf("got the property %+v", p)
	}
	if len(got.Liens) != len(app.Liens) {
		t.Fatalf("got the liens %+v", got.Liens)
	}
	for i, l := range got.Liens {
		if want := app.Liens[i]; l.Holder != want.LenderName || !sameFact(l.Balance, want.CurrentBalance) ||
			!sameFact(l.Payment, want.MonthlyPayment) || f.Liens[i].Why != "" {
			t.Errorf("got the lien %+v, %q", l, f.Liens[i].Why)
		}
	}
	if offer := app.Underwriting.SelectedOffer; !sameFact(got.Requested, offer.CreditLine) || f.Requested.Advance == nil ||
		f.Requested.Advance.Value != *offer.DrawAmount {
		t.Errorf("got the requested amount %+v", f.Requested)
	}
}

func sameFact(a, b *heloc.Money) bool { return a == b || a != nil && b != nil && *a == *b }
