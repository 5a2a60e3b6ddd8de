package partner

import "slices"

// Turns is a queue that serves companies in turn: of each company the oldest item, then of the next company. An item
// of a company that had nothing in the queue waits for at most one item of each other company. The zero value is an
// empty queue; it is not safe for use by multiple goroutines.
type Turns[T comparable] struct {
	order   []string // companies with items, in the order of their turns
	waiting map[string][]T
	n       int
}

// Len is the number of items.
func (t *Turns[T]) Len() int { return t.n }

// Companies is the number of companies with items.
func (t *Turns[T]) Companies() int { return len(t.order) }

// LenOf is the number of items of a company.
func (t *Turns[T]) LenOf(company string) int { return len(t.waiting[company]) }

// Add appends an item to those of its company.
func (t *Turns[T]) Add(company string, item T) {
	if t.waiting == nil {
		t.waiting = map[string][]T{}
	}
	if len(t.waiting[company]) == 0 {
		t.order = append(t.order, company)
	}
	t.waiting[company] = append(t.waiting[company], item)
	t.n++
}

// Next removes the item whose turn it is; ok is false when the queue is empty.
func (t *Turns[T]) Next() (item T, ok bool) {
	return t.NextWhere(func(T) bool { return true })
}

// NextWhere is Next, but prefers the oldest item that fits among those of the company whose turn it is.
func (t *Turns[T]) NextWhere(fits func(T) bool) (item T, ok bool) {
	if len(t.order) == 0 {
		return item, false
	}
	company := t.order[0]
	items := t.waiting[company]
	item = items[max(0, slices.IndexFunc(items, fits))]
	t.Remove(company, item)
	if t.LenOf(company) > 0 {
		t.order = append(t.order[1:], company)
	}
	return item, true
}

// Remove removes an item that is no longer needed, and reports whether it was in the queue. The company keeps its turn.
func (t *Turns[T]) Remove(company string, item T) bool {
	i := slices.Index(t.waiting[company], item)
	if i < 0 {
		return false
	}
	t.n--
	t.waiting[company] = slices.Delete(t.waiting[company], i, i+1)
	if len(t.waiting[company]) == 0 {
		delete(t.waiting, company)
		t.order = slices.DeleteFunc(t.order, func(other string) bool { return other == company })
	}
	return true
}
