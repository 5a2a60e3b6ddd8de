package mismo

import (
	"regexp"
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

// The words in a title that tell what its holder is.
var (
	trustWords = regexp.MustCompile(`(?i)\btrust(?:ees?)?\b|\bTTEES?\b`)
	llcWords   = regexp.MustCompile(`(?i)\bL\.?L\.?C\b|limited liability co`)
	// otherOwner matches entities and estates, of which nothing else follows.
	otherOwner = regexp.MustCompile(`(?i)\b(?:inc|corp|corporation|company|co|llp|lp|ltd|partnership|estate|custodian|` +
		`et\.? ?al|et\.? ?ux|et\.? ?vir|life tenant|remainderman)\b`)
	severalPeople = regexp.MustCompile(`(?i)\s(?:and|&)\s|;|\bjoint tenan|\btenants in common|\bby the entiret|` +
		`\bmarried couple\b|\bspouses\b`)
	// onePerson matches what follows the name of one person. Any other comma may separate people.
	onePerson = regexp.MustCompile(`(?i),? an? (?:un)?married (?:man|woman|person)\b|,? a single (?:man|woman|person)\b|` +
		`,? a widow(?:er)?\b|,? as (?:his|her|their) sole and separate property\b|,? (?:[js]r|i{2,3}|iv|esq)\b\.?`)
	nameSuffix = regexp.MustCompile(` (?:jr|sr|ii|iii|iv|esq)$`)
)

// manners are MISMO's ways to vest title that say how many hold it.
var manners = byWord(map[string]heloc.OwnershipType{
	"JointTenants": heloc.OwnershipJoint, "JointTenantsWithRightOfSurvivorship": heloc.OwnershipJoint,
	"TenantsByTheEntirety": heloc.OwnershipJoint, "TenantsInCommon": heloc.OwnershipJoint,
	"CommunityProperty": heloc.OwnershipJoint, "Individual": heloc.OwnershipSole,
	"JointTenancy": heloc.OwnershipJoint, "JointTenancyWithRightOfSurvivorship": heloc.OwnershipJoint,
	"JointTenancyRightOfSurvivorship": heloc.OwnershipJoint, "TenancyInCommon": heloc.OwnershipJoint,
	"TenancyByTheEntirety": heloc.OwnershipJoint, // as some write them
})

// holder is somebody who holds title.
type holder struct {
	name   string // folded; "" if the file has none
	kind   heloc.OwnershipType
	status string // "Current", "Proposed"; "" if the file does not say
}

// titleReader collects the holders and the manner of title.
type titleReader struct {
	d       *deal
	title   Title
	holders []holder
	manner  heloc.OwnershipType
	status  string // of the party that is being read
	unclear string
}

// readTitle reads the title: the parties that hold it or will, and a text that says so. How it is held is filled in
// only where all of them agree.
func (d *deal) readTitle() Title {
	r := titleReader{d: d}
	for _, name := range []string{"TitleHeldByName", "TitleHolderName", "PropertyTitleNamesDescription"} {
		for _, e := range d.element.all(name) {
			r.addText(d.take(e))
		}
	}
	for _, party := range d.element.path("PARTIES").each("PARTY") {
		for _, role := range party.path("ROLES").each("ROLE") {
			r.addRole(party, role)
		}
	}
	for _, s := range d.subjects {
		r.addManner(s.path("PROPERTY_DETAIL"))
	}
	r.decide()
	return r.title
}

// addText adds the text of a title; one that repeats is a second entry of the same.
func (r *titleReader) addText(text Text) {
	if text.Value == "" {
		return
	}
	r.keep(text)
	r.addHolder(holder{name: heloc.FoldForSearch(text.Value), kind: r.kindOf(text.Value)})
}

// keep adds a text that is not there yet.
func (r *titleReader) keep(text Text) {
	same := func(other Text) bool { return heloc.FoldForSearch(other.Value) == heloc.FoldForSearch(text.Value) }
	if text.Value != "" && !slices.ContainsFunc(r.title.Texts, same) && len(r.title.Texts) < maxRows {
		r.title.Texts = append(r.title.Texts, text)
	}
}

// kindOf returns how title is held if the text names its only holder.
func (r *titleReader) kindOf(text string) heloc.OwnershipType {
	switch {
	case trustWords.MatchString(text):
		return heloc.OwnershipTrust
	case llcWords.MatchString(text):
		return heloc.OwnershipLLC
	case otherOwner.MatchString(text):
		r.unclear = "The file doesn’t say what kind of owner " + quoted(text) + " is"
		return heloc.OwnershipUnknown
	}
	text = onePerson.ReplaceAllString(text, "")
	switch {
	case severalPeople.MatchString(text):
		return heloc.OwnershipJoint
	case strings.Contains(text, ","):
		r.unclear = "The file doesn’t say how many people " + quoted(text) + " names"
		return heloc.OwnershipUnknown
	}
	return heloc.OwnershipSole
}

func (r *titleReader) addHolder(h holder) {
	h.status = r.status
	same := func(other holder) bool { return other.name == h.name && other.status == h.status }
	if (h.name == "" || !slices.ContainsFunc(r.holders, same)) && len(r.holders) < maxRows {
		r.holders = append(r.holders, h)
	}
}

// addRole adds a party that holds title.
func (r *titleReader) addRole(party, role *element) {
	kind := role.peek("ROLE_DETAIL", "PartyRoleType")
	owner := role.path("PROPERTY_OWNER")
	if kind != "TitleHolder" && kind != "PropertyOwner" && owner == nil {
		return
	}
	role.use("ROLE_DETAIL", "PartyRoleType")
	r.addManner(owner)
	r.status = r.d.text(owner, "PropertyOwnerStatusType").Value
	defer func() { r.status = "" }()
	entity := party.path("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL")
	name := r.d.nameOf(party)
	entityType := r.d.text(entity, "LegalEntityType").Value
	if h := (holder{name: heloc.FoldForSearch(name.Value)}); entityType != "" || role.path("TRUST") != nil ||
		party.path("LEGAL_ENTITY") != nil && name.Value == "" {
		switch {
		case role.path("TRUST") != nil || strings.Contains(entityType, "Trust"):
			h.kind = heloc.OwnershipTrust
		case entityType == "LimitedLiabilityCompany":
			h.kind = heloc.OwnershipLLC
		default:
			h.kind = heloc.OwnershipOther
		}
		r.keep(name)
		r.addHolder(h)
		return
	}
	if name.Value == "" {
		r.addHolder(holder{kind: heloc.OwnershipSole})
		return
	}
	r.addText(name)
	if last := r.holders[len(r.holders)-1]; party.path("LEGAL_ENTITY") != nil &&
		(last.kind == heloc.OwnershipSole || last.kind == heloc.OwnershipJoint) {
		r.unclear = "The file doesn’t say what kind of owner " + quoted(name.Value) + " is"
	}
}

// addManner adds how title is vested.
func (r *titleReader) addManner(owner *element) {
	vesting := r.d.text(owner, "RelationshipVestingType", "PropertyOwnershipRightsType",
		"TitleMannerHeldType")
	if vesting.Value == "" {
		return
	}
	owner.use("RelationshipVestingTypeOtherDescription")
	if vesting.Value == "Other" {
		if described := r.d.text(owner, "RelationshipVestingTypeOtherDescription"); described.Value != "" {
			vesting = described
		}
	}
	r.title.Vesting = vesting
	switch manner := manners[letters(vesting.Value)]; {
	case manner == "" || r.manner != "" && r.manner != manner:
		r.unclear = "The file has " + quoted(vesting.Value) + " as the way to hold title"
	default:
		r.manner = manner
	}
}

// nameOf returns a party's name as written, or put together from its parts.
func (d *deal) nameOf(party *element) Text {
	for _, at := range []*element{party.path("LEGAL_ENTITY", "LEGAL_ENTITY_DETAIL"), party.path("INDIVIDUAL", "NAME"),
		party.path("NAME")} {
		if at == nil {
			continue
		}
		full := d.text(at, "FullName")
		var parts []string
		for _, name := range []string{"FirstName", "MiddleName", "LastName", "SuffixName"} {
			if part := d.text(at, name).Value; part != "" {
				parts = append(parts, part)
			}
		}
		if full.Value != "" {
			return full
		}
		if name := strings.Join(parts, " "); name != "" {
			return Text{name, Source{short(name), at.place()}}
		}
	}
	return Text{}
}

// decide fills in how title is held if it follows.
func (r *titleReader) decide() {
	people, entity := 0, heloc.OwnershipType("")
	for _, h := range r.distinct() {
		switch h.kind {
		case heloc.OwnershipSole:
			people++
		case heloc.OwnershipJoint:
			people += 2
		default:
			entity = h.kind
		}
	}
	t := &r.title
	switch {
	case r.unclear != "":
		t.Why = r.unclear
	case entity != "" && r.manner != "" && entity != heloc.OwnershipTrust:
		t.Why = "The way to hold title and the holder’s name don’t agree"
	case entity != "":
		t.Ownership, t.Why = entity, "The holder is "+entityName[entity]
	case len(r.holders) == 0 && r.manner == "":
	case r.manner == heloc.OwnershipJoint:
		t.Ownership, t.Why = heloc.OwnershipJoint, "The way to hold title says so"
	case people > 1 && r.manner == heloc.OwnershipSole:
		t.Why = "The way to hold title and the number of holders don’t agree"
	case people > 1:
		t.Ownership, t.Why = heloc.OwnershipJoint, "The title names more than one person"
	default:
		t.Ownership, t.Why = heloc.OwnershipSole, "The title names one person"
	}
}

// distinct returns the holders, each once. Names that may be one person's, and holders that change with the loan, leave
// it unclear how title is held.
func (r *titleReader) distinct() []holder {
	byStatus := map[string][]string{}
	var all []holder
	for _, h := range r.holders {
		byStatus[h.status] = append(byStatus[h.status], h.name)
		if h.name != "" && slices.ContainsFunc(all, func(other holder) bool { return other.name == h.name }) {
			continue
		}
		for _, other := range all {
			if mayBeSame(h, other) {
				r.unclear = "The title has two names that may be one person’s"
			}
		}
		all = append(all, h)
	}
	now, then := byStatus["Current"], byStatus["Proposed"]
	slices.Sort(now)
	slices.Sort(then)
	if now != nil && then != nil && !slices.Equal(now, then) {
		r.unclear = "The current and proposed title holders are different"
	}
	return all
}

// mayBeSame reports whether two people have the same first and last name.
func mayBeSame(a, b holder) bool {
	if a.kind != heloc.OwnershipSole || b.kind != heloc.OwnershipSole {
		return false
	}
	x := strings.Fields(nameSuffix.ReplaceAllString(a.name, ""))
	y := strings.Fields(nameSuffix.ReplaceAllString(b.name, ""))
	return len(x) > 1 && len(y) > 1 && x[0] == y[0] && x[len(x)-1] == y[len(y)-1]
}

var entityName = map[heloc.OwnershipType]string{heloc.OwnershipTrust: "a trust", heloc.OwnershipLLC: "an LLC",
	heloc.OwnershipOther: "a company or another entity"}
