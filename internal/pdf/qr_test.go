package pdf

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"
)

func TestQR_DrawsEveryModule(t *testing.T) {
	text := "https://apply.example/heloc?inquiry=" + strings.Repeat("eyJhbGciOiJSU0", 120)
	got, err := QR(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := qr.Encode(text, qr.L, qr.Unicode)
	if err != nil {
		t.Fatal(err)
	}
	n := want.Bounds().Dx()
	if got.Size != n+2*quietZone {
		t.Errorf("got %d units, want %d with the margin", got.Size, n+2*quietZone)
	}
	dark := map[[2]int]bool{}
	for _, run := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-\d+z`).FindAllStringSubmatch(got.Path, -1) {
		x, _ := strconv.Atoi(run[1])
		y, _ := strconv.Atoi(run[2])
		long, _ := strconv.Atoi(run[3])
		for i := range long {
			dark[[2]int{x + i - quietZone, y - quietZone}] = true
		}
	}
	for y := range n {
		for x := range n {
			r, _, _, _ := want.At(x, y).RGBA()
			if dark[[2]int{x, y}] != (r == 0) {
				t.Fatalf("module %d, %d: got dark %v", x, y, dark[[2]int{x, y}])
			}
		}
	}
}

func TestQR_TooLong_Error(t *testing.T) {
	if got, err := QR(strings.Repeat("x", 4000)); err == nil || got.Path != "" {
		t.Errorf("got a code of %d units", got.Size)
	}
}
