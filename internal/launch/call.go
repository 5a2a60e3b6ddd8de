package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Call is a request that the CRM's server made, as far as its signature covers it.
type Call struct {
	Method    string
	URI       string // with scheme and host, as the CRM was told to call it: from our own settings, never from the Host header
	Body      string
	Timestamp string // unix milliseconds, from the request's header
	Signature string // base64, from the request's header
}

// oldest is how long a signed call is good for, either way of our clock.
const oldest = 5 * time.Minute

// SignedCall verifies base64(HMAC-SHA256(secret, method + URI + body + timestamp)), made
// at most five minutes ago, as HubSpot signs (version 3). Any error is fault.Denied.
func SignedCall(c Client, call Call, now time.Time) error {
	if err := signedCall(c, call, now); err != nil {
		return refused(err)
	}
	return nil
}

func signedCall(c Client, call Call, now time.Time) error {
	ms, err := strconv.ParseInt(call.Timestamp, 10, 64)
	if err != nil || len(call.Body) > mostBytes {
		return errShape
	}
	if age := now.Sub(time.UnixMilli(ms)); age > oldest || age < -oldest {
		return errors.New("launch: the call is too old, or a clock is wrong")
	}
	given, err := anyBase64(call.Signature)
	if err != nil {
		return err
	}
	if !codeHolds(c, []byte(call.Method+call.URI+call.Body+call.Timestamp), given) {
		return errors.New("launch: the call's signature is wrong")
	}
	return nil
}

// called is the body of a call that asks for a launch.
type called struct {
	PortalID int64             `json:"portalId"`
	UserID   int64             `json:"userId"`
	Email    string            `json:"userEmail"`
	Name     string            `json:"userName"`
	Record   Record            `json:"record"`
	Prefill  map[string]string `json:"prefill"`
}

// Called verifies a call that asks for a launch and reads it: JSON with portalId, userId,
// userEmail, userName, record {type, id} and prefill {control: text}. The CRM repeats a
// call that failed, so the same call gives the same ReplayKey. Any error is fault.Denied.
func Called(c Client, call Call, now time.Time) (Assertion, error) {
	if err := SignedCall(c, call, now); err != nil {
		return Assertion{}, err
	}
	var said called
	if err := json.Unmarshal([]byte(call.Body), &said); err != nil {
		return Assertion{}, refused(fmt.Errorf("launch: read call: %w", err))
	}
	portal := strconv.FormatInt(said.PortalID, 10)
	if c.Organization == "" || portal != c.Organization || said.UserID == 0 {
		return Assertion{}, refused(errors.New("launch: another portal of the CRM, or nobody is named"))
	}
	a := Assertion{
		Subject: portal + "/" + strconv.FormatInt(said.UserID, 10), Name: said.Name, Email: said.Email, Record: said.Record,
		Prefill: prefill(said.Prefill), ReplayKey: keyOf(c.Key, "call", call.Timestamp, call.Body), Expires: now.Add(2 * oldest),
	}
	if err := a.finish(c, ""); err != nil {
		return Assertion{}, refused(err)
	}
	return a, nil
}
