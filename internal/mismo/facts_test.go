package mismo_test

import (
	"hearthline/internal/heloc"
	"hearthline/internal/mismo"
)

// facts are the values of a file for its applicant, without their sources.
type facts struct {
	Borrower  person
	Property  property
	Income    income
	Liens     []lien // those tied to the property
	Requested *heloc.Money
}

type person struct {
	First, Middle, Last, Suffix, Prefix string
	BirthDate                           string
	Phone, Email                        string
	Home                                heloc.Address
}

type property struct {
	Address   heloc.Address
	Value     *heloc.Money
	Usage     heloc.PropertyType
	Ownership heloc.OwnershipType
}

type income struct {
	SelfEmployed                                   bool
	Gross, Other, Retirement, Investment, Business *heloc.Money
}

type lien struct {
	Holder           string
	Balance, Payment *heloc.Money
}

func valueOf(a *mismo.Amount) *heloc.Money {
	if a == nil {
		return nil
	}
	return &a.Value
}

// factsOf returns the facts of the applicant; without one, nothing about a borrower.
func factsOf(f mismo.File) facts {
	var got facts
	if f.Requested != nil && f.Requested.Why == "" {
		got.Requested = valueOf(&f.Requested.Amount)
	}
	if f.Applicant >= 0 && f.Applicant < len(f.Borrowers) {
		got.Borrower, got.Income = personOf(f.Borrowers[f.Applicant])
	}
	if len(f.Properties) == 1 {
		p := f.Properties[0]
		got.Property = property{p.Address.Value, nil, p.Usage.Value, ""}
		if v := p.Value(); v != nil {
			got.Property.Value = valueOf(&v.Amount)
		}
	}
	got.Property.Ownership = f.Title.Ownership
	for _, l := range f.Liens {
		if l.Tie == mismo.TieLink || l.Tie == mismo.TieAddress {
			got.Liens = append(got.Liens, lien{l.Holder.Value, valueOf(l.Balance), valueOf(l.Payment)})
		}
	}
	return got
}

func personOf(b mismo.Borrower) (person, income) {
	p := person{First: b.First.Value, Middle: b.Middle.Value, Last: b.Last.Value, Suffix: b.Suffix.Value,
		Prefix: b.Prefix.Value, BirthDate: b.BirthDate.Value}
	if len(b.Phones) > 0 {
		p.Phone = b.Phones[0].Value
	}
	if len(b.Emails) > 0 {
		p.Email = b.Emails[0].Value
	}
	for _, a := range b.Addresses {
		if a.Kind == mismo.AddressHome {
			p.Home = a.Value
		}
	}
	in := income{SelfEmployed: b.SelfEmployed != nil && b.SelfEmployed.Value}
	for _, one := range b.Incomes {
		to, ok := map[mismo.IncomeKind]**heloc.Money{mismo.IncomeGross: &in.Gross, mismo.IncomeOther: &in.Other,
			mismo.IncomeRetirement: &in.Retirement, mismo.IncomeInvestment: &in.Investment,
			mismo.IncomeBusiness: &in.Business}[one.Kind]
		if !ok || one.Yearly == 0 {
			continue
		}
		if *to == nil {
			*to = new(heloc.Money)
		}
		**to += one.Yearly
	}
	return p, in
}
