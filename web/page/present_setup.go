package page

import (
	"hearthline/internal/pdf"
	view "hearthline/views/page"
)

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
