package lead

import (
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentDocuments maps the list. Documents that arrived since the user's last view are new, but on
// the first visit none are.
func presentDocuments(v format.Viewer, l desk.LeadView) view.DocumentsView {
	d := view.DocumentsView{Age: asOfText(v, l.DocumentsAt), Can: v.Who.Can(access.DownloadDocument)}
	for _, doc := range l.Documents {
		d.Rows = append(d.Rows, view.DocumentRow{
			ID: doc.UUID, Name: words.OrDash(doc.FileName), Kind: format.DisplayText(doc.DocType, words.Name), Type: contentTypeLabel(doc.ContentType),
			ReceivedAt: v.DateTime(format.TimeOfMillis(doc.Since)), New: isNewDocument(l, doc), Inline: OpensInline(doc.ContentType) && !v.Base.Embedded(),
		})
	}
	return d
}

func isNewDocument(l desk.LeadView, doc lead.KnownDocument) bool {
	return l.LastView.ViewedAt != 0 && doc.Since > l.LastView.DocumentsAt
}

// contentTypeLabel returns a short name of a content type, such as PDF or ZIP, or else its last
// part.
func contentTypeLabel(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	_, kind, found := strings.Cut(strings.TrimSpace(media), "/")
	if !found {
		return contentType
	}
	if last := strings.LastIndexAny(kind, ".-+"); last >= 0 {
		kind = kind[last+1:]
	}
	return strings.ToUpper(kind)
}
