package words

// spanish is what the originator may say to the borrower in Spanish, by status key; a test checks that it has
// the keys of the English table.
var spanish = map[string]string{
	"in-progress":      "Ya está con el prestamista. Le aviso en cuanto vea la respuesta.",
	"offers":           "Ya llegaron sus ofertas. ¿Vemos primero cuánto pagaría al mes, o en cuánto tiempo terminaría de pagar?",
	"choose-property":  "Hay más de una vivienda en esa dirección. ¿Cuál es la suya, tal como aparece en el recibo de impuestos?",
	"ssn-needed":       "El buró no lo encontró por nombre. Con su número de Seguro Social sí puede. Esta consulta no afecta su puntaje.",
	"credit-frozen":    "Su crédito está congelado, lo cual lo protege. ¿Podría levantar el congelamiento por un día con cada buró, en línea o por teléfono? Es gratis. Nunca necesito su contraseña ni su PIN.",
	"repull-due":       "Gracias por levantar el congelamiento. ¿Me permite pedir su reporte una vez más? Es una consulta suave y no afecta su puntaje.",
	"verify-liens":     "Aparecen préstamos sobre su casa. ¿Me puede leer el saldo de hoy de cada uno, del estado de cuenta o de la aplicación?",
	"more-assets":      "El prestamista quisiera ver más de sus ingresos o ahorros. ¿Tiene una pensión, inversiones o ingresos de un negocio que no hayamos contado?",
	"payoff":           "Hay un camino: la línea pagaría algunas de sus deudas al cierre. ¿Vemos cuáles le convienen?",
	"property-value":   "¿En cuánto cree que se vendería su casa hoy? Su mejor cálculo está bien.",
	"no-offers":        "El prestamista no tiene ofertas con los datos que enviamos. Si corresponde algún aviso, el prestamista se lo envía por escrito. Algunas cosas se pueden cambiar; ¿las vemos?",
	"borrower-sign-in": "Su oferta está elegida. Le envié un enlace para iniciar sesión y continuar. Toma unos diez minutos.",
	"chase-sign-in":    "Todavía tiene mi enlace para iniciar sesión y ver su oferta. ¿Hay algo que lo detenga? Se lo puedo enviar de nuevo.",
	"broker-documents": "Ya inició sesión, gracias. El acuerdo con el bróker espera su firma en el mismo lugar.",
	"chase-documents":  "El acuerdo con el bróker todavía espera su firma. ¿Lo vemos juntos?",
	"application":      "Su solicitud está con el prestamista. Puede que le pidan algún documento; por favor revise su correo.",
	"disclosures":      "El prestamista le envió las condiciones para leer. Tómese su tiempo y pregúnteme lo que quiera.",
	"signing":          "Ya tiene fecha para firmar. Por favor tenga a la mano su identificación.",
	"rescission":       "Ya firmó, y la ley le da unos días para pensarlo. Después de eso el prestamista envía el dinero.",
	"funded":           "El dinero va en camino. Gracias por dejarme ayudarle.",
	"cancelled":        "Su consulta quedó cancelada como lo pidió. Si desea continuar más adelante, empezamos una nueva.",
	"declined":         "El prestamista tomó una decisión y le escribe al respecto. La carta trae los motivos y a quién preguntar.",
	"expired":          "Se venció el plazo de su consulta. Si todavía le interesa, podemos empezar de nuevo.",
	"withdrawn":        "El sistema retiró su consulta. Si todavía le interesa, podemos empezar de nuevo.",
	"refinance":        "El prestamista tiene una propuesta que quiero revisar antes de continuar. Le llamo hoy mismo.",
	"other":            "El prestamista nos pide un paso más. Estoy averiguando qué necesita y le vuelvo a llamar.",
}
