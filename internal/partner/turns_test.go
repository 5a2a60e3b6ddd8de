package partner

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTurns_SeveralCompanies_ServedInTurn(t *testing.T) {
	t.Parallel()
	var q Turns[int]
	for i := range 4 {
		q.Add("summit", i)
	}
	q.Add("lakeside", 10)
	q.Add("lakeside", 11)
	q.Add("", 20)
	if q.Len() != 7 || q.Companies() != 3 || q.LenOf("summit") != 4 {
		t.Errorf("got %d items of %d companies, %d of Summit; want 7, 3 and 4", q.Len(), q.Companies(), q.LenOf("summit"))
	}
	if !q.Remove("summit", 1) || q.Remove("summit", 1) || q.Remove("lakeside", 0) || q.Remove("unknown", 0) {
		t.Error("Remove must remove an item once, and only its company's")
	}
	var got []int
	for item, ok := q.Next(); ok; item, ok = q.Next() {
		got = append(got, item)
	}
	if want := []int{0, 10, 20, 2, 11, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if q.Len() != 0 || q.Companies() != 0 || len(q.waiting) != 0 || len(q.order) != 0 {
		t.Errorf("the empty queue still has %d items, companies %v", q.Len(), q.order)
	}
}

func TestTurns_NextWhere_PrefersItemThatFits(t *testing.T) {
	t.Parallel()
	var q Turns[int]
	for _, item := range []int{1, 3, 2, 4} {
		q.Add("summit", item)
	}
	q.Add("lakeside", 5)
	even := func(item int) bool { return item%2 == 0 }
	var got []int
	for item, ok := q.NextWhere(even); ok; item, ok = q.NextWhere(even) {
		got = append(got, item)
	}
	if want := []int{2, 5, 4, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Whatever is added and removed, an item waits for at most one item of each other company for each earlier item of the
// same company.
func TestTurns_RandomUse_WaitBoundedByCompanies(t *testing.T) {
	t.Parallel()
	const companies = 7
	random := rand.New(rand.NewPCG(1, 2))
	name := func(i int) string { return string(rune('a' + i)) }
	var q Turns[int]
	type added struct{ company, ahead, served int }
	waiting := map[int]*added{}
	for item := range 20_000 {
		switch n := random.IntN(10); {
		case n < 6:
			company := min(random.IntN(2*companies), companies-1) // the last one is busier than all others together
			waiting[item] = &added{company: company, ahead: q.LenOf(name(company))}
			q.Add(name(company), item)
		case n < 7:
			for one, a := range waiting { // in random order
				if !q.Remove(name(a.company), one) {
					t.Fatalf("item %d is lost", one)
				}
				delete(waiting, one)
				break
			}
		default:
			one, ok := q.Next()
			if ok != (len(waiting) > 0) {
				t.Fatalf("got an item %t with %d waiting", ok, len(waiting))
			}
			if !ok {
				continue
			}
			a := waiting[one]
			if a == nil {
				t.Fatalf("item %d was not waiting", one)
			}
			if limit := companies * (a.ahead + 1); a.served > limit {
				t.Fatalf("item %d waited for %d others, want at most %d", one, a.served, limit)
			}
			delete(waiting, one)
			for _, other := range waiting {
				other.served++
			}
		}
		if q.Len() != len(waiting) {
			t.Fatalf("%d items, want %d", q.Len(), len(waiting))
		}
	}
}
