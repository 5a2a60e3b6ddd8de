package offers

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/brand"
	"hearthline/internal/fault"
)

// brandStyleFile names the style sheet of a color. The name has the digest of the content, so that a browser may keep
// the file forever; nothing is stored, because the color is in the name.
func brandStyleFile(c brand.Color) (name, content string) {
	content = brand.NewPalette(c).CSS()
	sum := sha256.Sum256([]byte(content))
	return c.Hex() + "-" + hex.EncodeToString(sum[:6]) + ".css", content
}

// BrandFile serves a company's logo or style sheet. It is public, reads no session, and its content never changes.
func (h *Handlers) BrandFile(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "file")
	base, isLogo := strings.CutSuffix(name, ".png")
	kind := "text/css; charset=utf-8"
	var content []byte
	if isLogo {
		kind = "image/png"
		logo, err := h.Desks.CompanyLogo(r.Context(), base)
		if err != nil {
			return err
		}
		content = logo
	} else {
		hexColor, _, _ := strings.Cut(name, "-")
		color, ok := brand.ParseColor(hexColor)
		file, css := brandStyleFile(color)
		if !ok || file != name {
			return fault.New(fault.NotFound, "Page not found.")
		}
		content = []byte(css)
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	writeContent(w, r, kind, "default-src 'none'; frame-ancestors 'none'", content)
	return nil
}
