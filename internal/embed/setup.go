package embed

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

// Setup is a client as an administrator enters it. An empty Keys or Secret keeps what
// stands; a Secret given to a client that has one becomes the next, and both hold.
type Setup struct {
	Key          string
	Name         string
	BrokerID     string
	Kind         launch.Kind
	Origins      []string
	Issuer       string
	Keys         string // a JSON Web Key Set
	Secret       string
	Organization string
	Mode         SaveMode
	// SameRecords is the administrator's word that the system is the one it was, its issuer,
	// kind or organization corrected: its records keep their leads, within the company.
	SameRecords bool
}

// Mode is what a setup is for. A key that was mistyped would else change another CRM, or add
// one that nobody meant.
type SaveMode int

// The aims.
const (
	AddOrChange SaveMode = iota // added, or changed where it stands
	Add                         // refused when the key is taken
	Change                      // refused when nothing has it
)

// trimmed is a setup without the blanks around what was entered.
func (e Setup) trimmed() Setup {
	for _, text := range []*string{&e.Key, &e.BrokerID, &e.Issuer, &e.Keys, &e.Organization} {
		*text = strings.TrimSpace(*text)
	}
	return e
}

var (
	keyPattern     = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)
	minSecretBytes = 24 // of a shared secret
)

// The bounds of what is entered, in characters.
const (
	maxName         = 80
	maxIssuer       = 200
	maxOrganization = 80
)

// setupContext is what a setup is judged by.
type setupContext struct {
	exists   bool   // something has the key
	brokerID string // of that
	signingKeys
	secretRetired bool              // the secret was in use before, and holds no more
	local         bool              // the portal is on this machine alone
	brokers       map[string]string // the companies of the directory, their names by id
}

// fieldErrors is what is missing or cannot be, in one complaint for each field.
func (e Setup) fieldErrors(was setupContext) []fault.Field {
	var wrong []fault.Field
	complain := func(name, message string) {
		if message != "" && !slices.ContainsFunc(wrong, func(f fault.Field) bool { return f.Name == name }) {
			wrong = append(wrong, fault.Field{Name: name, Message: message})
		}
	}
	complain("key", e.keyProblem(was.exists))
	complain("name", lineProblem(e.Name, maxName, "Give it the name that people know"))
	complain("brokerId", e.brokerProblem(was))
	complain("origins", originProblem(e.Origins, was.local))
	switch {
	case !slices.Contains(launch.Kinds(), e.Kind):
		complain("kind", "Choose how it signs") // what else it needs follows from that
	case e.Kind == launch.KindToken:
		complain("issuer", lineProblem(e.Issuer, maxIssuer, "Name the issuer of its tokens"))
		complain("keys", e.keySetProblem(was.Keys))
	default:
		complain("organization", lineProblem(e.Organization, maxOrganization, "Name the organization (Salesforce) or portal (HubSpot) it may speak for"))
		complain("secret", e.secretProblem(was))
	}
	return wrong
}

const keyTakenMessage = "This key is taken: change that CRM, or choose another"

func (e Setup) keyProblem(stands bool) string {
	switch {
	case !keyPattern.MatchString(e.Key):
		return "Use small letters, digits and dashes, 40 at most"
	case e.Mode == Add && stands:
		return keyTakenMessage
	case e.Mode == Change && !stands:
		return "No CRM has this key: there is nothing to change"
	default:
		return ""
	}
}

// brokerProblem holds a CRM to a company that there is: nobody could come by it otherwise. A
// company that has left the directory keeps the one it has, and a directory that was not
// read yet, as before the first start, judges none.
func (e Setup) brokerProblem(was setupContext) string {
	_, known := was.brokers[e.BrokerID]
	switch {
	case e.BrokerID == "":
		return "Name the broker company whose people use it"
	case known || len(was.brokers) == 0 || was.exists && e.BrokerID == was.brokerID:
		return ""
	default:
		return "The lender’s directory has no company with this id; it has " + listCompanies(was.brokers)
	}
}

// maxListedCompanies is how many companies a complaint names.
const maxListedCompanies = 10

// listCompanies lists companies, id and name, up to maxListedCompanies.
func listCompanies(brokers map[string]string) string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(brokers)) {
		if len(all) == maxListedCompanies {
			return strings.Join(all, ", ") + fmt.Sprintf(" and %d more", len(brokers)-maxListedCompanies)
		}
		all = append(all, id+" ("+cmp.Or(brokers[id], "without a name")+")")
	}
	return strings.Join(all, ", ")
}

func originProblem(given []string, local bool) string {
	if len(given) == 0 {
		return "Name the address of its pages"
	}
	var bad []string
	for _, o := range given {
		if _, ok := parseOrigin(o, local); !ok {
			bad = append(bad, o)
		}
	}
	const such = " such as https://crm.example, without a path and without *"
	switch last := len(bad) - 1; last {
	case -1:
		return ""
	case 0:
		return bad[0] + " is not an origin" + such
	default:
		return strings.Join(bad[:last], ", ") + " and " + bad[last] + " are not origins" + such
	}
}

func (e Setup) keySetProblem(was []byte) string {
	if e.Keys == "" {
		if len(was) > 0 {
			return ""
		}
		return "Paste its public keys, a JSON Web Key Set"
	}
	if _, err := launch.ParseKeys([]byte(e.Keys)); err != nil {
		return "This is not a set of public keys (JSON Web Key Set): Ed25519, P-256, or RSA of 2048 bits at least"
	}
	return ""
}

func (e Setup) secretProblem(was setupContext) string {
	switch {
	case e.Secret == "" && len(was.Secret) == 0:
		return "Enter the secret that both sides hold"
	case e.Secret != "" && len(strings.TrimSpace(e.Secret)) < minSecretBytes:
		return "A secret has 24 characters at least"
	case was.secretRetired:
		return "This secret was in use here before. Make a new one"
	default:
		return ""
	}
}

// lineProblem says what keeps a text from being one line that a person can read, of so many
// characters; missing where there is nothing.
func lineProblem(text string, most int, missing string) string {
	line := oneLine(text)
	switch {
	case line == "":
		return missing
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return "Write it in one line, of letters and signs that can be seen"
	case utf8.RuneCountInString(line) > most:
		return fmt.Sprintf("Use at most %d characters", most)
	default:
		return ""
	}
}

// offersQueue is a text with single blanks between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
