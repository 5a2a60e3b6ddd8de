package format

import (
	"hearthline/internal/access"
	"strings"
)

// RoleText is what somebody will be, and where.
func RoleText(who access.Actor) string {
	line := strings.ToUpper(string(who.Role[:1])) + string(who.Role[1:])
	if who.Role == access.Admin {
		line = "Administrator"
	}
	if c := ActorCompany(who); c != "" {
		line += ", " + c
	}
	return line
}

// PersonWithNMLS is who attests, with their licence.
func PersonWithNMLS(who access.Actor) string {
	if who.NMLS == "" {
		return who.Name
	}
	return who.Name + ", NMLS " + who.NMLS
}

func NMLSOrUnknown(number string) string {
	if number == "" {
		return "no NMLS number known"
	}
	return "NMLS " + number
}

func ActorCompany(who access.Actor) string {
	if who.BrokerName != "" {
		return who.BrokerName
	}
	return who.Organization
}

// RemainingWorkText are "3 open leads and 1 draft".
func RemainingWorkText(leads, drafts int) string {
	var left []string
	if leads > 0 {
		left = append(left, Pluralize(leads, "open lead", "open leads"))
	}
	if drafts > 0 {
		left = append(left, Pluralize(drafts, "draft", "drafts"))
	}
	return strings.Join(left, " and ")
}
