package lead

import (
	"context"
	"errors"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Download is a document that is being streamed. Nothing is buffered. The caller closes its body.
type Download = partner.Download

// download opens a document and then logs it, before the first byte is sent to the user. If either fails, the user gets
// nothing and the lead's log stays as it is; the audit has a document that could not be opened.
func (l *Lead) download(ctx context.Context, of lead.Export,
	open func() (*partner.Download, error)) (*Download, error) {
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error { return l.d.ReauthorizeLead(ctx, tx, access.DownloadDocument) })
	if err != nil {
		return nil, err
	}
	d, err := open()
	if err != nil {
		return nil, errors.Join(err, l.auditNotShown(ctx, store.ActionDownload, exportDetail(of)))
	}
	if err := l.logExport(ctx, access.DownloadDocument, store.ActionDownload, of); err != nil {
		return nil, errors.Join(err, d.Body.Close())
	}
	return d, nil
}

// Document streams one document of this lead (section 4.18). The caller closes its body.
func (l *Lead) Document(ctx context.Context, id string) (*Download, error) {
	if err := l.d.May(access.DownloadDocument); err != nil {
		return nil, err
	}
	document, err := l.listedDocument(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.download(ctx, lead.Export{Kind: lead.ExportDocument, About: id}, func() (*partner.Download, error) {
		return l.d.Lender.Document(ctx, l.d.Row.App, document)
	})
}

// DocumentsZip streams all documents as one zip (section 4.19). The caller closes its body.
func (l *Lead) DocumentsZip(ctx context.Context) (*Download, error) {
	if err := l.d.May(access.DownloadDocument); err != nil {
		return nil, err
	}
	return l.download(ctx, lead.Export{Kind: lead.ExportDocuments}, func() (*partner.Download, error) {
		return l.d.Lender.DocumentsZip(ctx, l.d.Row.App)
	})
}

// listedDocument refuses a document that the lender does not list for this lead. The contract does not promise
// that the lender checks it, and one partner key can open every application.
func (l *Lead) listedDocument(ctx context.Context, id string) (none heloc.Document, err error) {
	parts, err := l.d.Store.Parts(ctx, l.d.Row.App)
	if err != nil {
		return none, err
	}
	known, _, err := core.DecryptPart[[]lead.KnownDocument](l.d, parts, lead.PartDocuments)
	if err != nil {
		return none, err
	}
	for _, d := range known {
		if d.UUID == id && id != "" {
			return d.Document, nil
		}
	}
	fresh, err := l.d.Lender.Documents(ctx, l.d.Row.App)
	if err != nil {
		return none, err
	}
	for _, d := range fresh.Value {
		if d.UUID == id && id != "" {
			return d, nil
		}
	}
	return none, fault.New(fault.NotFound, "The lender doesn’t list this document for this lead.")
}

// LogOfferSheet checks the permission to open the borrower's offer sheet, and logs it.
func (l *Lead) LogOfferSheet(ctx context.Context) error {
	return l.logExport(ctx, access.SeeLead, store.ActionOfferSheet, lead.Export{Kind: lead.ExportSheet})
}

// logExport logs an export from the lead: in the audit each time, and for its originator how often and when last. A
// user who cancels the download counts as having exported.
func (l *Lead) logExport(ctx context.Context, p access.Permission, act store.AuditAction, t lead.Export) error {
	if err := l.d.May(p); err != nil {
		return err
	}
	t.UserID = l.d.Actor.UserID
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, p); err != nil {
			return err
		}
		if err := tx.AddExports(ctx, t, l.d.Now(), l.d.Row.App); err != nil {
			return err
		}
		return l.d.Audit(ctx, tx, act, "allowed", exportDetail(t))
	})
}

// exportDetail describes an export for the audit.
func exportDetail(t lead.Export) string {
	if t.About == "" {
		return string(t.Kind)
	}
	return string(t.Kind) + ":" + t.About
}
