package page

import (
	"strings"

	"hearthline/views/text"
	"hearthline/views/ui"
)

// LeadRow is one lead in a list. No score, no income, and no borrower data except the name.
type LeadRow struct {
	App         string // for the row's id
	Revision    string
	Href        string
	Name        string
	ShortID     string
	CityState   string // "Boise, ID"
	Chip        ui.ChipView
	Mover       string            // whose move: you, borrower, lender; "" if nobody's
	Updates     []string          // "Wire returned", "New condition": since the user's last view
	Unconfirmed string            // that a request was sent and is not confirmed; "" if there is none
	Timing      text.RelativeTime // "due 38 min ago", "11 min (usually about 5 min)", "ends Tue, Nov 24"
	// "lender usually takes about 50 sec": usual wait after answering a blocked step; "" if there is too little data
	UsualWait   string
	YourMove    bool   // highlights the row's edge
	Overdue     bool   // tints the row and highlights Timing
	AmountLabel string // "Up to", "Selected"
	Amount      string // "" if unknown
	Owner       string
	OwnerNote   string            // "covered by you"
	Contact     string            // "Today 9:20 AM"; "" for none
	ContactHow  string            // call, text, email
	Updated     text.RelativeTime // of the last change that the lender reported
	Age         text.RelativeTime // since the inquiry started
	Selectable  bool              // the row can be selected for a bulk reassignment
}

// LeadColumns are the columns of a list of leads besides the borrower, who is in every list.
type LeadColumns struct {
	Place, Step, Amount, Owner, Contact, Updated, Age bool
}

// DefaultLeadColumns are the columns of a list whose user has not chosen any.
func DefaultLeadColumns() LeadColumns {
	return LeadColumns{Place: true, Step: true, Amount: true, Owner: true, Contact: true}
}

// OwnerColumn is the key of the originator's column, which only lists of several originators have.
const OwnerColumn = "originator"

// leadColumn is one column: its key in the form and the cookie, its header, and where the choice is stored.
type leadColumn struct {
	key  string
	head ui.Column
	on   func(*LeadColumns) *bool
}

// leadColumns returns the columns in the order of their cells.
func leadColumns() []leadColumn {
	return []leadColumn{
		{"property", ui.Column{Label: "Property", Class: "c-place"}, func(c *LeadColumns) *bool { return &c.Place }},
		{"step", ui.Column{Label: "Next step"}, func(c *LeadColumns) *bool { return &c.Step }},
		{"amount", ui.Column{Label: "Amount", Class: "num"}, func(c *LeadColumns) *bool { return &c.Amount }},
		{OwnerColumn, ui.Column{Label: "Originator"}, func(c *LeadColumns) *bool { return &c.Owner }},
		{"contact", ui.Column{Label: "Last contact"}, func(c *LeadColumns) *bool { return &c.Contact }},
		{"updated", ui.Column{Label: "Updated"}, func(c *LeadColumns) *bool { return &c.Updated }},
		{"age", ui.Column{Label: "Started"}, func(c *LeadColumns) *bool { return &c.Age }},
	}
}

// ParseLeadColumns returns the columns with these keys. Unknown keys are ignored.
func ParseLeadColumns(keys []string) (c LeadColumns) {
	for _, column := range leadColumns() {
		for _, key := range keys {
			if key == column.key {
				*column.on(&c) = true
			}
		}
	}
	return c
}

// Keys returns the keys of the columns.
func (c LeadColumns) Keys() (keys []string) {
	for _, column := range leadColumns() {
		if *column.on(&c) {
			keys = append(keys, column.key)
		}
	}
	return keys
}

// Cookie returns the value that a browser stores; it is never empty.
func (c LeadColumns) Cookie() string {
	return strings.Join(append([]string{"borrower"}, c.Keys()...), ".")
}

// LeadColumnsOfCookie returns the columns that a browser has stored, or the default ones.
func LeadColumnsOfCookie(value string) LeadColumns {
	keys := strings.Split(value, ".")
	if keys[0] != "borrower" {
		return DefaultLeadColumns()
	}
	return ParseLeadColumns(keys)
}

// Options returns the choice of columns; owners says whether the list has originators.
func (c LeadColumns) Options(owners bool) (options []ui.Option) {
	for _, column := range leadColumns() {
		if column.key != OwnerColumn || owners {
			options = append(options, ui.Option{Value: column.key, Label: column.head.Label, Selected: *column.on(&c)})
		}
	}
	return options
}

func (c LeadColumns) heads() []ui.Column {
	heads := []ui.Column{{Label: "Borrower"}}
	for _, column := range leadColumns() {
		if *column.on(&c) {
			heads = append(heads, column.head)
		}
	}
	return heads
}
