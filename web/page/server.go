// Package page is the core that every area of the portal builds on. It knows who asks, opens the desk
// and the lead for them, calls the handler, and turns what comes back into a page, a fragment or an
// error that helps.
//
//	server.go       the Server and what it is made of
//	routes.go       what a route is; registering one applies its guard
//	guard.go        signed in, lead opened, action allowed: in this order, before a handler; embed_guard.go, the same inside frames
//	adapter.go      the shapes of handlers
//	request_form.go, read_form.go   the form of a request, parsed once
//	submit.go       one write of a lead's form: submitted, or shown again with its errors
//	step_up.go      confirming who one is; pending_form.go, the form that waits for it
//	render.go       rendering into a buffer, compressing, writing; errors.go, errors as pages and fragments
//	request_log.go  one log line for each request; denials.go, denied requests in the audit
//	headers.go, middleware.go, policy_report.go   what holds for every response and request
//	sessions.go     signed-in browsers, as a gorilla session store; sessions_rotate.go, their next tokens
//	layout.go       what surrounds every page; demo_bar.go, the bar of the demo
//	events.go       live updates
//	present_*.go    view models that several areas show
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

// Deps is what the server is given. Every field without a remark is needed.
type Deps struct {
	BaseURL        *url.URL // as browsers see the portal; https makes cookies Secure
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
	Now            func() time.Time

	Sessions       SessionRows
	Accounts       Accounts
	SignInAudit    SignInAudit        // of the audit; nil in a test that keeps none
	ObserveRequest func(RequestStats) // told of each request but a live stream; nil tells nobody
	DemoPeople     []DemoPerson       // listed on the log-in page; demo only, else empty

	Desks         Desks       // *desk.Rooms
	Outbox        Outbox      // demo only: the mails that wait, for everybody to see
	DemoControl   DemoControl // demo only; without one its routes do not exist
	Embeds        Embeds      // lets people in from CRMs; nil, and nobody may frame the desk
	Estimates     bool        // whether there is a quick estimate; else its routes do not exist
	BorrowerLinks bool        // whether borrowers can go on alone, by a link
	TestVariants  []string    // test variants that an inquiry may ask for; none hides the choice

	Webhooks      WebhookReceiver // of webhooks; nil answers 404
	WebhookTokens func() []string // the live tokens of the webhook address
	Ready         func(ctx context.Context) error
}

// RequestStats is a request that has been answered, for figures: a route's pattern, never an
// address.
type RequestStats struct {
	Method, Route string
	Status        int // 0 when the client had gone before an answer
	Duration      time.Duration
}

// Accounts knows how people prove who they are; account.Service does. What a person does
// with their own account goes through their desk.
type Accounts interface {
	// SignIn finds a person by e-mail and password.
	SignIn(ctx context.Context, email, password string, from account.ClientInfo) (access.User, error)
	// RememberDevice returns what a browser keeps after a sign-in: with it, wrong passwords of
	// others do not make the user wait. cookie is what it has kept so far.
	RememberDevice(user access.User, cookie string) string
	// Needs says what is still to be done before they are signed in.
	Needs(ctx context.Context, userID string) (account.Need, error)
	// BeginSecondFactor begins the second step; Awaited shows it, Second finishes it.
	BeginSecondFactor(ctx context.Context, user access.User, need account.Need, from account.ClientInfo) (token string, err error)
	PendingSignIn(ctx context.Context, token string) (account.PendingSignIn, error)
	FinishSecondFactor(ctx context.Context, token string, given account.FactorResponse, from account.ClientInfo) (account.SecondFactorResult, error)
	// SessionInfo notes where a person has come in, and tells them of a place that is new.
	SignedIn(ctx context.Context, user access.User, proof access.Proof, from account.ClientInfo) error
	// Passkeys says whether there can be any; the others sign in with one, and ask for
	// one of a known person.
	Passkeys() bool
	BeginPasskeySignIn(ctx context.Context, from account.ClientInfo) (token string, options []byte, err error)
	PasskeySignIn(ctx context.Context, token string, answer []byte, from account.ClientInfo) (access.User, error)
	BeginPasskeyFactor(ctx context.Context, hash string, user access.User) ([]byte, error)
	// SSOName names the sign-on provider, if there is one; the others go there and come back.
	SSOName() string
	BeginSSO(ctx context.Context, name, next string, from account.ClientInfo) (token, address string, err error)
	BeginSSOStepUp(ctx context.Context, session access.Session, from account.ClientInfo) (token, address string, err error)
	FinishSSO(ctx context.Context, name, token string, back account.Callback) (account.SSOResult, error)
	// SendsMail says whether letters leave the portal.
	SendsMail() bool
	// RequestLink notes the wish for a link by mail, OpenLink begins what it is for, FinishSetUp ends it.
	RequestLink(ctx context.Context, kind account.LinkKind, email string, from account.ClientInfo) error
	OpenLink(ctx context.Context, token string, from account.ClientInfo) (browser string, kind account.LinkKind, err error)
	SetUp(ctx context.Context, browser string) (account.SetUp, error)
	BeginPasskeySetUp(ctx context.Context, browser string) ([]byte, error)
	FinishSetUp(ctx context.Context, browser string, c account.ChosenFactors) (account.SetUpResult, error)
	// AcceptsProof says whether a session of this proof may be used at all, and ElevatedUntil how
	// long its person counts as having proved who they are. Prove does so once more.
	AcceptsProof(proof access.Proof) bool
	ElevatedUntil(session access.Session) time.Time
	Factors(ctx context.Context, userID string) (account.Factors, error)
	StepUp(ctx context.Context, hash string, user access.User, given account.FactorResponse) (access.Proof, error)
	// MoveToSession takes what was begun in a session along to its next token.
	MoveToSession(ctx context.Context, from, to string) error
	// SavePendingForm keeps what was asked for until then, and PendingForm gives it back.
	SavePendingForm(ctx context.Context, userID, session string, held account.PendingForm) error
	PendingForm(ctx context.Context, session string) (account.PendingForm, error)
	// SavePendingAfterExpiry keeps it beyond the end of a session, and ClaimPendingForm gives it to the next.
	SavePendingAfterExpiry(ctx context.Context, userID string, held account.PendingForm) (browser string, err error)
	ClaimPendingForm(ctx context.Context, browser, userID, session string) (bool, error)
	// SavePendingFormAt keeps it for a person under a name, and PendingFormAt shows it to them.
	SavePendingFormAt(ctx context.Context, place, userID string, held account.PendingForm) error
	PendingFormAt(ctx context.Context, place, userID string) (account.PendingForm, error)
}

// Server answers every request of the portal.
type Server struct {
	Deps
	Sessions        *sessionStore
	reportLimit     *httprate.RateLimiter
	unverifiedLimit *httprate.RateLimiter // what was refused at the doors for CRMs
	CardLimit       *httprate.RateLimiter
	pagePermissions map[string]access.Permission // pages that need no argument
	buffers         sync.Pool                    // *bytes.Buffer
	gzipWriters     sync.Pool                    // *gzip.Writer
	Handler         http.Handler
	Table           []Route
	// redisplay shows a form with its errors on the page that it belongs to.
	Redisplay func(w http.ResponseWriter, r *http.Request, l Lead, a SubmittedForm) error

	openStreams StreamLimit
	Denials     Denials
	LastUnready atomic.Value // why the portal was not ready when that was asked last; "" when it was
	closing     chan struct{}
	closeOnce   sync.Once
}

// NewCore makes what every area stands on. Install gives it its routes.
func NewCore(deps Deps) *Server {
	s := &Server{Deps: deps, closing: make(chan struct{}), reportLimit: newReportLimit(), unverifiedLimit: newEmbedLimit(RejectedPerMinute), CardLimit: newEmbedLimit(CardsPerMinute)}
	s.Sessions = &sessionStore{rows: deps.Sessions, Now: deps.Now, secure: s.secure(), AcceptsProof: deps.Accounts.AcceptsProof}
	return s
}

// Install makes the routes answer. It panics on a table that leaves a route open.
func (s *Server) Install(routes []Route) {
	s.Table, s.pagePermissions = routes, pagePermissionsOf(routes)
	s.Handler = s.Wrap(s.Mount(routes), routes)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.Handler.ServeHTTP(w, r) }

// Close ends the event streams, which would otherwise outlast a shutdown. Give
// it to http.Server.RegisterOnShutdown.
func (s *Server) Close() { s.closeOnce.Do(func() { close(s.closing) }) }

// secure says whether browsers reach the portal by https.
func (s *Server) secure() bool { return s.BaseURL.Scheme == "https" }

// Embeds lets people in from CRMs; *embed.Service does.
type Embeds interface {
	// Origins may frame a client's addresses.
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
	// What a browser keeps says whose it is beyond the session's end.
	BoundToken(client, userID, token string) string
	ExpiredLaunch(ctx context.Context, client, launch, kept string) (embed.VerifiedLaunch, error)
	PendingFormNames(l embed.VerifiedLaunch) []string
	CardByToken(ctx context.Context, ask embed.CardRequest, raw string) (embed.CRMCard, error)
	CardByCall(ctx context.Context, ask embed.CardRequest, call launch.Call) (embed.CRMCard, error)
}

// DemoPerson is a demo person, listed on the log-in page with the demo's password.
type DemoPerson struct{ Name, Subtitle, Email, Password string }

// Outbox shows the mails that wait; account.Service does.
type Outbox interface {
	Outbox(ctx context.Context) ([]account.PendingMail, error)
}

// WebhookReceiver takes the lender's webhooks. It keeps a hint and returns at once; what
// the hint is about is asked for later.
type WebhookReceiver interface {
	ReceiveWebhook(ctx context.Context, body []byte) error
}
