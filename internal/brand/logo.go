package brand

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// The limits of an uploaded image. The size in pixels is checked before anything is decoded, so that a small file
// cannot fill the memory.
const (
	MaxLogoBytes  = 512 << 10
	maxLogoSide   = 4000 // pixels
	maxLogoPixels = 4_000_000
	minLogoSide   = 16
	// Editors write progressive JPEGs with about ten scans. Decoding visits every pixel once for each scan, so a small
	// file with thousands of them would take a minute.
	maxJPEGScans = 64
	jpegMagic    = "\xff\xd8\xff"
)

// The size of a stored logo in pixels: four times its height on a page, at most.
const logoWidth, logoHeight = 800, 160

// Logo is a PNG that was encoded here.
type Logo struct {
	PNG           []byte
	Width, Height int
}

// refusal is the reason why an image is refused: a sentence for the user.
type refusal string

func (r refusal) Error() string { return string(r) }

// The reasons.
const (
	errLogoSVG        = refusal("SVG files can contain scripts and aren’t accepted. Upload a PNG, JPEG or WebP image")
	errLogoFormat     = refusal("Upload a PNG, JPEG or WebP image")
	errLogoUnreadable = refusal("This image is damaged or incomplete. Export it again and upload the new file")
	errLogoBytes      = refusal("Use an image of at most 512 KB")
	errLogoPixels     = refusal("Use an image of at most 4,000 by 4,000 and 4 million pixels")
	errLogoTooSmall   = refusal("Use an image of at least 16 by 16 pixels")
	errLogoShape      = refusal("Use a logo that is at most ten times as wide as high, and at most twice as high as wide")
)

// format is an image format by the first bytes of a file; the name and the type that a browser sends are ignored.
type format struct {
	magic  string
	offset int
	size   func([]byte) (image.Config, error)
	decode func([]byte) (image.Image, error)
}

func formats() []format {
	return []format{
		{"\x89PNG\r\n\x1a\n", 0, func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) },
			func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }},
		{jpegMagic, 0, func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) },
			func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }},
		{"WEBP", 8, func(b []byte) (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(b)) },
			func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) }},
	}
}

// NewLogo decodes an uploaded image and encodes it again as PNG, so that nothing of the file remains but its pixels.
// Larger images are scaled down. The message of an error is a sentence for the user.
func NewLogo(content []byte) (Logo, error) {
	if len(content) > MaxLogoBytes {
		return Logo{}, errLogoBytes
	}
	for _, f := range formats() {
		if len(content) >= f.offset+len(f.magic) && string(content[f.offset:f.offset+len(f.magic)]) == f.magic {
			return f.logo(content)
		}
	}
	if bytes.Contains(bytes.ToLower(content[:min(len(content), 4096)]), []byte("<svg")) {
		return Logo{}, errLogoSVG
	}
	return Logo{}, errLogoFormat
}

func (f format) logo(content []byte) (Logo, error) {
	size, err := f.size(content)
	switch {
	case err != nil:
		return Logo{}, errLogoUnreadable
	case size.Width < minLogoSide || size.Height < minLogoSide:
		return Logo{}, errLogoTooSmall
	case size.Width > maxLogoSide || size.Height > maxLogoSide || size.Width*size.Height > maxLogoPixels:
		return Logo{}, errLogoPixels
	case f.magic == jpegMagic && bytes.Count(content, []byte("\xff\xda")) > maxJPEGScans:
		return Logo{}, errLogoUnreadable
	case size.Width > 10*size.Height || size.Height > 2*size.Width:
		return Logo{}, errLogoShape
	}
	decoded, err := f.decode(content)
	if err != nil {
		return Logo{}, errLogoUnreadable
	}
	from := decoded.Bounds()
	width, height := from.Dx(), from.Dy()
	if width > logoWidth {
		width, height = logoWidth, max(1, height*logoWidth/width)
	}
	if height > logoHeight {
		width, height = max(1, width*logoHeight/height), logoHeight
	}
	to := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(to, to.Bounds(), decoded, from, draw.Src, nil)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to); err != nil {
		return Logo{}, errLogoUnreadable
	}
	return Logo{PNG: out.Bytes(), Width: width, Height: height}, nil
}
