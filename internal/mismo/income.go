package mismo

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// incomeKinds maps MISMO's types of income. Totals, which would count twice, and types that the form has no amount for
// are not among them.
var incomeKinds = byWord(map[string]IncomeKind{
	"Base": IncomeGross, "Overtime": IncomeGross, "Bonus": IncomeGross, "Commission": IncomeGross,
	"Commissions": IncomeGross, "ContractBasis": IncomeGross, "TipIncome": IncomeGross,
	"HousingAllowance": IncomeGross, "AutomobileAllowance": IncomeGross, "MilitaryBasePay": IncomeGross,
	"MilitaryClothesAllowance": IncomeGross, "MilitaryCombatPay": IncomeGross, "MilitaryEntitlements": IncomeGross,
	"MilitaryFlightPay": IncomeGross, "MilitaryHazardPay": IncomeGross, "MilitaryOverseasPay": IncomeGross,
	"MilitaryPropPay": IncomeGross, "MilitaryQuartersAllowance": IncomeGross, "MilitaryRationsAllowance": IncomeGross,
	"MilitaryVariableHousingAllowance": IncomeGross, "Pension": IncomeRetirement, "SocialSecurity": IncomeRetirement,
	"DefinedContributionPlan": IncomeRetirement, "EmploymentRelatedAccount": IncomeRetirement,
	"DividendsInterest": IncomeInvestment, "Interest": IncomeInvestment, "CapitalGains": IncomeInvestment,
	"Trust":                IncomeInvestment,
	"SelfEmploymentIncome": IncomeBusiness, "SelfEmploymentLoss": IncomeBusiness,
	"AccessoryUnitIncome": IncomeOther, "AccessoryUnitIincome": IncomeOther, "BoarderIncome": IncomeOther,
	"Disability": IncomeOther, "FosterCare": IncomeOther, "MiscellaneousIncome": IncomeOther,
	"NetRentalIncome": IncomeOther, "NotesReceivableInstallment": IncomeOther, "Other": IncomeOther,
	"PublicAssistance": IncomeOther, "Royalties": IncomeOther, "TemporaryLeave": IncomeOther, "Unemployment": IncomeOther,
	"VABenefitsNonEducational": IncomeOther, "WorkersCompensation": IncomeOther,
	"Alimony": IncomeSupport, "ChildSupport": IncomeSupport, "SeparateMaintenance": IncomeSupport,
	"AlimonyChildSupport": IncomeSupport, "InterestDividends": IncomeInvestment, "TrustIncome": IncomeInvestment,
	"VABenefits": IncomeOther, // as some write them
})

// Why an income counts once, or does not count.
const (
	whyLoss    = "A loss isn’t income"
	whyEnded   = "From a job that has ended"
	whyKind    = "It isn’t clear which income field this goes in"
	whySupport = "It counts only if the borrower wants it considered"
	whyTwice   = "The same figure is in the file twice; it counts once"
	whyOnly    = "The file names no other current employer"
	whyMaybe   = "It may be part of the income above, so it doesn’t count twice"
)

// job is one employment of a borrower.
type job struct {
	in            *element // EMPLOYER
	detail        *element // EMPLOYMENT
	name          Text
	current, self bool
}

// readJobs reads a borrower's employments.
func (d *deal) readJobs(borrower *element) []job {
	var jobs []job
	employers := borrower.all("EMPLOYER")
	if len(employers) == 0 {
		employers = borrower.all("EMPLOYMENT")
	}
	for _, in := range employers[:min(len(employers), maxRows)] {
		j := job{in: in, detail: in}
		for _, name := range []string{"EMPLOYMENT", "EMPLOYMENT_DETAIL", "EMPLOYER_DETAIL"} { // as some write it
			if detail := j.detail.path(name); detail != nil {
				j.detail = detail
			}
		}
		for _, at := range []*element{in.path("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL"), in.path("NAME"),
			in.path("INDIVIDUAL", "NAME"), j.detail, in} {
			if j.name.Value == "" {
				j.name = d.text(at, "FullName", "EmployerName")
			}
		}
		now, known := j.detail.flag("EmploymentCurrentIndicator")
		switch status := j.detail.peek("EmploymentStatusType"); {
		case status == "Current" || status == "Previous":
			j.current = status == "Current"
		case known:
			j.current = now
		default:
			j.current = j.detail.peek("EmploymentEndDate") == ""
		}
		j.self = d.selfEmployed(j.detail) != nil
		jobs = append(jobs, j)
	}
	return jobs
}

// selfEmployed returns the value that says that an employment is self-employment; nil if none does.
func (d *deal) selfEmployed(employment *element) *element {
	for _, name := range []string{"EmploymentBorrowerSelfEmployedIndicator", "SelfEmployedIndicator"} {
		if set, _ := employment.flag(name); set {
			return employment.path(name)
		}
	}
	if employment.peek("EmploymentClassificationType") == "SelfEmployed" {
		return employment.path("EmploymentClassificationType")
	}
	return nil
}

// incomes collects a borrower's incomes. The file has amounts a month.
type incomes struct {
	d    *deal
	jobs []job
	rows []*incomeRow
}

type incomeRow struct {
	Income
	job     *job
	typ     string // of an income without an employer
	monthly *big.Rat
}

// readIncomes reads a borrower's current income by employer and kind, and whether the borrower is self-employed.
func (d *deal) readIncomes(borrower *element) ([]Income, *Fact[bool]) {
	in := incomes{d: d, jobs: d.readJobs(borrower)}
	items := borrower.path("CURRENT_INCOME").all("CURRENT_INCOME_ITEM")
	for _, item := range items[:min(len(items), maxRows)] {
		in.addItem(item)
	}
	for i := range in.jobs {
		in.addEmployment(&in.jobs[i])
	}
	in.addTotal(borrower.path("CURRENT_INCOME"))
	var all []Income
	for _, r := range in.rows {
		if r.monthly != nil && r.monthly.Sign() > 0 {
			yearly, ok := centsOf(new(big.Rat).Mul(r.monthly, big.NewRat(12, 1)))
			if !ok {
				yearly = maxAmount
			}
			r.Yearly = yearly
		}
		r.Says = r.words()
		all = append(all, r.Income)
	}
	return all, in.selfEmployment()
}

// selfEmployment says whether the only or the primary employment of now is self-employment.
func (in *incomes) selfEmployment() *Fact[bool] {
	current := in.current()
	for _, j := range current {
		e := in.d.selfEmployed(j.detail)
		if e != nil && (len(current) == 1 || j.detail.peek("EmploymentClassificationType") == "Primary") {
			e.used = true
			return &Fact[bool]{true, e.source()}
		}
	}
	return nil
}

func (in *incomes) current() []*job {
	var all []*job
	for i := range in.jobs {
		if in.jobs[i].current {
			all = append(all, &in.jobs[i])
		}
	}
	return all
}

// jobOf returns the employment that the file ties an item to; or else the only one, for pay.
func (in *incomes) jobOf(item *element, kind IncomeKind) (j *job, tied bool) {
	for _, other := range in.d.related(item) {
		employer := other.up("EMPLOYER")
		for i := range in.jobs {
			if employer != nil && in.jobs[i].in == employer {
				return &in.jobs[i], true
			}
		}
	}
	current := in.current()
	if len(current) == 1 && (kind == IncomeGross || kind == IncomeBusiness && current[0].self) {
		return current[0], false
	}
	return nil, false
}

// addItem adds one item of income.
func (in *incomes) addItem(item *element) {
	detail := item.path("CURRENT_INCOME_ITEM_DETAIL")
	if detail == nil {
		detail = item
	}
	amount := detail.first("CurrentIncomeMonthlyTotalAmount", "IncomeMonthlyTotalAmount")
	if amount == nil {
		return
	}
	exact, ok := in.d.exact(amount)
	if !ok {
		return
	}
	if again := detail.path("IncomeMonthlyTotalAmount"); again != nil && again.text == amount.text {
		again.used = true
	}
	amount.used = true
	typ := in.d.text(detail, "IncomeType").Value
	kind := incomeKinds[letters(typ)]
	if pay, _ := detail.flag("EmploymentIncomeIndicator"); pay && typ == "" {
		kind = IncomeGross
	}
	detail.use("EmploymentIncomeIndicator")
	detail.use("IncomeTypeOtherDescription")
	if typ == "SelfEmploymentLoss" {
		exact.Neg(exact.Abs(exact))
	}
	j, tied := in.jobOf(item, kind)
	if j != nil && j.self && kind == IncomeGross {
		kind = IncomeBusiness
	}
	if row := in.add(j, kind, typ, exact, amount); j != nil && !tied && row.Why == "" {
		row.Why = whyOnly
	}
}

// add adds an amount to the row of its employer and kind, or begins a row.
func (in *incomes) add(j *job, kind IncomeKind, typ string, exact *big.Rat, e *element) *incomeRow {
	cents, _ := centsOf(exact)
	item := IncomeItem{Amount: Amount{cents, e.source()}, Type: typ}
	why := ""
	switch {
	case exact.Sign() < 0:
		why = whyLoss
	case j != nil && !j.current:
		why = whyEnded
	case kind == IncomeNone:
		why = whyKind
	case kind == IncomeSupport:
		why = whySupport
	}
	rowType := typ
	if kind == IncomeGross || j != nil {
		rowType = ""
	}
	if why == "" {
		for _, r := range in.rows {
			if r.job != j || r.Kind != kind || r.typ != rowType || r.monthly == nil {
				continue
			}
			// of two jobs, each may have the same pay
			item.Repeat = kind == IncomeGross && (j != nil || len(in.current()) < 2) &&
				slices.ContainsFunc(r.Items, func(other IncomeItem) bool {
					return other.Type == typ && other.Value == cents && !other.Repeat
				})
			r.Items = append(r.Items, item)
			if item.Repeat {
				r.Why = whyTwice
			} else {
				r.monthly.Add(r.monthly, exact)
			}
			return r
		}
	}
	row := &incomeRow{Income: Income{Source: item.Source, Kind: kind, Items: []IncomeItem{item}, Why: why}, job: j,
		typ: rowType}
	if why == "" || kind == IncomeSupport && why == whySupport {
		row.monthly = new(big.Rat).Set(exact)
	}
	if j != nil {
		row.Employer = j.name
	}
	in.rows = append(in.rows, row)
	return row
}

// addEmployment adds the amount in an employment, unless it repeats an item. Systems write both.
func (in *incomes) addEmployment(j *job) {
	e := j.detail.first("EmploymentMonthlyIncomeAmount")
	if e == nil && j.current {
		in.addPay(j)
	}
	if e == nil || !j.current {
		return
	}
	exact, ok := in.d.exact(e)
	if !ok {
		return
	}
	e.used = true
	kind := IncomeGross
	if j.self {
		kind = IncomeBusiness
	}
	if exact.Sign() < 0 {
		in.add(j, kind, "", exact, e)
		return
	}
	cents, _ := centsOf(exact)
	repeated, unsure := in.repeated(j, kind, exact)
	switch {
	case repeated != nil:
		repeated.Items = append(repeated.Items, IncomeItem{Amount{cents, e.source()}, "", true})
		repeated.Why = whyTwice
		if !slices.ContainsFunc(repeated.Items, func(i IncomeItem) bool { return !i.Repeat && i.Value == cents }) &&
			repeated.monthly.Cmp(exact) != 0 {
			repeated.Why = "The employer’s entry has another figure, " + e.text + " a month; it doesn’t count"
		}
		if j.self {
			repeated.Kind = IncomeBusiness
		}
		repeated.job, repeated.Employer = j, j.name
	case unsure:
		row := in.add(j, kind, "", exact, e)
		row.monthly, row.Why = nil, whyMaybe
	default:
		in.add(j, kind, "", exact, e)
	}
}

// payName matches the parts of an employment's pay, as some write them.
var payName = regexp.MustCompile(`^Employment(Base|Overtime|Bonus|Commission|Other|SelfEmployed)MonthlyIncomeAmount$`)

// addPay adds the parts of an employment's pay, unless there are items of pay that they may repeat.
func (in *incomes) addPay(j *job) {
	if slices.ContainsFunc(in.rows, func(r *incomeRow) bool {
		return (r.job == j || r.job == nil) && (r.Kind == IncomeGross || r.Kind == IncomeBusiness)
	}) {
		return
	}
	for _, e := range j.detail.children {
		part := payName.FindStringSubmatch(e.name)
		if part == nil || !e.hasText {
			continue
		}
		exact, ok := in.d.exact(e)
		if !ok {
			continue
		}
		e.used = true
		kind := IncomeGross
		if j.self || part[1] == "SelfEmployed" {
			kind = IncomeBusiness
		}
		in.add(j, kind, part[1], exact, e)
	}
}

// repeated returns the row that has an employment's amount already. It is unsure if there are items that the file ties
// to no employer, with other figures.
func (in *incomes) repeated(j *job, kind IncomeKind, exact *big.Rat) (row *incomeRow, unsure bool) {
	for _, r := range in.rows {
		if r.monthly == nil || r.Kind != IncomeGross && r.Kind != IncomeBusiness {
			continue
		}
		switch {
		case r.job == j, r.job == nil && r.Kind == IncomeBusiness && kind == IncomeBusiness:
			return r, false
		case r.job != nil || r.Kind == IncomeBusiness:
		case r.monthly.Cmp(exact) == 0 && (!j.self || len(in.current()) == 1):
			return r, false
		case !j.self:
			unsure = true
		}
	}
	return nil, unsure
}

// addTotal offers a total that the file has without its parts.
func (in *incomes) addTotal(current *element) {
	if len(in.rows) > 0 {
		return
	}
	for _, name := range []string{"IncomeMonthlyTotalAmount", "URLABorrowerTotalMonthlyIncomeAmount"} {
		for _, at := range []*element{current, current.path("CURRENT_INCOME_DETAIL")} {
			e := at.first(name)
			if e == nil {
				continue
			}
			if exact, ok := in.d.exact(e); ok {
				e.used = true
				row := in.add(nil, IncomeNone, name, exact, e)
				row.Why = "A total; the file doesn’t say what kind of income it is"
				return
			}
		}
	}
}

// words says what an income consists of, in the file's words: "Base 8000.00, Overtime 416.67 a month".
func (i Income) words() string {
	var all []string
	for _, item := range i.Items {
		if !item.Repeat {
			all = append(all, strings.TrimSpace(item.Type+" "+item.Says))
		}
	}
	text := strings.Join(all, ", ") + " a month"
	if n := len(i.Items) - len(all); n > 0 && i.Why == whyTwice {
		text += ", in " + strconv.Itoa(n+1) + " fields"
	}
	return short(text)
}
