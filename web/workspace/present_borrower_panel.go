package workspace

import (
	"strings"
	"time"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
	"hearthline/web/page"
)

// revealFor is how long revealed borrower details stay on a page.
const revealFor = 5 * time.Minute

// presentBorrowerPanel maps the borrower's name, and the details that this response reveals.
func presentBorrowerPanel(v text.Viewer, f *Data) view.BorrowerPanelView {
	b := view.BorrowerPanelView{
		LastContact: LastContactText(v, f.View.Row),
		CanReveal:   f.Can(access.RevealBorrower), CanContact: f.Can(access.ContactBorrower) && f.Can(access.AnnotateLead),
		CanLog: f.Can(access.AnnotateLead) && !f.ShowsHandoff() && !f.TellsOfFreeze(), // which log contacts
	}
	b.HasLink = b.CanContact && HasBorrowerLink(f.View) && !f.ShowsHandoff()
	if !f.IsSubmitted("loan-file") {
		b.Error = f.RevealError
	}
	if f.IsSubmitted("reveal") {
		b.Form = f.Submitted.Form.View("")
	}
	if f.Revealed != nil && !f.Revealed.AtStep {
		b.Revealed = PresentRevealed(v, f, *f.Revealed)
	}
	return b
}

// PresentRevealed maps the revealed details. Everything in it is borrower data.
func PresentRevealed(v text.Viewer, f *Data, details Revealed) view.RevealedView {
	w := view.RevealedView{HiddenAt: "Visible to you until " + v.TimeOfDay(v.Now.Add(revealFor)) + ".", Purpose: "Logged."}
	switch details.ContactMethod {
	case "":
		w.Purpose = "Logged: “" + details.Reason + "”."
		w.Facts = signerFacts(details.All.Reveal())
	case desklead.ByCall, desklead.ByText:
		phone := details.Field.Reveal()
		w.Facts = []ui.Fact{{Label: "Phone", Value: heloc.FormatPhone(phone)}}
		w.Apps = []view.AppLink{{Label: "Call now", Icon: "phone", Href: to.Tel(phone)}}
		for _, lang := range []text.Lang{text.English, text.Spanish} {
			w.Apps = append(w.Apps, view.AppLink{Label: "Text in " + lang.Name(), Icon: "message-square-text",
				Lang: string(lang), Href: to.Sms(phone, MessageText(v, f, lang))})
		}
	case desklead.ByEmail:
		address := details.Field.Reveal()
		w.Facts = []ui.Fact{{Label: "Email", Value: address}}
		for _, lang := range []text.Lang{text.English, text.Spanish} {
			w.Apps = append(w.Apps, view.AppLink{
				Label: "Email in " + lang.Name(), Icon: "mail", Lang: string(lang),
				Href: to.Mailto(address, text.ContactSubject(lang), MessageText(v, f, lang)),
			})
		}
	case desklead.ByLink:
		w.Link = details.Field.Reveal()
		w.LinkQR = page.PresentQR(w.Link)
	}
	return w
}

// TellsOfFreeze reports whether the card of the next step is there to tell the borrower about a credit freeze.
func (d *Data) TellsOfFreeze() bool {
	l := &d.View.Row
	return d.Tab == to.Overview && l.YourMove() && l.Lane == heloc.LaneBlocked && l.Step == heloc.StepUnfreezeCredit &&
		l.StatusKey != heloc.StatusRepullDue && !l.IsSetAside() && d.Can(access.AnnotateLead)
}

// MessageText is the initial text of a message. The user edits and sends it in their own app.
func MessageText(v text.Viewer, f *Data, lang text.Lang) string {
	script := text.SaidOf(text.LeadStatus(&f.View.Row).Script(lang), f.View.Row.Converted)
	return text.ContactMessage(lang, f.View.Name.First, script, messageSignature(v.Who, f.View))
}

// messageSignature names the sender and their company with the licenses of both. A sender without a
// license writes for the lead's originator.
func messageSignature(who access.Actor, l desklead.Snapshot) string {
	lines := []string{who.Name}
	o := l.Originator
	switch {
	case who.NMLS != "":
		lines[0] += ", NMLS " + who.NMLS
	case o.NMLS != "":
		lines = append(lines, o.Name()+", NMLS "+o.NMLS)
	}
	if o.BrokerName != "" {
		company := o.BrokerName
		if o.BrokerNMLS != "" {
			company += ", NMLS " + o.BrokerNMLS
		}
		lines = append(lines, company)
	}
	return strings.Join(lines, "\n")
}

// signerFacts lists the borrowers as the lender knows them.
func signerFacts(all heloc.Signers) []ui.Fact {
	facts := oneSignerFacts(all.Primary)
	for _, more := range all.Additional {
		name := text.OrDash(strings.TrimSpace(more.FirstName + " " + more.LastName))
		facts = append(facts, ui.Fact{Label: "Additional signer", Value: name})
		facts = append(facts, oneSignerFacts(more)...)
	}
	return facts
}

func oneSignerFacts(s heloc.Signer) []ui.Fact {
	return ui.FactsOrDash("Phone", heloc.FormatPhone(s.Phone), "Email", s.Email, "Birth date", text.Date(s.DateOfBirth),
		"Home", strings.Join(text.AddressLines(s.Address), ", "))
}

// LastContactText describes the last contact with the borrower; it is empty if there was none.
func LastContactText(v text.Viewer, l lead.Row) string {
	if l.LastContactAt == 0 {
		return ""
	}
	how := "Contact"
	if l.LastContact != "" {
		how = text.Contact(l.LastContact)
	}
	return how + ", " + v.DateTimeInText(text.TimeOfMillis(l.LastContactAt))
}

// HasBorrowerLink reports whether the lender has supplied a link for the borrower. No page contains
// the link itself until the user requests it.
func HasBorrowerLink(l desklead.Snapshot) bool {
	return strings.HasPrefix(l.Details.BorrowerAppLink, "https://")
}
