package lendersync

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// group counts some people, and how many of them a read and those of the last day affect.
type group struct{ size, affected int }

func (g *group) add(affected bool) {
	g.size++
	if affected {
		g.affected++
	}
}

func (g group) overLimit() bool { return g.affected > max(fewRemovals, g.size/removalPart) }

// half says whether it affects half of them or more, and more than one.
func (g group) half() bool { return g.affected >= 2 && 2*g.affected >= g.size }

// tooMany says whether an administrator must decide. The limit holds for everybody listed and, as a
// directory may list far more people than work here, for those who have an account or leads here.
// Besides, half of the directory, half of a company with such people, and all such people are too many.
func (j *judgment) tooMany(ctx context.Context, tx *store.Tx, people []lead.Originator,
	affected map[heloc.OriginatorID]bool) (bool, error) {
	lately, err := j.appliedLately(ctx, tx)
	if err != nil {
		return false, err
	}
	withWork, err := tx.OriginatorsWithWork(ctx)
	if err != nil {
		return false, err
	}
	var everybody, working group
	companies, here := map[string]*group{}, map[string]bool{}
	for _, o := range people {
		if o.RemovedAt != 0 && !lately[o.UUID] {
			continue
		}
		company := access.CompanyOf(o.BrokerID, o.Organization)
		if companies[company] == nil {
			companies[company] = &group{}
		}
		everybody.add(affected[o.UUID] || lately[o.UUID])
		if withWork[o.UUID] {
			working.add(affected[o.UUID] || lately[o.UUID])
			here[company] = true
		}
		// A person who came from another company does not count as a loss of this one.
		companies[company].add(affected[o.UUID] || o.RemovedAt != 0)
	}
	for company := range here {
		if companies[company].half() {
			return true, nil
		}
	}
	return everybody.overLimit() || everybody.half() || working.overLimit() ||
		working.affected >= 2 && working.affected == working.size, nil
}

// appliedLately are the people to whom reads of the last day applied a change without an
// administrator, and who have not been listed again since.
func (j *judgment) appliedLately(ctx context.Context, tx *store.Tx) (map[heloc.OriginatorID]bool, error) {
	applied, err := tx.AppliedChanges(ctx)
	if err != nil {
		return nil, err
	}
	lately := map[heloc.OriginatorID]bool{}
	for _, c := range applied {
		_, listed := j.listed[c.Originator]
		if c.ToCompany == "" && listed || j.began.Sub(store.Instant(c.ShownAt)) >= limitPeriod {
			if err := tx.DropDirectoryChange(ctx, c.Originator); err != nil {
				return nil, err
			}
			continue
		}
		lately[c.Originator] = true
	}
	return lately, nil
}
