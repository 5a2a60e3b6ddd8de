package paper

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// quiet is the empty rim that a reader needs around a code, in modules.
const quiet = 4

// Code is a QR code as a picture: a path in a square of Size units.
type Code struct {
	Size int
	Path string
}

// QR draws a text as a code. Its error says that the text is longer than a code holds,
// about 2,900 letters.
func QR(text string) (Code, error) {
	made, err := qr.Encode(text, qr.L, qr.Unicode)
	if err != nil {
		return Code{}, fmt.Errorf("paper: a code: %w", err)
	}
	n := made.Bounds().Dx()
	dark := func(x, y int) bool {
		r, _, _, _ := made.At(x, y).RGBA()
		return r == 0
	}
	var path strings.Builder
	for y := range n {
		for x := 0; x < n; x++ {
			from := x
			for x < n && dark(x, y) {
				x++
			}
			if run := strconv.Itoa(x - from); x > from {
				path.WriteString("M" + strconv.Itoa(from+quiet) + " " + strconv.Itoa(y+quiet) + "h" + run + "v1h-" + run + "z")
			}
		}
	}
	return Code{Size: n + 2*quiet, Path: path.String()}, nil
}
