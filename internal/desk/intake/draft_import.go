package intake

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
	return id, d.d.RecordLimit(ctx, d.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := d.d.CountUse(ctx, tx, core.UseDrafts); err != nil {
			return err
		}
		if err := tx.SaveDraft(ctx, row); err != nil {
			return err
		}
		return d.d.AuditAction(ctx, tx, store.ActionDraftImport, "draft:"+id, "done", "")
	}))
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
		row, err := d.editable(ctx, tx.Queries, id)
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

// importer fills the controls of the form from a loan file. Values follow the rules for typed ones: what the lender
// would not accept is not filled in, and its control is listed.
type importer struct {
	values   lead.FormValues
	unusable map[string]string // the reason by control; "" for no particular one
	format   func(control, value string) string
	live     bool
}

// importedValues returns a file's values by control, and the report without what else was saved.
func importedValues(f mismo.File, format func(control, value string) string, live bool) (lead.FormValues,
	*lead.ImportReport) {
	im := importer{values: lead.FormValues{}, unusable: map[string]string{}, format: format, live: live}
	var p mismo.Property
	if len(f.Properties) == 1 {
		p = f.Properties[0]
	}
	if f.Applicant >= 0 {
		im.borrower(f.Borrowers[f.Applicant], p)
		im.income(f.Borrowers[f.Applicant])
	}
	im.property(f, p)
	for _, u := range f.Unusable {
		if control := unusableControls[u.Field]; control != "" && u.Borrower == f.Applicant {
			im.unusable[control] = u.Reason
		}
	}
	row := 0
	for _, l := range f.Liens {
		if l.Why != "" {
			continue
		}
		at := "property.liens." + strconv.Itoa(row) + "."
		im.text(at+"lenderName", l.Holder.Value, heloc.NormalizeLender)
		im.money(at+"currentBalance", l.Balance)
		im.money(at+"monthlyPayment", l.Payment)
		row++
	}
	report := &lead.ImportReport{Sections: sectionsOf(im.values), Liens: im.liens(),
		Unusable: slices.Sorted(maps.Keys(im.unusable))}
	for _, control := range report.Unusable {
		report.Reasons = append(report.Reasons, im.unusable[control])
	}
	for _, u := range f.Unused {
		report.Unused = append(report.Unused, u.String())
	}
	return im.values, report
}

// unusableControls are the controls of values that the reader itself could not use.
var unusableControls = map[string]string{"First name": "applicant.name.firstName",
	"Middle name": "applicant.name.middleName", "Last name": "applicant.name.lastName", "Date of birth": "applicant.dob",
	"Phone": "applicant.phone", "Email": "applicant.email"}

// liens counts the rows of liens that have a value.
func (im importer) liens() int {
	rows := map[string]bool{}
	for name := range im.values {
		if rest, ok := strings.CutPrefix(name, "property.liens."); ok {
			row, _, _ := strings.Cut(rest, ".")
			rows[row] = true
		}
	}
	return len(rows)
}

func (im importer) borrower(b mismo.Borrower, p mismo.Property) {
	im.text("applicant.name.firstName", b.First.Value, heloc.NormalizeName)
	im.text("applicant.name.middleName", b.Middle.Value, heloc.NormalizeName)
	im.text("applicant.name.lastName", b.Last.Value, heloc.NormalizeName)
	im.choice("applicant.name.prefix", b.Prefix.Value)
	im.suffix(b.Suffix.Value)
	im.date("applicant.dob", b.BirthDate.Value)
	if len(b.Phones) > 0 {
		im.formatted("applicant.phone", b.Phones[0].Value, heloc.NormalizePhone)
	}
	if len(b.Emails) > 0 {
		im.text("applicant.email", b.Emails[0].Value, heloc.NormalizeEmail)
	}
	at := slices.IndexFunc(b.Addresses, func(a mismo.Address) bool { return a.Kind == mismo.AddressHome })
	if at < 0 {
		return // nothing says where the home is: the occupancy may be that after a purchase
	}
	home := b.Addresses[at].Value
	if p.Usage.Value == heloc.PropertyPrimary && sameAddress(home, p.Address.Value) {
		im.values[lead.HomeIsProperty] = []string{"true"}
	} else {
		im.address("applicant.homeAddress", home)
	}
}

func (im importer) property(f mismo.File, p mismo.Property) {
	im.address("property.address", p.Address.Value)
	im.choice("property.propertyType", string(p.Usage.Value))
	im.choice("property.ownershipType", string(f.Title.Ownership))
	im.money("property.borrowerEstimatedValue", p.Value())
	im.money("amountWanted", f.Requested)
}

// income fills in the amounts. The file does not say whether somebody works full time, so the only employment that it
// can tell is self-employment.
func (im importer) income(b mismo.Borrower) {
	if b.SelfEmployed != nil && b.SelfEmployed.Value {
		im.choice("applicant.income.employmentType", string(heloc.EmploymentSelfEmployed))
	}
	for kind, control := range map[mismo.IncomeKind]string{mismo.IncomeGross: "grossAnnualIncome",
		mismo.IncomeOther: "otherAnnualIncome", mismo.IncomeRetirement: "annualRetirementIncome",
		mismo.IncomeInvestment: "annualInvestmentIncome", mismo.IncomeBusiness: "annualBusinessIncome"} {
		var sum mismo.Amount
		for _, in := range b.Incomes {
			if in.Kind == kind {
				sum.Value += in.Yearly
			}
		}
		if sum.Value > 0 {
			im.money("applicant.income."+control, &sum)
		}
	}
}

func (im importer) address(group string, a heloc.Address) {
	im.text(group+".street1", a.Street1, heloc.NormalizeStreet)
	im.text(group+".street2", a.Street2, heloc.NormalizeStreet)
	im.text(group+".city", a.City, heloc.NormalizeCity)
	im.choice(group+".state", a.State)
	im.formatted(group+".zip", a.ZIP, heloc.NormalizeZIP)
}

// normalized returns a value as it will be sent. It records each control that does not accept its value.
func (im importer) normalized(control, value string, normalize func(string) heloc.Normalized) heloc.Normalized {
	if value == "" {
		return heloc.Normalized{}
	}
	n := normalize(value)
	if !n.OK {
		im.unusable[control] = n.Problem
	}
	return n
}

// text fills in the file's text unchanged; the form shows how it will be sent.
func (im importer) text(control, value string, normalize func(string) heloc.Normalized) {
	if im.normalized(control, value, normalize).OK {
		im.values[control] = []string{value}
	}
}

// formatted fills in a phone number or a ZIP code in its usual format. If normalizing would remove something, it fills
// in the file's value, so that the form shows what is removed.
func (im importer) formatted(control, value string, normalize func(string) heloc.Normalized) {
	switch n := im.normalized(control, value, normalize); {
	case n.OK && n.Changed == "":
		im.values[control] = []string{heloc.FormatPhone(n.Sent)}
	case n.OK:
		im.values[control] = []string{value}
	}
}

// choice fills in a value of a control with a fixed list.
func (im importer) choice(control, value string) {
	if value == "" {
		return
	}
	if value, ok := lead.ControlValue(control, value, im.live); ok {
		im.values[control] = []string{value}
		return
	}
	im.unusable[control] = ""
}

// suffix fills in one of the suffixes that the form offers.
func (im importer) suffix(value string) {
	const control = "applicant.name.suffix"
	bare := strings.TrimSuffix(strings.TrimSpace(value), ".")
	for _, known := range []string{"Jr", "Sr", "II", "III", "IV"} {
		if strings.EqualFold(bare, known) {
			im.values[control] = []string{known}
			return
		}
	}
	if bare != "" {
		im.unusable[control] = ""
	}
}

func (im importer) date(control, value string) {
	if value == "" {
		return
	}
	d, err := heloc.ParseDate(value)
	if err != nil {
		im.unusable[control] = ""
		return
	}
	im.values[control] = []string{im.format(control, string(d))}
}

func (im importer) money(control string, m *mismo.Amount) {
	if m != nil {
		im.values[control] = []string{strings.TrimSuffix(m.Value.String(), ".00")}
	}
}

// sameAddress reports whether two addresses are the same except for case and punctuation.
func sameAddress(a, b heloc.Address) bool {
	fold := func(a heloc.Address) string {
		zip := heloc.NormalizeZIP(a.ZIP).Sent
		return heloc.FoldForSearch(a.Street1 + " " + a.Street2 + " " + zip[:min(len(zip), 5)])
	}
	return a.Street1 != "" && fold(a) == fold(b)
}
