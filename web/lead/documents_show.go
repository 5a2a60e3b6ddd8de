package lead

import (
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showDocuments maps the list. What came since the person's last look is new, but on
// their first visit nothing is.
func showDocuments(v format.Viewer, l desk.LeadView) views.DocumentsView {
	d := views.DocumentsView{Age: asOf(v, l.DocumentsAt), Can: v.Who.Can(access.DownloadDocument)}
	for _, doc := range l.Documents {
		d.Rows = append(d.Rows, views.DocumentRow{
			ID: doc.UUID, Name: words.Or(doc.FileName), Kind: format.Said(doc.DocType, words.Name), Type: mediaName(doc.ContentType),
			Seen: v.Moment(format.Instant(doc.Since)), New: newDocument(l, doc), Opens: OpensInline(doc.ContentType) && !v.Base.Embedded(),
		})
	}
	return d
}

func newDocument(l desk.LeadView, doc desk.KnownDocument) bool {
	return l.Look.LookedAt != 0 && doc.Since > l.Look.DocumentsAt
}

// mediaName is a content type as people call it: PDF, ZIP, or its last word.
func mediaName(contentType string) string {
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
