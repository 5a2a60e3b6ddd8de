package mismo

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
)

// The limits of a packed file. A loan file packs to a fifth or a tenth of its size.
const (
	maxRatio   = 200
	maxEntries = 1000 // of a ZIP file
)

// The reasons to refuse a file.
var (
	errEmpty       = refuse("The file is empty. Export it again from your LOS.")
	errTooLarge    = refuse("The file is larger than 10 MB. Export only the loan data, without documents.")
	errDeclaration = refuse("The file has a document type declaration (DOCTYPE). For security, it wasn’t read. " +
		"Export a MISMO 3.4 file (.xml) from your LOS.")
	errEncoding = refuse("The file’s text encoding isn’t supported. Save it as UTF-8, " +
		"or export it again from your LOS.")
	errNotXML     = refuse("This isn’t an XML file. Export a MISMO 3.4 file (.xml) from your LOS.")
	errMalformed  = refuse("The file is damaged or incomplete: it isn’t well-formed XML. Export it again from your LOS.")
	errTooComplex = refuse("The file has more elements than a loan file should, so it wasn’t read. " +
		"Export a MISMO 3.4 file (.xml) of one loan.")
	errFannie32  = refuse("This looks like a Fannie Mae 3.2 file (.fnm). Export a MISMO 3.4 file (.xml) instead.")
	errMISMO2    = refuse("This looks like a MISMO 2.x file. Export a MISMO 3.4 file (.xml) instead.")
	errOtherRoot = refuse("This XML file isn’t a MISMO 3.4 loan file. Export a MISMO 3.4 file (.xml) from your LOS.")
	errPDF       = refuse("This is a PDF. Export a MISMO 3.4 file (.xml) from your LOS.")
	errJSON      = refuse("This is a JSON file. Export a MISMO 3.4 file (.xml) from your LOS.")
	errHTML      = refuse("This is a web page, not a loan file. Your LOS may have signed you out: sign in there and " +
		"export a MISMO 3.4 file (.xml) again.")
	errArchive = refuse("This ZIP or Office file doesn’t have exactly one XML file in it. " +
		"Choose the MISMO 3.4 file (.xml) itself.")
	errPackedTwice = refuse("The packed file has another packed file in it. Choose the MISMO 3.4 file (.xml) itself.")
	errDamagedPack = refuse("The packed file is damaged, or has a password. Choose the MISMO 3.4 file (.xml) itself.")
	errPackedLarge = refuse("The packed file holds far more than a loan file, so it wasn’t read. " +
		"Choose the MISMO 3.4 file (.xml) itself.")
	errNoLoan     = refuse("The file has no loan in it. Export a MISMO 3.4 loan application file (.xml) from your LOS.")
	errNoBorrower = refuse("The file has no borrower in it. " +
		"Export a MISMO 3.4 loan application file (.xml) from your LOS.")
)

func refuse(sentence string) *RefusedError { return &RefusedError{sentence} }

// readAll reads a file of at most MaxSize bytes.
func readAll(from io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if sized, ok := from.(interface{ Len() int }); ok {
		b.Grow(min(sized.Len(), MaxSize) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(from, MaxSize+1)); err != nil {
		return nil, err
	}
	if b.Len() > MaxSize {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

// The first bytes of packed files.
var (
	gzipMark = []byte("\x1f\x8b")
	zipMark  = []byte("PK\x03\x04")
)

func isPacked(raw []byte) bool {
	return bytes.HasPrefix(raw, gzipMark) || bytes.HasPrefix(raw, zipMark)
}

// unpack returns the one XML file of a gzip or ZIP file, and any other file unchanged.
func unpack(raw []byte) ([]byte, error) {
	var in io.ReadCloser
	var err error
	switch {
	case bytes.HasPrefix(raw, gzipMark):
		in, err = gzip.NewReader(bytes.NewReader(raw))
	case bytes.HasPrefix(raw, zipMark):
		in, err = openZIP(raw)
	default:
		return raw, nil
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return nil, refused
	}
	if err != nil {
		return nil, errDamagedPack
	}
	defer func() { _ = in.Close() }()
	limit := int64(min(MaxSize, len(raw)*maxRatio))
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case err != nil:
		return nil, errDamagedPack
	case int64(len(text)) > limit:
		return nil, errPackedLarge
	case isPacked(text):
		return nil, errPackedTwice
	}
	return text, nil
}

// openZIP opens the one XML file of a ZIP file, or its only file.
func openZIP(raw []byte) (io.ReadCloser, error) {
	if bytes.Count(raw, []byte("PK\x01\x02")) > maxEntries { // before the list is built
		return nil, errArchive
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var files, documents []*zip.File
	for _, f := range archive.File {
		base := path.Base(f.Name)
		if f.FileInfo().IsDir() || strings.HasPrefix(base, ".") || strings.HasPrefix(f.Name, "__MACOSX/") {
			continue
		}
		files = append(files, f)
		if strings.EqualFold(path.Ext(base), ".xml") {
			documents = append(documents, f)
		}
	}
	if len(documents) == 0 {
		documents = files
	}
	if len(documents) != 1 {
		return nil, errArchive
	}
	if documents[0].Flags&1 != 0 { // encrypted
		return nil, errDamagedPack
	}
	return documents[0].Open()
}

// fannie32 matches the records with which a Fannie Mae 3.2 file begins.
var fannie32 = regexp.MustCompile(`^(?:EH |TH |TP |1003 |000 ?\d|00A|01A)`)

// recognize names what a text that is not XML looks like.
func recognize(text []byte) error {
	head := strings.ToLower(string(text[:min(len(text), 200)]))
	switch {
	case len(text) == 0:
		return errEmpty
	case strings.HasPrefix(head, "%pdf"):
		return errPDF
	case text[0] == '{' || text[0] == '[':
		return errJSON
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return errHTML
	case fannie32.Match(text):
		return errFannie32
	case text[0] != '<':
		return errNotXML
	}
	return nil
}
