package access

// RequestKind is the kind of change that requires two people.
type RequestKind string

// The kinds.
const (
	RequestInvite    RequestKind = "invite"      // an account for somebody new
	RequestRole      RequestKind = "role"        // a role with more access
	RequestReset     RequestKind = "reset"       // a privileged user sets up their sign-in again
	RequestReopen    RequestKind = "reopen"      // the account of an administrator
	RequestLinkSSO   RequestKind = "link"        // the next single sign-on links a privileged account
	RequestSSOValues RequestKind = "sso-values"  // values of amr or acr that count as two factors
	RequestCRMSignIn RequestKind = "crm-sign-in" // the sign-in of a CRM counts as a second factor
)

// RequestKinds lists the kinds, for display texts and tests.
func RequestKinds() []RequestKind {
	return []RequestKind{RequestInvite, RequestRole, RequestReset, RequestReopen, RequestLinkSSO, RequestSSOValues,
		RequestCRMSignIn}
}

// RequestState is the state of such a request. A pending request keeps its state when it expires.
type RequestState string

// The states.
const (
	RequestWaiting   RequestState = "waiting"
	RequestApproved  RequestState = "approved"
	RequestDeclined  RequestState = "declined"
	RequestWithdrawn RequestState = "withdrawn"
	RequestUsed      RequestState = "used" // an approved permission that works once
)
