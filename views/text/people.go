package text

import (
	"cmp"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// RoleText describes a user's role and company.
func RoleText(who access.Actor) string {
	return JoinNonEmpty(", ", Role(string(who.Role)), ActorCompany(who))
}

// PersonWithNMLS returns a user's name with their NMLS license number.
func PersonWithNMLS(who access.Actor) string {
	if who.NMLS == "" {
		return who.Name
	}
	return who.Name + ", NMLS " + who.NMLS
}

// NMLSOrUnknown shows an NMLS number, or states that it is unknown.
func NMLSOrUnknown(number string) string {
	if number == "" {
		return "no NMLS ID on file"
	}
	return "NMLS " + number
}

// ActorCompany returns the user's broker company, or else their organization.
func ActorCompany(who access.Actor) string { return cmp.Or(who.BrokerName, who.Organization) }

// RemainingWorkText describes remaining work, "3 open leads and 1 draft".
func RemainingWorkText(leads, drafts int) string {
	var parts []string
	if leads > 0 {
		parts = append(parts, Pluralize(leads, "open lead", "open leads"))
	}
	if drafts > 0 {
		parts = append(parts, Pluralize(drafts, "draft", "drafts"))
	}
	return strings.Join(parts, " and ")
}

// OriginatorNames returns the names of originators, with the NMLS ID where two have the same name.
func OriginatorNames(all []lead.Originator) map[heloc.OriginatorID]string {
	names, people := make(map[heloc.OriginatorID]string, len(all)), map[string]int{}
	for _, o := range all {
		people[o.Name()]++
	}
	for _, o := range all {
		if names[o.UUID] = o.Name(); people[o.Name()] > 1 {
			names[o.UUID] += " (" + NMLSOrUnknown(o.NMLS) + ")"
		}
	}
	return names
}
