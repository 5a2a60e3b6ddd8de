package partner

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

const (
	maxMessages   = 10
	maxMessageLen = 500
)

// publicMessage is what the user reads: what happened, and what it means for their request.
func (c call) publicMessage(f Failure, kind fault.Kind) string {
	changes := c.class == classWrite || c.class == classPrequalify
	switch {
	case !c.withoutKey && RefusesKey(f.Status):
		return "The lender refused Hearthline’s connection. Nothing was changed. Tell your administrator; " +
			"the reason is under System status."
	case f.Refused && f.Status == 429:
		return "The lender is busy and didn’t accept this. Wait a minute and try again."
	case kind == fault.NotFound:
		return joinMessages(f.Messages, "The lender doesn’t have this application, or doesn’t offer this for it.")
	case f.Refused:
		return joinMessages(f.Messages, "The lender refused this without giving a reason. Nothing was changed.")
	case kind == fault.Internal:
		return "Something went wrong on our side. Nothing was sent to the lender. Tell your administrator; " +
			"the server’s log has the reason."
	case changes && f.Reach == heloc.ReachNothing:
		return "The lender can’t be reached right now. Nothing was sent. Try again in a moment."
	case changes:
		return "We got no clear response from the lender, so we don’t know whether it received this. " +
			"Don’t send it again until you have checked."
	case kind == fault.Upstream && c.class == classDownload:
		return "The lender didn’t send the document, so nothing was downloaded. Try again. " +
			"If it happens again, tell your administrator."
	case kind == fault.Upstream:
		return "We couldn’t read the lender’s response. Try again. If it happens again, tell your administrator."
	default:
		return "The lender isn’t responding right now. Try again in a moment."
	}
}

// joinMessages joins the lender's messages, or returns otherwise if there are none.
func joinMessages(messages []heloc.Message, otherwise string) string {
	var words []string
	for _, m := range messages {
		if m.Message != "" {
			words = append(words, m.Message)
		}
	}
	if len(words) == 0 {
		return otherwise
	}
	return truncate(strings.Join(words, " "), maxMessageLen)
}

// messagesOf collects the lender's messages in a response: those of section 2.4 wherever the
// envelope has them, and the forms that gateways use to explain errors.
func messagesOf(tree any, key string) []heloc.Message {
	top, ok := tree.(object)
	if !ok {
		return nil
	}
	var found []heloc.Message
	add := func(level, words any) {
		if words := textOf(words); words != "" && len(found) < maxMessages {
			found = append(found, heloc.Message{Level: truncate(textOf(level), 40), Message: redact(words, key)})
		}
	}
	for _, holder := range []any{top, top["data"], top["error"]} {
		holder, _ := holder.(object)
		for _, name := range []string{"messages", "errors"} {
			entries, _ := holder[name].([]any)
			for _, entry := range entries {
				if message, ok := entry.(object); ok {
					add(message["level"], message["message"])
				} else {
					add(nil, entry)
				}
			}
		}
	}
	if inner, ok := top["error"].(object); ok {
		add(nil, inner["message"])
	}
	add(nil, top["message"])
	if len(found) == 0 {
		add(nil, top["error"])
	}
	return found
}

// redact makes the lender's text safe to store: bounded, on one line, without our key
// and without anything that looks like a social security number.
func redact(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, pii.Withheld)
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	text = longNumber.ReplaceAllString(text, pii.Withheld)
	for range 2 { // the second time for those that share a separator with one before
		text = dashedSSN.ReplaceAllString(text, "${1}"+pii.Withheld+"${2}")
	}
	return truncate(text, maxMessageLen)
}

// longNumber is nine or more digits; dashedSSN is nnn-nn-nnnn, with dashes or spaces, that is no part of a longer
// number.
var (
	longNumber = regexp.MustCompile(`[0-9]{9,}`)
	dashedSSN  = regexp.MustCompile(`(^|[^0-9])[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}($|[^0-9])`)
)

// truncate shortens text to at most limit bytes plus an ellipsis, at a rune boundary.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
