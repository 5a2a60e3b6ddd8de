package page

// LogoWidth returns the width in CSS pixels of a company's logo that is 40 pixels high on the page, and at most 200
// wide.
func LogoWidth(width, height int) int {
	if height <= 0 {
		return 0
	}
	return max(1, min(200, (width*40+height/2)/height))
}
