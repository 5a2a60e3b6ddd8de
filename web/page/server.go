// Package page is the core that every area of the portal builds on. It identifies the user, opens the desk
// and the lead for them, calls the handler, and turns the result into a page, a fragment or a helpful
// error.
//
// server.go       the Server and its dependencies
// routes.go       what a route is; registering one applies its guard
// guard.go        signed in, lead opened, action allowed: in this order, before a handler; embed_guard.go, the same inside embeds
// adapter.go      the types of handlers
// request_form.go, read_form.go   the form of a request, parsed once
// submit.go       one write of a lead's form: submitted, or shown again with its errors
// step_up.go      step-up authentication; pending_form.go, the form that is saved meanwhile
// render.go       rendering into a buffer, compressing, writing; errors.go, errors as pages and fragments
// request_log.go  one log line for each request; denials.go, denied requests in the audit
// headers.go, middleware.go, policy_report.go   what applies to every response and request
// sessions.go     browser sessions, as a gorilla session store; sessions_rotate.go, their next tokens
// layout.go       what surrounds every page; demo_bar.go, the bar of the demo
// events.go       live updates
// present_*.go    view models that several areas show
//
// No handler checks a permission, writes an error, starts a goroutine or contains SQL.
package page

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/httprate"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
)

// Deps are the dependencies and settings of the server. Fields are required unless their comment
// allows nil or empty.
type Deps struct {
	BaseURL        *url.URL // as browsers see the portal; with https, cookies are Secure
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
	Now            func() time.Time

	Sessions       SessionRows
	Accounts       Accounts
	SignInAudit    SignInAudit        // records sign-ins in the audit; nil in tests without one
	ObserveRequest func(RequestStats) // called for every request except live streams; may be nil
	DemoPeople     []DemoPerson       // listed on the sign-in page; empty outside of the demo

	Desks         Desks       // *desk.Service
	Outbox        Outbox      // demo only: the unsent emails, visible to everybody
	DemoControl   DemoControl // demo only; if nil, its routes do not exist
	Embeds        Embeds      // embedding in CRMs; if nil, nobody may frame the desk
	Estimates     bool        // whether the quick estimate is enabled; otherwise its routes do not exist
	BorrowerLinks bool        // whether borrowers can continue alone, through a link
	TestVariants  []string    // test variants that an inquiry may request; if empty, the choice is hidden

	Webhooks      WebhookReceiver // if nil, webhooks get a 404
	WebhookTokens func() []string // the valid tokens of the webhook URL
	Ready         func(ctx context.Context) error
}

// RequestStats describes an answered request for metrics. It has the route's pattern, never the
// URL.
type RequestStats struct {
	Method, Route string
	Status        int // 0 if the client disconnected before the response
	Duration      time.Duration
}

// Accounts authenticates users; account.Service implements it. What users change in their own
// account goes through their desk.
type Accounts interface {
	// SignIn finds a user by email and password.
	SignIn(ctx context.Context, email, password string, from account.ClientInfo) (access.User, error)
	// RememberDevice returns what a browser keeps after a sign-in: with it, wrong passwords of
	// others do not make the user wait. cookie is what it has kept so far.
	RememberDevice(user access.User, cookie string) string
	// Needs says what is still to be done before they are signed in.
	Needs(ctx context.Context, userID string) (account.Need, error)
	// BeginSecondFactor begins the second step of a sign-in, PendingSignIn returns it, and
	// FinishSecondFactor completes it.
	BeginSecondFactor(ctx context.Context, user access.User, need account.Need, from account.ClientInfo) (token string, err error)
	PendingSignIn(ctx context.Context, token string) (account.PendingSignIn, error)
	FinishSecondFactor(ctx context.Context, token string, factor account.FactorResponse, from account.ClientInfo) (account.SecondFactorResult, error)
	// SignedIn records where a user has signed in, and notifies them of a new location.
	SignedIn(ctx context.Context, user access.User, proof access.Proof, from account.ClientInfo) error
	// Passkeys reports whether passkeys are enabled. The other two sign a user in with one, and
	// BeginPasskeyFactor asks a known user for one.
	Passkeys() bool
	BeginPasskeySignIn(ctx context.Context, from account.ClientInfo) (token string, options []byte, err error)
	PasskeySignIn(ctx context.Context, token string, answer []byte, from account.ClientInfo) (access.User, error)
	BeginPasskeyFactor(ctx context.Context, hash string, user access.User) ([]byte, error)
	// SSOName returns the name of the single sign-on provider, or "" if there is none. The other
	// methods start and finish a round trip to it.
	SSOName() string
	BeginSSO(ctx context.Context, name, next string, from account.ClientInfo) (token, address string, err error)
	BeginSSOStepUp(ctx context.Context, session access.Session, from account.ClientInfo) (token, address string, err error)
	FinishSSO(ctx context.Context, name, token string, back account.Callback) (account.SSOResult, error)
	// SendsMail reports whether the portal sends emails.
	SendsMail() bool
	// RequestLink requests a link by email, OpenLink starts what the link is for, and FinishSetUp
	// completes it.
	RequestLink(ctx context.Context, kind account.LinkKind, email string, from account.ClientInfo) error
	OpenLink(ctx context.Context, token string, from account.ClientInfo) (browser string, kind account.LinkKind, err error)
	SetUp(ctx context.Context, browser string) (account.SetUp, error)
	BeginPasskeySetUp(ctx context.Context, browser string) ([]byte, error)
	FinishSetUp(ctx context.Context, browser string, c account.ChosenFactors) (account.SetUpResult, error)
	// AcceptsProof reports whether a session with this proof may be used at all. ElevatedUntil
	// returns until when its user counts as stepped up, and StepUp steps up again.
	AcceptsProof(proof access.Proof) bool
	ElevatedUntil(session access.Session) time.Time
	Factors(ctx context.Context, userID string) (account.Factors, error)
	StepUp(ctx context.Context, hash string, user access.User, factor account.FactorResponse) (access.Proof, error)
	// MoveToSession moves what was begun in a session to its next token.
	MoveToSession(ctx context.Context, from, to string) error
	// SavePendingForm stores a request until the user has stepped up, and PendingForm returns it.
	SavePendingForm(ctx context.Context, userID, session string, pending account.PendingForm) error
	PendingForm(ctx context.Context, session string) (account.PendingForm, error)
	// SavePendingAfterExpiry stores a form beyond the end of its session, and ClaimPendingForm
	// moves it to the next session.
	SavePendingAfterExpiry(ctx context.Context, userID string, pending account.PendingForm) (browser string, err error)
	ClaimPendingForm(ctx context.Context, browser, userID, session string) (bool, error)
	// SavePendingFormAt stores a form for a user under a name, and PendingFormAt returns it to
	// them.
	SavePendingFormAt(ctx context.Context, name, userID string, pending account.PendingForm) error
	PendingFormAt(ctx context.Context, name, userID string) (account.PendingForm, error)
}

// Server answers every request to the portal.
type Server struct {
	Deps
	Sessions        *sessionStore
	reportLimit     *httprate.RateLimiter
	unverifiedLimit *httprate.RateLimiter // rejected requests from CRMs
	CardLimit       *httprate.RateLimiter
	pagePermissions map[string]access.Permission // pages without URL parameters
	buffers         sync.Pool                    // *bytes.Buffer
	gzipWriters     sync.Pool                    // *gzip.Writer
	Handler         http.Handler
	Table           []Route
	// Redisplay shows a form with its errors on the page that it belongs to.
	Redisplay func(w http.ResponseWriter, r *http.Request, l Lead, a SubmittedForm) error

	openStreams StreamLimit
	Denials     Denials
	LastUnready atomic.Value // string: why the last readiness check failed; "" if it succeeded
	closing     chan struct{}
	closeOnce   sync.Once
}

// NewCore creates the server that every area builds on. Install adds the routes.
func NewCore(deps Deps) *Server {
	s := &Server{Deps: deps, closing: make(chan struct{}), reportLimit: newReportLimit(), unverifiedLimit: newEmbedLimit(RejectedPerMinute), CardLimit: newEmbedLimit(CardsPerMinute)}
	s.Sessions = &sessionStore{rows: deps.Sessions, Now: deps.Now, secure: s.secure(), AcceptsProof: deps.Accounts.AcceptsProof}
	return s
}

// Install registers the routes. It panics if a route is not guarded.
func (s *Server) Install(routes []Route) {
	s.Table, s.pagePermissions = routes, pagePermissionsOf(routes)
	s.Handler = s.Wrap(s.Mount(routes), routes)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.Handler.ServeHTTP(w, r) }

// Close ends the event streams, which would otherwise delay a shutdown. Pass it to
// http.Server.RegisterOnShutdown.
func (s *Server) Close() { s.closeOnce.Do(func() { close(s.closing) }) }

// secure reports whether browsers reach the portal over https.
func (s *Server) secure() bool { return s.BaseURL.Scheme == "https" }

// Embeds manages the sessions of users who come from CRMs; *embed.Service implements it.
type Embeds interface {
	// Origins lists the origins that may frame a client's URLs.
	Origins(ctx context.Context, client string) []string
	LaunchByPost(ctx context.Context, kind launch.Kind, client, raw string) (embed.PendingLaunch, error)
	LaunchByCall(ctx context.Context, client string, call launch.Call) (code string, err error)
	RedeemLaunchURL(ctx context.Context, client, code string) (embed.PendingLaunch, error)
	PendingLaunch(ctx context.Context, client, code string) (embed.PendingLaunch, error)
	Enter(ctx context.Context, client string, e embed.EnterRequest) (embed.EnteredLaunch, error)
	EnterTab(ctx context.Context, client string, e embed.EnterRequest) (embed.EnteredLaunch, error)
	Find(ctx context.Context, client, launch string) (embed.VerifiedLaunch, error)
	Visit(ctx context.Context, client, launch, tokenHash string) (embed.Visit, error)
	Touch(ctx context.Context, v embed.Visit) error
	EndVisit(ctx context.Context, v embed.Visit) error
	Connect(ctx context.Context, person access.Actor, l embed.VerifiedLaunch, typed string) error
	ConfirmStepUp(ctx context.Context, person access.Actor, l embed.VerifiedLaunch, typed string) error
	FinishStepUp(ctx context.Context, v embed.Visit, tokenHash string) (bool, error)
	// BoundToken binds a session token to its user. ExpiredLaunch uses it to find the user after
	// the session's end.
	BoundToken(client, userID, token string) string
	ExpiredLaunch(ctx context.Context, client, launch, boundToken string) (embed.VerifiedLaunch, error)
	PendingFormNames(l embed.VerifiedLaunch) []string
	CardByToken(ctx context.Context, req embed.CardRequest, raw string) (embed.CRMCard, error)
	CardByCall(ctx context.Context, req embed.CardRequest, call launch.Call) (embed.CRMCard, error)
}

// DemoPerson is a demo user. The sign-in page lists them with the demo's password.
type DemoPerson struct{ Name, Subtitle, Email, Password string }

// Outbox returns the unsent emails; account.Service implements it.
type Outbox interface {
	Outbox(ctx context.Context) ([]account.PendingMail, error)
}

// WebhookReceiver accepts the lender's webhooks. It stores which application to refresh and returns
// at once; the refresh happens later.
type WebhookReceiver interface {
	ReceiveWebhook(ctx context.Context, body []byte) error
}
