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
			Title: "Estimados para su línea sobre el valor de su casa", Estimate: "Es un estimado, no un compromiso de préstamo.",
			PreparedFor: "Preparado para", PreparedBy: "Preparado por", Company: "Empresa", License: "NMLS",
			PricedAsOf: "Precios con fecha de", PreparedOn: "Preparado el", Draw: "Monto que retira", PaysOff: "Paga deudas por",
			Term: "Plazo y tasa", Payment: "Pago al mes", Rate: "Tasa", Fee: "Cargo inicial", Loan: "Monto del préstamo",
			Fixed: "tasa fija", Variable: "tasa variable", Year: "año", Years: "años", Month: "mes", Months: "meses",
			UpTo: "hasta", From: "desde", None: "No hay ofertas para mostrar por este monto.", MoreOffers: "y otras ofertas que le puedo mostrar",
			MethodAdded:    "El pago al mes es un cálculo nuestro: el monto más el cargo inicial, pagado en meses iguales.",
			MethodDeducted: "El pago al mes es un cálculo nuestro: el monto, del que se toma el cargo inicial, pagado en meses iguales.",
			RateNote:       "La tasa es la tasa de interés. No es el APR, que el prestamista indica en sus documentos.",
			VariableNote:   "Una tasa variable sube y baja con la tasa preferencial, y el pago con ella.",
			InquiryNote:    "Hasta ahora se hizo una consulta suave, que no afecta su puntaje. Si presenta una solicitud, sigue una consulta de crédito formal.",
			LenderNote:     "El prestamista fija los términos finales y se los envía por escrito.",
			Included:       "Descuentos incluidos", NotIncluded: "Descuentos no incluidos",
			Autopay: "Pago automático", CreditUnion: "Cooperativa de crédito",
			NoDrawNote: "El prestamista dio estas tasas sin indicar un monto de retiro. La tasa para este monto puede ser otra.",
			PrintLink:  "Versión en papel (PDF)", BackLink: "Volver",
		}
	}
	return OfferSheet{
		Title: "Estimates for your home equity line", Estimate: "An estimate, not a commitment to lend.",
		PreparedFor: "Prepared for", PreparedBy: "Prepared by", Company: "Company", License: "NMLS",
		PricedAsOf: "Priced as of", PreparedOn: "Prepared on", Draw: "Amount drawn", PaysOff: "Pays off debts of",
		Term: "Term and rate", Payment: "A month", Rate: "Rate", Fee: "Origination fee", Loan: "Loan amount",
		Fixed: "fixed rate", Variable: "variable rate", Year: "year", Years: "years", Month: "month", Months: "months",
		UpTo: "up to", From: "from", None: "There are no offers to show for this amount.", MoreOffers: "and further offers that I can show you",
		MethodAdded:    "The monthly payment is our estimate: the amount plus the origination fee, repaid in equal months.",
		MethodDeducted: "The monthly payment is our estimate: the amount, out of which the origination fee is taken, repaid in equal months.",
		RateNote:       "The rate is the interest rate. It is not the annual percentage rate (APR), which the lender states in its documents.",
		VariableNote:   "A variable rate moves with the prime rate, and the payment moves with it.",
		InquiryNote:    "So far there was a soft inquiry, which does not affect your score. A hard inquiry follows if you apply.",
		LenderNote:     "The lender sets the final terms and sends them to you in writing.",
		Included:       "Discounts included", NotIncluded: "Discounts not included",
		Autopay: "Autopay", CreditUnion: "Credit union",
		NoDrawNote: "The lender gave these rates without naming an amount to draw. The rate for this amount may differ.",
		PrintLink:  "On paper (PDF)", BackLink: "Back",
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
		return "Le envío un enlace para que continúe a su ritmo. Lo que me contó ya está puesto; revíselo, por favor."
	}
	return "I am sending you a link to go on at your own pace. What you told me is filled in; please look it over."
}
