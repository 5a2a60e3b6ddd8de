package account

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// SSO is the organization's sign-on provider (OpenID Connect). Make it with NewSSO.
type SSO struct {
	Name     string // in URLs
	issuer   string
	clientID string
	secret   func() string
	strong   []string // values of amr or acr that mean two factors
	client   *http.Client

	flights  singleflight.Group
	provider atomic.Pointer[oidc.Provider] // read on first use, so that an unavailable provider does not prevent the start
}

// SSOSettings configure a provider. Secret is called for each use, because the secret can change.
type SSOSettings struct {
	Name, Issuer, ClientID string
	Secret                 func() string
	Strong                 []string
}

// ssoTimeout bounds one call to the provider.
const ssoTimeout = 10 * time.Second

// NewSSO returns a provider without calling it yet.
func NewSSO(s SSOSettings) *SSO {
	return &SSO{
		Name: s.Name, issuer: s.Issuer, clientID: s.ClientID, secret: s.Secret, strong: s.Strong,
		client: &http.Client{Timeout: ssoTimeout, CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("account: the provider redirects where it must answer")
		}},
	}
}

func errNoProvider(cause error) error {
	return fault.Wrap(fault.Unavailable,
		"The single sign-on provider isn’t responding. Try again in a minute, or sign in another way.", cause)
}

// discover fetches the provider's metadata once and caches it. Concurrent callers wait for the same response until
// their context ends. After a failure the next caller tries again.
func (s *SSO) discover(ctx context.Context) (*oidc.Provider, error) {
	if p := s.provider.Load(); p != nil {
		return p, nil
	}
	asked := s.flights.DoChan("", func() (any, error) {
		p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), s.client), s.issuer)
		if err == nil {
			s.provider.Store(p)
		}
		return nil, err
	})
	select {
	case r := <-asked:
		if r.Err != nil {
			return nil, errNoProvider(r.Err)
		}
		return s.provider.Load(), nil
	case <-ctx.Done():
		return nil, errNoProvider(ctx.Err())
	}
}

// Check fetches the provider's metadata and checks the issuer.
func (s *SSO) Check(ctx context.Context) error {
	_, err := s.discover(ctx)
	return err
}

func (s *SSO) config(p *oidc.Provider, callback string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: s.clientID, ClientSecret: s.secret(), Endpoint: p.Endpoint(), RedirectURL: callback,
		Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

// ssoState is a sign-on while the browser is at the provider.
type ssoState struct {
	State, Nonce, Verifier, Next string
	Session                      string // hash of the session of a step-up; "" to sign in
	UserID                       string // the user who must return, for a step-up
	Since                        int64  // the earliest time at which the provider must have authenticated them
}

// How old the sign-on at the provider may be. For a sign-in: as old as a session may get. For a step-up: it
// must be newer than the request, with a tolerance for clock differences.
const (
	maxSignOnAge = 12 * time.Hour
	clockSkew    = time.Minute
)

// SSOName returns the provider's name, or empty without one.
func (s *Service) SSOName() string {
	if s.SSO == nil {
		return ""
	}
	return s.SSO.Name
}

func (s *Service) callback() string { return s.PageURL("/login/sso/" + s.SSO.Name + "/callback") }

// checkProvider returns fault.NotFound unless the provider has this name.
func (s *Service) checkProvider(name string) error {
	if s.SSO == nil || s.SSO.Name != name {
		return fault.New(fault.NotFound, "Page not found.")
	}
	return nil
}

// BeginSSO returns the provider's URL for the browser, and the token that the browser stores. next is where
// the user wants to go afterwards.
func (s *Service) BeginSSO(ctx context.Context, name, next string, from ClientInfo) (token, address string, err error) {
	if err := s.checkProvider(name); err != nil {
		return "", "", err
	}
	if err := s.charge(ctx, s.addressLimit(trySSO, from, successCost)); err != nil {
		return "", "", err
	}
	return s.redirectToProvider(ctx, ssoState{Next: next},
		oauth2.SetAuthURLParam("max_age", strconv.Itoa(int(maxSignOnAge.Seconds()))))
}

// BeginSSOStepUp does the same for a signed-in user, to authenticate again. It asks the provider to
// authenticate the user now; FinishSSO checks the time that the provider reports.
func (s *Service) BeginSSOStepUp(ctx context.Context, session access.Session,
	from ClientInfo) (token, address string, err error) {
	if s.SSO == nil {
		return "", "", s.checkProvider("")
	}
	if err := s.charge(ctx, s.addressLimit(trySSO, from, successCost)); err != nil {
		return "", "", err
	}
	on := ssoState{Session: session.IDHash, UserID: session.UserID, Since: store.Millis(s.Now().Add(-clockSkew))}
	return s.redirectToProvider(ctx, on, oauth2.SetAuthURLParam("max_age", "0"), oauth2.SetAuthURLParam("prompt", "login"))
}

// redirectToProvider stores the state and returns the provider's URL.
func (s *Service) redirectToProvider(ctx context.Context, on ssoState,
	more ...oauth2.AuthCodeOption) (token, address string, err error) {
	p, err := s.SSO.discover(ctx)
	if err != nil {
		return "", "", err
	}
	on.State, _ = NewToken()
	nonce, _ := NewToken()
	on.Nonce, on.Verifier = nonce, oauth2.GenerateVerifier()
	token, hash := NewToken()
	if err := beginCeremony(ctx, s, ceremonyKey{hash, ssoSignIn, on.UserID}, on); err != nil {
		return "", "", err
	}
	return token, s.SSO.config(p, s.callback()).
		AuthCodeURL(on.State, append(more, oidc.Nonce(nonce), oauth2.S256ChallengeOption(on.Verifier))...), nil
}

// Callback contains the parameters that the provider sends back with the browser.
type Callback struct {
	State, Code, Issuer, Error string
	From                       ClientInfo
}

// SSOResult is the user who returned.
type SSOResult struct {
	User    access.User
	Proof   access.Proof
	At      time.Time // when the provider authenticated them; 1970 when it does not report that
	Next    string
	Session string // hash of the session of a step-up; "" for a sign-in
	Link    *SSOLink
}

// SSOLink is the provider's subject for a manager or an administrator who was found only by their email.
// Their account is linked to it after their own second factor in the same sign-in; until then it proves nothing.
type SSOLink struct{ Issuer, Subject string }

// errNoSignOn is the same error for every sign-on that is not accepted.
func errNoSignOn(cause error) error {
	return fault.Wrap(fault.Invalid,
		"This single sign-on account isn’t connected to Hearthline. Sign in another way, or ask your administrator.", cause)
}

// FinishSSO finds the user who returned, by the link of the provider's subject. At a user's first sign-on it
// finds them by the verified email of an open account, and links the subject from then on: at once, or, for a manager
// or an administrator, after their own second factor or if two administrators agreed to it.
func (s *Service) FinishSSO(ctx context.Context, name, token string, back Callback) (SSOResult, error) {
	if err := s.checkProvider(name); err != nil {
		return SSOResult{}, err
	}
	tried := []limit{s.addressLimit(trySSO, back.From, attemptCost)}
	if err := s.charge(ctx, tried...); err != nil {
		return SSOResult{}, err
	}
	hash := HashToken(token)
	on, err := readCeremony[ssoState](ctx, s, hash, ssoSignIn)
	if err != nil {
		return SSOResult{}, err
	}
	if subtle.ConstantTimeCompare([]byte(on.State), []byte(back.State)) != 1 {
		return SSOResult{}, errNoSignOn(errors.New("account: another state than was sent"))
	}
	// End it before any check: a code is for one try.
	if err := s.store.Write(ctx, func(tx *store.Tx) error { return endCeremony(ctx, tx, hash, ssoSignIn) }); err != nil {
		return SSOResult{}, err
	}
	switch {
	case back.Error != "":
		return SSOResult{Session: on.Session}, errNoSignOn(errors.New("account: the provider refused"))
	case back.Issuer != "" && back.Issuer != s.SSO.issuer:
		return SSOResult{}, errNoSignOn(errors.New("account: another issuer came back"))
	}
	c, err := s.SSO.claimsFor(ctx, back.Code, on, s.callback())
	if fault.Is(err, fault.Unavailable) {
		return SSOResult{}, s.unchecked(ctx, tried, err)
	}
	if err != nil {
		return SSOResult{}, err
	}
	proof, err := s.proofOf(ctx, c)
	if err != nil {
		return SSOResult{}, err
	}
	result := SSOResult{Proof: proof, At: time.Unix(c.AuthTime, 0), Next: on.Next, Session: on.Session}
	if now := s.Now(); result.At.After(now) {
		result.At = now
	}
	if on.Session != "" {
		if result.User, err = s.confirmedUser(ctx, c, on, result); err != nil {
			return SSOResult{Session: on.Session}, err
		}
		return result, s.accepted(ctx, tried)
	}
	if c.AuthTime != 0 && s.Now().Sub(result.At) > maxSignOnAge+clockSkew {
		return SSOResult{}, errNoSignOn(errors.New("account: the provider saw them too long ago"))
	}
	if result.User, result.Link, err = s.identify(ctx, c, back.From); err != nil {
		return SSOResult{}, err
	}
	if proof == access.ByStrongSSO && result.Link == nil {
		err := s.store.Write(ctx, func(tx *store.Tx) error { return tx.MarkIdentityStrong(ctx, c.Issuer, c.Subject) })
		if err != nil {
			return SSOResult{}, err
		}
	}
	return result, s.accepted(ctx, tried)
}

// confirmedUser returns the user of a step-up, provided that the same user returned, and that the provider
// has just authenticated them with two factors.
func (s *Service) confirmedUser(ctx context.Context, c claims, on ssoState, result SSOResult) (access.User, error) {
	user, err := s.store.UserByIdentity(ctx, c.Issuer, c.Subject)
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return access.User{}, err
	case err != nil || user.Disabled || user.UserID != on.UserID:
		return access.User{}, errNoConfirmation("A different person signed in there.")
	case c.AuthTime == 0 || store.Millis(result.At) < on.Since:
		return access.User{}, errNoConfirmation("The provider didn’t ask you to sign in again.")
	case result.Proof.Level() < 2:
		return access.User{}, errNoConfirmation("The provider didn’t ask you for a second factor.")
	}
	return user, nil
}

func errNoConfirmation(why string) error {
	return fault.Wrap(fault.Invalid, why+" Confirm another way, or ask your administrator to reset your account.",
		errors.New("account: "+why))
}

// identify finds the user of a sign-on. The link is nil if the account is linked now.
func (s *Service) identify(ctx context.Context, c claims, from ClientInfo) (access.User, *SSOLink, error) {
	refuse := func(userID string) (access.User, *SSOLink, error) {
		return access.User{}, nil, s.auditSSOFailure(ctx, userID, from)
	}
	user, err := s.store.UserByIdentity(ctx, c.Issuer, c.Subject)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return access.User{}, nil, err
	}
	if err == nil {
		if user.Disabled {
			return refuse(user.UserID)
		}
		return user, nil, nil
	}
	if c.Email == "" || !bool(c.Verified) {
		return refuse("")
	}
	user, _, err = s.store.UserByEmail(ctx, FoldEmail(c.Email))
	if err != nil && !fault.Is(err, fault.NotFound) {
		return access.User{}, nil, err
	}
	if err != nil || user.Disabled {
		return refuse(user.UserID)
	}
	link, permit := &SSOLink{c.Issuer, c.Subject}, store.GrantRequest{}
	if user.Role.Privileged() {
		permit, err = s.store.ApprovedGrantRequest(ctx, access.RequestLinkSSO, user.UserID, s.Now().Add(-LinkPermitLifetime))
		if fault.Is(err, fault.NotFound) {
			linked, err := s.store.HasIdentity(ctx, user.UserID)
			if err == nil && linked {
				return refuse(user.UserID)
			}
			return user, link, err
		}
		if err != nil {
			return access.User{}, nil, err
		}
	}
	err = s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if permit.ID != "" {
			if first, err := tx.UseGrantRequest(ctx, permit.ID); err != nil || !first {
				return cmp.Or(err, errCeremonyExpired())
			}
		}
		return s.linkSSO(ctx, tx, user, *link)
	})
	if fault.Is(err, fault.Conflict) {
		return refuse(user.UserID)
	}
	return user, nil, err
}

// LinkPermitLifetime is how long after its approval a single sign-on may link a privileged account
// without its own second factor.
const LinkPermitLifetime = 72 * time.Hour

// linkSSO links a user to a subject of the provider; fault.Conflict if either is linked to another.
func (s *Service) linkSSO(ctx context.Context, tx *store.Tx, user access.User, link SSOLink) error {
	if err := checkNotLocked(ctx, tx, user.UserID); err != nil {
		return err
	}
	return cmp.Or(
		tx.AddIdentity(ctx, link.Issuer, link.Subject, user.UserID),
		s.record(ctx, tx, user, change{"Your account was linked to single sign-on", store.ActionFactorAdd, "sso"}),
	)
}

// auditSSOFailure audits a rejected sign-on and returns the error.
func (s *Service) auditSSOFailure(ctx context.Context, userID string, from ClientInfo) error {
	if err := s.auditRejection(ctx, rejectedSignIn(userID, access.BySingleSignOn), from); err != nil {
		return err
	}
	return errNoSignOn(errors.New("account: no user is linked to this subject"))
}
