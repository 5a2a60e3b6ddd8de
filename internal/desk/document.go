package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Document streams one document of this lead (section 4.18). The caller closes its body.
func (l *Lead) Document(ctx context.Context, id string) (*partner.Download, error) {
	if err := l.d.may(access.DownloadDocument); err != nil {
		return nil, err
	}
	if err := l.listed(ctx, id); err != nil {
		return nil, err
	}
	if err := l.downloads(ctx, store.TakeDocument, id); err != nil {
		return nil, err
	}
	return l.d.Lender.Document(ctx, l.row.App, id)
}

// DocumentsZip streams all documents as one zip (section 4.19). The caller closes its body.
func (l *Lead) DocumentsZip(ctx context.Context) (*partner.Download, error) {
	if err := l.downloads(ctx, store.TakeDocuments, ""); err != nil {
		return nil, err
	}
	return l.d.Lender.DocumentsZip(ctx, l.row.App)
}

// listed refuses a document that the lender does not list for this very lead: the
// contract promises no such check on its side, and one key opens every application.
func (l *Lead) listed(ctx context.Context, id string) error {
	parts, err := l.d.Store.Parts(ctx, l.row.App)
	if err != nil {
		return err
	}
	known, _, err := openPart[[]journal.KnownDocument](l, parts, store.PartDocuments)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(known, func(d journal.KnownDocument) bool { return d.UUID == id && id != "" }) {
		return nil
	}
	fresh, err := l.d.Lender.Documents(ctx, l.row.App)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(fresh.Value, func(d heloc.Document) bool { return d.UUID == id && id != "" }) {
		return fault.New(fault.NotFound, "The lender lists no such document for this lead.")
	}
	return nil
}

// downloads asks for the right and writes the download down before a byte of it moves.
func (l *Lead) downloads(ctx context.Context, what store.TakeKind, id string) error {
	return l.take(ctx, access.DownloadDocument, store.ActDownload, store.Take{What: what, About: id})
}

// Sheet asks for the right to open the sheet for the borrower, and writes it down.
func (l *Lead) Sheet(ctx context.Context) error {
	return l.take(ctx, access.SeeLead, store.ActSheet, store.Take{What: store.TakeSheet})
}

// take writes down that the person takes something of the lead: in the audit each time,
// and for its originator how often and when last. Who breaks off has taken it all the same.
func (l *Lead) take(ctx context.Context, p access.Permission, act store.Act, t store.Take) error {
	if err := l.d.may(p); err != nil {
		return err
	}
	t.UserID = l.d.Actor.UserID
	detail := string(t.What)
	if t.About != "" {
		detail += ":" + t.About
	}
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.present(ctx, tx, p); err != nil {
			return err
		}
		if err := tx.AddTakes(ctx, t, l.d.Now(), l.row.App); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{
			ActorID: t.UserID, Company: l.row.Company, Action: act, Object: "lead:" + string(l.row.App), Outcome: "allowed", Detail: detail,
		})
	})
}

// here fails when the lead has left the person's reach since it was opened.
func (l *Lead) here(ctx context.Context) error {
	_, err := l.d.Store.Lead(ctx, l.d.Actor.Scope(), l.row.App)
	return err
}
