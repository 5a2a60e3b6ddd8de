package text

// spanish is what the originator may say to the borrower in Spanish, by status key; a test checks that it has
// the keys of the English table.
var spanish = map[string]string{
	"in-progress": "Ya está con el prestamista. Le aviso en cuanto vea la respuesta.",
	"offers": "Ya llegaron sus ofertas. ¿Vemos primero cuánto pagaría al mes, " +
		"o en cuánto tiempo terminaría de pagar?",
	"choose-property": "Quisiera confirmar su dirección exacta. " +
		"¿Cuál es el número de su unidad, tal como aparece en la factura de impuestos sobre la propiedad?",
	"ssn-needed": "El buró de crédito no encontró su historial con su nombre y dirección. " +
		"Con su número de Seguro Social debería encontrarlo. Esto no afecta su puntaje de crédito.",
	"credit-frozen": "Su crédito está congelado, lo cual lo protege. ¿Podría levantar el congelamiento temporalmente " +
		"con cada buró, en línea o por teléfono? Es gratis. Nunca necesito su contraseña ni su PIN.",
	"still-frozen": "Volví a pedir su reporte y su crédito sigue congelado. ¿Podría verificar con cada buró el " +
		"levantamiento del congelamiento y desde cuándo rige? Nunca necesito su contraseña ni su PIN.",
	"repull-due": "Gracias por levantar el congelamiento. " +
		"¿Me permite pedir su reporte otra vez? Es una consulta que no afecta su puntaje de crédito (soft inquiry).",
	scheduledRepull: "Por favor, mantenga levantado el congelamiento hasta que yo vuelva a pedir su reporte. " +
		"Es una consulta que no afecta su puntaje de crédito (soft inquiry).",
	"verify-liens": "El prestamista necesita confirmar los préstamos sobre su casa. " +
		"¿Me puede leer el saldo de hoy de cada uno, según el estado de cuenta o la aplicación móvil?",
	"more-assets": "El prestamista necesita más ingresos o activos para fijar el precio de su línea. " +
		"¿Tiene una pensión, inversiones o ingresos de un negocio que no hayamos contado?",
	"payoff":         "El prestamista puede continuar si la línea paga algunas de sus deudas. ¿Vemos cuáles le convienen?",
	"property-value": "¿En cuánto cree que se vendería su casa hoy? Un estimado está bien.",
	"no-offers": "El prestamista no tiene ofertas con los datos que enviamos. " +
		"Si corresponde algún aviso, se lo envía por escrito. Si algún dato falta o está mal, " +
		"podemos corregirlo y empezar de nuevo. ¿Lo revisamos?",
	"borrower-sign-in": "Su oferta está seleccionada. Para continuar, inicie sesión con el prestamista.",
	"chase-sign-in": "Su oferta está lista para que usted inicie sesión con el prestamista. " +
		"¿Hay algo que se lo impida? Puedo enviarle el enlace.",
	"broker-documents": "Ya inició sesión, gracias. El acuerdo con el bróker está listo para su firma en el mismo lugar.",
	"chase-documents":  "Todavía falta su firma en el acuerdo con el bróker. ¿Lo revisamos juntos?",
	"application": "Su solicitud está con el prestamista. Es posible que el prestamista le pida documentos; " +
		"por favor, revise su correo electrónico.",
	"disclosures": "El prestamista le envió las condiciones para que las revise. " +
		"Tómese su tiempo y pregúnteme lo que necesite.",
	"signing":  "Por favor tenga a la mano su identificación cuando firme.",
	"complete": "Ya completó todos los pasos por ahora. Ahora continúa el prestamista; yo le mantengo informado.",
	"signed":   "La fecha de su firma ya pasó. Le aviso en cuanto el prestamista indique la próxima fecha.",
	"funding": "Según las fechas del prestamista, su período de rescisión terminó. " +
		"El prestamista fija la fecha del desembolso; le aviso en cuanto la vea.",
	"rescission": "Según las fechas del prestamista, está en su período de rescisión, así que todavía puede cambiar de " +
		"opinión. Los fondos se envían después de que termine; la fecha la fija el prestamista.",
	"funded": "El prestamista informa que envió sus fondos. Gracias por permitirme ayudarle.",
	"cancelled": "Su solicitud de información quedó cancelada. " +
		"Si desea continuar más adelante, podemos iniciar una nueva.",
	"declined":  "El prestamista tomó una decisión. Si corresponde algún aviso, se lo envía por escrito.",
	"expired":   "Su solicitud de información venció. Si todavía le interesa, podemos empezar de nuevo.",
	"withdrawn": "Su solicitud de información fue retirada. Si todavía le interesa, podemos empezar de nuevo.",
	"refinance": "El prestamista tiene una propuesta que quiero revisar antes de continuar. Le llamaré.",
	"other":     "El prestamista nos pide un paso más. Estoy averiguando qué necesita y le vuelvo a llamar.",
}
