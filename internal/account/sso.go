package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// SSO is the organization's sign-on provider (OpenID Connect). Make it with NewSSO.
type SSO struct {
	Name     string // in the addresses
	issuer   string
	clientID string
	secret   func() string
	strong   []string // values of amr or acr that say that two factors were seen
	client   *http.Client

	mu        sync.Mutex
	discovery *discovery // on first use, so that a silent provider stops no start; nil after a failure
}

// currentDiscovery is one look at what the provider is, shared by everybody who waits for it.
type discovery struct {
	done      chan struct{} // closed with the answer
	provider  *oidc.Provider
	err       error
	abandoned bool // whoever asked went away before the answer
}

// SSOSettings are what a provider is told by. Secret is read anew at each use.
type SSOSettings struct {
	Name, Issuer, ClientID string
	Secret                 func() string
	Strong                 []string
}

// ssoTimeout bounds one call to the provider.
const ssoTimeout = 10 * time.Second

// NewSSO makes a provider without asking it anything yet.
func NewSSO(s SSOSettings) *SSO {
	return &SSO{
		Name: s.Name, issuer: s.Issuer, clientID: s.ClientID, secret: s.Secret, strong: s.Strong,
		client: &http.Client{Timeout: ssoTimeout, CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("account: the provider redirects where it must answer")
		}},
	}
}

func errNoProvider(cause error) error {
	return fault.Wrap(fault.Unavailable, "The sign-on provider does not answer. Try again in a minute, or sign in another way.", cause)
}

// discover asks the provider once what it is, and remembers. Who comes meanwhile waits for the
// same answer, as long as their own context lasts.
func (o *SSO) discover(ctx context.Context) (*oidc.Provider, error) {
	for {
		q, first := o.currentDiscovery()
		if first {
			q.provider, q.err = oidc.NewProvider(oidc.ClientContext(ctx, o.client), o.issuer)
			q.abandoned = ctx.Err() != nil
			o.finishDiscovery(q)
		}
		select {
		case <-q.done:
		case <-ctx.Done():
			return nil, errNoProvider(ctx.Err())
		}
		switch {
		case q.err == nil:
			return q.provider, nil
		case first || !q.abandoned:
			return nil, errNoProvider(q.err)
		}
	}
}

// currentDiscovery is the one that is being asked, or was answered; first says that it is the
// caller's to ask.
func (o *SSO) currentDiscovery() (q *discovery, first bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if first = o.discovery == nil; first {
		o.discovery = &discovery{done: make(chan struct{})}
	}
	return o.discovery, first
}

// finishDiscovery tells everybody who waits. After a failure the next one asks anew.
func (o *SSO) finishDiscovery(q *discovery) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if q.err != nil {
		o.discovery = nil
	}
	close(q.done)
}

// Check asks the provider whether it is there and is who it was named as.
func (o *SSO) Check(ctx context.Context) error {
	_, err := o.discover(ctx)
	return err
}

func (o *SSO) config(p *oidc.Provider, callback string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: o.clientID, ClientSecret: o.secret(), Endpoint: p.Endpoint(), RedirectURL: callback,
		Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

// ssoState is a sign-on between leaving and coming back.
type ssoState struct {
	State, Nonce, Verifier, Next string
	Session                      string // hash of the session in which somebody confirms who they are; "" to sign in
	UserID                       string // who they must be then
	Since                        int64  // and when they must have signed in there at the earliest
}

// How old the sign-on at the provider may be: for a session here as old as one may get; to
// confirm who one is, made for it, but for how far two clocks may be apart.
const (
	maxSignOnAge = 12 * time.Hour
	clockSkew    = time.Minute
)

// SSOName is the provider's name, empty where there is none.
func (s *Service) SSOName() string {
	if s.SSO == nil {
		return ""
	}
	return s.SSO.Name
}

func (s *Service) callback() string { return s.pageURL("/login/sso/" + s.SSO.Name + "/callback") }

// provider is the one of this name; fault.NotFound for another.
func (s *Service) checkProvider(name string) error {
	if s.SSO == nil || s.SSO.Name != name {
		return fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return nil
}

// BeginSSO gives the provider's address to send the browser to, and the token that the
// browser keeps. next is where the person wants to go afterwards.
func (s *Service) BeginSSO(ctx context.Context, name, next string, from ClientInfo) (token, address string, err error) {
	if err := s.checkProvider(name); err != nil {
		return "", "", err
	}
	if err := s.chargeRateLimit(ctx, trySSO, from); err != nil {
		return "", "", err
	}
	return s.redirectToProvider(ctx, ssoState{Next: next}, oauth2.SetAuthURLParam("max_age", strconv.Itoa(int(maxSignOnAge.Seconds()))))
}

// BeginSSOStepUp does so for somebody who is signed in, to prove anew who they are: the provider
// is told to ask them, and its word of when it did is looked at.
func (s *Service) BeginSSOStepUp(ctx context.Context, session access.Session, from ClientInfo) (token, address string, err error) {
	if s.SSO == nil {
		return "", "", s.checkProvider("")
	}
	if err := s.chargeRateLimit(ctx, trySSO, from); err != nil {
		return "", "", err
	}
	on := ssoState{Session: session.IDHash, UserID: session.UserID, Since: store.Millis(s.Now().Add(-clockSkew))}
	return s.redirectToProvider(ctx, on, oauth2.SetAuthURLParam("max_age", "0"), oauth2.SetAuthURLParam("prompt", "login"))
}

// redirectToProvider keeps what a browser goes away with.
func (s *Service) redirectToProvider(ctx context.Context, on ssoState, more ...oauth2.AuthCodeOption) (token, address string, err error) {
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
	return token, s.SSO.config(p, s.callback()).AuthCodeURL(on.State, append(more, oidc.Nonce(nonce), oauth2.S256ChallengeOption(on.Verifier))...), nil
}

// Callback is what the provider sends the browser back with.
type Callback struct {
	State, Code, Issuer, Error string
	From                       ClientInfo
}

// SSOResult is who came back.
type SSOResult struct {
	User    access.User
	Proof   access.Proof
	At      time.Time // when the provider saw them; 1970 when it does not say
	Next    string
	Session string // hash of the session in which they confirm who they are; "" for who signs in
}

// errNoSignOn is the one answer to every sign-on that does not open.
func errNoSignOn(cause error) error {
	return fault.Wrap(fault.Invalid, "This sign-on opens nothing here. Sign in another way, or ask who invited you.", cause)
}

// FinishSSO finds the person who came back. Known are those who were linked before; who
// comes first is found by a verified e-mail of an open account, and linked by the
// provider's own number from then on.
func (s *Service) FinishSSO(ctx context.Context, name, token string, back Callback) (SSOResult, error) {
	if err := s.checkProvider(name); err != nil {
		return SSOResult{}, err
	}
	charged, err := s.countAttempt(ctx, s.measure(trySSO, back.From, attemptCost))
	if err != nil {
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
	// ClientInfo here on it is over, whatever comes of it: a code is for one try.
	if err := s.write(ctx, func(tx *store.Tx) error { return endCeremony(ctx, tx, hash, ssoSignIn) }); err != nil {
		return SSOResult{}, err
	}
	switch {
	case back.Error != "":
		return SSOResult{Session: on.Session}, errNoSignOn(errors.New("account: the provider refused"))
	case back.Issuer != "" && back.Issuer != s.SSO.issuer:
		return SSOResult{}, errNoSignOn(errors.New("account: another issuer came back"))
	}
	c, err := s.SSO.claimsFor(ctx, back.Code, on, s.callback())
	if fault.KindOf(err) == fault.Unavailable && err != nil {
		return SSOResult{}, s.unchecked(ctx, charged, err)
	}
	if err != nil {
		return SSOResult{}, err
	}
	proof := s.SSO.proofOf(c)
	came := SSOResult{Proof: proof, At: time.Unix(c.AuthTime, 0), Next: on.Next, Session: on.Session}
	if now := s.Now(); came.At.After(now) {
		came.At = now
	}
	if on.Session != "" {
		if came.User, err = s.confirmedUser(ctx, c, on, came); err != nil {
			return SSOResult{Session: on.Session}, err
		}
		return came, s.refundRateLimit(ctx, trySSO, back.From)
	}
	if c.AuthTime != 0 && s.Now().Sub(came.At) > maxSignOnAge+clockSkew {
		return SSOResult{}, errNoSignOn(errors.New("account: the provider saw them too long ago"))
	}
	if came.User, err = s.identify(ctx, c, back.From); err != nil {
		return SSOResult{}, err
	}
	if proof == access.ByStrongSSO {
		if err := s.write(ctx, func(tx *store.Tx) error { return tx.MarkIdentityStrong(ctx, c.Issuer, c.Subject) }); err != nil {
			return SSOResult{}, err
		}
	}
	return came, s.refundRateLimit(ctx, trySSO, back.From)
}

// confirmedUser finds the person who went to confirm who they are, if it is them who came back,
// seen by the provider just now and with two factors.
func (s *Service) confirmedUser(ctx context.Context, c claims, on ssoState, came SSOResult) (access.User, error) {
	user, err := s.store.UserByIdentity(ctx, c.Issuer, c.Subject)
	switch {
	case err != nil && fault.KindOf(err) != fault.NotFound:
		return access.User{}, err
	case err != nil || user.Disabled || user.UserID != on.UserID:
		return access.User{}, errNoConfirmation("Somebody else signed on there.")
	case c.AuthTime == 0 || store.Millis(came.At) < on.Since:
		return access.User{}, errNoConfirmation("The provider did not ask you anew.")
	case came.Proof.Level() < 2:
		return access.User{}, errNoConfirmation("The provider did not ask you for a second factor.")
	}
	return user, nil
}

func errNoConfirmation(why string) error {
	return fault.Wrap(fault.Invalid, why+" Confirm another way, or ask your administrator to reset your account.", errors.New("account: "+why))
}

func (s *Service) identify(ctx context.Context, c claims, from ClientInfo) (access.User, error) {
	user, err := s.store.UserByIdentity(ctx, c.Issuer, c.Subject)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return access.User{}, err
	}
	if err == nil {
		if user.Disabled {
			return access.User{}, s.auditSSOFailure(ctx, user.UserID, from)
		}
		return user, nil
	}
	if c.Email == "" || !bool(c.Verified) {
		return access.User{}, s.auditSSOFailure(ctx, "", from)
	}
	user, _, err = s.store.UserByEmail(ctx, FoldEmail(c.Email))
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return access.User{}, err
	}
	if err != nil || user.Disabled {
		return access.User{}, s.auditSSOFailure(ctx, user.UserID, from)
	}
	err = s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if err := checkNotLocked(ctx, tx, user.UserID); err != nil {
			return err
		}
		if err := tx.AddIdentity(ctx, c.Issuer, c.Subject, user.UserID); err != nil {
			return err
		}
		if err := s.NotifyChange(ctx, tx, user, "Your account was linked to single sign-on"); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, user.UserID, store.ActionFactorAdd, "sso")
	})
	if fault.KindOf(err) == fault.Conflict && err != nil {
		return access.User{}, s.auditSSOFailure(ctx, user.UserID, from)
	}
	return user, err
}

// auditSSOFailure audits a sign-on that opened nothing, and is the refusal.
func (s *Service) auditSSOFailure(ctx context.Context, userID string, from ClientInfo) error {
	r := rejection{AuditEntry: store.AuditEntry{ActorID: "nobody", Action: store.ActionSignIn, Object: "user:unknown", Outcome: "refused", Detail: string(access.BySingleSignOn)}}
	if userID != "" {
		r.Object, r.known = "user:"+userID, true
	}
	if err := s.auditRejection(ctx, r, from); err != nil {
		return err
	}
	return errNoSignOn(errors.New("account: nobody is linked to this subject"))
}
