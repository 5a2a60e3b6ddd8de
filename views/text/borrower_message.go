package text

import "strings"

// BorrowerMessage is a message with a link that the user sends from their own app. It names the borrower by the first
// name only, and contains no amounts: others may read it on a locked screen.
type BorrowerMessage struct {
	First      string // name of the borrower; may be empty
	Sender     string // first name of the user
	Company    string // may be empty
	CallName   string // whom to call if not the sender; empty for the sender
	Phone      string // may be empty
	Signature  string // names and licenses
	Topic      MessageTopic
	FollowUp   int  // 0 for the first message about the topic, 1 for the first follow-up, and so on
	LinkIsSent bool // a link was logged as sent before: only then may the text refer to it
}

// MessageTopic is what a message with a link is about.
type MessageTopic string

// The topics.
const (
	TopicSignIn    MessageTopic = "sign-in"
	TopicDocuments MessageTopic = "documents"
	TopicQuote     MessageTopic = "quote"
)

// messageLines are the sentences before the link, by topic: the first message, and then one for each follow-up. The
// last one repeats for all later follow-ups.
var messageLines = map[Lang]map[MessageTopic][]string{
	English: {
		TopicSignIn: {
			"Your home equity line of credit is ready for the next step. Please sign in with your private link:",
			"Did you get my link? You can sign in here:",
			"Would a quick call help with signing in? Here’s your private link:",
			"I’m checking in about your home equity line of credit. If you’d like to go ahead, please sign in here:",
		},
		TopicDocuments: {
			"Thank you for signing in. Your documents are ready to sign. You can pick up where you left off:",
			"Your documents still need your signature. You can pick up where you left off:",
			"Do you have any questions about the documents? You can sign them here:",
			"Would you like to go through the documents by phone? You can also sign them here:",
		},
		TopicQuote: {"Here is your home equity line of credit estimate:"},
	},
	Spanish: {
		TopicSignIn: {
			"Su línea de crédito sobre el valor de la vivienda (HELOC) está lista para el siguiente paso. " +
				"Inicie sesión con su enlace privado:",
			"¿Recibió mi enlace? Puede iniciar sesión aquí:",
			"¿Le ayudaría una llamada breve para iniciar sesión? Este es su enlace privado:",
			"Le escribo sobre su línea de crédito sobre el valor de la vivienda (HELOC). Si desea continuar, " +
				"inicie sesión aquí:",
		},
		TopicDocuments: {
			"Gracias por iniciar sesión. Sus documentos están listos para su firma. Puede continuar donde se quedó:",
			"Todavía falta su firma en los documentos. Puede continuar donde se quedó:",
			"¿Tiene alguna pregunta sobre los documentos? Puede firmarlos aquí:",
			"¿Quiere que revisemos los documentos por teléfono? También puede firmarlos aquí:",
		},
		TopicQuote: {"Este es el estimado de su línea de crédito sobre el valor de la vivienda (HELOC):"},
	},
}

// Line is what the message says before its link.
func (m BorrowerMessage) Line(lang Lang) string {
	lines, at := messageLines[lang][m.Topic], m.FollowUp
	if m.Topic == TopicSignIn && !m.LinkIsSent {
		at = 0
	}
	return lines[min(at, len(lines)-1)]
}

// Parts returns the text before and after the link.
func (m BorrowerMessage) Parts(lang Lang) (before, after string) {
	greeting, intro, from := "Hi", "it’s ", " at "
	question, call := "Questions? Call me at ", "Questions? Call "+m.CallName+" at "
	name, end := " "+m.First+", ", "."
	if lang == Spanish {
		greeting, intro, from = "Hola", "le escribe ", ", de "
		question, call = "Si tiene preguntas, llámeme al ", "Si tiene preguntas, llame a "+m.CallName+" al "
		name = ", " + m.First + ": "
	}
	switch {
	case m.First != "":
	case lang == Spanish:
		name = ": "
	default:
		name = ", "
	}
	if m.Company == "" {
		from = ""
	}
	if strings.HasSuffix(m.Company, ".") {
		end = ""
	}
	before = greeting + name + intro + m.Sender + from + m.Company + end + " " + m.Line(lang)
	switch {
	case m.Phone == "":
	case m.CallName != "":
		after = call + m.Phone + ".\n\n"
	default:
		after = question + m.Phone + ".\n\n"
	}
	return before, after + m.Signature
}

// Body is the whole message.
func (m BorrowerMessage) Body(lang Lang, link string) string {
	before, after := m.Parts(lang)
	return before + " " + link + "\n\n" + after
}

// Subject is the subject of the message as an email.
func (m BorrowerMessage) Subject(lang Lang) string {
	subjects := map[Lang]map[MessageTopic][2]string{
		English: {TopicSignIn: {"Your next step", " with "}, TopicDocuments: {"Your documents", " with "},
			TopicQuote: {"Your estimate", " from "}},
		Spanish: {TopicSignIn: {"Su siguiente paso", " con "}, TopicDocuments: {"Sus documentos", " con "},
			TopicQuote: {"Su estimado", " de "}},
	}
	s := subjects[lang][m.Topic]
	if m.Company == "" {
		return s[0]
	}
	return s[0] + s[1] + m.Company
}

// FollowUpsNote says what happens when a follow-up is due.
const FollowUpsNote = "Each follow-up appears in Today when due, until a contact is logged. " +
	"Nothing is sent automatically."
