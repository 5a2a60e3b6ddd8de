package offers

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"hearthline/views/offersheet"
)

// The space of a name in fractions of the plot, as in the narrowest chart and in the PDF, and its distance from the
// point of the line at which it begins.
const (
	nameCharacter, nameHeight = 0.021, 0.115
	nameRight, nameAbove      = 0.013, 0.03
)

// nameBox is the space of a name.
type nameBox struct{ left, bottom, right, top float64 }

func (n nameBox) overlaps(b nameBox) bool {
	return n.left < b.right && b.left < n.right && n.bottom < b.top && b.bottom < n.top
}

// covered measures how much of a line the space covers.
func (n nameBox) covered(points []offersheet.Point) (length float64) {
	const steps = 20
	for i := 1; i < len(points); i++ {
		for step := range steps {
			p := between(points[i-1], points[i], float64(step)/steps)
			if p.X > n.left && p.X < n.right && p.Y > n.bottom && p.Y < n.top {
				length += math.Hypot(points[i].X-points[i-1].X, points[i].Y-points[i-1].Y) / steps
			}
		}
	}
	return length
}

func between(a, b offersheet.Point, share float64) offersheet.Point {
	return offersheet.Point{X: a.X + share*(b.X-a.X), Y: a.Y + share*(b.Y-a.Y)}
}

// pointAt returns the point of a line after a share of its length along the axis.
func pointAt(points []offersheet.Point, share float64) offersheet.Point {
	x := points[0].X + share*(points[len(points)-1].X-points[0].X)
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if x <= b.X && b.X > a.X {
			return between(a, b, (x-a.X)/(b.X-a.X))
		}
	}
	return points[len(points)-1]
}

// placeNames puts each name at a point of its line where it covers no other name, and as little of the other lines as
// possible. The shortest line has the fewest such points, so it is first. If lines end close together, or a name has
// no space, a legend has the names.
func placeNames(c *offersheet.Chart) {
	var ends []float64
	order := make([]int, len(c.Lines))
	for i, l := range c.Lines {
		order[i], ends = i, append(ends, l.Points[len(l.Points)-1].X)
	}
	c.Direct = endApart(slices.Clone(ends))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ends[a], ends[b]) })
	var placed []nameBox
	for _, i := range order {
		box, ok := placeName(c, i, placed)
		c.Direct = c.Direct && ok
		placed = append(placed, box)
	}
}

// placeName puts the name of one line beside it, and reports whether there is space.
func placeName(c *offersheet.Chart, i int, placed []nameBox) (best nameBox, ok bool) {
	l := &c.Lines[i]
	least := math.Inf(1)
	width := nameCharacter * float64(utf8.RuneCountInString(l.Name))
	for _, below := range []bool{false, true} {
		for _, share := range []float64{.55, .65, .45, .75, .35, .85, .25} {
			at := pointAt(l.Points, share)
			box := nameBox{at.X + nameRight, at.Y + nameAbove, at.X + nameRight + width, at.Y + nameAbove + nameHeight}
			if below {
				box = nameBox{at.X - nameRight - width, at.Y - nameAbove - nameHeight, at.X - nameRight, at.Y - nameAbove}
			}
			if box.left < 0 || box.bottom < 0 || box.right > 1.02 || box.top > 1.05 ||
				slices.ContainsFunc(placed, box.overlaps) {
				continue
			}
			covered := 0.0
			for j, other := range c.Lines {
				if j != i {
					covered += box.covered(other.Points)
				}
			}
			if covered < least {
				l.Label, l.Below, best, least, ok = at, below, box, covered, true
			}
		}
	}
	return best, ok
}
