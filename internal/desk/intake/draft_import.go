package intake

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/crm"
	"hearthline/internal/fault"
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

// LoanImport is a loan file of an LOS, and the form of an inquiry that was open when the user chose it.
type LoanImport struct {
	File    []byte
	DraftID string          // of the open form
	Typed   lead.FormValues // what the open form contained
	Launch  *crm.Launch     // the CRM's record from which the user came; nil outside of embeds
	// Format returns a value in the format of its control.
	Format func(control, value string) string
}

// Import creates a draft of this user from a loan file, and returns its id. It never changes another draft: entries
// that the open form had are saved as its own. Nothing is sent, and the file is not stored. A file that cannot be read
// is fault.Invalid at ImportField, and nothing was saved.
func (d *Drafts) Import(ctx context.Context, in LoanImport) (string, error) {
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
	values, report := importedValues(file, in.Format, d.d.LiveDialect())
	given := lead.FormValues{}
	if in.Launch != nil {
		given = in.Launch.FormattedValues(in.Format)
		lead.FillEmpty(values, given)
	}
	now := d.d.Now()
	if hasEntries(in.Typed, given) {
		saved, err := d.Save(ctx, in.DraftID, in.Typed)
		if err != nil {
			return "", err
		}
		report.SavedBefore = true
		if !now.After(saved) {
			now = saved.Add(time.Millisecond) // a CRM's record opens its latest draft
		}
	}
	id := d.New()
	sealed, err := vault.SealJSON(d.d.Vault, vault.DraftAAD(id), report.With(values.Storable()))
	if err != nil {
		return "", err
	}
	row := newDraft(d.d, id, now)
	row.Sealed, row.UpdatedAt, row.ChangedBy = sealed, store.Millis(now), d.d.Actor.UserID
	return id, d.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveDraft(ctx, row); err != nil {
			return err
		}
		return d.d.AuditAct(ctx, tx, store.ActionDraftImport, "draft:"+id, "done", "")
	})
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

// CloseImportReport removes the report from a draft that came from a loan file.
func (d *Drafts) CloseImportReport(ctx context.Context, id string) error {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return err
	}
	return d.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := d.editable(ctx, tx, id)
		if err != nil {
			return err
		}
		typed, report, err := d.d.UnsealDraft(row)
		if err != nil || report == nil {
			return err
		}
		if row.Sealed, err = vault.SealJSON(d.d.Vault, vault.DraftAAD(id), typed); err != nil {
			return err
		}
		return tx.SaveDraft(ctx, row)
	})
}

// sectionsOf lists the sections of the form that have values, in the order of the form.
func sectionsOf(values lead.FormValues) []string {
	var found []string
	for _, s := range []struct {
		name     string
		prefixes []string
	}{
		{"property", []string{"property.address.", "property.propertyType", "property.ownershipType",
			"property.borrowerEstimatedValue", "amountWanted"}},
		{"borrower", []string{"applicant.name.", "applicant.dob", "applicant.phone", "applicant.email",
			"applicant.homeAddress."}},
		{"income", []string{"applicant.income."}},
		{"liens", []string{"property.liens."}},
	} {
		if slices.ContainsFunc(slices.Collect(maps.Keys(values)), func(name string) bool {
			return slices.ContainsFunc(s.prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
		}) {
			found = append(found, s.name)
		}
	}
	return found
}
