package journal

import (
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Outcome is the result of one call to the lender.
type Outcome struct {
	State      store.OpState // succeeded, rejected, not_sent or unknown
	HTTPStatus int
	RequestID  string
	Messages   []heloc.Message // the lender's own messages
	App        heloc.AppID     // of a start that succeeded
}

// maxMessageText limits how much of the lender's messages is stored.
const maxMessageText = 600

// MessageText joins the lender's messages, up to maxMessageText.
func (o Outcome) MessageText() string {
	texts := make([]string, 0, len(o.Messages))
	for _, m := range o.Messages {
		if s := strings.TrimSpace(m.Message); s != "" {
			texts = append(texts, s)
		}
	}
	text := strings.Join(texts, " ")
	if len(text) > maxMessageText {
		text = strings.ToValidUTF8(text[:maxMessageText], "") + "…"
	}
	return text
}

// RejectionError returns the error of an operation that certainly had no effect; nil for one that succeeded, is in
// progress, or has an unknown outcome.
func RejectionError(op store.Operation) error {
	switch op.State {
	case store.OpRejected:
		texts := "The lender refused it and nothing was changed."
		if op.Messages != "" {
			texts = "The lender refused it: “" + op.Messages + "” Nothing was changed."
		}
		return fault.New(fault.Upstream, texts)
	case store.OpNotSent:
		return fault.New(fault.Unavailable, "Nothing was sent to the lender. Your entries are below; you can send them again.")
	case store.OpAbsent, store.OpAbandoned:
		return fault.New(fault.Conflict, "This form was already sent, and nobody confirmed that the lender received it. Nothing more was sent. Open the lead to see its current step.")
	default:
		return nil
	}
}
