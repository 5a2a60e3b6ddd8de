package heloc

import "strings"

// Autopay says whether a discount is the one that autoPayDiscountEnabled asks for. The
// types are the lender's own words, so their spelling is not counted on.
func (t DiscountType) Autopay() bool { return strings.HasPrefix(t.plain(), "AUTOPAY") }

// CreditUnion says whether a discount is the one that cuDiscountEnabled asks for.
func (t DiscountType) CreditUnion() bool {
	plain := t.plain()
	return strings.HasPrefix(plain, "CREDITUNION") || plain == "CU" || plain == "CUDISCOUNT" || plain == "CUMEMBER"
}

func (t DiscountType) plain() string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToUpper(string(t)))
}
