// Package floors holds the house together: its tests fail when a room imports one it
// must not, when a template does what the content policy forbids, or when something
// stands at the top level that does not belong there.
package floors

// Room is a package and what of ours it may import, tests aside.
type Room struct {
	Path    string // without the module; "views/..." stands for the folder and all below
	Imports []string
}

// anything is for the rooms on top.
const anything = "*"

// House is the floors, from the top down. A new room enters here, in README's picture
// and in the code in one commit.
func House() []Room {
	return []Room{
		{"cmd/portal", []string{anything}},
		{"cmd/sandbox", []string{anything}},
		{"internal/e2e", []string{anything}},

		{"web", []string{"internal/asvs", "internal/desk", "views", "views/ui", "views/to", "views/words", "internal/access", "internal/heloc", "internal/fault", "internal/pii", "internal/paper", "static", "internal/account", "internal/embed", "internal/launch"}},
		{"internal/work", []string{"internal/desk", "internal/account", "internal/store", "internal/fault"}},

		{"internal/desk", []string{"internal/account", "internal/embed", "internal/launch", "internal/journal", "internal/partner", "internal/seal", "internal/store", "internal/vault", "internal/access", "internal/hub", "internal/heloc", "internal/fault", "internal/pii"}},
		{"internal/renewal", []string{"internal/embed", "internal/journal", "internal/store", "internal/vault", "internal/heloc", "internal/fault"}},
		{"internal/embed", []string{"internal/account", "internal/launch", "internal/journal", "internal/store", "internal/vault", "internal/access", "internal/fault", "internal/pii"}},
		{"internal/watch", []string{"internal/journal", "internal/partner", "internal/seal", "internal/store", "internal/vault", "internal/hub", "internal/heloc", "internal/fault", "internal/pii"}},
		{"views", []string{"views/ui", "views/to", "views/words", "static"}},
		{"views/ui", []string{"views/to", "views/words", "static"}},
		{"views/to", nil},
		{"views/words", nil},
		{"internal/sandbox", []string{"internal/heloc", "internal/seal", "internal/fault", "internal/pii"}},

		{"internal/journal", []string{"internal/store", "internal/vault", "internal/access", "internal/heloc", "internal/fault"}},
		{"internal/partner", []string{"internal/heloc", "internal/seal", "internal/fault", "internal/pii"}},
		{"internal/store", []string{"internal/heloc", "internal/access", "internal/fault", "migrations"}},
		{"internal/store/storetest", []string{"internal/store", "internal/heloc", "internal/access", "internal/fault"}},
		{"internal/account", []string{"internal/store", "internal/vault", "internal/mail", "internal/access", "internal/heloc", "internal/fault", "internal/pii"}},
		{"internal/mail", []string{"internal/fault", "internal/pii"}},
		{"internal/launch", []string{"internal/fault", "internal/pii"}},
		{"internal/seal", []string{"internal/fault", "internal/pii"}},
		{"internal/vault", []string{"internal/fault", "internal/pii"}},

		{"internal/heloc", []string{"internal/fault", "internal/pii"}},
		{"internal/access", []string{"internal/fault", "internal/pii"}},
		{"internal/config", []string{"internal/fault", "internal/pii"}},
		{"internal/crm", nil},
		{"internal/asvs", nil},
		{"internal/paper", nil},
		{"internal/fault", nil},
		{"internal/pii", nil},
		{"internal/hub", nil},
		{"internal/floors", nil},
		{"static", nil},
		{"migrations", nil},
	}
}
