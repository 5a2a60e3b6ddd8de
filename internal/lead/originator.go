package lead

import (
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// DirectoryChange is something that the lender's directory would take from an originator here,
// and that was not done when it was read: it waits for an administrator, or one has decided. In the state
// ChangeApplied it was done.
type DirectoryChange struct {
	Originator heloc.OriginatorID `db:"originator"`
	// as CompanyOf returns it; "" where the directory no longer lists the originator
	ToCompany string      `db:"to_company"`
	ToName    string      `db:"to_name"`
	State     ChangeState `db:"state"`
	ShownAt   int64       `db:"shown_at"` // since when administrators are shown it in this state
	DecidedBy string      `db:"decided_by"`
}

// ChangeState is the decision about a directory change.
type ChangeState string

// The states. The first three end when a complete read lists the person without the change, or shows
// another change of theirs.
const (
	ChangeWaiting     ChangeState = "waiting"
	ChangeApproved    ChangeState = "approved"    // the next complete read that still shows it applies it
	ChangeDisregarded ChangeState = "disregarded" // the person stays, whatever the directory lists
	// done without an administrator at ShownAt; it counts toward the limit of later reads
	ChangeApplied ChangeState = "applied"
)

// Closure is what an absence from the directory closed and an administrator can restore.
type Closure struct {
	Originator
	UserID string `db:"user_id"` // the account that it closed; "" for none
	Leads  int    `db:"leads"`   // that nobody has received since
}

// Mismatch is a lead for which the lender names an originator who cannot be found. The lead stays with its
// current originator.
type Mismatch struct {
	App    heloc.AppID        `db:"app"`
	Named  heloc.OriginatorID `db:"named"` // empty when the lender's value is not an id
	Reason MismatchReason     `db:"reason"`
	At     int64              `db:"at"` // since when
}

// MismatchReason is why an originator cannot be found.
type MismatchReason string

// The reasons; empty where there is no mismatch.
const (
	MismatchMalformed MismatchReason = "malformed" // the lender sent something that is not an id
	MismatchUnknown   MismatchReason = "unknown"   // the lender's directory does not list the originator
	// the lender's directory could not be read, or new people wait for an administrator
	MismatchUnreachable MismatchReason = "unreachable"
)

// Originator is one entry of the lender's directory as of its last read.
type Originator struct {
	UUID         heloc.OriginatorID `db:"uuid"`
	Email        string             `db:"email"`
	FirstName    string             `db:"first_name"`
	MiddleName   string             `db:"middle_name"`
	LastName     string             `db:"last_name"`
	NMLS         string             `db:"nmls"`
	Phone        string             `db:"phone"`
	Organization string             `db:"organization"`
	BrokerID     string             `db:"broker_id"`
	BrokerName   string             `db:"broker_name"`
	BrokerNMLS   string             `db:"broker_nmls"`
	SyncedAt     int64              `db:"synced_at"`
	RemovedAt    int64              `db:"removed_at"`
	// since when complete reads have not listed the originator; 0 while they do
	MissingSince int64 `db:"missing_since"`
}

// Name returns the originator's name on one line.
func (o Originator) Name() string { return o.FirstName + " " + o.LastName }

// Company returns the name of the company that the originator works for.
func (o Originator) Company() string {
	if o.BrokerName != "" {
		return o.BrokerName
	}
	return o.Organization
}

// Owner returns the owner of this originator's leads, for access checks.
func (o Originator) Owner() access.Owner {
	return access.Owner{OriginatorUUID: string(o.UUID), BrokerID: o.BrokerID, Organization: o.Organization}
}

// HeldAdditions describes the new people in the last complete read of the directory, when there are too many to add
// without an administrator. It is zero when nobody is held.
type HeldAdditions struct {
	People    int                `json:"people"`
	Companies []CompanyAdditions `json:"companies"` // the companies with the most held people
	Digest    string             `json:"digest"`    // of their ids
	Approved  bool               `json:"approved"`  // an administrator approved adding exactly these
}

// CompanyAdditions counts the held people of one company.
type CompanyAdditions struct {
	Name   string `json:"name"`
	People int    `json:"people"`
}

// DirectoryResult is the result of a search for originators.
type DirectoryResult struct {
	People       []Originator
	Total        int       // how many match; People holds the first of them
	SyncedAt     time.Time // when the lender last listed the most recently listed of them
	LenderAsked  bool      // nobody in the directory matched, so we searched at the lender by email
	LenderSilent bool      // and the lender did not respond
}

// AssigneeControl is the control with the new originator of a lead, which field errors name.
const AssigneeControl = "newLoanOriginatorUuid"

// Why an originator cannot take a lead.
const (
	ProblemUnlicensed = "This originator isn’t licensed in the property’s state"
	ProblemNoLicense  = "No license on file in the property’s state"
	// nobody could work on it
	ProblemClosedAccount = "This originator’s account is disabled or has a role that can’t work on leads"
)

// AssigneeError is an error at the control with the new originator.
func AssigneeError(why string) error {
	return fault.InvalidField(AssigneeControl, why)
}

// AssigneeProblem explains why an originator cannot take a lead; empty when they can.
func AssigneeProblem(row Row, o Originator) string {
	switch {
	case o.UUID == row.Originator:
		return "This originator already has the lead"
	case o.BrokerID != row.BrokerID() || row.Organization != "" && o.Organization != row.Organization:
		return "Choose an originator at the same broker company"
	case o.RemovedAt != 0:
		return "This originator is no longer in the lender’s directory"
	default:
		return ""
	}
}

// Assignee is a colleague who can take leads. Only a colleague with an account can take drafts too.
type Assignee struct {
	Originator
	UserID string
}

// AssigneeOf returns an originator with the account that can take drafts; false if all of their accounts are closed or
// cannot work on leads.
func AssigneeOf(o Originator, users []access.User) (t Assignee, can bool) {
	t, can = Assignee{Originator: o}, true
	for _, u := range users {
		if u.OriginatorUUID != string(o.UUID) {
			continue
		}
		if can = !u.Disabled && u.Can(access.ActOnLead); can {
			t.UserID = u.UserID
			break
		}
	}
	return t, can
}

// Availability is what is known about whether an originator can work on leads now. Every page that shows it gets it
// from Desk.availability, which is the only place that decides it.
type Availability struct {
	HasAccount bool     // an account that is not closed
	Disabled   bool     // only an account that is closed
	NoLeads    bool     // an account that is not closed, with a role that does not work on leads
	UserID     string   // its id, with HasAccount
	SeenAt     int64    // the last activity or sign-in, in milliseconds; 0 for never
	Absence    *Absence // the absence that has begun; nil for none
}

// CompanyBrand is what a company puts on pages for borrowers.
type CompanyBrand struct {
	Company    string // as access.CompanyOf names it
	Name, NMLS string
	Color      string // as it was entered, "1d5b4f"; "" for none
	LogoDigest string // "" for none
	LogoWidth  int    // pixels
	LogoHeight int
}

// NameMatcher returns a function that compares what was typed with a name: each word begins a word of the name or, if
// it is shorter than heloc.MinPrefix, equals one. Names contain no numbers or emails: for those, only the keyed
// token decides.
func NameMatcher(typed string) func(heloc.Name) bool {
	if strings.Contains(typed, "@") {
		return func(heloc.Name) bool { return true }
	}
	asked := slices.DeleteFunc(strings.Fields(heloc.FoldForSearch(typed)), func(t string) bool {
		return strings.Trim(t, "0123456789") == ""
	})
	return func(n heloc.Name) bool {
		if len(asked) == 0 {
			return true
		}
		words := strings.Fields(heloc.FoldForSearch(n.First + " " + n.Middle + " " + n.Last))
		return !slices.ContainsFunc(asked, func(t string) bool {
			return !slices.ContainsFunc(words, func(w string) bool {
				return w == t || len([]rune(t)) >= heloc.MinPrefix && strings.HasPrefix(w, t)
			})
		})
	}
}

// FilterOriginators returns the originators that match what was typed or, if none does, another spelling of it.
func FilterOriginators(all []Originator, typed string) []Originator {
	for _, spelling := range []string{typed, heloc.OtherSpelling(typed)} {
		originators := slices.DeleteFunc(slices.Clone(all), func(o Originator) bool { return !o.Matches(spelling) })
		if len(originators) > 0 || heloc.OtherSpelling(typed) == "" {
			return originators
		}
	}
	return nil
}

// Matches reports whether every word of the query starts a name of the originator, is part of their email
// or starts their NMLS number.
func (o Originator) Matches(typed string) bool {
	names := strings.Fields(heloc.FoldForSearch(o.FirstName + " " + o.MiddleName + " " + o.LastName))
	email := strings.ToLower(o.Email)
next:
	for _, word := range strings.Fields(strings.ToLower(input.Plain(typed))) {
		if strings.Contains(email, word) || strings.HasPrefix(o.NMLS, word) {
			continue
		}
		for _, part := range strings.Fields(heloc.FoldForSearch(word)) {
			for _, name := range names {
				if strings.HasPrefix(name, part) {
					continue next
				}
			}
		}
		return false
	}
	return true
}

// IsNamed reports whether the first typed word starts a name of the originator, or their NMLS number. The originator is
// already known to match.
func (o Originator) IsNamed(typed string) bool {
	words := strings.Fields(heloc.FoldForSearch(typed))
	return len(words) == 0 || slices.ContainsFunc(strings.Fields(heloc.FoldForSearch(o.Name()+" "+o.NMLS)),
		func(name string) bool {
			return strings.HasPrefix(name, words[0])
		})
}

// Party is the kind of license holder.
type Party string

// The license holders that the portal checks.
const (
	PartyOriginator Party = "originator"
	PartyBroker     Party = "broker"
)

// License records whether somebody may act in a state. Holder is the lender's id of an originator or a broker
// company.
type License struct {
	Holder  string `db:"holder"`
	State   string `db:"state"` // two letters
	Party   Party  `db:"party"`
	Number  string `db:"number"`
	Allowed bool   `db:"allowed"`
	SetBy   string `db:"set_by"` // the id of the user who set it; empty when the lender reported it
	At      int64  `db:"at"`
	// ExpiresOn is the last day, as an administrator entered it; empty if it is not known. The lender does not report it.
	ExpiresOn heloc.Date `db:"expires_on"`
}

// LicenseStatus is what is known about an originator's right to act in a state.
type LicenseStatus string

// The license statuses. An unknown status refuses nothing, but is shown.
const (
	LicenseHeld    LicenseStatus = "held"
	LicenseUnknown LicenseStatus = "unknown"
	LicenseMissing LicenseStatus = "missing" // somebody has recorded that they may not
)

// LicenseStatusIn returns what the licenses of one holder say about a state.
func LicenseStatusIn(state string, licenses []License) LicenseStatus {
	at := slices.IndexFunc(licenses, func(l License) bool { return l.State == state })
	switch {
	case at < 0:
		return LicenseUnknown
	case licenses[at].Allowed:
		return LicenseHeld
	default:
		return LicenseMissing
	}
}

// LicenseTable is the licenses of several holders, by holder.
type LicenseTable map[string][]License

// LicenseTableOf sorts licenses by holder.
func LicenseTableOf(all []License) LicenseTable {
	table := LicenseTable{}
	for _, l := range all {
		table[l.Holder] = append(table[l.Holder], l)
	}
	return table
}

// Status returns what is known about an originator's right to act in a state. Without a state, there is nothing to
// compare yet.
func (t LicenseTable) Status(o Originator, state string) LicenseStatus {
	if state == "" {
		return LicenseHeld
	}
	return LicenseStatusIn(state, t[string(o.UUID)])
}
