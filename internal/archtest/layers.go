// Package archtest enforces the architecture: its tests fail when a package imports one from a
// higher layer or an area imports a sibling, when a template contains what the content security policy
// forbids, or when an unexpected file appears at the top level.
package archtest

import (
	"slices"
	"strings"
)

// PackageRule names a package and the packages of this module that it may import. Tests are exempt.
type PackageRule struct {
	Path    string // without the module's name
	Imports []string
}

// anyImport allows every import. It is for the packages at the top.
const anyImport = "*"

// area returns the rule of one area of the portal. An area may import the core of web, its own views, the desk and
// the packages in besides, but no other area.
func area(path string, besides ...string) PackageRule {
	shared := []string{"web/page", "web/form", strings.Replace(path, "web/", "views/", 1), "views/page", "views/ui",
		"views/to", "views/text", "internal/access", "internal/lead", "internal/heloc", "internal/fault", "internal/pii"}
	return PackageRule{path, slices.Concat(shared, handles, besides)}
}

// handles are the desk and the packages of its handles.
var handles = []string{
	"internal/desk", "internal/desk/lead", "internal/desk/offers", "internal/desk/intake",
	"internal/desk/pipeline", "internal/desk/reassign", "internal/desk/team",
	"internal/desk/reports", "internal/desk/crm", "internal/desk/admin", "internal/desk/account", "internal/desk/demo",
}

// deskArea returns the rule for the handles of one area. They may import the core and the handles of one lead, but no
// other area.
func deskArea(path string, besides ...string) PackageRule {
	shared := []string{"internal/desk/internal/core", "internal/desk/lead", "internal/account", "internal/embed",
		"internal/journal", "internal/partner", "internal/store", "internal/vault", "internal/access", "internal/pubsub",
		"internal/lead", "internal/heloc", "internal/fault", "internal/pii"}
	return PackageRule{
		path, slices.Concat(slices.DeleteFunc(shared, func(one string) bool { return one == path }), besides),
	}
}

// viewArea returns the rule of the screens of one area. They may import what every screen shares, but no other area.
func viewArea(path string, besides ...string) PackageRule {
	return PackageRule{
		path, slices.Concat([]string{"views/page", "views/ui", "views/to", "views/text", "static"}, besides),
	}
}

// Layers lists the packages from the top layer down. Add a new package here, to the diagram in README and to the code
// in one commit.
func Layers() []PackageRule {
	return []PackageRule{
		{"cmd/portal", []string{anyImport}},
		{"cmd/sandbox", []string{anyImport}},
		{"internal/e2e", []string{anyImport}},
		{"internal/wordtest", nil},              // only tests import it
		{"internal/faulttest", nil},             // only tests import it
		{"internal/bench", []string{anyImport}}, // only tests import it

		// web builds the areas, so it passes on the services that some of them take.
		{"web/webtest", []string{anyImport}}, // only tests import it
		{"web", []string{"web/page", "web/form", "web/guard", "web/signin", "web/account", "web/pipeline", "web/intake",
			"web/workspace", "web/lead", "web/offers", "web/team", "web/reports", "web/embed", "web/admin", "web/help",
			"web/demo", "internal/account", "internal/desk", "internal/embed", "internal/access", "internal/fault",
			"internal/heloc", "static", "internal/trace"}},

		// Only signin and embed call the services of accounts and launches. account and admin work through the desk and
		// import the packages for the values that its handles take and return.
		area("web/signin", "web/guard", "internal/account"),
		area("web/account", "web/guard", "internal/account", "internal/embed"),
		area("web/pipeline"),
		area("web/intake", "internal/pdf", "internal/zipcode"),
		area("web/lead", "web/workspace", "views/workspace"),
		area("web/offers", "web/workspace", "views/workspace", "views/offersheet", "internal/brand", "internal/pdf"),
		area("web/team"),
		area("web/reports"),
		area("web/embed", "web/guard", "internal/account", "internal/embed", "internal/launch"),
		area("web/admin", "internal/account", "internal/approval", "internal/asvs", "internal/brand", "internal/embed",
			"internal/launch"),
		area("web/help"),
		area("web/demo", "views/gallery"),
		// guard puts its checks around every handler: it identifies users by their sessions and embeds.
		{"web/guard", []string{"web/page", "web/form", "views/page", "views/ui", "views/to", "internal/desk",
			"internal/access", "internal/lead", "internal/heloc", "internal/pubsub", "internal/fault", "internal/account",
			"internal/embed", "static", "internal/trace"}},
		// page knows of embeds only what a visit is, and of launches only which of their URLs a machine calls.
		{"web/page", slices.Concat(handles, []string{"web/form", "views/page", "views/ui", "views/to", "views/text",
			"internal/access", "internal/lead", "internal/heloc", "internal/fault", "internal/embed", "internal/launch",
			"internal/pdf", "static", "internal/trace"})},
		{"web/workspace", slices.Concat(handles, []string{"web/page", "web/form", "views/workspace", "views/page", "views/ui",
			"views/to", "views/text", "internal/access", "internal/lead", "internal/heloc", "internal/pii"})},
		{"web/form", []string{"internal/input", "views/ui", "views/text", "internal/lead", "internal/heloc", "internal/fault",
			"internal/pii"}},
		{"internal/jobs", slices.Concat(handles, []string{"internal/account", "internal/store", "internal/lead",
			"internal/fault", "internal/trace"})},

		{"internal/desk", slices.Concat(handles[1:],
			[]string{"internal/desk/internal/core", "internal/embed", "internal/partner", "internal/store", "internal/access",
				"internal/pubsub", "internal/lead", "internal/heloc"})},
		deskArea("internal/desk/offers"),
		// the page of an inquiry shows the CRM's record
		deskArea("internal/desk/intake", "internal/desk/crm", "internal/mismo"),
		deskArea("internal/desk/pipeline"),
		deskArea("internal/desk/reassign"),
		deskArea("internal/desk/team"),
		deskArea("internal/desk/reports"),
		deskArea("internal/desk/crm", "internal/approval", "internal/launch", "internal/input"),
		deskArea("internal/desk/admin", "internal/approval", "internal/brand"),
		deskArea("internal/desk/account", "internal/push"),
		deskArea("internal/desk/demo"),
		deskArea("internal/desk/lead", "internal/mismo"),
		{"internal/desk/internal/core", []string{"internal/input", "internal/account", "internal/approval", "internal/embed",
			"internal/journal", "internal/notify",
			"internal/partner", "internal/jwe", "internal/store", "internal/vault", "internal/access", "internal/pubsub",
			"internal/lead", "internal/heloc", "internal/fault"}},
		{"internal/reencrypt", []string{"internal/embed", "internal/journal", "internal/store", "internal/vault",
			"internal/lead", "internal/heloc", "internal/fault"}},
		{"internal/approval", []string{"internal/account", "internal/embed", "internal/mail", "internal/store",
			"internal/vault", "internal/access", "internal/lead", "internal/fault"}},
		{"internal/notify", []string{"internal/account", "internal/mail", "internal/push", "internal/store", "internal/vault",
			"internal/access", "internal/lead", "internal/heloc", "internal/fault", "internal/trace"}},
		{"internal/embed", []string{"internal/account", "internal/journal", "internal/launch", "internal/store",
			"internal/vault", "internal/access", "internal/lead", "internal/heloc", "internal/fault", "internal/pii",
			"internal/publicnet"}},
		{"internal/lendersync", []string{"internal/journal", "internal/partner", "internal/jwe", "internal/store",
			"internal/vault", "internal/access", "internal/pubsub", "internal/lead", "internal/heloc", "internal/fault",
			"internal/pii", "internal/trace"}},
		viewArea("views/signin"),
		viewArea("views/account"),
		viewArea("views/pipeline"),
		viewArea("views/intake"),
		viewArea("views/lead", "views/workspace"),
		viewArea("views/offers", "views/workspace", "views/offersheet"),
		viewArea("views/team"),
		viewArea("views/reports"),
		viewArea("views/embed"),
		viewArea("views/admin"),
		viewArea("views/help"),
		viewArea("views/demo"),
		viewArea("views/gallery"),
		// The borrower page and its PDF share the same content.
		{"internal/pdf", []string{"views/offersheet"}},
		{"views/offersheet", nil},
		{"views/page", []string{"views/ui", "views/to", "views/text", "static"}},
		{"views/workspace", []string{"views/page", "views/ui", "views/to", "views/text", "static"}},
		{"views/viewtest", []string{"views/workspace", "views/ui", "views/to", "views/text", "static"}},
		{"views/ui", []string{"views/to", "views/text", "static"}},
		{"views/to", nil},
		{"views/text", []string{"views/to", "internal/access", "internal/lead", "internal/heloc"}},
		{"internal/sandbox", []string{"internal/filelock", "internal/heloc", "internal/jwe", "internal/fault",
			"internal/pii"}},

		{"internal/journal", []string{"internal/filelock", "internal/store", "internal/vault", "internal/access",
			"internal/lead",
			"internal/heloc", "internal/fault"}},
		{"internal/partner", []string{"internal/heloc", "internal/jwe", "internal/fault", "internal/pii", "internal/trace"}},
		{"internal/store", []string{"internal/store/internal/dbcopy", "internal/store/internal/sqldb", "internal/lead",
			"internal/heloc", "internal/access", "internal/fault", "internal/pubsub", "migrations"}},
		{"internal/store/internal/dbcopy", []string{"internal/store/internal/sqldb", "migrations"}},
		{"internal/store/internal/sqldb", []string{"internal/fault", "internal/filelock", "migrations", "internal/trace"}},
		{"internal/store/storetest", []string{"migrations", "internal/store", "internal/lead", "internal/heloc",
			"internal/access", "internal/fault"}},
		{"internal/account", []string{"internal/input", "internal/store", "internal/vault", "internal/mail",
			"internal/access", "internal/lead", "internal/heloc", "internal/fault", "internal/pii", "internal/trace"}},
		{"internal/mail", []string{"internal/fault", "internal/pii"}},
		{"internal/push", []string{"internal/publicnet"}},
		{"internal/launch", []string{"internal/lead", "internal/fault", "internal/pii"}},
		{"internal/jwe", []string{"internal/fault", "internal/pii"}},
		{"internal/vault", []string{"internal/lead", "internal/heloc", "internal/fault", "internal/pii"}},

		{"internal/mismo", []string{"internal/heloc", "internal/input"}},
		{"internal/heloc", []string{"internal/input", "internal/fault", "internal/pii"}},
		{"internal/lead", []string{"internal/heloc", "internal/access", "internal/input", "internal/fault"}},
		{"internal/access", []string{"internal/pubsub", "internal/fault", "internal/pii"}},
		{"internal/config", []string{"internal/fault", "internal/pii"}},
		{"internal/samplecrm", nil},
		{"internal/asvs", nil},
		{"internal/asvs/mutate", []string{"internal/asvs"}},
		{"internal/brand", nil},
		{"internal/zipcode", nil},
		{"internal/input", nil},
		{"internal/fault", nil},
		{"internal/pii", nil},
		{"internal/publicnet", nil},
		{"internal/pubsub", nil},
		{"internal/filelock", nil},
		{"internal/trace", nil},
		{"internal/trace/tracetest", []string{"internal/trace"}}, // only tests import it
		{"internal/vault/vaulttest", nil},                        // only tests import it
		{"internal/archtest", nil},
		{"static", nil},
		{"static/pack", []string{"static"}},
		{"migrations", nil},
	}
}
