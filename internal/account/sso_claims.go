package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4/json"
	"golang.org/x/oauth2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// claims are the provider's statements about a user.
type claims struct {
	Issuer          string      `json:"iss"`
	Subject         string      `json:"sub"`
	AuthorizedParty string      `json:"azp"`
	Email           string      `json:"email"`
	Verified        lenientBool `json:"email_verified"`
	Methods         []string    `json:"amr"`
	Class           string      `json:"acr"`
	AuthTime        int64       `json:"auth_time"` // seconds; 0 when the provider does not report it
}

// lenientBool is a boolean that some providers write as a string.
type lenientBool bool

// UnmarshalJSON implements json.Unmarshaler.
func (l *lenientBool) UnmarshalJSON(raw []byte) error {
	*l = lenientBool(string(raw) == "true" || string(raw) == `"true"`)
	return nil
}

// claimsFor exchanges the code and verifies the token: the library checks signature, issuer, audience and
// time; this function checks nonce and authorized party.
func (s *SSO) claimsFor(ctx context.Context, code string, on ssoState, callback string) (claims, error) {
	p, err := s.discover(ctx)
	if err != nil {
		return claims{}, err
	}
	ctx = oidc.ClientContext(ctx, s.client)
	got, err := s.config(p, callback).Exchange(ctx, code, oauth2.VerifierOption(on.Verifier))
	if err != nil {
		if _, answered := errors.AsType[*oauth2.RetrieveError](err); !answered {
			return claims{}, errNoProvider(fmt.Errorf("account: exchange: %T", err))
		}
		return claims{}, errNoSignOn(errors.New("account: the provider does not know the code"))
	}
	raw, _ := got.Extra("id_token").(string)
	verified, err := p.Verifier(&oidc.Config{ClientID: s.clientID}).Verify(ctx, raw)
	if err != nil {
		return claims{}, errNoSignOn(fmt.Errorf("account: id token: %w", err))
	}
	c, err := readClaims(verified)
	switch {
	case err != nil:
		return claims{}, errNoSignOn(errors.New("account: claims of another shape"))
	case subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(on.Nonce)) != 1:
		return claims{}, errNoSignOn(errors.New("account: another nonce than was sent"))
	case c.AuthorizedParty != "" && c.AuthorizedParty != s.clientID, len(verified.Audience) > 1 && c.AuthorizedParty == "":
		return claims{}, errNoSignOn(errors.New("account: the token is for another party"))
	case c.Subject == "":
		return claims{}, errNoSignOn(errors.New("account: the token has no subject"))
	}
	c.Issuer = verified.Issuer
	if c.Email == "" {
		c.Email, c.Verified = emailFor(ctx, p, got, c.Subject)
	}
	if strings.ContainsFunc(c.Subject+c.Email, unicode.IsControl) {
		return claims{}, errNoSignOn(errors.New("account: a control character in the subject or the email"))
	}
	return c, nil
}

// readClaims reads the claims of a token or of a userinfo response. go-jose's decoder matches names case-sensitively
// and refuses a name that occurs twice. The OIDC library ignores case, so a case variant of a claim that it checks is
// refused.
func readClaims(from interface{ Claims(v any) error }) (claims, error) {
	var all json.RawMessage
	var named map[string]json.RawMessage
	var c claims
	err := from.Claims(&all)
	if err == nil {
		err = errors.Join(json.Unmarshal(all, &named), json.Unmarshal(all, &c))
	}
	for name := range named {
		for _, checked := range []string{"iss", "sub", "aud", "exp", "iat", "nbf", "nonce"} {
			if name != checked && strings.EqualFold(name, checked) {
				err = errors.New("account: a case variant of " + checked)
			}
		}
	}
	return c, err
}

// emailFor asks the provider's userinfo endpoint for the email of a subject, because many providers do not
// put it into the token. It returns none when the provider does not answer, or answers for another subject.
func emailFor(ctx context.Context, p *oidc.Provider, got *oauth2.Token, subject string) (string, lenientBool) {
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(got))
	if err != nil {
		return "", false
	}
	c, err := readClaims(info)
	if err != nil || c.Subject != subject {
		return "", false
	}
	return c.Email, c.Verified
}

// proofOf returns what the sign-on proves. A provider that does not report the strength counts as one factor, and so
// does one whose values have not been approved.
func (s *Service) proofOf(ctx context.Context, c claims) (access.Proof, error) {
	for _, m := range append(slices.Clone(c.Methods), c.Class) {
		if m != "" && slices.Contains(s.SSO.strong, m) {
			ok, err := s.SSOValuesApproved(ctx)
			if err != nil || !ok {
				return access.BySingleSignOn, err
			}
			return access.ByStrongSSO, nil
		}
	}
	return access.BySingleSignOn, nil
}

// SSOValues are the values of amr or acr that the server's settings name for a provider. They count as two factors
// once exactly these values are approved for exactly this provider; after a change of the settings, none do.
type SSOValues struct {
	Issuer string
	Values []string
}

// SSOValues returns the configured values; zero without a provider or without values.
func (s *Service) SSOValues() SSOValues {
	if s.SSO == nil || len(s.SSO.strong) == 0 {
		return SSOValues{}
	}
	return SSOValues{s.SSO.issuer, slices.Sorted(slices.Values(s.SSO.strong))}
}

// Key identifies the provider and the values.
func (v SSOValues) Key() string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{v.Issuer}, v.Values...), "\n")))
	return hex.EncodeToString(sum[:])
}

// SSOValuesApproved reports whether the configured values count as two factors.
func (s *Service) SSOValuesApproved(ctx context.Context) (bool, error) {
	_, err := s.store.ApprovedGrantRequest(ctx, access.RequestSSOValues, s.SSOValues().Key(), time.UnixMilli(0))
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}
