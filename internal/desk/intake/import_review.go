package intake

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/mismo"
)

// maxReviewRows is how many rows a review has at most; a loan file with several borrowers has about fifty.
const maxReviewRows = 300

// reviewer makes the rows of a review. Values follow the rules for typed ones: what the lender would not accept cannot
// be used, and is listed with the reason.
type reviewer struct {
	file   mismo.File
	review *lead.ImportReview
	format func(control, value string) string
	live   bool
	cut    int // rows that were left out
}

// reviewOf returns what a file says and what a draft would take of it; references are the controls that can take the
// LOS's number. The reader has dropped every SSN.
func reviewOf(f mismo.File, format func(control, value string) string, live bool,
	references []string) *lead.ImportReview {
	rv := &reviewer{file: f, format: format, live: live, review: &lead.ImportReview{
		Version: f.Version, Encoding: f.Encoding, LoanNumber: f.LoanNumber.Value,
	}}
	rv.choices()
	for i, b := range f.Borrowers {
		rv.borrower(i, b)
	}
	for i, p := range f.Properties {
		rv.property(i, p)
	}
	rv.loan()
	for i, l := range f.Liens {
		rv.lien(i, l)
	}
	if control := losReference; f.LoanNumber.Value != "" && slices.Contains(references, control) {
		rv.add(lead.ImportRow{Key: "reference", Section: lead.ImportReference, Label: "LOS loan number",
			Of: lead.AnyOption, Says: f.LoanNumber.Says, Place: f.LoanNumber.Place, Draft: f.LoanNumber.Value, Checked: true,
			Why: "Goes into “Your reference”.", Values: lead.FormValues{control: {f.LoanNumber.Value}}})
	}
	for _, u := range f.Unusable {
		rv.unusable(u.Field, u.Borrower, u.Source, u.Reason)
	}
	for _, u := range f.Unused {
		rv.review.Unused = append(rv.review.Unused, lead.ImportUnused{Label: u.String(),
			Says: strings.Join(u.Words, " · "), Values: u.Values})
	}
	if rv.cut > 0 {
		rv.review.Unused = append(rv.review.Unused, lead.ImportUnused{Values: rv.cut,
			Label: "Rows beyond the first " + strconv.Itoa(maxReviewRows)})
	}
	return rv.review
}

// losReference is the control of the reference that takes the LOS's number.
const losReference = "partnerDataRequest.externalReferenceId"

func (rv *reviewer) add(row lead.ImportRow) {
	if len(rv.review.Rows) >= maxReviewRows {
		rv.cut++
		return
	}
	row.Checked = row.Checked && row.Usable()
	rv.review.Rows = append(rv.review.Rows, row)
}

// unusable lists a value that the form cannot take, with the borrower's name where there are several.
func (rv *reviewer) unusable(label string, borrower int, from mismo.Source, reason string) {
	reason = cmp.Or(reason, unusableReasons[label], "The form can’t take this value.")
	if borrower >= 0 && borrower < len(rv.file.Borrowers) && len(rv.file.Borrowers) > 1 {
		label += " of " + nameOf(rv.file.Borrowers[borrower])
	}
	rv.review.Unusable = append(rv.review.Unusable,
		lead.ImportUnusable{Of: borrower, Label: label, Says: from.Says, Place: from.Place, Reason: reason})
}

// unusableReasons say what is wrong with a value when no single character is to blame.
var unusableReasons = map[string]string{
	"Phone": "It isn’t a 10-digit phone number.", "ZIP code": "It isn’t a 5-digit or 9-digit ZIP code.",
	"State": "It isn’t a state.", "Email": "It isn’t an email address.", "Date of birth": "It isn’t a date.",
	"Suffix": "The form allows only Jr, Sr, II, III and IV.",
}

// choices are the borrowers and the properties. One alone needs no choice.
func (rv *reviewer) choices() {
	f, r := rv.file, rv.review
	r.Applicants.Chosen, r.Properties.Chosen = f.Applicant, -1
	if len(f.Properties) == 1 {
		r.Properties.Chosen = 0
	}
	for i, b := range f.Borrowers {
		var notes []string
		if b.Company {
			notes = append(notes, "company")
		}
		if b.Role != "" {
			notes = append(notes, strings.ToLower(wordsOf(b.Role)))
		}
		if b.Classification != "" {
			notes = append(notes, "classified "+b.Classification)
		}
		if b.Sequence > 0 {
			notes = append(notes, "sequence "+strconv.Itoa(b.Sequence))
		}
		if d, err := heloc.ParseDate(b.BirthDate.Value); err == nil {
			notes = append(notes, "born "+rv.format("applicant.dob", string(d)))
		}
		if rv.livesAtProperty(b) {
			notes = append(notes, "lives at the property")
		}
		label := nameOf(b)
		if label == "" {
			label = "Borrower " + strconv.Itoa(i+1)
		}
		r.Applicants.Options = append(r.Applicants.Options,
			lead.ImportOption{Label: label, Note: strings.Join(notes, " · ")})
	}
	for i, p := range f.Properties {
		label := lineOf(p.Address.Value)
		if label == "" {
			label = "Property " + strconv.Itoa(i+1)
		}
		r.Properties.Options = append(r.Properties.Options, lead.ImportOption{Label: label, Note: p.Usage.Says})
	}
}

func nameOf(b mismo.Borrower) string {
	parts := strings.Join(strings.Fields(b.First.Value+" "+b.Middle.Value+" "+b.Last.Value+" "+b.Suffix.Value), " ")
	if parts == "" {
		return b.Full.Value
	}
	return parts
}

// lineOf is an address in one line; "" for none.
func lineOf(a heloc.Address) string {
	return withCommas(strings.TrimSpace(a.Street1+" "+a.Street2), a.City, strings.TrimSpace(a.State+" "+a.ZIP))
}

func withCommas(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// livesAtProperty reports whether the file says that a borrower's current home is the only subject property.
func (rv *reviewer) livesAtProperty(b mismo.Borrower) bool {
	return slices.ContainsFunc(b.Addresses, rv.isHomeAtProperty)
}

func (rv *reviewer) isHomeAtProperty(a mismo.Address) bool {
	return len(rv.file.Properties) == 1 && a.Kind == mismo.AddressHome &&
		rv.file.Properties[0].Usage.Value == heloc.PropertyPrimary &&
		sameAddress(a.Value, rv.file.Properties[0].Address.Value)
}

// sameAddress reports whether two addresses are the same except for case and punctuation.
func sameAddress(a, b heloc.Address) bool {
	fold := func(a heloc.Address) string {
		zip := heloc.NormalizeZIP(a.ZIP).Sent
		return heloc.FoldForSearch(a.Street1 + " " + a.Street2 + " " + zip[:min(len(zip), 5)])
	}
	return a.Street1 != "" && fold(a) == fold(b)
}

// entry collects the values of one row.
type entry struct {
	rv       *reviewer
	borrower int
	from     mismo.Source
	values   lead.FormValues
	draft    []string
	changed  []string
}

func (rv *reviewer) entry(borrower int, from mismo.Source) *entry {
	return &entry{rv: rv, borrower: borrower, from: from, values: lead.FormValues{}}
}

// text takes a value of the file unchanged; the form shows how it will be sent, and so does the review.
func (e *entry) text(control, label, value string, normalize func(string) heloc.Normalized) {
	if value == "" {
		return
	}
	n := normalize(value)
	if !n.OK {
		e.refuse(label, n.Problem)
		return
	}
	e.values[control] = []string{value}
	e.draft = append(e.draft, strings.TrimSpace(value))
	switch {
	case n.Changed != "":
		e.changed = append(e.changed, n.Changed)
	case n.Sent != strings.TrimSpace(value):
		e.changed = append(e.changed, "Sent as “"+n.Sent+"”")
	}
}

// fact takes a text that has its own place in the file.
func (e *entry) fact(control, label string, t mismo.Text, normalize func(string) heloc.Normalized) {
	from := e.from
	e.from = t.Source
	e.text(control, label, t.Value, normalize)
	e.from = from
}

// formatted takes a phone number or a ZIP code in its usual format. If normalizing removed something, it takes the
// file's value, so that the form shows what is removed.
func (e *entry) formatted(control, label, value string, normalize func(string) heloc.Normalized) {
	if value == "" {
		return
	}
	n := normalize(value)
	if !n.OK {
		e.refuse(label, n.Problem)
		return
	}
	shown := heloc.FormatPhone(n.Sent)
	e.values[control], e.draft = []string{shown}, append(e.draft, shown)
	if n.Changed != "" {
		e.values[control], e.changed = []string{value}, append(e.changed, n.Changed)
	}
}

// choice takes a value of a control with a fixed list.
func (e *entry) choice(control, label, value string) {
	if value == "" {
		return
	}
	known, ok := lead.ControlValue(control, value, e.rv.live)
	if !ok {
		e.refuse(label, "")
		return
	}
	e.values[control], e.draft = []string{known}, append(e.draft, known)
}

func (e *entry) refuse(label, reason string) { e.rv.unusable(label, e.borrower, e.from, reason) }

func (e *entry) address(group string, a heloc.Address) {
	e.text(group+".street1", "Street", a.Street1, heloc.NormalizeStreet)
	e.text(group+".street2", "Unit", a.Street2, heloc.NormalizeStreet)
	street := strings.Join(e.draft, " ")
	e.draft = nil
	e.text(group+".city", "City", a.City, heloc.NormalizeCity)
	city := strings.Join(e.draft, "")
	e.draft = nil
	e.choice(group+".state", "State", a.State)
	e.formatted(group+".zip", "ZIP code", a.ZIP, heloc.NormalizeZIP)
	e.draft = []string{withCommas(street, city, strings.Join(e.draft, " "))}
}

// row adds the row of an entry that has values; the caller has set what else is in it.
func (e *entry) row(row lead.ImportRow) {
	if len(e.values) == 0 {
		return
	}
	row.Says, row.Place, row.Values = e.from.Says, e.from.Place, e.values
	if row.Draft == "" {
		row.Draft = strings.Join(e.draft, " ")
	}
	if row.Why == "" {
		row.Why = strings.Join(slices.Compact(e.changed), ". ")
	}
	e.rv.add(row)
}

func (rv *reviewer) borrower(i int, b mismo.Borrower) {
	rv.name(i, b)
	at, only := strconv.Itoa(i), lead.ImportRow{Section: lead.ImportApplicant, Of: i, Checked: true}
	if b.BirthDate.Value != "" {
		e := rv.entry(i, b.BirthDate.Source)
		if d, err := heloc.ParseDate(b.BirthDate.Value); err == nil {
			shown := rv.format("applicant.dob", string(d))
			e.values["applicant.dob"], e.draft = []string{shown}, []string{shown}
		} else {
			e.refuse("Date of birth", "")
		}
		row := only
		row.Key, row.Label = "dob."+at, "Date of birth"
		e.row(row)
	}
	contacts := func(all []mismo.Contact, control, label string, take func(e *entry, value string)) {
		for n, c := range all {
			e := rv.entry(i, c.Source)
			take(e, c.Value)
			row := only
			row.Key, row.Label, row.Note, row.Group = control+"."+at+"."+strconv.Itoa(n), label, c.Kind, control
			row.Checked = !slices.ContainsFunc(rv.review.Rows, func(r lead.ImportRow) bool {
				return r.Of == i && r.Group == control && r.Checked
			})
			if !row.Checked {
				row.Why = "To use this one, uncheck the one above."
			}
			e.row(row)
		}
	}
	contacts(b.Phones, "applicant.phone", "Phone", func(e *entry, value string) {
		e.formatted("applicant.phone", "Phone", value, heloc.NormalizePhone)
	})
	contacts(b.Emails, "applicant.email", "Email", func(e *entry, value string) {
		e.text("applicant.email", "Email", value, heloc.NormalizeEmail)
	})
	if b.SSNProblem != "" {
		rv.unusable("SSN", i, mismo.Source{Says: "XXX-XX-XXXX", Place: b.Place}, b.SSNProblem)
	}
	rv.incomes(i, b)
	rv.addresses(i, b)
}

func (rv *reviewer) name(i int, b mismo.Borrower) {
	whole := b.Full.Source
	var words []string
	for _, part := range []mismo.Text{b.Prefix, b.First, b.Middle, b.Last, b.Suffix} {
		if part.Says != "" {
			words, whole.Place = append(words, part.Says), cmp.Or(whole.Place, part.Place)
		}
	}
	whole.Says = cmp.Or(strings.Join(words, " "), b.Full.Says)
	row := lead.ImportRow{Key: "name." + strconv.Itoa(i), Section: lead.ImportApplicant, Of: i, Label: "Name",
		Checked: true}
	if b.Full.Says != "" && b.Full.Says != whole.Says {
		row.Also = "Full name: " + b.Full.Says
	}
	e := rv.entry(i, b.Prefix.Source)
	e.choice("applicant.name.prefix", "Prefix", b.Prefix.Value)
	e.fact("applicant.name.firstName", "First name", b.First, heloc.NormalizeName)
	e.fact("applicant.name.middleName", "Middle name", b.Middle, heloc.NormalizeName)
	e.fact("applicant.name.lastName", "Last name", b.Last, heloc.NormalizeName)
	e.from = b.Suffix.Source
	e.suffix(b.Suffix.Value)
	if e.from = whole; b.Company {
		e.refuse("Name", "The applicant can’t be a company.")
	} else if len(e.values) == 0 && b.Full.Value != "" {
		e.refuse("Name", "The file has only a full name. Enter the first and last name in the form.")
	}
	e.row(row)
}

// suffix takes one of the suffixes that the form offers.
func (e *entry) suffix(value string) {
	bare := strings.TrimSuffix(strings.TrimSpace(value), ".")
	if bare == "" {
		return
	}
	for _, known := range []string{"Jr", "Sr", "II", "III", "IV"} {
		if strings.EqualFold(bare, known) {
			e.values["applicant.name.suffix"], e.draft = []string{known}, append(e.draft, known)
			return
		}
	}
	e.refuse("Suffix", "")
}

// The names of the kinds of income, and the controls that they add to.
var (
	incomeNotes = map[mismo.IncomeKind]string{mismo.IncomeGross: "Employed", mismo.IncomeBusiness: "Self-employed",
		mismo.IncomeRetirement: "Retirement", mismo.IncomeInvestment: "Investment", mismo.IncomeOther: "Other income",
		mismo.IncomeSupport: "Support"}
	incomeControls = map[mismo.IncomeKind]string{mismo.IncomeGross: "grossAnnualIncome",
		mismo.IncomeBusiness: "annualBusinessIncome", mismo.IncomeRetirement: "annualRetirementIncome",
		mismo.IncomeInvestment: "annualInvestmentIncome", mismo.IncomeOther: "otherAnnualIncome",
		mismo.IncomeSupport: "otherAnnualIncome"}
)

// incomes are a row for each employer and kind. The file does not say whether somebody works full time, so the only
// employment that it can tell is self-employment.
func (rv *reviewer) incomes(i int, b mismo.Borrower) {
	at := strconv.Itoa(i)
	for n, in := range b.Incomes {
		row := lead.ImportRow{Key: "income." + at + "." + strconv.Itoa(n), Section: lead.ImportIncome, Of: i,
			Label: in.Employer.Value, Note: incomeNotes[in.Kind], Says: in.Says, Place: in.Place, Why: in.Why, Checked: true}
		if len(in.Items) > 1 {
			row.Says = itemsOf(in.Items)
		}
		if row.Label == "" {
			if row.Label, row.Note = row.Note, ""; len(in.Items) > 0 && in.Items[0].Type != "" {
				row.Label, row.Note = wordsOf(in.Items[0].Type), row.Label
			}
		}
		if in.Kind == mismo.IncomeSupport {
			row.Checked, row.Why = false, "Check it only if the borrower wants it considered."
		}
		if control := incomeControls[in.Kind]; control != "" && in.Yearly > 0 {
			row.Amounts = map[string]heloc.Money{"applicant.income." + control: in.Yearly}
			row.Draft = "$" + lead.ImportAmount(in.Yearly) + " per year"
		}
		rv.add(row)
	}
	if s := b.SelfEmployed; s != nil && s.Value {
		e := rv.entry(i, s.Source)
		e.choice("applicant.income.employmentType", "Employment", string(heloc.EmploymentSelfEmployed))
		e.row(lead.ImportRow{Key: "employment." + at, Section: lead.ImportIncome, Of: i, Label: "Employment", Checked: true})
	}
	for n, a := range rv.file.Assets {
		if !a.Savings || a.Value <= 0 || len(a.Borrowers) > 0 && !slices.Contains(a.Borrowers, i) {
			continue
		}
		row := lead.ImportRow{Key: "savings." + at + "." + strconv.Itoa(n), Section: lead.ImportIncome, Of: i,
			Label: wordsOf(a.Type), Note: a.Holder, Says: a.Says, Place: a.Place, Draft: "$" + lead.ImportAmount(a.Value),
			Amounts: map[string]heloc.Money{"applicant.income.savingsAmount": a.Value},
			Checked: len(a.Borrowers) > 0 || len(rv.file.Borrowers) == 1}
		if !row.Checked {
			row.Why = "The file doesn’t say whose account it is."
		}
		rv.add(row)
	}
}

// itemsOf lists the amounts a month, "Base 8000.00, overtime 416.67".
func itemsOf(items []mismo.IncomeItem) string {
	all := make([]string, len(items))
	for i, item := range items {
		if all[i] = strings.TrimSpace(wordsOf(item.Type) + " " + item.Says); i > 0 && item.Type != "" {
			all[i] = strings.ToLower(all[i][:1]) + all[i][1:]
		}
	}
	return strings.Join(all, ", ") + " a month"
}

// wordsOf separates the words of one of the file's names: "SavingsAccount" and "savings-account" become "Savings
// account".
func wordsOf(name string) string {
	var b strings.Builder
	if name = strings.ReplaceAll(name, "-", " "); name != "" && name[0] >= 'a' && name[0] <= 'z' {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// What the kinds of addresses are called, and why one is not preselected.
var addressKinds = map[mismo.AddressKind]struct {
	label, why string
	offered    bool
}{
	mismo.AddressHome:      {"Home", "To use this one, uncheck the one above.", true},
	mismo.AddressFormer:    {"Former", "Not needed.", false},
	mismo.AddressMailing:   {"Mailing", "The lender takes no mailing address.", false},
	mismo.AddressResidence: {"Residence", "We can’t tell whether the borrower lives here now.", true},
	mismo.AddressOther:     {"Address", "The file doesn’t say what this address is.", true},
}

func (rv *reviewer) addresses(i int, b mismo.Borrower) {
	hasHome := false
	for n, a := range b.Addresses {
		kind := addressKinds[a.Kind]
		row := lead.ImportRow{Key: "address." + strconv.Itoa(i) + "." + strconv.Itoa(n), Section: lead.ImportAddresses,
			Of: i, Label: kind.label, Says: a.Says, Place: a.Place, Group: "home", Also: basisOf(a), Why: kind.why}
		e := rv.entry(i, a.Source)
		switch {
		case !kind.offered:
		case a.Country != "":
			row.Why = "The lender accepts only U.S. addresses."
		case rv.isHomeAtProperty(a):
			e.values[lead.HomeIsProperty], e.draft = []string{"true"}, []string{"Lives at the property"}
		default:
			e.address("applicant.homeAddress", a.Value)
		}
		if len(e.values) == 0 {
			rv.add(row)
			continue
		}
		if a.Kind == mismo.AddressHome && !hasHome {
			row.Checked, row.Why, hasHome = true, "", true
		}
		e.row(row)
	}
}

func basisOf(a mismo.Address) string {
	var words []string
	switch a.Basis {
	case "Own":
		words = append(words, "owns")
	case "Rent":
		words = append(words, "rents")
	}
	switch {
	case strings.Contains(a.Since, "month"), strings.Contains(a.Since, "year"):
		words = append(words, "for "+a.Since)
	case a.Since != "":
		words = append(words, "since "+a.Since)
	}
	return strings.Join(words, ", ")
}

func (rv *reviewer) property(i int, p mismo.Property) {
	at, row := strconv.Itoa(i), lead.ImportRow{Section: lead.ImportProperty, Of: i, Checked: true}
	address := rv.entry(-1, p.Address.Source)
	if p.Address.Country == "" {
		address.address("property.address", p.Address.Value)
	} else {
		address.refuse("Address", "The lender accepts only U.S. properties.")
	}
	row.Key, row.Label = "address.p"+at, "Address"
	address.row(row)

	usage := rv.entry(-1, p.Usage.Source)
	usage.choice("property.propertyType", "Occupancy", string(p.Usage.Value))
	if p.Usage.Value == "" && p.Usage.Says != "" {
		usage.refuse("Occupancy", "The form allows primary residence, second home or investment property.")
	}
	row.Key, row.Label = "usage.p"+at, "Occupancy"
	usage.row(row)

	value := p.Value()
	if value == nil {
		for _, v := range p.Values {
			rv.unusable("Value", -1, v.Source, "Zero counts as unknown.")
		}
		return
	}
	worth := rv.entry(-1, value.Source)
	worth.values["property.borrowerEstimatedValue"] = []string{lead.ImportAmount(value.Value)}
	row.Key, row.Label, row.Draft = "value.p"+at, "Value", "$"+lead.ImportAmount(value.Value)
	row.Note = strings.ToUpper(string(value.Kind[:1])) + string(value.Kind[1:])
	var others []string
	for _, v := range p.Values {
		if v.Source == value.Source {
			continue
		}
		other := string(v.Kind) + " " + v.Says
		if by := rv.valuedBy(v); by != "" {
			other += " (" + by + ")"
		}
		others = append(others, other)
	}
	if value.Kind == mismo.ValueCost {
		row.Checked, row.Why = false, "What the owner paid. Check it only if the home is worth that now."
	}
	row.Also = strings.Join(slices.DeleteFunc(append([]string{rv.valuedBy(*value)}, others...),
		func(s string) bool { return s == "" }), " · ")
	if len(others) > 0 && row.Checked {
		row.Why = "The first of these: appraised, valuation, estimated, other valuation, purchase. Zero counts as unknown."
	}
	worth.row(row)
}

// valuedBy returns how and when a property was valued, "Full appraisal, 03/02/2022"; "" if unknown.
func (rv *reviewer) valuedBy(v mismo.Valuation) string {
	date := ""
	if v.Date != "" {
		date = rv.format("applicant.dob", v.Date)
	}
	return withCommas(wordsOf(v.Method), date)
}

// requested offers the loan amount. If the loan is not a line, it may not be the amount the borrower wants.
func (rv *reviewer) requested() {
	r := rv.file.Requested
	if r == nil || r.Value <= 0 {
		return
	}
	e := rv.entry(-1, r.Source)
	e.values["amountWanted"] = []string{lead.ImportAmount(r.Value)}
	row := lead.ImportRow{Key: "requested", Section: lead.ImportProperty, Of: lead.AnyOption, Label: "Requested amount",
		Draft: "$" + lead.ImportAmount(r.Value), Why: "Not sent to the lender.", Checked: r.Why == ""}
	var also []string
	if r.Advance != nil {
		also = append(also, "First draw: "+r.Advance.Says)
	}
	if r.Note != nil {
		also = append(also, "Note amount: "+r.Note.Says)
	}
	row.Also = strings.Join(also, " · ")
	if r.Why != "" {
		row.Why = r.Why + ". Check it only if the borrower wants this amount."
	}
	e.row(row)
}

// loan is the requested amount and the title.
func (rv *reviewer) loan() {
	rv.requested()
	t := rv.file.Title
	var says, places []string
	for _, text := range append(slices.Clone(t.Texts), t.Vesting) {
		if text.Says != "" {
			says, places = append(says, text.Says), append(places, text.Place)
		}
	}
	if len(says) == 0 {
		return
	}
	row := lead.ImportRow{Key: "title", Section: lead.ImportProperty, Of: lead.AnyOption, Label: "Title",
		Says: strings.Join(says, "; "), Place: strings.Join(slices.Compact(places), ", "),
		Choice: "property.ownershipType", Chosen: string(t.Ownership), Why: t.Why}
	switch {
	case row.Chosen != "" && row.Why != "":
		row.Why += ". Change it if that’s wrong."
	case row.Chosen == "":
		row.Why = strings.TrimPrefix(row.Why+". ", ". ") + "Choose, or leave it empty."
	}
	rv.add(row)
}

var lienNotes = map[mismo.LienKind]string{mismo.LienFirst: "First mortgage", mismo.LienSecond: "Second mortgage",
	mismo.LienMortgage: "Mortgage", mismo.LienHELOC: "HELOC", mismo.LienOther: "Lien"}

// lien offers a lien. It is preselected only if the file ties it to a subject property; with several properties, it
// then counts for that one.
func (rv *reviewer) lien(i int, l mismo.Lien) {
	row := lead.ImportRow{Key: "lien." + strconv.Itoa(i), Section: lead.ImportLiens, Of: lead.AnyOption,
		Label: l.Holder.Value, Note: lienNotes[l.Kind]}
	if row.Label == "" {
		row.Label, row.Note = row.Note, "No lender found in the file"
	}
	switch {
	case l.Why != "":
		if row.Why = l.Why + "."; l.Tie != mismo.TieLink && l.Tie != mismo.TieAddress {
			row.Why += " Check it only if this home secures it."
		}
	case l.Tie == mismo.TieLink:
		row.Checked, row.Why = true, "Tied to this property by a link in the file."
	case l.Tie == mismo.TieAddress:
		row.Checked, row.Why = true, "Tied by address: "+l.TiedBy.Says
	}
	if row.Checked && l.Property >= 0 && len(rv.file.Properties) > 1 {
		row.Of = l.Property
	}
	var also []string
	for _, one := range []struct {
		said bool
		text string
	}{
		{l.Payoff, "To be paid off"}, {l.Excluded, "Excluded from the borrower’s debts in the file"},
		{l.Zero, "The file shows a zero balance, which may mean unknown"},
	} {
		if one.said {
			also = append(also, one.text)
		}
	}
	row.Also = strings.Join(also, " · ")
	e := rv.entry(-1, l.Source)
	e.fact("lenderName", "Lender", l.Holder, heloc.NormalizeLender)
	e.draft = nil // the label has it
	if l.Balance != nil {
		e.values["currentBalance"] = []string{lead.ImportAmount(l.Balance.Value)}
		e.draft = append(e.draft, "$"+lead.ImportAmount(l.Balance.Value))
	}
	if l.Payment != nil {
		e.values["monthlyPayment"] = []string{lead.ImportAmount(l.Payment.Value)}
		e.draft = append(e.draft, "$"+lead.ImportAmount(l.Payment.Value)+" a month")
	}
	if l.Original != nil {
		e.values["originalBalance"] = []string{lead.ImportAmount(l.Original.Value)}
		e.draft = append(e.draft, "$"+lead.ImportAmount(l.Original.Value)+" originally")
	}
	if l.Opened.Value != "" {
		opened := rv.format("lien.originationDate", l.Opened.Value)
		e.values["originationDate"] = []string{opened}
		e.draft = append(e.draft, "opened "+opened)
	}
	if row.Draft = strings.Join(e.draft, " · "); row.Draft == "" {
		row.Draft = row.Label
	}
	e.row(row)
}
