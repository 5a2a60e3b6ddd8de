package embed

import (
	"regexp"
	"slices"
	"strings"

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
	Fresh        bool // to be added: refused when the key is taken
	// SameRecords is the administrator's word that the system is the one it was, its issuer,
	// kind or organization corrected: its records keep their leads, within the company.
	SameRecords bool
}

var (
	keyForm    = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)
	leastBytes = 24 // of a shared secret
)

// wrong is what is missing or cannot be.
func (e Setup) wrong(was signing, local bool) []fault.Field {
	var wrong []fault.Field
	complain := func(when bool, name, message string) {
		if when {
			wrong = append(wrong, fault.Field{Name: name, Message: message})
		}
	}
	complain(!keyForm.MatchString(e.Key), "key", "Use small letters, digits and dashes, 40 at most")
	complain(strings.TrimSpace(e.Name) == "", "name", "Give it the name that people know")
	complain(e.BrokerID == "", "brokerId", "Name the broker company whose people use it")
	complain(!slices.Contains(launch.Kinds(), e.Kind), "kind", "Choose how it signs")
	complain(len(e.Origins) == 0, "origins", "Name the address of its pages")
	for _, o := range e.Origins {
		_, ok := originOf(o, local)
		complain(!ok, "origins", o+" is not an origin such as https://crm.example, without a path and without *")
	}
	if e.Kind == launch.KindToken {
		complain(e.Issuer == "", "issuer", "Name the issuer of its tokens")
		complain(e.Keys == "" && len(was.Keys) == 0, "keys", "Paste its public keys, a JSON Web Key Set")
		if e.Keys != "" {
			_, err := launch.ParseKeys([]byte(e.Keys))
			complain(err != nil, "keys", "This is not a set of public keys (JSON Web Key Set): Ed25519, P-256, or RSA of 2048 bits at least")
		}
		return wrong
	}
	complain(e.Organization == "", "organization", "Name the organization (Salesforce) or portal (HubSpot) it may speak for")
	complain(e.Secret == "" && len(was.Secret) == 0, "secret", "Enter the secret that both sides hold")
	complain(e.Secret != "" && len(e.Secret) < leastBytes, "secret", "A secret has 24 characters at least")
	return wrong
}
