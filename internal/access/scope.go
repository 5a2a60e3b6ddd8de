package access

import (
	"slices"
	"strings"
)

// Scope returns the leads that this user may see. A user vouched for only by a CRM sees no leads as a deputy. An
// assistant sees the leads of those for whom they work.
func (a Actor) Scope() Scope {
	s := ScopeOf(a.Role, a.OriginatorUUID, a.BrokerID, a.Organization)
	if a.Role == Assistant {
		return s.among(a.WorksFor)
	}
	if s.OriginatorUUID != "" && !a.VouchedByCRM {
		s.Covering = a.Covering
	}
	return s
}

// among narrows a company's scope to some of its originators.
func (s Scope) among(some Covers) Scope {
	switch some {
	case "":
		return Scope{}
	case AllOriginators:
		return s
	}
	s.Among = some
	return s
}

// Scope is the set of leads that a user may see. Exactly one of the first three fields is set. The zero Scope covers no
// lead, and queries must treat it that way.
type Scope struct {
	OriginatorUUID string // the leads of this originator
	BrokerID       string // the leads of this broker company
	Organization   string // the leads of this organization that belong to no broker company

	// Covering is set only with OriginatorUUID: the originators whose leads the user sees too, as their deputy.
	Covering Covers
	// Among is set only with BrokerID or Organization: of the company's leads, only those of these originators. Empty
	// means all of them, also the unassigned ones.
	Among Covers
}

// Originators returns the originators whose leads the user sees, themselves first; nil for a company's scope.
func (s Scope) Originators() []string {
	if s.OriginatorUUID == "" {
		return nil
	}
	return append([]string{s.OriginatorUUID}, s.Covering.All()...)
}

// Own returns the scope without the leads that the user sees as a deputy.
func (s Scope) Own() Scope {
	s.Covering = ""
	return s
}

// Covered returns the scope of one originator for whom the user is a deputy; false if they are not.
func (s Scope) Covered(originator string) (Scope, bool) {
	return Scope{OriginatorUUID: originator}, s.OriginatorUUID != "" && s.Covering.Has(originator)
}

// AsDeputy reports whether a lead of owner is within the scope only because the user is a deputy.
func (s Scope) AsDeputy(owner Owner) bool {
	return s.OriginatorUUID != "" && s.OriginatorUUID != owner.OriginatorUUID && s.Covering.Has(owner.OriginatorUUID)
}

// Covers is a set of originators. It is a string, so that users and scopes can be compared.
type Covers string

// AllOriginators is the set of all originators of a company, whoever they are, for an assistant who works for all.
const AllOriginators Covers = "*"

// CoversOf returns the set of some originators.
func CoversOf(originators ...string) Covers {
	all := slices.Clone(originators)
	slices.Sort(all)
	return Covers(strings.Join(slices.Compact(all), " "))
}

// All lists the originators of the set.
func (c Covers) All() []string { return strings.Fields(string(c)) }

// Has reports whether an originator is in the set.
func (c Covers) Has(originator string) bool {
	return originator != "" && slices.Contains(c.All(), originator)
}

// ScopeOf returns the scope of a role. An originator's scope is their own leads; a manager's or assistant's scope is
// their broker company's leads or, if they belong to none, the organization's leads outside every broker company. An
// administrator's scope is empty. Actor.Scope narrows an assistant's.
func ScopeOf(role Role, originatorUUID, brokerID, organization string) Scope {
	switch role {
	case Originator:
		return Scope{OriginatorUUID: originatorUUID}
	case Manager, Assistant:
		if brokerID != "" {
			return Scope{BrokerID: brokerID}
		}
		return Scope{Organization: organization}
	default:
		return Scope{}
	}
}

// Empty reports whether the scope covers no lead.
func (s Scope) Empty() bool { return s == Scope{} }

// Owner is who a lead belongs to.
type Owner struct {
	OriginatorUUID, BrokerID, Organization string
}

// Covers reports whether a lead of owner is within the scope.
func (s Scope) Covers(owner Owner) bool {
	switch {
	case s.OriginatorUUID != "":
		return s.OriginatorUUID == owner.OriginatorUUID || s.AsDeputy(owner)
	case s.BrokerID != "":
		return s.BrokerID == owner.BrokerID && s.includes(owner)
	case s.Organization != "":
		return s.Organization == owner.Organization && owner.BrokerID == "" && s.includes(owner)
	default:
		return false
	}
}

func (s Scope) includes(owner Owner) bool { return s.Among == "" || s.Among.Has(owner.OriginatorUUID) }

// CompanyOf returns the company that a lead belongs to, which is the boundary for access: its broker company,
// or the part of the organization that has no broker company.
func CompanyOf(brokerID, organization string) string {
	if brokerID != "" {
		return brokerID
	}
	return noBroker + organization
}

// BrokerOf returns the broker company of a company that CompanyOf returned; empty if it has none.
func BrokerOf(company string) string {
	if _, ok := OrganizationOf(company); ok {
		return ""
	}
	return company
}

// OrganizationOf returns the organization for a company returned by CompanyOf; ok is false for a broker company.
func OrganizationOf(company string) (organization string, ok bool) {
	return strings.CutPrefix(company, noBroker)
}

const noBroker = "org:"
