// Package brand prepares what a broker company puts on pages for borrowers: its color, adjusted so that text in it is
// readable, and its logo, decoded and encoded again.
//
//	color.go  a color and the colors derived from it
//	logo.go   an uploaded image
package brand

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Color is an sRGB color.
type Color struct{ R, G, B uint8 }

// MinContrast is the contrast of text that WCAG 2.2 AA requires.
const MinContrast = 4.5

// The backgrounds of a borrower's page, light and dark; static/css/borrower.css has the same.
var (
	white     = Color{255, 255, 255}
	black     = Color{0, 0, 0}
	paper     = Color{0xfb, 0xfb, 0xf9}
	darkPaper = Color{0x10, 0x15, 0x12}
	darkCard  = Color{0x17, 0x1e, 0x1b}
)

// ParseColor parses "#1d5b4f", with or without the number sign.
func ParseColor(s string) (Color, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "#")
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 6 {
		return Color{}, false
	}
	return Color{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

// Hex formats the color without the number sign: "1d5b4f".
func (c Color) Hex() string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

// luminance is the relative luminance that WCAG defines.
func (c Color) luminance() float64 {
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Contrast is the contrast ratio of two colors, from 1 to 21.
func Contrast(a, b Color) float64 {
	la, lb := a.luminance(), b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// mix returns a color that has a part of another one in it, from 0 to 1.
func (c Color) mix(other Color, part float64) Color {
	of := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-part) + float64(b)*part)) }
	return Color{of(c.R, other.R), of(c.G, other.G), of(c.B, other.B)}
}

// Palette is a company's color on light and on dark backgrounds: for text and lines, for a tinted background, and for
// text on the color.
type Palette struct {
	Light, LightWash, OnLight Color
	Dark, DarkWash, OnDark    Color
}

// NewPalette derives the colors. The color is darkened for light backgrounds and lightened for dark ones, as far as
// text in it needs; every pair of a text and its background has at least MinContrast.
func NewPalette(c Color) Palette {
	p := Palette{OnLight: white}
	for step := 0; ; step++ {
		p.Light = c.mix(black, float64(step)/50)
		p.LightWash = white.mix(p.Light, 0.1)
		if readable(p.Light, paper, white, p.LightWash) {
			break
		}
	}
	for step := 0; ; step++ {
		p.Dark = c.mix(white, float64(step)/50)
		p.DarkWash = darkCard.mix(p.Dark, 0.12)
		p.OnDark = black.mix(p.Dark, 0.15)
		if readable(p.Dark, darkPaper, darkCard, p.DarkWash, p.OnDark) {
			break
		}
	}
	return p
}

func readable(text Color, on ...Color) bool {
	for _, background := range on {
		if Contrast(text, background) < MinContrast {
			return false
		}
	}
	return true
}

// CSS is the style sheet that sets the colors for a borrower's page.
func (p Palette) CSS() string {
	pair := func(light, dark Color) string { return "light-dark(#" + light.Hex() + ", #" + dark.Hex() + ")" }
	return ":root { --co: " + pair(p.Light, p.Dark) + "; --co-wash: " + pair(p.LightWash, p.DarkWash) + "; --on-co: " +
		pair(p.OnLight, p.OnDark) + "; }\n"
}
