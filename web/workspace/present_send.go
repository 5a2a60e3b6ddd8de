package workspace

import (
	"slices"
	"strings"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/views/to"
	view "hearthline/views/workspace"
	"hearthline/web/page"
)

// IsBorrowersMove reports whether the borrower signs in or signs documents next, so that the card of the next step
// sends the sign-in link.
func IsBorrowersMove(key heloc.StatusKey) bool {
	return slices.Contains([]heloc.StatusKey{
		heloc.StatusBorrowerSignIn, heloc.StatusFollowUpSignIn, heloc.StatusBrokerDocs, heloc.StatusFollowUpDocs,
	}, key)
}

// ShowsHandoff reports whether the page has that card.
func (d *Data) ShowsHandoff() bool {
	return d.Tab == to.Overview && IsBorrowersMove(d.View.Row.StatusKey)
}

// NewMessage begins a message of a user to the borrower of a lead. It says only the borrower's first name.
func NewMessage(v text.Viewer, l desklead.Snapshot, topic text.MessageTopic) text.BorrowerMessage {
	o := l.Originator
	m := text.BorrowerMessage{Topic: topic, First: l.Name.First, Company: o.Company(), Phone: heloc.FormatPhone(o.Phone),
		Signature: messageSignature(v.Who, l)}
	m.Sender, _, _ = strings.Cut(v.Who.Name, " ")
	if string(o.UUID) != v.Who.OriginatorUUID || !v.Who.Can(access.ActOnLead) {
		if m.CallName = strings.TrimSpace(o.Name()); m.CallName == "" {
			m.Phone = "" // of somebody whom the message cannot name
		}
	}
	return m
}

// PresentSend maps a link and the prepared message with it. The user's own apps ask for the recipient.
func PresentSend(m text.BorrowerMessage, link string) view.SendView {
	s := view.SendView{Link: link, QR: page.PresentQR(link)}
	for _, lang := range []text.Lang{text.English, text.Spanish} {
		body := m.Body(lang, link)
		one := view.MessageView{Lang: string(lang), Subject: m.Subject(lang), TextURL: to.Sms("", body)}
		one.EmailURL = to.Mailto("", one.Subject, body)
		one.Before, one.After = m.Parts(lang)
		s.Messages = append(s.Messages, one)
	}
	return s
}
