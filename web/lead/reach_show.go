package lead

import (
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// openFor is how long a borrower's details stand open on a page.
const openFor = 5 * time.Minute

// showBorrower is the person by name, and what stands open on this answer.
func showBorrower(v format.Viewer, f LeadFacts) views.BorrowerView {
	b := views.BorrowerView{
		Name: format.NameOf(f.View.Name), LastContact: showContact(v, f.View.Row), Refused: f.refused,
		Reveal: f.Can(access.RevealBorrower), Reach: f.Can(access.ContactBorrower) && f.Can(access.AnnotateLead),
	}
	b.Link = b.Reach && hasLink(f.View)
	if a := f.attempt; a != nil && a.Act == "reveal" {
		b.Form = a.Form.View("")
	}
	if f.open != nil {
		b.Open = showOpen(v, f, *f.open)
	}
	return b
}

// showOpen maps what was opened. Whatever of it stands in the answer is the borrower's.
func showOpen(v format.Viewer, f LeadFacts, o opened) views.OpenView {
	w := views.OpenView{Until: "Hidden again at " + v.Clock(v.Now.Add(openFor)) + ".", Why: "Opened by you. The team can see that."}
	switch o.how {
	case "":
		w.Why = "Opened by you, “" + o.why + "”. The team can see that."
		w.Facts = signerFacts(o.all.Reveal())
	case desk.ByCall:
		phone := o.field.Reveal()
		w.Facts = []ui.Fact{{Label: "Phone", Value: heloc.FormatPhone(phone)}}
		w.Apps = []views.AppLink{{Label: "Call now", Icon: "phone", Href: to.Tel(phone)}}
	case desk.ByText:
		phone := o.field.Reveal()
		w.Facts = []ui.Fact{{Label: "Phone", Value: heloc.FormatPhone(phone)}}
		for _, lang := range []words.Lang{words.English, words.Spanish} {
			w.Apps = append(w.Apps, views.AppLink{Label: "Write the text, " + languageOf(lang), Icon: "message-square-text", Lang: string(lang), Href: to.Sms(phone, letter(v, f, lang))})
		}
	case desk.ByEmail:
		address := o.field.Reveal()
		w.Facts = []ui.Fact{{Label: "E-mail", Value: address}}
		for _, lang := range []words.Lang{words.English, words.Spanish} {
			w.Apps = append(w.Apps, views.AppLink{
				Label: "Write the e-mail, " + languageOf(lang), Icon: "mail", Lang: string(lang), Href: to.Mailto(address, words.Subject(lang), letter(v, f, lang)),
			})
		}
	case desk.ByLink:
		w.Link = o.field.Reveal()
	}
	return w
}

func languageOf(lang words.Lang) string {
	if lang == words.Spanish {
		return "Spanish"
	}
	return "English"
}

// letter is what a message opens with. It is changed and sent by the person, in their
// own app.
func letter(v format.Viewer, f LeadFacts, lang words.Lang) string {
	say := format.StandingWords(f.View.Row).Say(lang)
	return words.Letter(lang, f.View.Name.First, say, signature(v.Who, f.View))
}

// signature names who writes and their company with the licences of both. Who has none
// writes for the lead's originator.
func signature(who access.Actor, l desk.LeadView) string {
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

// signerFacts are the borrowers as the lender knows them.
func signerFacts(all heloc.Signers) []ui.Fact {
	facts := oneSigner(all.Primary)
	for _, more := range all.Additional {
		name := words.Or(strings.TrimSpace(more.FirstName + " " + more.LastName))
		facts = append(facts, ui.Fact{Label: "Also signs", Value: name})
		facts = append(facts, oneSigner(more)...)
	}
	return facts
}

func oneSigner(s heloc.Signer) []ui.Fact {
	return []ui.Fact{
		{Label: "Phone", Value: words.Or(heloc.FormatPhone(s.Phone))}, {Label: "E-mail", Value: words.Or(s.Email)},
		{Label: "Birth date", Value: words.Or(format.Calendar(s.DateOfBirth))}, {Label: "Home", Value: words.Or(strings.Join(format.LinesOf(s.Address), ", "))},
	}
}
