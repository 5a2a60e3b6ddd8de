package lead

import (
	"strings"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/access"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/workspace"
)

// presentDocuments maps the list. Documents that arrived since the user's last view are new, but on
// the first visit none are.
func presentDocuments(v text.Viewer, l desklead.Snapshot, lists workspace.Lists) *view.DocumentsView {
	d := &view.DocumentsView{URLs: to.LeadURLs{Base: v.Base, App: string(l.Row.App)}, Age: asOfText(v, l.DocumentsAt),
		Can: v.Who.Can(access.DownloadDocument), Ended: l.Row.StatusKey.Ended()}
	shown, next := workspace.DocumentsOf(lists, l)
	if len(shown) < len(l.Documents) {
		d.Pager = lists.Pager(workspace.DocumentsList, len(shown), "document", "documents", next)
	}
	for _, doc := range shown {
		d.Rows = append(d.Rows, view.DocumentRow{
			ID: doc.UUID, Name: text.OrDash(doc.FileName), Kind: text.DisplayText(doc.DocType, text.Name),
			Type: contentTypeLabel(doc.ContentType), ReceivedAt: v.DateTime(text.TimeOfMillis(doc.Since)),
			New: workspace.IsNewDocument(l, doc), Inline: OpensInline(doc.ContentType) && !v.Base.Embedded(),
		})
	}
	return d
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
