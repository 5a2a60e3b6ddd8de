package text

import "hearthline/internal/lead"

// codeMeanings explains the codes that leave to CRMs, other than those of steps, by group and code.
var codeMeanings = map[string]string{
	"step other":        "A step without a code",
	"lane blocked":      "The lender needs something before it can go on",
	"lane offers":       "Offers can be shown to the borrower",
	"lane borrower":     "Waiting for the borrower",
	"lane lender":       "Waiting for the lender",
	"lane closing":      "From the complete inquiry to funding",
	"lane ended":        "Funded, or ended without funding",
	"move originator":   "The loan originator",
	"move borrower":     "The borrower",
	"move lender":       "The lender",
	"move conditions":   "Conditions are open; the lender doesn’t say who has to clear them",
	"move none":         "No one: the lead has ended, or a credit re-pull is scheduled",
	"outcome open":      "Not ended",
	"outcome funded":    "The money was sent",
	"outcome canceled":  "Canceled",
	"outcome declined":  "Declined by the lender",
	"outcome expired":   "Expired",
	"outcome withdrawn": "Withdrawn by an automated process at the lender",
	"outcome closed":    "Closed in Hearthline without offers",
}

// CRMCodes lists the codes in the responses to CRMs: field, code and meaning.
func CRMCodes() (rows [][]string) {
	listed := map[string]bool{}
	for _, row := range lead.Codes() {
		key := string(row.Group) + " " + string(row.Code)
		if row.Group == lead.CodeEvent || listed[key] { // no response has an event
			continue
		}
		listed[key] = true
		meaning := codeMeanings[key]
		if meaning == "" && row.Group == lead.CodeStep {
			meaning = StatusOf(row.Value, "").Chip
		}
		rows = append(rows, []string{string(row.Group), string(row.Code), meaning})
	}
	return rows
}
