package sandbox

import (
	"fmt"
	"io"
	"strings"
)

// writeHuge writes a PDF of exactly size bytes, most of it a comment, in chunks: a client
// can be tested for streaming without much memory on either side.
func writeHuge(w io.Writer, size int64) error {
	const head = "%PDF-1.4\n"
	padding := size - int64(len(head))
	tail := hugeTail(size)
	for range 3 { // the tail contains offsets, whose digits change its length
		tail = hugeTail(int64(len(head)) + padding)
		padding = max(0, size-int64(len(head)+len(tail)))
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	chunk := []byte(strings.Repeat("%"+strings.Repeat(".", 1022)+"\n", 32))
	// The remainder that does not fill a chunk goes first; it is the end of a chunk and also a comment.
	first := append([]byte(nil), chunk[int64(len(chunk))-padding%int64(len(chunk)):]...)
	if len(first) > 1 {
		first[0] = '%'
	}
	if _, err := w.Write(first); err != nil {
		return err
	}
	for range padding / int64(len(chunk)) {
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, tail)
	return err
}

// hugeTail is one empty page and the cross-reference table for a file in which the objects
// begin at this offset.
func hugeTail(at int64) string {
	objects := []string{
		"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n",
		"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n",
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>\nendobj\n",
	}
	table := "xref\n0 4\n0000000000 65535 f \n"
	text := ""
	for _, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", at+int64(len(text)))
		text += o
	}
	start := at + int64(len(text))
	return text + table + fmt.Sprintf("trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", start)
}
