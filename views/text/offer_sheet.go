package text

import "strconv"

// OfferSheet is the text of the page and the PDF that show offers to a borrower. It mentions no score, no
// reason and no term of the lender's systems, and it promises nothing.
type OfferSheet struct {
	Product, Heading                       string   // the title of the page, and its heading
	Numbers                                []string // "one" to "nine"
	Estimate                               string
	Draw, PaysOff, OneDebt, Debts          string // the sentence about the draw
	And, ToYou, Rest                       string
	LoanAddsFee                            string // why the loan amount is higher than the draw
	Monthly, FixedRate, VariableRate, Rate string
	// "a month for 2 years"; "a month at first", while the draw period is unknown
	MonthlyFor, MonthlyAtFirst              string
	Afterward, HigherPayment                string // the payment after the draw period
	MonthlyHead                             string // above a column of payments
	Fee, Loan, NetCash                      string
	TotalInterest, TotalInterestToday       string
	Change, Less, More, Same, AtFirst       string // the payment compared with those of the debts that it replaces
	ChangeNote                              string
	Year, Years, Month, Months              string
	UpTo, From, None, MoreOffers            string
	Balance, BalanceNote, AsTable, YearHead string
	BalanceByYear                           string
	PaysOffTitle, Debt, DebtBalance         string
	PaymentToday, Total, ToYouLabel         string
	PlainTerms                              string
	PaymentTitle, RateTitle, CreditTitle    string
	PropertyTitle                           string
	RepaidFixed, RepaidVariable             string // how an offer is repaid
	RepaidAfterDraw, RepaidAfterUnknownDraw string
	OnAdded, OnDeducted, OurEstimate        string // what the payments are based on
	RateNote, VariableNote, NoDrawNote      string
	Included, IncludedEstimate, NotIncluded string // "The rate includes the discount for "
	Points                                  string
	Autopay, CreditUnion                    string
	InquiryNote, PropertyNote, LenderNote   string
	Officer, OfficerNone, Call, License     string
	Prepared, RatesAsOf, PageExpires        string
	InquiryExpires, Legal, Licensed, Verify string
	Language, PrintLink, BackLink           string
	NoLinkTitle, NoLink, EndedTitle, Ended  string // a shared link that shows no quote
	// by two letters, where the name differs from the English one
	states map[string]string
}

// State returns the name of a state in the language of the sheet.
func (o OfferSheet) State(code string) string {
	if name, ok := o.states[code]; ok {
		return name
	}
	return State(code)
}

// OfferSheetIn returns the text in a language.
func OfferSheetIn(l Lang) OfferSheet {
	if l == Spanish {
		return OfferSheet{
			states:  spanishStates,
			Product: "Su " + TermHELOC.Spanish, Heading: "Estimado de su " + TermHELOC.Spanish,
			Numbers:  []string{"una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"},
			Estimate: "Estimado, no es un compromiso de préstamo",
			Draw:     "Usted retiraría", PaysOff: "pagan", OneDebt: "una deuda", Debts: "deudas",
			And: "y", ToYou: "son para usted", Rest: "el resto, menos el cargo por originación, es para usted",
			LoanAddsFee: "El monto del préstamo es el retiro más el cargo por originación.",
			Monthly:     "al mes", MonthlyHead: "Pago mensual", FixedRate: "Tasa fija", VariableRate: "Tasa variable",
			Rate: TermRate.Spanish, Fee: TermOriginationFee.Spanish,
			Loan: TermLoanAmount.Spanish, NetCash: "Para usted, después del cargo",
			TotalInterest: "Interés total", TotalInterestToday: "Interés total con la tasa de hoy",
			Change: "Cambio al mes", Less: " menos", More: " más", Same: "Ninguno", AtFirst: " al principio",
			ChangeNote: "El pago comparado con lo que usted nos dijo que paga hoy por las deudas que pagaría la línea. " +
				"Un pago menor durante más tiempo puede costar más en total.",
			Year: "año", Years: "años", Month: "mes", Months: "meses",
			UpTo: "hasta", From: "desde", None: "No hay ofertas para este monto.",
			MoreOffers: "y otras ofertas que le puedo mostrar", Balance: "Saldo a lo largo del tiempo",
			BalanceNote: "Lo que aún debería cada año, si no retira más fondos ni paga por adelantado",
			AsTable:     "Ver como tabla", BalanceByYear: "Saldo por año", YearHead: "Año",
			PaysOffTitle: "Lo que paga", Debt: "Deuda", DebtBalance: "Saldo", PaymentToday: "Pago mensual actual",
			Total: "Total", ToYouLabel: "Para usted", PlainTerms: "En términos sencillos", PaymentTitle: "El pago",
			RateTitle: "La tasa", CreditTitle: "Su crédito", PropertyTitle: "La vivienda",
			MonthlyFor: "al mes por %s", MonthlyAtFirst: "al mes al principio", Afterward: "Después",
			HigherPayment: "un pago mayor",
			RepaidFixed:   "Con tasa fija: capital e intereses en pagos mensuales iguales.",
			RepaidVariable: "Con tasa variable: capital e intereses en pagos mensuales, " +
				"iguales mientras la tasa sea la que se muestra.",
			RepaidAfterDraw: "Con tasa variable: solo intereses durante el período de retiro; " +
				"después, capital e intereses en pagos mensuales iguales por el resto del plazo, " +
				"si la tasa sigue como se muestra y usted no retira más fondos.",
			RepaidAfterUnknownDraw: "Con tasa variable: solo intereses durante el período de retiro. " +
				"El pago sube cuando termina ese período, porque entonces también paga el capital.",
			OnAdded:     "Los pagos se calculan sobre el monto del préstamo.",
			OnDeducted:  "Los pagos se calculan sobre el monto del retiro, del cual se descuenta el cargo por originación.",
			OurEstimate: "Son nuestros estimados; el prestamista fija los pagos finales.",
			//nolint:misspell // Spanish
			RateNote: "Es una tasa de interés, no una tasa de porcentaje anual (APR), " +
				"que el prestamista indica en sus documentos.",
			VariableNote: "Una tasa variable sube y baja con la tasa preferencial (Prime Rate), y el pago cambia con ella.",
			NoDrawNote: "El prestamista indicó estas tasas sin un monto de retiro. " +
				"La tasa para este monto puede ser diferente.",
			Included: "Incluye el descuento por ", IncludedEstimate: "Incluye nuestro estimado del descuento por ",
			NotIncluded: "No incluye el descuento por ", Points: " puntos porcentuales",
			Autopay: "pago automático", CreditUnion: "cooperativa de crédito",
			InquiryNote: "Hasta ahora solo hemos solicitado una " + TermSoftPull.Spanish +
				". Si presenta una solicitud, el prestamista hará una " + TermHardPull.Spanish + ".",
			PropertyNote: "La línea está garantizada por la vivienda. " +
				"Si no cumple los términos del contrato, podría perder la vivienda.",
			LenderNote: "El prestamista fija los términos finales y se los entrega por escrito antes de que usted firme.",
			Officer:    "Su especialista en préstamos", OfficerNone: "Llame a su empresa hipotecaria", Call: "Llamar al ",
			License: "NMLS", Prepared: "Preparado el %s.", RatesAsOf: "Tasas al %s.",
			PageExpires: "El enlace a esta página vence el %s.", InquiryExpires: "La consulta con el prestamista vence el %s.",
			Legal: "Este es un estimado basado en la información disponible en la fecha en que se preparó. " +
				"No es un compromiso de préstamo ni una divulgación oficial del préstamo.",
			Licensed: "con licencia en %s", Verify: "Verifique en nmlsconsumeraccess.org.",
			Language: "Idioma", PrintLink: "Descargar PDF", BackLink: "Volver a las ofertas",
			NoLinkTitle: "Este enlace no existe",
			NoLink:      "Verifique que el enlace esté completo, o pida uno nuevo a su especialista en préstamos.",
			EndedTitle:  "Este estimado ya no está disponible", Ended: "Llame para recibir un estimado actual.",
		}
	}
	return OfferSheet{
		Product: "Your " + TermHELOC.Name, Heading: "Your HELOC estimate",
		Numbers:  []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"},
		Estimate: "Estimate, not a commitment to lend",
		Draw:     "You would draw", PaysOff: "pays off", OneDebt: "one debt", Debts: "debts",
		And: "and", ToYou: "comes to you", Rest: "the rest, less the origination fee, comes to you",
		LoanAddsFee: "The loan amount is the draw plus the origination fee.",
		Monthly:     "a month", MonthlyHead: "Monthly payment", FixedRate: "Fixed rate", VariableRate: "Variable rate",
		Rate: TermRate.Name, Fee: TermOriginationFee.Name, Loan: TermLoanAmount.Name, NetCash: "To you, after the fee",
		TotalInterest: "Total interest", TotalInterestToday: "Total interest at today’s rate",
		Change: "Monthly change", Less: " less", More: " more", Same: "None", AtFirst: " at first",
		ChangeNote: "How the payment compares with what you told us you pay today on the debts " +
			"the line would pay off. A lower payment over a longer term can cost more in total.",
		Year: "year", Years: "years", Month: "month", Months: "months",
		UpTo: "up to", From: "from", None: "There are no offers to show for this amount.",
		MoreOffers: "and other offers that I can show you", Balance: "Balance over time",
		BalanceNote: "What you would still owe each year, if you draw nothing more and don’t pay ahead",
		AsTable:     "Show as a table", BalanceByYear: "Balance by year", YearHead: "Year",
		PaysOffTitle: "What it pays off", Debt: "Debt", DebtBalance: "Balance", PaymentToday: "Current payment",
		Total: "Total", ToYouLabel: "To you", PlainTerms: "In plain terms", PaymentTitle: "The payment",
		RateTitle: "The rate", CreditTitle: "Your credit", PropertyTitle: "The home",
		MonthlyFor: "a month for %s", MonthlyAtFirst: "a month at first", Afterward: "Afterward",
		HigherPayment: "a higher payment",
		RepaidFixed:   "Fixed rate: principal and interest in equal monthly payments.",
		RepaidVariable: "Variable rate: principal and interest in monthly payments that are equal as long as the " +
			"rate stays as shown.",
		RepaidAfterDraw: "Variable rate: interest only during the draw period; " +
			"afterward, principal and interest in equal monthly payments over the rest of the term, " +
			"if the rate stays as shown and you draw nothing more.",
		RepaidAfterUnknownDraw: "Variable rate: interest only during the draw period. " +
			"The payment rises when that period ends, because you then repay principal too.",
		OnAdded:     "Payments are based on the loan amount.",
		OnDeducted:  "Payments are based on the draw. The origination fee is deducted from it.",
		OurEstimate: "The payments are our estimates; the lender sets the final amounts.",
		RateNote: "This is an interest rate, not an annual percentage rate (APR), " +
			"which the lender discloses in its documents.",
		VariableNote:     "A variable rate moves with the prime rate, and the payment moves with it.",
		NoDrawNote:       "The lender provided these rates without a draw amount. The rate for this amount may differ.",
		Included:         "The rate includes the discount for ",
		IncludedEstimate: "The rate includes our estimate of the discount for ",
		NotIncluded:      "The rate doesn’t include the discount for ", Points: " percentage points",
		Autopay: "autopay", CreditUnion: "credit union members",
		InquiryNote: "So far, we have requested only a soft inquiry, which doesn’t affect your credit score. " +
			"If you apply, the lender makes a hard inquiry.",
		PropertyNote: "The line is secured by the home. " +
			"If you don’t meet the terms of the agreement, you could lose the home.",
		LenderNote: "The lender sets the final terms and gives them to you in writing before you sign.",
		Officer:    "Your loan officer", OfficerNone: "Call your mortgage company", Call: "Call ", License: "NMLS",
		Prepared: "Prepared %s.", RatesAsOf: "Rates as of %s.", PageExpires: "The link to this page expires %s.",
		InquiryExpires: "The inquiry with the lender expires %s.",
		Legal: "This is an estimate based on information available on the date it was prepared. " +
			"It is not a commitment to lend and not a loan disclosure.",
		Licensed: "licensed in %s", Verify: "Verify at nmlsconsumeraccess.org.",
		Language: "Language", PrintLink: "Download PDF", BackLink: "Back to offers",
		NoLinkTitle: "This link doesn’t exist",
		NoLink:      "Check that the link is complete, or ask your loan officer for a new one.",
		EndedTitle:  "This estimate is no longer available", Ended: "Call for a current estimate.",
	}
}

// Number returns a small number of offers or debts in words, and a larger one in digits.
func (o OfferSheet) Number(n int) string {
	if n >= 1 && n <= len(o.Numbers) {
		return o.Numbers[n-1]
	}
	return strconv.Itoa(n)
}

var months = []string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
	"noviembre", "diciembre"}

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
		return "Le envío un enlace para que complete el formulario cuando le convenga. " +
			"Ya incluye los datos que usted me dio; por favor, revíselos."
	}
	return "Here’s a link to finish the form at your own pace. It includes the information you gave me; please review it."
}
