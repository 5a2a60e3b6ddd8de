package offers

import (
	"slices"
	"strconv"

	"hearthline/views/ui"
)

// CompareColumn is one offer.
type CompareColumn struct {
	UUID   string
	Title  string // "10 years fixed, fee 2.99%"
	Note   string // out of range: "up to $120,000 only"
	InGrid bool   // its pin is in the grid; otherwise the pin is rendered here
	Pinned bool
	Chosen bool
}

// CompareTable is offers side by side, with their figures in groups: what leaves the account, what the offer costs in
// the end, and what stays open.
type CompareTable struct {
	Columns []CompareColumn // the chosen offer first
	Groups  []CompareGroup
	Same    []string // figures that are the same for all offers: "Loan amount $92,691"
}

// CompareGroup is the figures below one heading.
type CompareGroup struct {
	Name string
	Rows []CompareRow
}

// CompareRow is one figure of every offer.
type CompareRow struct {
	Label  string
	Main   bool // the figure that the offers are compared by
	Values []string
}

// Same reports whether two or more offers have the same figure.
func (r CompareRow) Same() bool {
	return len(r.Values) > 1 && !slices.ContainsFunc(r.Values, func(v string) bool { return v != r.Values[0] })
}

// class marks the column of the chosen offer.
func (c *CompareColumn) class() string {
	if c.Chosen {
		return "num chosen"
	}
	return "num"
}

func (c *CompareColumn) tag() string {
	if c.Chosen {
		return "Chosen"
	}
	return "Pinned"
}

// tableColumns is how many offers the table shows at its usual widths.
const tableColumns = 4

func (t CompareTable) pinned() int {
	n := 0
	for _, c := range t.Columns {
		if c.Pinned {
			n++
		}
	}
	return n
}

// pinCount is how many offers are pinned and can be, and with a single offer in the table, what pinning adds.
func (t CompareTable) pinCount() string {
	count := strconv.Itoa(t.pinned()) + " of 4 pinned"
	if len(t.Columns) == 1 {
		count += ". Pin another offer to see both side by side."
	}
	return count
}

// freeColumns is how many columns are free. One row has a cell for each, because HTML wants a cell to begin in every
// column.
func (t CompareTable) freeColumns() int { return max(0, tableColumns-len(t.Columns)) }

// free is freeColumns as the span of a cell; "" for none.
func (t CompareTable) free() string {
	if n := t.freeColumns(); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// HomeView is what the home secures once the line is drawn. Our estimates; zero if the value or a balance is unknown.
type HomeView struct {
	Bar              ui.MoneyBarView
	Remaining        string // equity; "" if the loans exceed the value
	CLTV             string // "60.4%", our estimate with this line; "" while no offer is chosen
	Value, ValueName string // "$642,000", "AVM value"
}

// QuoteBreakdown is the breakdown of one offer. To the borrower + pays off + fee = loan amount.
type QuoteBreakdown struct {
	Title          string // "10 years fixed at 8.20%, fee 2.99%"; "" if none is chosen
	Payments       TwoPayments
	Bar            ui.MoneyBarView
	MismatchReason string // why the parts do not add up; "" if they do
	ToBorrowerName string // "Cash to the borrower", "Cash to the borrower, after the fee"
	ToBorrower     string // to the borrower
	PaysOff        string // "" omits this part
	FeeName        string // "Fee 2.99%"
	Fee            string
	Loan           string
	Costs          []ui.Fact // the lender's costs of this offer, if it reports them
	Method         string    // "net draw plus fee, repaid in equal monthly payments"
}

// DiscountChoice is a discount, by the type that the offers use.
type DiscountChoice struct {
	Type     string
	Name     string // "Autopay"
	Amount   string // "−0.25%"; "" if unknown
	Control  string // the control of the quote form that requests it; "" if only the selection has it
	Selected bool
}

// SelectedOfferView is the selected offer, with the lender's figures and ours.
type SelectedOfferView struct {
	Title       string // "10 years fixed at 8.20%, fee 2.99%"
	IsNew       bool   // the lender is processing the selection; it has confirmed nothing yet
	Statement   string // of a new one: what the originator confirmed
	Payment     string // the lender's
	PaymentNote string // "during the draw period"; "" if the payment stays the same
	OurEstimate string // our estimate, if it differs
	Facts       []ui.Fact
	CanChange   bool   // until conversion, unless a later selection is not confirmed yet
	IsDoubtful  bool   // a later selection may have replaced it
	ChangeURL   string // where another is selected; "" on the page that this is
}

// heading is the title of the panel.
func (v *SelectedOfferView) heading() string {
	if v.IsDoubtful {
		return "Earlier selection"
	}
	return "Selected offer"
}
