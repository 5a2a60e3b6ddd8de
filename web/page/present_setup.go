package page

import (
	"hearthline/internal/account"
	"hearthline/internal/pdf"
	"hearthline/views"
)

// PresentTOTPSetup is an authenticator app to be added, as a code to scan and a key to type.
func PresentTOTPSetup(setup account.TOTPSetup) (views.TOTPSetup, error) {
	code, err := pdf.QR(setup.URI)
	if err != nil {
		return views.TOTPSetup{}, err
	}
	return views.TOTPSetup{Size: code.Size, Path: code.Path, Secret: groupsOfFour(setup.Secret)}, nil
}

// groupsOfFour sets a key in groups that can be read aloud and typed.
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
