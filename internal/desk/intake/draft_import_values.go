package intake

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/mismo"
)

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
	im.borrower(f)
	im.property(f)
	im.income(f.Income)
	for i, l := range f.Liens {
		at := "property.liens." + strconv.Itoa(i) + "."
		im.text(at+"lenderName", l.Holder, heloc.NormalizeLender)
		im.money(at+"currentBalance", l.Balance)
		im.money(at+"monthlyPayment", l.Payment)
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

func (im importer) borrower(f mismo.File) {
	b := f.Borrower
	im.text("applicant.name.firstName", b.First, heloc.NormalizeName)
	im.text("applicant.name.middleName", b.Middle, heloc.NormalizeName)
	im.text("applicant.name.lastName", b.Last, heloc.NormalizeName)
	im.choice("applicant.name.prefix", b.Prefix)
	im.suffix(b.Suffix)
	im.date("applicant.dob", b.BirthDate)
	im.formatted("applicant.phone", b.Phone, heloc.NormalizePhone)
	im.text("applicant.email", b.Email, heloc.NormalizeEmail)
	if f.Property.Usage == heloc.PropertyPrimary && sameAddress(b.Home, f.Property.Address) {
		im.values[lead.HomeIsProperty] = []string{"true"}
	} else { // without a home in the file, nothing says where it is: the occupancy may be that after a purchase
		im.address("applicant.homeAddress", b.Home)
	}
}

func (im importer) property(f mismo.File) {
	im.address("property.address", f.Property.Address)
	im.choice("property.propertyType", string(f.Property.Usage))
	im.choice("property.ownershipType", string(f.Property.Ownership))
	im.money("property.borrowerEstimatedValue", f.Property.Value)
	im.money("amountWanted", f.Requested)
}

// income fills in the amounts. The file does not say whether somebody works full time, so the only employment that it
// can tell is self-employment.
func (im importer) income(in mismo.Income) {
	if in.SelfEmployed {
		im.choice("applicant.income.employmentType", string(heloc.EmploymentSelfEmployed))
	}
	im.money("applicant.income.grossAnnualIncome", in.Gross)
	im.money("applicant.income.otherAnnualIncome", in.Other)
	im.money("applicant.income.annualRetirementIncome", in.Retirement)
	im.money("applicant.income.annualInvestmentIncome", in.Investment)
	im.money("applicant.income.annualBusinessIncome", in.Business)
}

func (im importer) address(group string, a heloc.Address) {
	im.text(group+".street1", a.Street1, heloc.NormalizeStreet)
	im.text(group+".street2", a.Street2, heloc.NormalizeStreet)
	im.text(group+".city", a.City, heloc.NormalizeCity)
	im.choice(group+".state", a.State)
	im.formatted(group+".zip", a.ZIP, heloc.NormalizeZIP)
}

// normalized returns a value as it is sent. It lists a control that does not accept it.
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

// text fills in a text as it is in the file; the form shows how it is sent.
func (im importer) text(control, value string, normalize func(string) heloc.Normalized) {
	if im.normalized(control, value, normalize).OK {
		im.values[control] = []string{value}
	}
}

// formatted fills in a phone number or a ZIP code as people write it. One of which something was removed is filled in
// as it is in the file, so that the form shows what.
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

func (im importer) money(control string, m *heloc.Money) {
	if m != nil {
		im.values[control] = []string{strings.TrimSuffix(m.String(), ".00")}
	}
}

// sameAddress reports whether two addresses are written alike, but for case and punctuation.
func sameAddress(a, b heloc.Address) bool {
	fold := func(a heloc.Address) string {
		zip := heloc.NormalizeZIP(a.ZIP).Sent
		return heloc.FoldForSearch(a.Street1 + " " + a.Street2 + " " + zip[:min(len(zip), 5)])
	}
	return a.Street1 != "" && fold(a) == fold(b)
}
