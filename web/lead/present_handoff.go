package lead

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	wsview "hearthline/views/workspace"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// presentHandoff maps the sheet that sends the borrower the step's link, and its progress.
func presentHandoff(v text.Viewer, d *workspace.Data) *view.HandoffView {
	l := d.View
	s := &view.HandoffView{
		URLs: d.URLs(v), ID: "sign-in-link",
		YourMove: l.Row.WhoseMove == heloc.MoverYou || l.Row.Step == heloc.StepBorrowerAuth && !linkSent(l),
		Ticks:    presentTicks(v, l), FollowUpsIn: "If " + borrowerName(l) + " hasn’t signed in",
		Can:         d.Can(access.AnnotateLead),
		LastContact: workspace.LastContactText(v, l.Row), Asks: askText(v, d),
		Tomorrow: string(heloc.DateOf(v.Now.In(v.Zone).AddDate(0, 0, 1))),
	}
	if l.Row.Step == heloc.StepBrokerDocSigning {
		s.ID, s.FollowUpsIn = "documents-link", "If "+borrowerName(l)+" hasn’t signed the documents"
	}
	if workspace.HasBorrowerLink(l) && d.Can(access.ContactBorrower) {
		s.LinkURL = v.Base.LeadRead(string(l.Row.App), "borrower-link")
	}
	message := handoffMessage(v, l)
	followUps, shown := l.Row.BorrowerFollowUps(l.Events, v.Now), d.Revealed != nil && d.Revealed.AtStep
	next := nextFollowUp(followUps)
	for _, f := range followUps {
		row := presentBorrowerFollowUp(v, message, f)
		if shown && row.IsMessage && f.Number == next {
			row.Text, row.IsMessage = "The message above.", false
		}
		s.FollowUps = append(s.FollowUps, row)
	}
	if shown {
		message.FollowUp = next
		send := workspace.PresentSend(message, d.Revealed.Field.Reveal())
		send.LinkName, send.LinkLabel, send.Autofocus = "borrower.link", possessive(l)+" private sign-in link",
			!d.Revealed.ByItself
		send.PopoverID, send.QRHint = "qr-sign-in", "Show this code only to the borrower. It opens their private link."
		s.Send, s.Revealed = &send, workspace.PresentRevealed(v, d, *d.Revealed)
	}
	if a := d.Submitted; a != nil && a.Action == "contact" {
		s.Contact = a.Form.View("")
	}
	return s
}

// adaptHandoffCard makes the card ask for the link until it is sent. The message replaces the script.
func adaptHandoffCard(d *workspace.Data, c *ui.NextStepCardView) {
	c.BorrowerScript, c.BorrowerScriptES = "", ""
	if d.View.Row.StatusKey == heloc.StatusBorrowerSignIn && !linkSent(d.View) && d.Can(access.ContactBorrower) &&
		workspace.HasBorrowerLink(d.View) {
		c.Title = "Send " + borrowerName(d.View) + " the sign-in link"
	}
}

func borrowerName(l desklead.Snapshot) string { return cmp.Or(l.Name.First, "the borrower") }

func possessive(l desklead.Snapshot) string {
	if name := l.Name.First; name != "" {
		return name + "’s"
	}
	return "Borrower’s"
}

func handoffMessage(v text.Viewer, l desklead.Snapshot) text.BorrowerMessage {
	topic := text.TopicSignIn
	if l.Row.Step == heloc.StepBrokerDocSigning {
		topic = text.TopicDocuments
	}
	m := workspace.NewMessage(v, l, topic)
	m.LinkIsSent = linkSent(l)
	return m
}

// nextFollowUp is the number of the follow-up to send: the latest whose time has come, or the one after it if a contact
// was logged for that; 0 before the first one.
func nextFollowUp(all []lead.BorrowerFollowUp) (number int) {
	for _, f := range all {
		switch f.State {
		case lead.FollowUpAhead:
		case lead.FollowUpContacted:
			number = f.Number + 1
		default:
			number = f.Number
		}
	}
	return number
}

func presentBorrowerFollowUp(v text.Viewer, m text.BorrowerMessage, f lead.BorrowerFollowUp) view.BorrowerFollowUpRow {
	row := view.BorrowerFollowUpRow{Days: strconv.Itoa(f.Days), When: v.DateTime(f.At),
		After: "after " + text.Pluralize(f.Days, "day", "days")}
	m.FollowUp = f.Number
	switch f.State {
	case lead.FollowUpContacted:
		row.State, row.Text = "ok", "Contact logged."
		if f.Contact.At != 0 {
			row.Text = text.Contact(f.Contact.Detail) + ", " + v.DateTimeInText(text.TimeOfMillis(f.Contact.At)) + "."
		}
	case lead.FollowUpPassed:
		row.Text = "No contact logged."
	default:
		if f.State == lead.FollowUpDue {
			row.State, row.After = "now", row.After+", due"
		} else if !m.LinkIsSent && m.Topic == text.TopicSignIn {
			return row // what it says depends on what is sent first
		}
		row.Text, row.IsMessage = strings.TrimSuffix(m.Line(text.English), ":")+"…", true
	}
	return row
}

// selectedAt returns when the lender confirmed the selected offer, or else when it was first seen waiting for the
// borrower; zero if neither is known.
func selectedAt(l desklead.Snapshot) (at time.Time, confirmed bool) {
	for _, op := range l.Operations {
		if op.Kind == heloc.OpSelectOffer && (op.State == lead.OpSucceeded || op.State == lead.OpConfirmed) &&
			op.StepChangedAt != 0 {
			return lead.Instant(op.StepChangedAt), true
		}
	}
	for _, e := range l.Events { // newest first
		if e.Kind == lead.EventStep && e.StepAfter == heloc.StepBorrowerAuth {
			return lead.Instant(e.At), false
		}
	}
	if l.Row.Step == heloc.StepBorrowerAuth {
		return lead.Instant(l.Row.StepSince), false
	}
	return time.Time{}, false
}

// sentEvent is the first contact since the selection that was logged as a link.
func sentEvent(l desklead.Snapshot) lead.Event {
	since, _ := selectedAt(l)
	return lead.FirstEvent(l.Events, since, func(e lead.Event) bool {
		return !since.IsZero() && e.Kind == lead.EventContact && e.Detail == desklead.ByLink
	})
}

func linkSent(l desklead.Snapshot) bool { return sentEvent(l).At != 0 }

// presentTicks maps the borrower's steps. A step counts as done only if the lender shows it or, for the
// link, a contact was logged.
func presentTicks(v text.Viewer, l desklead.Snapshot) []wsview.Tick {
	since, confirmed := selectedAt(l)
	time := func(ms int64) string { return v.DateTimeInText(text.TimeOfMillis(ms)) }
	seen := func(label string, steps ...heloc.Step) wsview.Tick {
		e := lead.FirstEvent(l.Events, since, func(e lead.Event) bool {
			return e.Kind == lead.EventStep && slices.Contains(steps, e.StepAfter)
		})
		switch {
		case e.At != 0:
			return wsview.Tick{Label: label, Text: "shown by the lender " + time(e.At), State: "ok"}
		case slices.Contains(steps, l.Row.Step):
			return wsview.Tick{Label: label, Text: "shown by the lender", State: "ok"}
		default:
			return wsview.Tick{Label: label}
		}
	}
	selected := wsview.Tick{Label: "Offer selected", Text: "shown by the lender", State: "ok"}
	switch {
	case confirmed:
		selected.Label, selected.Text = "Offer selection confirmed", "by the lender, "+v.DateTimeInText(since)
	case !since.IsZero():
		selected.Text = "shown by the lender " + v.DateTimeInText(since)
	case l.Details.App.Underwriting.SelectedOffer == nil:
		selected.Text, selected.State = "not shown by the lender", ""
	}
	if workspace.IsSelectionUnknown(l) {
		selected.Label = "Earlier selection"
	}
	sent := wsview.Tick{Label: "Link sent", Text: "not logged"}
	if e := sentEvent(l); e.At != 0 {
		sent.State, sent.Text = "ok", "logged "+time(e.At)
	}
	ticks := []wsview.Tick{selected, sent, seen("Signed in", heloc.StepBrokerDocSigning, heloc.StepComplete),
		seen("Documents signed", heloc.StepComplete)}
	for i := range ticks { // the first one that is missing, but not the link of a borrower who has signed in
		if ticks[i].State == "" && (i != 1 || ticks[2].State == "") {
			ticks[i].State, ticks[i].Text = "now", cmp.Or(ticks[i].Text, "waiting for the borrower")
			break
		}
	}
	if sent.State == "" && ticks[2].State == "ok" { // nobody logged the link, but the borrower has signed in
		ticks = slices.Delete(ticks, 1, 2)
	}
	return ticks
}

// askText says when the link was shown to the user since the selection and the last contact. It is empty if it was not,
// and then there is nothing to ask.
func askText(v text.Viewer, d *workspace.Data) string {
	since, _ := selectedAt(d.View)
	since = slices.MaxFunc([]time.Time{since, lead.Instant(d.View.Row.LastContactAt + 1)}, time.Time.Compare)
	opened := lead.Event{}
	for _, e := range slices.Backward(d.View.Events) {
		if isLinkOpened(e, v.Who.UserID) && e.At >= lead.Millis(since) {
			opened = e
		}
	}
	switch {
	case opened.At != 0:
		return "The link was shown to you " + v.DateTimeInText(text.TimeOfMillis(opened.At)) + "."
	case d.Revealed != nil && d.Revealed.AtStep:
		return "The link is shown to you now."
	}
	return ""
}

func isLinkOpened(e lead.Event, user string) bool {
	return e.Kind == lead.EventRevealed && e.Detail == desklead.ByLink && e.ActorID == user
}

// opensWithin is how long after the selection the sheet shows the link without a button.
const opensWithin = 10 * time.Minute

// opensLink reports whether the page shows the link to the user who has just selected the offer: once, to send it. In a
// frame, a click must show that the user sees it.
func opensLink(r *http.Request, v text.Viewer, d *workspace.Data) bool {
	l := d.View
	if r.Method != http.MethodGet || page.IsAheadOfVisit(r) || page.IsFromOtherSite(r) || v.Base.Embedded() ||
		d.Revealed != nil || d.Submitted != nil ||
		l.Row.StatusKey != heloc.StatusBorrowerSignIn || len(l.Operations) == 0 || !workspace.HasBorrowerLink(l) ||
		!d.Can(access.ContactBorrower) || !d.Can(access.AnnotateLead) {
		return false
	}
	since, confirmed := selectedAt(l)
	op := l.Operations[0]
	return confirmed && op.Kind == heloc.OpSelectOffer && op.ActorID == v.Who.UserID && v.Now.Sub(since) < opensWithin &&
		!slices.ContainsFunc(l.Events, func(e lead.Event) bool {
			return e.At >= op.SentAt && (e.Kind == lead.EventContact || isLinkOpened(e, v.Who.UserID))
		})
}

// openLink shows the link, which is logged like any other view of it. Without it, the sheet has a button instead.
func openLink(r *http.Request, d *workspace.Data) {
	link, err := d.Lead.BorrowerLinkOnce(r.Context(), d.View.Operations[0].SentAt)
	if err != nil {
		page.RequestLogOf(r).AddAttr("link", "not shown")
		return
	}
	d.Revealed = &workspace.Revealed{Field: link, ContactMethod: desklead.ByLink, AtStep: true, ByItself: true}
}
