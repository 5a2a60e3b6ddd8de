package lead

// CompanyBrand is what a company puts on pages for borrowers.
type CompanyBrand struct {
	Company    string // as access.CompanyOf names it
	Name, NMLS string
	Color      string // as it was entered, "1d5b4f"; "" for none
	LogoDigest string // "" for none
	LogoWidth  int    // pixels
	LogoHeight int
}
