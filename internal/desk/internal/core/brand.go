package core

import (
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// WithBrand adds to a company what it puts on pages for borrowers.
func WithBrand(c lead.CompanyBrand, s store.CompanyBrand) lead.CompanyBrand {
	c.Color, c.LogoDigest, c.LogoWidth, c.LogoHeight = s.Color, s.LogoDigest, s.LogoWidth, s.LogoHeight
	return c
}
