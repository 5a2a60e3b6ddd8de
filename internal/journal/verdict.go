package journal

import (
	"net/http"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// VerdictOf decides what a call means for its operation. It is the only place that decides it. An answer that
// does not say clearly whether the lender did something is unknown, and so is the lack of one, because no write is
// repeated automatically.
func VerdictOf(got heloc.CallResult) lead.OpState {
	switch status := got.Status; {
	case got.Reach == heloc.ReachNothing:
		return lead.OpNotSent
	case got.Reach != heloc.ReachAnswer:
		return lead.OpUnknown
	case status >= 200 && status < 300:
		return verdictOfSuccess(got)
	case status >= 300 && status < 500 && status != http.StatusRequestTimeout:
		return lead.OpRejected
	default:
		return lead.OpUnknown
	}
}

// verdictOfSuccess decides what a readable answer with a 2xx status means. An effect counts more than messages, which
// may be about something else.
func verdictOfSuccess(got heloc.CallResult) lead.OpState {
	switch {
	case got.Effect == heloc.EffectStated:
		return lead.OpSucceeded
	case heloc.HasErrorMessage(got.Messages):
		return lead.OpRejected
	case got.Effect == heloc.EffectMissing:
		return lead.OpUnknown
	default:
		return lead.OpSucceeded
	}
}

// maxMessageText limits how much of the lender's messages is stored.
const maxMessageText = 600

// MessageText joins the lender's messages, up to maxMessageText.
func MessageText(messages []heloc.Message) string {
	texts := make([]string, 0, len(messages))
	for _, m := range messages {
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
func RejectionError(op lead.Operation) error {
	switch op.State {
	case lead.OpRejected:
		texts := "The lender refused it and nothing was changed."
		if op.Messages != "" {
			texts = "The lender refused it: “" + op.Messages + "” Nothing was changed."
		}
		return fault.New(fault.Upstream, texts)
	case lead.OpNotSent:
		return fault.New(fault.Unavailable,
			"Nothing was sent to the lender. Your entries are below, except an SSN. You can send them again.")
	case lead.OpAbsent, lead.OpAbandoned:
		return fault.New(fault.Conflict, "The lender hasn’t confirmed that it received this form. Nothing more was sent. "+
			"Open the lead to see its current step.")
	default:
		return nil
	}
}
