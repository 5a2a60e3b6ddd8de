package partner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"hearthline/internal/fault"
)

// fileHead is how many bytes at the beginning of a file are enough to tell its type: readers of PDF accept some bytes
// before its signature, and a page may begin with blank lines.
const fileHead = 1024

// signaturesOf returns the bytes with which files of a type begin; nil if there are none or they may come later.
func signaturesOf(media string) []string {
	switch {
	case media == "application/zip", strings.HasPrefix(media, "application/vnd.openxmlformats-"):
		return []string{"PK\x03\x04", "PK\x05\x06", "PK\x07\x08"}
	case media == "image/png":
		return []string{"\x89PNG"}
	case media == "image/jpeg":
		return []string{"\xff\xd8\xff"}
	default:
		return nil
	}
}

func isPageOrJSON(media string) bool { return media == "text/html" || media == "application/json" }

// checkType returns an error if the file contradicts the type that the lender's list of documents declares, so that
// nobody downloads a sign-in page under the name of a document. Without a declared type it compares the file with the
// type of the response. No file without one is a page or JSON.
func (d *Download) checkType(declared string) error {
	media, _, _ := strings.Cut(strings.ToLower(declared), ";")
	if media = strings.TrimSpace(media); media == "" || media == "application/octet-stream" {
		media = d.ContentType
		if isPageOrJSON(media) {
			return fmt.Errorf("the file is %q", media)
		}
	}
	if isPageOrJSON(media) {
		return nil
	}
	signatures, needed := signaturesOf(media), 1 // a slow file of another type does not wait for more
	if signatures != nil {
		needed = 4
	}
	if media == "application/pdf" {
		needed = fileHead
	}
	head, err := d.file.peek(needed)
	fits := false
	switch {
	case media == "application/pdf":
		fits = bytes.Contains(head[:min(fileHead, len(head))], []byte("%PDF-"))
	case signatures != nil:
		for _, signature := range signatures {
			fits = fits || bytes.HasPrefix(head, []byte(signature))
		}
	default:
		text := bytes.TrimLeft(head, "\ufeff \t\r\n")
		isJSON := bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("["))
		fits = !isPageOrJSON(d.ContentType) && !strings.HasPrefix(http.DetectContentType(text), "text/html") &&
			(!isJSON || strings.HasPrefix(media, "text/"))
	}
	switch {
	case fits:
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("the body is no %q", media)
	}
}

// begin reads the first byte of a file. It returns a *Failure if the status is not 200, or if the body is empty or
// fails before its first byte.
func (d *Download) begin(status int) *Failure {
	if status != http.StatusOK {
		return d.notFile(fmt.Errorf("status %d for a whole file", status))
	}
	switch head, err := d.file.peek(1); {
	case len(head) > 0:
		return nil
	case errors.Is(err, errTimeout):
		return d.file.call.failure(Failure{Status: status}, fault.Unavailable, err)
	case err != nil:
		return d.notFile(fmt.Errorf("the file broke off before its first byte: %w", err))
	default:
		return d.notFile(errors.New("the file is empty"))
	}
}

// notFile returns the failure of a response that is not the file. It is not tried again, and does not mean that the
// lender is down.
func (d *Download) notFile(cause error) *Failure {
	f := d.file.call.failure(Failure{Status: d.file.status, RequestID: d.RequestID}, fault.Upstream, cause)
	f.permanent = true
	return f
}

// peek reads ahead until at least n bytes are there or the file ends, and returns what is there. It is read again
// with the rest.
func (b *downloadBody) peek(n int) ([]byte, error) {
	for len(b.ahead) < n && b.aheadErr == nil {
		chunk := make([]byte, fileHead)
		read, err := b.receive(chunk)
		b.ahead, b.aheadErr = append(b.ahead, chunk[:read]...), err
	}
	if errors.Is(b.aheadErr, io.EOF) {
		return b.ahead, nil
	}
	return b.ahead, b.aheadErr
}

// receive reads from the lender, and waits for it no longer than the limit.
func (b *downloadBody) receive(p []byte) (int, error) {
	b.idle.start()
	n, err := b.body.Read(p)
	b.idle.pause()
	if err != nil && !errors.Is(err, io.EOF) {
		err = causeOf(b.ctx, err)
	}
	return n, err
}
