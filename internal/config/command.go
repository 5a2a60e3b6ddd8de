package config

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Invocation is one run of a command.
type Invocation struct {
	Command string // "demo", "serve", "migrate", "user add", …, "audit verify", "sandbox"
	Config  Config
	User    User   // of the user subcommands
	Backup  Backup // of backup
	Embed   Embed  // of the embed subcommands
	Head    string // of audit verify: a head that must stand in the chain, or ""
	Lead    string // of the hold subcommands
	LetGo   bool   // of keys retire
	Done    bool   // help or version was printed; there is nothing to run
}

// User is what the user subcommands are told. The password is never among it: it
// is asked for, read from standard input, or made.
type User struct {
	Email, Name, Role, Originator, Broker, Organization string
	PasswordStdin, All, Shut                            bool
}

// Embed is what the embed subcommands are told.
type Embed struct {
	Key, Name, Broker, Kind, Issuer, KeysFile, SecretFile, Organization, By, Email string
	Replace                                                                        bool // of add: change the one that has the key
	Origins                                                                        []string
}

// embed gathers what one of the subcommands was told; the others are empty.
func (c *portalCommand) embed() Embed {
	e := c.Embed
	return Embed{
		Key:  e.Add.Key + e.Retire.Key + e.Attest.Key + e.Close.Key + e.Open.Key + e.Disconnect.Key,
		Name: e.Add.Name, Broker: e.Add.Broker, Kind: e.Add.Kind, Issuer: e.Add.Issuer, KeysFile: e.Add.KeysFile, SecretFile: e.Add.SecretFile,
		Organization: e.Add.Organization, Replace: e.Add.Replace, Origins: e.Add.Origin, By: e.Attest.By, Email: e.Disconnect.Email,
	}
}

// Backup is what backup is told.
type Backup struct{ To string }

// portalCommand is the command line of cmd/portal.
type portalCommand struct {
	Version kong.VersionFlag `help:"Print the version."`
	Data    string           `default:"./data" type:"path" placeholder:"FOLDER" help:"Folder of a demo, or of what has no place of its own."`

	Demo struct {
		Addr        string `placeholder:"localhost:8080" help:"Address of the portal (over PORTAL_ADDR)."`
		SandboxAddr string `name:"sandbox-addr" placeholder:"localhost:8081" help:"Address of the sandbox (over SANDBOX_ADDR)."`
		Password    string `default:"kettle-lantern-orchard" help:"Password of every demo person."`
	} `cmd:"" help:"Run the portal with the sandbox and made-up people beside it."`
	Serve   struct{} `cmd:"" help:"Run the portal."`
	Migrate struct{} `cmd:"" help:"Bring the database up to date."`
	User    struct {
		Add struct {
			Email         string `arg:"" help:"E-mail to log in with."`
			Name          string `required:"" help:"The person's name."`
			Role          string `required:"" help:"originator, assistant, manager or admin."`
			Originator    string `help:"UUID of the person's originator at the lender."`
			Broker        string `help:"Id of the broker company, when the person has no originator."`
			Organization  string `help:"Name of the organization, when the person has no originator."`
			PasswordStdin bool   `help:"Read the password from standard input; one is made otherwise."`
		} `cmd:"" help:"Add a person."`
		Disable struct {
			Email string `arg:""`
		} `cmd:"" help:"Close an account and end its sessions; says what waits to be handed on, and where."`
		Role struct {
			Email string `arg:""`
			Role  string `arg:"" help:"originator, assistant, manager or admin."`
		} `cmd:"" help:"Give a person another role."`
		SignOut struct {
			Email string `arg:"" optional:""`
			All   bool   `help:"Everybody."`
		} `cmd:"" help:"End a person's sessions, or everybody's; the accounts stay open."`
		Reset struct {
			Email string `arg:""`
			Shut  bool   `help:"Nothing opens the account until the link is used: for a stolen phone or computer."`
		} `cmd:"" help:"End a person's sessions, and make a link with which they set up anew how they sign in."`
	} `cmd:"" help:"People and their accounts."`
	Doctor struct{} `cmd:"" help:"Say what is wrong with configuration, database, lender and keys, and how to mend it."`
	Backup struct {
		To string `arg:"" type:"path" help:"File to write."`
	} `cmd:"" help:"Write a copy of the database while the portal runs."`
	Keys struct {
		Rotate struct{} `cmd:"" help:"Add new encryption keys beside the old ones; restart the portal afterwards."`
		Finish struct{} `cmd:"" help:"Renew at once what still lies under an older key, and say what cannot be."`
		Retire struct {
			LetGo bool `name:"let-go" help:"Accept what is lost with them; without this they stay while anything is."`
		} `cmd:"" help:"Delete the older keys, once nothing needs them."`
	} `cmd:"" help:"The encryption keys."`
	Embed struct {
		Add struct {
			Key          string   `arg:"" help:"Its key in addresses: small letters, digits and dashes."`
			Name         string   `required:"" help:"What people call it."`
			Broker       string   `required:"" help:"Id of the broker company whose people use it."`
			Kind         string   `required:"" help:"How it signs: jwt, canvas or hubspot."`
			Origin       []string `required:"" help:"Exact origin of its pages, such as https://crm.example; several with a comma between."`
			Issuer       string   `help:"Issuer of its tokens (jwt)."`
			KeysFile     string   `type:"existingfile" help:"Its public keys, a JSON Web Key Set (jwt)."`
			SecretFile   string   `type:"existingfile" help:"The secret that both sides hold (canvas, hubspot). Given to a CRM that has one, both hold until the former is retired."`
			Replace      bool     `help:"Change the CRM that has this key."`
			Organization string   `help:"The organization (Salesforce) or portal (HubSpot) it speaks for."`
		} `cmd:"" help:"Add a CRM that may frame the desk, or change one with --replace."`
		List   struct{} `cmd:"" help:"List the CRMs."`
		Retire struct {
			Key string `arg:""`
		} `cmd:"" help:"End a CRM's former secret: the next one takes its place."`
		Attest struct {
			Key string `arg:""`
			By  string `required:"" help:"Who approved in writing that its log-in is a second factor; \"nobody\" takes it back."`
		} `cmd:"" help:"Let a CRM's log-in count as a second factor."`
		Close struct {
			Key string `arg:""`
		} `cmd:"" help:"Shut a CRM out, and end its sessions."`
		Open struct {
			Key string `arg:""`
		} `cmd:"" help:"Let it in again."`
		Disconnect struct {
			Key   string `arg:""`
			Email string `arg:"" help:"Whose log-in there is to be connected to no account any more."`
		} `cmd:"" help:"Take a person's connected log-in of a CRM away."`
	} `cmd:"" help:"The CRMs that may frame the desk."`
	Hold struct {
		Add struct {
			Lead string `arg:"" help:"Short id or app id."`
		} `cmd:"" help:"Keep a lead from being forgotten."`
		Lift struct {
			Lead string `arg:"" help:"Short id or app id."`
		} `cmd:"" help:"Let it be forgotten in its time."`
		List struct{} `cmd:"" help:"List what is held."`
	} `cmd:"" help:"Legal holds."`
	Audit struct {
		Verify struct {
			Head *string `placeholder:"ROW:MARK" help:"A head that was kept elsewhere, as audit head prints it: it must still stand in the chain."`
		} `cmd:"" help:"Check the audit chain from end to end."`
		Head struct{} `cmd:"" help:"Print the end of the chain, ROW:MARK, to be kept elsewhere."`
	} `cmd:"" help:"The audit log."`

	Settings settings `embed:""`
}

// IO is where help, version and complaints go, and the version to print.
type IO struct {
	Stdout, Stderr io.Writer
	Version        string
}

// ParsePortal reads the command line of cmd/portal. The error joins every fault,
// one readable line each. The Invocation is filled as far as possible even then,
// so that doctor can report faults instead of failing by them.
func ParsePortal(args []string, out IO) (Invocation, error) {
	var cmd portalCommand
	inv, err := parse(&cmd, "portal", args, out)
	if err != nil || inv.Done {
		return inv, err
	}
	inv.User = cmd.user(inv.Command)
	inv.Backup = Backup{To: cmd.Backup.To}
	head := cmd.Audit.Verify.Head
	if head != nil {
		inv.Head = *head
	}
	inv.LetGo = cmd.Keys.Retire.LetGo
	inv.Embed = cmd.embed()
	inv.Lead = cmd.Hold.Add.Lead + cmd.Hold.Lift.Lead // one of them

	j := &judge{command: inv.Command, data: cmd.Data}
	if strings.TrimSpace(cmd.Data) == "" {
		j.fault("--data", "names no folder")
	}
	if head != nil && strings.TrimSpace(*head) == "" {
		j.fault("--head", "is empty, so there is nothing to compare; give ROW:MARK, or leave it out")
	}
	j.fill(&cmd.Settings)
	raw := cmd.Settings
	if cmd.Demo.Addr != "" {
		raw.Portal.PortalAddr, raw.Portal.PortalBaseURL = cmd.Demo.Addr, "" // the base URL follows
	}
	if cmd.Demo.SandboxAddr != "" {
		raw.Sandbox.SandboxAddr = cmd.Demo.SandboxAddr
	}
	inv.Config.Data = cmd.Data
	inv.Config.Portal = j.portal(raw.Portal)
	inv.Config.Portal.DemoPassword = cmd.Demo.Password
	inv.Config.Sandbox = j.sandbox(raw.Sandbox, raw.Partner.PartnerDialect)
	inv.Config.Partner = j.partner(raw.Partner, inv.Config.Sandbox)
	return inv, j.err()
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
	j := &judge{command: inv.Command, data: cmd.Data}
	j.fill(&cmd.Settings)
	inv.Config.Data = cmd.Data
	inv.Config.Sandbox = j.sandbox(cmd.Settings, "")
	return inv, j.err()
}

// parse lets kong read a command line. kong's help and version flags ask to end
// the process; ending it is main's, so the wish is only noted.
func parse(cmd any, name string, args []string, out IO) (Invocation, error) {
	var inv Invocation
	parser, err := kong.New(cmd,
		kong.Name(name),
		kong.Description("Hearthline, the desk for home equity lines."),
		kong.Writers(out.Stdout, out.Stderr),
		kong.Exit(func(int) { inv.Done = true }),
		kong.Vars{"version": out.Version},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
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
	inv.Command = commandName(ctx)
	return inv, nil
}

// commandName is the chosen command without its arguments.
func commandName(ctx *kong.Context) string {
	name := ""
	for _, p := range ctx.Path {
		if p.Command != nil {
			if name != "" {
				name += " "
			}
			name += p.Command.Name
		}
	}
	return name
}

// user gathers what the chosen subcommand was told.
func (c *portalCommand) user(command string) User {
	switch command {
	case "user add":
		a := c.User.Add
		return User{Email: a.Email, Name: a.Name, Role: a.Role, Originator: a.Originator, Broker: a.Broker,
			Organization: a.Organization, PasswordStdin: a.PasswordStdin}
	case "user disable":
		return User{Email: c.User.Disable.Email}
	case "user role":
		return User{Email: c.User.Role.Email, Role: c.User.Role.Role}
	case "user sign-out":
		return User{Email: c.User.SignOut.Email, All: c.User.SignOut.All}
	case "user reset":
		return User{Email: c.User.Reset.Email, Shut: c.User.Reset.Shut}
	default:
		return User{}
	}
}
