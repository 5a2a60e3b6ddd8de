package config

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Invocation is one run of a command.
type Invocation struct {
	Command   string // "demo", "serve", "migrate", "user add", …, "audit verify", "sandbox"
	Args      Args   // of the command; the others are empty
	Config    Config
	MigrateTo Secret // for migrate: the database into which everything is copied; not set for none
	OldKEK    KEK    // for keys rewrap: the key that wraps the keys before it
	Done      bool   // help or version was printed, so there is nothing to run
}

// portalCommand is the command line of cmd/portal.
type portalCommand struct {
	Version kong.VersionFlag `help:"Print the version."`
	Data    string           `default:"./data" type:"path" placeholder:"FOLDER" help:"Data folder for the demo and for files whose location isn't set."`

	Args     Args     `embed:""`
	Settings settings `embed:""`
}

// Args holds the arguments of each command of cmd/portal. A password is never among them: it is read from standard
// input or generated.
type Args struct {
	Demo struct {
		Addr        string `placeholder:"localhost:8080" help:"Address of the portal; overrides PORTAL_ADDR."`
		SandboxAddr string `name:"sandbox-addr" placeholder:"localhost:8081" help:"Address of the sandbox; overrides SANDBOX_ADDR."`
		Password    string `default:"kettle-lantern-orchard" help:"Password of every demo user."`
	} `cmd:"" help:"Run the portal together with the sandbox and sample users."`
	Serve   struct{} `cmd:"" help:"Run the portal."`
	Migrate struct {
		To *string `placeholder:"ADDRESS" help:"Copy everything into another, empty database: the path of a file, or postgres://user@host/name. Give its password in PGPASSWORD or in the file that PGPASSFILE names."`
	} `cmd:"" help:"Update the database schema, or copy everything into another database."`
	User    UserArgs `cmd:"" help:"Users."`
	Approve struct {
		ID string `arg:"" optional:"" help:"ID of the request to approve; without it, pending requests are listed."`
	} `cmd:"" help:"List or approve requests that need a second person."`
	Health struct {
		Ready bool `help:"Also check that the portal can do its work, so that a proxy sends it requests."`
	} `cmd:"" help:"Ask the portal that runs with these settings on this machine whether it responds."`
	Doctor struct{} `cmd:"" help:"Report what is wrong with configuration, database, lender and keys, and how to fix it."`
	Backup struct {
		To string `arg:"" type:"path" help:"File to write."`
	} `cmd:"" help:"Copy the database while the portal runs."`
	Restore struct {
		From string `required:"" type:"path" placeholder:"FILE" help:"Backup that takes the place of the database; the database is kept under another name."`
	} `cmd:"" help:"Put a backup in the place of the database while no portal runs."`
	Keys struct {
		Rotate struct{} `cmd:"" help:"Add new encryption keys to the old ones; restart the portal afterwards."`
		Finish struct{} `cmd:"" help:"Re-encrypt all data that still needs an older key now, and report what can’t be re-encrypted."`
		Retire struct {
			LetGo bool `name:"let-go" help:"Accept the loss that the command reports; without this flag it refuses."`
		} `cmd:"" help:"Delete the older keys when nothing needs them."`
		Rewrap struct {
			From string `required:"" placeholder:"KEK" help:"The previous key-encryption key: the path of its file, or pkcs11:token=LABEL;object=LABEL."`
		} `cmd:"" help:"Rewrap the encryption keys with the key-encryption key in the settings."`
	} `cmd:"" help:"Encryption keys."`
	Embed EmbedArgs `cmd:"" help:"CRMs that can embed the portal."`
	Hold  struct {
		Add  leadArg  `cmd:"" help:"Place a legal hold: the lead is not deleted when its retention ends."`
		Lift leadArg  `cmd:"" help:"Lift a legal hold."`
		List struct{} `cmd:"" help:"List the leads under legal hold."`
	} `cmd:"" help:"Legal holds."`
	Audit struct {
		Verify struct {
			Head    *string `placeholder:"ROW:HASH" help:"A head saved earlier, as printed by audit head; it must still be in the chain."`
			Against string  `placeholder:"FILE" help:"A file of the heads sent to PORTAL_AUDIT_HEADS; each must still be in the chain."`
		} `cmd:"" help:"Verify the audit chain from its base to its newest entry."`
		Head struct{} `cmd:"" help:"Print the newest entry of the chain, ROW:HASH, to be kept elsewhere."`
	} `cmd:"" help:"The audit log."`
}

// UserArgs holds the arguments of the user subcommands.
type UserArgs struct {
	Add struct {
		Email         string `arg:"" help:"Email to sign in with."`
		Name          string `required:"" help:"Name of the user."`
		Role          string `required:"" help:"originator, assistant, manager or admin."`
		Originator    string `help:"UUID of the user's loan originator in the lender's directory. When unset, a manager or originator is found there by email."`
		Broker        string `help:"ID of the broker company, for a user who is not an originator."`
		Organization  string `help:"Name of the organization, for a user who is not an originator."`
		PasswordStdin bool   `help:"Read the password from standard input; otherwise one is generated."`
	} `cmd:"" help:"Add a user."`
	Disable emailArg `cmd:"" help:"Disable an account and end its sessions; reports the leads and drafts that need to be reassigned."`
	Role    struct {
		Email string `arg:""`
		Role  string `arg:"" help:"originator, assistant, manager or admin."`
	} `cmd:"" help:"Change the role of a user."`
	SignOut struct {
		Email string `arg:"" optional:""`
		All   bool   `help:"All users."`
	} `cmd:"" help:"End the sessions of a user, or of all users; the accounts stay open."`
	Reset struct {
		Email string `arg:""`
		Shut  bool   `help:"Block every other sign-in until the link is used: for a stolen phone or computer."`
	} `cmd:"" help:"End the sessions of a user and create a link with which they set up their sign-in again."`
}

// EmbedArgs holds the arguments of the embed subcommands.
type EmbedArgs struct {
	Add struct {
		Key          string   `arg:"" help:"Key of the CRM in URLs: lowercase letters, digits and dashes."`
		Name         string   `required:"" help:"Name of the CRM."`
		Broker       string   `required:"" help:"ID of the broker company that uses it."`
		Kind         string   `required:"" help:"How the CRM signs launches: jwt, canvas or hubspot."`
		Origin       []string `required:"" help:"Exact origins of its pages, such as https://crm.example, comma separated."`
		Issuer       string   `help:"Issuer of the tokens (jwt)."`
		KeysFile     string   `type:"existingfile" help:"File with its public keys, a JSON Web Key Set (jwt)."`
		RecordURL    string   `name:"record-url" help:"URL of a record in the CRM, with {record} for its ID and {type} for its type."`
		KeysURL      string   `name:"keys-url" help:"https URL at which it publishes its public keys as a JSON Web Key Set, instead of a file (jwt)."`
		SecretFile   string   `type:"existingfile" help:"File with the shared secret (canvas, hubspot). If the CRM has one already, both are valid until the previous one is retired."`
		Replace      bool     `help:"Change the existing CRM with this key."`
		Organization string   `help:"The Salesforce organization or HubSpot portal that it belongs to."`
	} `cmd:"" help:"Add a CRM that can embed the portal, or change one with --replace."`
	List   struct{} `cmd:"" help:"List the CRMs."`
	Retire keyArg   `cmd:"" help:"Invalidate the previous secret of a CRM; the new one replaces it."`
	Attest struct {
		Key string `arg:""`
		By  string `required:"" help:"Who approved in writing that its sign-in is a second factor; \"nobody\" withdraws the approval."`
	} `cmd:"" help:"Count a CRM's sign-in as a second factor."`
	Close      keyArg `cmd:"" help:"Disable a CRM and end its sessions."`
	Open       keyArg `cmd:"" help:"Enable a CRM again."`
	Disconnect struct {
		Key   string `arg:""`
		Email string `arg:"" help:"Email of the user to disconnect."`
	} `cmd:"" help:"Disconnect a user's CRM sign-in from their account."`
}

// The arguments of commands that need only one.
type (
	emailArg struct {
		Email string `arg:""`
	}
	keyArg struct {
		Key string `arg:""`
	}
	leadArg struct {
		Lead string `arg:"" help:"Lead ID or application ID."`
	}
)

// IO is where help, version and errors are written, and the version to print.
type IO struct {
	Stdout, Stderr io.Writer
	Version        string
}

// ParsePortal reads the command line of cmd/portal. The error joins all errors, one readable line each. Even then the
// Invocation is filled in as far as possible, so that doctor can report the errors instead of failing on them.
func ParsePortal(args []string, out IO) (Invocation, error) {
	var cmd portalCommand
	inv, err := parse(&cmd, "portal", args, out)
	if err != nil || inv.Done {
		return inv, err
	}
	inv.Args = cmd.Args
	j := &validator{command: inv.Command, data: cmd.Data}
	if strings.TrimSpace(cmd.Data) == "" {
		j.addError("--data", "must name a folder")
	}
	if head := cmd.Args.Audit.Verify.Head; head != nil && strings.TrimSpace(*head) == "" {
		j.addError("--head", "is empty; give ROW:HASH, or omit it")
	}
	j.applyDefaults(&cmd.Settings)
	raw := cmd.Settings
	if cmd.Args.Demo.Addr != "" {
		raw.Portal.PortalAddr, raw.Portal.PortalBaseURL = cmd.Args.Demo.Addr, "" // the base URL follows the address
	}
	if cmd.Args.Demo.SandboxAddr != "" {
		raw.Sandbox.SandboxAddr = cmd.Args.Demo.SandboxAddr
	}
	inv.Config.Data = cmd.Data
	inv.Config.Portal = j.portal(raw.Portal)
	inv.Config.Portal.DemoPassword = cmd.Args.Demo.Password
	inv.Config.Sandbox = j.sandbox(raw.Sandbox, raw.Partner)
	inv.Config.Partner = j.partner(raw.Partner, inv.Config.Sandbox)
	inv.Config.Tracing = j.tracing()
	inv.MigrateTo = j.migrateTo(cmd.Args.Migrate.To)
	inv.OldKEK = j.oldKEK(cmd.Args.Keys.Rewrap.From, raw.Portal)
	return inv, j.joined()
}

// sandboxCommand is the command line of cmd/sandbox.
type sandboxCommand struct {
	Version kong.VersionFlag `help:"Print the version."`
	Data    string           `default:"./data" type:"path" placeholder:"FOLDER" help:"Folder of its files, when SANDBOX_DATA is not set."`

	Settings sandboxSettings `embed:""`
}

// ParseSandbox reads the command line of cmd/sandbox.
func ParseSandbox(args []string, out IO) (Invocation, error) {
	var cmd sandboxCommand
	inv, err := parse(&cmd, "sandbox", args, out)
	if err != nil || inv.Done {
		return inv, err
	}
	inv.Command = "sandbox"
	j := &validator{command: inv.Command, data: cmd.Data}
	j.applyDefaults(&cmd.Settings)
	inv.Config.Data = cmd.Data
	inv.Config.Sandbox = j.sandbox(cmd.Settings, partnerSettings{})
	return inv, j.joined()
}

// parse lets kong read a command line. The help and version flags make kong ask to exit; parse only records that,
// because exiting is main's decision.
func parse(cmd any, name string, args []string, out IO) (Invocation, error) {
	var inv Invocation
	parser, err := kong.New(cmd,
		kong.Name(name),
		kong.Description("Hearthline: HELOC origination for brokers."),
		kong.Writers(out.Stdout, out.Stderr),
		kong.Exit(func(int) { inv.Done = true }),
		kong.Vars{"version": out.Version},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Help(printHelp),
	)
	if err != nil {
		return inv, fmt.Errorf("config: command line: %w", err)
	}
	ctx, err := parser.Parse(args)
	if inv.Done {
		return inv, nil
	}
	if err != nil {
		return inv, fmt.Errorf("%w; try %s --help", err, name)
	}
	if command := ctx.Selected(); command != nil {
		inv.Command = command.Path()
	}
	return inv, nil
}

// printHelp prints the help for one command with all its flags. The program's own help fits on one screen: it shows the
// subcommands beside each command and omits the settings, which each command's help lists.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if ctx.Selected() == nil {
		for _, f := range ctx.Model.Flags {
			f.Hidden = f.Hidden || f.Group != nil
		}
		for _, command := range ctx.Model.Children {
			var names []string
			for _, sub := range command.Children {
				names = append(names, sub.Name)
			}
			if len(names) > 0 {
				command.Help += " Subcommands: " + strings.Join(names, ", ") + "."
			}
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}
