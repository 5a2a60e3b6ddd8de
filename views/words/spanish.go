package words

// spanish is what the originator may say to the borrower in Spanish, by status key; a test checks that it has
// the keys of the English table.
var spanish = map[string]string{
	"in-progress":      "Ya está con el prestamista. Le aviso en cuanto vea la respuesta.",
	"offers":           "Ya llegaron sus ofertas. ¿Vemos primero cuánto pagaría al mes, o en cuánto tiempo terminaría de pagar?",
	"choose-property":  "Hay más de una vivienda en esa dirección. ¿Cuál es la suya, tal como aparece en el recibo de impuestos?",
	"ssn-needed":       "El buró de crédito no lo encontró por su nombre. Con su número de Seguro Social sí puede. Esto no afecta su puntaje de crédito.",
	"credit-frozen":    "Su crédito está congelado, lo cual lo protege. ¿Podría levantar el congelamiento por un día con cada buró, en línea o por teléfono? Es gratis. Nunca necesito su contraseña ni su PIN.",
	"repull-due":       "Gracias por levantar el congelamiento. ¿Me permite pedir su reporte otra vez? Es una consulta que no afecta su puntaje de crédito (soft inquiry).",
	"verify-liens":     "Aparecen préstamos sobre su casa. ¿Me puede leer el saldo de hoy de cada uno, del estado de cuenta o de la aplicación?",
	"more-assets":      "El prestamista quisiera ver más de sus ingresos o ahorros. ¿Tiene una pensión, inversiones o ingresos de un negocio que no hayamos contado?",
	"payoff":           "El prestamista puede continuar si la línea paga algunas de sus deudas. ¿Vemos cuáles le convienen?",
	"property-value":   "¿En cuánto cree que se vendería su casa hoy? Su mejor cálculo está bien.",
	"no-offers":        "El prestamista no tiene ofertas con los datos que enviamos. Si corresponde algún aviso, el prestamista se lo envía por escrito. Algunas cosas se pueden cambiar; ¿las vemos?",
	"borrower-sign-in": "Su oferta está seleccionada. Para continuar, inicie sesión con el prestamista. Toma unos diez minutos.",
	"chase-sign-in":    "Su oferta está lista para que usted inicie sesión con el prestamista. ¿Hay algo que se lo impida? Puedo enviarle el enlace de nuevo.",
	"broker-documents": "Ya inició sesión, gracias. El acuerdo con el bróker está listo para su firma en el mismo lugar.",
	"chase-documents":  "Todavía falta su firma en el acuerdo con el bróker. ¿Lo revisamos juntos?",
	"application":      "Su solicitud está con el prestamista. Es posible que el prestamista le pida documentos; por favor, revise su correo electrónico.",
	"disclosures":      "El prestamista le envió las condiciones para que las revise. Tómese su tiempo y pregúnteme lo que necesite.",
	"signing":          "Ya tiene fecha para firmar. Por favor tenga a la mano su identificación.",
	"rescission":       "Ya firmó, y la ley le da unos días para cambiar de opinión. Después, el prestamista envía los fondos.",
	"funded":           "Los fondos van en camino. Gracias por permitirme ayudarle.",
	"cancelled":        "Su solicitud de información quedó cancelada. Si desea continuar más adelante, podemos iniciar una nueva.",
	"declined":         "El prestamista tomó una decisión y le escribirá al respecto. La carta indica los motivos y a quién puede contactar.",
	"expired":          "Su solicitud de información venció. Si todavía le interesa, podemos empezar de nuevo.",
	"withdrawn":        "Su solicitud de información fue retirada. Si todavía le interesa, podemos empezar de nuevo.",
	"refinance":        "El prestamista tiene una propuesta que quiero revisar antes de continuar. Le llamaré.",
	"other":            "El prestamista nos pide un paso más. Estoy averiguando qué necesita y le vuelvo a llamar.",
}
