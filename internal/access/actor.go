package access

import "time"

// Actor is the signed-in person, as one look at the session finds them.
// Identifiers are UUIDs in lower case; what a person does not have is empty.
type Actor struct {
	UserID         string
	Name           string
	Email          string
	Role           Role
	OriginatorUUID string // the person's own originator at the lender
	OriginatorName string
	BrokerID       string // broker company: the wall inside the organization
	BrokerName     string
	Organization   string
	NMLS           string // the originator's, for the bar and the offer sheet
	TimeZone       string // IANA name
	SessionEpoch   int    `json:"Turn"` // how often all that they had under way was ended, when they were looked at

	// AllowsVouchedByCRM is whoever a CRM alone vouches for: inside its frame they see their list
	// without names, and nothing more until they have proved who they are.
	VouchedByCRM bool `json:"Unconfirmed"`

	// ElevatedUntil is until when the person counts as having proved lately who they are; the
	// zero time for who has not. It is of one session, and nobody brings it along from the
	// store: who works in a person's name has not proved to be them, and says so where a
	// permission asks for it.
	ElevatedUntil time.Time `json:"ProvedUntil"`
}

// Elevated says whether the person has proved lately who they are.
func (a Actor) Elevated(now time.Time) bool { return now.Before(a.ElevatedUntil) }

// Can says whether this person may do p: by role, and for acts in an
// originator's name only with an originator of their own.
func (a Actor) Can(p Permission) bool {
	return a.Role.Can(p) && (!p.NeedsOriginator() || a.OriginatorUUID != "") && (!a.VouchedByCRM || p.AllowsVouchedByCRM())
}

// Scope is what this person may see.
func (a Actor) Scope() Scope {
	return ScopeOf(a.Role, a.OriginatorUUID, a.BrokerID, a.Organization)
}

// Scope is the leads within a person's reach. Exactly one field is set; the zero
// Scope reaches no lead, and a query must treat it so.
type Scope struct {
	OriginatorUUID string // the leads of this originator
	BrokerID       string // the leads of this broker company
	Organization   string // the leads of this organization that belong to no broker company
}

// ScopeOf gives the scope of a person. An originator reaches their own leads;
// manager and assistant their broker company's, or, where they belong to none,
// the organization's leads outside every broker company; an administrator none.
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

// Empty says that the scope reaches no lead.
func (s Scope) Empty() bool { return s == Scope{} }

// Owner is whose a lead is.
type Owner struct {
	OriginatorUUID, BrokerID, Organization string
}

// Covers says whether a lead of owner lies within the scope.
func (s Scope) Covers(owner Owner) bool {
	switch {
	case s.OriginatorUUID != "":
		return s.OriginatorUUID == owner.OriginatorUUID
	case s.BrokerID != "":
		return s.BrokerID == owner.BrokerID
	case s.Organization != "":
		return s.Organization == owner.Organization && owner.BrokerID == ""
	default:
		return false
	}
}
