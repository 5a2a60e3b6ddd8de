package lead

import (
	"context"

	"hearthline/internal/fault"
)

// DraftAuthors names who prepared and who changed an inquiry before it was sent. It is empty when one user did both.
type DraftAuthors struct{ PreparedBy, ChangedBy string }

// draftAuthors reads the authors from the draft that the lead came from, while that draft is stored.
func (l *Lead) draftAuthors(ctx context.Context) (DraftAuthors, error) {
	row, err := l.d.Store.DraftOfLead(ctx, l.d.Row.App)
	if fault.Is(err, fault.NotFound) || err == nil && row.PreparedBy == "" {
		return DraftAuthors{}, nil
	}
	if err != nil {
		return DraftAuthors{}, err
	}
	by, err := l.d.Store.User(ctx, row.PreparedBy)
	if err != nil {
		return DraftAuthors{}, err
	}
	changed, err := l.d.Store.User(ctx, row.ChangedBy)
	return DraftAuthors{PreparedBy: by.Name, ChangedBy: changed.Name}, err
}
