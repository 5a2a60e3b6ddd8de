package page

import (
	"strconv"

	"hearthline/internal/pdf"
	view "hearthline/views/page"
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

// PresentTOTPSetup maps the setup of an authenticator app to a QR code to scan and a key to type.
func PresentTOTPSetup(uri, secret string) (view.TOTPSetup, error) {
	code, err := pdf.QR(uri)
	if err != nil {
		return view.TOTPSetup{}, err
	}
	return view.TOTPSetup{Size: code.Size, Path: code.Path, Secret: groupsOfFour(secret)}, nil
}

// groupsOfFour splits a key into groups that are easy to read aloud and type.
func groupsOfFour(key string) string {
	out := ""
	for i, letter := range key {
		if i > 0 && i%4 == 0 {
			out += " "
		}
		out += string(letter)
	}
	return out
}

// LogoWidth returns the width in CSS pixels of a company's logo that is 40 pixels high on the page, and at most 200
// wide.
func LogoWidth(width, height int) int {
	if height <= 0 {
		return 0
	}
	return max(1, min(200, (width*40+height/2)/height))
}
