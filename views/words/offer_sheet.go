package words

// OfferSheet is the text of the page and the PDF that show offers to a borrower. It mentions no score, no
// reason and no term of the lender's systems, and it promises nothing.
type OfferSheet struct {
	Title, Estimate                             string
	PreparedFor, PreparedBy, Company, License   string
	PricedAsOf, PreparedOn, Draw, PaysOff       string
	Term, Payment, Rate, Fee, Loan              string
	Fixed, Variable, Year, Years                string
	Month, Months, UpTo, From, None, MoreOffers string
	MethodAdded, MethodDeducted                 string
	RateNote, VariableNote, InquiryNote         string
	LenderNote                                  string
	Included, NotIncluded                       string // whether the rates include the discounts
	Autopay, CreditUnion                        string
	NoDrawNote                                  string
	PrintLink, BackLink                         string
}

// OfferSheetIn returns the text in a language.
func OfferSheetIn(l Lang) OfferSheet {
	if l == Spanish {
		return OfferSheet{
			Title: "Estimados para su " + TermHELOC.Spanish, Estimate: "Es un estimado, no un compromiso de préstamo.",
			PreparedFor: "Preparado para", PreparedBy: "Preparado por", Company: "Empresa", License: "NMLS",
			PricedAsOf: "Tasas al", PreparedOn: "Preparado el", Draw: TermNetDraw.Spanish, PaysOff: TermPayoff.Spanish,
			Term: "Plazo y tasa", Payment: TermMonthlyPayment.Spanish, Rate: TermRate.Spanish, Fee: TermOriginationFee.Spanish, Loan: TermLoanAmount.Spanish,
			Fixed: "tasa fija", Variable: "tasa variable", Year: "año", Years: "años", Month: "mes", Months: "meses",
			UpTo: "hasta", From: "desde", None: "No hay ofertas para este monto.", MoreOffers: "y otras ofertas que le puedo mostrar",
			MethodAdded:    "El pago mensual es un cálculo nuestro: el monto más el cargo por originación, en pagos mensuales iguales.",
			MethodDeducted: "El pago mensual es un cálculo nuestro: el monto, del cual se descuenta el cargo por originación, en pagos mensuales iguales.",
			RateNote:       "La tasa es la tasa de interés. No es la tasa de porcentaje anual (APR), que el prestamista indica en sus documentos.", //nolint:misspell // Spanish
			VariableNote:   "Una tasa variable sube y baja con la tasa preferencial (Prime Rate), y el pago cambia con ella.",
			InquiryNote:    "Hasta ahora solo se hizo una " + TermSoftPull.Spanish + ". Si presenta una solicitud, el prestamista hará una " + TermHardPull.Spanish + ".",
			LenderNote:     "El prestamista fija los términos finales y se los envía por escrito.",
			Included:       "Descuentos incluidos", NotIncluded: "Descuentos no incluidos",
			Autopay: "Pago automático", CreditUnion: "Cooperativa de crédito",
			NoDrawNote: "El prestamista indicó estas tasas sin un monto de retiro. La tasa para este monto puede ser diferente.",
			PrintLink:  "Descargar PDF", BackLink: "Volver",
		}
	}
	return OfferSheet{
		Title: "Estimates for your " + TermHELOC.Name, Estimate: "An estimate, not a commitment to lend.",
		PreparedFor: "Prepared for", PreparedBy: "Prepared by", Company: "Company", License: "NMLS",
		PricedAsOf: "Priced as of", PreparedOn: "Prepared on", Draw: "Draw amount", PaysOff: "Debts paid off",
		Term: "Term and rate", Payment: TermMonthlyPayment.Name, Rate: TermRate.Name, Fee: TermOriginationFee.Name, Loan: TermLoanAmount.Name,
		Fixed: "fixed rate", Variable: "variable rate", Year: "year", Years: "years", Month: "month", Months: "months",
		UpTo: "up to", From: "from", None: "There are no offers to show for this amount.", MoreOffers: "and other offers that I can show you",
		MethodAdded:    "The monthly payment is our estimate: the amount plus the origination fee, repaid in equal monthly payments.",
		MethodDeducted: "The monthly payment is our estimate: the amount, from which the origination fee is deducted, repaid in equal monthly payments.",
		RateNote:       "The rate is the interest rate. It is not the annual percentage rate (APR), which the lender discloses in its documents.",
		VariableNote:   "A variable rate moves with the prime rate, and the payment moves with it.",
		InquiryNote:    "So far, only a soft inquiry was made, which doesn’t affect your credit score. If you apply, the lender makes a hard inquiry.",
		LenderNote:     "The lender sets the final terms and sends them to you in writing.",
		Included:       "Discounts included", NotIncluded: "Discounts not included",
		Autopay: "Autopay", CreditUnion: "Credit union",
		NoDrawNote: "The lender provided these rates without a draw amount. The rate for this amount may differ.",
		PrintLink:  "Download PDF", BackLink: "Back",
	}
}

var months = []string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}

// MonthIn returns the Spanish name of a month; January is 1.
func MonthIn(month int) string {
	if month < 1 || month > len(months) {
		return ""
	}
	return months[month-1]
}

// BorrowerLink returns the message that accompanies the link with which a borrower completes the form.
func BorrowerLink(l Lang) string {
	if l == Spanish {
		return "Le envío un enlace para que complete el formulario cuando le convenga. Ya incluye los datos que usted me dio; por favor, revíselos."
	}
	return "Here’s a link to finish the form at your own pace. It includes the information you gave me; please review it."
}
