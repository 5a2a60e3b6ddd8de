package account

import (
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"net/url"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// newServiceWithSSO is a service with a sign-on provider, in real time, because the library uses the system
// clock.
func newServiceWithSSO(t *testing.T) (*Service, *fakeProvider, access.User) {
	t.Helper()
	s, _, at := newTestServiceWith(t, Options{Base: &url.URL{Scheme: "https", Host: "portal.example"}})
	at.at = time.Now()
	p := newProvider(t, time.Now)
	s.SSO = NewSSO(SSOSettings{Name: "acme", Issuer: p.site.URL, ClientID: "hearthline",
		Secret: func() string { return "secret" }, Strong: []string{"mfa", "urn:acme:strong"}})
	approve(t, s, store.GrantRequest{ID: "values", Kind: access.RequestSSOValues, Subject: s.SSOValues().Key()})
	return s, p, olivia(t, s)
}

// approve stores a request as approved, as package approval does once two administrators agree.
func approve(t *testing.T, s *Service, r store.GrantRequest) {
	t.Helper()
	r.State, r.Sealed = access.RequestApproved, []byte("sealed")
	r.DecidedAt = cmp.Or(r.DecidedAt, store.Millis(s.Now()))
	if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddGrantRequest(t.Context(), r)
	}); err != nil {
		t.Fatal(err)
	}
}

// signInBySSO goes to the provider and back.
func signInBySSO(t *testing.T, s *Service, p *fakeProvider) (SSOResult, error) {
	t.Helper()
	token, address, err := s.BeginSSO(t.Context(), "acme", "/drafts", hereClient)
	if err != nil {
		t.Fatal(err)
	}
	return s.FinishSSO(t.Context(), "acme", token, p.authorize(address))
}

func TestFinishSSO_FirstSignIn_LinksByVerifiedEmail(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	on, err := signInBySSO(t, s, p)
	if err != nil || on.User.UserID != user.UserID || on.Proof != access.BySingleSignOn || on.Next != "/drafts" {
		t.Fatalf("got %+v, %v, want Olivia with one factor", on, err)
	}
	// From now on the subject counts, and the email no longer.
	p.alterToken = func(c map[string]any) { c["email"], c["email_verified"] = "changed@elsewhere.test", false }
	if on, err = signInBySSO(t, s, p); err != nil || on.User.UserID != user.UserID {
		t.Errorf("the same subject with another email: got %q, %v", on.User.UserID, err)
	}
	p.alterToken = func(c map[string]any) { c["sub"] = "subject-2" }
	if _, err = signInBySSO(t, s, p); !fault.Is(err, fault.Invalid) {
		t.Errorf("another subject with her email: got %v, want a rejection", err)
	}
	if f, err := s.Factors(t.Context(), user.UserID); err != nil || !f.SSO {
		t.Errorf("got %+v, %v, want her linked", f, err)
	}
	if err := s.Disable(t.Context(), user.Email); err != nil {
		t.Fatal(err)
	}
	p.alterToken = func(map[string]any) {}
	if _, err = signInBySSO(t, s, p); !fault.Is(err, fault.Invalid) {
		t.Errorf("a closed account: got %v, want a rejection", err)
	}
}

func TestFinishSSO_ProofOfClaims(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		alter func(map[string]any)
		want  access.Proof
	}{
		"silence":          {func(map[string]any) {}, access.BySingleSignOn},
		"a password":       {func(c map[string]any) { c["amr"] = []string{"pwd"} }, access.BySingleSignOn},
		"several methods":  {func(c map[string]any) { c["amr"] = []string{"pwd", "mfa"} }, access.ByStrongSSO},
		"a known class":    {func(c map[string]any) { c["acr"] = "urn:acme:strong" }, access.ByStrongSSO},
		"an unknown class": {func(c map[string]any) { c["acr"] = "urn:acme:weak" }, access.BySingleSignOn},
	} {
		s, p, _ := newServiceWithSSO(t)
		p.alterToken = tt.alter
		if on, err := signInBySSO(t, s, p); err != nil || on.Proof != tt.want {
			t.Errorf("%s: got %q, %v, want %q", what, on.Proof, err, tt.want)
		}
	}
}

func TestFinishSSO_InvalidToken_Refused(t *testing.T) {
	t.Parallel()
	for what, alter := range map[string]func(map[string]any){
		"of another issuer":        func(c map[string]any) { c["iss"] = "https://evil.test" },
		"for another client":       func(c map[string]any) { c["aud"] = "another" },
		"for several, without azp": func(c map[string]any) { c["aud"] = []string{"hearthline", "another"} },
		"for another party":        func(c map[string]any) { c["azp"] = "another" },
		"that has expired":         func(c map[string]any) { c["exp"] = time.Now().Add(-time.Hour).Unix() },
		"without a nonce":          func(c map[string]any) { delete(c, "nonce") },
		"of another sign-on":       func(c map[string]any) { c["nonce"] = "another" },
		"without an email":         func(c map[string]any) { delete(c, "email") },
		"with an unverified email": func(c map[string]any) { c["email_verified"] = false },
		"without email_verified":   func(c map[string]any) { delete(c, "email_verified") },
		"of an unknown user":       func(c map[string]any) { c["email"] = "nobody@summit.test" },
		"without a subject":        func(c map[string]any) { c["sub"] = "" },
		"with malformed claims":    func(c map[string]any) { c["amr"] = "mfa" },
	} {
		s, p, _ := newServiceWithSSO(t)
		p.alterToken = alter
		if _, err := signInBySSO(t, s, p); !fault.Is(err, fault.Invalid) {
			t.Errorf("a token %s: got %v, want a rejection", what, err)
		}
	}
	s, p, _ := newServiceWithSSO(t)
	forger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p.signer = forger
	if _, err := signInBySSO(t, s, p); !fault.Is(err, fault.Invalid) {
		t.Errorf("a forged token: got %v, want a rejection", err)
	}
}

// TestFinishSSO_ClaimsLetterByLetter adds members at the start of a valid token.
func TestFinishSSO_ClaimsLetterByLetter(t *testing.T) {
	t.Parallel()
	for more, valid := range map[string]bool{
		``: true, `"EMAIL":"marcus@summit.test",`: true, `"Amr":["mfa"],"ACR":"mfa",`: true,
		`"email":"marcus@summit.test",`: false, `"sub":"subject-2",`: false, `"s\u0075b":"subject-2",`: false,
		`"SUB":"subject-2",`: false, `"\u017fub":"subject-2",`: false, `"Exp":9999999999,`: false, `"Nonce":"x",`: false,
	} {
		s, p, user := newServiceWithSSO(t)
		p.more = more
		on, err := signInBySSO(t, s, p)
		if (err == nil) != valid || err != nil && !fault.Is(err, fault.Invalid) ||
			valid && (on.User.UserID != user.UserID || on.Proof != access.BySingleSignOn) {
			t.Errorf("%s: got %q by %q, %v, want valid %v", more, on.User.UserID, on.Proof, err, valid)
		}
	}
	for name, value := range map[string]any{"sub": "subject-1\x00", "email": "olivia\x00@summit.test"} {
		s, p, _ := newServiceWithSSO(t)
		p.alterToken = func(c map[string]any) { c[name] = value }
		if _, err := signInBySSO(t, s, p); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s with a control character: got %v, want a rejection", name, err)
		}
	}
}

func TestFinishSSO_UserInfoEmail(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		info map[string]any
		ok   bool
	}{
		"her own": {map[string]any{"sub": "subject-1", "email": "olivia@summit.test", "email_verified": true}, true},
		"unverified": {map[string]any{"sub": "subject-1", "email": "olivia@summit.test", "email_verified": false},
			false},
		"of another user": {map[string]any{"sub": "subject-9", "email": "olivia@summit.test", "email_verified": true}, false},
		"that is missing": {nil, false},
		"verified as a string": {map[string]any{"sub": "subject-1", "email": "olivia@summit.test", "email_verified": "true"},
			true},
	} {
		s, p, _ := newServiceWithSSO(t)
		p.info, p.alterToken = tt.info, func(c map[string]any) {
			delete(c, "email")
			delete(c, "email_verified")
		}
		if _, err := signInBySSO(t, s, p); (err == nil) != tt.ok {
			t.Errorf("an email %s: got %v, want accepted %v", what, err, tt.ok)
		}
	}
}

func TestFinishSSO_OtherBrowserOrTwice_Refused(t *testing.T) {
	t.Parallel()
	s, p, _ := newServiceWithSSO(t)
	begin := func() (string, Callback) {
		token, address, err := s.BeginSSO(t.Context(), "acme", "", hereClient)
		if err != nil {
			t.Fatal(err)
		}
		return token, p.authorize(address)
	}
	finish := func(token string, back Callback) fault.Kind {
		_, err := s.FinishSSO(t.Context(), "acme", token, back)
		if err == nil {
			return -1
		}
		return fault.KindOf(err)
	}
	mine, _ := begin()
	_, theirs := begin()
	if got := finish(mine, theirs); got != fault.Invalid {
		t.Errorf("what another browser began: got %v, want a rejection", got)
	}
	if got := finish("", theirs); got != fault.Conflict {
		t.Errorf("a browser that began nothing: got %v, want it expired", got)
	}
	for _, state := range []string{"", "another", theirs.State} { // with their own code, which PKCE alone would accept
		token, back := begin()
		back.State = state
		if got := finish(token, back); got != fault.Invalid {
			t.Errorf("their own code with the state %q: got %v, want a rejection", state, got)
		}
	}
	token, back := begin()
	back.Issuer = "https://evil.test"
	if got := finish(token, back); got != fault.Invalid {
		t.Errorf("a response from another issuer: got %v, want a rejection", got)
	}
	token, back = begin()
	back.Error, back.Code = "access_denied", ""
	if got := finish(token, back); got != fault.Invalid {
		t.Errorf("a rejection by the provider: got %v", got)
	}
	token, back = begin()
	if got := finish(token, back); got != -1 {
		t.Fatalf("the correct callback: got %v", got)
	}
	if got := finish(token, back); got != fault.Conflict {
		t.Errorf("the same again: got %v, want it expired", got)
	}
	if _, _, err := s.BeginSSO(t.Context(), "other", "", hereClient); !fault.Is(err, fault.NotFound) {
		t.Errorf("another provider: got %v, want not found", err)
	}
	p.site.Close()
	s.SSO.provider.Store(nil)
	if _, _, err := s.BeginSSO(t.Context(), "acme", "", hereClient); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a provider that is down: got %v, want unavailable", err)
	}
}

// TestFinishSSO_AuthTime_Respected checks that a sign-on from this morning does not count as a new
// authentication.
func TestFinishSSO_AuthTime_Respected(t *testing.T) {
	t.Parallel()
	s, p, _ := newServiceWithSSO(t)
	_, address, err := s.BeginSSO(t.Context(), "acme", "", hereClient)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(address)
	if got := u.Query().Get("max_age"); got != "43200" {
		t.Errorf("requested with max_age %q, want twelve hours", got)
	}
	for what, tt := range map[string]struct {
		signedOn time.Time     // zero when the provider does not report it
		ago      time.Duration // age of the proof; negative for a rejection
	}{
		"just now":      {time.Now(), 0},
		"two hours ago": {time.Now().Add(-2 * time.Hour), 2 * time.Hour},
		"yesterday":     {time.Now().Add(-13 * time.Hour), -1},
		"in the future": {time.Now().Add(time.Hour), 0},
		"not reported":  {time.Time{}, time.Since(time.Unix(0, 0))},
	} {
		p.alterToken = func(c map[string]any) {
			c["auth_time"], c["amr"] = tt.signedOn.Unix(), []string{"mfa"}
			if tt.signedOn.IsZero() {
				delete(c, "auth_time")
			}
		}
		on, err := signInBySSO(t, s, p)
		if tt.ago < 0 {
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: got %v, want a rejection", what, err)
			}
			continue
		}
		if got := time.Since(on.At) - tt.ago; err != nil || got.Abs() > time.Minute {
			t.Errorf("%s: got authenticated at %v, %v, want %v ago", what, on.At, err, tt.ago)
		}
	}
}

// TestSSOStepUp_OtherUser_Refused has another portal user sign on at the provider in this user's browser, and
// an account that is closed meanwhile.
func TestSSOStepUp_OtherUser_Refused(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	if _, err := signInBySSO(t, s, p); err != nil {
		t.Fatal(err)
	}
	marcus, err := s.Add(t.Context(),
		access.User{Actor: access.Actor{Email: "marcus@summit.test", Name: "Marcus Reed", Role: access.Originator,
			OriginatorUUID: "o-2"}}, goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	p.alterToken = func(c map[string]any) { c["sub"], c["email"] = "subject-2", marcus.Email }
	if on, err := signInBySSO(t, s, p); err != nil || on.User.UserID != marcus.UserID {
		t.Fatalf("got %q, %v, want Marcus linked", on.User.UserID, err)
	}
	comesBack := func(subject string, meanwhile func()) error {
		t.Helper()
		p.alterToken = func(c map[string]any) { c["sub"], c["amr"] = subject, []string{"mfa"} }
		token, address, err := s.BeginSSOStepUp(t.Context(), signIn(t, s, olivia(t, s), access.ByStrongSSO), hereClient)
		if err != nil {
			t.Fatal(err)
		}
		back := p.authorize(address)
		p.alterToken = func(c map[string]any) { c["sub"], c["amr"] = subject, []string{"mfa"}; meanwhile() }
		_, err = s.FinishSSO(t.Context(), "acme", token, back)
		return err
	}
	if err := comesBack("subject-1", func() {}); err != nil {
		t.Errorf("the same user: got %v", err)
	}
	if err := comesBack("subject-2", func() {}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a colleague: got %v, want a rejection", err)
	}
	closed := func() { // while the provider responds
		if err := s.Disable(t.Context(), user.Email); err != nil {
			t.Error(err)
		}
	}
	if err := comesBack("subject-1", closed); !fault.Is(err, fault.Invalid) {
		t.Errorf("a closed account: got %v, want a rejection", err)
	}
}

func TestSSOStepUp_SameUser_Accepted(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	if _, err := signInBySSO(t, s, p); err != nil {
		t.Fatal(err)
	}
	session := signIn(t, s, user, access.ByStrongSSO)
	for what, tt := range map[string]struct {
		alter func(map[string]any)
		ok    bool
	}{
		"authenticated again": {func(map[string]any) {}, true},
		"not authenticated again": {func(c map[string]any) { c["auth_time"] = time.Now().Add(-10 * time.Minute).Unix() },
			false},
		"not reported": {func(c map[string]any) { delete(c, "auth_time") }, false},
		"one factor":   {func(c map[string]any) { c["amr"] = []string{"pwd"} }, false},
		"another user": {func(c map[string]any) { c["sub"] = "subject-9" }, false},
	} {
		p.alterToken = func(c map[string]any) {
			c["amr"] = []string{"mfa"}
			tt.alter(c)
		}
		token, address, err := s.BeginSSOStepUp(t.Context(), session, hereClient)
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(address)
		if q := u.Query(); q.Get("prompt") != "login" || q.Get("max_age") != "0" {
			t.Fatalf("requested with %v, want the user to be asked again", q)
		}
		on, err := s.FinishSSO(t.Context(), "acme", token, p.authorize(address))
		if (err == nil) != tt.ok || on.Session != session.IDHash {
			t.Errorf("%s: got session %q, %v, want accepted %v", what, on.Session, err, tt.ok)
		}
	}
}

// TestFinishSSO_Privileged_EmailAlone_LinksNothing has an administrator return from the provider for the first time,
// with two factors there. Still, only their own second factor or an approved request links the account.
func TestFinishSSO_Privileged_EmailAlone_LinksNothing(t *testing.T) {
	t.Parallel()
	for _, role := range []access.Role{access.Manager, access.Admin} {
		s, p, _ := newServiceWithSSO(t)
		if err := s.SetRole(t.Context(), "olivia@summit.test", role); err != nil {
			t.Fatal(err)
		}
		user := olivia(t, s)
		p.alterToken = func(c map[string]any) { c["amr"] = []string{"mfa"} }
		continued := func() (SignInResult, error) {
			t.Helper()
			on, err := signInBySSO(t, s, p)
			if err != nil {
				t.Fatal(err)
			}
			return s.ContinueSignIn(t.Context(), on.User, Authentication{Proof: on.Proof, Link: on.Link}, hereClient)
		}
		linked := func() bool {
			f, err := s.Factors(t.Context(), user.UserID)
			return err == nil && f.SSO
		}
		if got, err := continued(); !fault.Is(err, fault.Invalid) || got.Token != "" || linked() {
			t.Errorf("%s without a second factor: got %+v, %v, linked %v, want a rejection", role, got, err, linked())
		}
		setup := newTOTPSetup(user.Email)
		if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return s.addTOTP(t.Context(), tx, user, setup.Secret, 1)
		}); err != nil {
			t.Fatal(err)
		}
		code, _ := totp.GenerateCode(setup.Secret, s.Now())
		got, err := continued()
		if err != nil || got.Need != NeedSecondFactor || linked() {
			t.Fatalf("%s: got need %v, %v, linked %v, want the second step first", role, got.Need, err, linked())
		}
		if _, err := s.FinishSecondFactor(t.Context(), got.Token, FactorResponse{Code: "000000"}, hereClient); err == nil ||
			linked() {
			t.Errorf("%s with a wrong code: got %v, linked %v", role, err, linked())
		}
		if _, err := s.FinishSecondFactor(t.Context(), got.Token, FactorResponse{Code: code}, hereClient); err != nil ||
			!linked() {
			t.Errorf("%s with their own factor: got %v, linked %v, want the link", role, err, linked())
		}
		if on, err := signInBySSO(t, s, p); err != nil || on.Link != nil || on.Proof != access.ByStrongSSO {
			t.Errorf("%s the next time: got %+v, %v, want two factors", role, on, err)
		}
	}
}

func TestFinishSSO_PrivilegedWithPermit_LinksOnceInTime(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		ago    time.Duration
		linked bool
	}{"approved now": {0, true}, "approved long ago": {LinkPermitLifetime + time.Minute, false}} {
		s, p, _ := newServiceWithSSO(t)
		if err := s.SetRole(t.Context(), "olivia@summit.test", access.Admin); err != nil {
			t.Fatal(err)
		}
		user := olivia(t, s)
		approve(t, s, store.GrantRequest{ID: "permit", Kind: access.RequestLinkSSO, Subject: user.UserID,
			DecidedAt: store.Millis(s.Now().Add(-tt.ago))})
		on, err := signInBySSO(t, s, p)
		if err != nil || (on.Link == nil) != tt.linked {
			t.Errorf("%s: got link %+v, %v, want linked %v", what, on.Link, err, tt.linked)
		}
		if err := s.UnlinkSSO(t.Context(), olivia(t, s)); (err == nil) != tt.linked {
			t.Errorf("%s: unlink: got %v", what, err)
		}
		if on, err := signInBySSO(t, s, p); err != nil || on.Link == nil {
			t.Errorf("%s, once more: got link %+v, %v, want none without their own factor", what, on.Link, err)
		}
	}
}

// TestFinishSSO_ValuesNotApproved_OneFactor changes the values in the server's settings after an approval.
func TestFinishSSO_ValuesNotApproved_OneFactor(t *testing.T) {
	t.Parallel()
	s, p, _ := newServiceWithSSO(t)
	s.SSO.strong = append(s.SSO.strong, "pwd")
	for _, value := range []string{"pwd", "mfa"} {
		p.alterToken = func(c map[string]any) { c["amr"] = []string{value} }
		if on, err := signInBySSO(t, s, p); err != nil || on.Proof != access.BySingleSignOn {
			t.Errorf("%s: got %q, %v, want one factor", value, on.Proof, err)
		}
	}
}
