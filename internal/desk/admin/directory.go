package admin

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/lead"
)

// Directory is the lender's list of originators that a user may see: those of their own company, or all of them for
// an administrator.
type Directory struct{ d core.Desk }

// OpenDirectory returns the directory; fault.Denied without the permission.
func OpenDirectory(d core.Desk) (*Directory, error) {
	if err := d.May(access.SeeDirectory); err != nil {
		return nil, err
	}
	return &Directory{d}, nil
}

// Find searches by the start of a name, by email or by NMLS number. An empty query matches everybody.
func (dir *Directory) Find(ctx context.Context, typed string) (lead.DirectoryResult, error) {
	if err := dir.d.May(access.SeeDirectory); err != nil {
		return lead.DirectoryResult{}, err
	}
	return dir.d.FindOriginators(ctx, typed, dir.d.Directory)
}
