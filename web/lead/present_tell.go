package lead

import (
	"hearthline/internal/access"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/workspace"
)

// presentTell maps how to tell the borrower about a credit freeze; nil once they were told.
func presentTell(v text.Viewer, d *workspace.Data) *view.TellView {
	if !d.TellsOfFreeze() {
		return nil
	}
	t := &view.TellView{CanContact: d.Can(access.ContactBorrower)}
	for _, lang := range []text.Lang{text.English, text.Spanish} {
		words := workspace.MessageText(v, d, lang)
		t.Messages = append(t.Messages, view.TellMessage{Lang: string(lang), Text: words, TextURL: to.Sms("", words),
			EmailURL: to.Mailto("", text.ContactSubject(lang), words)})
	}
	return t
}
