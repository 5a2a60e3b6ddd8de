package lead

import "hearthline/internal/heloc"

// Consent is what the borrower agreed to, and how, before a credit pull.
type Consent struct {
	OpID        string             `db:"op_id"`
	App         heloc.AppID        `db:"app"`
	UserID      string             `db:"user_id"`
	Originator  heloc.OriginatorID `db:"originator"`
	Method      string             `db:"method"`
	TextVersion string             `db:"text_version"`
	At          int64              `db:"at"`
}

// ConsentText is one version of the text that was read to borrowers, and how often borrowers agreed to it.
type ConsentText struct {
	Version  string `db:"version"`
	Text     string `db:"text"`
	SinceAt  int64  `db:"since_at"`
	Consents int    `db:"consents"`
}
