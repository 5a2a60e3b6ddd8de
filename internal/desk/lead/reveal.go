package lead

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// RevealReasons lists the preset reasons, by key.
func RevealReasons() []string {
	return []string{"callback", "identity", "correct", "documents", "lender"}
}

// The reasons that are not chosen from the list.
const (
	reasonTyped    = "typed"
	reasonContact  = "contact"
	ReasonRestart  = "restart"
	reasonPrefill  = "prefill"
	reasonLoanFile = "loan-file"
)

// maxRevealReason is the maximum length of a typed reason.
const maxRevealReason = 200

// RevealReason is why a user reveals borrower details: one of RevealReasons, or a typed reason.
type RevealReason struct{ Preset, Typed string }

func (r RevealReason) check() error {
	typed := strings.TrimSpace(r.Typed)
	switch {
	case r.Preset == "" && typed == "":
		return fault.InvalidField("reason", "Choose a reason. The lead’s originator and their manager can see it")
	case len(typed) > maxRevealReason:
		return fault.InvalidField("reason.typed", "Use at most 200 characters")
	case r.Preset != "" && !slices.Contains(RevealReasons(), r.Preset):
		return fault.InvalidField("reason", "Choose a reason from the list, or describe another")
	}
	return nil
}

// RevealRequest is one reveal of borrower details, before it happens.
type RevealRequest struct {
	Action store.AuditAction
	Fields []string
	Reason string
	typed  string
	// if not zero: no reveal if the user has viewed the same fields for the same reason since this instant
	unlessSince int64
	export      lead.ExportKind // what the details are exported in; "" if they are only shown
}

// Reveal fetches the borrowers of the lead for one response only; they are not stored. Who reveals what, and why, is
// logged and committed before Reveal returns them, so that every reveal is logged.
func (l *Lead) Reveal(ctx context.Context, why RevealReason) (pii.Secret[heloc.Signers], error) {
	none := pii.Secret[heloc.Signers]{}
	if err := l.d.May(access.RevealBorrower); err != nil {
		return none, err
	}
	if err := why.check(); err != nil {
		return none, err
	}
	as := RevealRequest{Action: store.ActionReveal, Fields: []string{"phone", "email", "birth date", "home"},
		Reason: why.Preset, typed: strings.TrimSpace(why.Typed)}
	if as.Reason == "" {
		as.Reason = reasonTyped
	}
	var got heloc.Signers
	err := l.revealAfter(ctx, as, func() error {
		answer, err := l.d.Lender.Signers(ctx, l.d.Row.App)
		got = answer.Value
		return err
	})
	if err != nil {
		return none, err
	}
	return pii.Wrap(got), nil
}

// revealAfter fetches what is revealed and then logs the reveal. If either fails, the caller must not show anything,
// and the lead's log stays as it is; after a failed fetch the audit says that nothing was shown.
func (l *Lead) revealAfter(ctx context.Context, as RevealRequest, fetch func() error) error {
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return l.d.CheckReveals(ctx, tx)
	})
	if err != nil {
		return l.d.RecordLimit(ctx, err)
	}
	if err := fetch(); err != nil {
		return errors.Join(err, l.auditNotShown(ctx, as.Action, as.auditDetail()))
	}
	return l.logReveal(ctx, as)
}

// auditNotShown records that the user asked for something of the borrower's, which could not be shown.
func (l *Lead) auditNotShown(ctx context.Context, action store.AuditAction, detail string) error {
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error { return l.d.Audit(ctx, tx, action, "failed", detail) })
}

func (r RevealRequest) auditDetail() string {
	return "reason:" + r.Reason + " fields:" + strings.Join(r.Fields, ", ")
}

// logReveal logs a reveal, unless the user has made too many.
func (l *Lead) logReveal(ctx context.Context, as RevealRequest) error {
	// A user who closes the browser early counts as having seen the details.
	ctx = context.WithoutCancel(ctx)
	return l.d.RecordLimit(ctx, l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, access.ContactBorrower); err != nil {
			return err
		}
		return LogRevealTx(ctx, tx, l.d, as)
	}))
}

// LogRevealTx logs a reveal like logReveal, in a transaction that has already checked the permission.
func LogRevealTx(ctx context.Context, tx *store.Tx, l core.Lead, as RevealRequest) error {
	now := l.Now()
	id := l.NewID()
	r := lead.Reveal{
		ID: id, App: l.Row.App, UserID: l.Actor.UserID, UserName: l.Actor.Name,
		Fields: strings.Join(as.Fields, ", "), Reason: as.Reason, At: store.Millis(now),
	}
	var err error
	if r.SealedReason, err = l.SealText(vault.RevealReasonAAD(id), as.typed); err != nil {
		return err
	}
	if as.unlessSince != 0 {
		if err := checkNotRevealed(ctx, tx, r, as.unlessSince); err != nil {
			return err
		}
	}
	if err := l.CheckReveals(ctx, tx); err != nil {
		return err
	}
	if err := l.CountUse(ctx, tx, core.UseReveals); err != nil {
		return err
	}
	if err := tx.AddReveal(ctx, r); err != nil {
		return err
	}
	if as.export != "" {
		export := lead.Export{UserID: l.Actor.UserID, Kind: as.export}
		if err := tx.AddExports(ctx, export, now, l.Row.App); err != nil {
			return err
		}
	}
	return l.AuditEvent(ctx, tx, l.NewEvent(lead.EventRevealed, r.Fields), as.Action, "opened", as.auditDetail())
}

// AccessLog lists who opened this lead's page, who revealed its borrower details, and who exported anything from it,
// newest first.
type AccessLog struct {
	Pages   []lead.Viewer
	Reveals []lead.Reveal
	Exports []lead.Export
}

// AccessLogLimit is the maximum number of reveals, and of exports, in an AccessLog: the latest ones.
const AccessLogLimit = 200

// AccessLog reads the access log, for the lead's originator and their manager.
func (l *Lead) AccessLog(ctx context.Context) (log AccessLog, err error) {
	if err := l.d.May(access.SeeAccessLog); err != nil {
		return log, err
	}
	if log.Pages, err = l.d.Store.LeadViewers(ctx, l.d.Row.App); err != nil {
		return log, err
	}
	if log.Exports, err = l.d.Store.Exports(ctx, l.d.Row.App, AccessLogLimit); err != nil {
		return log, err
	}
	if log.Reveals, err = l.d.Store.Reveals(ctx, l.d.Row.App, AccessLogLimit); err != nil {
		return log, err
	}
	for i, r := range log.Reveals {
		if log.Reveals[i].ReasonText, err = l.d.UnsealText(vault.RevealReasonAAD(r.ID), r.SealedReason); err != nil {
			return log, err
		}
	}
	return log, nil
}

// Download is a document that is being streamed. Nothing is buffered. The caller closes its body.
type Download = partner.Download

// download opens a document and then logs it, before the first byte is sent to the user. If either fails, the user gets
// nothing and the lead's log stays as it is; the audit has a document that could not be opened.
func (l *Lead) download(ctx context.Context, p access.Permission, of lead.Export,
	open func() (*partner.Download, error)) (*Download, error) {
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := l.d.ReauthorizeLead(ctx, tx, p); err != nil {
			return err
		}
		return l.d.CountUse(ctx, tx, core.UseDownloads)
	})
	if err != nil {
		return nil, l.d.RecordLimit(ctx, err)
	}
	d, err := open()
	if err != nil {
		return nil, errors.Join(err, l.auditNotShown(ctx, store.ActionDownload, exportDetail(of)))
	}
	if err := l.logExport(ctx, p, store.ActionDownload, of); err != nil {
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
	of := lead.Export{Kind: lead.ExportDocument, About: id}
	return l.download(ctx, access.DownloadDocument, of, func() (*partner.Download, error) {
		return l.d.Lender.Document(ctx, l.d.Row.App, document)
	})
}

// DocumentsZip streams all documents as one zip (section 4.19). The caller closes its body.
func (l *Lead) DocumentsZip(ctx context.Context) (*Download, error) {
	if err := l.d.May(access.DownloadAll); err != nil {
		return nil, err
	}
	of := lead.Export{Kind: lead.ExportDocuments}
	return l.download(ctx, access.DownloadAll, of, func() (*partner.Download, error) {
		return l.d.Lender.DocumentsZip(ctx, l.d.Row.App)
	})
}

// HasDocuments reports whether there are known documents to download.
func (l *Lead) HasDocuments(ctx context.Context) (bool, error) {
	if err := l.d.May(access.DownloadDocument); err != nil {
		return false, err
	}
	part, err := l.d.Store.Part(ctx, l.d.Row.App, lead.PartDocuments)
	if err != nil || part == nil {
		return false, err
	}
	parts := map[lead.Part]store.SealedPart{part.Part: *part}
	known, _, err := core.DecryptPart[[]lead.KnownDocument](l.d, parts, part.Part)
	return len(known) > 0, err
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

// checkNotRevealed returns fault.Conflict if the same user has viewed the same since an instant.
func checkNotRevealed(ctx context.Context, tx *store.Tx, r lead.Reveal, since int64) error {
	all, err := tx.Reveals(ctx, r.App, AccessLogLimit)
	if err != nil {
		return err
	}
	for _, old := range all {
		if old.At >= since && old.UserID == r.UserID && old.Fields == r.Fields {
			return fault.New(fault.Conflict, "You have viewed this already.")
		}
	}
	return nil
}
