package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"hearthline/internal/heloc"
)

// rules are the patterns of the field (interface-live.md section 2). A complaint
// names the field and never repeats what stood in it.
type rules struct {
	name, street, city, state, zip, phone, ssn, date *regexp.Regexp
}

func newRules() *rules {
	return &rules{
		name:   regexp.MustCompile(`^[a-zA-Z0-9\s\-']+$`),
		street: regexp.MustCompile(`^[a-zA-Z0-9\s\-\.']+$`),
		city:   regexp.MustCompile(`^[a-zA-Z\s\-']+$`),
		state:  regexp.MustCompile(`^[A-Z]{2}$`),
		zip:    regexp.MustCompile(`^[0-9]{5}(?:-[0-9]{4})?$`),
		phone:  regexp.MustCompile(`^\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}$`),
		ssn:    regexp.MustCompile(`^\d{3}-?\d{2}-?\d{4}$`),
		date:   regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`),
	}
}

// check collects complaints about one payload.
type check struct {
	p          payload
	complaints []string
}

func (c *check) complain(format string, args ...any) {
	c.complaints = append(c.complaints, fmt.Sprintf(format, args...))
}

// required complains about each path where nothing stands.
func (c *check) required(paths ...string) {
	for _, path := range paths {
		v, ok := c.p.at(path)
		if s, text := v.(string); !ok || text && strings.TrimSpace(s) == "" {
			c.complain("The field %s is required.", path)
		}
	}
}

// matches complains when a text stands there that the pattern refuses, empty included.
func (c *check) matches(pattern *regexp.Regexp, paths ...string) {
	for _, path := range paths {
		v, ok := c.p.at(path)
		if !ok {
			continue
		}
		if s, text := v.(string); !text || !pattern.MatchString(s) {
			c.complain("The field %s does not have the required format.", path)
		}
	}
}

// boolean complains when something stands there that is neither true nor false.
func (c *check) boolean(paths ...string) {
	for _, path := range paths {
		if v, ok := c.p.at(path); ok {
			if _, is := v.(bool); !is {
				c.complain("The field %s must be true or false.", path)
			}
		}
	}
}

// numeric complains when something stands there that is no number.
func (c *check) numeric(paths ...string) {
	for _, path := range paths {
		if v, ok := c.p.at(path); ok {
			if _, is := v.(json.Number); !is {
				c.complain("The field %s must be a number.", path)
			}
		}
	}
}

// integer complains about numbers written with a fraction or an exponent.
func (c *check) integer(paths ...string) {
	for _, path := range paths {
		if n, ok := c.p.number(path); ok && strings.ContainsAny(n.String(), ".eE") {
			c.complain("The field %s must be an integer.", path)
		}
	}
}

// each checks the objects of an array with a check of their own.
func (c *check) each(path string, look func(*check)) {
	list, ok := c.p.list(path)
	if _, given := c.p.at(path); given && !ok {
		c.complain("The field %s must be an array.", path)
	}
	for i, v := range list {
		item, is := v.(obj)
		if !is {
			c.complain("The field %s[%d] must be an object.", path, i)
			continue
		}
		inner := &check{p: payload{tree: item}}
		look(inner)
		for _, text := range inner.complaints {
			c.complaints = append(c.complaints, strings.Replace(text, "The field ", fmt.Sprintf("The field %s[%d].", path, i), 1))
		}
	}
}

// wholeAddress requires what every address of the live dialect must have.
func (c *check) wholeAddress(path string, with *rules) {
	c.required(path+".street1", path+".city", path+".state", path+".zip")
	c.address(path, with)
}

// address checks an address against the patterns of the live dialect.
func (c *check) address(path string, with *rules) {
	c.matches(with.street, path+".street1", path+".street2")
	c.matches(with.city, path+".city")
	c.matches(with.state, path+".state")
	c.matches(with.zip, path+".zip")
}

// income complains about amounts of income that are no numbers.
func (c *check) income(path string) {
	c.numeric(path+".grossAnnualIncome", path+".otherAnnualIncome", path+".annualRetirementIncome",
		path+".annualInvestmentIncome", path+".annualBusinessIncome", path+".savingsAmount")
}

// requestBlock holds the request block against the dialect and finds who acts. An
// originator outside the organization is refused by what calls this.
func (s *Sandbox) requestBlock(c *check) {
	c.required("request.loanOriginatorUuid")
	if s.cfg.Dialect == Live {
		if _, ok := c.p.flag("request.async"); !ok {
			c.complain("The field request.async is required.")
		}
		return
	}
	c.boolean("request.async")
}

// actor finds the originator who acts, or refuses.
func (s *Sandbox) actor(p payload) (heloc.Originator, error) {
	o, ok := s.directory.member(p.text("request.loanOriginatorUuid"))
	if !ok {
		return o, refuse(403, "The loan originator does not belong to the organization.")
	}
	return o, nil
}
