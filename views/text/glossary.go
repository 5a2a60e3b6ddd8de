package text

// Term names one concept of the product: every text that means the concept uses Name, and every text for a Spanish
// speaker uses Spanish. The help page shows the terms with a meaning.
//
// To use a term in another text, take it from the variables below where it is a separate label, such as a column or a
// field. In a sentence, write the same word. internal/wordtest rejects what a term has replaced.
type Term struct {
	Name    string
	Spanish string // "" where borrowers never read it
	Meaning string // for the help page; "" for a term that every loan officer knows
}

// The terms, in the order of a lead.
var (
	TermLead = Term{"Lead",
		"", "A borrower’s inquiry or application. It’s assigned to one originator, or unassigned."}
	TermInquiry = Term{"Inquiry", "solicitud de información",
		"The stage before an application, with a soft pull only."}
	TermApplication = Term{"Application", "solicitud",
		"What an inquiry becomes at the lender after the broker documents are signed. It can’t be canceled here."}
	TermSoftPull = Term{"Soft pull", "consulta que no afecta su puntaje de crédito (soft inquiry)",
		"A credit check that doesn’t affect the credit score."}
	TermHardPull = Term{"Hard pull", "consulta formal (hard inquiry)",
		"A credit check that is part of an application and may affect the credit score."}
	TermRepull = Term{"Re-pull", "",
		"Asking the bureau for the credit report again, for example after a freeze is lifted."}
	TermCreditFreeze = Term{"Credit freeze", "congelamiento de crédito",
		"A borrower’s block on credit checks. The borrower lifts it at each bureau."}
	TermOffer   = Term{"Offer", "oferta", "A term, a rate and an origination fee that the lender makes available."}
	TermDraw    = Term{"Draw", "retiro", "Money taken from the line."}
	TermNetDraw = Term{"Net draw", "Monto del retiro",
		"The amount drawn at funding, excluding the fee. Payoffs come out of it; the borrower gets the rest."}
	TermPayoff         = Term{"Payoff", "Paga deudas por", "A debt that the line pays off at funding."}
	TermOriginationFee = Term{"Origination fee", "Cargo por originación",
		"A percentage of the draw. A higher fee comes with a lower rate."}
	TermLoanAmount     = Term{"Loan amount", "Monto del préstamo", "Net draw plus the fee."}
	TermMonthlyPayment = Term{"Monthly payment", "Pago mensual", ""}
	TermRate           = Term{"Rate", "Tasa", ""}
	TermHELOC          = Term{"home equity line of credit (HELOC)",
		"línea de crédito sobre el valor de la vivienda (HELOC)", ""}
	TermLien = Term{"Lien", "", "A claim on the home that secures a loan."}
	TermCLTV = Term{"CLTV",
		"", "Combined loan-to-value: the liens and this line as a percentage of the home’s value."}
	TermDTI        = Term{"DTI", "", "Debt-to-income: monthly obligations as a percentage of gross monthly income."}
	TermAVMValue   = Term{"AVM value", "", "The home’s value according to an automated valuation model."}
	TermCondition  = Term{"Condition", "", "Something that the lender needs before it funds an application."}
	TermRescission = Term{"Rescission", "período de rescisión",
		"The period after signing in which the borrower can cancel, if it applies."}
	TermReassign  = Term{"Reassign", "", "Give a lead to another originator."}
	TermReceipt   = Term{"Receipt", "", "When something was sent to the lender, and whether the lender confirmed it."}
	TermCanceled  = Term{"Canceled", "cancelada", "The inquiry was canceled."}
	TermWithdrawn = Term{"Withdrawn", "retirada", "The lender reports the inquiry as withdrawn. It can’t continue."}
	TermDeclined  = Term{"Declined",
		"", "The lender declined the inquiry or application. The lender sends the borrower any required notice."}
	TermExpired  = Term{"Expired", "vencida", "The inquiry ended after its expiration date."}
	TermNoOffers = Term{"No offers",
		"", "The lender has no offers for this information. The lender sends any required notice."}
)

// Glossary returns every term.
func Glossary() []Term {
	return []Term{
		TermLead, TermInquiry, TermApplication, TermSoftPull, TermHardPull, TermRepull, TermCreditFreeze, TermOffer, TermDraw,
		TermNetDraw, TermPayoff, TermOriginationFee, TermLoanAmount, TermMonthlyPayment, TermRate, TermHELOC, TermLien,
		TermCLTV, TermDTI, TermAVMValue, TermCondition, TermRescission, TermReassign, TermReceipt,
		TermCanceled, TermWithdrawn, TermDeclined, TermExpired, TermNoOffers,
	}
}
