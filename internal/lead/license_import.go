package lead

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// The limits of a list of licenses.
const (
	MaxLicenseFile = 256 << 10 // bytes
	MaxLicenseRows = 2000
)

// LicenseDays is how long before the last day of a license it is a task to renew it.
const LicenseDays = 60

// RenewBy is the day by which a license that ends is a task at an instant.
func RenewBy(now time.Time) heloc.Date { return heloc.DateOf(now.AddDate(0, 0, LicenseDays)) }

// ExpiresSoon reports whether a license that allows somebody to act ends within LicenseDays, or has ended.
func (l License) ExpiresSoon(today heloc.Date) bool {
	day, ok := today.Time()
	return ok && l.Allowed && l.ExpiresOn != "" && !l.ExpiresOn.After(RenewBy(day))
}

// LicenseHolder is somebody who can have licenses: an originator, or a broker company.
type LicenseHolder struct {
	ID, Name, NMLS string
	Party          Party
	Company        string // of an originator
}

// LicenseHolders lists those that a directory has: originators who are still listed, and companies.
func LicenseHolders(people []Originator) (all []LicenseHolder) {
	seen := map[string]bool{"": true}
	for _, o := range people {
		if !seen[o.BrokerID] {
			seen[o.BrokerID] = true
			all = append(all, LicenseHolder{o.BrokerID, o.BrokerName, o.BrokerNMLS, PartyBroker, ""})
		}
		if o.RemovedAt == 0 {
			all = append(all, LicenseHolder{string(o.UUID), o.Name(), o.NMLS, PartyOriginator, o.BrokerName})
		}
	}
	return all
}

// LicenseChangeKind is what one row of a list would change.
type LicenseChangeKind string

// The kinds.
const (
	LicenseNew     LicenseChangeKind = "new"
	LicenseRenews  LicenseChangeKind = "renews"
	LicenseExpired LicenseChangeKind = "expired" // what is on file has no date, or an earlier one: it has ended
	LicenseSame    LicenseChangeKind = "same"
	LicenseNotUsed LicenseChangeKind = "not-used"
)

// LicenseChange is one row of a list with what it changes.
type LicenseChange struct {
	Line    int // in the text, from 1
	Kind    LicenseChangeKind
	Reason  string // why the row is not used
	Holder  LicenseHolder
	License License  // as it would be stored; of a row that is not used, what could be read
	Before  *License // as it is stored; nil for none
	Typed   [4]string
}

// Saves reports whether the row changes anything.
func (c LicenseChange) Saves() bool { return c.Kind != LicenseSame && c.Kind != LicenseNotUsed }

// LicensePlan is what a list of licenses would change, row by row.
type LicensePlan []LicenseChange

// Count counts the rows of a kind.
func (p LicensePlan) Count(kind LicenseChangeKind) (n int) {
	for _, c := range p {
		if c.Kind == kind {
			n++
		}
	}
	return n
}

// Changes counts the rows that change something.
func (p LicensePlan) Changes() int { return len(p) - p.Count(LicenseSame) - p.Count(LicenseNotUsed) }

// Fingerprint identifies what a plan saves and what it replaces.
func (p LicensePlan) Fingerprint() string {
	content, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// LicensesOnFile are the holders that a user may change, with the licenses on file.
type LicensesOnFile struct {
	Holders  []LicenseHolder
	Licenses []License
	Today    heloc.Date
}

// License returns the license of a holder in a state; nil for none.
func (f LicensesOnFile) License(holder, state string) *License {
	for _, l := range f.Licenses {
		if l.Holder == holder && l.State == state {
			return &l
		}
	}
	return nil
}

// The columns of a list, in the order of a list without a header.
const (
	licenseNMLS = iota
	licenseState
	licenseNumber
	licenseExpires
)

// LicenseText returns a list as a page shows it and sends it again, so that its lines keep their numbers.
func LicenseText(list string) string {
	list = strings.TrimPrefix(strings.ToValidUTF8(list, "�"), "\ufeff")
	return strings.TrimLeft(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(list), "\n")
}

// Plan compares a list of licenses with those on file. The list is CSV with commas, semicolons or tabs, with a
// header or without; each line is one row, so that a stray quote spoils no other row.
func (f LicensesOnFile) Plan(text string) LicensePlan {
	var plan LicensePlan
	columns := [4]int{licenseNMLS, licenseState, licenseNumber, licenseExpires}
	var comma rune
	earlier := map[[2]string]LicenseChange{}
	for i, line := range strings.Split(LicenseText(text), "\n") {
		if strings.Trim(line, ",;\t \u00a0") == "" {
			continue
		}
		if comma == 0 {
			comma = licenseSeparator(line)
			if header, ok := licenseHeader(splitLicenseLine(line, comma)); ok {
				columns = header
				continue
			}
		}
		if len(plan) == MaxLicenseRows {
			return append(plan, LicenseChange{Line: i + 1, Kind: LicenseNotUsed,
				Reason: "only the first " + strconv.Itoa(MaxLicenseRows) + " rows are read"})
		}
		c := LicenseChange{Line: i + 1, Kind: LicenseNotUsed}
		fields := splitLicenseLine(line, comma)
		for to, from := range columns {
			if from < len(fields) {
				c.Typed[to] = fields[from]
			}
		}
		if c.Reason = f.read(&c); c.Reason == "" {
			key := [2]string{c.License.Holder, c.License.State}
			if first, repeated := earlier[key]; repeated {
				c.Reason = "line " + strconv.Itoa(first.Line) + " is for the same person and state"
			} else {
				earlier[key] = c
				c.Kind, c.Reason = f.compare(&c)
			}
		}
		plan = append(plan, c)
	}
	return plan
}

// licenseSeparator returns what separates the columns of a line.
func licenseSeparator(line string) rune {
	return slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int {
		return cmp.Compare(len(splitLicenseLine(line, a)), len(splitLicenseLine(line, b)))
	})
}

func splitLicenseLine(line string, comma rune) []string {
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes = comma, true
	fields, err := r.Read()
	if err != nil {
		fields = strings.Split(line, string(comma))
	}
	for i, field := range fields {
		fields[i] = strings.Trim(input.Line(field).Text, `" `)
	}
	return fields
}

// licenseHeader finds the columns of a header. A first row with a number instead of a name in its NMLS column is none.
func licenseHeader(fields []string) (columns [4]int, ok bool) {
	columns = [4]int{99, 99, 99, 99}
	for i, field := range fields {
		field = strings.ToLower(field)
		for _, name := range []struct {
			part   string
			column int
		}{{"nmls", licenseNMLS}, {"number", licenseNumber}, {"#", licenseNumber}, {"state", licenseState},
			{"expir", licenseExpires}, {"license no", licenseNumber}} {
			if strings.Contains(field, name.part) {
				if columns[name.column] == 99 {
					columns[name.column], ok = i, true
				}
				break
			}
		}
	}
	return columns, ok && columns[licenseNMLS] != 99 && columns[licenseState] != 99
}

// read fills in the license of a row from what was typed, and returns why it cannot be used.
func (f LicensesOnFile) read(c *LicenseChange) string {
	nmls, state, number, expires := c.Typed[licenseNMLS], c.Typed[licenseState], c.Typed[licenseNumber],
		c.Typed[licenseExpires]
	digits := strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(nmls), "NMLS"))
	digits = strings.TrimLeft(digits, "#: ")
	var problems []string
	add := func(problem string) { problems = append(problems, problem) }
	found := slices.DeleteFunc(slices.Clone(f.Holders), func(h LicenseHolder) bool {
		return h.NMLS == "" || h.NMLS != digits
	})
	switch {
	case nmls == "":
		add("no NMLS ID")
	case strings.Trim(digits, "0123456789") != "":
		add("“" + shortened(nmls) + "” isn’t an NMLS ID")
	case len(found) == 0:
		add("no one here has NMLS " + digits)
	case len(found) > 1:
		add(strconv.Itoa(len(found)) + " people here have NMLS " + digits)
	default:
		c.Holder = found[0]
		c.License.Holder, c.License.Party = c.Holder.ID, c.Holder.Party
	}
	code, known := heloc.StateOf(state)
	switch {
	case state == "":
		add("no state")
	case !known:
		add("“" + shortened(state) + "” isn’t a state")
	}
	c.License.State, c.License.Number, c.License.Allowed = code, number, true
	if len([]rune(number)) > MaxLicenseNumber {
		add("the number is longer than " + strconv.Itoa(MaxLicenseNumber) + " characters")
	}
	day, readable := parseLicenseDate(expires)
	c.License.ExpiresOn = day
	switch now, _ := f.Today.Time(); {
	case expires == "":
		add("no expiration date")
	case !readable:
		add("“" + shortened(expires) + "” isn’t a date")
	case day.After(heloc.DateOf(now.AddDate(10, 0, 0))):
		add("expires more than 10 years from now")
	}
	return strings.Join(problems, "; ")
}

// MaxLicenseNumber is the longest license number, in characters.
const MaxLicenseNumber = 40

func shortened(typed string) string {
	if r := []rune(typed); len(r) > MaxLicenseNumber {
		return string(r[:MaxLicenseNumber]) + "…"
	}
	return typed
}

// parseLicenseDate reads 2027-12-31 and 12/31/2027.
func parseLicenseDate(typed string) (heloc.Date, bool) {
	for _, layout := range []string{time.DateOnly, "1/2/2006"} {
		if t, err := time.Parse(layout, typed); err == nil {
			return heloc.DateOf(t), true
		}
	}
	return "", false
}

// compare finds what a readable row changes.
func (f LicensesOnFile) compare(c *LicenseChange) (LicenseChangeKind, string) {
	before := f.License(c.License.Holder, c.License.State)
	expired := f.Today.After(c.License.ExpiresOn)
	c.Before = before
	switch {
	case expired && (before == nil || !before.Allowed):
		return LicenseNotUsed, "expired"
	case before == nil || !before.Allowed:
		return LicenseNew, ""
	}
	c.License.Number = cmp.Or(c.License.Number, before.Number)
	switch {
	case before.ExpiresOn.After(c.License.ExpiresOn):
		return LicenseNotUsed, "the license on file expires later"
	case before.ExpiresOn == c.License.ExpiresOn && before.Number == c.License.Number:
		return LicenseSame, ""
	case expired:
		return LicenseExpired, ""
	default:
		return LicenseRenews, ""
	}
}
