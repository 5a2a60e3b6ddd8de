package heloc

import (
	"errors"

	"github.com/google/uuid"
)

// AppID is the appUuid of an inquiry or application, in lower case.
type AppID string

// OriginatorID is the UUID of a loan originator in the lender's directory.
type OriginatorID string

// ParseAppID parses a UUID in any case and returns it in lower case.
func ParseAppID(s string) (AppID, error) {
	u, err := parseUUID(s)
	return AppID(u), err
}

// ParseOriginatorID parses a UUID in any case and returns it in lower case.
func ParseOriginatorID(s string) (OriginatorID, error) {
	u, err := parseUUID(s)
	return OriginatorID(u), err
}

func parseUUID(s string) (string, error) {
	if len(s) != 36 {
		return "", errors.New("not a UUID")
	}
	u, err := uuid.Parse(s)
	if err != nil {
		return "", errors.New("not a UUID")
	}
	return u.String(), nil
}
