package mismo

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

// readLinks reads the relationships of a deal. Either end can be written first, and the name of a relationship says no
// more than its ends do. A label that two elements have ties nothing.
func (d *deal) readLinks() {
	labels, twice := map[string]*element{}, map[string]bool{}
	var visit func(e *element)
	visit = func(e *element) {
		if label := e.marked().label; label != "" && e.name != "RELATIONSHIP" {
			twice[label] = labels[label] != nil
			labels[label] = e
		}
		for _, c := range e.children {
			visit(c)
		}
	}
	visit(d.element)
	d.links, d.loose = map[*element][]*element{}, map[*element]bool{}
	known := map[[2]*element]bool{}
	sets := d.element.all("RELATIONSHIPS")
	for up := d.element.parent; up != nil; up = up.parent {
		sets = append(sets, up.each("RELATIONSHIPS")...)
	}
	for _, set := range sets {
		for _, r := range set.each("RELATIONSHIP") {
			from, to := labels[r.marked().from], labels[r.marked().to]
			if (from == nil) != (to == nil) {
				d.loose[endOf(cmp.Or(from, to))] = true
			}
			if from != nil && to != nil && !twice[r.marked().from] && !twice[r.marked().to] {
				from, to = endOf(from), endOf(to)
				if known[[2]*element{from, to}] || known[[2]*element{to, from}] {
					continue
				}
				known[[2]*element{from, to}] = true
				d.link(from, to)
				d.link(to, from)
			}
		}
	}
}

// link adds a tie to an element, which can have as many as rows of one kind are read.
func (d *deal) link(from, to *element) {
	if len(d.links[from]) < maxRows {
		d.links[from] = append(d.links[from], to)
	}
}

// ends are the elements that relationships are about. A label can be on a part of one.
var ends = []string{"ASSET", "LIABILITY", "LOAN", "COLLATERAL", "ROLE", "EMPLOYER", "CURRENT_INCOME_ITEM", "PARTY"}

func endOf(e *element) *element {
	if end := e.up(ends...); end != nil {
		return end
	}
	return e
}

// related returns what the file ties to an element.
func (d *deal) related(e *element) []*element { return d.links[endOf(e)] }

// assets returns what the borrowers own. Some systems write real estate beside the assets or in the loan, and a
// borrower's assets in the party.
func (d *deal) assets() []*element {
	list := d.element.path("ASSETS")
	all := slices.Concat(list.each("ASSET"), list.path("OWNED_PROPERTIES").each("OWNED_PROPERTY"))
	for _, l := range d.element.path("LOANS").each("LOAN") {
		if isSubjectLoan(l) {
			all = append(all, l.path("OWNED_PROPERTIES").each("OWNED_PROPERTY")...)
		}
	}
	for _, party := range d.borrowers {
		all = append(all, party.path("ASSETS").each("ASSET")...)
	}
	return all
}

// tie is what ties something to a property.
type tie struct {
	by       Tie
	property int // -1 for none
	to       Text
	why      string
}

// ownedOf returns the real estate of an asset; nil for an account.
func ownedOf(asset *element) *element {
	if asset.name == "OWNED_PROPERTY" {
		return asset
	}
	return asset.path("OWNED_PROPERTY")
}

// tieOf says which property an asset is.
func (d *deal) tieOf(asset *element) tie {
	t, known := d.ties[asset]
	switch {
	case known:
	case len(d.ties) == maxTies:
		t.property = -1
	default:
		t = d.findTie(asset)
		d.ties[asset] = t
	}
	return t
}

// maxTies is how many assets are compared with the properties. The others tie nothing.
const maxTies = 500

// findTie says which property an asset is. The file says that it is the subject property, or gives its address.
func (d *deal) findTie(asset *element) tie {
	owned := ownedOf(asset)
	t := tie{property: -1}
	if owned == nil {
		return t
	}
	at := owned.path("PROPERTY", "ADDRESS")
	address := d.peekAddress(at)
	if at != nil {
		t.to = Text{address.Says, address.Source}
		t.property = d.propertyAt(address.Value)
	}
	subject, known := owned.flag("OWNED_PROPERTY_DETAIL", "OwnedPropertySubjectIndicator")
	switch {
	case subject && (t.property >= 0 || len(d.properties) == 1):
		if t.by = TieLink; t.property < 0 {
			t.property = 0
			if isElsewhere(address.Value, d.properties[0].Address.Value) {
				t.why = "The file calls it the subject property, but gives it another address"
			}
		}
	case subject:
		t.why = "The file doesn’t say which of its subject properties secures it"
	case t.property >= 0:
		t.by = TieAddress
		if known && d.namesSubject() {
			t.why = "The file gives it this address, but says that it’s another property"
		}
	case known || t.to.Value != "":
		t.by = TieElsewhere
	}
	return t
}

// namesSubject reports whether the file marks any owned property as the subject. Some systems mark every one as not the
// subject, which means nothing.
func (d *deal) namesSubject() bool {
	return slices.ContainsFunc(d.assets(), func(asset *element) bool {
		subject, _ := ownedOf(asset).flag("OWNED_PROPERTY_DETAIL", "OwnedPropertySubjectIndicator")
		return subject
	})
}

// isElsewhere reports whether two addresses differ in more than their spelling.
func isElsewhere(a, b heloc.Address) bool {
	const zip = len("83702")
	return a.StreetNumber() != "" && b.StreetNumber() != "" && a.StreetNumber() != b.StreetNumber() ||
		len(a.ZIP) >= zip && len(b.ZIP) >= zip && a.ZIP[:zip] != b.ZIP[:zip]
}

// peekAddress reads an address without marking it as used.
func (d *deal) peekAddress(at *element) Address {
	if at == nil {
		return Address{}
	}
	other := deal{}
	before := make([]bool, len(at.children))
	for i, c := range at.children {
		before[i] = c.used
	}
	address := other.readAddress(at)
	for i, c := range at.children {
		c.used = before[i]
	}
	return address
}

// The words of liens. A debt that only says "Other" can be described as one.
var (
	helocWords    = regexp.MustCompile(`(?i)heloc|home ?equity`)
	mortgageWords = regexp.MustCompile(`(?i)mortgage`)
	firstWords    = regexp.MustCompile(`(?i)^(?:1st|first) (?:mortgage|lien)`)
	secondWords   = regexp.MustCompile(`(?i)^(?:2nd|second|3rd|third) (?:mortgage|lien)`)
	otherWords    = regexp.MustCompile(`^(?:TaxLien|DelinquentTaxes|HomeownersAssociationLien)\b`)
)

// kindOf returns what kind of lien a debt is; "" if no property secures it.
func kindOf(liability *element) LienKind {
	detail := liability.path("LIABILITY_DETAIL")
	kind := strings.TrimSpace(detail.peek("LiabilityType") + " " + detail.peek("LiabilityTypeOtherDescription"))
	secured, _ := detail.flag("LiabilitySecuredBySubjectPropertyIndicator")
	switch {
	case helocWords.MatchString(kind):
		return LienHELOC
	case strings.HasPrefix(kind, "FirstPosition"), firstWords.MatchString(kind):
		return LienFirst
	case strings.HasPrefix(kind, "SecondPosition"), strings.HasPrefix(kind, "ThirdPosition"),
		secondWords.MatchString(kind):
		return LienSecond
	case mortgageWords.MatchString(kind):
		if limit := detail.peek("HELOCMaximumBalanceAmount"); helocWords.MatchString(detail.peek("MortgageType")) ||
			strings.Trim(limit, "0.") != "" {
			return LienHELOC
		}
		return LienMortgage
	case secured, otherWords.MatchString(kind):
		return LienOther
	}
	return ""
}

// Why a lien may not be on the property, or is a duplicate.
const (
	whyUntied  = "We found nothing in the file that ties it to a property"
	whyLoose   = "It’s linked to an entry missing from the file"
	whyRelated = "The file calls it a related loan but doesn’t say on which property"
	whyAgain   = "The file lists this debt twice"
)

// unsecured are the kinds of debts that no property secures, whatever the file ties them to.
var unsecured = []string{"Revolving", "Open30DayChargeAccount", "LeasePayment", "CollectionsJudgmentsAndLiens",
	"DeferredStudentLoan", "ChildSupport", "Alimony"}

// isTied reports whether the file ties a debt to a subject property. Unsecured kinds of debts are never tied.
func (d *deal) isTied(debt *element) bool {
	return !slices.Contains(unsecured, debt.peek("LIABILITY_DETAIL", "LiabilityType")) &&
		slices.ContainsFunc(d.related(debt), func(other *element) bool {
			by := TieNone
			if other.name == "ASSET" {
				by = d.tieOf(other).by
			}
			return by == TieLink || by == TieAddress
		})
}

// readLiens reads every debt that a property secures, and the loans related to this one.
func (d *deal) readLiens() []Lien {
	var liens []Lien
	for _, e := range d.element.all("LIABILITY", "SERVICES", "DOCUMENT_SETS") {
		kind := kindOf(e)
		if len(liens) == maxRows || kind == "" && !d.isTied(e) {
			continue
		}
		l := d.readLiability(e, cmp.Or(kind, LienOther))
		if kind == "" && l.Why == "" {
			l.Why = "The file ties it to this property but calls it " + quoted(calledOf(e))
		}
		if slices.ContainsFunc(liens, l.isAgain) {
			l.Why = whyAgain
		}
		liens = append(liens, l)
	}
	for _, e := range d.element.path("LOANS").each("LOAN") {
		if !isSubjectLoan(e) && len(liens) < maxRows {
			if l, ok := d.readRelatedLoan(e, liens); ok {
				liens = append(liens, l)
			}
		}
	}
	for _, asset := range d.assets() {
		liens = d.readOwnedMortgages(asset, liens)
		if l, ok := d.readTotal(asset, liens); ok && len(liens) < maxRows {
			liens = append(liens, l)
		}
	}
	return liens
}

// readOwnedMortgages reads the mortgages in an entry of the real estate list, as some write them. One that is among the
// debts says which property that debt is on.
func (d *deal) readOwnedMortgages(asset *element, liens []Lien) []Lien {
	at := d.tieOf(asset)
	for _, e := range ownedOf(asset).path("OWNED_PROPERTY_MORTGAGES").each("OWNED_PROPERTY_MORTGAGE") {
		l := Lien{Kind: LienMortgage, Property: -1, Why: whyUntied, Holder: d.text(e, "CreditorName"),
			Balance: d.amount(e, "UnpaidBalanceAmount"), Payment: d.amount(e, "MonthlyPaymentAmount"),
			Limit: d.amount(e, "CreditLimitAmount")}
		l.tieTo(at)
		for _, name := range []string{"PayoffAtClosingIndicator", "ToBePaidOffIndicator"} {
			paid, _ := e.flag(name)
			l.Payoff = l.Payoff || paid
			e.use(name)
		}
		if l.Limit != nil {
			l.Kind = LienHELOC
		}
		same := slices.IndexFunc(liens, func(other Lien) bool {
			return l.Balance != nil && other.Balance != nil && l.Balance.Value == other.Balance.Value &&
				strings.EqualFold(l.Holder.Value, other.Holder.Value)
		})
		switch {
		case same >= 0:
			if known := &liens[same]; known.Tie == TieNone {
				known.tieTo(at)
				if known.Limit == nil {
					known.Limit = l.Limit
				}
			}
		case len(liens) < maxRows && (l.Balance != nil || l.Holder.Value != ""):
			l.Source = Source{l.words(), e.place()}
			liens = append(liens, l)
		}
	}
	return liens
}

// tieTo ties a lien to a property if the new tie is stronger than the one that it has.
func (l *Lien) tieTo(t tie) {
	better := map[Tie]int{TieNone: 0, TieElsewhere: 1, TieAddress: 2, TieLink: 3}
	if better[t.by] > better[l.Tie] || l.Tie == TieNone && t.why != "" {
		l.Tie, l.Property, l.TiedBy, l.Why = t.by, t.property, t.to, t.why
	}
	if l.Tie == TieElsewhere {
		l.Property, l.Why = -1, "It’s on another property"
	}
}

// calledOf returns what the file calls a debt.
func calledOf(debt *element) string {
	detail := debt.path("LIABILITY_DETAIL")
	return cmp.Or(detail.peek("LiabilityTypeOtherDescription"), detail.peek("LiabilityType"), "a debt")
}

// isAgain reports whether two entries are one debt.
func (l Lien) isAgain(other Lien) bool {
	return l.Balance != nil && other.Balance != nil && l.Balance.Value == other.Balance.Value &&
		l.account == other.account && l.Holder.Value != "" && strings.EqualFold(l.Holder.Value, other.Holder.Value)
}

// readTotal reads what the list of real estate says is owed on the subject property; ok is false if the file has a lien
// that it may be.
func (d *deal) readTotal(asset *element, liens []Lien) (l Lien, ok bool) {
	t := d.tieOf(asset)
	detail := ownedOf(asset).path("OWNED_PROPERTY_DETAIL")
	may := func(other Lien) bool { return other.Tie == TieNone || other.Property == t.property }
	if t.property < 0 || strings.Trim(detail.peek("OwnedPropertyLienUPBAmount"), "0. ") == "" ||
		slices.ContainsFunc(liens, may) {
		return l, false
	}
	l = Lien{Kind: LienMortgage, Balance: d.amount(detail, "OwnedPropertyLienUPBAmount"), Tie: t.by, Property: t.property,
		TiedBy: t.to, Payment: d.amount(detail, "OwnedPropertyLienInstallmentAmount"),
		Why: "A total of the real estate list; the file has no mortgage for it"}
	l.Source = Source{l.words(), asset.place()}
	return l, l.Balance != nil
}

func (d *deal) readLiability(e *element, kind LienKind) Lien {
	detail := e.path("LIABILITY_DETAIL")
	d.taken[e] = true
	l := Lien{Kind: kind, Property: -1, account: detail.peek("LiabilityAccountIdentifier"),
		Balance: d.amount(detail, "LiabilityUnpaidBalanceAmount"),
		Payment: d.amount(detail, "LiabilityMonthlyPaymentAmount"), Limit: d.amount(detail, "HELOCMaximumBalanceAmount")}
	holder := e.path("LIABILITY_HOLDER")
	for _, at := range []*element{holder.path("NAME"), holder.path("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL"), holder} {
		if l.Holder.Value == "" {
			l.Holder = d.text(at, "FullName")
		}
	}
	if l.Holder.Value == "" {
		l.Holder = d.text(detail, "LiabilityHolderName")
	}
	detail.use("LiabilityType")
	detail.use("LiabilityTypeOtherDescription")
	if said := detail.path("LiabilityUnpaidBalanceAmount"); l.Balance == nil && said != nil && said.zero {
		l.Zero, said.used = true, true
	}
	if l.Payoff, _ = detail.flag("LiabilityPayoffStatusIndicator"); !l.Payoff {
		detail.use("LiabilityPayoffStatusIndicator")
	}
	l.Excluded, _ = detail.flag("LiabilityExclusionIndicator")
	detail.use("LiabilityExclusionIndicator")
	d.tie(e, &l)
	if secured, known := detail.flag("LiabilitySecuredBySubjectPropertyIndicator"); known {
		switch said := detail.path("LiabilitySecuredBySubjectPropertyIndicator"); {
		case secured && l.Tie == TieNone && len(d.properties) == 1:
			l.Tie, l.Property, l.Why = TieLink, 0, ""
			l.TiedBy = Text{d.properties[0].Address.Says, said.source()}
			said.used = true
		case !secured && (l.Tie == TieLink || l.Tie == TieAddress):
			l.Why = "The file also says that the subject property doesn’t secure it"
		case !secured:
			l.Why = "The file says that the subject property doesn’t secure it"
			said.used = true
		}
	}
	l.Source = Source{l.words(), e.place()}
	return l
}

// tie finds out which property a debt or a loan is on.
func (d *deal) tie(e *element, l *Lien) {
	if l.Why = whyUntied; d.loose[endOf(e)] {
		l.Why = whyLoose
	}
	for _, other := range d.related(e) {
		var t tie
		switch other.name {
		case "ASSET":
			t = d.tieOf(other)
		case "COLLATERAL":
			t = tie{property: -1}
			for i, s := range d.subjects {
				if s.up("COLLATERAL") == other {
					t = tie{TieLink, i, Text{d.properties[i].Address.Says, d.properties[i].Address.Source}, ""}
				}
			}
		default:
			continue
		}
		l.tieTo(t)
	}
}

// readRelatedLoan reads a loan beside this one; ok is false if it is among the debts too.
func (d *deal) readRelatedLoan(e *element, liens []Lien) (l Lien, ok bool) {
	terms := e.path("TERMS_OF_LOAN")
	line, _ := e.flag("LOAN_DETAIL", "HELOCIndicator")
	l = Lien{Property: -1, Kind: LienMortgage}
	switch priority := terms.peek("LienPriorityType"); {
	case line || e.path("HELOC") != nil:
		l.Kind = LienHELOC
	case priority == "FirstLien":
		l.Kind = LienFirst
	case priority != "":
		l.Kind = LienSecond
	}
	terms.use("LienPriorityType")
	e.use("LOAN_DETAIL", "HELOCIndicator")
	drawn := e.path("HELOC", "HELOC_OCCURRENCES", "HELOC_OCCURRENCE")
	if l.Balance = d.amount(e.path("PAYMENT", "PAYMENT_SUMMARY"), "UPBAmount"); l.Balance == nil {
		l.Balance = d.amount(drawn, "HELOCBalanceAmount")
	}
	if l.Limit = d.amount(drawn, "CurrentHELOCMaximumBalanceAmount"); l.Limit == nil {
		l.Limit = d.amount(e.path("HELOC", "HELOC_RULE"), "HELOCMaximumBalanceAmount")
	}
	l.Payment = d.amount(e.path("PAYMENT", "PAYMENT_RULE"), "InitialPrincipalAndInterestPaymentAmount",
		"FullyIndexedInitialPrincipalAndInterestPaymentAmount", "InitialInterestOnlyPaymentAmount")
	l.Holder = d.holderOf(e)
	d.tie(e, &l)
	if l.Tie == TieNone {
		for _, at := range slices.Concat(e.all("SUBJECT_PROPERTY"), e.all("PROPERTY")) {
			address := d.peekAddress(at.path("ADDRESS"))
			if i := d.propertyAt(address.Value); i >= 0 {
				l.Tie, l.Property, l.TiedBy, l.Why = TieAddress, i, Text{address.Says, address.Source}, ""
			} else if address.Value.Street1 != "" {
				l.Tie, l.TiedBy, l.Why = TieElsewhere, Text{address.Says, address.Source}, "It’s on another property"
			}
		}
	}
	if l.Why == whyUntied && e.marked().loanRole == "RelatedLoan" {
		l.Why = whyRelated
	}
	if day, ok := dateOf(terms.peek("NoteDate")); ok {
		l.Opened = d.text(terms, "NoteDate")
		l.Opened.Value = day
	}
	if l.Balance != nil {
		l.Original = d.amount(terms, "NoteAmount")
	} else if l.Original = d.amount(terms, "NoteAmount", "BaseLoanAmount"); l.Original != nil && l.Why == "" {
		l.Why = "The file gives only the original amount"
	}
	if e.marked().loanRole == "HistoricalLoan" {
		l.Why = "The file calls it a loan of the past"
	}
	amount := cmp.Or(l.Balance, l.Original)
	for _, other := range liens {
		if amount != nil && other.Balance != nil && amount.Value == other.Balance.Value {
			l.Tie, l.Property, l.Why = TieNone, -1, "A debt with the same amount is in the file too"
		}
	}
	for _, other := range d.related(e) {
		if d.taken[other] {
			return l, false
		}
	}
	d.taken[e] = true
	l.Source = Source{l.words(), e.place()}
	return l, l.Balance != nil || l.Original != nil || l.Limit != nil || l.Payment != nil || l.Holder.Value != ""
}

// holderOf returns the name of the party that the file calls a loan's payee, lender or lien holder.
func (d *deal) holderOf(loan *element) Text {
	for _, other := range d.related(loan) {
		party := other.up("PARTY")
		switch kind := other.peek("ROLE_DETAIL", "PartyRoleType"); {
		case kind != "NotePayTo" && kind != "LienHolder" && kind != "Lender" && kind != "Servicer":
		default:
			for _, at := range []*element{party.path("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL"),
				party.path("INDIVIDUAL", "NAME")} {
				if name := d.text(at, "FullName"); name.Value != "" {
					other.use("ROLE_DETAIL", "PartyRoleType")
					return name
				}
			}
		}
	}
	return Text{}
}

// words says a lien in the file's words, "41875.00 of 60000.00, pays 388.00".
func (l Lien) words() string {
	text := ""
	if l.Balance != nil {
		text = l.Balance.Says
	} else if l.Original != nil {
		text = l.Original.Says + " originally"
	}
	if l.Zero {
		text = "0"
	}
	if l.Limit != nil {
		text = strings.TrimSpace(text + " of " + l.Limit.Says)
	}
	if l.Payment != nil {
		text += ", pays " + l.Payment.Says
	}
	return short(strings.TrimPrefix(text, ", "))
}

// savings are the kinds of accounts that the form calls savings.
var savings = byWord(map[string]bool{"SavingsAccount": true, "Savings": true, "MoneyMarketFund": true,
	"MoneyMarket": true, "CertificateOfDepositTimeDeposit": true})

// readAssets reads the accounts.
func (d *deal) readAssets() []Asset {
	var all []Asset
	for _, e := range d.assets() {
		detail := e.path("ASSET_DETAIL")
		value := detail.first("AssetCashOrMarketValueAmount")
		if value == nil { // as some write it
			value = e.path("ASSET_HOLDER", "ASSET_HOLDER_DETAIL").first("AssetCashOrMarketValueAmount")
		}
		kind := detail.peek("AssetType")
		if ownedOf(e) != nil || value == nil || kind == "RealEstateOwned" || len(all) == maxRows {
			continue
		}
		exact, ok := d.exact(value)
		if !ok || exact.Sign() < 0 {
			continue
		}
		cents, _ := centsOf(exact)
		a := Asset{Amount: Amount{cents, value.source()}, Type: kind, Savings: savings[letters(kind)]}
		holder := e.path("ASSET_HOLDER")
		a.Holder = cmp.Or(holder.peek("NAME", "FullName"), holder.peek("FullName"))
		if a.Savings {
			value.used, d.taken[e] = true, true
			detail.use("AssetType")
			holder.use("NAME", "FullName")
			holder.use("FullName")
		}
		for _, other := range slices.Concat(d.related(e), []*element{e.up("PARTY")}) {
			if i := d.ownerOf(other); i >= 0 && !slices.Contains(a.Borrowers, i) {
				a.Borrowers = append(a.Borrowers, i)
			}
		}
		all = append(all, a)
	}
	return all
}
