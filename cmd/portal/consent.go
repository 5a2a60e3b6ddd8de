package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"hearthline/internal/desk"
)

// defaultConsent returns the text that is used until the organization supplies the lender's own
// (PORTAL_CONSENT_FILE).
func defaultConsent() desk.ConsentText {
	return desk.ConsentText{
		Version: "2026-10-01",
		Text: "You authorize the lender to obtain your credit report from one or more credit bureaus, " +
			"for prequalification only. " +
			"This is a soft inquiry: it is not seen by other lenders and does not affect your score. " +
			"A hard inquiry follows only if you apply. Do you agree?",
	}
}

// consentText reads the organization's text. The first line is its version; the rest is read to the borrower.
func consentText(path string) (desk.ConsentText, error) {
	if path == "" {
		return defaultConsent(), nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return desk.ConsentText{}, fmt.Errorf("PORTAL_CONSENT_FILE: %w", err)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n")
	text := desk.ConsentText{Version: strings.TrimSpace(first), Text: strings.Join(strings.Fields(rest), " ")}
	if text.Version == "" || len(text.Version) > 40 || text.Text == "" {
		return desk.ConsentText{}, errors.New("PORTAL_CONSENT_FILE needs the version on its first line and the text below it")
	}
	return text, nil
}
