package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// patterns are the patterns of the live service (interface-live.md section 2). In the documented
// dialect only those of states, SSNs and dates apply (interface.md section 2). A field error names
// the field and never repeats its value.
type patterns struct {
	name, street, city, state, zip, phone, ssn, date *regexp.Regexp
}

func newPatterns(d Dialect) *patterns {
	made := &patterns{
		name:   regexp.MustCompile(`^[a-zA-Z0-9\s\-']+$`),
		street: regexp.MustCompile(`^[a-zA-Z0-9\s\-\.']+$`),
		city:   regexp.MustCompile(`^[a-zA-Z\s\-']+$`),
		state:  regexp.MustCompile(`^[A-Z]{2}$`),
		zip:    regexp.MustCompile(`^[0-9]{5}(?:-[0-9]{4})?$`),
		phone:  regexp.MustCompile(`^\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}$`),
		ssn:    regexp.MustCompile(`^\d{3}-?\d{2}-?\d{4}$`),
		date:   regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`),
	}
	if d == Documented {
		made.ssn = regexp.MustCompile(`^\d{3}-\d{2}-\d{4}$`)
	}
	return made
}

// validator collects the errors of one payload.
type validator struct {
	payload payload
	errors  []string
}

func (c *validator) addError(format string, args ...any) {
	c.errors = append(c.errors, fmt.Sprintf(format, args...))
}

// required adds an error for each path that is missing or blank.
func (c *validator) required(paths ...string) {
	for _, path := range paths {
		v, ok := c.payload.lookup(path)
		if s, text := v.(string); !ok || text && strings.TrimSpace(s) == "" {
			c.addError("The field %s is required.", path)
		}
	}
}

// matches adds an error for each value that does not match the pattern; an empty text is checked too.
func (c *validator) matches(pattern *regexp.Regexp, paths ...string) {
	for _, path := range paths {
		v, ok := c.payload.lookup(path)
		if !ok {
			continue
		}
		if s, text := v.(string); !text || !pattern.MatchString(s) {
			c.addError("The field %s does not have the required format.", path)
		}
	}
}

// boolean adds an error for each value that is not a boolean.
func (c *validator) boolean(paths ...string) {
	for _, path := range paths {
		if v, ok := c.payload.lookup(path); ok {
			if _, is := v.(bool); !is {
				c.addError("The field %s must be true or false.", path)
			}
		}
	}
}

// numeric adds an error for each value that is not a number.
func (c *validator) numeric(paths ...string) {
	for _, path := range paths {
		if v, ok := c.payload.lookup(path); ok {
			if _, is := v.(json.Number); !is {
				c.addError("The field %s must be a number.", path)
			}
		}
	}
}

// texts adds an error for each value that is not a string.
func (c *validator) texts(paths ...string) {
	for _, path := range paths {
		if v, ok := c.payload.lookup(path); ok {
			if _, is := v.(string); !is {
				c.addError("The field %s must be a string.", path)
			}
		}
	}
}

// objects adds an error for each value that is not an object.
func (c *validator) objects(paths ...string) {
	for _, path := range paths {
		if v, ok := c.payload.lookup(path); ok {
			if _, is := v.(object); !is {
				c.addError("The field %s must be an object.", path)
			}
		}
	}
}

// dates adds an error for each value that is not a day of the calendar, YYYY-MM-DD.
func (c *validator) dates(with *patterns, paths ...string) {
	for _, path := range paths {
		v, ok := c.payload.lookup(path)
		if !ok {
			continue
		}
		text, _ := v.(string)
		if _, err := time.Parse(time.DateOnly, text); err != nil || !with.date.MatchString(text) {
			c.addError("The field %s must be a date, YYYY-MM-DD.", path)
		}
	}
}

// oneOf adds an error for a value that is not one of an enumeration; without values, for one that is
// not a string.
func (c *validator) oneOf(path string, values []string) {
	v, ok := c.payload.lookup(path)
	if !ok {
		return
	}
	text, is := v.(string)
	if !is || values != nil && !slices.Contains(values, text) {
		c.addError("The field %s does not have one of its values.", path)
	}
}

// stateCode adds an error for a value that is not the two-letter code of a state.
func (c *validator) stateCode(with *patterns, path string) {
	c.matches(with.state, path)
	if code := c.payload.text(path); with.state.MatchString(code) && !heloc.IsState(code) {
		c.addError("The field %s is not a state.", path)
	}
}

// between adds an error for a number outside a range.
func (c *validator) between(path string, lowest, highest float64) {
	n, ok := c.payload.number(path)
	if !ok {
		return
	}
	if v, err := n.Float64(); err != nil || v < lowest || v > highest {
		c.addError("The field %s must be from %g to %g.", path, lowest, highest)
	}
}

// integer adds an error for each number written with a fraction or an exponent.
func (c *validator) integer(paths ...string) {
	for _, path := range paths {
		if n, ok := c.payload.number(path); ok && strings.ContainsAny(n.String(), ".eE") {
			c.addError("The field %s must be an integer.", path)
		}
	}
}

// forEach validates each object of an array with a function.
func (c *validator) forEach(path string, check func(*validator)) {
	list, ok := c.payload.list(path)
	if _, given := c.payload.lookup(path); given && !ok {
		c.addError("The field %s must be an array.", path)
	}
	for i, v := range list {
		item, is := v.(object)
		if !is {
			c.addError("The field %s[%d] must be an object.", path, i)
			continue
		}
		inner := &validator{payload: payload{tree: item}}
		check(inner)
		for _, text := range inner.errors {
			c.errors = append(c.errors, strings.Replace(text, "The field ", fmt.Sprintf("The field %s[%d].", path, i), 1))
		}
	}
}

// wholeAddress requires the fields that every address of the live dialect must have.
func (c *validator) wholeAddress(path string, with *patterns) {
	c.required(path+".street1", path+".city", path+".state", path+".zip")
	c.address(path, with)
}

// address checks an address against the patterns of the live dialect.
func (c *validator) address(path string, with *patterns) {
	c.matches(with.street, path+".street1", path+".street2")
	c.matches(with.city, path+".city")
	c.matches(with.state, path+".state")
	c.matches(with.zip, path+".zip")
}

// income validates the employment type, and that each amount is a number.
func (c *validator) income(path string, d Dialect) {
	c.objects(path)
	c.oneOf(path+".employmentType", employmentTypes(d))
	c.numeric(path+".grossAnnualIncome", path+".otherAnnualIncome", path+".annualRetirementIncome",
		path+".annualInvestmentIncome", path+".annualBusinessIncome", path+".savingsAmount")
}

// requestBlock validates the request block for the dialect. Callers use actor to reject an
// originator outside the organization.
func (s *Sandbox) requestBlock(c *validator) {
	c.required("request.loanOriginatorUuid")
	if s.cfg.Dialect == Live {
		if _, ok := c.payload.boolean("request.async"); !ok {
			c.addError("The field request.async is required.")
		}
		return
	}
	c.boolean("request.async")
}

// actor finds the acting originator, or rejects the request.
func (s *Sandbox) actor(p payload) (heloc.Originator, error) {
	o, ok := s.directory.member(p.text("request.loanOriginatorUuid"))
	if !ok {
		return o, reject(403, "The loan originator does not belong to the organization.")
	}
	return o, nil
}
