package heloc

import (
	"strings"
	"unicode"
)

// Autopay reports whether autoPayDiscountEnabled applies to the discount. The lender does
// not document the types, so the comparison ignores case and separators.
func (t DiscountType) Autopay() bool { return strings.HasPrefix(t.plain(), "AUTOPAY") }

// CreditUnion reports whether cuDiscountEnabled applies to the discount.
func (t DiscountType) CreditUnion() bool {
	plain := t.plain()
	return strings.HasPrefix(plain, "CREDITUNION") || plain == "CU" || plain == "CUDISCOUNT" || plain == "CUMEMBER"
}

func (t DiscountType) plain() string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', ' ':
			return -1
		default:
			return unicode.ToUpper(r)
		}
	}, string(t))
}
