package sandbox

import (
	"fmt"
	"strings"

	"hearthline/internal/heloc"
)

// organization is the organization of the partner key.
const organization = "Evergreen Lending Network"

// directorySize is the number of originators in the organization.
const directorySize = 120

// directory is the lender's list of originators. It never changes, including the ids.
type directory struct {
	all  []heloc.Originator
	byID map[heloc.OriginatorID]heloc.Originator
}

// person is the data of one originator; those of the demo are listed by name.
type person struct{ first, last, email, nmls, company string }

func newDirectory() *directory {
	d := &directory{byID: map[heloc.OriginatorID]heloc.Originator{}}
	firms := companies()
	for _, p := range []person{
		{"Olivia", "Bennett", "olivia@summit.test", "1847220", "summit"},
		{"Marcus", "Reyes", "marcus@summit.test", "1902214", "summit"},
		{"Maya", "Lindqvist", "maya@summit.test", "1622871", "summit"},
		{"Piotr", "Zielinski", "piotr@lakeside.test", "2011738", "lakeside"},
	} {
		d.add(p, firms)
	}
	for i := len(d.all); i < directorySize; i++ {
		d.add(generatedPerson(i), firms)
	}
	return d
}

func (d *directory) add(p person, firms map[string]heloc.BrokerCompany) {
	o := heloc.Originator{
		ID: heloc.OriginatorID(derivedID("originator", p.email)), Email: p.email,
		FirstName: p.first, LastName: p.last, NMLS: p.nmls, Organization: organization,
	}
	n := len(d.all)
	if n%3 != 2 {
		o.Phone = fmt.Sprintf("303555%04d", 100+n)
	}
	if n%5 == 4 {
		o.MiddleName = string(rune('A' + n%26))
	}
	if firm, ok := firms[p.company]; ok {
		o.Broker = &firm
	}
	d.all = append(d.all, o)
	d.byID[o.ID] = o
}

// generatedPerson invents the other originators: each email is unique, some have no NMLS
// number, and one in seventeen has no broker company.
func generatedPerson(i int) person {
	firsts := strings.Fields("Ada Ben Carla Dev Elena Felix Grace Hugo Iris Jonas Kira Liam Mona Nils Opal Pavel Quinn " +
		"Rosa Sami Tara Uma Victor Wren Yusuf Zoe")
	lasts := strings.Fields("Abbott Brandt Castillo Dorsey Eriksen Farrow Guzman Hollis Ivanov Jansen Kessler Larkin")
	domains := []string{"summit", "lakeside", "prairie", "harborpine", "granite"}
	p := person{first: firsts[i%len(firsts)], last: lasts[(i/len(firsts)*5+i)%len(lasts)],
		company: domains[i%len(domains)]}
	if i%17 == 0 {
		p.company = "evergreen" // the organization itself, not a broker company
	}
	if i%13 != 0 {
		p.nmls = fmt.Sprint(1_500_000 + i*4_219)
	}
	p.email = fmt.Sprintf("%s.%s%d@%s.test", strings.ToLower(p.first), strings.ToLower(p.last), i, p.company)
	return p
}

func companies() map[string]heloc.BrokerCompany {
	firms := map[string]heloc.BrokerCompany{}
	for _, c := range [][3]string{
		{"summit", "Summit Home Lending", "312440"},
		{"lakeside", "Lakeside Home Finance", "298117"},
		{"prairie", "Prairie Mortgage Partners", "401952"},
		{"harborpine", "Harbor and Pine Lending", "377206"},
		{"granite", "Granite Equity Group", "355981"},
	} {
		firms[c[0]] = heloc.BrokerCompany{ID: derivedID("broker", c[0]), Name: c[1], NMLS: c[2]}
	}
	return firms
}

// member finds an originator of the organization by id, in any case.
func (d *directory) member(id string) (heloc.Originator, bool) {
	parsed, err := heloc.ParseOriginatorID(id)
	if err != nil {
		return heloc.Originator{}, false
	}
	o, ok := d.byID[parsed]
	return o, ok
}

// sameCompany reports whether a lead may be reassigned from one originator to the other. An
// originator without a broker company can reassign to others without one.
func sameCompany(a, b heloc.Originator) bool {
	if a.Broker == nil || b.Broker == nil {
		return a.Broker == nil && b.Broker == nil
	}
	return a.Broker.ID == b.Broker.ID
}
