package page

import (
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
