package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"hearthline/internal/access"
	"hearthline/internal/desk/crm"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/mismo"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// The control with the loan file, and the size that it can have in bytes.
const (
	ImportField   = "file"
	MaxImportSize = mismo.MaxSize
)

// A review is stored as a ceremony: sealed, for one user, and deleted by the cleanup soon after it expired. Of more
// than maxReviews, the oldest is deleted.
const (
	importReview = "loan-file"
	reviewTime   = time.Hour
	maxReviews   = 10
)

// LoanImport is a loan file of an LOS, and the form of an inquiry that was open when the user chose it.
type LoanImport struct {
	File     []byte
	FileName string          // as the browser sends it
	DraftID  string          // of the open form
	Typed    lead.FormValues // what the open form contained
	Launch   *crm.Launch     // the CRM's record from which the user came; nil outside of embeds
	// Format returns a value in the format of its control.
	Format func(control, value string) string
}

// given returns the values of the CRM's record; none outside of embeds.
func (in LoanImport) given() lead.FormValues {
	if in.Launch == nil {
		return lead.FormValues{}
	}
	return in.Launch.FormattedValues(in.Format)
}

// ReadLoanFile reads a loan file and returns the id of its review. It makes no draft of the file, and the file is not
// stored. Entries that the open form had are saved as their own draft. A file that cannot be read is fault.Invalid at
// ImportField, and nothing was saved.
func (d *Drafts) ReadLoanFile(ctx context.Context, in LoanImport) (string, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return "", err
	}
	if len(in.File) == 0 {
		return "", fault.InvalidField(ImportField, "Choose a MISMO 3.4 file (.xml).")
	}
	file, err := mismo.Read(bytes.NewReader(in.File))
	if err != nil {
		if refused, ok := errors.AsType[*mismo.RefusedError](err); ok {
			return "", fault.InvalidField(ImportField, refused.Sentence)
		}
		return "", err
	}
	given := in.given()
	references := slices.DeleteFunc(d.d.FreeReferences(), func(name string) bool { return given.Value(name) != "" })
	review := reviewOf(file, in.Format, d.d.LiveDialect(), references)
	review.FileName, review.Size = shortFileName(in.FileName), int64(len(in.File))
	if hasEntries(in.Typed, given) {
		if _, err := d.Save(ctx, in.DraftID, in.Typed); err != nil {
			return "", err
		}
		review.SavedBefore = true
	}
	id := d.New()
	hash := d.reviewHash(id)
	sealed, err := vault.SealJSON(d.d.Vault, vault.CeremonyAAD(hash, importReview), review)
	if err != nil {
		return "", err
	}
	return id, d.d.RecordLimit(ctx, d.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := d.d.CountUse(ctx, tx, core.UseDrafts); err != nil {
			return err
		}
		return tx.SaveCeremony(ctx, store.Ceremony{IDHash: hash, Kind: importReview, UserID: d.d.Actor.UserID,
			Sealed: sealed, ExpiresAt: store.Millis(d.d.Now().Add(reviewTime))}, maxReviews)
	}))
}

// reviewHash is the key of a review. It includes the user and the company, so nobody else finds it, and neither does
// the user after moving to another company.
func (d *Drafts) reviewHash(id string) string {
	sum := sha256.Sum256([]byte(id + "\n" + d.d.Actor.UserID + "\n" + d.d.Company()))
	return hex.EncodeToString(sum[:])
}

// shortFileName returns a file's name as it can be shown.
func shortFileName(name string) string {
	name, _ = heloc.MaskSSNs(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name))
	if runes := []rune(name); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return name
}

// hasEntries reports whether a form has entries that its user would miss: any but those that a CRM filled in.
func hasEntries(typed, given lead.FormValues) bool {
	for name := range typed.Storable() {
		value := strings.TrimSpace(typed.Value(name))
		if value != "" && name != lead.HomeIsProperty && value != given.Value(name) {
			return true
		}
	}
	return false
}

// LoanFileReview is a stored review.
type LoanFileReview struct {
	lead.ImportReview
	ExpiresAt time.Time
}

// Review returns the review of a loan file of this user. One that has expired or was discarded is fault.NotFound; of
// one that was used, used is true, and the draft has its id.
func (d *Drafts) Review(ctx context.Context, id string) (review LoanFileReview, used bool, err error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return review, false, err
	}
	stored, err := d.d.Store.Ceremony(ctx, d.reviewHash(id), importReview, d.d.Now())
	if fault.Is(err, fault.NotFound) {
		if _, err := d.editable(ctx, d.d.Store.Queries, id); err == nil || !fault.Is(err, fault.NotFound) {
			return review, err == nil, err
		}
		return review, false, errReviewGone()
	}
	if err != nil {
		return review, false, err
	}
	review.ExpiresAt = store.Instant(stored.ExpiresAt)
	review.ImportReview, err = vault.UnsealJSON[lead.ImportReview](d.d.Vault,
		vault.CeremonyAAD(stored.IDHash, importReview), stored.Sealed)
	return review, false, err
}

// UseReview makes the draft of what the user selected, and deletes the review. The draft gets the review's id. It never
// changes another draft, and nothing is sent. In a CRM's frame, the values of the record fill what is still empty.
func (d *Drafts) UseReview(ctx context.Context, id string, review lead.ImportReview, s lead.ImportSelection,
	in LoanImport) error {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return err
	}
	values, given := review.Values(s), in.given()
	lead.FillEmpty(values, given)
	sealed, err := vault.SealJSON(d.d.Vault, vault.DraftAAD(id), values)
	if err != nil {
		return err
	}
	now := d.d.Now()
	row := newDraft(d.d, id, now)
	row.Sealed, row.UpdatedAt, row.ChangedBy = sealed, store.Millis(now), d.d.Actor.UserID
	return d.d.RecordLimit(ctx, d.d.Store.Write(ctx, func(tx *store.Tx) error {
		first, err := tx.EndCeremony(ctx, d.reviewHash(id), importReview)
		if err != nil || !first {
			return err // the same form again: the draft exists
		}
		if err := d.d.CountUse(ctx, tx, core.UseDrafts); err != nil {
			return err
		}
		if err := tx.SaveDraft(ctx, row); err != nil {
			return err
		}
		return d.d.AuditAction(ctx, tx, store.ActionDraftImport, "draft:"+id, "done", "")
	}))
}

// errReviewGone is the error for a review that no longer exists or belongs to another user.
func errReviewGone() error {
	return fault.New(fault.NotFound, "This review is no longer available. A review is deleted when it’s used or "+
		"discarded, and after an hour. Choose the file again in New inquiry.")
}

// DiscardReview deletes a review; fault.NotFound without one.
func (d *Drafts) DiscardReview(ctx context.Context, id string) error {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return err
	}
	return d.d.Store.Write(ctx, func(tx *store.Tx) error {
		first, err := tx.EndCeremony(ctx, d.reviewHash(id), importReview)
		if err == nil && !first {
			err = errReviewGone()
		}
		return err
	})
}
