package pdf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// quietZone is the empty margin that a reader needs around a code, in modules.
const quietZone = 4

// QRCode is a QR code as a drawing: a path in a square of Size units.
type QRCode struct {
	Size int
	Path string
}

// QR draws a text as a code. It returns an error when the text is longer than a code can hold, about 2,900 letters.
func QR(text string) (QRCode, error) {
	made, err := qr.Encode(text, qr.L, qr.Unicode)
	if err != nil {
		return QRCode{}, fmt.Errorf("paper: a code: %w", err)
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
				path.WriteString("M" + strconv.Itoa(from+quietZone) + " " + strconv.Itoa(y+quietZone) + "h" + run +
					"v1h-" + run + "z")
			}
		}
	}
	return QRCode{Size: n + 2*quietZone, Path: path.String()}, nil
}
