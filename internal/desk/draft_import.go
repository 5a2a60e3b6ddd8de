package desk

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
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
	DraftID string     // of the open form
	Typed   FormValues // what the open form contained
	Launch  *CRMLaunch // the CRM's record from which the user came; nil outside of embeds
	// Format returns a value in the format of its control, as for IntakeRequest.
	Format func(control, value string) string
}

// ImportReport is what was taken from a loan file, and what was not. It has no value of the file in it, and is stored
// with the draft until the user closes it.
type ImportReport struct {
	Sections    []string // sections of the form that have values of the file: "property", "borrower", "income", "liens"
	Liens       int
	Unusable    []string // controls that do not accept the value in the file
	Reasons     []string // why, in the same order: "“%” can’t be used"; "" for no particular character
	Unused      []string // groups of values that the form does not ask for: "Assets (4 accounts)"
	SavedBefore bool     // the open form had entries, which are saved as their own draft
}

// Import creates a draft of this user from a loan file, and returns its id. It never changes another draft: entries
// that the open form had are saved as its own. Nothing is sent, and the file is not stored. A file that cannot be read
// is fault.Invalid at ImportField, and nothing was saved.
func (ds *Drafts) Import(ctx context.Context, in LoanImport) (string, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return "", err
	}
	if len(in.File) == 0 {
		return "", fault.InvalidFields(fault.Field{Name: ImportField, Message: "Choose a MISMO 3.4 file (.xml)."})
	}
	file, err := mismo.Read(bytes.NewReader(in.File))
	if err != nil {
		if refused, ok := errors.AsType[*mismo.RefusedError](err); ok {
			return "", fault.InvalidFields(fault.Field{Name: ImportField, Message: refused.Sentence})
		}
		return "", err
	}
	values, report := importedValues(file, in.Format, ds.d.LiveDialect())
	given := FormValues{}
	if in.Launch != nil {
		given = in.Launch.formattedValues(in.Format)
		fillEmpty(values, given)
	}
	now := ds.d.now()
	if hasEntries(in.Typed, given) {
		saved, err := ds.Save(ctx, in.DraftID, in.Typed)
		if err != nil {
			return "", err
		}
		report.SavedBefore = true
		if !now.After(saved) {
			now = saved.Add(time.Millisecond) // a CRM's record opens its latest draft
		}
	}
	id := ds.New()
	sealed, err := vault.SealJSON(ds.d.vault, vault.DraftAAD(id), report.with(values.storable()))
	if err != nil {
		return "", err
	}
	row := ds.newRow(id, now)
	row.Sealed, row.UpdatedAt, row.ChangedBy = sealed, store.Millis(now), ds.d.Actor.UserID
	return id, ds.d.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveDraft(ctx, row); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			At: store.Millis(ds.d.now()), ActorID: ds.d.Actor.UserID, Company: ds.d.company(), Action: store.ActionDraftImport, Object: "draft:" + id, Outcome: "done",
		})
	})
}

// hasEntries reports whether a form has entries that its user would miss: any but those that a CRM filled in.
func hasEntries(typed, given FormValues) bool {
	for name := range typed.storable() {
		value := strings.TrimSpace(typed.Value(name))
		if value != "" && name != HomeIsProperty && value != given.Value(name) {
			return true
		}
	}
	return false
}

// formattedValues returns the CRM's values as the form shows them.
func (r *CRMLaunch) formattedValues(formatValue func(control, value string) string) FormValues {
	given, _ := r.crmValues()
	for name := range given {
		given[name] = []string{formatValue(name, given.Value(name))}
	}
	return given
}

// CloseImportReport removes the report from a draft that came from a loan file.
func (ds *Drafts) CloseImportReport(ctx context.Context, id string) error {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return err
	}
	return ds.d.store.Write(ctx, func(tx *store.Tx) error {
		row, err := ds.editable(ctx, tx, id)
		if err != nil {
			return err
		}
		typed, report, err := ds.d.unsealDraft(row)
		if err != nil || report == nil {
			return err
		}
		if row.Sealed, err = vault.SealJSON(ds.d.vault, vault.DraftAAD(id), typed); err != nil {
			return err
		}
		return tx.SaveDraft(ctx, row)
	})
}

// The keys under which a report is stored with a draft's values. No control has such a name, so no form can set them.
const (
	importPrefix      = "import."
	importSections    = importPrefix + "sections"
	importLiens       = importPrefix + "liens"
	importUnusable    = importPrefix + "unusable"
	importReasons     = importPrefix + "reasons"
	importUnused      = importPrefix + "unused"
	importSavedBefore = importPrefix + "savedBefore"
)

// with adds the report to a draft's values; nil adds nothing.
func (r *ImportReport) with(values FormValues) FormValues {
	if r == nil {
		return values
	}
	values[importSections], values[importUnusable], values[importReasons], values[importUnused] = r.Sections, r.Unusable, r.Reasons, r.Unused
	values[importLiens], values[importSavedBefore] = []string{strconv.Itoa(r.Liens)}, []string{strconv.FormatBool(r.SavedBefore)}
	return values
}

// unsealDraft decrypts a draft, and separates the report of its import from the values; nil for none.
func (b *backend) unsealDraft(row store.Draft) (FormValues, *ImportReport, error) {
	typed, err := vault.UnsealJSON[FormValues](b.vault, vault.DraftAAD(row.ID), row.Sealed)
	if err != nil || typed[importLiens] == nil {
		return typed, nil, err
	}
	liens, err := strconv.Atoi(typed.Value(importLiens))
	report := &ImportReport{
		Sections: typed[importSections], Liens: liens, Unusable: typed[importUnusable], Reasons: typed[importReasons], Unused: typed[importUnused], SavedBefore: typed.Value(importSavedBefore) == "true",
	}
	maps.DeleteFunc(typed, func(name string, _ []string) bool { return strings.HasPrefix(name, importPrefix) })
	return typed, report, err
}

// sectionsOf lists the sections of the form that have values, in the order of the form.
func sectionsOf(values FormValues) []string {
	var found []string
	for _, s := range []struct {
		name     string
		prefixes []string
	}{
		{"property", []string{"property.address.", "property.propertyType", "property.ownershipType", "property.borrowerEstimatedValue", "amountWanted"}},
		{"borrower", []string{"applicant.name.", "applicant.dob", "applicant.phone", "applicant.email", "applicant.homeAddress."}},
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
