package heloc

import "testing"

func TestDiscountType_Spellings_AreRecognized(t *testing.T) {
	for kind, want := range map[DiscountType][2]bool{
		"AUTOPAY": {true, false}, "auto_pay": {true, false}, "CREDIT_UNION": {false, true},
		"Credit union member": {false, true}, "CU": {false, true}, "VETERAN": {}, "CURRENT_CUSTOMER": {}, "": {},
	} {
		if got := [2]bool{kind.Autopay(), kind.CreditUnion()}; got != want {
			t.Errorf("%q: got autopay, credit union %v, want %v", kind, got, want)
		}
	}
}
