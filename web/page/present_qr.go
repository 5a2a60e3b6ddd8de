package page

import (
	"strconv"

	"hearthline/internal/pdf"
	"hearthline/views/ui"
)

// PresentQR draws the QR code of a link; a link that is too long has none.
func PresentQR(link string) ui.QRView {
	code, err := pdf.QR(link)
	if err != nil {
		return ui.QRView{}
	}
	size := strconv.Itoa(code.Size)
	return ui.QRView{Path: code.Path, ViewBox: "0 0 " + size + " " + size}
}
