package sandbox

import (
	"net/http"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
)

// defaultLimit is the number of originators on a page by default (section 8).
const defaultLimit = 100

// originators lists the directory (section 4.21).
func (s *Sandbox) originators(r *http.Request) (any, error) {
	query := r.URL.Query()
	offset, err := countParameter(query.Get("offset"), 0)
	if err != nil {
		return nil, reject(http.StatusBadRequest, "The parameter offset must be a whole number from 0.")
	}
	limit, err := countParameter(query.Get("limit"), defaultLimit)
	if err != nil {
		return nil, reject(http.StatusBadRequest, "The parameter limit must be a whole number from 0.")
	}
	wanted := map[string]bool{}
	for _, given := range query["email"] {
		for email := range strings.SplitSeq(given, ",") {
			wanted[strings.ToLower(strings.TrimSpace(email))] = true
		}
	}
	var matching []heloc.Originator
	for _, o := range s.directory.all {
		if len(wanted) == 0 || wanted[o.Email] {
			matching = append(matching, o)
		}
	}
	from := min(offset, len(matching))
	page := matching[from:min(from+limit, len(matching))]
	lines := make([]object, 0, len(page))
	for _, o := range page {
		lines = append(lines, originatorJSON(o))
	}
	return object{"data": lines, "total": len(matching), "count": len(lines)}, nil
}

// countParameter parses a whole number; its limit prevents that the sum of two overflows.
func countParameter(given string, defaultValue int) (int, error) {
	if given == "" {
		return defaultValue, nil
	}
	n, err := strconv.ParseUint(given, 10, 30)
	return int(n), err
}

// originatorJSON omits the fields that the contract calls optional when they are empty.
func originatorJSON(o heloc.Originator) object {
	entry := object{
		"loanOriginatorId": o.ID, "email": o.Email, "firstName": o.FirstName, "lastName": o.LastName,
		"organization": o.Organization,
	}
	for name, value := range map[string]string{"middleName": o.MiddleName, "nmls": o.NMLS, "phoneNumber": o.Phone} {
		if value != "" {
			entry[name] = value
		}
	}
	if b := o.Broker; b != nil {
		entry["brokerCompany"] = object{"brokerId": b.ID, "brokerName": b.Name, "brokerNmls": b.NMLS}
	}
	return entry
}

// encrypt encrypts for the caller with our own key (section 4.22).
func (s *Sandbox) encrypt(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	compact, err := s.sealer.Seal(r.Context(), p.raw)
	if err != nil {
		return nil, err
	}
	return object{"encrypted": compact}, nil
}
