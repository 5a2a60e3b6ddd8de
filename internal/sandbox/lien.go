package sandbox

import (
	"github.com/google/uuid"

	"hearthline/internal/heloc"
)

// statedLiens converts the liens of a request to the lender's own, in order. A lien without
// an id, such as every lien at the start, gets one.
func (q *inquiryRecord) statedLiens(inputs []heloc.LienInput) []heloc.Lien {
	var liens []heloc.Lien
	for i, in := range inputs {
		position := heloc.Count(i + 1)
		id := in.LienUUID
		if id == "" {
			id = derivedID(q.ID, "lien", string(rune('0'+i)), string(in.OriginationDate))
		}
		liens = append(liens, heloc.Lien{
			LienUUID: id, OriginationDate: in.OriginationDate, LenderName: in.LenderName,
			OriginalBalance: in.OriginalBalance, CurrentBalance: in.CurrentBalance,
			MonthlyPayment: in.MonthlyPayment, Position: &position,
		})
	}
	return liens
}

// detectedLiens are the two liens that the trigger Liens finds in the county's records: a
// first mortgage, equal to the stated one if there is one, and a junior line.
func (q *inquiryRecord) detectedLiens() []heloc.Lien {
	first := heloc.LienInput{
		LenderName: "Meridian Home Loans", OriginationDate: "2018-06-14",
		OriginalBalance: moneyPtr(percentOf(q.homeValue(), 48_0000)),
		CurrentBalance:  moneyPtr(percentOf(q.homeValue(), 40_0000)),
	}
	first.MonthlyPayment = moneyPtr(percentOf(*first.CurrentBalance, usualPayment))
	if stated := q.Inquiry.Property.Liens; len(stated) > 0 {
		first = stated[0]
	}
	second := heloc.LienInput{
		LenderName: "Tidewater Credit Union", OriginationDate: "2021-03-02",
		OriginalBalance: moneyPtr(25_000_00), CurrentBalance: moneyPtr(18_500_00), MonthlyPayment: moneyPtr(171_25),
	}
	return q.statedLiens([]heloc.LienInput{first, second})
}

// hasLien reports whether the lender already supplied this lien.
func (q *inquiryRecord) hasLien(lienID string) bool {
	for _, l := range q.Liens {
		if l.LienUUID == lienID {
			return true
		}
	}
	return false
}

func moneyPtr(m heloc.Money) *heloc.Money { return &m }

// derivedID is a UUID that is always the same for the same words, so that it need not be
// stored.
func derivedID(words ...string) string {
	name := ""
	for _, w := range words {
		name += w + "\x00"
	}
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte("hearthline sandbox\x00"+name)).String()
}
