package help

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
	"path"
	"strings"

	"hearthline/static"
	"hearthline/views/to"
)

// exampleOrigin is the URL of the portal in texts and samples.
const exampleOrigin = "https://desk.example"

// The code samples for CRM administrators are in files, so that tests can run them.
//
//go:embed samples
var sampleFiles embed.FS

// File is a code sample on a help page.
type File struct {
	Name string // name of the file
	Text string
	Href string // of a download; "" for a file in a folder
	path string
}

// Sample reads a sample by file name, with the URL of the current <hearthline-desk>; it returns the zero File if there
// is none.
func Sample(name string) File {
	text, err := sampleFiles.ReadFile("samples/" + name)
	if err != nil {
		return File{}
	}
	url, integrity := static.DeskElement()
	filled := strings.NewReplacer("/static/hearthline-desk.js", url, "INTEGRITY", integrity).Replace(string(text))
	f := File{Name: path.Base(name), Text: filled, path: name}
	if !strings.Contains(name, "/") {
		f.Href = to.HelpFile(name)
	}
	return f
}

// samplesIn returns the files of a folder of samples, in the order of their paths.
func samplesIn(folder string) (all []File) {
	_ = fs.WalkDir(sampleFiles, "samples/"+folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, Sample(strings.TrimPrefix(name, "samples/")))
		}
		return err // of an unknown folder
	})
	return all
}

// Download returns a sample, or a folder of samples as a ZIP file, with the URL of this portal; false if there is none.
func Download(name, origin string) ([]byte, bool) {
	folder, zipped := strings.CutSuffix(name, ".zip")
	if !zipped {
		text := Sample(name).Text
		return []byte(strings.ReplaceAll(text, exampleOrigin, origin)), text != ""
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	files := samplesIn(folder)
	for _, f := range files {
		w, err := z.Create(f.path)
		if err == nil {
			_, err = w.Write([]byte(strings.ReplaceAll(f.Text, exampleOrigin, origin)))
		}
		if err != nil {
			return nil, false
		}
	}
	err := z.Close()
	return out.Bytes(), err == nil && len(files) > 0
}

// At puts the URL of this portal into a page that Page returned, so that what is copied from it works as it is.
func (v View) At(origin string) View {
	own := func(text *string) { *text = strings.ReplaceAll(*text, exampleOrigin, origin) }
	for _, s := range v.Sections {
		for _, texts := range [][]string{s.Text, s.Steps} {
			for i := range texts {
				own(&texts[i])
			}
		}
		for i := range s.Code {
			own(&s.Code[i].Text)
		}
	}
	return v
}
