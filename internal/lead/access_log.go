package lead

import "hearthline/internal/heloc"

// ExportKind is what was exported of a lead.
type ExportKind string

// The kinds.
const (
	ExportDocument  ExportKind = "document"  // About is the lender's id of the document
	ExportDocuments ExportKind = "documents" // all of them, as a zip
	ExportSheet     ExportKind = "sheet"     // the offers as the borrower sees them
	ExportList      ExportKind = "list"      // a row of an exported list
)

// Export records what one user exported of a lead, how often, and when last (milliseconds).
type Export struct {
	UserID string     `db:"user_id"`
	Name   string     `db:"name"`
	Kind   ExportKind `db:"kind"`
	About  string     `db:"about"`
	N      int        `db:"n"`
	At     int64      `db:"at"`
}

// LastView is when a user last opened a lead and its documents, in milliseconds; 0 for never.
type LastView struct {
	ViewedAt    int64 `db:"viewed_at"`
	DocumentsAt int64 `db:"documents_at"`
}

// Reveal is one disclosure of a borrower's details: who saw which fields, by name, and why. The values are
// never stored. SealedReason is the reason of a user who typed one.
type Reveal struct {
	ID           string      `db:"id"`
	App          heloc.AppID `db:"app"`
	UserID       string      `db:"user_id"`
	UserName     string      `db:"user_name"`
	Fields       string      `db:"fields"`
	Reason       string      `db:"reason"`
	SealedReason []byte      `db:"sealed_reason"`
	ReasonText   string      `db:"-"` // SealedReason, decrypted for a page
	At           int64       `db:"at"`
}

// Viewer is a user who opened a lead's page, and when last.
type Viewer struct {
	UserID   string `db:"user_id"`
	Name     string `db:"name"`
	ViewedAt int64  `db:"viewed_at"`
}
