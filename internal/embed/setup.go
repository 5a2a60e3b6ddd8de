package embed

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

// Setup is a client as an administrator enters it. An empty Keys or Secret leaves the stored
// one unchanged; a new Secret for a client that has one becomes the next secret, and both are valid.
type Setup struct {
	Key          string
	Name         string
	BrokerID     string
	Kind         launch.Kind
	Origins      []string
	Issuer       string
	Keys         string // a JSON Web Key Set
	KeysURL      string // where the CRM publishes its keys, instead of Keys
	Secret       string
	Organization string
	RecordURL    string // where the CRM shows a record, with {record} and {type}
	Mode         SaveMode
	// SameRecords is the administrator's statement that the system is the same and only its issuer,
	// kind or organization was corrected: its records keep their leads, within the company.
	SameRecords bool
}

// SaveMode is the purpose of a setup. Without it, a mistyped key could change another CRM or
// add an unintended one.
type SaveMode int

// The modes.
const (
	AddOrChange SaveMode = iota // add, or change if it exists
	Add                         // rejected when the key is taken
	Change                      // rejected when no client has the key
)

// trimmed is a setup without leading and trailing spaces.
func (s Setup) trimmed() Setup {
	for _, text := range []*string{&s.Key, &s.BrokerID, &s.Issuer, &s.Keys, &s.KeysURL, &s.Organization,
		&s.RecordURL} {
		*text = strings.TrimSpace(*text)
	}
	if s.Kind != launch.KindToken {
		s.KeysURL = ""
	}
	return s
}

var (
	keyPattern     = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)
	minSecretBytes = 24 // of a shared secret
)

// The maximum lengths of entered texts, in characters.
const (
	maxName         = 80
	maxIssuer       = 200
	maxOrganization = 80
)

// setupContext is what a setup is validated against.
type setupContext struct {
	exists   bool   // a client with the key exists
	brokerID string // of that client
	signingKeys
	keysURLProblem string
	secretRetired  bool              // the secret was used and retired before
	local          bool              // the portal is reachable only on this machine
	brokers        map[string]string // the companies of the directory: names by id
}

// fieldErrors returns what is missing or invalid, at most one error for each field.
func (s Setup) fieldErrors(was setupContext) []fault.Field {
	var errs []fault.Field
	addError := func(name, message string) {
		if message != "" && !slices.ContainsFunc(errs, func(f fault.Field) bool { return f.Name == name }) {
			errs = append(errs, fault.Field{Name: name, Message: message})
		}
	}
	addError("key", s.keyProblem(was.exists))
	addError("name", lineProblem(s.Name, maxName, "Enter a name that users will recognize"))
	addError("brokerId", s.brokerProblem(was))
	addError("origins", originProblem(s.Origins, was.local))
	addError("recordUrl", recordURLProblem(s.RecordURL, parseOrigins(s.Origins, was.local)))
	switch {
	case !slices.Contains(launch.Kinds(), s.Kind):
		addError("kind", "Choose a signing method") // what else it needs follows from that
	case s.Kind == launch.KindToken:
		addError("issuer", lineProblem(s.Issuer, maxIssuer, "Enter the issuer of its tokens"))
		addError("keysUrl", was.keysURLProblem)
		addError("keys", s.keySetProblem(was.signingKeys))
	default:
		addError("organization", lineProblem(s.Organization, maxOrganization,
			"Enter the organization ID (Salesforce) or portal ID (HubSpot)"))
		addError("secret", s.secretProblem(was))
	}
	return errs
}

const keyTakenMessage = "Another CRM uses this key. Edit that CRM, or enter a different key"

func (s Setup) keyProblem(exists bool) string {
	switch {
	case !keyPattern.MatchString(s.Key):
		return "Use lowercase letters, digits and dashes, up to 40 characters"
	case s.Mode == Add && exists:
		return keyTakenMessage
	case s.Mode == Change && !exists:
		return "No CRM has this key"
	default:
		return ""
	}
}

// brokerProblem requires an existing company, because otherwise nobody could come from the CRM.
// A client may keep a company that has left the directory, and a directory that was never
// read, as before the first start, rejects none.
func (s Setup) brokerProblem(was setupContext) string {
	_, known := was.brokers[s.BrokerID]
	switch {
	case s.BrokerID == "":
		return "Choose the broker company whose users have this CRM"
	case known || len(was.brokers) == 0 || was.exists && s.BrokerID == was.brokerID:
		return ""
	default:
		return "The lender’s directory has no company with this ID. It lists " + listCompanies(was.brokers)
	}
}

// maxListedCompanies is the maximum number of companies in an error message.
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
		return "Enter the origin of its pages"
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

func (s Setup) keySetProblem(was signingKeys) string {
	switch {
	case s.Keys != "" && s.KeysURL != "":
		return "Enter keys or a URL, not both"
	case s.KeysURL != "" || s.Keys == "" && len(was.Keys) > 0 && was.KeySource.URL == "":
		return ""
	case s.Keys == "":
		return "Paste its public keys as a JSON Web Key Set, or enter their URL"
	}
	if _, err := launch.ParseKeys([]byte(s.Keys)); err != nil {
		return "Enter public keys as a JSON Web Key Set: Ed25519, P-256, or RSA with at least 2048 bits"
	}
	return ""
}

func (s Setup) secretProblem(was setupContext) string {
	switch {
	case s.Secret == "" && len(was.Secret) == 0:
		return "Enter the shared secret"
	case s.Secret != "" && len(strings.TrimSpace(s.Secret)) < minSecretBytes:
		return "Enter at least 24 characters"
	case was.secretRetired:
		return "This secret was used before. Create a new one"
	default:
		return ""
	}
}

// lineProblem returns an error text unless a text is one readable line of limited length; it
// returns missing if the text is empty.
func lineProblem(text string, limit int, missing string) string {
	line := oneLine(text)
	switch {
	case line == "":
		return missing
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return "Enter one line of visible characters"
	case utf8.RuneCountInString(line) > limit:
		return fmt.Sprintf("Use up to %d characters", limit)
	default:
		return ""
	}
}

// oneLine collapses the spaces of a text to single ones.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// hostPattern is a host as browsers write it: lower case, with international names in their
// xn-- form, and without characters that a content security policy would read as a pattern.
var hostPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$`)

// parseOrigin normalizes an origin to the form that browsers use, so that it can be compared
// as text: a lower-case host and no default port. False if it is not a valid origin. It
// must be https; http is allowed only on loopback, and only if the portal is local too.
func parseOrigin(text string, local bool) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(text, u.Scheme+"://"+u.Host) {
		return "", false
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if !hostPattern.MatchString(host) || isNumericHost(host) && !isIPv4(host) || !isPort(port) ||
		strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	switch {
	case u.Scheme == "https":
	case u.Scheme == "http" && local && isLoopback(host):
	default:
		return "", false
	}
	if port == "" || port == map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		return u.Scheme + "://" + host, true
	}
	return u.Scheme + "://" + host + ":" + port, true
}

// parseOrigins returns the valid origins of a setup without duplicates.
func parseOrigins(given []string, local bool) []string {
	var all []string
	for _, text := range given {
		if o, ok := parseOrigin(text, local); ok && !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}

// isNumericHost reports whether browsers would interpret a host as an IPv4 address, in any form.
func isNumericHost(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil
}

func isIPv4(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Is4() && a.String() == host
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0 && strconv.FormatUint(n, 10) == port
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" }

// isLocal reports whether the portal is reachable only on this machine, without TLS.
func (s *Service) isLocal() bool {
	return s.Base != nil && s.Base.Scheme == "http" && isLoopback(s.Base.Hostname())
}
