package views

import (
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// Silent says that the lender does not answer, and since when: "10:31 AM".
func Silent(since string) ui.Notice {
	return ui.Notice{
		Kind: "fail", Icon: "cloud-off", Title: "The lender does not answer since " + since + ".",
		Text: "You can read everything and write drafts and notes. Sending waits until it is back.",
	}
}

// Stale says how old the page is when the lender's updates are late.
func Stale(late, asOf string) ui.Notice {
	return ui.Notice{
		Icon: "clock", Title: "Updates from the lender are " + late + " late.",
		Text: "We keep asking. What you see is as of " + asOf + ".",
	}
}

// Unsettled says that the outcome of an operation is not known, and leads to
// its receipt.
func Unsettled(base to.Base, id, deed string) ui.Notice {
	v, d := words.VerdictOf("unknown"), words.DeedOf(deed)
	return ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: d.Title + ": " + lower(v.Title), Text: d.Safely,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// Refused says that the lender did not accept the last operation, in its own
// words.
func Refused(base to.Base, id, deed, said string) ui.Notice {
	d := words.DeedOf(deed)
	text := "Nothing was changed."
	if said != "" {
		text = "“" + said + "” " + text
	}
	return ui.Notice{
		Kind: "fail", Icon: "octagon-alert", Title: d.Title + ": not accepted.", Text: text,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// NotSent says that the last operation never left.
func NotSent(base to.Base, id, deed string) ui.Notice {
	v, d := words.VerdictOf("not_sent"), words.DeedOf(deed)
	return ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: d.Title + ": not sent.", Text: v.Text,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// Moved says that the form was made for an older step.
func Moved() ui.Notice {
	return ui.Notice{Kind: "yours", Icon: "refresh-cw", Title: "The lead has moved on.", Text: "Nothing was sent. This is how it stands now.", Role: "status"}
}

func lower(s string) string {
	if s == "" {
		return s
	}
	r := []rune(s)
	if r[0] >= 'A' && r[0] <= 'Z' {
		r[0] += 'a' - 'A'
	}
	return string(r)
}
