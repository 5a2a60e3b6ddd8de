package brand

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"regexp"
	"strings"
	"testing"
)

func TestNewPalette_EveryColor_Readable(t *testing.T) {
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				p := NewPalette(Color{uint8(r), uint8(g), uint8(b)})
				for name, pair := range map[string][2]Color{
					"on light paper": {p.Light, paper}, "on a light card": {p.Light, white},
					"on its light tint": {p.Light, p.LightWash}, "text on the color": {p.OnLight, p.Light},
					"on dark paper": {p.Dark, darkPaper}, "on a dark card": {p.Dark, darkCard},
					"on its dark tint": {p.Dark, p.DarkWash}, "text on the light color": {p.OnDark, p.Dark},
				} {
					if got := Contrast(pair[0], pair[1]); got < MinContrast {
						t.Errorf("#%02x%02x%02x %s: contrast %.2f, want at least 4.5", r, g, b, name, got)
					}
				}
			}
		}
	}
}

func TestNewPalette_ReadableColor_Unchanged(t *testing.T) {
	green := Color{0x1d, 0x5b, 0x4f}
	if got := NewPalette(green); got.Light != green || got.Dark == green {
		t.Errorf("got %+v, want the color itself on light backgrounds and a lighter one on dark", got)
	}
	if got := NewPalette(Color{0xff, 0xcc, 0}); got.Light == (Color{0xff, 0xcc, 0}) || got.Dark != (Color{0xff, 0xcc, 0}) {
		t.Errorf("yellow: got %+v, want a darker one on light backgrounds and the color itself on dark", got)
	}
	if got := Contrast(white, black); got < 20.9 || got > 21.1 {
		t.Errorf("black on white: got %.2f, want 21", got)
	}
	if css := NewPalette(green).CSS(); !regexp.MustCompile(
		`^:root \{ (--[a-z-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\); ){3}\}\n$`).MatchString(css) {
		t.Errorf("got %q", css)
	}
}

func TestParseColor(t *testing.T) {
	for s, want := range map[string]bool{"#1d5b4f": true, "1D5B4F": true, " #1d5b4f ": true, "#fff": false, "": false,
		"#1d5b4g": false, "red": false, "#1d5b4f;}": false, "+1d5b4": false} {
		if _, ok := ParseColor(s); ok != want {
			t.Errorf("%q: got %v, want %v", s, ok, want)
		}
	}
}

func picture(width, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			m.Set(x, y, color.NRGBA{uint8(x), uint8(y), 90, 255})
		}
	}
	return m
}

func pngOf(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture(width, height)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pngClaiming is a small PNG whose header claims a size.
func pngClaiming(width, height uint32) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	header = append(header, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	out = append(out, header...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(header))
}

func TestNewLogo_FormatsAndLimits(t *testing.T) {
	var jpg, animation bytes.Buffer
	if err := jpeg.Encode(&jpg, picture(200, 100), nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&animation, picture(40, 40), nil); err != nil {
		t.Fatal(err)
	}
	// A lossy WebP of 32 by 16 pixels, as Chromium writes it.
	webp, err := base64.StdEncoding.DecodeString("" +
		"UklGRh4CAABXRUJQVlA4WAoAAAAgAAAAHwAADwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAA" +
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
		"AAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChn" +
		"VFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAA" +
		"b6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQA" +
		"AAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAg" +
		"ADIAMAAxADZWUDggMAAAALACAJ0BKiAAEAA+bSySRaQioZgEAEAGxKALToMpQAD+8QnNRv/Yv2B/Eqe1oQAAAA==")
	if err != nil {
		t.Fatal(err)
	}
	// One of 1 by 1 pixel is too small.
	tiny, err := base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=")
	if err != nil {
		t.Fatal(err)
	}
	whole := pngOf(t, 120, 60)
	for name, c := range map[string]struct {
		content       []byte
		want          error
		width, height int
	}{
		"PNG":              {whole, nil, 120, 60},
		"JPEG":             {jpg.Bytes(), nil, 200, 100},
		"WebP":             {webp, nil, 32, 16},
		"WebP, too small":  {tiny, errLogoTooSmall, 0, 0},
		"scaled by width":  {pngOf(t, 1600, 200), nil, 800, 100},
		"scaled by height": {pngOf(t, 640, 640), nil, 160, 160},
		"SVG": {
			[]byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`), errLogoSVG, 0, 0,
		},
		"GIF":             {animation.Bytes(), errLogoFormat, 0, 0},
		"HTML":            {[]byte("<html><script>1</script>"), errLogoFormat, 0, 0},
		"empty":           {nil, errLogoFormat, 0, 0},
		"cut off":         {whole[:len(whole)/2], errLogoUnreadable, 0, 0},
		"header only":     {whole[:10], errLogoUnreadable, 0, 0},
		"too many bytes":  {append(whole, make([]byte, MaxLogoBytes)...), errLogoBytes, 0, 0},
		"claims 65,000²":  {pngClaiming(65_000, 65_000), errLogoPixels, 0, 0},
		"claims 3,000²":   {pngClaiming(3_000, 3_000), errLogoPixels, 0, 0},
		"claims too wide": {pngClaiming(3_900, 100), errLogoShape, 0, 0},
		"thousands of scans": {
			append(jpg.Bytes()[:jpg.Len()-2:jpg.Len()-2], bytes.Repeat([]byte("\xff\xda"), 100)...), errLogoUnreadable, 0, 0,
		},
		"claims nothing":     {pngClaiming(0, 10), errLogoUnreadable, 0, 0},
		"overflowing claims": {pngClaiming(1<<31-1, 1<<31-1), errLogoPixels, 0, 0},
	} {
		got, err := NewLogo(c.content)
		if name == "overflowing claims" && errors.Is(err, errLogoUnreadable) {
			continue // the decoder refuses it before our limit does
		}
		if !errors.Is(err, c.want) || got.Width != c.width || got.Height != c.height {
			t.Errorf("%s: got %d by %d, %v, want %d by %d, %v", name, got.Width, got.Height, err, c.width, c.height, c.want)
		}
	}
}

// TestNewLogo_KeepsPixelsOnly hides a script behind the image and in a text chunk.
func TestNewLogo_KeepsPixelsOnly(t *testing.T) {
	script := "<script>alert(1)</script>"
	chunk := append([]byte("tEXt"), "Comment\x00"+script...)
	content := pngOf(t, 64, 32)
	end := bytes.Index(content, []byte("IEND")) - 4
	var evil []byte
	evil = append(evil, content[:end]...)
	evil = binary.BigEndian.AppendUint32(evil, uint32(len(chunk)-4))
	evil = append(evil, chunk...)
	evil = binary.BigEndian.AppendUint32(evil, crc32.ChecksumIEEE(chunk))
	evil = append(append(evil, content[end:]...), script...)
	got, err := NewLogo(evil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got.PNG), "script") || !bytes.HasPrefix(got.PNG, []byte("\x89PNG")) {
		t.Errorf("got %q", got.PNG)
	}
}
